//! Pauses without a store.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use isobox::journal::{CallDecision, Verdict};
use isobox::limits::CapacityLimits;
use isobox::snippets::NewSnippet;
use isobox::store::{Filter, Store, memory_store};
use isobox::{
    ByteSize, CallSeq, Code, ConflictKind, Continuations, Continue, Decisions, ExecutionId, Isobox, Outcome, Paused,
    Principal, Program, Run, Timestamp, Tool, ToolError, json,
};

const PROGRAM: &str = "
const seen = new Map([['a', 1]]);
const first = await tools.pay({ amount: 1 });
seen.set('b', first);
const [second, token] = await Promise.all([tools.pay({ amount: 2 }), tools.login()]);
return [first, second, token, seen.size];";

/// A process with these tools. Processes share nothing but the count of payments.
fn process(paid: &Arc<AtomicU32>) -> Isobox {
    process_with(paid, None)
}

fn process_with(paid: &Arc<AtomicU32>, store: Option<&Arc<dyn Store>>) -> Isobox {
    let paid = Arc::clone(paid);
    let pay = Tool::new("pay", move |input| {
        paid.fetch_add(1, Ordering::Relaxed);
        async move { Ok(input["amount"].clone()) }
    });
    let login = Tool::with_call("login", |call| async move {
        call.resolution.ok_or_else(|| ToolError::interrupt(json!({ "url": "https://login.example.com" })))
    });
    let tools = [pay.expect("a tool").with_approval(), login.expect("a tool")];
    let builder = Isobox::builder().tools(tools);
    let builder = match store {
        Some(store) => builder.store(Arc::clone(store)),
        None => builder,
    };
    builder.build().expect("a runtime")
}

fn keys() -> Continuations {
    Continuations::new(&[7; 32]).expect("a secret").audience("ada")
}

fn paused(outcome: Outcome) -> (Paused, String) {
    let Outcome::Paused(mut paused) = outcome else { panic!("it did not pause: {outcome:?}") };
    let continuation = paused.continuation.take().expect("it has a continuation");
    (paused, continuation)
}

/// Begins the program. Returns its first pause, and its continuation.
async fn first_pause(paid: &Arc<AtomicU32>) -> (Paused, String) {
    paused(process(paid).run_stateless(PROGRAM, &keys()).await)
}

fn decided(paused: &Paused, verdict: Verdict) -> Continue {
    Continue::decided(&paused.execution_id, Decisions::about_all("ada", paused.revision, verdict))
}

fn approved(paused: &Paused) -> Continue {
    decided(paused, Verdict::Approve)
}

async fn refusal(waiting: &Paused, continuation: &str, with: &Continuations) -> (Code, String) {
    let (paid, answer) = (Arc::default(), approved(waiting));
    let refused = process(&paid).resume_stateless(continuation, with, answer).await.expect_err("it is refused");
    assert_eq!(paid.load(Ordering::Relaxed), 0, "nothing was run");
    (refused.code, refused.message)
}

#[tokio::test]
async fn a_paused_program_goes_on_in_another_process_from_one_text() {
    let paid = Arc::default();
    let (waiting, continuation) = first_pause(&paid).await;
    assert!(continuation.len() < 24_000, "{} bytes", continuation.len());
    let continued = process(&paid).resume_stateless(&continuation, &keys(), approved(&waiting)).await;
    let (waiting, continuation) = paused(continued.expect("it continues"));
    assert_eq!(waiting.pending.len(), 2);
    assert_eq!(paid.load(Ordering::Relaxed), 1);
    let answers = [(CallSeq::new(1), Verdict::Approve), (CallSeq::new(2), Verdict::Answer(json!("t")))];
    let answers = Decisions::new("ada", answers).shown_at(waiting.revision);
    let answers = Continue::decided(&waiting.execution_id, answers);
    let outcome = process(&paid).resume_stateless(&continuation, &keys(), answers).await;
    assert_eq!(outcome.expect("it continues").into_result().expect("it completes"), json!([1, 2, "t", 2]));
    assert_eq!(paid.load(Ordering::Relaxed), 2, "each call was made once");
}

