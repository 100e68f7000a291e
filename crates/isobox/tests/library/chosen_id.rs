//! IDs that the caller chose: a retry finds its execution, and repeats nothing.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use isobox::journal::Verdict;
use isobox::limits::CapacityLimits;
use isobox::store::{Store, Timing, memory_store};
use isobox::{CallSeq, Resume};
use isobox::{Code, Decisions, ExecutionId, Interrupted, Isobox, Outcome, Run, Tool, json};
use isobox_core::store::ExpectedState;

use crate::faulty_store::{Fault, FaultyStore, Request};
use crate::gate::Gate;

/// Creates a runtime that the store considers another process.
fn process(store: &Arc<dyn Store>, gate: &Gate) -> Isobox {
    let pay = Tool::new("pay", |_| async { Ok(json!("paid")) }).expect("a tool").with_approval();
    let builder = Isobox::builder().max_live(NonZeroU32::new(4).expect("it is not zero"));
    builder.tools([gate.tool(), pay]).store(Arc::clone(store)).build().expect("the runtime starts")
}

fn id() -> ExecutionId {
    ExecutionId::new(1_800_000_000_000, 17)
}

const PROGRAM: &str = "console.log('once'); return await tools.gate()";

fn attempt() -> Run {
    Run::from(PROGRAM).durable().id(id()).principal("ada")
}

fn code(outcome: Outcome) -> Code {
    outcome.into_result().expect_err("it does not complete").code
}

#[tokio::test]
async fn a_retry_gets_the_outcome_of_the_first_attempt_in_any_process() {
    let (store, gate) = (memory_store(), Gate::new());
    let isobox = process(&store, &gate);
    gate.open();
    let first = isobox.run(attempt()).await;
    assert_eq!(*first.execution_id(), id());
    assert_eq!(first.clone().into_result().expect("it completes"), json!(1));
    assert_eq!(isobox.run(attempt()).await, first);
    let handle = process(&store, &gate).start(attempt());
    assert_eq!(*handle.id(), id());
    assert!(handle.events().next().await.is_none(), "nothing is run");
    assert_eq!(handle.outcome().await, first);
    assert_eq!(gate.calls(), 1);
}

#[tokio::test]
async fn a_decision_about_an_execution_that_was_deleted_says_nothing_to_the_next_one_with_its_id() {
    let (store, gate) = (memory_store(), Gate::new());
    let isobox = process(&store, &gate);
    let run = || isobox.run(Run::from("return await tools.pay()").durable().id(id()).principal("ada"));
    assert!(matches!(run().await, Outcome::Paused(_)));
    let approve = || Decisions::new("bob", [(CallSeq::new(0), Verdict::Approve)]);
    isobox.decide(&id(), approve()).await.expect("it waits");
    let kept = store.inbox(&id()).await.expect("a store");
    isobox.delete(&id(), "bob").await.expect("no process runs it");
    assert!(matches!(run().await, Outcome::Paused(_)));
    store.post(&id(), kept, ExpectedState::Anyhow).await.expect("the second one waits as the first one did");
    assert_eq!(isobox.inbox(&id()).await.expect("a store"), []);
    let resumed = isobox.resume(&id(), Resume::default()).await.expect("no process runs it").into_outcome();
    assert!(matches!(resumed, Some(Outcome::Paused(_))), "{resumed:?}");
    isobox.decide(&id(), approve()).await.expect("it still waits");
    assert_eq!(run().await.into_result().expect("it is approved"), json!("paid"));
}

#[tokio::test]
async fn another_request_under_the_same_id_is_a_conflict_and_is_not_run() {
    let (store, gate) = (memory_store(), Gate::new());
    let isobox = process(&store, &gate);
    let running = isobox.start(attempt());
    gate.entered().await;
    let others = || {
        [
            Run::from("return 'another program'").durable().id(id()).principal("ada"),
            attempt().principal("eve"),
            attempt().principal(isobox::Principal::named("ada").with_roles(["admin"])),
        ]
    };
    for other in others() {
        let outcome = isobox.run(other).await;
        assert!(outcome.logs().is_empty(), "nothing is told of the execution of another caller");
        assert_eq!(code(outcome), Code::Conflict, "while it runs");
    }
    gate.open();
    let first = running.outcome().await;
    for other in others() {
        assert_eq!(code(isobox.run(other).await), Code::Conflict, "when it is over");
    }
    assert_eq!(isobox.run(attempt()).await, first);
    assert_eq!(gate.calls(), 1);
}

