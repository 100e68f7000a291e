//! Transcripts: executions are exported, replayed without tools elsewhere, and forked.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use isobox::journal::{Entry, Verdict};
use isobox::policy::{Action, Policy, Right, Rule};
use isobox::store::{Store, memory_store};
use isobox::transcript::{Fork, ForkAnswer, ReplayEnd, ReplayUntil, Replayed, Secrets, Transcript};
use isobox::{
    CallSeq, Checks, Code, Decisions, ExecutionId, Isobox, Outcome, Principal, Program, Resume, Resumed, Run, Tool,
    ToolError, Value, json,
};

/// Counts the effects of tools.
#[derive(Clone, Default)]
struct Effects(Arc<AtomicU32>);

impl Effects {
    fn count(&self) -> u32 {
        self.0.load(Ordering::SeqCst)
    }
}

fn runtime(store: &Arc<dyn Store>, effects: &Effects) -> Isobox {
    runtime_with(store, effects, Vec::new())
}

fn runtime_with(store: &Arc<dyn Store>, effects: &Effects, rules: Vec<Rule>) -> Isobox {
    let effect = |path: &str| {
        let effects = effects.clone();
        Tool::new(path, move |input: Value| {
            let number = effects.0.fetch_add(1, Ordering::SeqCst);
            async move {
                match input["fail"].as_bool() {
                    Some(true) => Err(ToolError::new("the tool says no")),
                    _ => Ok(json!({ "number": number, "got": input })),
                }
            }
        })
        .expect("a tool")
    };
    Isobox::builder()
        .store(Arc::clone(store))
        .policy(Policy::new(rules))
        .tool(effect("shop.price"))
        .tool(effect("shop.order").with_approval())
        .build()
        .expect("a runtime")
}

/// A runtime without tools and with an empty store.
fn elsewhere() -> Isobox {
    Isobox::builder().store(memory_store()).build().expect("a runtime")
}

fn durable(source: &str) -> Run {
    Run::new(Program::single(source)).durable().principal("ada")
}

async fn exported(isobox: &Isobox, outcome: &Outcome) -> Transcript {
    let transcript = isobox.export(outcome.execution_id(), Secrets::Hidden).await.expect("it is exported");
    Transcript::read(transcript.to_json().expect("JSON").as_bytes()).expect("it is read")
}

async fn replayed(transcript: &Transcript) -> Replayed {
    elsewhere().replay(transcript, ReplayUntil::End).await.unwrap_or_else(|failure| panic!("{failure}"))
}

fn here(resumed: Resumed) -> Outcome {
    resumed.into_outcome().expect("it runs here")
}

const TWO: &str = "console.log('begins', Math.random() < 2, new Date().getFullYear() > 2000);
const first = await tools.shop.price({ of: 'tea' });
const second = await tools.shop.price({ of: 'milk', after: first.number });
console.log('ends');
return [first.number, second.number];";

#[tokio::test]
async fn a_transcript_replays_elsewhere_without_tools_to_the_same_outcome() {
    let (store, effects) = (memory_store(), Effects::default());
    let isobox = runtime(&store, &effects);
    let outcome = isobox.run(durable(TWO)).await;
    let transcript = exported(&isobox, &outcome).await;
    let Replayed { end, calls, logs, open, is_other_image, .. } = replayed(&transcript).await;
    assert_eq!((end, calls.len(), open.len(), is_other_image), (ReplayEnd::Same, 2, 0, false));
    assert_eq!(logs, outcome.logs());
    assert_eq!(effects.count(), 2);
    assert_eq!(transcript.outcome().expect("it is over").into_result(), outcome.into_result());
}

