//! An approval is for what was shown: this tool, its definition at that time, and this input.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use isobox::journal::{Remember, Verdict};
use isobox::policy::{Approval, ApprovalRequest, Approver};
use isobox::store::Store;
use isobox::store::{Timing, memory_store};
use isobox::{Decisions, Isobox, Outcome, Paused, PendingKind, Program, Run, Tool, ToolError, json};
use isobox::{Resume, Resumed};
use tokio::sync::Notify;

const THEN: &str = "Sends a message.";
const NOW: &str = "Sends a message to everybody.";

/// Creates a runtime whose `mail.send` has this description.
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

/// Checks that an outcome is paused for these calls.
fn paused(outcome: Outcome, calls: &[&str]) -> Paused {
    let Outcome::Paused(paused) = outcome else { panic!("it did not pause: {outcome:?}") };
    assert_eq!(paused.pending.iter().map(|call| call.seq.to_string()).collect::<Vec<_>>(), calls);
    paused
}

async fn decide(isobox: &Isobox, paused: &Paused, verdict: Verdict, remember: Remember) -> Outcome {
    let decisions = Decisions::about_all("ada", paused.revision, verdict).remember(remember);
    isobox.decide(&paused.execution_id, decisions).await.expect("it waits");
    resume(isobox, paused).await
}

async fn resume(isobox: &Isobox, paused: &Paused) -> Outcome {
    match isobox.resume(&paused.execution_id, Resume::default()).await.expect("it goes on") {
        Resumed::Here(outcome) => *outcome,
        Resumed::Elsewhere => panic!("no other process runs it"),
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
    assert_eq!(why(&second), "the tool has changed since it was approved");
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

/// Creates a runtime whose `bank.pay` needs approval, and then an answer from outside.
fn bank(store: &Arc<dyn Store>, description: &str) -> Isobox {
    let pay = Tool::with_call("bank.pay", |call| async move {
        call.resolution.ok_or_else(|| ToolError::interrupt(json!("which account?")))
    });
    let pay = pay.expect("a tool").description(description).with_approval();
    Isobox::builder().store(Arc::clone(store)).tool(pay).max_live(NonZeroU32::MIN).build().expect("a runtime")
}

#[tokio::test]
async fn a_tool_that_changes_while_it_waits_for_something_is_asked_about_again() {
    let store = memory_store();
    let (then, now) = (bank(&store, THEN), bank(&store, NOW));
    let first = paused(then.run(durable("return await tools.bank.pay({})")).await, &["0"]);
    let second = paused(decide(&then, &first, Verdict::Approve, Remember::Nothing).await, &["0"]);
    let third = paused(decide(&now, &second, Verdict::Answer(json!(7)), Remember::Nothing).await, &["0"]);
    assert_eq!(why(&third), "the tool has changed since it was approved");
    let outcome = decide(&now, &third, Verdict::Approve, Remember::Nothing).await;
    assert_eq!(outcome.into_result().expect("it was approved as it is"), json!(7));
}

/// Creates a runtime whose `bank.pay` needs approval, may be called twice, and never returns if it is to hang.
fn mortal(store: &Arc<dyn Store>, description: &str, hangs: Option<Arc<Notify>>) -> Isobox {
    let pay = Tool::with_call("bank.pay", move |call| {
        let hangs = hangs.clone().filter(|_| call.input["hangs"] == json!(true));
        async move {
            if let Some(begun) = hangs {
                begun.notify_one();
                std::future::pending::<()>().await;
            }
            Ok(json!("paid"))
        }
    });
    let pay = pay.expect("a tool").description(description).idempotent(true).with_approval();
    // A process that dies here is known to be dead.
    let timing = Timing::default().doubt(Duration::ZERO);
    let builder = Isobox::builder().store(Arc::clone(store)).tool(pay).timing(timing).max_live(NonZeroU32::MIN);
    builder.build().expect("a runtime")
}

#[tokio::test]
async fn a_tool_that_changes_while_it_is_under_way_is_not_called_again_unasked() {
    let approved = "return await tools.bank.pay({ hangs: true })";
    let remembered = "await tools.bank.pay({ hangs: false }); return await tools.bank.pay({ hangs: true })";
    for (source, seq) in [(approved, "0"), (remembered, "1")] {
        let (store, begun) = (memory_store(), Arc::new(Notify::new()));
        let (then, now) = (mortal(&store, THEN, Some(Arc::clone(&begun))), mortal(&store, NOW, None));
        if seq == "1" {
            let other = paused(then.run(durable("await tools.bank.pay({ hangs: true })").session("s")).await, &["0"]);
            die(&then, &other, Remember::Session, &begun).await;
        }
        let first = paused(then.run(durable(source).session("s")).await, &["0"]);
        die(&then, &first, Remember::Nothing, &begun).await;
        let second = paused(resume(&now, &first).await, &[seq]);
        assert_eq!(second.pending[0].kind, PendingKind::InDoubt);
        let third = paused(decide(&now, &second, Verdict::DidNotHappen, Remember::Nothing).await, &[seq]);
        assert_eq!(why(&third), "the tool has changed since it was approved");
        let outcome = decide(&now, &third, Verdict::Approve, Remember::Nothing).await;
        assert_eq!(outcome.into_result().expect("it was approved as it is"), json!("paid"));
    }
}

/// Approves, and stops once the call has started, like a process that dies.
async fn die(isobox: &Isobox, paused: &Paused, remember: Remember, begun: &Notify) {
    let decisions = Decisions::about_all("ada", paused.revision, Verdict::Approve).remember(remember);
    isobox.decide(&paused.execution_id, decisions).await.expect("it waits");
    tokio::select! {
        outcome = isobox.resume(&paused.execution_id, Resume::default()) => panic!("it does not end: {outcome:?}"),
        () = begun.notified() => {}
    }
}

struct Yes;

impl Approver for Yes {
    fn decide(&self, _: ApprovalRequest) -> BoxFuture<'static, Approval> {
        Box::pin(std::future::ready(Approval::Approved))
    }
}

#[tokio::test]
async fn an_approver_is_asked_about_a_changed_tool_too() {
    let store = memory_store();
    let first = paused(runtime(&store, THEN).run(durable("return await tools.mail.send({ to: 'ada' })")).await, &["0"]);
    let send = Tool::new("mail.send", |input| async move { Ok(json!({ "sent": input["to"] })) });
    let send = send.expect("a tool").description(NOW).with_approval();
    let now =
        Isobox::builder().store(store).tool(send).approver(Yes).max_live(NonZeroU32::MIN).build().expect("a runtime");
    let outcome = decide(&now, &first, Verdict::Approve, Remember::Nothing).await;
    assert_eq!(outcome.into_result().expect("it was approved as it is"), json!({ "sent": "ada" }));
}
