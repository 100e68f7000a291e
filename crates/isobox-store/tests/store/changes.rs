//! Changes of several parts: all of them or none.

use std::sync::Arc;

use isobox_core::store::{
    Append, Change, Checkpoint, Claim, ErrorKind, ExpectedState, Holding, Lease, Message, Part, Release, Status, Store,
    Stored,
};

use crate::support::{Fixture, WriteParts, batch, head, id, kind, new, node};

/// The change of an execution that comes to rest: its last batch, its checkpoint, its lease.
fn pause(lease: &Lease, position: u64, covered: u64) -> Arc<Change> {
    let append = Append { position, batch: batch("pause"), head: head(Status::Paused, 9), heard: Vec::new() };
    let checkpoint = Checkpoint { position: covered, seal: [1; 32], bytes: vec![7; 100] };
    let release = Some(Release::IfNothingWasSaid);
    Arc::new(Change { append: Some(append), checkpoint: Some(checkpoint), release, ..Change::under(lease.clone()) })
}

async fn since_checkpoint(store: &dyn Store) -> Stored {
    store.load(&id(1), Part::SinceCheckpoint).await.unwrap()
}

pub(crate) async fn a_pause_is_written_as_one_change(Fixture { store, other, .. }: Fixture) {
    let lease = store.create(new(1, "a")).await.unwrap();
    store.append(&lease, 0, batch("first"), head(Status::Running, 2), Vec::new()).await.unwrap();
    assert_eq!(store.write(pause(&lease, 1, 2)).await.unwrap(), Holding::Free);
    let stored = since_checkpoint(&*other).await;
    assert_eq!((stored.head.status, stored.batches.len()), (Status::Paused, 0));
    assert_eq!(stored.checkpoint.map(|checkpoint| checkpoint.position), Some(2));
    other.acquire(&id(1), &node("b"), Claim::Unfinished).await.unwrap();
    assert_eq!(kind(store.write(pause(&lease, 2, 3)).await), ErrorKind::LeaseLost);
}

pub(crate) async fn an_execution_is_created_paused_and_let_go_of_in_one_change(Fixture { store, other, .. }: Fixture) {
    let first = new(1, "a");
    let whole = Change { create: first.create.clone(), ..Change::clone(&pause(&first.lease, 0, 1)) };
    assert_eq!(store.write(Arc::new(whole.clone())).await.unwrap(), Holding::Free);
    let stored = since_checkpoint(&*other).await;
    assert_eq!(stored.beginning, first.create.unwrap().beginning);
    assert_eq!((stored.head.status, stored.batches.len()), (Status::Paused, 0));
    // Nothing of a second one is written, and another process goes on with the first.
    assert_eq!(kind(store.write(Arc::new(whole)).await), ErrorKind::AlreadyExists);
    assert_eq!(other.acquire(&id(1), &node("b"), Claim::Unfinished).await.unwrap().epoch, 2);
    // One that does not fit is not created.
    let second = new(2, "a");
    for (position, covered) in [(1, 1), (0, 2)] {
        let change =
            Change { create: second.create.clone(), ..Change::clone(&pause(&second.lease, position, covered)) };
        assert_eq!(kind(store.write(Arc::new(change)).await), ErrorKind::LeaseLost, "{position} {covered}");
    }
    assert_eq!(kind(other.load(&id(2), Part::Whole).await.map(drop)), ErrorKind::NotFound);
}

pub(crate) async fn a_pause_is_written_though_there_are_messages_and_the_lease_stays(
    Fixture { store, other, .. }: Fixture,
) {
    let lease = store.create(new(1, "a")).await.unwrap();
    let message = Message { key: "k".to_owned(), bytes: vec![1] };
    other.post(&id(1), vec![message], ExpectedState::Anyhow).await.unwrap();
    assert_eq!(store.write(pause(&lease, 0, 1)).await.unwrap(), Holding::HasMessages);
    assert_eq!(since_checkpoint(&*other).await.head.status, Status::Paused);
    store.append(&lease, 1, batch("on"), head(Status::Running, 10), vec!["k".to_owned()]).await.unwrap();
    assert_eq!(store.write(pause(&lease, 2, 3)).await.unwrap(), Holding::Free);
}

pub(crate) async fn of_a_change_that_is_refused_nothing_is_written(Fixture { store, other, .. }: Fixture) {
    let lease = store.create(new(1, "a")).await.unwrap();
    store.append(&lease, 0, batch("first"), head(Status::Running, 2), Vec::new()).await.unwrap();
    // The batch is not the next one; the checkpoint covers more than there will be.
    for (position, covered) in [(0, 1), (2, 1), (1, 3)] {
        assert_eq!(
            kind(store.write(pause(&lease, position, covered)).await),
            ErrorKind::LeaseLost,
            "{position} {covered}"
        );
    }
    let stored = since_checkpoint(&*other).await;
    assert_eq!((stored.head.status, stored.batches.len(), stored.checkpoint), (Status::Running, 1, None));
    // The lease was not released either.
    store.append(&lease, 1, batch("second"), head(Status::Running, 3), Vec::new()).await.unwrap();
}
