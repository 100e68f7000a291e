//! Processes that freeze in the middle of a request to their store, for longer than their leases last, and clocks that jump.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::pending;
use isobox::journal::{Decision, Instruction, Remember, Verdict};
use isobox::store::Store;
use isobox::{CallSeq, Code, ConflictKind, Failure, Limits, Outcome, Principal, Tool, Value};
use isobox_core::journal::StoreKey;
use isobox_core::store::{Claim, MemoryStore, Node};
use isobox_core::{Clock, Host, Keeper, Means, OwnDecisions, Timing, decide, execute, expire, resume, stop};

use super::clocks::{SetClock, shared};
use super::faulty_store::{FaultyStore, Request};
use super::told::{execution, host, id};

/// Twice as long as a lease.
const FROZEN: Duration = Duration::from_secs(60);

/// A process whose store can freeze it, and the store as others see it.
struct World {
    clock: Arc<SetClock>,
    store: Arc<dyn Store>,
    faulty: FaultyStore,
    keeper: Keeper,
}

impl World {
    fn new() -> Self {
        let clock = Arc::new(SetClock::default());
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new(StoreKey::new([1; 32]), shared(&clock)));
        let faulty = FaultyStore::new(&store);
        let keeper = keeper("here", Arc::new(faulty.clone()), &clock);
        Self { clock, store, faulty, keeper }
    }
}

pub(super) fn keeper(node: &str, store: Arc<dyn Store>, clock: &Arc<SetClock>) -> Keeper {
    Keeper::new(store, Node(node.into()), shared(clock), Timing::default())
}

/// Returns a tool that counts its calls.
fn counting(path: &str, calls: &Arc<AtomicU32>) -> Tool {
    let calls = Arc::clone(calls);
    let tool = Tool::new(path, move |input: Value| {
        calls.fetch_add(1, Ordering::SeqCst);
        async move { Ok(input) }
    });
    tool.expect("a tool")
}

pub(super) fn patient() -> Limits {
    Limits::default().timeout(FROZEN * 60)
}

fn at_once<T>(answer: impl Future<Output = T>) -> T {
    answer.now_or_never().expect("memory answers at once")
}

#[tokio::test]
async fn a_write_that_was_sent_before_a_freeze_proves_no_lease_after_it() {
    let World { clock, store, faulty, keeper: own } = World::new();
    own.keep_alive().await.expect("it is alive");
    let (other, beating, frozen) = (keeper("there", store, &clock), own.clone(), Arc::clone(&clock));
    faulty.freezes_in(Request::Write, move || {
        frozen.advance(FROZEN);
        at_once(other.keep_alive()).expect("it is alive");
        at_once(other.store.acquire(&id(), &other.node, Claim::Unfinished)).expect("the lease has expired");
        // Of the process that thaws, the heartbeat goes on first.
        at_once(beating.keep_alive()).expect("it is alive");
    });
    let calls = Arc::default();
    let host = host([counting("pay", &calls)], shared(&clock), own);
    let execution = execution("return await tools.pay(3)", patient());
    let outcome = Box::pin(execute(&host, execution, pending())).await.expect("it is new");
    assert_eq!(calls.load(Ordering::SeqCst), 0, "the other process makes the call");
    let Outcome::Interrupted(interrupted) = outcome else { panic!("another process has taken over: {outcome:?}") };
    assert_eq!(interrupted.error.conflict_kind(), Some(ConflictKind::TakenOver), "{}", interrupted.error);
}

/// Cancels the execution, as another process does.
fn cancel(store: &dyn Store, clock: &SetClock) {
    let said = Instruction::Cancel { by: "bob".to_owned(), reason: None, at: clock.now() };
    let posted = at_once(stop(store, &id(), &Principal::named("bob"), OwnDecisions::Allow, &said));
    posted.map_err(Failure::from).expect("it has not ended");
}

/// Approves the first call of the execution, as another process does.
fn approve(store: &dyn Store, clock: &SetClock) {
    let (ada, at) = (Principal::named("ada"), clock.now());
    let posted = at_once(decide(store, &id(), &ada, (at, OwnDecisions::Allow), |state| {
        let (seq, verdict) = (CallSeq::new(0), Verdict::Approve);
        let asked = state.check_verdict(seq, state.revision, &verdict, at)?;
        Ok(vec![Decision { seq, asked, verdict, by: "ada".to_owned(), reason: None, remember: Remember::Nothing }])
    }));
    posted.map_err(Failure::from).expect("it is pending");
}

/// Runs a program whose call waits for approval.
async fn pause(host: &Host) {
    let execution = execution("return await tools.pay(3)", patient());
    let outcome = Box::pin(execute(host, execution, pending())).await.expect("it is new");
    assert!(matches!(outcome, Outcome::Paused(_)), "{outcome:?}");
}

#[tokio::test]
async fn no_call_starts_after_a_freeze_in_which_the_execution_was_cancelled() {
    let World { clock, store, faulty, keeper: own } = World::new();
    own.keep_alive().await.expect("it is alive");
    let (beating, frozen) = (own.clone(), Arc::clone(&clock));
    faulty.freezes_in(Request::Write, move || {
        frozen.advance(FROZEN);
        cancel(&*store, &frozen);
        // No other process has taken over.
        at_once(beating.keep_alive()).expect("it is alive");
    });
    let calls = Arc::default();
    let host = host([counting("pay", &calls)], shared(&clock), own);
    let execution = execution("return await tools.pay(3)", patient());
    let outcome = Box::pin(execute(&host, execution, pending())).await.expect("it is new");
    let failure = outcome.into_result().expect_err("it was cancelled");
    assert_eq!((failure.code, calls.load(Ordering::SeqCst)), (Code::Aborted, 0), "{failure}");
}

