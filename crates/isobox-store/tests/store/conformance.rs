//! What every store has to do.

use std::time::Duration;

use isobox_core::store::{
    Claim, ErrorKind, ExpectedState, Filter, Head, Message, Part, Release, State, Status, Store, prune, stale,
};
use isobox_core::{Principal, Timestamp};

use crate::support::{Fixture, WriteParts, batch, checkpoint, head, id, kind, message, new, node, whole};

const MINUTE: Duration = Duration::from_mins(1);

pub(crate) async fn what_was_created_is_loaded_as_it_was(Fixture { store, other, .. }: Fixture) {
    let lease = store.create(new(1, "a")).await.unwrap();
    assert_eq!((lease.execution.clone(), lease.node.clone()), (id(1), node("a")));
    store.append(&lease, 0, batch("first"), head(Status::Running, 2), Vec::new()).await.unwrap();
    store.append(&lease, 1, batch("second"), head(Status::Paused, 3), Vec::new()).await.unwrap();

    let stored = whole(&*other, 1).await;
    assert_eq!(stored.beginning, batch("beginning of 1"));
    assert_eq!(stored.batches, [batch("first"), batch("second")]);
    assert_eq!(stored.head, head(Status::Paused, 3));
    assert_eq!(stored.checkpoint, None);
    assert!(!stored.is_held);
    store.keep_alive(&node("a"), MINUTE).await.unwrap();
    assert!(whole(&*other, 1).await.is_held);
    assert_eq!(store.key().as_bytes(), other.key().as_bytes());
}

pub(crate) async fn an_execution_is_created_once(Fixture { store, other, .. }: Fixture) {
    let lease = store.create(new(1, "a")).await.unwrap();
    store.append(&lease, 0, batch("first"), head(Status::Running, 2), Vec::new()).await.unwrap();
    assert_eq!(kind(other.create(new(1, "b")).await), ErrorKind::AlreadyExists);
    store.append(&lease, 1, batch("second"), head(Status::Running, 3), Vec::new()).await.unwrap();
    assert_eq!(whole(&*store, 1).await.batches.len(), 2);
}

pub(crate) async fn what_is_not_there_is_not_found(Fixture { store, .. }: Fixture) {
    let lease = store.create(new(1, "a")).await.unwrap();
    store.delete(&id(1), ExpectedState::Anyhow).await.unwrap();
    assert_eq!(
        kind(store.append(&lease, 0, batch("b"), head(Status::Running, 2), Vec::new()).await),
        ErrorKind::NotFound
    );
    assert_eq!(kind(store.save_checkpoint(&lease, checkpoint(0, "c")).await), ErrorKind::NotFound);
    assert_eq!(kind(store.release(&lease, Release::IfNothingWasSaid).await), ErrorKind::NotFound);
    assert_eq!(kind(store.acquire(&id(1), &node("a"), Claim::Unfinished).await), ErrorKind::NotFound);
    assert_eq!(kind(store.load(&id(1), Part::Whole).await), ErrorKind::NotFound);
    assert_eq!(kind(store.post(&id(1), vec![message("k", "m")], ExpectedState::Anyhow).await), ErrorKind::NotFound);
    assert_eq!(kind(store.inbox(&id(1)).await), ErrorKind::NotFound);
    assert_eq!(kind(store.delete(&id(1), ExpectedState::Anyhow).await), ErrorKind::NotFound);
    assert_eq!(store.list(Filter::newest(9)).await.unwrap().executions, []);
}

pub(crate) async fn a_batch_is_appended_only_where_the_journal_ends(Fixture { store, .. }: Fixture) {
    let lease = store.create(new(1, "a")).await.unwrap();
    store.append(&lease, 0, batch("first"), head(Status::Running, 2), Vec::new()).await.unwrap();
    for wrong in [0, 2, u64::MAX] {
        let refused = store.append(&lease, wrong, batch("wrong"), head(Status::Failed, 9), Vec::new()).await;
        assert_eq!(kind(refused), ErrorKind::LeaseLost, "at {wrong}");
    }
    let stored = whole(&*store, 1).await;
    assert_eq!((stored.batches, stored.head), (vec![batch("first")], head(Status::Running, 2)));
}