#[tokio::test]
async fn every_end_of_a_program_is_replayed() {
    let (store, effects) = (memory_store(), Effects::default());
    let isobox = runtime(&store, &effects);
    for (source, end) in [
        ("return 1", ReplayEnd::Same),
        ("throw new TypeError('no')", ReplayEnd::Same),
        ("await tools.shop.price({ fail: true })", ReplayEnd::Same),
        ("try { await tools.shop.price({ fail: true }) } catch (error) { return error.message }", ReplayEnd::Same),
        ("await tools.nothing.there({})", ReplayEnd::Same),
        ("tools.shop.price({}); return 1", ReplayEnd::Same),
        ("const f = () => f(); f()", ReplayEnd::Same),
        ("return 'x'.repeat(2_000_000)", ReplayEnd::Same),
        ("await new Promise(() => {})", ReplayEnd::EndedFromOutside),
        ("await new Promise((done) => setTimeout(done, 5)); return Date.now()", ReplayEnd::Same),
        (
            "return await Promise.race([tools.shop.price({}), new Promise((done) => setTimeout(done, 60_000))])",
            ReplayEnd::Same,
        ),
        ("await tools.shop.order({})", ReplayEnd::NotOver),
    ] {
        let outcome = isobox.run(durable(source).checks(Checks::Off)).await;
        let transcript = exported(&isobox, &outcome).await;
        assert_eq!(replayed(&transcript).await.end, end, "{source}: {outcome:?}");
    }
}

#[tokio::test]
async fn a_decided_execution_replays_and_its_answers_are_hidden() {
    let store = memory_store();
    let ask = Tool::with_call("ask", |call| async move {
        match call.resolution {
            Some(answer) => Ok(json!(answer["text"].as_str().unwrap_or_default().len())),
            None => Err(ToolError::interrupt(json!({ "question": "who?" }))),
        }
    });
    let isobox = Isobox::builder().store(Arc::clone(&store)).tool(ask.expect("a tool")).build().expect("a runtime");
    let outcome = isobox.run(durable("return await tools.ask({})")).await;
    let id = outcome.execution_id().clone();
    let answer = json!({ "text": "hunter22" });
    isobox.decide(&id, Decisions::new("ada", [(CallSeq::new(0), Verdict::Answer(answer))])).await.expect("decided");
    let outcome = here(isobox.resume(&id, Resume::default()).await.expect("it goes on"));
    let transcript = exported(&isobox, &outcome).await;
    assert!(!transcript.to_json().expect("JSON").contains("hunter22"));
    assert_eq!(replayed(&transcript).await.end, ReplayEnd::Same);
    assert_eq!(outcome.into_result(), Ok(json!(8)));
}

#[tokio::test]
async fn a_replay_stops_before_a_call_and_shows_what_comes_next() {
    let (store, effects) = (memory_store(), Effects::default());
    let isobox = runtime(&store, &effects);
    let outcome = isobox.run(durable(TWO)).await;
    let transcript = exported(&isobox, &outcome).await;
    let until = ReplayUntil::Before(CallSeq::new(1));
    let Replayed { end, calls, logs, open, .. } = elsewhere().replay(&transcript, until).await.expect("it replays");
    assert_eq!(end, ReplayEnd::Before(CallSeq::new(1)));
    assert_eq!(logs.len(), 1, "the second line comes later");
    assert_eq!(calls.iter().map(|call| call.state.as_str()).collect::<Vec<_>>(), ["applied", "issued"]);
    let about = serde_json::to_value(&open[0].what).expect("JSON");
    assert_eq!(about, json!({ "tool": { "path": "shop.price", "input": { "of": "milk", "after": 0 } } }));
    assert_eq!(open[0].at.as_ref().map(|at| at.line), Some(3));
    let never = elsewhere().replay(&transcript, ReplayUntil::Before(CallSeq::new(9))).await.expect_err("there is none");
    assert_eq!(never.code, Code::NotFound);
}

type Change = Box<dyn FnOnce(&mut Value)>;

/// Returns the transcript with a change of its JSON.
fn changed(transcript: &Transcript, change: impl FnOnce(&mut Value)) -> Transcript {
    let mut document = serde_json::from_str(&transcript.to_json().expect("JSON")).expect("JSON");
    change(&mut document);
    Transcript::read(document.to_string().as_bytes()).expect("it is consistent")
}

