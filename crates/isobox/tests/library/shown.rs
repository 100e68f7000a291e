//! An approval is for what was shown: for that tool, as it was defined then, with that input.

use std::num::NonZeroU32;
use std::sync::Arc;

use isobox::journal::{Remember, Verdict};
use isobox::store::Store;
use isobox::{CarriedOn, Decisions, Isobox, Outcome, Paused, Program, Run, Tool, ToolError, json, memory_store};

const THEN: &str = "Sends a message.";
const NOW: &str = "Sends a message to everybody.";

/// Its `mail.send` is what it is said to be.
fn runtime(store: &Arc<dyn Store>, description: &str) -> Isobox {
    let send = Tool::new("mail.send", |input| async move { Ok(json!({ "sent": input["to"] })) });
    let login = Tool::with_call("login", |call| async move {
        call.resolution.ok_or_else(|| ToolError::interrupt(json!("who are you?")))
    });
    let tools = [send.expect("a tool").description(description).with_approval(), login.expect("a tool")];
    Isobox::builder().store(Arc::clone(store)).tools(tools).max_live(NonZeroU32::MIN).build().expect("a runtime")
}

fn durable(source: &str) -> Run {
    Run::new(Program::single(source)).durable()
}

/// Paused for these calls.
fn paused(outcome: Outcome, calls: &[&str]) -> Paused {
    let Outcome::Paused(paused) = outcome else { panic!("it did not pause: {outcome:?}") };
    assert_eq!(paused.pending.iter().map(|call| call.seq.as_str()).collect::<Vec<_>>(), calls);
    paused
}

async fn decide(isobox: &Isobox, paused: &Paused, verdict: Verdict, remember: Remember) -> Outcome {
    let decisions = Decisions::about_all("ada", paused.revision, verdict).remember(remember);
    isobox.decide(&paused.execution_id, decisions).await.expect("it waits");
    carry_on(isobox, paused).await
}

async fn carry_on(isobox: &Isobox, paused: &Paused) -> Outcome {
    match isobox.carry_on(&paused.execution_id).await.expect("it goes on") {
        CarriedOn::Here(outcome) => *outcome,
        CarriedOn::Elsewhere => panic!("nobody else runs it"),
    }
}

fn why(paused: &Paused) -> &str {
    paused.pending[0].why.as_deref().expect("a reason")
}

#[tokio::test]
async fn a_tool_that_has_changed_is_asked_about_again() {
    let store = memory_store();
    let (then, now) = (runtime(&store, THEN), runtime(&store, NOW));
    let first = paused(then.run(durable("return await tools.mail.send({ to: 'ada' })")).await, &["0"]);
    let second = paused(decide(&now, &first, Verdict::Approve, Remember::Nothing).await, &["0"]);
    assert_eq!(why(&second), "the tool is no longer the one that was approved");
    let outcome = decide(&now, &second, Verdict::Approve, Remember::Nothing).await;
    assert_eq!(outcome.into_result().expect("it was approved as it is"), json!({ "sent": "ada" }));
}

#[tokio::test]
async fn what_is_remembered_is_about_the_tool_as_it_was() {
    for remember in [Remember::Execution, Remember::Session] {
        let store = memory_store();
        let then = runtime(&store, THEN);
        let source = "await tools.mail.send({ to: 'ada' }); await tools.mail.send({ to: 'ada' });
                      await tools.login({}); return await tools.mail.send({ to: 'ada' })";
        let first = paused(then.run(durable(source).session("s")).await, &["0"]);
        let second = paused(decide(&then, &first, Verdict::Approve, remember).await, &["2"]);
        let now = runtime(&store, NOW);
        let third = paused(decide(&now, &second, Verdict::Answer(json!("ada")), Remember::Nothing).await, &["3"]);
        let outcome = decide(&now, &third, Verdict::Approve, Remember::Nothing).await;
        assert_eq!(outcome.into_result().expect("it was approved as it is"), json!({ "sent": "ada" }));
        let source = "return await tools.mail.send({ to: 'ada' })";
        paused(now.run(durable(source).session("s")).await, &["0"]);
        let outcome = then.run(durable(source).session("s")).await;
        match remember {
            Remember::Session => assert_eq!(outcome.into_result().expect("as it was"), json!({ "sent": "ada" })),
            Remember::Execution | Remember::Nothing => drop(paused(outcome, &["0"])),
        }
    }
}