#[tokio::test]
async fn a_resume_that_froze_before_it_went_on_reads_its_inbox_again() {
    let World { clock, store, faulty, keeper: own } = World::new();
    own.keep_alive().await.expect("it is alive");
    let calls = Arc::default();
    let host = host([counting("pay", &calls).with_approval()], shared(&clock), own.clone());
    pause(&host).await;
    approve(&*store, &clock);
    let frozen = Arc::clone(&clock);
    faulty.freezes_in(Request::Load, move || {
        frozen.advance(FROZEN);
        cancel(&*store, &frozen);
        at_once(own.keep_alive()).expect("it is alive");
    });
    let resumed = Box::pin(resume(&host, &id(), Means::default(), pending())).await;
    let outcome = resumed.map_err(Failure::from).expect("no other process has taken over");
    let failure = outcome.into_result().expect_err("it was cancelled");
    assert_eq!((failure.code, calls.load(Ordering::SeqCst)), (Code::Aborted, 0), "{failure}");
}

#[tokio::test]
async fn nothing_expires_that_was_decided_while_the_process_was_frozen() {
    let World { clock, store, faulty, keeper: own } = World::new();
    own.keep_alive().await.expect("it is alive");
    let calls = Arc::default();
    let host = host([counting("pay", &calls).with_approval()], shared(&clock), own.clone());
    pause(&host).await;
    clock.advance(Duration::from_secs(1));
    let frozen = Arc::clone(&clock);
    faulty.freezes_in(Request::Load, move || {
        frozen.advance(FROZEN);
        approve(&*store, &frozen);
        at_once(own.keep_alive()).expect("it is alive");
    });
    let expired = Box::pin(expire(&host, &Principal::host(), clock.now())).await.expect("the store works");
    assert!(expired.is_empty(), "it was decided about in time: {expired:?}");
    let resumed = Box::pin(resume(&host, &id(), Means::default(), pending())).await;
    let outcome = resumed.map_err(Failure::from).expect("it goes on");
    assert_eq!((outcome.into_result(), calls.load(Ordering::SeqCst)), (Ok(Value::from(3)), 1));
}

#[tokio::test]
async fn no_call_is_repeated_after_a_renewal_that_was_answered_too_late() {
    let World { clock, faulty, keeper: own, .. } = World::new();
    own.keep_alive().await.expect("it is alive");
    let (looks, payments) = (Arc::default(), Arc::default());
    let tools = [counting("look", &looks).ephemeral(), counting("pay", &payments).with_approval()];
    let host = host(tools, shared(&clock), own);
    let execution = execution("return await tools.pay(await tools.look(3))", patient());
    let outcome = Box::pin(execute(&host, execution, pending())).await.expect("it is new");
    assert!(matches!(outcome, Outcome::Paused(_)), "{outcome:?}");
    assert_eq!(looks.load(Ordering::SeqCst), 1);

    // Its lease has to be renewed before the result that is not stored is asked for again.
    clock.advance(FROZEN);
    let frozen = Arc::clone(&clock);
    faulty.freezes_in(Request::Renewal, move || frozen.advance(FROZEN));
    let refused = Box::pin(resume(&host, &id(), Means::default(), pending())).await;
    let failure = Failure::from(refused.expect_err("the lease has expired again"));
    assert_eq!(failure.code, Code::Store, "{failure}");
    assert_eq!(looks.load(Ordering::SeqCst), 1, "another process may hold the execution");

    let resumed = Box::pin(resume(&host, &id(), Means::default(), pending())).await;
    let outcome = resumed.map_err(Failure::from).expect("the store answers in time");
    assert!(matches!(outcome, Outcome::Paused(_)), "{outcome:?}");
    assert_eq!((looks.load(Ordering::SeqCst), payments.load(Ordering::SeqCst)), (2, 0));
}

#[tokio::test]
async fn a_clock_that_jumps_ahead_during_a_sleep_does_not_shorten_the_lifetime() {
    const NAP: u64 = 600_000;
    let World { clock, keeper: own, .. } = World::new();
    own.keep_alive().await.expect("it is alive");
    let host = host([], shared(&clock), own);
    let source = format!("for (;;) await new Promise((done) => setTimeout(done, {NAP}))");
    let limits = patient().lifetime(Duration::from_millis(6 * NAP));
    let mut outcome = Box::pin(execute(&host, execution(&source, limits), pending())).await.expect("it is new");
    let mut naps = 0;
    while let Outcome::Sleeping(sleeping) = &outcome {
        naps += 1;
        clock.advance(Duration::from_millis(sleeping.until.0 - clock.now().0));
        if naps == 2 {
            clock.advance(FROZEN * 60 * 24 * 365);
        }
        let resumed = Box::pin(resume(&host, &id(), Means::default(), pending())).await;
        outcome = resumed.map_err(Failure::from).expect("it is woken");
    }
    assert_eq!(naps, 6, "each nap takes a sixth of the lifetime");
    let failure = outcome.into_result().expect_err("its lifetime is over");
    assert_eq!((failure.code, &failure.details["limit"]), (Code::Timeout, &Value::from("lifetime")), "{failure}");
}