#[tokio::test]
async fn a_transcript_that_was_changed_diverges_with_the_place() {
    let (store, effects) = (memory_store(), Effects::default());
    let isobox = runtime(&store, &effects);
    let outcome = isobox.run(durable(TWO)).await;
    let transcript = exported(&isobox, &outcome).await;
    let step = |document: &Value, number: usize| {
        let entries = document["entries"].as_array().expect("entries");
        let steps = entries.iter().enumerate().filter(|(_, entry)| entry.get("step").is_some());
        steps.map(|(place, _)| place).nth(number).expect("a step")
    };
    let code = |document: &mut Value, code: &str| {
        document["beginning"]["prepared"]["files"][0]["code"] = json!(code);
    };
    let changes: Vec<(&str, Change)> = vec![
        (
            "instead of call 1",
            Box::new(move |document| {
                let place = step(document, 1);
                document["entries"][place]["step"]["calls"][0]["what"]["tool"]["input"]["of"] = json!("beer");
            }),
        ),
        (
            "it logged",
            Box::new(move |document| {
                let place = step(document, 0);
                document["entries"][place]["step"]["logs"][0]["message"] = json!("something else");
            }),
        ),
        (
            "it returned [0,1] instead of 7",
            Box::new(|document| {
                let last = document["entries"].as_array().expect("entries").len() - 1;
                document["entries"][last]["ended"]["how"]["completed"] = json!(7);
            }),
        ),
        ("does not match", Box::new(move |document| code(document, "async () => 1"))),
    ];
    for (message, change) in changes {
        let failure =
            elsewhere().replay(&changed(&transcript, change), ReplayUntil::End).await.expect_err("it differs");
        assert!(failure.code == Code::Diverged && failure.message.contains(message), "{failure}");
    }
    // On another image it is a best effort, and the hint of a divergence says so.
    let other = changed(&transcript, |document| document["beginning"]["image"] = json!("another"));
    assert!(replayed(&other).await.is_other_image);
    let other = changed(&other, |document| {
        let last = document["entries"].as_array().expect("entries").len() - 1;
        document["entries"][last]["ended"]["how"]["completed"] = json!(7);
    });
    let failure = elsewhere().replay(&other, ReplayUntil::End).await.expect_err("it differs");
    assert!(failure.hint.expect("a hint").contains("another version"));
}

#[tokio::test]
async fn a_transcript_cannot_raise_the_limits_of_the_runtime_that_replays_it() {
    let (store, effects) = (memory_store(), Effects::default());
    let isobox = runtime(&store, &effects);
    let outcome = isobox.run(durable("return new Array(3_000_000).fill('ab').map((text, i) => text + i).length")).await;
    let transcript = exported(&isobox, &outcome).await;
    let raised = changed(&transcript, |document| {
        document["beginning"]["limits"]["memory"] = json!(4_u64 << 30);
    });
    let failure = elsewhere().replay(&raised, ReplayUntil::End).await.map(|replayed| replayed.end);
    assert_eq!(failure.ok(), Some(ReplayEnd::Same), "it failed within 64 MiB then and now: {outcome:?}");
}

#[tokio::test]
async fn a_redacted_transcript_can_be_read_and_not_replayed() {
    let (store, effects) = (memory_store(), Effects::default());
    let rule = Rule::new(vec!["shop.*".parse().expect("a pattern")], Action::Redact(vec!["/card".to_owned()]));
    let isobox = runtime_with(&store, &effects, vec![rule]);
    let outcome = isobox.run(durable("const card = '4711-0815'; return await tools.shop.price({ card })")).await;
    let transcript = exported(&isobox, &outcome).await;
    assert!(transcript.is_redacted && !transcript.to_json().expect("JSON").contains("4711-0815"));
    let failure = elsewhere().replay(&transcript, ReplayUntil::End).await.expect_err("it has no program");
    assert_eq!(failure.code, Code::Config);
    let failure = isobox.fork(&transcript, Fork::before(CallSeq::new(0)), Resume::default()).await;
    assert_eq!(failure.expect_err("it has no program").code, Code::Config);
    let whole = isobox.export(outcome.execution_id(), Secrets::Included).await.expect("it is exported");
    assert!(whole.to_json().expect("JSON").contains("4711-0815"));
    assert_eq!(replayed(&whole).await.end, ReplayEnd::Same);
}

