//! Who may write to an execution, in every store.

use std::time::Duration;

use isobox_core::store::{Claim, ErrorKind, ExpectedState, Filter, Holding, Part, Release, Status, Store};

use crate::support::{Fixture, WriteParts, batch, checkpoint, head, id, kind, message, new, node, whole};

const MINUTE: Duration = Duration::from_mins(1);

pub(crate) async fn a_lease_is_taken_over_only_when_its_node_is_no_longer_alive(Fixture { store, other, .. }: Fixture) {
    store.keep_alive(&node("a"), MINUTE).await.unwrap();
    let lease = store.create(new(1, "a")).await.unwrap();
    let refused = other.acquire(&id(1), &node("b"), Claim::Unfinished).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::HeldElsewhere);
    assert!(refused.message().contains("another process is running"), "{refused}");

    store.keep_alive(&node("a"), Duration::from_millis(50)).await.unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;
    let taken = other.acquire(&id(1), &node("b"), Claim::Unfinished).await.unwrap();
    assert!(taken.epoch > lease.epoch);
    other.append(&taken, 0, batch("by b"), head(Status::Running, 2), Vec::new()).await.unwrap();
}

pub(crate) async fn a_node_that_lost_track_of_a_lease_takes_it_again(Fixture { store, other, .. }: Fixture) {
    store.keep_alive(&node("a"), MINUTE).await.unwrap();
    let lost = store.create(new(1, "a")).await.unwrap();
    let found = other.acquire(&id(1), &node("a"), Claim::Unfinished).await.unwrap();
    assert_eq!(
        kind(store.append(&lost, 0, batch("lost"), head(Status::Running, 2), Vec::new()).await),
        ErrorKind::LeaseLost
    );
    other.append(&found, 0, batch("found"), head(Status::Running, 2), Vec::new()).await.unwrap();
    assert_eq!(kind(other.acquire(&id(1), &node("b"), Claim::Unfinished).await), ErrorKind::HeldElsewhere);
}

pub(crate) async fn a_lease_is_renewed_only_by_its_holder(Fixture { store, other, .. }: Fixture) {
    let lease = store.create(new(1, "a")).await.unwrap();
    assert!(!whole(&*other, 1).await.is_held, "its node has not said that it is alive");
    store.renew(&lease, MINUTE).await.unwrap();
    assert_eq!(kind(other.acquire(&id(1), &node("b"), Claim::Unfinished).await), ErrorKind::HeldElsewhere);

    // It has run out, and nobody has taken it.
    store.renew(&lease, Duration::ZERO).await.unwrap();
    store.renew(&lease, Duration::ZERO).await.unwrap();
    let taken = other.acquire(&id(1), &node("b"), Claim::Unfinished).await.unwrap();
    assert_eq!(kind(store.renew(&lease, MINUTE).await), ErrorKind::LeaseLost);
    other.acquire(&id(1), &node("b"), Claim::Unfinished).await.unwrap();
    assert_eq!(kind(other.renew(&taken, MINUTE).await), ErrorKind::LeaseLost, "an epoch later");
    store.delete(&id(1), ExpectedState::Anyhow).await.unwrap();
    assert_eq!(kind(store.renew(&lease, MINUTE).await), ErrorKind::NotFound);
}