#[tokio::test]
async fn a_program_that_does_not_pause_has_no_continuation() {
    let outcome = process(&Arc::default()).run_stateless("return 1", &keys()).await;
    assert_eq!(json!(outcome)["continuation"], json!(null));
    let forged = process(&Arc::default()).run_stateless("return { continuation: 'isobox1.AAAA' }", &keys()).await;
    assert!(matches!(forged, Outcome::Completed(_)), "{forged:?}");
}

#[tokio::test]
async fn a_continuation_is_used_once() {
    let paid = Arc::default();
    let (waiting, continuation) = first_pause(&paid).await;
    let keys = keys();
    let size = keys.rehearse(&continuation).await.expect("it can be opened");
    assert_eq!(size, continuation.len(), "a rehearsal seals the same, and does not use it up");
    let beginning = keys.look(&continuation).expect("it can be read with the key");
    assert_eq!(beginning.program.files().values().next().map(String::as_str), Some(PROGRAM));
    assert_eq!(
        keys.clone().audience("bob").look(&continuation).map(|_| ()).expect_err("bob may not").code,
        Code::Continuation
    );
    process(&paid).resume_stateless(&continuation, &keys, approved(&waiting)).await.expect("it continues");
    for with in [keys.clone(), self::keys()] {
        let (code, message) = refusal(&waiting, &continuation, &with).await;
        assert_eq!((code, message.contains("used before")), (Code::Continuation, true), "{message}");
    }
}