#[tokio::test]
async fn a_redacted_transcript_has_neither_redacted_input_of_a_snippet_nor_its_code() {
    let (store, effects) = (memory_store(), Effects::default());
    let rule = |action| Rule::new(vec!["codemode.run".parse().expect("a pattern")], action);
    let redact = Action::Redact(vec!["/input/pin".to_owned()]);
    let rules = vec![rule(redact), rule(Action::RequireApproval { except_read_only: false })];
    let isobox = runtime_with(&store, &effects, rules);
    let code = Program::single("const salt = 'of the snippet'; return salt.length + input.pin.length");
    let snippet = isobox::snippets::NewSnippet::new("hashed", code);
    isobox.snippets().expect("a store").put(snippet, Principal::host()).await.expect("it is saved");
    // Too short to be searched for in other values.
    let outcome = isobox.run(durable("return await codemode.run('hashed', { pin: 'q7z' })")).await;
    let Outcome::Paused(paused) = &outcome else { panic!("it needs approval: {outcome:?}") };
    assert_eq!(paused.pending[0].input["input"], json!({ "pin": "[redacted]" }));
    let approve = Decisions::about_all("bob", paused.revision, Verdict::Approve);
    isobox.decide(&paused.execution_id, approve).await.expect("decided");
    let done = here(isobox.resume(&paused.execution_id, Resume::default()).await.expect("it goes on"));
    assert_eq!(done.into_result(), Ok(json!(17)));
    let hidden = exported(&isobox, &outcome).await.to_json().expect("JSON");
    assert!(!hidden.contains("q7z") && !hidden.contains("of the snippet"), "{hidden}");
}

#[tokio::test]
async fn a_result_that_is_not_recorded_ends_the_replay() {
    let store = memory_store();
    let tool = Tool::new("secret.read", |_| async { Ok(json!("hunter22")) }).expect("a tool").ephemeral();
    let isobox = Isobox::builder().store(Arc::clone(&store)).tool(tool).build().expect("a runtime");
    let outcome = isobox.run(durable("return (await tools.secret.read({})).length")).await;
    let transcript = exported(&isobox, &outcome).await;
    assert!(!transcript.to_json().expect("JSON").contains("hunter22"));
    let failure = elsewhere().replay(&transcript, ReplayUntil::End).await.expect_err("a value is missing");
    assert!(failure.code == Code::Diverged && failure.message.contains("is not recorded"), "{failure}");
}

#[tokio::test]
async fn a_fork_goes_on_with_another_answer_and_repeats_nothing() {
    let (store, effects) = (memory_store(), Effects::default());
    let isobox = runtime(&store, &effects);
    let outcome = isobox.run(durable(TWO)).await;
    let transcript = isobox.export(outcome.execution_id(), Secrets::Included).await.expect("it is exported");
    let before = |number: u32| Fork::before(CallSeq::new(number)).principal("bob");
    let fork = |options: Fork| isobox.fork(&transcript, options, Resume::default());
    let answered = before(1).answer(ForkAnswer::Result(json!({ "number": 99 })));
    let forked = here(fork(answered).await.expect("it forks"));
    assert_ne!(forked.execution_id(), outcome.execution_id());
    assert_eq!(effects.count(), 2, "nothing is made again");
    assert_eq!(forked.logs(), outcome.logs());
    let inspected = isobox.inspect(forked.execution_id()).await.expect("it is stored");
    let from = inspected.beginning.forked_from.as_ref().expect("it is a fork");
    assert_eq!((&from.execution, from.before), (outcome.execution_id(), CallSeq::new(1)));
    assert_eq!(inspected.beginning.owner.as_deref(), Some("bob"));
    assert_eq!(forked.into_result(), Ok(json!([0, 99])));
    let failing = before(1).answer(ForkAnswer::Failed("out of stock".to_owned()));
    let failed = here(fork(failing).await.expect("it forks")).into_result().expect_err("it is not caught");
    assert_eq!((failed.code, failed.message.as_str()), (Code::Tool, "out of stock"));
    // Without an answer the call is made.
    assert_eq!(here(fork(before(1)).await.expect("it forks")).into_result(), Ok(json!([0, 2])));
    assert_eq!(effects.count(), 3);
    // The original is as it was, and the fork can be exported and replayed like any execution.
    assert_eq!(
        isobox.inspect(outcome.execution_id()).await.expect("it is stored").entries.len(),
        transcript.entries.len()
    );
}