pub(crate) async fn a_process_that_lost_its_lease_writes_nothing(Fixture { store, other, .. }: Fixture) {
    let lost = store.create(new(1, "a")).await.unwrap();
    let held = other.acquire(&id(1), &node("a"), Claim::Unfinished).await.unwrap();
    other.append(&held, 0, batch("kept"), head(Status::Paused, 2), Vec::new()).await.unwrap();
    other.save_checkpoint(&held, checkpoint(1, "kept")).await.unwrap();
    other.post(&id(1), vec![message("k", "kept")], ExpectedState::Anyhow).await.unwrap();

    // The same node, but an epoch later.
    let heard = vec!["k".to_owned()];
    assert_eq!(kind(store.append(&lost, 1, batch("lost"), head(Status::Failed, 9), heard).await), ErrorKind::LeaseLost);
    assert_eq!(kind(store.save_checkpoint(&lost, checkpoint(1, "lost")).await), ErrorKind::LeaseLost);
    assert_eq!(kind(store.release(&lost, Release::IfNothingWasSaid).await), ErrorKind::LeaseLost);

    let stored = store.load(&id(1), Part::SinceCheckpoint).await.unwrap();
    assert_eq!((stored.head, stored.checkpoint), (head(Status::Paused, 2), Some(checkpoint(1, "kept"))));
    assert_eq!(store.inbox(&id(1)).await.unwrap(), [message("k", "kept")]);
    other.append(&held, 1, batch("on"), head(Status::Paused, 3), Vec::new()).await.unwrap();
}

pub(crate) async fn a_lease_that_was_given_up_is_free(Fixture { store, other, .. }: Fixture) {
    store.keep_alive(&node("a"), MINUTE).await.unwrap();
    let lease = store.create(new(1, "a")).await.unwrap();
    assert_eq!(store.release(&lease, Release::IfNothingWasSaid).await.unwrap(), Holding::Free);
    assert!(!whole(&*store, 1).await.is_held);
    assert_eq!(
        kind(store.append(&lease, 0, batch("late"), head(Status::Running, 2), Vec::new()).await),
        ErrorKind::LeaseLost
    );
    assert_eq!(kind(store.release(&lease, Release::IfNothingWasSaid).await), ErrorKind::LeaseLost);
    other.acquire(&id(1), &node("b"), Claim::Unfinished).await.unwrap();
}

pub(crate) async fn a_lease_is_not_given_up_over_messages(Fixture { store, other, .. }: Fixture) {
    store.keep_alive(&node("a"), MINUTE).await.unwrap();
    let lease = store.create(new(1, "a")).await.unwrap();
    other.post(&id(1), vec![message("approve 0", "yes")], ExpectedState::Anyhow).await.unwrap();
    assert_eq!(store.release(&lease, Release::IfNothingWasSaid).await.unwrap(), Holding::HasMessages);
    assert!(whole(&*store, 1).await.is_held);
    store.append(&lease, 0, batch("before"), head(Status::Running, 2), Vec::new()).await.unwrap();
    assert_eq!(
        store.release(&lease, Release::Anyhow).await.unwrap(),
        Holding::Free,
        "a holder that goes takes nothing along"
    );
    assert_eq!(other.inbox(&id(1)).await.unwrap().len(), 1);
    let lease = other.acquire(&id(1), &node("a"), Claim::Unfinished).await.unwrap();
    let heard = vec!["approve 0".to_owned()];
    store.append(&lease, 1, batch("decided"), head(Status::Running, 3), heard).await.unwrap();
    assert_eq!(store.release(&lease, Release::IfNothingWasSaid).await.unwrap(), Holding::Free);
}

pub(crate) async fn what_is_over_is_neither_held_nor_acquired_nor_posted_to(Fixture { store, other, .. }: Fixture) {
    store.keep_alive(&node("a"), MINUTE).await.unwrap();
    for (number, status) in (1..).zip([Status::Completed, Status::Failed, Status::Rejected]) {
        let lease = store.create(new(number, "a")).await.unwrap();
        store.append(&lease, 0, batch("end"), head(status, 2), Vec::new()).await.unwrap();
        // Its holder has not given it up yet, and there is nothing to hold any more.
        assert!(!whole(&*other, number).await.is_held);
        assert!(!other.list(Filter::newest(1)).await.unwrap().executions[0].is_held);
        let refused = other.post(&id(number), vec![message("k", "m")], ExpectedState::Anyhow).await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Over(status));
        assert!(refused.message().contains(status.as_str()), "{refused}");
        assert_eq!(kind(other.acquire(&id(number), &node("b"), Claim::Unfinished).await), ErrorKind::Over(status));
        assert_eq!(store.release(&lease, Release::IfNothingWasSaid).await.unwrap(), Holding::Free);
        assert_eq!(kind(other.acquire(&id(number), &node("b"), Claim::Unfinished).await), ErrorKind::Over(status));
    }
}

