//! Stores that fail while a program runs, and processes that are suspended until others have taken over.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use isobox::journal::{Entry, Verdict};
use isobox::store::{Filter, State, Store};
use isobox::store::{Timing, memory_store};
use isobox::{CallSeq, Code, Decisions, ExecutionId, Interrupted, Isobox, LoweredLimits, Outcome, Run, Tool, json};
use isobox::{Resume, Resumed};

use isobox_store::DatabaseStore;

use super::faulty_store::{Fault, FaultyStore};

const PATIENCE: Duration = Duration::from_millis(400);

fn timing() -> Timing {
    Timing::default().outage(PATIENCE)
}

/// The keys and fencing tokens of the calls that reached their tool.
type Calls = Arc<Mutex<Vec<(String, u64)>>>;

/// Returns a tool that causes the fault in its input, before it returns.
fn tool(calls: &Calls, store: &FaultyStore) -> Tool {
    let (calls, store) = (Arc::clone(calls), store.clone());
    let tool = Tool::with_call("pay", move |call| {
        let token = call.context.fencing_token.expect("it is kept");
        calls.lock().expect("no thread panicked").push((call.context.key(), token));
        match call.input["trouble"].as_str() {
            Some("short") => store.has_for(Fault::Outage, PATIENCE / 3),
            Some("long") => store.has(Fault::Outage),
            Some("damage") => store.has(Fault::Damage),
            Some("torn") => store.has(Fault::TornAppend),
            _ => {}
        }
        async { Ok(json!(1)) }
    });
    tool.expect("a tool")
}

fn runtime(store: &FaultyStore, calls: &Calls, timing: Timing) -> Isobox {
    let builder = Isobox::builder().store(Arc::new(store.clone())).tool(tool(calls, store)).timing(timing);
    builder.max_live(NonZeroU32::MIN).build().expect("a runtime")
}

fn durable(source: &str) -> Run {
    Run::from(source).durable()
}

fn interrupted(outcome: Outcome) -> Interrupted {
    match outcome {
        Outcome::Interrupted(interrupted) => interrupted,
        other => panic!("it was not interrupted: {other:?}"),
    }
}

fn here(resumed: Resumed) -> Outcome {
    match resumed {
        Resumed::Here(outcome) => *outcome,
        Resumed::Elsewhere => panic!("no other process runs it"),
    }
}

const TWO_CALLS: &str = "return await tools.pay({ trouble: 'TROUBLE' }) + await tools.pay({})";

#[tokio::test]
async fn a_short_outage_ends_nothing_and_does_nothing_twice() {
    for fault in ["short", "torn"] {
        let (store, calls) = (FaultyStore::new(&memory_store()), Calls::default());
        let isobox = runtime(&store, &calls, timing());
        let outcome = isobox.run(durable(&TWO_CALLS.replace("TROUBLE", fault))).await;
        let id = outcome.execution_id().clone();
        assert_eq!(outcome.into_result().expect("it is ridden out"), json!(2), "{fault}");
        assert_eq!(calls.lock().expect("no thread panicked").len(), 2, "{fault}");
        let journal = isobox.inspect(&id).await.expect("it is kept");
        let started = journal.entries.iter().filter(|entry| matches!(entry, Entry::Started(_))).count();
        assert_eq!((started, journal.state.ended.is_some()), (2, true), "{fault}");
    }
}

/// Another program locks the database for longer than one write waits, and for less than the patience of a run.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_locked_for_seconds_ends_no_run_and_does_nothing_twice() {
    /// A write fails after 5 s.
    const LOCKED: Duration = Duration::from_secs(8);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("isobox.db");
    let store: Arc<dyn Store> = Arc::new(DatabaseStore::sqlite(&file).await.expect("a store"));
    let calls = Calls::default();
    let (counted, locked) = (Arc::clone(&calls), file.clone());
    let pay = Tool::with_call("pay", move |call| {
        counted.lock().expect("no thread panicked").push((call.context.key(), 0));
        let locker = rusqlite::Connection::open(&locked).expect("the database");
        if call.input["lock"] == json!(true) {
            locker.execute_batch("BEGIN IMMEDIATE").expect("the lock is free soon");
            std::thread::spawn(move || {
                std::thread::sleep(LOCKED);
                locker.execute_batch("ROLLBACK")
            });
        }
        async { Ok(json!(1)) }
    });
    let isobox = Isobox::builder().store(store).tool(pay.expect("a tool")).build().expect("a runtime");
    let program = "return await tools.pay({ lock: true }) + await tools.pay({ lock: false })";
    let outcome = isobox.run(durable(program)).await;
    assert_eq!(outcome.into_result().expect("it is ridden out"), json!(2));
    assert_eq!(calls.lock().expect("no thread panicked").len(), 2);
}

