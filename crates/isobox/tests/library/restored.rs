//! Stores that were restored from a backup: nothing that the original may have done since is done again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use isobox::journal::Verdict;
use isobox::policy::Right;
use isobox::store::{Store, memory_store};
use isobox::{
    CallSeq, Code, Decisions, ExecutionId, Failure, Isobox, Outcome, Paused, PendingKind, Principal, Program, Resume,
    Resumed, Run, Tool, json,
};

fn runtime(store: &Arc<dyn Store>, effects: &Arc<AtomicU32>) -> Isobox {
    let effects = Arc::clone(effects);
    let send = Tool::new("mail.send", move |_| {
        let number = effects.fetch_add(1, Ordering::SeqCst);
        async move { Ok(json!(number)) }
    });
    Isobox::builder().store(Arc::clone(store)).tool(send.expect("a tool").with_approval()).build().expect("a runtime")
}

async fn pause(isobox: &Isobox, source: &str) -> ExecutionId {
    match isobox.run(Run::new(Program::single(source)).durable()).await {
        Outcome::Paused(paused) => paused.execution_id,
        other => panic!("it did not pause: {other:?}"),
    }
}

fn decide(seq: u32, verdict: Verdict) -> Decisions {
    Decisions::new("ada", [(CallSeq::new(seq), verdict)])
}

async fn resume(isobox: &Isobox, id: &ExecutionId, options: Resume) -> Result<Outcome, Failure> {
    isobox.resume(id, options).await.map(|resumed| match resumed {
        Resumed::Here(outcome) => *outcome,
        Resumed::Elsewhere => panic!("no other process runs it"),
    })
}

fn paused(outcome: Result<Outcome, Failure>) -> Paused {
    match outcome.expect("it goes on") {
        Outcome::Paused(paused) => paused,
        other => panic!("it did not pause: {other:?}"),
    }
}

const SEND: &str = "return await tools.mail.send({ to: 'ada' })";

#[tokio::test]
async fn nothing_of_a_restored_store_is_resumed_before_a_person_releases_it() {
    let (store, effects) = (memory_store(), Arc::new(AtomicU32::new(0)));
    let isobox = runtime(&store, &effects);
    // One is paused, one is decided and not resumed, and one has completed.
    let (waiting, decided) = (pause(&isobox, SEND).await, pause(&isobox, SEND).await);
    isobox.decide(&decided, decide(0, Verdict::Approve)).await.expect("decided");
    isobox.run(Run::new(Program::single("return 1")).durable()).await;
    let marked = isobox.mark_restored("ada").await.expect("it is marked");
    assert_eq!((marked.held.len(), marked.running.len(), marked.unreadable.len()), (2, 0, 0));
    let again = isobox.mark_restored("ada").await.expect("it is marked");
    assert_eq!((again.held.len(), again.held_before.len()), (0, 2), "marking twice changes nothing");
    for id in [&waiting, &decided] {
        let refused = resume(&isobox, id, Resume::default()).await.expect_err("it is held");
        assert!(refused.code == Code::Conflict && refused.message.contains("restored from a backup"), "{refused}");
        let shown = isobox.pending(id).await.expect("it is paused");
        assert_eq!((shown.restored, shown.pending.len(), shown.pending[0].kind), (true, 1, PendingKind::InDoubt));
        // A model or a retry that asks gets the pause.
        let asked = resume(&isobox, id, Resume::default().only_if_decided()).await;
        assert!(paused(asked).restored);
    }
    assert_eq!(effects.load(Ordering::SeqCst), 0, "the recorded approval no longer counts");
    let eve = Principal::named("eve").with_rights(Right::Decide);
    let refused = resume(&isobox, &waiting, Resume::default().restored(eve)).await.expect_err("she may not");
    assert_eq!(refused.code, Code::Forbidden);
    // Released, the call is still in doubt.
    let released = paused(resume(&isobox, &waiting, Resume::default().restored("root")).await);
    assert_eq!((released.restored, released.pending[0].kind), (false, PendingKind::InDoubt));
    isobox.decide(&waiting, decide(0, Verdict::Happened(json!(41)))).await.expect("decided");
    let outcome = resume(&isobox, &waiting, Resume::default()).await.expect("it goes on");
    assert_eq!(outcome.into_result(), Ok(json!(41)));
    assert_eq!(effects.load(Ordering::SeqCst), 0);
    // A call that was never approved needs approval even if it did not happen.
    paused(resume(&isobox, &decided, Resume::default().restored("root")).await);
    isobox.decide(&decided, decide(0, Verdict::DidNotHappen)).await.expect("decided");
    let asked = paused(resume(&isobox, &decided, Resume::default()).await);
    assert_eq!(asked.pending[0].kind, PendingKind::Approval, "the approval was in the inbox, not in the journal");
    isobox.decide(&decided, decide(0, Verdict::Approve)).await.expect("decided");
    let outcome = resume(&isobox, &decided, Resume::default()).await.expect("it goes on");
    assert_eq!((outcome.into_result(), effects.load(Ordering::SeqCst)), (Ok(json!(0)), 1));
}