pub(crate) async fn messages_are_kept_in_order_and_each_key_once(Fixture { store, other, .. }: Fixture) {
    let lease = store.create(new(1, "a")).await.unwrap();
    store.create(new(2, "a")).await.unwrap();
    // Keys come from outside: any text will do.
    let keys = ["z", "a", "", "ü\u{0}'\"$1?1"];
    for key in keys {
        other.post(&id(1), vec![message(key, "first")], ExpectedState::Anyhow).await.unwrap();
        assert_eq!(
            kind(store.post(&id(1), vec![message(key, "second")], ExpectedState::Anyhow).await),
            ErrorKind::AlreadyDecided,
            "{key:?}"
        );
    }
    store.post(&id(2), vec![message("z", "another's")], ExpectedState::Anyhow).await.unwrap();
    assert_eq!(store.inbox(&id(1)).await.unwrap(), keys.map(|key| message(key, "first")));

    let heard = || vec!["a".to_owned(), keys[3].to_owned(), "unknown".to_owned()];
    let refused = store.append(&lease, 1, batch("wrong"), head(Status::Running, 2), heard()).await;
    assert_eq!(kind(refused), ErrorKind::LeaseLost);
    assert_eq!(store.inbox(&id(1)).await.unwrap().len(), keys.len(), "what is not written was not heard");
    store.append(&lease, 0, batch("heard"), head(Status::Running, 2), heard()).await.unwrap();
    store.post(&id(1), vec![message("a", "again")], ExpectedState::Anyhow).await.unwrap();
    let left = [message("z", "first"), message("", "first"), message("a", "again")];
    assert_eq!(store.inbox(&id(1)).await.unwrap(), left);
    assert_eq!(whole(&*store, 1).await.inbox, left);
    assert_eq!(store.inbox(&id(2)).await.unwrap(), [message("z", "another's")]);
}

pub(crate) async fn messages_are_left_together_or_not_at_all(Fixture { store, other, .. }: Fixture) {
    let lease = store.create(new(1, "a")).await.unwrap();
    let at = |revision| Head { revision, ..head(Status::Paused, 2) };
    store.append(&lease, 0, batch("asked"), at(3), Vec::new()).await.unwrap();
    let post = async |keys: &[&str], revision| {
        let messages = keys.iter().map(|key| message(key, "m")).collect();
        other.post(&id(1), messages, ExpectedState::AtRevision(revision)).await
    };
    let inbox = async || {
        let messages = store.inbox(&id(1)).await.unwrap();
        messages.into_iter().map(|message| message.key).collect::<Vec<_>>()
    };
    post(&["b"], 3).await.unwrap();
    let refusals = [
        (&["a", "b"][..], 3, ErrorKind::AlreadyDecided),
        (&["a", "c", "a"], 3, ErrorKind::AlreadyDecided),
        (&["a", "c"], 2, ErrorKind::Changed),
        (&["a", "c"], 4, ErrorKind::Changed),
    ];
    for (keys, revision, expected) in refusals {
        assert_eq!(kind(post(keys, revision).await), expected, "{keys:?} at {revision}");
        assert_eq!(inbox().await, ["b"]);
    }
    post(&["c", "a"], 3).await.unwrap();
    assert_eq!(inbox().await, ["b", "c", "a"]);
    // Together with others that are written in the same transaction.
    let refused = post(&["d", "a"], 3);
    let taken = post(&["d"], 3);
    let (refused, taken) = futures_util::join!(refused, taken);
    assert_eq!(kind(refused), ErrorKind::AlreadyDecided);
    taken.unwrap();
    store.append(&lease, 1, batch("decided"), at(4), Vec::new()).await.unwrap();
    assert_eq!(kind(post(&["e"], 3).await), ErrorKind::Changed);
}

pub(crate) async fn an_inbox_takes_no_more_than_it_may_hold(Fixture { store, other, .. }: Fixture) {
    let lease = store.create(new(1, "a")).await.unwrap();
    let post = async |messages: Vec<Message>| other.post(&id(1), messages, ExpectedState::Anyhow).await;
    let keys: Vec<String> = (0..Message::MOST).map(|number| format!("k{number:05}")).collect();
    for some in keys.chunks(1_000) {
        post(some.iter().map(|key| message(key, "m")).collect()).await.unwrap();
    }
    let refused = post(vec![message("one more", "m")]).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::InboxFull);
    assert!(refused.message().ends_with(" is full"), "{refused}");
    assert_eq!(store.inbox(&id(1)).await.unwrap().len(), Message::MOST);
    for (position, some) in (0..).zip(keys.chunks(5_000)) {
        store.append(&lease, position, batch("b"), head(Status::Running, 2), some.to_vec()).await.unwrap();
    }
    post(vec![message("one more", "m")]).await.unwrap();
    let large = Message { key: "large".to_owned(), bytes: vec![0; Message::MOST_BYTES] };
    assert_eq!(kind(post(vec![large]).await), ErrorKind::InboxFull);
    assert_eq!(store.inbox(&id(1)).await.unwrap().len(), 1);
}