#[tokio::test]
async fn time_for_which_the_store_does_not_answer_is_not_the_programs() {
    let (store, calls) = (FaultyStore::new(&memory_store()), Calls::default());
    let isobox = runtime(&store, &calls, timing().outage(Duration::from_secs(30)));
    let limits = LoweredLimits::default().timeout(Duration::from_millis(700));
    let run = isobox.run(durable(&TWO_CALLS.replace("TROUBLE", "long")).limits(limits));
    let ends = async {
        tokio::time::sleep(Duration::from_millis(1_500)).await;
        store.has(Fault::No);
    };
    let (outcome, ()) = futures_util::join!(run, ends);
    assert_eq!(outcome.into_result().expect("it had time left"), json!(2));
}

#[tokio::test]
async fn a_store_that_fails_for_long_interrupts_an_execution_and_does_not_end_it() {
    for fault in ["long", "damage"] {
        let (store, calls) = (FaultyStore::new(&memory_store()), Calls::default());
        let isobox = runtime(&store, &calls, timing());
        let outcome = isobox.run(durable(&TWO_CALLS.replace("TROUBLE", fault))).await;
        let text = serde_json::to_value(&outcome).expect("JSON");
        assert_eq!((&text["status"], &text["error"]["code"]), (&json!("interrupted"), &json!("STORE")), "{text}");
        let interrupted = interrupted(outcome);
        let hint = interrupted.error.hint.unwrap_or_default();
        assert!(hint.contains("do not run the program again, resume the execution"), "{hint}");

        store.has(Fault::No);
        let id = &interrupted.execution_id;
        let mut outcome = here(isobox.resume(id, Resume::default()).await.expect("the store is back"));
        // The outcome of the first call was not written before the store failed.
        if let Outcome::Paused(paused) = &outcome {
            let happened = Decisions::about_all("ada", paused.revision, Verdict::Happened(json!(1)));
            isobox.decide(id, happened).await.expect("it is in doubt");
            outcome = here(isobox.resume(id, Resume::default()).await.expect("the store is there"));
        }
        assert_eq!(outcome.into_result().expect("it goes on"), json!(2), "{fault}");
        assert_eq!(calls.lock().expect("no thread panicked").len(), 2, "{fault}");
    }
}

#[tokio::test]
async fn the_error_of_an_interrupted_execution_names_it() {
    let (store, calls) = (FaultyStore::new(&memory_store()), Calls::default());
    let isobox = runtime(&store, &calls, timing());
    let outcome = isobox.run(durable(&TWO_CALLS.replace("TROUBLE", "damage"))).await;
    let id = outcome.execution_id().to_string();
    let failure = interrupted(outcome.clone()).error;
    let error = outcome.into_result().expect_err("it is interrupted");
    assert_eq!(error.details.get("executionId"), Some(&json!(id)), "it can be resumed");
    assert_eq!((error.code, error.message), (failure.code, failure.message));
}

#[tokio::test]
async fn what_was_never_kept_has_failed() {
    let (store, calls) = (FaultyStore::new(&memory_store()), Calls::default());
    let isobox = runtime(&store, &calls, timing());
    isobox.run(durable("return 1")).await.into_result().expect("the store is there");
    store.has(Fault::ReadOnly);
    let outcome = isobox.run(durable("return await tools.pay({})")).await;
    let Outcome::Failed(failed) = outcome else { panic!("nothing of it exists: {outcome:?}") };
    assert_eq!(failed.error.code, Code::Store);
    assert_eq!(calls.lock().expect("no thread panicked").len(), 0);
}

/// A caller that is told of a failure runs the program again, and the execution that is left does its work a second time when it
/// is resumed.
#[tokio::test]
async fn an_execution_whose_creation_was_not_acknowledged_is_interrupted_and_not_over() {
    for (source, made) in [("return await tools.pay({})", 1), ("return 1", 0)] {
        let (store, calls) = (FaultyStore::new(&memory_store()), Calls::default());
        let isobox = runtime(&store, &calls, timing().doubt(Duration::ZERO));
        isobox.run(durable("return 1")).await.into_result().expect("the store is there");
        store.has(Fault::LostAnswer);
        let interrupted = interrupted(isobox.run(durable(source)).await);
        assert_eq!(interrupted.error.code, Code::Store);
        let hint = interrupted.error.hint.unwrap_or_default();
        assert!(hint.contains("do not run the program again, resume the execution"), "{hint}");
        assert_eq!(calls.lock().expect("no thread panicked").len(), 0, "no call starts before its start is stored");

        store.has(Fault::No);
        let id = &interrupted.execution_id;
        let mut outcome = here(isobox.resume(id, Resume::default()).await.expect("it was stored"));
        if let Outcome::Paused(paused) = &outcome {
            let nothing = Decisions::about_all("ada", paused.revision, Verdict::DidNotHappen);
            isobox.decide(id, nothing).await.expect("it is in doubt");
            outcome = here(isobox.resume(id, Resume::default()).await.expect("it goes on"));
        }
        assert_eq!(outcome.into_result().expect("it ends"), json!(1));
        assert_eq!(calls.lock().expect("no thread panicked").len(), made, "{source}");
    }
}