#[tokio::test]
async fn a_held_execution_can_be_decided_about_and_ended_before_it_is_released() {
    let (store, effects) = (memory_store(), Arc::new(AtomicU32::new(0)));
    let isobox = runtime(&store, &effects);
    let (first, second) = (pause(&isobox, SEND).await, pause(&isobox, SEND).await);
    isobox.mark_restored("ada").await.expect("it is marked");
    isobox.decide(&first, decide(0, Verdict::Happened(json!(7)))).await.expect("decided");
    assert_eq!(resume(&isobox, &first, Resume::default()).await.expect_err("it is held").code, Code::Conflict);
    let outcome = resume(&isobox, &first, Resume::default().restored("root")).await.expect("it is released");
    assert_eq!(outcome.into_result(), Ok(json!(7)));
    isobox.reject(&second, "ada", Some("it was sent")).await.expect("rejected");
    let outcome = resume(&isobox, &second, Resume::default()).await.expect("it ends");
    assert_eq!(outcome.into_result().expect_err("it is rejected").code, Code::Rejected);
    assert_eq!(effects.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn an_execution_without_open_calls_is_held_as_well() {
    let (store, effects) = (memory_store(), Arc::new(AtomicU32::new(0)));
    let isobox = runtime(&store, &effects);
    let source = "await new Promise((done) => setTimeout(done, 60_000)); return await tools.mail.send({})";
    let id = ExecutionId::new(1, 1);
    let run = Run::new(Program::single(source)).durable().id(id.clone());
    // The process dies while the timer runs.
    let running = tokio::time::timeout(std::time::Duration::from_millis(300), isobox.run(run)).await;
    assert!(running.is_err(), "it sleeps");
    let marked = isobox.mark_restored("ada").await.expect("it is marked");
    assert_eq!((marked.held.len(), &marked.held[0]), (1, &id));
    assert_eq!(resume(&isobox, &id, Resume::default()).await.expect_err("it is held").code, Code::Conflict);
}

#[tokio::test]
async fn marking_needs_the_right_to_administer_and_leaves_running_executions_to_their_process() {
    let (store, effects) = (memory_store(), Arc::new(AtomicU32::new(0)));
    let isobox = runtime(&store, &effects);
    let eve = Principal::named("eve").with_rights(Right::Run);
    assert_eq!(isobox.mark_restored(eve).await.expect_err("she may not").code, Code::Forbidden);
    let without = Isobox::builder().build().expect("a runtime");
    assert_eq!(without.mark_restored("ada").await.expect_err("no store").code, Code::Config);
    let run = Run::new(Program::single("await new Promise((done) => setTimeout(done, 60_000))")).durable();
    let handle = runtime(&store, &effects).start(run.id(ExecutionId::new(1, 2)));
    for _ in 0..100 {
        if isobox.inspect(&ExecutionId::new(1, 2)).await.is_ok() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let marked = isobox.mark_restored("ada").await.expect("it is marked");
    assert_eq!((marked.held.len(), marked.running.len()), (0, 1));
    drop(handle);
}