pub(crate) async fn the_last_checkpoint_counts(Fixture { store, other, .. }: Fixture) {
    let lease = store.create(new(1, "a")).await.unwrap();
    for (position, text) in (0..).zip(["0", "1", "2"]) {
        store.append(&lease, position, batch(text), head(Status::Running, 2), Vec::new()).await.unwrap();
    }
    let without = other.load(&id(1), Part::SinceCheckpoint).await.unwrap();
    assert_eq!((without.checkpoint, without.batches.len()), (None, 3));

    store.save_checkpoint(&lease, checkpoint(1, "a longer one")).await.unwrap();
    store.save_checkpoint(&lease, checkpoint(2, "last")).await.unwrap();
    let since = other.load(&id(1), Part::SinceCheckpoint).await.unwrap();
    assert_eq!(since.beginning, batch("beginning of 1"));
    assert_eq!((since.checkpoint, since.batches), (Some(checkpoint(2, "last")), vec![batch("2")]));
    assert_eq!(whole(&*other, 1).await.batches, ["0", "1", "2"].map(batch));

    store.save_checkpoint(&lease, checkpoint(3, "at the end")).await.unwrap();
    assert_eq!(other.load(&id(1), Part::SinceCheckpoint).await.unwrap().batches, []);
}

pub(crate) async fn a_checkpoint_of_batches_that_are_not_there_is_refused(Fixture { store, .. }: Fixture) {
    let lease = store.create(new(1, "a")).await.unwrap();
    assert_eq!(kind(store.save_checkpoint(&lease, checkpoint(1, "ahead")).await), ErrorKind::LeaseLost);
    assert_eq!(store.load(&id(1), Part::SinceCheckpoint).await.unwrap().checkpoint, None);
}

pub(crate) async fn executions_are_listed_newest_first(Fixture { store, other, .. }: Fixture) {
    let statuses = [Status::Completed, Status::Paused, Status::Failed, Status::Paused, Status::Running];
    // Not in the order of their names.
    for number in [3, 1, 5, 2, 4] {
        let lease = store.create(new(number, "a")).await.unwrap();
        let status = statuses[number as usize - 1];
        store.append(&lease, 0, batch("b"), head(status, 100 + number), Vec::new()).await.unwrap();
    }
    let listed = async |filter: Filter| {
        let listed = other.list(filter).await.unwrap().executions;
        listed.iter().map(|one| one.created.0).collect::<Vec<_>>()
    };
    assert_eq!(listed(Filter::newest(9)).await, [5, 4, 3, 2, 1]);
    assert_eq!(listed(Filter::newest(2)).await, [5, 4]);
    assert_eq!(listed(Filter::newest(0)).await, [] as [u64; 0]);
    assert_eq!(listed(Filter::newest(9).after(id(4).as_str())).await, [3, 2, 1]);
    assert_eq!(listed(Filter::newest(9).with(State::Paused)).await, [4, 2]);
    let two = Filter::newest(2).with(State::Completed).with(State::Paused);
    assert_eq!(listed(two.clone()).await, [4, 2]);
    assert_eq!(listed(two.after(id(2).as_str())).await, [1]);
    assert_eq!(listed(Filter::newest(9).updated_before(Timestamp(103))).await, [2, 1]);
    assert_eq!(listed(Filter::newest(9).updated_before(Timestamp(104)).with(State::Paused)).await, [2]);

    store.keep_alive(&node("a"), MINUTE).await.unwrap();
    let newest = other.list(Filter::newest(1)).await.unwrap().executions.remove(0);
    assert_eq!((newest.id, newest.head, newest.is_held), (id(5), head(Status::Running, 105), true));
}