pub(crate) async fn what_has_ended_is_claimed_to_be_rolled_back(Fixture { store, other, .. }: Fixture) {
    for alive in ["a", "b", "c"] {
        store.keep_alive(&node(alive), MINUTE).await.unwrap();
    }
    for (number, status) in (1..).zip([Status::Running, Status::Paused, Status::Sleeping]) {
        let lease = store.create(new(number, "a")).await.unwrap();
        store.append(&lease, 0, batch("under way"), head(status, 2), Vec::new()).await.unwrap();
        store.release(&lease, Release::Anyhow).await.unwrap();
        let refused = other.acquire(&id(number), &node("b"), Claim::Ended).await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::NotOver, "{status:?}");
        other.acquire(&id(number), &node("b"), Claim::Unfinished).await.unwrap();
    }
    for (number, status) in (4..).zip([Status::Completed, Status::Failed, Status::Rejected, Status::RolledBack]) {
        // Its holder has not given it up: there is nothing to hold any more.
        let ended = store.create(new(number, "a")).await.unwrap();
        store.append(&ended, 0, batch("end"), head(status, 2), Vec::new()).await.unwrap();
        let rolling = other.acquire(&id(number), &node("b"), Claim::Ended).await.unwrap();
        assert!(rolling.epoch > ended.epoch);
        other.append(&rolling, 1, batch("rollback"), head(Status::Running, 3), Vec::new()).await.unwrap();
        assert!(whole(&*store, number).await.is_held, "{status:?}");
        for (claim, expected) in [(Claim::Ended, ErrorKind::NotOver), (Claim::Unfinished, ErrorKind::HeldElsewhere)] {
            let refused = store.acquire(&id(number), &node("c"), claim).await;
            assert_eq!(kind(refused), expected, "{status:?} as {claim:?}");
        }
        let lost = store.append(&ended, 2, batch("late"), head(status, 4), Vec::new()).await;
        assert_eq!(kind(lost), ErrorKind::LeaseLost);
        other.append(&rolling, 2, batch("end"), head(Status::RolledBack, 4), Vec::new()).await.unwrap();
        other.release(&rolling, Release::Anyhow).await.unwrap();
        store.acquire(&id(number), &node("c"), Claim::Ended).await.unwrap();
    }
}

pub(crate) async fn of_two_rollbacks_one_begins(Fixture { store, other, .. }: Fixture) {
    for alive in ["a", "b"] {
        store.keep_alive(&node(alive), MINUTE).await.unwrap();
    }
    for number in 1..=20 {
        let lease = store.create(new(number, "a")).await.unwrap();
        store.append(&lease, 0, batch("end"), head(Status::Completed, 2), Vec::new()).await.unwrap();
        store.release(&lease, Release::Anyhow).await.unwrap();
        let roll_back = async |store: &dyn Store, by: &str| {
            let lease = store.acquire(&id(number), &node(by), Claim::Ended).await?;
            store.append(&lease, 1, batch(by), head(Status::Running, 3), Vec::new()).await
        };
        let (one, another) = futures_util::join!(roll_back(&*store, "a"), roll_back(&*other, "b"));
        let begun = [("a", &one), ("b", &another)].into_iter().filter(|(_, result)| result.is_ok());
        let begun: Vec<&str> = begun.map(|(by, _)| by).collect();
        assert_eq!(begun.len(), 1, "{one:?} and {another:?}");
        assert_eq!(whole(&*store, number).await.batches, [batch("end"), batch(begun[0])]);
    }
}
