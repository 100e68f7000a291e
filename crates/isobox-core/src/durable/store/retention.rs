//! Applies retention to any store: lists executions, then deletes each one only if it has not changed since.

use std::time::Duration;

use super::{Error, ErrorKind, ExpectedState, Filter, Listed, State, Store};
use crate::{ExecutionId, Principal, Timestamp};

/// The retention of executions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Retention {
    /// The number of ended executions to keep.
    pub keep: usize,
    /// The time without a change after which an unfinished execution expires.
    pub expire_after: Duration,
}

impl Retention {
    setters! {
        keep: usize,
        expire_after: Duration,
    }
}

impl Default for Retention {
    fn default() -> Self {
        Self { keep: 50, expire_after: Duration::from_hours(24) }
    }
}

/// The number of executions per page.
const PAGE: u32 = 500;

/// Deletes ended executions, except the `keep` that ended last. Returns the deleted ones. Never deletes a running or
/// paused execution. A `tracing` event names the principal, because the journal is deleted too.
pub async fn prune(store: &dyn Store, by: &Principal, keep: usize) -> Result<Vec<ExecutionId>, Error> {
    let ended = State::ALL.into_iter().filter(|state| is_over(*state));
    let mut over = all(store, ended.fold(Filter::newest(PAGE), Filter::with)).await?;
    // Sorted by the time of the end, not by ID: a long-paused execution has an old ID, and its outcome may not have
    // been read yet.
    over.sort_by(|one, other| (other.head.updated, &other.id).cmp(&(one.head.updated, &one.id)));
    let mut removed = Vec::new();
    for listed in over.into_iter().skip(keep) {
        match store.delete(&listed.id, ExpectedState::Unchanged(listed.head)).await {
            Ok(()) => {
                tracing::info!(execution = %listed.id, by = by.name(), "pruned");
                removed.push(listed.id);
            }
            Err(error) => match error.kind() {
                // Another process has deleted the execution, and perhaps created a new one under the same ID.
                ErrorKind::NotFound | ErrorKind::Changed | ErrorKind::HeldElsewhere => {}
                _ => return Err(error),
            },
        }
    }
    Ok(removed)
}

/// Tells whether all executions in this state have ended.
fn is_over(state: State) -> bool {
    let statuses = state.statuses();
    !statuses.is_empty() && statuses.iter().all(|status| status.is_over())
}

/// Returns unfinished executions that no live process runs and that have not changed since `moment`: paused ones
/// without a decision, and running ones whose process died. One that waits for a timer is among them only if the timer
/// was due before `moment`: it has not been woken since.
pub async fn stale(store: &dyn Store, moment: Timestamp) -> Result<Vec<Listed>, Error> {
    let mut states = vec![State::Orphaned, State::Paused, State::Decided];
    // Sleeping ones may be many, so that they are listed only if one of them is overdue.
    if !store.due(moment, None, 1).await?.due.is_empty() {
        states.push(State::Sleeping);
    }
    let filter = states.into_iter().fold(Filter::newest(PAGE).updated_before(moment), Filter::with);
    let mut found = all(store, filter).await?;
    found.retain(|listed| !listed.is_held);
    Ok(found)
}

