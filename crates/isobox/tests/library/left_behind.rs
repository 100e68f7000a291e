//! Abandoned executions: their process died, or a decision about them was not carried out.

use std::sync::Arc;
use std::time::Duration;

use isobox::journal::{Ending, Verdict};
use isobox::store::memory_store;
use isobox::store::{Filter, State, Store};
use isobox::{CallSeq, CancellationToken, Code, Decisions, ExecutionId, Isobox, Timestamp, json};
use isobox::{Resume, Resumed};
use isobox_core::store::{Claim, Node, watch_clock};

use super::ending::{builder, durable};

/// Creates an execution that an unresponsive process holds for this long.
async fn held_by_the_dead(isobox: &Isobox, store: &Arc<dyn Store>, time: Duration) -> ExecutionId {
    let paused = isobox.run(durable("return await tools.pay({ a: 1 })")).await;
    let (id, holder) = (paused.execution_id().clone(), Node("a process that was killed".into()));
    store.keep_alive(&holder, time).await.expect("it is alive");
    store.acquire(&id, &holder, Claim::Unfinished).await.expect("the lease is free");
    id
}

async fn ended(isobox: &Isobox, id: &ExecutionId) -> Option<Code> {
    match isobox.inspect(id).await.expect("it is kept").state.ended?.how {
        Ending::Failed(failure) | Ending::Rejected(failure) => Some(failure.code),
        Ending::Completed(_) | Ending::RolledBack(_) => None,
    }
}

#[tokio::test]
async fn a_rejection_ends_what_a_dead_process_held_once_its_lease_has_run_out() {
    let store = memory_store();
    let isobox = builder(&store).build().expect("a runtime");
    let id = held_by_the_dead(&isobox, &store, Duration::from_secs(3)).await;
    isobox.reject(&id, "bob", None).await.expect("it is recorded");
    let waited = isobox.resume(&id, Resume::default()).await.expect("a store");
    assert!(matches!(waited, Resumed::Elsewhere), "{waited:?}");
    let Resumed::Here(outcome) = isobox.see_ended(&id, &CancellationToken::new()).await.expect("a store") else {
        panic!("its lease has run out");
    };
    assert_eq!(outcome.into_result().expect_err("bob ended it").code, Code::Rejected);
    assert_eq!(ended(&isobox, &id).await, Some(Code::Rejected));
}

#[tokio::test]
async fn a_rejection_that_nobody_waited_for_is_carried_out_by_housekeeping() {
    let store = memory_store();
    let isobox = builder(&store).build().expect("a runtime");
    let id = held_by_the_dead(&isobox, &store, Duration::from_millis(300)).await;
    let other = isobox.run(durable("return await tools.pay({ b: 1 })")).await.execution_id().clone();
    isobox.decide(&other, Decisions::new("ada", [(CallSeq::new(0), Verdict::Approve)])).await.expect("it waits");
    isobox.reject(&id, "bob", None).await.expect("it is recorded");
    // The person who rejected it does not wait.
    let token = CancellationToken::new();
    token.cancel();
    let left = isobox.see_ended(&id, &token).await.expect_err("it was given up");
    assert_eq!(left.code, Code::Aborted);
    assert_eq!(isobox.end_stopped().await.expect("a store"), [], "its process may be alive");
    let twice = isobox.reject(&id, "eve", None).await.expect_err("bob was first");
    assert!(twice.code == Code::Conflict && twice.message.starts_with("bob has already rejected it"), "{twice}");
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert_eq!(isobox.end_stopped().await.expect("a store"), std::slice::from_ref(&id));
    assert_eq!(ended(&isobox, &id).await, Some(Code::Rejected));
    assert_eq!(ended(&isobox, &other).await, None, "what was approved is not ended");
    assert_eq!(isobox.end_stopped().await.expect("a store"), []);
}

#[tokio::test]
async fn what_a_dead_process_held_is_deleted_once_its_lease_has_run_out() {
    let store = memory_store();
    let isobox = builder(&store).build().expect("a runtime");
    let id = held_by_the_dead(&isobox, &store, Duration::from_millis(300)).await;
    isobox.delete(&id, "ada").await.expect("its process is dead");
    assert_eq!(isobox.inspect(&id).await.expect_err("it is gone").code, Code::NotFound);
}

