//! Executions that a process no longer runs, and that it could not release at once.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::pending;
use isobox::Tool;
use isobox::store::Store;
use isobox_core::journal::StoreKey;
use isobox_core::store::{Claim, ErrorKind, MemoryStore, Node};
use isobox_core::{Keeper, Timing, execute};
use tokio::sync::Notify;

use super::clocks::{HastyClock, SetClock, shared};
use super::faulty_store::{Fault, FaultyStore};
use super::frozen::{keeper, patient};
use super::told::{execution, host, id};

fn at_once<T>(answer: impl Future<Output = T>) -> T {
    answer.now_or_never().expect("it waits for nothing")
}

#[tokio::test]
async fn a_heartbeat_does_not_wait_for_executions_that_cannot_be_released_and_a_later_one_releases_them() {
    let clock = Arc::new(SetClock::default());
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new(StoreKey::new([1; 32]), shared(&clock)));
    let faulty = FaultyStore::new(&store);
    let own =
        Keeper::new(Arc::new(faulty.clone()), Node("here".into()), Arc::<HastyClock>::default(), Timing::default());
    let other = keeper("there", Arc::clone(&store), &clock);
    at_once(own.keep_alive()).expect("it is alive");
    at_once(other.keep_alive()).expect("it is alive");
    let called = Arc::new(Notify::new());
    let calls = Arc::clone(&called);
    let hang = Tool::new("hang", move |_| {
        calls.notify_one();
        pending()
    });
    let host = host([hang.expect("a tool")], shared(&clock), own.clone());
    let mut running = Box::pin(execute(&host, execution("await tools.hang()", patient()), pending()));
    tokio::select! {
        _ = &mut running => panic!("its call never ends"),
        () = called.notified() => {}
    }
    faulty.has(Fault::Unanswered);
    drop(running);
    at_once(own.keep_alive()).expect("heartbeats are answered");
    let acquired = || at_once(other.store.acquire(&id(), &other.node, Claim::Unfinished)).map_err(|error| error.kind());
    assert_eq!(acquired().err(), Some(ErrorKind::HeldElsewhere), "the release has not arrived");
    faulty.has(Fault::No);
    at_once(own.keep_alive()).expect("it is alive");
    assert!(acquired().is_ok(), "it is released now");
}