/// Lists all executions that a filter selects. Rows that cannot be read are left out, because they need a person;
/// `list` shows them.
pub async fn all(store: &dyn Store, mut filter: Filter) -> Result<Vec<Listed>, Error> {
    let mut found = Vec::new();
    loop {
        let page = store.list(filter.clone()).await?;
        for row in &page.unreadable {
            tracing::warn!(execution = %crate::text::brief(&row.id, 80), reason = %row.reason, "a row of the store cannot be read");
        }
        found.extend(page.executions);
        // An altered ID may sort differently. The loop ends when the pages no longer advance.
        let is_further = page.next.is_some() && (filter.after.is_none() || page.next < filter.after);
        if !is_further {
            return Ok(found);
        }
        filter.after = page.next;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bytes::Bytes;
    use futures_util::FutureExt;

    use super::*;
    use crate::Clock;
    use crate::journal::{Batch, StoreKey};
    use crate::set_clock::SetClock;
    use crate::store::{Append, Change, Claim, Head, Lease, MemoryStore, NewExecution, Node, Status};

    fn head(status: Status, updated: u64) -> Head {
        let updated = Timestamp(updated);
        Head {
            status,
            revision: 0,
            pending: 0,
            pending_calls: Vec::new(),
            calls: 0,
            updated,
            function: None,
            owner: None,
            code: None,
            due: None,
        }
    }

    fn put(store: &dyn Store, number: u64, node: &str, status: Status) {
        let new = NewExecution {
            created: Timestamp(number),
            beginning: Batch { bytes: Bytes::new(), seal: [0; 32] },
            head: head(status, number),
        };
        let lease = Lease::first(&ExecutionId::new(number, 0), &Node(node.into()));
        store.write(Arc::new(Change::create(lease, new))).now_or_never().unwrap().unwrap();
    }

    /// Returns the status of an execution: all statuses occur in turn.
    fn status_of(number: u64) -> Status {
        Status::ALL[number as usize % Status::ALL.len()]
    }

    fn numbers(removed: &[ExecutionId]) -> Vec<u64> {
        let number = |id: &ExecutionId| u64::from_str_radix(&id.as_str()[5..17], 16).unwrap();
        removed.iter().map(number).collect()
    }

    #[test]
    fn pruning_goes_through_any_number_and_keeps_all_that_are_not_over() {
        let store = MemoryStore::new(StoreKey::new([0; 32]), Arc::<SetClock>::default());
        let (count, keep) = (u64::from(PAGE) * Status::ALL.len() as u64, 50);
        for number in 0..count {
            put(&store, number, "dead", status_of(number));
        }
        let removed = numbers(&prune(&store, &Principal::host(), keep).now_or_never().unwrap().unwrap());
        // Completed, failed, rejected and rolled back ones.
        assert_eq!(removed.len() as u64, u64::from(PAGE) * 4 - keep as u64);
        assert!(removed.iter().all(|number| status_of(*number).is_over()));
        assert!(removed.is_sorted_by(|one, next| one > next) && removed[0] < count - keep as u64);
        assert_eq!(prune(&store, &Principal::host(), 0).now_or_never().unwrap().unwrap().len(), keep);
    }

    #[test]
    fn a_running_execution_is_not_stale_while_its_process_is_alive() {
        let clock = Arc::new(SetClock::default());
        let store = MemoryStore::new(StoreKey::new([0; 32]), Arc::clone(&clock) as Arc<dyn Clock>);
        // More undeletable executions than a page holds, all newer than the deletable one.
        put(&store, 0, "dead", Status::Paused);
        for number in 1..=u64::from(PAGE) + 1 {
            put(&store, number, "alive", Status::Running);
        }
        store.keep_alive(&Node("alive".into()), Duration::from_secs(60)).now_or_never().unwrap().unwrap();
        let stale = || stale(&store, Timestamp(u64::MAX)).now_or_never().unwrap().unwrap();
        assert_eq!(stale().iter().map(|listed| listed.created.0).collect::<Vec<_>>(), [0]);
        clock.advance(Duration::from_secs(61));
        assert_eq!(stale().len() as u32, PAGE + 2);
    }

    #[test]
    fn what_goes_on_between_looking_and_removing_stays() {
        let store = MemoryStore::new(StoreKey::new([0; 32]), Arc::<SetClock>::default());
        put(&store, 1, "dead", Status::Paused);
        let seen = store.list(Filter::newest(1)).now_or_never().unwrap().unwrap().executions.remove(0);
        let lease = store.acquire(&seen.id, &Node("alive".into()), Claim::Unfinished).now_or_never().unwrap().unwrap();
        let batch = Batch { bytes: Bytes::new(), seal: [0; 32] };
        let append = Append { position: 0, batch, head: head(Status::Paused, 2), heard: Vec::new() };
        store.write(Arc::new(Change::append(lease.clone(), append))).now_or_never().unwrap().unwrap();
        let deleted = store.delete(&seen.id, ExpectedState::Unchanged(seen.head)).now_or_never().unwrap();
        assert_eq!(deleted.unwrap_err().kind(), ErrorKind::Changed);
    }
}
