//! Resuming under changed conditions: without a tool, with other names, with a tool that does not answer.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use isobox::journal::Verdict;
use isobox::store::Store;
use isobox::store::memory_store;
use isobox::{
    CallSeq, Code, Decisions, Isobox, LoweredLimits, Outcome, Paused, Program, Run, Tool, ToolError, Value, json,
};
use isobox::{Resume, Resumed};
use isobox_core::store::{Change, Claim, Node, Release};

fn runtime(store: &Arc<dyn Store>, tools: impl IntoIterator<Item = Tool>) -> Isobox {
    let builder = Isobox::builder().store(Arc::clone(store)).max_live(NonZeroU32::MIN).namespaces_as_globals();
    builder.tools(tools).build().expect("a runtime")
}

fn send() -> Tool {
    Tool::new("mail.send", |input| async move { Ok(input) }).expect("a tool").with_approval()
}

fn login() -> Tool {
    let login = Tool::with_call("login", |call| async move {
        call.resolution.ok_or_else(|| ToolError::interrupt(json!("who are you?")))
    });
    login.expect("a tool")
}

fn now() -> Tool {
    Tool::new("now", |_| async { Ok(json!(1)) }).expect("a tool").ephemeral()
}

async fn paused(isobox: &Isobox, source: &str) -> Paused {
    let limits = LoweredLimits::default().timeout(Duration::from_secs(1));
    match isobox.run(Run::new(Program::single(source)).durable().limits(limits)).await {
        Outcome::Paused(paused) => paused,
        other => panic!("it did not pause: {other:?}"),
    }
}

async fn say(isobox: &Isobox, paused: &Paused, verdict: Verdict) -> Result<Value, isobox::Failure> {
    isobox.decide(&paused.execution_id, Decisions::about_all("ada", paused.revision, verdict)).await?;
    resume(isobox, paused).await
}

async fn resume(isobox: &Isobox, paused: &Paused) -> Result<Value, isobox::Failure> {
    match isobox.resume(&paused.execution_id, Resume::default()).await? {
        Resumed::Here(outcome) => outcome.into_result(),
        Resumed::Elsewhere => panic!("no other process runs it"),
    }
}

#[tokio::test]
async fn a_decision_waits_for_a_process_that_has_the_tool() {
    let store = memory_store();
    let (with, without) = (runtime(&store, [send(), login()]), runtime(&store, []));
    for (source, verdict) in [
        ("return await tools.mail.send(1)", Verdict::Approve),
        ("return await tools.login()", Verdict::Answer(json!(1))),
    ] {
        let waiting = paused(&with, source).await;
        let before = with.inspect(&waiting.execution_id).await.expect("it is kept").entries.len();
        let failure = say(&without, &waiting, verdict).await.expect_err("it cannot be carried out");
        assert_eq!(failure.code, Code::UnknownTool);
        assert!(failure.message.starts_with("the decision about call 0 needs the tool"), "{failure}");
        assert_eq!(with.inspect(&waiting.execution_id).await.expect("it is kept").entries.len(), before);
        assert_eq!(resume(&with, &waiting).await.expect("it was decided"), json!(1));
    }
    let waiting = paused(&with, "try { await tools.mail.send(1) } catch (error) { return error.code }").await;
    let denied = say(&without, &waiting, Verdict::Deny(None)).await;
    assert_eq!(denied.expect("that needs no tool"), json!("APPROVAL_DENIED"));
}

#[tokio::test]
async fn a_program_keeps_the_names_that_it_began_with() {
    let store = memory_store();
    let other = || Tool::new("other.tool", |input| async move { Ok(input) }).expect("a tool");
    let (first, second) = (runtime(&store, [send(), now()]), runtime(&store, [send(), now(), other()]));
    // A program that has received a value that must not be stored is restored by a replay.
    let source = "await tools.now(); const names = [typeof mail, typeof other]; await tools.mail.send(1); return [...names, typeof mail, typeof other]";
    let waiting = paused(&first, source).await;
    let names = say(&second, &waiting, Verdict::Approve).await.expect("it goes on");
    assert_eq!(names, json!(["function", "undefined", "function", "undefined"]));
}

#[tokio::test]
async fn a_value_that_is_not_stored_is_not_waited_for_without_end() {
    let store = memory_store();
    let never = || Tool::new("now", |_| std::future::pending()).expect("a tool").ephemeral();
    let (first, second) = (runtime(&store, [send(), now()]), runtime(&store, [send(), never()]));
    let waiting = paused(&first, "const at = await tools.now(); await tools.mail.send(1); return at").await;
    let decision = Decisions::new("ada", [(CallSeq::new(1), Verdict::Approve)]);
    second.decide(&waiting.execution_id, decision).await.expect("it waits");
    let failure = resume(&second, &waiting).await.expect_err("it is given up");
    assert_eq!(failure.code, Code::Timeout, "{failure}");
    assert_eq!(resume(&first, &waiting).await.expect("it is as it was"), json!(1));
}

#[tokio::test]
async fn a_decision_is_carried_out_although_the_holder_releases_the_execution_without_reading_it() {
    let store = memory_store();
    let isobox = runtime(&store, [send()]);
    let waiting = paused(&isobox, "return await tools.mail.send(1)").await;
    let holder = Node("a process that finds no capacity".into());
    store.keep_alive(&holder, Duration::from_secs(60)).await.expect("it is alive");
    let lease = store.acquire(&waiting.execution_id, &holder, Claim::Unfinished).await.expect("the lease is free");
    let release = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        store.write(Arc::new(Change::release(lease.clone(), Release::Anyhow))).await.expect("it was held");
    };
    let (result, ()) = tokio::join!(say(&isobox, &waiting, Verdict::Approve), release);
    assert_eq!(result.expect("it was approved"), json!(1));
}
