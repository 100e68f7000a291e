//! Programs that take their session, and wait for capacity then.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::pending;
use isobox::limits::{Capacity, CapacityLimits};
use isobox::sessions::{BusySession, SessionOptions, Sessions};
use isobox::store::Store;
use isobox::{ByteSize, Code, ExecutionId, Failure, Value, json};
use isobox_core::journal::StoreKey;
use isobox_core::store::MemoryStore;
use isobox_core::{Execution, Globals, Home, Host, execute};

use super::clocks::{SetClock, shared};
use super::faulty_store::{Fault, FaultyStore};
use super::frozen::{keeper, patient};
use super::told::{execution, host};

/// Longer than a session is kept for an execution that the store does not have.
const LONG: Duration = Duration::from_secs(100);

/// The time after which a program that waits renews its session. A session is kept for three times as long.
const BEAT: Duration = Duration::from_secs(20);

/// Processes that share a store and a clock.
struct World {
    clock: Arc<SetClock>,
    store: Arc<dyn Store>,
}

impl World {
    fn new() -> Self {
        let clock = Arc::new(SetClock::default());
        let store = Arc::new(MemoryStore::new(StoreKey::new([1; 32]), shared(&clock)));
        Self { clock, store }
    }

    fn process(&self, node: &str) -> Host {
        self.process_with(node, &self.store)
    }

    /// Returns a process that sees the store in its own way.
    fn process_with(&self, node: &str, store: &Arc<dyn Store>) -> Host {
        let keeper = keeper(node, Arc::clone(store), &self.clock);
        let options = SessionOptions::default();
        let sessions = Sessions::new(Arc::clone(store), Home::Store, shared(&self.clock), options);
        let limits = CapacityLimits { memory: ByteSize::mib(64), live: 1, queue: 1 };
        Host { sessions: Some(sessions), capacity: Capacity::new(limits), ..host([], shared(&self.clock), keeper) }
    }
}

/// Returns a program that counts the programs of its session.
fn cell(number: u8) -> Execution {
    Execution {
        id: ExecutionId::new(1, number.into()),
        session: Some("work".into()),
        globals: Globals::OfSession(BusySession::Refuse),
        ..execution("globalThis.n = (globalThis.n ?? 0) + 1; return n", patient())
    }
}

async fn run(host: &Host, execution: Execution) -> Result<Value, Failure> {
    Box::pin(execute(host, execution, pending())).await.expect("it is new").into_result()
}

fn is_waiting(running: &mut Pin<Box<impl Future>>) -> bool {
    running.as_mut().now_or_never().is_none()
}

/// Continues a program until it waits for capacity.
async fn until_it_waits(host: &Host, running: &mut Pin<Box<impl Future>>) {
    while host.capacity.usage().queued == 0 {
        assert!(is_waiting(running), "there is no capacity");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn a_program_that_waits_long_for_capacity_keeps_its_session() {
    let world = World::new();
    let (here, there) = (world.process("here"), world.process("there"));
    let permit = here.capacity.admit().await.expect("it is free");
    let mut first = Box::pin(run(&here, cell(1)));
    until_it_waits(&here, &mut first).await;
    for _ in 0..4 {
        world.clock.advance(LONG / 4);
        assert!(is_waiting(&mut first), "there is no capacity");
    }
    let failure = run(&there, cell(2)).await.expect_err("the first program has the session");
    assert_eq!(failure.code, Code::Conflict, "{failure}");
    drop(permit);
    assert_eq!(first.await, Ok(json!(1)));
    assert_eq!(run(&there, cell(3)).await, Ok(json!(2)));
}

#[tokio::test]
async fn a_program_that_lost_its_session_while_its_process_was_frozen_is_not_run() {
    let world = World::new();
    let (here, there) = (world.process("here"), world.process("there"));
    let permit = here.capacity.admit().await.expect("it is free");
    let mut first = Box::pin(run(&here, cell(1)));
    until_it_waits(&here, &mut first).await;
    world.clock.advance(LONG);
    assert_eq!(run(&there, cell(2)).await, Ok(json!(1)));
    drop(permit);
    let failure = first.await.expect_err("another program has used the session");
    assert_eq!(failure.code, Code::Conflict, "{failure}");
    assert_eq!(run(&there, cell(3)).await, Ok(json!(2)));
}

/// What happens two intervals after an outage began in which a program waits for capacity.
enum Then {
    /// The outage ends, and there is capacity.
    OutageEnds,
    /// Another interval passes.
    OutageLasts,
    /// There is capacity.
    CapacityInOutage,
}

#[tokio::test]
async fn a_program_that_waits_for_capacity_survives_an_outage_for_as_long_as_its_session_is_kept() {
    for then in [Then::OutageEnds, Then::OutageLasts, Then::CapacityInOutage] {
        let world = World::new();
        let faulty = FaultyStore::new(&world.store);
        let seen: Arc<dyn Store> = Arc::new(faulty.clone());
        let here = world.process_with("here", &seen);
        let permit = here.capacity.admit().await.expect("it is free");
        let mut first = Box::pin(run(&here, cell(1)));
        until_it_waits(&here, &mut first).await;
        faulty.has(Fault::Outage);
        for _ in 0..2 {
            world.clock.advance(BEAT);
            assert!(is_waiting(&mut first), "the session is kept");
        }
        match then {
            Then::OutageEnds => {
                faulty.has(Fault::No);
                drop(permit);
                assert_eq!(first.await, Ok(json!(1)));
                continue;
            }
            Then::OutageLasts => world.clock.advance(BEAT),
            // If it started, it would wait for its store for longer than its session is kept.
            Then::CapacityInOutage => drop(permit),
        }
        let ended = tokio::time::timeout(Duration::from_secs(60), first).await.expect("it does not wait for its store");
        let failure = ended.expect_err("another program may have the session");
        assert_eq!(failure.code, Code::Store, "{failure}");
    }
}

#[tokio::test]
async fn a_new_session_whose_program_never_started_can_be_deleted() {
    let world = World::new();
    let here = world.process("here");
    let _permit = here.capacity.admit().await.expect("it is free");
    let mut first = Box::pin(run(&here, cell(1)));
    until_it_waits(&here, &mut first).await;
    drop(first);
    let sessions = here.sessions.clone().expect("it keeps sessions");
    let delete = async || sessions.delete("work").await.map_err(|failure| failure.code);
    assert_eq!(delete().await, Err(Code::Conflict), "its program may be about to start");
    world.clock.advance(LONG);
    assert_eq!(delete().await, Ok(()));
    assert_eq!(delete().await, Err(Code::NotFound));
}
