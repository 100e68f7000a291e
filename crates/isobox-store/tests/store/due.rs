//! Executions that wait for timers are found when they are due.

use std::time::Duration;

use isobox_core::Timestamp;
use isobox_core::store::{Claim, DueExecution, ExpectedState, Filter, Head, Release, State, Status, stale};

use crate::support::{Fixture, WriteParts, batch, head, id, new, node, whole};

const MINUTE: Duration = Duration::from_mins(1);

fn asleep(updated: u64, due: u64) -> Head {
    Head { due: Some(Timestamp(due)), ..head(Status::Sleeping, updated) }
}

fn due(number: u64, at: u64) -> DueExecution {
    DueExecution { at: Timestamp(at), id: id(number) }
}

pub(crate) async fn what_is_due_is_found_in_the_order_of_its_time(Fixture { store, other, .. }: Fixture) {
    // Not in the order of their names.
    for (number, at) in [(1, 50), (2, 20), (3, 30), (4, 90), (5, 20)] {
        let lease = store.create(new(number, "a")).await.unwrap();
        store.append(&lease, 0, batch("b"), asleep(number, at), Vec::new()).await.unwrap();
        store.release(&lease, Release::IfNothingWasSaid).await.unwrap();
    }
    store.create(new(6, "a")).await.unwrap();
    assert_eq!(whole(&*other, 1).await.head, asleep(1, 50));
    let agenda = other.due(Timestamp(50), None, 9).await.unwrap();
    assert_eq!(agenda.due, [due(2, 20), due(5, 20), due(3, 30), due(1, 50)]);
    assert_eq!(agenda.next, Some(Timestamp(90)));
    // Page by page, also between two that are due at the same time.
    let first = other.due(Timestamp(50), None, 1).await.unwrap();
    assert_eq!((&first.due[..], &first.after), (&[due(2, 20)][..], &Some(due(2, 20).place())));
    let second = other.due(Timestamp(50), first.after, 2).await.unwrap();
    assert_eq!((second.due, second.next), (vec![due(5, 20), due(3, 30)], Some(Timestamp(90))));
    let last = other.due(Timestamp(50), second.after, 2).await.unwrap();
    assert_eq!((last.due, last.after), (vec![due(1, 50)], None));
    assert_eq!(other.due(Timestamp(50), Some(due(1, 50).place()), 9).await.unwrap().due, []);
    let early = other.due(Timestamp(19), None, 9).await.unwrap();
    assert_eq!((early.due, early.next), (Vec::new(), Some(Timestamp(20))));
    assert_eq!(other.due(Timestamp(u64::MAX), None, 0).await.unwrap().due, []);
    assert_eq!(other.due(Timestamp(90), None, 9).await.unwrap().next, None);
}

pub(crate) async fn what_a_live_process_holds_is_not_due_for_others(Fixture { store, other, .. }: Fixture) {
    store.keep_alive(&node("alive"), MINUTE).await.unwrap();
    for number in [1, 2] {
        let lease = store.create(new(number, "dead")).await.unwrap();
        store.append(&lease, 0, batch("b"), asleep(number, 10 + number), Vec::new()).await.unwrap();
        store.release(&lease, Release::Anyhow).await.unwrap();
    }
    let lease = store.acquire(&id(1), &node("alive"), Claim::Unfinished).await.unwrap();
    assert_eq!(other.due(Timestamp(99), None, 9).await.unwrap().due, [due(2, 12)]);
    // The process dies after it has woken the execution.
    let woken = Head { due: Some(Timestamp(11)), ..head(Status::Running, 3) };
    store.append(&lease, 1, batch("woken"), woken, Vec::new()).await.unwrap();
    store.keep_alive(&node("alive"), Duration::ZERO).await.unwrap();
    assert_eq!(other.due(Timestamp(99), None, 9).await.unwrap().due, [due(1, 11), due(2, 12)]);
    // What is over, or waits for people only, is not due.
    let lease = store.acquire(&id(1), &node("b"), Claim::Unfinished).await.unwrap();
    store.append(&lease, 2, batch("over"), head(Status::Completed, 4), Vec::new()).await.unwrap();
    let lease = store.acquire(&id(2), &node("b"), Claim::Unfinished).await.unwrap();
    store.append(&lease, 1, batch("paused"), head(Status::Paused, 4), Vec::new()).await.unwrap();
    let agenda = other.due(Timestamp(99), None, 9).await.unwrap();
    assert_eq!((agenda.due, agenda.next), (Vec::new(), None));
}

pub(crate) async fn what_is_deleted_is_no_longer_due(Fixture { store, other, .. }: Fixture) {
    let lease = store.create(new(1, "a")).await.unwrap();
    store.append(&lease, 0, batch("b"), asleep(1, 10), Vec::new()).await.unwrap();
    store.delete(&id(1), ExpectedState::Anyhow).await.unwrap();
    assert_eq!(other.due(Timestamp(99), None, 9).await.unwrap().due, []);
}

pub(crate) async fn a_sleeper_is_stale_only_when_it_was_not_woken(Fixture { store, other, .. }: Fixture) {
    let paused = |due: u64| Head { due: Some(Timestamp(due)), ..head(Status::Paused, 1) };
    for (number, head) in [(1, asleep(1, 500)), (2, asleep(1, 50)), (3, paused(500)), (4, paused(50))] {
        let lease = store.create(new(number, "a")).await.unwrap();
        store.append(&lease, 0, batch("b"), head, Vec::new()).await.unwrap();
        store.release(&lease, Release::Anyhow).await.unwrap();
    }
    let stale = stale(&*other, Timestamp(100)).await.unwrap();
    assert_eq!(stale.iter().map(|listed| listed.created.0).collect::<Vec<_>>(), [4, 2]);
    let sleeping = other.list(Filter::newest(9).with(State::Sleeping)).await.unwrap().executions;
    assert_eq!(sleeping.iter().map(|listed| listed.created.0).collect::<Vec<_>>(), [2, 1]);
}
