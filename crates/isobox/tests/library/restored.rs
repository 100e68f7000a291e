//! Stores that were restored from a backup: nothing that the original may have done since is done again.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use isobox::journal::Verdict;
use isobox::policy::{Action, Policy, Right, Rule};
use isobox::rollback::Rollback;
use isobox::snippets::NewSnippet;
use isobox::store::{Filter, State, Store, memory_store};
use isobox::{
    Builder, CallSeq, CancellationToken, Code, ConflictKind, Decisions, ExecutionId, Failure, Isobox, Limits, Outcome,
    Paused, PendingKind, Principal, Program, Resume, Resumed, Run, Tool, Woken, json,
};
use isobox_core::store::was_restored_since;
use isobox_core::{Clock, execute, mark_restored};

use super::clocks::{SetClock, shared};
use super::frozen::{keeper, patient};
use super::told;

fn runtime(store: &Arc<dyn Store>, effects: &Arc<AtomicU32>) -> Isobox {
    builder(store, effects).build().expect("a runtime")
}

fn builder(store: &Arc<dyn Store>, effects: &Arc<AtomicU32>) -> Builder {
    let effects = Arc::clone(effects);
    let send = Tool::new("mail.send", move |_| {
        let number = effects.fetch_add(1, Ordering::SeqCst);
        async move { Ok(json!(number)) }
    });
    Isobox::builder().store(Arc::clone(store)).tool(send.expect("a tool").with_approval())
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
        assert_eq!((refused.code, refused.conflict_kind()), (Code::Conflict, Some(ConflictKind::Held)), "{refused}");
        assert!(refused.message.contains("restored from a backup"), "{refused}");
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

/// Returns the executions that are woken now.
async fn woken(isobox: &Isobox) -> Vec<ExecutionId> {
    let mut woken = Vec::new();
    let note = |one: Woken| woken.push(one.id);
    isobox.wake_due(&CancellationToken::new(), note).await.expect("the store works");
    woken
}

#[tokio::test]
async fn a_sleeping_execution_of_a_restored_store_is_not_woken() {
    let (store, effects) = (memory_store(), Arc::new(AtomicU32::new(0)));
    let limits = Limits::default().lifetime(Duration::from_secs(3600));
    let isobox = builder(&store, &effects).limits(limits).build().expect("a runtime");
    let source = "await new Promise((done) => setTimeout(done, 2500)); return await tools.mail.send({})";
    let asleep = isobox.run(Run::new(Program::single(source)).durable()).await;
    let Outcome::Sleeping(sleeping) = &asleep else { panic!("it sleeps: {asleep:?}") };
    let id = &sleeping.execution_id;
    let marked = isobox.mark_restored("ada").await.expect("it is marked");
    assert_eq!(marked.held, std::slice::from_ref(id));
    let listed = isobox.executions(Filter::newest(1)).await.expect("a list").executions;
    assert_eq!((listed[0].state(), listed[0].head.due), (State::Paused, None));
    let _scheduler = isobox.start_scheduler().expect("it has a store");
    tokio::time::sleep(Duration::from_millis(3_500)).await;
    assert!(woken(&isobox).await.is_empty());
    let shown = isobox.pending(id).await.expect("it is held");
    assert!(shown.restored && shown.pending.is_empty(), "{shown:?}");
    assert_eq!(resume(&isobox, id, Resume::default()).await.expect_err("it is held").code, Code::Conflict);
    // Released, it goes on with what it was about to do.
    let released = paused(resume(&isobox, id, Resume::default().restored("root")).await);
    assert_eq!((released.pending[0].kind, effects.load(Ordering::SeqCst)), (PendingKind::Approval, 0));
}

#[tokio::test]
async fn a_paused_rollback_of_a_restored_store_reverts_nothing_before_a_person_releases_it() {
    let (store, effects) = (memory_store(), Arc::new(AtomicU32::new(0)));
    let undone = Arc::clone(&effects);
    let file = Tool::new("file", |_| async { Ok(json!(1)) }).expect("a tool").revert(move |_| {
        undone.fetch_add(1, Ordering::SeqCst);
        async { Ok(json!("gone")) }
    });
    let rule =
        Rule::new(vec!["file.revert".parse().expect("a pattern")], Action::RequireApproval { except_read_only: false });
    let isobox = builder(&store, &effects).tool(file).policy(Policy::new(vec![rule])).build().expect("a runtime");
    let source = "await tools.file(); return await tools.file()";
    let id = isobox.run(Run::new(Program::single(source)).durable()).await.execution_id().clone();
    let rolling = isobox.rollback(&id, "ada", Rollback::default()).await;
    let asked = paused(rolling);
    assert_eq!((asked.pending[0].kind, asked.pending[0].seq), (PendingKind::Approval, CallSeq::new(2)));
    isobox.decide(&id, decide(2, Verdict::Approve)).await.expect("decided");
    let marked = isobox.mark_restored("ada").await.expect("it is marked");
    assert_eq!(marked.held, std::slice::from_ref(&id));
    assert!(woken(&isobox).await.is_empty());
    assert_eq!(resume(&isobox, &id, Resume::default()).await.expect_err("it is held").code, Code::Conflict);
    let again = isobox.rollback(&id, "ada", Rollback::default()).await.expect_err("it has not ended");
    assert_eq!(again.code, Code::Conflict);
    let released = paused(resume(&isobox, &id, Resume::default().restored("root")).await);
    assert_eq!((released.pending[0].kind, effects.load(Ordering::SeqCst)), (PendingKind::InDoubt, 0));
    isobox.decide(&id, decide(2, Verdict::Happened(json!("gone")))).await.expect("decided");
    let next = paused(resume(&isobox, &id, Resume::default()).await);
    assert_eq!((next.pending[0].kind, next.pending[0].seq), (PendingKind::Approval, CallSeq::new(3)));
    isobox.decide(&id, decide(3, Verdict::Approve)).await.expect("decided");
    let outcome = resume(&isobox, &id, Resume::default()).await.expect("it goes on");
    let Outcome::RolledBack(done) = &outcome else { panic!("it is rolled back: {outcome:?}") };
    assert_eq!((done.reverted.len(), effects.load(Ordering::SeqCst)), (2, 1));
}

#[tokio::test]
async fn a_call_that_only_the_original_made_is_reverted_too() {
    let (store, effects) = (memory_store(), Arc::new(AtomicU32::new(0)));
    let undone = Arc::clone(&effects);
    let pay = Tool::new("pay", |_| async { Ok(json!(1)) }).expect("a tool").with_approval().revert(move |_| {
        undone.fetch_add(1, Ordering::SeqCst);
        async { Ok(json!("gone")) }
    });
    let isobox = builder(&store, &effects).tool(pay).build().expect("a runtime");
    let source = "return [await tools.pay(), await tools.pay().catch(() => 0)]";
    let id = pause(&isobox, source).await;
    isobox.mark_restored("ada").await.expect("it is marked");
    isobox.decide(&id, decide(0, Verdict::Happened(json!(7)))).await.expect("decided");
    paused(resume(&isobox, &id, Resume::default().restored("root")).await);
    isobox.mark_restored("ada").await.expect("it is marked");
    isobox.decide(&id, decide(1, Verdict::Fail(None))).await.expect("decided");
    let outcome = resume(&isobox, &id, Resume::default().restored("root")).await.expect("it goes on");
    assert_eq!(outcome.into_result(), Ok(json!([7, 0])));
    let outcome = isobox.rollback(&id, "ada", Rollback::default()).await.expect("it ends");
    let Outcome::RolledBack(done) = &outcome else { panic!("it is rolled back: {outcome:?}") };
    assert_eq!((done.reverted.as_slice(), effects.load(Ordering::SeqCst)), (&[CallSeq::new(0)][..], 1));
    assert_eq!(
        (done.left[0].seq, &*done.left[0].reason),
        (CallSeq::new(1), "it is unknown whether the call took effect")
    );
}

#[tokio::test]
async fn every_revert_of_an_execution_that_had_ended_before_the_restore_is_in_doubt() {
    let (store, undone) = (memory_store(), Arc::new(AtomicU32::new(0)));
    let count = Arc::clone(&undone);
    let file = Tool::new("file", |_| async { Ok(json!(1)) }).expect("a tool").revert(move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        async { Ok(json!("gone")) }
    });
    let timing = isobox::store::Timing::default().doubt(Duration::ZERO);
    let isobox = Isobox::builder().store(Arc::clone(&store)).timing(timing).tool(file).build().expect("a runtime");
    let source = "await tools.file(); return await tools.file()";
    let ended = async || isobox.run(Run::new(Program::single(source)).durable()).await.execution_id().clone();
    let id = ended().await;
    // The mark is a time in milliseconds.
    tokio::time::sleep(Duration::from_millis(5)).await;
    assert!(isobox.mark_restored("ada").await.expect("it is marked").held.is_empty());
    let asked = paused(isobox.rollback(&id, "ada", Rollback::default()).await);
    assert_eq!((asked.pending[0].kind, undone.load(Ordering::SeqCst)), (PendingKind::InDoubt, 0));
    let why = asked.pending[0].why.as_deref().unwrap_or_default();
    assert!(why.contains("restored from a backup"), "{why}");
    isobox.decide(&id, decide(2, Verdict::Happened(json!("gone")))).await.expect("decided");
    let next = paused(resume(&isobox, &id, Resume::default()).await);
    assert_eq!((next.pending[0].kind, next.pending[0].seq), (PendingKind::InDoubt, CallSeq::new(3)));
    isobox.decide(&id, decide(3, Verdict::DidNotHappen)).await.expect("decided");
    let outcome = resume(&isobox, &id, Resume::default()).await.expect("it goes on");
    let Outcome::RolledBack(done) = &outcome else { panic!("it is rolled back: {outcome:?}") };
    assert_eq!((done.reverted.len(), undone.load(Ordering::SeqCst)), (2, 1), "only what did not happen is made");
    // What ends later is rolled back without questions.
    tokio::time::sleep(Duration::from_millis(5)).await;
    let later = ended().await;
    let outcome = isobox.rollback(&later, "ada", Rollback::default()).await.expect("it ends");
    assert!(matches!(&outcome, Outcome::RolledBack(done) if done.reverted.len() == 2), "{outcome:?}");
}