#[tokio::test]
async fn an_execution_that_may_have_been_created_and_was_not_is_not_found() {
    let (store, calls) = (FaultyStore::new(&memory_store()), Calls::default());
    let isobox = runtime(&store, &calls, timing());
    isobox.run(durable("return 1")).await.into_result().expect("the store is there");
    store.has(Fault::Outage);
    let interrupted = interrupted(isobox.run(durable("return await tools.pay({})")).await);
    assert_eq!(interrupted.error.code, Code::Store);
    let hint = interrupted.error.hint.as_deref().unwrap_or_default();
    assert!(hint.contains("fails with `NOT_FOUND`"), "{hint}");
    store.has(Fault::No);
    let refused = isobox.resume(&interrupted.execution_id, Resume::default()).await.expect_err("nothing was stored");
    assert_eq!(refused.code, Code::NotFound);
    assert_eq!(calls.lock().expect("no thread panicked").len(), 0);
}

/// Returns a short lease for tests of suspended processes.
fn short_lease() -> Timing {
    Timing::default()
        .lease(Duration::from_millis(600))
        .heartbeat(Duration::from_millis(100))
        .margin(Duration::from_millis(100))
        .outage(Duration::from_secs(5))
        .doubt(Duration::from_millis(700))
}

/// Waits until a call of the only execution has started. Returns its ID.
async fn started(isobox: &Isobox) -> ExecutionId {
    loop {
        // An ended execution may have been created in the same millisecond.
        let filter = Filter::newest(1).with(State::Running).with(State::Orphaned);
        let listed = isobox.executions(filter).await.expect("a list").executions;
        if let Some(one) = listed.first() {
            let journal = isobox.inspect(&one.id).await.expect("it is kept");
            if matches!(journal.entries.last(), Some(Entry::Started(_))) {
                return one.id.clone();
            }
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Resumes an execution of another process once its lease has expired, and decides that the call in doubt did not
/// happen.
async fn take_over(isobox: &Isobox, id: &ExecutionId) -> Outcome {
    let paused = loop {
        match isobox.resume(id, Resume::default()).await.expect("the store is there").into_outcome() {
            Some(Outcome::Paused(paused)) => break paused,
            Some(other) => panic!("a call is in doubt: {other:?}"),
            None => {}
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    let says = || Decisions::new("ada", [(CallSeq::new(0), Verdict::DidNotHappen)]);
    assert!(paused.pending[0].not_before.is_some(), "{paused:?}");
    loop {
        match isobox.decide(id, says()).await {
            Ok(()) => return here(isobox.resume(id, Resume::default()).await.expect("it goes on")),
            Err(failure) => assert!(failure.message.contains("may still take effect"), "{failure}"),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_process_that_hears_too_late_that_a_call_may_start_does_not_make_it() {
    let store = memory_store();
    let (slow, calls) = (FaultyStore::new(&store), Calls::default());
    let (first, second) =
        (runtime(&slow, &calls, short_lease()), runtime(&FaultyStore::new(&store), &calls, short_lease()));
    // The process has confirmed its lease before its store withholds answers.
    first.run(durable("return 1")).await.into_result().expect("the store is there");
    slow.has(Fault::HeldBack);
    let running = tokio::spawn({
        let first = first.clone();
        async move { first.run(durable("return await tools.pay({})")).await }
    });
    let id = started(&second).await;
    assert_eq!(take_over(&second, &id).await.into_result().expect("it is made here"), json!(1));
    slow.has(Fault::No);
    let interrupted = interrupted(running.await.expect("no panic"));
    assert_eq!((interrupted.execution_id, interrupted.error.code), (id.clone(), Code::Conflict));
    let calls = calls.lock().expect("no thread panicked").clone();
    assert_eq!(calls.len(), 1, "{calls:?}");
    let (key, token) = &calls[0];
    assert!(key.ends_with(":0") && *token > 1, "who takes over has a higher token: {calls:?}");
}

#[tokio::test]
async fn a_process_whose_lease_ran_out_renews_it_where_nobody_has_taken_over() {
    let (slow, calls) = (FaultyStore::new(&memory_store()), Calls::default());
    let isobox = runtime(&slow, &calls, short_lease());
    isobox.run(durable("return 1")).await.into_result().expect("the store is there");
    slow.has_for(Fault::HeldBack, Duration::from_millis(900));
    let outcome = isobox.run(durable("return await tools.pay({})")).await;
    assert_eq!(outcome.into_result().expect("it still holds it"), json!(1));
    assert_eq!(calls.lock().expect("no thread panicked").len(), 1);
}

#[tokio::test]
async fn times_in_which_no_call_could_start_are_refused() {
    let store: Arc<dyn Store> = memory_store();
    let timing = Timing::default().lease(Duration::from_secs(10));
    let refused = Isobox::builder().store(store).timing(timing).build();
    assert_eq!(refused.err().map(|failure| failure.code), Some(Code::Config));
}
