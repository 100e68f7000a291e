//! Pauses without a store.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use isobox::journal::Verdict;
use isobox::store::{Store, memory_store};
use isobox::{
    ByteSize, CallSeq, Code, Continuations, Continue, Isobox, Outcome, Paused, Run, Timestamp, Tool, ToolError, json,
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

async fn first_pause() -> (Arc<AtomicU32>, String) {
    let paid = Arc::default();
    let (_, continuation) = paused(process(&paid).run_stateless(PROGRAM, &keys()).await);
    (paid, continuation)
}

fn approved() -> Continue {
    Continue::all("ada", Verdict::Approve)
}

async fn refusal(continuation: &str, with: &Continuations) -> (Code, String) {
    let paid = Arc::default();
    let refused = process(&paid).resume_stateless(continuation, with, approved()).await.expect_err("it is refused");
    assert_eq!(paid.load(Ordering::Relaxed), 0, "nothing was run");
    (refused.code, refused.message)
}

#[tokio::test]
async fn a_paused_program_goes_on_in_another_process_from_one_text() {
    let (paid, continuation) = first_pause().await;
    assert!(continuation.len() < 24_000, "{} bytes", continuation.len());
    let (waiting, continuation) =
        paused(process(&paid).resume_stateless(&continuation, &keys(), approved()).await.expect("it continues"));
    assert_eq!(waiting.pending.len(), 2);
    assert_eq!(paid.load(Ordering::Relaxed), 1);
    let answers = [(CallSeq::new(1), Verdict::Approve), (CallSeq::new(2), Verdict::Answer(json!("t")))];
    let outcome = process(&paid).resume_stateless(&continuation, &keys(), Continue::with("ada", answers)).await;
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
    let (paid, continuation) = first_pause().await;
    let keys = keys();
    let beginning = keys.look(&continuation).expect("it can be read with the key");
    assert_eq!(beginning.program.files().values().next().map(String::as_str), Some(PROGRAM));
    assert_eq!(
        keys.clone().audience("bob").look(&continuation).map(|_| ()).expect_err("bob may not").code,
        Code::Continuation
    );
    process(&paid).resume_stateless(&continuation, &keys, approved()).await.expect("it continues");
    let (code, message) = refusal(&continuation, &keys).await;
    assert_eq!((code, message.contains("used before")), (Code::Continuation, true), "{message}");
    assert_eq!(refusal(&continuation, &keys.clone()).await.0, Code::Continuation, "clones remember the same");
}

#[tokio::test]
async fn with_a_store_a_continuation_is_used_once_in_whatever_process() {
    let (paid, continuation) = first_pause().await;
    let store = memory_store();
    let in_process = || keys().remembered_in(Arc::clone(&store));
    process(&paid).resume_stateless(&continuation, &in_process(), approved()).await.expect("it continues");
    assert_eq!(refusal(&continuation, &in_process()).await.0, Code::Continuation);
}

#[tokio::test]
async fn the_store_of_a_runtime_remembers_what_it_has_used() {
    let (paid, continuation) = first_pause().await;
    let store = memory_store();
    let with_store = || process_with(&paid, Some(&store));
    let of_this_process = keys();
    with_store().resume_stateless(&continuation, &of_this_process, approved()).await.expect("it continues");
    let again = with_store().resume_stateless(&continuation, &keys(), approved()).await;
    assert_eq!(again.expect_err("another process has used it").code, Code::Continuation);
    assert_eq!(
        refusal(&continuation, &of_this_process).await.0,
        Code::Continuation,
        "also by a runtime without a store"
    );
    assert_eq!(paid.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn what_is_altered_or_for_others_is_refused() {
    let (_, continuation) = first_pause().await;
    let altered = |place: usize| {
        let mut bytes = continuation.clone().into_bytes();
        bytes[place] = if bytes[place] == b'A' { b'B' } else { b'A' };
        String::from_utf8(bytes).expect("it is text")
    };
    let middle = continuation.len() / 2;
    for text in [altered(9), altered(30), altered(middle), altered(continuation.len() - 3), String::new()] {
        assert_eq!(refusal(&text, &keys()).await.0, Code::Continuation, "{}", &text[..text.len().min(40)]);
    }
    assert_eq!(refusal(&continuation[..middle], &keys()).await.0, Code::Continuation);
    let (_, other) = first_pause().await;
    for place in [30, 60, middle] {
        let swapped = format!("{}{}", &continuation[..place], &other[place.min(other.len())..]);
        assert_eq!(refusal(&swapped, &keys()).await.0, Code::Continuation, "swapped at {place}");
    }
    assert_eq!(refusal(&continuation, &keys().audience("bob")).await.0, Code::Continuation);
    let other = Continuations::new(&[8; 32]).expect("a secret").audience("ada");
    assert_eq!(refusal(&continuation, &other).await.0, Code::Continuation);
    let random = Continuations::of_this_process().audience("ada");
    assert!(random.warning().is_some_and(|warning| warning.contains("only in this process")));
    assert_eq!(refusal(&continuation, &random).await.0, Code::Continuation);
}

#[tokio::test]
async fn a_continuation_expires() {
    let paid = Arc::default();
    let brief = keys().lifetime(Duration::ZERO);
    let (_, continuation) = paused(process(&paid).run_stateless(PROGRAM, &brief).await);
    // The clocks of machines may differ by a minute.
    process(&paid).resume_stateless(&continuation, &keys(), approved()).await.expect("it is within the minute");
}

#[tokio::test]
async fn keys_are_rotated_with_a_grace_period() {
    let (paid, continuation) = first_pause().await;
    let rotated = |until: u64| {
        let new = Continuations::new(&[9; 32]).expect("a secret").audience("ada");
        new.also(&[7; 32], Timestamp(until)).expect("a secret")
    };
    let (code, message) = refusal(&continuation, &rotated(1)).await;
    assert_eq!((code, message.contains("no longer accepted")), (Code::Continuation, true), "{message}");
    let outcome = process(&paid).resume_stateless(&continuation, &rotated(u64::MAX), approved()).await;
    let (_, next) = paused(outcome.expect("it continues"));
    assert_eq!(refusal(&next, &keys()).await.0, Code::Continuation, "it is sealed with the new key");
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
    assert_eq!(refusal(&huge, &small).await.0, Code::ContinuationTooLarge);
    assert_eq!(Continuations::new(b"short").expect_err("it is short").code, Code::Config);
}

#[tokio::test]
async fn a_run_keeps_its_own_settings() {
    let paid = Arc::default();
    let run = Run::from(PROGRAM).seed(5).session("s");
    let (waiting, continuation) = paused(process(&paid).run_stateless(run, &keys()).await);
    let id = waiting.execution_id.clone();
    let denied = Continue::all("ada", Verdict::Deny(Some("no".to_owned())));
    let outcome = process(&paid).resume_stateless(&continuation, &keys(), denied).await.expect("it continues");
    assert!(matches!(&outcome, Outcome::Failed(failed) if failed.error.code == Code::ApprovalDenied), "{outcome:?}");
    assert_eq!(outcome.execution_id(), &id);
}
