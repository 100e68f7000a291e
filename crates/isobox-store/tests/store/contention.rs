//! What every store has to do when much happens at once.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{join, join_all};
use isobox_core::store::{Claim, ErrorKind, ExpectedState, Holding, Message, Release, Status};

use crate::support::{Fixture, WriteParts, batch, head, id, kind, new, node, whole};

pub(crate) async fn many_executions_are_appended_to_in_order(Fixture { store, .. }: Fixture) {
    let run = |number: u64| {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            let lease = store.create(new(number, "a")).await.unwrap();
            let written = (0..40).map(|position| {
                store.append(
                    &lease,
                    position,
                    batch(&format!("{number}.{position}")),
                    head(Status::Running, position),
                    Vec::new(),
                )
            });
            // All are handed over before the first is waited for.
            for written in written.collect::<Vec<_>>() {
                written.await.unwrap();
            }
        })
    };
    for ended in join_all((1..=50).map(run)).await {
        ended.unwrap();
    }
    for number in 1..=50 {
        let stored = whole(&*store, number).await;
        let expected = (0..40).map(|position| batch(&format!("{number}.{position}"))).collect::<Vec<_>>();
        assert_eq!((stored.batches, stored.head), (expected, head(Status::Running, 39)));
    }
}

pub(crate) async fn what_is_asked_for_later_sees_what_was_asked_for_before(Fixture { store, .. }: Fixture) {
    let lease = store.create(new(1, "a")).await.unwrap();
    for position in 0..20 {
        let message = Message { key: position.to_string(), bytes: Vec::new() };
        let posted = store.post(&id(1), vec![message], ExpectedState::Anyhow);
        let appended =
            store.append(&lease, position, batch("b"), head(Status::Running, position), vec![position.to_string()]);
        let (loaded, inbox) = (whole(&*store, 1), store.inbox(&id(1)));
        assert_eq!(loaded.await.batches.len() as u64, position + 1);
        assert_eq!(inbox.await.unwrap(), []);
        posted.await.unwrap();
        appended.await.unwrap();
    }
}

pub(crate) async fn what_nobody_waits_for_is_written(Fixture { store, other, .. }: Fixture) {
    let lease = store.create(new(1, "a")).await.unwrap();
    for position in 0..100 {
        drop(store.append(&lease, position, batch("b"), head(Status::Running, position), Vec::new()));
    }
    // Closing a store waits for the writes that it was given.
    drop(store);
    assert_eq!(whole(&*other, 1).await.batches.len(), 100);
}

pub(crate) async fn one_that_is_refused_does_not_fail_the_others(Fixture { store, .. }: Fixture) {
    let create = (0..30).map(|number| store.create(new(number, "a"))).collect::<Vec<_>>();
    let leases = join_all(create).await.into_iter().map(Result::unwrap).collect::<Vec<_>>();
    store.acquire(&id(7), &node("b"), Claim::Unfinished).await.unwrap();
    let append = leases.iter().map(|lease| store.append(lease, 0, batch("b"), head(Status::Running, 1), Vec::new()));
    for (number, appended) in (0..).zip(join_all(append.collect::<Vec<_>>()).await) {
        match number {
            7 => assert_eq!(kind(appended), ErrorKind::LeaseLost),
            _ => assert_eq!(appended.unwrap(), Holding::Held),
        }
        assert_eq!(whole(&*store, number).await.batches.len(), usize::from(number != 7));
    }
}

pub(crate) async fn of_two_who_acquire_one_gets_it(Fixture { store, other, .. }: Fixture) {
    for name in ["a", "b"] {
        store.keep_alive(&node(name), Duration::from_mins(1)).await.unwrap();
    }
    for number in 0..30 {
        store.create(new(number, "dead")).await.unwrap();
        let execution = id(number);
        let (a, b) = (node("a"), node("b"));
        let (one, another) =
            join(store.acquire(&execution, &a, Claim::Unfinished), other.acquire(&execution, &b, Claim::Unfinished))
                .await;
        assert!(one.is_ok() != another.is_ok(), "{one:?} {another:?}");
    }
}

pub(crate) async fn no_message_is_lost_between_posting_and_giving_up(Fixture { store, other, .. }: Fixture) {
    store.keep_alive(&node("a"), Duration::from_mins(1)).await.unwrap();
    for number in 0..60 {
        let lease = store.create(new(number, "a")).await.unwrap();
        let poster = Arc::clone(&other);
        let post = tokio::spawn(async move {
            let message = Message { key: "k".to_owned(), bytes: Vec::new() };
            poster.post(&id(number), vec![message], ExpectedState::Anyhow).await.unwrap();
            whole(&*poster, number).await.is_held
        });
        let released = store.release(&lease, Release::IfNothingWasSaid).await.unwrap();
        // A poster that sees no holder resumes the execution itself. If it sees a holder, the holder has to see the message.
        let saw_holder = post.await.unwrap();
        assert!(!(released == Holding::Free && saw_holder), "the message to {number} is seen by nobody");
    }
}
