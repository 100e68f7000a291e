//! Expires stale executions.

use std::sync::Arc;

use crate::durable::keeper::Held;
use crate::durable::recorder::Recorder;
use crate::durable::resumption::Resumption;
use crate::journal::{Ended, Ending, Entry, Instruction};
use crate::run::ending::lifecycle::tell_end;
use crate::run::host::{Execution, Host, keeps_nothing};
use crate::run::session_use::release_session;
use crate::store::{Claim, Listed, Status, stale};
use crate::{Code, ExecutionId, Failure, Keeper, Principal, Right, Timestamp};

/// Expires executions that have not changed since `moment`, that no process runs, and that have received no message
/// since: paused ones, running ones whose process died, and sleeping ones that were not woken. They fail with `TIMEOUT`, and their journals name the
/// principal. Returns the expired ones. A process that sends no heartbeats expires none.
///
/// # Errors
///
/// `FORBIDDEN` if the principal does not have [`Right::Admin`], `STORE`, and `CONFIG` if this host has no store.
pub async fn expire(host: &Host, by: &Principal, moment: Timestamp) -> Result<Vec<ExecutionId>, Failure> {
    by.require(Right::Admin)?;
    let Some(keeper) = &host.keeper else { return Err(keeps_nothing()) };
    let mut ended = Vec::new();
    for listed in stale(&*keeper.store, moment).await? {
        let held = match keeper.acquire(&listed.id, Claim::Unfinished).await {
            Ok(held) => held,
            // The execution is run, or was deleted or ended.
            Err(error) if error.kind().is_refusal() => continue,
            Err(error) => return Err(error.into()),
        };
        match end(host, keeper, by, held, &listed, moment).await {
            Ok(true) => {
                tracing::info!(execution = %listed.id, by = by.name(), "expired");
                tell_end(host, &listed.id, Status::Failed).await;
                ended.push(listed.id);
            }
            Ok(false) => {}
            Err(failure) => {
                tracing::warn!(execution = %listed.id, %failure, "a stale execution could not be expired");
            }
        }
    }
    Ok(ended)
}

/// Expires an execution if it has not changed since it was listed, and if this process was not silent since it acquired the
/// lease: a person may have decided about the execution meanwhile. Returns whether it did.
async fn end(
    host: &Host,
    keeper: &Keeper,
    by: &Principal,
    held: Held,
    seen: &Listed,
    moment: Timestamp,
) -> Result<bool, Failure> {
    let Keeper { store, .. } = keeper;
    let (held, resumption) = keeper.or_release(held, Resumption::load(&**store, &seen.id).await).await?;
    // Messages that were not sealed with the key of the store do not prevent expiry.
    let (key, beginning) = (store.key(), resumption.place.beginning);
    let instructions: Vec<_> =
        resumption.inbox.iter().filter_map(|message| Instruction::of(message, key, &beginning)).collect();
    let was_silent = !keeper.still_holds(held.proved);
    let has_changed = resumption.head != seen.head || instructions.iter().any(|instruction| instruction.at() >= moment);
    let execution = Execution::of(&seen.id, &resumption.beginning);
    let (clock, caption) = (Arc::clone(&host.clock), execution.caption());
    let mut recorder = Recorder::new(keeper, held, clock, &execution.limits, caption, resumption.place);
    if has_changed || was_silent {
        return Ok(false);
    }
    let at = host.clock.now();
    let message = match seen.head.status {
        Status::Paused if !instructions.is_empty() => {
            "the execution has expired: its decisions were not carried out in time"
        }
        Status::Paused => "the execution has expired: its pending calls were not decided in time",
        Status::Sleeping => "the execution has expired: it was not woken when it was due",
        _ => "the execution has expired: it was not resumed after its process ended",
    };
    let failure = Failure::new(Code::Timeout, message).detail("by", by.name());
    let how = match recorder.state().is_rolling_back() {
        true => Ending::RolledBack(Some(Box::new(failure))),
        false => Ending::Failed(failure),
    };
    let duration = recorder.worked_before();
    recorder.note(Entry::Ended(Ended { how, logs: Vec::new(), facts: Vec::new(), hints: Vec::new(), duration, at }))?;
    recorder.confirm().await?;
    release_session(host, &execution).await;
    Ok(true)
}