#[tokio::test]
async fn calls_whose_turn_had_not_come_are_made_after_a_release() {
    let forged = "{ name: 's', version: 1, trust: 'trusted', code: 'return 3', input: null }";
    for (call, in_doubt, expected) in [
        ("codemode.step('x', () => 1)".to_owned(), 1, json!(1)),
        ("codemode.search('mail').then((found) => found.results[0].path)".to_owned(), 1, json!("mail.send")),
        ("codemode.run('s')".to_owned(), 2, json!(2)),
        // Rules and people decide about what the host finds, and not about what the program passes.
        (format!("codemode.run({forged}).catch((error) => error.code)"), 2, json!("INVALID_INPUT")),
    ] {
        let (store, effects) = (memory_store(), Arc::new(AtomicU32::new(0)));
        let isobox = builder(&store, &effects).limits(Limits::default().in_flight(1)).build().expect("a runtime");
        let snippet = NewSnippet::new("s", Program::single("return 2"));
        isobox.snippets().expect("a store").put(snippet, Principal::host()).await.expect("it is saved");
        let id = pause(&isobox, &format!("return Promise.all([tools.mail.send({{}}), {call}])")).await;
        isobox.mark_restored("ada").await.expect("it is marked");
        let released = paused(resume(&isobox, &id, Resume::default().restored("root")).await);
        assert_eq!(released.pending.len(), in_doubt, "{call}");
        let not_made = Decisions::about_all("ada", released.revision, Verdict::DidNotHappen);
        isobox.decide(&id, not_made).await.expect("decided");
        let asked = paused(resume(&isobox, &id, Resume::default()).await);
        assert_eq!((asked.pending.len(), asked.pending[0].kind), (1, PendingKind::Approval), "{call}");
        isobox.decide(&id, decide(0, Verdict::Approve)).await.expect("decided");
        let outcome = resume(&isobox, &id, Resume::default()).await.expect("it goes on");
        assert_eq!((outcome.into_result(), effects.load(Ordering::SeqCst)), (Ok(json!([0, expected])), 1), "{call}");
        let left = isobox.rollback_plan(&id, &Rollback::default()).await.expect("a plan").left;
        assert_eq!(left.iter().map(|left| left.seq).collect::<Vec<_>>(), [CallSeq::new(0)], "{call}");
    }
}

#[tokio::test]
async fn the_mark_of_a_store_is_later_than_all_that_a_clock_that_was_ahead_has_ended() {
    let (store, ahead, behind) = (memory_store(), Arc::new(SetClock::default()), Arc::new(SetClock::default()));
    ahead.advance(Duration::from_secs(60));
    let original = keeper("there", Arc::clone(&store), &ahead);
    original.keep_alive().await.expect("it is alive");
    let host = |clock, keeper| told::host([], shared(clock), keeper);
    let ended = Box::pin(execute(&host(&ahead, original), told::execution("return 1", patient()), pending())).await;
    assert_eq!(ended.expect("it is new").into_result(), Ok(json!(1)));
    let page = store.list(Filter::newest(1)).await.expect("a list");
    let last = page.executions[0].head.updated;
    assert!(!was_restored_since(&*store, &[], last).await.expect("it is read"));
    let marking = keeper("here", Arc::clone(&store), &behind);
    mark_restored(&host(&behind, marking), &Principal::host()).await.expect("it is marked");
    assert!(last > behind.now());
    assert!(was_restored_since(&*store, &[], last).await.expect("it is read"));
}