#[tokio::test]
async fn a_rollback_of_a_fork_leaves_what_the_original_did() {
    let undone: Arc<std::sync::Mutex<Vec<Value>>> = Arc::default();
    let told = Arc::clone(&undone);
    let tool = Tool::new("mail.send", |input: Value| async move { Ok(input["to"].clone()) }).expect("a tool");
    let tool = tool.revert(move |reverting: isobox::rollback::Reverting| {
        told.lock().expect("no holder of the lock panics").push(reverting.input["to"].clone());
        async { Ok(json!(null)) }
    });
    let isobox = Isobox::builder().store(memory_store()).tool(tool).build().expect("a runtime");
    let source = "const sent = [];
        for (const to of ['a', 'b', 'c']) sent.push(await tools.mail.send({ to }));
        return sent;";
    let outcome = isobox.run(durable(source)).await;
    let transcript = exported(&isobox, &outcome).await;
    let fork = Fork::before(CallSeq::new(1)).principal("bob");
    let forked = here(isobox.fork(&transcript, fork, Resume::default()).await.expect("it forks"));
    let Outcome::RolledBack(rolled_back) = isobox
        .rollback(forked.execution_id(), "ada", isobox::rollback::Rollback::default())
        .await
        .expect("it is rolled back")
    else {
        panic!("it is rolled back")
    };
    assert_eq!(*undone.lock().expect("no holder of the lock panics"), [json!("c"), json!("b")]);
    let left: Vec<(CallSeq, &str)> = rolled_back.left.iter().map(|one| (one.seq, one.reason.as_str())).collect();
    assert_eq!(left, [(CallSeq::new(0), "it was made before the fork, by another execution")]);
}

#[tokio::test]
async fn a_fork_may_have_another_end_of_the_program_and_nothing_runs_if_its_beginning_differs() {
    let (store, effects) = (memory_store(), Effects::default());
    let isobox = runtime(&store, &effects);
    let outcome = isobox.run(durable(TWO)).await;
    let transcript = exported(&isobox, &outcome).await;
    let fork = |source: &str| {
        let options = Fork::before(CallSeq::new(1)).program(Program::single(source)).principal("bob");
        isobox.fork(&transcript, options, Resume::default())
    };
    let other = "console.log('another');
        const first = await tools.shop.price({ of: 'tea' });
        const second = await tools.shop.price({ of: 'milk', after: first.number });
        return { total: first.number + second.number };";
    let forked = here(fork(other).await.expect("it forks"));
    assert_eq!(forked.logs().iter().map(|log| log.message.as_str()).collect::<Vec<_>>(), ["another"]);
    assert_eq!(forked.into_result(), Ok(json!({ "total": 2 })));
    let count = async || isobox.executions(isobox::store::Filter::newest(100)).await.expect("a list").executions.len();
    let (made, stored) = (effects.count(), count().await);
    for other in ["return 1", "await tools.shop.price({ of: 'coffee' })", "await tools.shop.order({ of: 'tea' })"] {
        assert_eq!(fork(other).await.expect_err("it differs").code, Code::Diverged, "{other}");
    }
    assert_eq!(fork("return (").await.expect_err("it does not parse").code, Code::Syntax);
    assert_eq!((effects.count(), count().await), (made, stored), "nothing ran, and nothing is stored");
}