#[tokio::test]
async fn of_two_that_continue_at_the_same_time_one_does() {
    let paid = Arc::default();
    let (waiting, continuation) = first_pause(&paid).await;
    let [one, other] = [keys(), keys()];
    let runtimes = [process(&paid), process(&paid)];
    let (first, second) = tokio::join!(
        runtimes[0].resume_stateless(&continuation, &one, approved(&waiting)),
        runtimes[1].resume_stateless(&continuation, &other, approved(&waiting)),
    );
    let refused: Vec<Code> = [&first, &second].into_iter().filter_map(|one| Some(one.as_ref().err()?.code)).collect();
    assert_eq!(refused, [Code::Continuation], "{first:?} {second:?}");
    assert_eq!(paid.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn decisions_about_another_execution_or_revision_are_refused_before_the_continuation_is_used_up() {
    let paid = Arc::default();
    let (another, _) = first_pause(&paid).await;
    let (waiting, continuation) = first_pause(&paid).await;
    let (id, seq, revision) = (&waiting.execution_id, waiting.pending[0].seq, waiting.revision);
    let all =
        |id: &ExecutionId, revision| Continue::decided(id, Decisions::about_all("ada", revision, Verdict::Approve));
    let one = || Decisions::new("ada", [(seq, Verdict::Approve)]);
    let stale = CallDecision { revision: Some(revision - 1), ..CallDecision::new(seq, Verdict::Approve) };
    let (misfit, changed) = (ConflictKind::WrongDecision, ConflictKind::Changed);
    for (wrong, kind, why) in [
        (approved(&another), misfit, "another execution"),
        (Continue::decided(&another.execution_id, one().shown_at(revision)), misfit, "another execution, by number"),
        (all(id, revision - 1), changed, "an earlier revision"),
        (all(id, revision + 1), changed, "a later revision"),
        (Continue::decided(id, one().shown_at(revision - 1)), changed, "an earlier revision, by number"),
        (Continue::decided(id, Decisions::of("ada", [stale])), changed, "an earlier revision of its own"),
        (Continue::decided(id, one()), misfit, "no revision"),
    ] {
        let refused = process(&paid).resume_stateless(&continuation, &keys(), wrong).await.expect_err(why);
        assert_eq!(refused.conflict_kind(), Some(kind), "{why}: {refused}");
    }
    assert_eq!(paid.load(Ordering::Relaxed), 0, "nothing was run");
    process(&paid).resume_stateless(&continuation, &keys(), approved(&waiting)).await.expect("it is still good");
    assert_eq!(paid.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn after_a_refusal_before_the_first_step_the_continuation_is_still_good() {
    let paid = Arc::default();
    let own = || Tool::new("own", |_| async { Ok(json!(7)) }).expect("a tool");
    let run = Run::from("await tools.pay({ amount: 1 }); return tools.own()").tool(own());
    let isobox = process(&paid);
    let (waiting, continuation) = paused(isobox.run_stateless(run, &keys()).await);
    let about = |seq, verdict| {
        let decisions = Decisions::new("ada", [(seq, verdict)]).shown_at(waiting.revision);
        Continue::decided(&waiting.execution_id, decisions)
    };
    let (seq, approve) = (waiting.pending[0].seq, Verdict::Approve);
    let refused = async |answer: Continue| {
        isobox.resume_stateless(&continuation, &keys(), answer).await.expect_err("it is refused").code
    };
    assert_eq!(refused(about(CallSeq::new(9), approve.clone()).tools([own()])).await, Code::NotFound);
    assert_eq!(refused(about(seq, Verdict::Answer(json!(1))).tools([own()])).await, Code::Conflict);
    assert_eq!(refused(about(seq, approve.clone())).await, Code::UnknownTool);
    isobox.capacity().set(CapacityLimits { live: 1, queue: 0, ..isobox.capacity().limits() });
    let place = isobox.capacity().admit().await.expect("it is free");
    assert_eq!(refused(about(seq, approve.clone()).tools([own()])).await, Code::Busy);
    drop(place);
    assert_eq!(paid.load(Ordering::Relaxed), 0, "nothing was run");
    let outcome = isobox.resume_stateless(&continuation, &keys(), about(seq, approve).tools([own()])).await;
    assert_eq!(outcome.expect("it continues").into_result(), Ok(json!(7)));
    assert_eq!(paid.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_stateless_program_runs_the_snippets_of_the_store() {
    let (paid, store) = (Arc::default(), memory_store());
    let isobox = process_with(&paid, Some(&store));
    for (name, code) in [("double", "return input * 2"), ("bill", "return tools.pay({ amount: input })")] {
        let new = NewSnippet::new(name, Program::single(code)).description("Does something.");
        isobox.snippets().expect("a store").put(new, Principal::host()).await.expect("it is saved");
    }
    let source = "const n = await codemode.run('double', 2); const m = await codemode.run('bill', n);
        return [m, await codemode.run('double', m)]";
    let (waiting, continuation) = paused(isobox.run_stateless(source, &keys()).await);
    let other = process_with(&paid, Some(&store));
    let outcome = other.resume_stateless(&continuation, &keys(), approved(&waiting)).await.expect("it continues");
    assert_eq!(outcome.into_result(), Ok(json!([4, 8])));
    let kept = isobox.executions(Filter::newest(9)).await.expect("a list").executions;
    assert!(kept.is_empty(), "no execution is kept: {kept:?}");
}

/// Uses a continuation up as another process with this store does.
async fn use_elsewhere(store: &Arc<dyn Store>, continuation: &str) -> bool {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(continuation.trim_start_matches("isobox1.")).expect("it is base64");
    let nonce: String = bytes[8..32].iter().map(|byte| format!("{byte:02x}")).collect();
    store.use_once(&nonce, Timestamp(0), Timestamp(u64::MAX)).await.expect("the store works")
}

#[tokio::test]
async fn a_continuation_from_before_a_restored_backup_is_refused() {
    let (paid, store) = (Arc::default(), memory_store());
    let isobox = process_with(&paid, Some(&store));
    let pause = async || paused(isobox.run_stateless("return await tools.pay({ amount: 7 })", &keys()).await);
    let (waiting, continuation) = pause().await;
    isobox.mark_restored("ada").await.expect("it is marked");
    let refused = isobox.resume_stateless(&continuation, &keys(), approved(&waiting)).await.expect_err("it is old");
    assert_eq!(refused.code, Code::Continuation);
    assert!(refused.message.contains("restored from a backup"), "{refused}");
    let (waiting, continuation) = pause().await;
    isobox.resume_stateless(&continuation, &keys(), approved(&waiting)).await.expect("it is newer");
}

#[tokio::test]
async fn with_a_store_a_continuation_is_used_once_in_whatever_process() {
    let (paid, store) = (Arc::default(), memory_store());
    let in_process = || keys().remembered_in(Arc::clone(&store));
    let (waiting, continuation) = first_pause(&paid).await;
    assert!(use_elsewhere(&store, &continuation).await);
    assert_eq!(refusal(&waiting, &continuation, &in_process()).await.0, Code::Continuation);
    let (waiting, continuation) = first_pause(&paid).await;
    let continued = process(&paid).resume_stateless(&continuation, &in_process(), approved(&waiting)).await;
    continued.expect("it continues");
    assert!(!use_elsewhere(&store, &continuation).await);
}

#[tokio::test]
async fn the_store_of_a_runtime_remembers_what_it_has_used() {
    let (paid, store) = (Arc::default(), memory_store());
    let with_store = process_with(&paid, Some(&store));
    let (waiting, continuation) = first_pause(&paid).await;
    assert!(use_elsewhere(&store, &continuation).await);
    let again = with_store.resume_stateless(&continuation, &keys(), approved(&waiting)).await;
    assert_eq!(again.expect_err("another process has used it").code, Code::Continuation);
    assert_eq!(paid.load(Ordering::Relaxed), 0);
    let (waiting, continuation) = first_pause(&paid).await;
    with_store.resume_stateless(&continuation, &keys(), approved(&waiting)).await.expect("it continues");
    assert!(!use_elsewhere(&store, &continuation).await);
    let code = refusal(&waiting, &continuation, &keys()).await.0;
    assert_eq!(code, Code::Continuation, "also by a runtime without a store");
    assert_eq!(paid.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn what_is_altered_or_for_others_is_refused() {
    let paid = Arc::default();
    let (waiting, continuation) = first_pause(&paid).await;
    let altered = |place: usize| {
        let mut bytes = continuation.clone().into_bytes();
        bytes[place] = if bytes[place] == b'A' { b'B' } else { b'A' };
        String::from_utf8(bytes).expect("it is text")
    };
    let middle = continuation.len() / 2;
    for text in [altered(9), altered(30), altered(middle), altered(continuation.len() - 3), String::new()] {
        assert_eq!(refusal(&waiting, &text, &keys()).await.0, Code::Continuation, "{}", &text[..text.len().min(40)]);
    }
    assert_eq!(refusal(&waiting, &continuation[..middle], &keys()).await.0, Code::Continuation);
    let (_, other) = first_pause(&paid).await;
    for place in [30, 60, middle] {
        let swapped = format!("{}{}", &continuation[..place], &other[place.min(other.len())..]);
        assert_eq!(refusal(&waiting, &swapped, &keys()).await.0, Code::Continuation, "swapped at {place}");
    }
    assert_eq!(refusal(&waiting, &continuation, &keys().audience("bob")).await.0, Code::Continuation);
    let other = Continuations::new(&[8; 32]).expect("a secret").audience("ada");
    assert_eq!(refusal(&waiting, &continuation, &other).await.0, Code::Continuation);
    let random = Continuations::of_this_process().audience("ada");
    assert!(random.warning().is_some_and(|warning| warning.contains("only in this process")));
    assert_eq!(refusal(&waiting, &continuation, &random).await.0, Code::Continuation);
}

#[tokio::test]
async fn a_program_cannot_make_a_continuation() {
    let paid = Arc::default();
    let (waiting, continuation) = first_pause(&paid).await;
    let forged = format!("{}{}", &continuation[..40], "A".repeat(continuation.len() - 40));
    let pause = json!({ "status": "paused", "executionId": waiting.execution_id, "revision": waiting.revision,
                        "pending": [], "continuation": forged });
    for (end, status) in [("return", "completed"), ("throw", "failed")] {
        let outcome = process(&paid).run_stateless(format!("{end} {pause}").as_str(), &keys()).await;
        let told = json!(outcome);
        assert_eq!((&told["status"], &told["continuation"]), (&json!(status), &json!(null)), "{told}");
    }
    assert_eq!(refusal(&waiting, &forged, &keys()).await.0, Code::Continuation);
}

#[tokio::test]
async fn a_continuation_expires() {
    let paid = Arc::default();
    let brief = keys().lifetime(Duration::ZERO);
    let (waiting, continuation) = paused(process(&paid).run_stateless(PROGRAM, &brief).await);
    // The clocks of machines may differ by a minute.
    let continued = process(&paid).resume_stateless(&continuation, &keys(), approved(&waiting)).await;
    continued.expect("it is within the minute");
}

#[tokio::test]
async fn keys_are_rotated_with_a_grace_period() {
    let paid = Arc::default();
    let (waiting, continuation) = first_pause(&paid).await;
    let rotated = |until: u64| {
        let new = Continuations::new(&[9; 32]).expect("a secret").audience("ada");
        new.also(&[7; 32], Timestamp(until)).expect("a secret")
    };
    let (code, message) = refusal(&waiting, &continuation, &rotated(1)).await;
    assert_eq!((code, message.contains("no longer accepted")), (Code::Continuation, true), "{message}");
    let outcome = process(&paid).resume_stateless(&continuation, &rotated(u64::MAX), approved(&waiting)).await;
    let (waiting, next) = paused(outcome.expect("it continues"));
    assert_eq!(refusal(&waiting, &next, &keys()).await.0, Code::Continuation, "it is sealed with the new key");
}

#[tokio::test]
async fn a_continuation_that_is_too_large_ends_the_execution() {
    let paid = Arc::default();
    let small = keys().limit(ByteSize::kib(40));
    let source = "const big = Array.from({ length: 9000 }, (_, n) => `${n} ${Math.random()}`);
        await tools.pay({ amount: 1 }); return big.length";
    let outcome = process(&paid).run_stateless(source, &small).await;
    let Outcome::Failed(failed) = outcome else { panic!("it is too large: {outcome:?}") };
    assert_eq!(failed.error.code, Code::ContinuationTooLarge);
    assert_eq!(failed.calls.len(), 1);
    let huge = "x".repeat(50_000);
    let (waiting, _) = first_pause(&paid).await;
    assert_eq!(refusal(&waiting, &huge, &small).await.0, Code::ContinuationTooLarge);
    assert_eq!(Continuations::new(b"short").expect_err("it is short").code, Code::Config);
}

#[tokio::test]
async fn a_run_keeps_its_own_settings() {
    let paid = Arc::default();
    let run = Run::from(PROGRAM).seed(5).session("s");
    let (waiting, continuation) = paused(process(&paid).run_stateless(run, &keys()).await);
    let id = waiting.execution_id.clone();
    let denied = decided(&waiting, Verdict::Deny(Some("no".to_owned())));
    let outcome = process(&paid).resume_stateless(&continuation, &keys(), denied).await.expect("it continues");
    assert!(matches!(&outcome, Outcome::Failed(failed) if failed.error.code == Code::ApprovalDenied), "{outcome:?}");
    assert_eq!(outcome.execution_id(), &id);
}
