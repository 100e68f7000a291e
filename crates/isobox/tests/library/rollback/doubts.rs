//! Reverts of which it is unknown whether they took effect.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use isobox::journal::Verdict;
use isobox::rollback::{Rollback, RolledBack};
use isobox::store::{Timing, memory_store};
use isobox::{
    CancellationToken, Code, Decisions, ExecutionId, Isobox, Limits, Outcome, PendingKind, Resume, Tool, ToolError,
    Value, json,
};

use super::{Undone, builder, completed, rolled_back, seq};

/// Decides about everything that a rollback waits for, and returns its end.
async fn decided(isobox: &Isobox, id: &ExecutionId, verdict: Verdict) -> RolledBack {
    let revision = isobox.pending(id).await.expect("it waits").revision;
    isobox.decide(id, Decisions::about_all("ada", revision, verdict)).await.expect("it waits");
    match isobox.resume(id, Resume::default()).await.expect("it continues").into_outcome() {
        Some(Outcome::RolledBack(done)) => done,
        other => panic!("it is not over: {other:?}"),
    }
}

fn in_doubt(outcome: Outcome, number: u32) -> String {
    let Outcome::Paused(paused) = outcome else { panic!("a revert is in doubt: {outcome:?}") };
    let [pending] = &*paused.pending else { panic!("one is: {:?}", paused.pending) };
    assert_eq!((pending.kind, pending.seq), (PendingKind::InDoubt, seq(number)));
    pending.why.clone().unwrap_or_default()
}

#[tokio::test]
async fn a_revert_that_hangs_is_in_doubt_after_the_time_of_a_program() {
    let (store, undone) = (memory_store(), Undone::default());
    let limits = Limits::default().timeout(Duration::from_secs(2));
    let isobox = builder(&store, &undone).limits(limits).build().expect("a runtime");
    let source = "for (const name of ['a', 'slow']) await tools.things.create({ name }); return 1";
    let id = completed(&isobox, source).await;
    let why = in_doubt(isobox.rollback(&id, "ada", Rollback::default()).await.expect("it begins"), 2);
    assert!(why.contains("longer than 2s") && why.contains("may have taken effect"), "{why}");
    let done = decided(&isobox, &id, Verdict::Happened(json!("deleted"))).await;
    assert_eq!((done.reverted, done.failed.len()), (vec![seq(0), seq(1)], 0));
    rolled_back(&isobox, &id, Rollback::default()).await;
    assert_eq!(undone.all(), ["2 \"slow\" 2", "3 \"a\" 1"], "no revert was made twice");
}

#[tokio::test]
async fn a_call_whose_server_was_lost_is_left_and_a_revert_whose_server_was_lost_is_in_doubt() {
    let (store, undone) = (memory_store(), Undone::default());
    let lost = || ToolError::new("the server ended").with_unknown_effect();
    let log = undone.clone();
    let put = Tool::new("put", |_| async { Ok(json!(1)) }).expect("a tool").revert(move |reverting| {
        log.add(reverting.context.seq.to_string());
        async move { Err(lost()) }
    });
    let gone =
        Tool::new("gone", move |_| async move { Err(lost()) }).expect("a tool").revert(|_| async { Ok(Value::Null) });
    let isobox = Isobox::builder().store(Arc::clone(&store)).tools([put, gone]).build().expect("a runtime");
    let source = "const said = await tools.gone().catch((error) => error.message); await tools.put(); return said";
    let id = completed(&isobox, source).await;
    let plan = isobox.rollback_plan(&id, &Rollback::default()).await.expect("a plan");
    assert_eq!(plan.reverts.iter().map(|one| one.seq).collect::<Vec<_>>(), [seq(1)]);
    let left: Vec<_> = plan.left.iter().map(|left| (left.seq, &*left.reason)).collect();
    assert_eq!(left, [(seq(0), "it is unknown whether the call took effect")]);
    let why = in_doubt(isobox.rollback(&id, "ada", Rollback::default()).await.expect("it begins"), 2);
    assert_eq!(why, "the server ended");
    let done = decided(&isobox, &id, Verdict::Happened(Value::Null)).await;
    assert_eq!(done.reverted, [seq(1)]);
    rolled_back(&isobox, &id, Rollback::default()).await;
    assert_eq!(undone.all(), ["2"], "it is not made again");
}

/// Rolls back until a number of reverts has begun, and cancels the rollback then.
async fn cancelled_half_way(isobox: &Isobox, id: &ExecutionId, undone: &Undone, begun: usize) {
    let cancel = async {
        while undone.all().len() < begun {
            tokio::task::yield_now().await;
        }
        isobox.cancel(id, "ada", None).await.expect("it runs");
    };
    let rolling = isobox.rollback(id, "ada", Rollback::default());
    let (rolled, ()) = futures_util::future::join(rolling, cancel).await;
    let error = match rolled.expect("it ends") {
        Outcome::RolledBack(done) => done.error,
        Outcome::Failed(failed) => Some(failed.error),
        other => panic!("it was cancelled: {other:?}"),
    };
    assert_eq!(error.map(|error| error.code), Some(Code::Aborted));
}