pub(crate) async fn every_state_is_one_to_filter_by_and_to_page_through(Fixture { store, other, .. }: Fixture) {
    store.keep_alive(&node("alive"), MINUTE).await.unwrap();
    // Three of each: a filter that looked at one page at a time would find too few.
    let kinds = [
        (State::Running, "alive", Status::Running, 0),
        (State::Orphaned, "dead", Status::Running, 0),
        (State::Orphaned, "dead", Status::Running, 2),
        (State::Paused, "dead", Status::Paused, 0),
        (State::Decided, "dead", Status::Paused, 2),
        (State::Paused, "alive", Status::Paused, 1),
        (State::Sleeping, "dead", Status::Sleeping, 0),
        (State::Decided, "dead", Status::Sleeping, 1),
        (State::Completed, "dead", Status::Completed, 0),
        (State::Failed, "dead", Status::Failed, 0),
        (State::Rejected, "dead", Status::Rejected, 0),
    ];
    let mut expected = Vec::new();
    for (number, (state, holder, status, messages)) in (1..).zip(kinds.into_iter().cycle().take(33)) {
        let lease = store.create(new(number, holder)).await.unwrap();
        for key in ["a", "b"].into_iter().take(messages) {
            store.post(&id(number), vec![message(key, "m")], ExpectedState::Anyhow).await.unwrap();
        }
        store.append(&lease, 0, batch("b"), head(status, number), Vec::new()).await.unwrap();
        expected.push((number, state, messages));
    }
    expected.reverse();
    let told = other.list(Filter::newest(99)).await.unwrap();
    let listed = told.executions.iter().map(|one| (one.created.0, one.state(), one.messages as usize));
    assert_eq!(listed.collect::<Vec<_>>(), expected);
    assert_eq!((told.unreadable, told.next), (Vec::new(), None));
    for wanted in [
        &[State::Orphaned][..],
        &[State::Decided],
        &[State::Sleeping],
        &[State::Paused],
        &[State::Running],
        &[State::Unreadable],
        &[State::Decided, State::Orphaned, State::Unreadable, State::Rejected],
    ] {
        let all: Vec<u64> =
            expected.iter().filter(|(_, state, _)| wanted.contains(state)).map(|(number, ..)| *number).collect();
        let mut filter = wanted.iter().copied().fold(Filter::newest(2), Filter::with);
        let (mut found, mut pages) = (Vec::new(), 0);
        loop {
            let page = other.list(filter.clone()).await.unwrap();
            assert!(page.executions.len() == 2 || page.next.is_none(), "{wanted:?}");
            found.extend(page.executions.iter().map(|one| one.created.0));
            pages += 1;
            let Some(next) = page.next else { break };
            filter = filter.after(next);
        }
        assert_eq!((found.as_slice(), pages), (&*all, all.len().div_ceil(2).max(1)), "{wanted:?}");
    }
}

pub(crate) async fn deleting_removes_everything(Fixture { store, other, .. }: Fixture) {
    let lease = store.create(new(1, "a")).await.unwrap();
    store.create(new(2, "a")).await.unwrap();
    store.append(&lease, 0, batch("b"), head(Status::Running, 2), Vec::new()).await.unwrap();
    store.save_checkpoint(&lease, checkpoint(1, "c")).await.unwrap();
    store.post(&id(1), vec![message("k", "m")], ExpectedState::Anyhow).await.unwrap();
    other.delete(&id(1), ExpectedState::Anyhow).await.unwrap();
    assert_eq!(store.list(Filter::newest(9)).await.unwrap().executions.len(), 1);

    // Nothing of the old one is in one of the same name.
    store.create(new(1, "a")).await.unwrap();
    let stored = store.load(&id(1), Part::SinceCheckpoint).await.unwrap();
    assert_eq!((stored.batches.len(), stored.checkpoint), (0, None));
    assert_eq!(store.inbox(&id(1)).await.unwrap(), []);
}

pub(crate) async fn a_running_execution_is_not_deleted(Fixture { store, other, .. }: Fixture) {
    store.keep_alive(&node("a"), MINUTE).await.unwrap();
    let lease = store.create(new(1, "a")).await.unwrap();
    assert_eq!(kind(other.delete(&id(1), ExpectedState::Anyhow).await), ErrorKind::HeldElsewhere);
    assert_eq!(whole(&*store, 1).await.batches, []);
    // Nothing will happen to it any more, though the lease was not given up yet.
    store.append(&lease, 0, batch("end"), head(Status::Completed, 2), Vec::new()).await.unwrap();
    other.delete(&id(1), ExpectedState::Anyhow).await.unwrap();
}