#[tokio::test]
async fn neither_a_call_beside_the_one_of_the_fork_nor_an_earlier_one_is_made_again() {
    let (store, effects) = (memory_store(), Effects::default());
    let isobox = runtime(&store, &effects);
    let source = "const all = await Promise.all(['a', 'b', 'c'].map((of) => tools.shop.price({ of })));
        return all.map((one) => one.number);";
    let outcome = isobox.run(durable(source)).await;
    let transcript = exported(&isobox, &outcome).await;
    let options = Fork::before(CallSeq::new(1)).answer(ForkAnswer::Result(json!({ "number": 10 }))).principal("bob");
    let forked = here(isobox.fork(&transcript, options, Resume::default()).await.expect("it forks"));
    assert_eq!(forked.into_result(), Ok(json!([0, 10, 3])), "the third comes after the fork, and is made");
    assert_eq!(effects.count(), 4);
}

#[tokio::test]
async fn approvals_of_the_original_do_not_count_for_its_fork() {
    let (store, effects) = (memory_store(), Effects::default());
    let isobox = runtime(&store, &effects);
    let outcome = isobox.run(durable("return (await tools.shop.order({ of: 'tea' })).number")).await;
    let id = outcome.execution_id().clone();
    let approve =
        Decisions::new("ada", [(CallSeq::new(0), Verdict::Approve)]).remember(isobox::journal::Remember::Execution);
    isobox.decide(&id, approve).await.expect("decided");
    assert_eq!(here(isobox.resume(&id, Resume::default()).await.expect("it goes on")).into_result(), Ok(json!(0)));
    let transcript = isobox.export(&id, Secrets::Included).await.expect("it is exported");
    assert!(transcript.entries.iter().any(|entry| matches!(entry, Entry::Decided(_))));
    let forked =
        here(isobox.fork(&transcript, Fork::before(CallSeq::new(0)), Resume::default()).await.expect("it forks"));
    assert!(matches!(forked, Outcome::Paused(_)), "{forked:?}");
    assert_eq!(effects.count(), 1);
}

#[tokio::test]
async fn a_fork_needs_the_right_to_run_a_call_that_can_be_answered_and_an_answer_that_fits() {
    let (store, effects) = (memory_store(), Effects::default());
    let isobox = runtime(&store, &effects);
    let outcome = isobox
        .run(durable("await new Promise((done) => setTimeout(done, 1)); await tools.shop.price({}); return 1"))
        .await;
    let transcript = exported(&isobox, &outcome).await;
    let fork = |options: Fork| isobox.fork(&transcript, options, Resume::default());
    let code = async |options: Fork| fork(options).await.map(here).map_err(|failure| failure.code);
    let eve = Principal::named("eve").with_rights(Right::Decide);
    assert_eq!(code(Fork::before(CallSeq::new(1)).principal(eve)).await, Err(Code::Forbidden));
    assert_eq!(code(Fork::before(CallSeq::new(7))).await, Err(Code::NotFound));
    let answer = |number: u32, value: Value| Fork::before(CallSeq::new(number)).answer(ForkAnswer::Result(value));
    assert_eq!(code(answer(0, json!(1))).await, Err(Code::Conflict), "it is a timer");
    assert_eq!(code(answer(1, json!("x".repeat(5 << 20)))).await, Err(Code::OutputTooLarge));
    let deep = (0..150).fold(json!(1), |value, _| json!([value]));
    assert_eq!(code(answer(1, deep)).await, Err(Code::Serialization));
    let without = Isobox::builder().build().expect("a runtime");
    let failure = without.fork(&transcript, Fork::before(CallSeq::new(1)), Resume::default()).await;
    assert_eq!(failure.expect_err("it has no store").code, Code::Config);
    let missing = isobox.export(&ExecutionId::new(1, 1), Secrets::Hidden).await;
    assert_eq!(missing.expect_err("there is none").code, Code::NotFound);
}
