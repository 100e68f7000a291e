//! Holds the executions of a store that was restored from a backup.

use std::sync::Arc;

use crate::durable::recorder::Recorder;
use crate::durable::resumption::Resumption;
use crate::journal::{Entry, Instruction, Pause};
use crate::run::host::{Execution, Host, keeps_nothing};
use crate::store::{Claim, ErrorKind, Filter, Status, all, mark_as_restored};
use crate::{Code, ConflictKind, ExecutionId, Failure, Keeper, Principal, RequestError, Right, Timestamp};

/// The number of executions per page.
const PAGE: u32 = 500;

/// The result of [`mark_restored`].
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Restoration {
    /// The executions that are held from now on.
    pub held: Vec<ExecutionId>,
    /// The executions that were held before.
    pub held_before: Vec<ExecutionId>,
    /// The executions that a process runs, or ran until a moment ago. They are not held.
    pub running: Vec<ExecutionId>,
    /// The executions that cannot be read, with the reason. They cannot be resumed either.
    pub unreadable: Vec<(ExecutionId, Failure)>,
}

/// Marks every unfinished execution of a store as restored from a backup, so that nothing that the original may have done
/// since is done again. Each is held until a principal releases it ([`Means::released_by`](crate::Means::released_by)), its open calls are in doubt, and
/// decisions that were recorded and not carried out no longer count. Marking twice holds nothing again.
///
/// The store keeps the time of the mark, which is later than the last change of every execution, also if the clock is behind. In
/// rollbacks of executions that had ended before, every revert is in doubt, and continuations that were issued before are refused.
///
/// # Errors
///
/// `FORBIDDEN` if the principal does not have [`Right::Admin`], `STORE`, and `CONFIG` if this host has no store.
pub async fn mark_restored(host: &Host, by: &Principal) -> Result<Restoration, Failure> {
    by.require(Right::Admin)?;
    let Some(keeper) = &host.keeper else { return Err(keeps_nothing()) };
    let listed = all(&*keeper.store, Filter::newest(PAGE)).await?;
    let changes = listed.iter().map(|listed| Timestamp(listed.head.updated.0.saturating_add(1)));
    mark_as_restored(&*keeper.store, changes.fold(host.clock.now(), Timestamp::max)).await?;
    let mut restoration = Restoration::default();
    for listed in listed.into_iter().filter(|listed| !listed.head.status.is_over()) {
        match hold(host, keeper, by, &listed.id).await {
            Ok(Marked::Now) => restoration.held.push(listed.id),
            Ok(Marked::Before) => restoration.held_before.push(listed.id),
            Err(error) => match error.store_kind() {
                Some(ErrorKind::HeldElsewhere | ErrorKind::LeaseLost) => restoration.running.push(listed.id),
                // Another process has deleted or ended the execution.
                Some(ErrorKind::NotFound | ErrorKind::Over(_)) => {}
                Some(ErrorKind::Broken) => restoration.unreadable.push((listed.id, error.into())),
                _ => return Err(error.into()),
            },
        }
    }
    Ok(restoration)
}

enum Marked {
    Now,
    Before,
}

async fn hold(host: &Host, keeper: &Keeper, by: &Principal, id: &ExecutionId) -> Result<Marked, RequestError> {
    let held = keeper.acquire(id, Claim::Unfinished).await?;
    let (held, resumption) = keeper.or_release(held, Resumption::load(&*keeper.store, id).await).await?;
    let execution = Execution::of(id, &resumption.beginning);
    let (beginning, used) = (resumption.place.beginning, resumption.place.state.used);
    let is_marked = resumption.place.state.restored.is_some();
    let (clock, caption) = (Arc::clone(&host.clock), execution.caption());
    // Releases the lease when it is dropped.
    let mut recorder = Recorder::new(keeper, held, clock, &execution.limits, caption, resumption.place);
    if is_marked {
        return Ok(Marked::Before);
    }
    for message in resumption.inbox {
        let is_end = Instruction::of(&message, keeper.store.key(), &beginning).is_some_and(|said| said.is_end());
        // A decision was about calls that are in doubt now. A rejection still ends the execution.
        if !is_end {
            recorder.has_heard(message.key);
        }
    }
    let paused = Pause { at: host.clock.now(), used, restored_by: Some(by.name().to_owned()), until: None };
    match recorder.note(Entry::Paused(paused)) {
        // The entry is there, and an execution that is over its limit can be held as well.
        Err(failure) if failure.code != Code::JournalLimit => return Err(failure.into()),
        Err(_) | Ok(()) => {}
    }
    recorder.set_status(Status::Paused);
    recorder.rest(|_| None).await?;
    tracing::info!(execution = %id, by = by.name(), "held after the store was restored from a backup");
    Ok(Marked::Now)
}

/// Refuses to resume a held execution.
pub(super) fn held_since_restore(id: &ExecutionId) -> Failure {
    let message = format!(
        "execution {id} is held: its store was restored from a backup, and calls may have been made since the backup was taken"
    );
    Failure::conflict(ConflictKind::Held, message)
        .hint("find out how far the original came before anything else is done with it")
        .detail("restored", true)
}