pub(crate) async fn what_has_changed_meanwhile_is_not_deleted(Fixture { store, other, .. }: Fixture) {
    let lease = store.create(new(1, "a")).await.unwrap();
    let seen = head(Status::Paused, 2);
    store.append(&lease, 0, batch("pause"), seen.clone(), Vec::new()).await.unwrap();
    store.append(&lease, 1, batch("another"), head(Status::Paused, 3), Vec::new()).await.unwrap();
    let refused = other.delete(&id(1), ExpectedState::Unchanged(seen)).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Changed);
    assert!(refused.message().contains("has changed"), "{refused}");
    other.delete(&id(1), ExpectedState::Unchanged(head(Status::Paused, 3))).await.unwrap();
}

pub(crate) async fn decisions_are_remembered_by_session_and_subject(Fixture { store, other, .. }: Fixture) {
    let session = "s\u{0}'";
    assert_eq!(store.recall(session, "mail").await.unwrap(), None);
    store.remember(session, "mail", vec![0, 1]).await.unwrap();
    store.remember(session, "pay", vec![2]).await.unwrap();
    store.remember("other", "mail", vec![3]).await.unwrap();
    assert_eq!(other.recall(session, "mail").await.unwrap(), Some(vec![0, 1]));
    store.remember(session, "mail", Vec::new()).await.unwrap();
    assert_eq!(other.recall(session, "mail").await.unwrap(), Some(Vec::new()));
    assert_eq!(other.recall(session, "pay").await.unwrap(), Some(vec![2]));
    assert_eq!(other.recall("other", "mail").await.unwrap(), Some(vec![3]));
}

async fn put(store: &dyn Store, number: u64, holder: &str, status: Status) {
    let lease = store.create(new(number, holder)).await.unwrap();
    store.append(&lease, 0, batch("b"), head(status, number), Vec::new()).await.unwrap();
}

pub(crate) async fn pruning_keeps_what_ended_last(Fixture { store, other, .. }: Fixture) {
    for (number, ended) in [(1, 900), (2, 20), (3, 30), (4, 40)] {
        let lease = store.create(new(number, "a")).await.unwrap();
        store.append(&lease, 0, batch("b"), head(Status::Completed, ended), Vec::new()).await.unwrap();
    }
    assert_eq!(prune(&*other, &Principal::host(), 2).await.unwrap(), [3, 2].map(id));
}

pub(crate) async fn pruning_keeps_the_newest_that_are_over(Fixture { store, other, .. }: Fixture) {
    let statuses =
        [Status::Completed, Status::Paused, Status::Failed, Status::Running, Status::Rejected, Status::RolledBack];
    for (number, status) in (1..=20).zip(statuses.into_iter().cycle()) {
        put(&*store, number, "a", status).await;
    }
    let removed = prune(&*other, &Principal::host(), 4).await.unwrap();
    assert_eq!(removed, [13, 12, 11, 9, 7, 6, 5, 3, 1].map(id));
    let left = store.list(Filter::newest(99)).await.unwrap().executions;
    let left = left.into_iter().map(|one| one.id).collect::<Vec<_>>();
    assert_eq!(left, [20, 19, 18, 17, 16, 15, 14, 10, 8, 4, 2].map(id));
    assert_eq!(prune(&*other, &Principal::host(), 4).await.unwrap(), []);
}

pub(crate) async fn what_nobody_goes_on_with_is_stale(Fixture { store, other, .. }: Fixture) {
    store.keep_alive(&node("alive"), MINUTE).await.unwrap();
    put(&*store, 1, "dead", Status::Paused).await;
    put(&*store, 2, "dead", Status::Running).await;
    put(&*store, 3, "dead", Status::Completed).await;
    put(&*store, 4, "alive", Status::Running).await;
    put(&*store, 5, "alive", Status::Paused).await;
    put(&*store, 6, "dead", Status::Paused).await;
    let found = stale(&*other, Timestamp(6)).await.unwrap();
    assert_eq!(found.into_iter().map(|listed| listed.id).collect::<Vec<_>>(), [2, 1].map(id));
}