#[tokio::test]
async fn a_revert_that_was_running_when_its_rollback_was_cancelled_is_in_doubt_in_the_next_one() {
    let source = "for (const name of ['a', 'slow', 'b']) await tools.things.create({ name }); return 1";
    for (verdict, reverted, doubted_again) in [
        (Verdict::Happened(Value::Null), vec![seq(0), seq(1), seq(2)], None),
        (Verdict::Fail(None), vec![seq(0), seq(2)], Some(8)),
    ] {
        let (store, undone) = (memory_store(), Undone::default());
        let isobox = builder(&store, &undone).build().expect("a runtime");
        let id = completed(&isobox, source).await;
        cancelled_half_way(&isobox, &id, &undone, 2).await;
        let why = in_doubt(isobox.rollback(&id, "ada", Rollback::default()).await.expect("it begins"), 6);
        assert_eq!(why, "call 4 of an earlier rollback reverts the same call, and may have taken effect");
        assert_eq!(undone.all().len(), 2, "it is not made again without a decision");
        let done = decided(&isobox, &id, verdict).await;
        assert_eq!((done.reverted, undone.all().len()), (reverted, 3));
        let next = isobox.rollback(&id, "ada", Rollback::default()).await.expect("it begins");
        match doubted_again {
            None => assert!(matches!(next, Outcome::RolledBack(_)), "{next:?}"),
            Some(number) => {
                let why = in_doubt(next, number);
                assert_eq!(why, "call 6 of an earlier rollback reverts the same call, and may have taken effect");
            }
        }
        assert_eq!(undone.all().len(), 3, "it is not made again without a decision");
    }
}

#[tokio::test]
async fn a_revert_in_doubt_that_did_not_happen_is_made_in_the_next_rollback() {
    let (store, undone) = (memory_store(), Undone::default());
    let once = Arc::new(AtomicUsize::new(0));
    let log = undone.clone();
    let put = Tool::new("put", |_| async { Ok(json!(1)) }).expect("a tool").revert(move |reverting| {
        log.add(reverting.context.seq.to_string());
        let is_first = once.fetch_add(1, Ordering::Relaxed) == 0;
        async move { if is_first { std::future::pending().await } else { Ok(Value::Null) } }
    });
    let timing = Timing::default().doubt(Duration::ZERO);
    let isobox = Isobox::builder().store(Arc::clone(&store)).timing(timing).tool(put).build().expect("a runtime");
    let id = completed(&isobox, "return await tools.put()").await;
    cancelled_half_way(&isobox, &id, &undone, 1).await;
    in_doubt(isobox.rollback(&id, "ada", Rollback::default()).await.expect("it begins"), 2);
    let done = decided(&isobox, &id, Verdict::DidNotHappen).await;
    assert_eq!((done.reverted, undone.all()), (vec![seq(0)], vec!["1".to_owned(), "2".to_owned()]));
}

#[tokio::test]
async fn a_rollback_that_is_abandoned_is_in_doubt_and_goes_on() {
    let (store, undone) = (memory_store(), Undone::default());
    let isobox = builder(&store, &undone).build().expect("a runtime");
    let source = "for (const name of ['a', 'slow', 'b']) await tools.things.create({ name }); return 1";
    let id = completed(&isobox, source).await;
    let token = CancellationToken::new();
    let abandon = async {
        while undone.all().len() < 2 {
            tokio::task::yield_now().await;
        }
        token.cancel();
    };
    let rolling = isobox.rollback(&id, "ada", Rollback::default().abandoned_by(token.clone()));
    let (rolled, ()) = futures_util::future::join(rolling, abandon).await;
    assert_eq!(rolled.expect_err("it was abandoned").code, Code::Aborted);
    let again = isobox.rollback(&id, "ada", Rollback::default()).await.expect_err("one is under way");
    assert_eq!(again.code, Code::Conflict);
    let resumed = isobox.resume(&id, Resume::default()).await.expect("it continues").into_outcome();
    let Some(Outcome::Paused(paused)) = resumed else { panic!("a revert is in doubt: {resumed:?}") };
    assert_eq!((paused.pending[0].kind, paused.pending[0].seq), (PendingKind::InDoubt, seq(4)));
    let happened = Decisions::about_all("ada", paused.revision, Verdict::Happened(json!("deleted")));
    isobox.decide(&id, happened).await.expect("it waits");
    let resumed = isobox.resume(&id, Resume::default()).await.expect("it continues").into_outcome();
    let Some(Outcome::RolledBack(done)) = resumed else { panic!("it is over: {resumed:?}") };
    assert_eq!(done.reverted, [seq(0), seq(1), seq(2)]);
    assert_eq!(undone.all().len(), 3, "no revert was made twice");
}