#[tokio::test]
async fn attempts_at_the_same_time_run_once_and_all_get_the_outcome() {
    let (store, gate) = (memory_store(), Gate::new());
    let (here, elsewhere) = (process(&store, &gate), process(&store, &gate));
    let (first, at_once) = (here.start(attempt()), here.start(attempt()));
    gate.entered().await;
    let (later, other) = (here.start(attempt()), elsewhere.start(attempt()));
    gate.open();
    let outcome = first.outcome().await;
    assert_eq!(outcome.clone().into_result().expect("it completes"), json!(1));
    for attempt in [at_once, later, other] {
        assert_eq!(attempt.outcome().await, outcome);
    }
    assert_eq!(gate.calls(), 1);
}

#[tokio::test]
async fn cancelling_a_retry_that_only_waits_leaves_the_execution_alone() {
    let (store, gate) = (memory_store(), Gate::new());
    let (here, elsewhere) = (process(&store, &gate), process(&store, &gate));
    let first = here.start(attempt());
    gate.entered().await;
    for isobox in [&here, &elsewhere] {
        let retry = isobox.start(attempt());
        retry.cancel();
        let outcome = retry.outcome().await;
        assert!(matches!(outcome, Outcome::Interrupted(_)), "{outcome:?}");
        assert_eq!(code(outcome), Code::Aborted);
    }
    gate.open();
    assert_eq!(first.outcome().await.into_result().expect("it completes"), json!(1));
}

#[tokio::test]
async fn a_retry_goes_on_with_an_execution_whose_journal_has_no_end() {
    let (store, gate) = (memory_store(), Gate::new());
    let crashed = process(&store, &gate).start(attempt());
    gate.entered().await;
    drop(crashed);
    gate.left().await;
    gate.open();
    let handle = process(&store, &gate).start(attempt());
    let mut events = handle.events();
    let resumed = events.next().await.expect("it goes on here");
    assert!(matches!(resumed.kind, isobox::events::EventKind::Resumed), "{resumed:?}");
    assert!(resumed.pass > 1 && resumed.number == 0, "{resumed:?}");
    let outcome = handle.outcome().await;
    assert_eq!(outcome.logs().len(), 1, "what it did before is not done again");
    assert_eq!(outcome.into_result().expect("it completes"), json!(2));
}

#[tokio::test]
async fn a_retry_of_a_paused_execution_is_paused_and_goes_on_once_it_is_decided() {
    let (store, gate) = (memory_store(), Gate::new());
    let isobox = process(&store, &gate);
    let attempt = || Run::from("return await tools.pay()").durable().id(id());
    let first = isobox.run(attempt()).await;
    let Outcome::Paused(paused) = &first else { panic!("it asks: {first:?}") };
    assert_eq!(isobox.run(attempt()).await, first);
    let approval = Decisions::about_all("ada", paused.revision, Verdict::Approve);
    isobox.decide(&id(), approval).await.expect("it waits for that");
    let outcome = process(&store, &gate).run(attempt()).await;
    assert_eq!(outcome.into_result().expect("it completes"), json!("paid"));
}

#[tokio::test]
async fn an_attempt_that_another_process_overtakes_gets_the_outcome_of_that() {
    let (store, gate) = (memory_store(), Gate::new());
    let (slow, fast) = (process(&store, &gate), process(&store, &gate));
    slow.capacity().set(CapacityLimits { live: 1, ..slow.capacity().limits() });
    let busy = slow.start("while (true);");
    until(|| slow.capacity().usage().live == 1).await;
    let overtaken = slow.start(attempt().seed(7));
    until(|| slow.capacity().usage().queued == 1).await;
    gate.open();
    let outcome = fast.run(attempt().seed(7)).await;
    assert_eq!(outcome.clone().into_result().expect("it completes"), json!(1));
    busy.cancel();
    assert_eq!(overtaken.outcome().await, outcome);
    assert_eq!(gate.calls(), 1);
    assert_eq!(code(busy.outcome().await), Code::Aborted);
}