#[tokio::test]
async fn a_decision_that_was_recorded_names_its_author_and_the_way_to_go_on() {
    let isobox = builder(&memory_store()).build().expect("a runtime");
    let id = isobox.run(durable("return await tools.pay({ a: 1 })")).await.execution_id().clone();
    isobox.decide(&id, Decisions::new("ada", [(CallSeq::new(0), Verdict::Approve)])).await.expect("it waits");
    for verdict in [Verdict::Approve, Verdict::Deny(None)] {
        let twice =
            isobox.decide(&id, Decisions::new("bob", [(CallSeq::new(0), verdict)])).await.expect_err("ada was first");
        assert_eq!(twice.code, Code::Conflict);
        assert!(twice.message.starts_with("ada has already approved call 0"), "{twice}");
        assert!(twice.hint.is_some_and(|hint| hint.contains("resume the execution")));
    }
    let listed = isobox.executions(Filter::newest(9).with(State::Decided)).await.expect("a store").executions;
    assert_eq!((listed.len(), &listed[0].id, listed[0].messages), (1, &id, 1));
    let Resumed::Here(outcome) = isobox.resume(&id, Resume::default()).await.expect("a store") else { panic!("here") };
    assert_eq!(outcome.into_result().expect("it was approved"), json!({ "a": 1 }));
}

#[tokio::test]
async fn a_clock_that_jumped_ahead_expires_nothing_at_once() {
    const MINUTE: u64 = 60_000;
    let store = memory_store();
    let isobox = builder(&store).build().expect("a runtime");
    let id = isobox.run(durable("return await tools.pay({ a: 1 })")).await.execution_id().clone();
    let now = isobox.executions(Filter::newest(1)).await.expect("a store").executions[0].head.updated;
    // The last reading was long before the time of the clock.
    watch_clock(&*store, Timestamp(now.0 - 30 * 24 * 60 * MINUTE)).await.expect("a store");
    tokio::time::sleep(Duration::from_millis(5)).await;
    for _ in 0..2 {
        let expired = isobox.expire("ada", Duration::ZERO).await.expect("a store");
        assert_eq!(expired.executions, []);
        let postponed = expired.postponed.expect("it looks stale");
        assert_eq!(postponed.executions, std::slice::from_ref(&id));
        assert!(postponed.ahead >= Duration::from_hours(30 * 24), "{postponed:?}");
    }
    // An execution that is not stale by the clock is not postponed either.
    assert_eq!(isobox.expire("ada", Duration::from_hours(1)).await.expect("a store").postponed, None);

    // The clock has advanced from there.
    let store = memory_store();
    let isobox = builder(&store).build().expect("a runtime");
    let id = isobox.run(durable("return await tools.pay({ a: 1 })")).await.execution_id().clone();
    watch_clock(&*store, Timestamp(now.0 - 30 * 24 * 60 * MINUTE)).await.expect("a store");
    watch_clock(&*store, Timestamp(now.0 - 15 * MINUTE)).await.expect("a store");
    tokio::time::sleep(Duration::from_millis(5)).await;
    let expired = isobox.expire("ada", Duration::ZERO).await.expect("a store");
    assert_eq!((expired.executions, expired.postponed), (vec![id], None));
}

#[tokio::test]
async fn the_list_says_what_is_pending_and_nothing_of_its_input() {
    let isobox = builder(&memory_store()).build().expect("a runtime");
    let source = "await Promise.all([1, 2, 3, 4, 5].map((a) => tools.pay({ password: 'hunter2', a })))";
    isobox.run(durable(source)).await;
    let listed = isobox.executions(Filter::newest(1)).await.expect("a store").executions;
    let shown = json!(listed[0]);
    assert_eq!((&shown["status"], &shown["pending"]), (&json!("paused"), &json!(5)));
    let call = |seq: &str| json!({ "seq": seq, "path": "pay", "kind": "approval" });
    assert_eq!(shown["pendingCalls"], json!([call("0"), call("1"), call("2")]));
    assert!(!shown.to_string().contains("hunter2"), "{shown}");
}