#[tokio::test]
async fn an_execution_that_is_not_kept_just_has_the_id() {
    let (store, gate) = (memory_store(), Gate::new());
    let isobox = process(&store, &gate);
    for call in 1..=2 {
        gate.open();
        let outcome = isobox.run(Run::from(PROGRAM).id(id())).await;
        assert_eq!(*outcome.execution_id(), id());
        assert_eq!(outcome.into_result().expect("it completes"), json!(call));
    }
    let without = Isobox::builder().tool(gate.tool()).build().expect("the runtime starts");
    assert_eq!(code(without.run(attempt()).await), Code::Config);
}

async fn until(is_so: impl Fn() -> bool) {
    while !is_so() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_retry_needs_the_right_to_run_and_may_name_its_roles_in_any_order() {
    let isobox = Isobox::builder().store(memory_store()).build().expect("a runtime");
    let attempt = |roles: [&str; 2]| {
        Run::from("return 1").durable().id(id()).principal(isobox::Principal::named("ada").with_roles(roles))
    };
    let first = isobox.run(attempt(["a", "b"])).await.into_result().expect("it completes");
    assert_eq!(isobox.run(attempt(["b", "a"])).await.into_result().expect("it is the same request"), first);
    let powerless = isobox::Principal::named("ada").with_roles(["a", "b"]).with_rights(isobox::policy::Rights::NONE);
    let refused = isobox.run(attempt(["a", "b"]).principal(powerless)).await.into_result();
    assert_eq!(refused.expect_err("the right is missing").code, Code::Forbidden);
}

/// An attempt that pauses.
fn asking() -> Run {
    Run::from("return await tools.pay()").durable().id(id())
}

/// Creates a runtime of another process, which gives up at once while the store fails.
fn impatient(store: &FaultyStore) -> Isobox {
    let pay = Tool::new("pay", |_| async { Ok(json!("paid")) }).expect("a tool").with_approval();
    let timing = Timing::default().outage(Duration::ZERO);
    Isobox::builder().tool(pay).store(Arc::new(store.clone())).timing(timing).build().expect("the runtime starts")
}

fn interrupted(outcome: Outcome) -> Interrupted {
    match outcome {
        Outcome::Interrupted(interrupted) => interrupted,
        other => panic!("it has not ended, and may be there: {other:?}"),
    }
}

#[tokio::test]
async fn a_retry_reads_its_execution_again_when_the_store_has_failed_for_a_moment() {
    let (store, gate) = (memory_store(), Gate::new());
    let first = process(&store, &gate).run(asking()).await;
    let faulty = FaultyStore::new(&store);
    let elsewhere: Arc<dyn Store> = Arc::new(faulty.clone());
    let retry = process(&elsewhere, &gate);
    faulty.has(Fault::MissedLoad);
    assert_eq!(retry.run(asking()).await, first);
}

/// A caller that is told of a failure lets the program be written again, and its calls are made twice.
#[tokio::test]
async fn a_retry_that_cannot_read_its_execution_is_interrupted_and_has_not_failed() {
    let (store, gate) = (memory_store(), Gate::new());
    let first = process(&store, &gate).run(asking()).await;
    let faulty = FaultyStore::new(&store);
    let retry = impatient(&faulty);
    faulty.has(Fault::Outage);
    let unread = interrupted(retry.run(asking()).await);
    assert_eq!((unread.execution_id, unread.error.code), (id(), Code::Store));
    let hint = unread.error.hint.unwrap_or_default();
    assert!(hint.contains("fails with `NOT_FOUND`") && hint.contains("do not run the program again"), "{hint}");
    faulty.has(Fault::No);
    assert_eq!(retry.run(asking()).await, first);
}

#[tokio::test]
async fn an_overtaken_attempt_that_cannot_read_the_other_execution_is_interrupted() {
    let (store, gate) = (memory_store(), Gate::new());
    assert!(matches!(process(&store, &gate).run(asking()).await, Outcome::Paused(_)));
    let faulty = FaultyStore::new(&store);
    let overtaken = impatient(&faulty);
    faulty.has(Fault::Blind);
    // The first load that sees the execution is the one after the refused creation.
    let fails = faulty.clone();
    faulty.freezes_in(Request::Load, move || fails.has(Fault::Outage));
    let unread = interrupted(overtaken.run(asking()).await);
    assert_eq!((unread.execution_id, unread.error.code), (id(), Code::Store));
    let hint = unread.error.hint.unwrap_or_default();
    assert!(hint.contains("resume the execution") && !hint.contains("NOT_FOUND"), "the store has it: {hint}");
}
