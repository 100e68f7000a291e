//! Undoes the calls of an execution that has ended.

mod driver;
mod plan;

use std::pin::pin;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use tracing::Instrument;

use crate::durable::journaling::Journaling;
use crate::durable::keeper::Held;
use crate::durable::recorder::Recorder;
use crate::durable::resumption::{Resumption, inspect};
use crate::journal::{Beginning, Entry, JournalState, LeftApplied, PlannedRevert, RollbackBegun};
use crate::report::observer::EventKind;
use crate::run::ending::cancelling::{aborted, unless};
use crate::run::host::own_tools::available;
use crate::run::host::reporter::{Reporter, execution_span};
use crate::run::host::setting::Setting;
use crate::run::host::{Execution, Host, Purpose, keeps_nothing};
use crate::run::run_loop::RunLoop;
use crate::run::waiting::location::Live;
use crate::store::{Claim, Error, Status, restored_at};
use crate::{ByteSize, CallSeq, ExecutionId, Failure, Keeper, Outcome, Principal, RequestError, Tool};

use driver::RollbackDriver;
use plan::History;

/// A request to roll back an execution.
#[derive(Debug, Clone, Default)]
pub struct RollbackRequest {
    /// The step after which calls are reverted. None for all calls.
    pub to: Option<String>,
    /// The functions of the tools that the execution began with. Calls of missing ones are left as they are.
    pub tools: Vec<Tool>,
}

/// The effect that a rollback would have.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RollbackPlan {
    /// The calls that would be reverted, in this order.
    pub reverts: Vec<RevertPreview>,
    /// The calls that would stay as they are.
    pub left: Vec<LeftApplied>,
}

/// A call that would be reverted.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RevertPreview {
    /// The number of the call.
    pub seq: CallSeq,
    /// The path of its tool.
    pub path: String,
    /// The tool that reverts it.
    pub by: String,
    /// The input for that tool, without the parts that the policy redacts.
    pub input: Value,
}

/// Returns what a rollback would do. Changes nothing.
///
/// # Errors
///
/// `NOT_FOUND` if there is no such execution or step, `CONFLICT` if the execution has not ended, `STORE`, `CONFIG` if
/// this host has no store.
pub async fn plan_rollback(
    host: &Host,
    id: &ExecutionId,
    request: &RollbackRequest,
) -> Result<RollbackPlan, RequestError> {
    let Some(keeper) = &host.keeper else { return Err(keeps_nothing().into()) };
    let whole = inspect(&*keeper.store, id).await?;
    if whole.state.ended.is_none() {
        return Err(Error::not_over(id).into());
    }
    let host = host.with_tools(&available(&whole.beginning.tools, &request.tools))?;
    let history = History::of(&whole.beginning, &whole.entries);
    let (reverts, left) = history.plan(&host.catalogue, &whole.state.reverted_calls(), request.to.as_deref())?;
    let inputs = history.requests(&reverts);
    let previews = reverts.into_iter().zip(inputs).map(|(PlannedRevert { seq, .. }, (by, input))| {
        let input = host.policy.redacted(host.catalogue.names(&by), &input);
        RevertPreview { seq, path: history.path(seq), by, input }
    });
    Ok(RollbackPlan { reverts: previews.collect(), left })
}

/// Reverts the calls of an execution that has ended, the last one first. Goes on after failures. A revert that
/// succeeded is never made again: after a crash [`resume`](crate::resume) continues the rollback, and a further rollback
/// makes only what is left.
///
/// The caller checks that the principal has the right to decide.
///
/// # Errors
///
/// As for [`plan_rollback`]; also `FORBIDDEN` if the execution is their own and the policy denies decisions about it,
/// `CONFLICT` if another process runs a rollback of the execution, and `BUSY`. After an error no revert was made.
pub async fn roll_back(
    host: &Host,
    id: &ExecutionId,
    by: &Principal,
    request: &RollbackRequest,
    cancelled: impl Future<Output = ()> + Send,
) -> Result<Outcome, RequestError> {
    let Some(keeper) = &host.keeper else { return Err(keeps_nothing().into()) };
    let held = keeper.acquire(id, Claim::Ended).await?;
    let loaded = Resumption::load_whole(&*keeper.store, id).await;
    let ended = loaded.and_then(|loaded| if loaded.has_ended() { Ok(loaded) } else { Err(Error::not_over(id)) });
    let (held, resumption) = keeper.or_release(held, ended).await?;
    let owner = resumption.beginning.principal();
    let is_allowed = host.policy.own_decisions().check(by.name(), owner.name());
    let (held, ()) = keeper.or_release(held, is_allowed).await?;
    let (held, restored) = keeper.or_release(held, restored_at(&*keeper.store).await).await?;
    let history = History::of(&resumption.beginning, &resumption.entries);
    let planning = host.with_tools(&available(&resumption.beginning.tools, &request.tools))?;
    let state = &resumption.place.state;
    let (reverts, left) = history.plan(&planning.catalogue, &state.reverted_calls(), request.to.as_deref())?;
    // A rollback since the backup was restored tells nothing about the calls that it did not revert.
    let over = state.rollback.as_ref().map(|last| &last.before).or(state.ended.as_ref());
    let plan = RollbackBegun {
        by: by.name().to_owned(),
        at: host.clock.now(),
        lease: Some(held.lease.epoch),
        to: request.to.clone(),
        first: history.next(),
        reverts,
        left,
        restored: restored.zip(over).is_some_and(|(restored, ended)| ended.at < restored),
    };
    let host = &undoing(&planning, &history, &plan);
    let execution = rolling_back(id, &resumption.beginning, &plan, resumption.place.size);
    let span = execution_span(&execution.id, &execution.label);
    run((host, keeper), &execution, (held, resumption, plan), cancelled).instrument(span).await
}

async fn run(
    (host, keeper): (&Host, &Keeper),
    execution: &Execution,
    (held, resumption, plan): (Held, Resumption, RollbackBegun),
    cancelled: impl Future<Output = ()> + Send,
) -> Result<Outcome, RequestError> {
    let started = host.clock.elapsed();
    let reporter = &Reporter::new(host, &execution.id, &execution.label, held.lease.epoch);
    let setting = Setting { host, reporter, execution };
    let permit = host.admit(execution.limits.timeout).await?;
    let Resumption { beginning, place, inbox, .. } = resumption;
    let (program, namespaces) = (Arc::new(beginning.prepared.into_owned()), beginning.namespaces.into_owned().into());
    let instance = host.start(Arc::clone(&program), execution.start_options(&namespaces, &permit)).await?;
    let clock = Arc::clone(&host.clock);
    let mut recorder = Recorder::new(keeper, held, clock, &execution.limits, execution.caption(), place);
    reporter.report(|_| EventKind::RollbackBegan { by: plan.by.clone(), reverts: plan.reverts.len() });
    recorder.set_status(Status::Running);
    // They were sent to the program, and came too late.
    inbox.into_iter().for_each(|message| recorder.has_heard(message.key));
    recorder.note(Entry::Rollback(plan))?;
    let live = Live::new(instance, permit);
    let mut run = RunLoop::new(setting, (program, namespaces), live, Journaling::on(recorder));
    let result = unless(pin!(cancelled), pin!(run.drive())).await.unwrap_or_else(|| Err(aborted().into()));
    Ok(run.into_closing().close(result, started).await?)
}

/// Returns the host and the execution for continuing a rollback.
pub(super) fn continued(
    host: &Host,
    id: &ExecutionId,
    resumption: &Resumption,
    tools: &[Tool],
) -> Result<Option<(Host, Execution)>, Failure> {
    let JournalState { rollback: Some(rollback), ended: None, .. } = &resumption.place.state else { return Ok(None) };
    let (history, plan) = (History::of(&resumption.beginning, &resumption.entries), &rollback.plan);
    let planning = host.with_tools(&available(&resumption.beginning.tools, tools))?;
    let execution = rolling_back(id, &resumption.beginning, plan, resumption.place.size);
    Ok(Some((undoing(&planning, &history, plan), execution)))
}

/// Returns the host of a rollback: its program makes the reverts, and the functions of the host that revert calls are
/// tools.
fn undoing(host: &Host, history: &History, plan: &RollbackBegun) -> Host {
    let catalogue = host.catalogue.with_reverts_of(&history.own_reverts(plan, &host.catalogue));
    let driver = RollbackDriver::new(host.driver.image(), plan.first, history.requests(&plan.reverts));
    Host { driver: Arc::new(driver), catalogue: Arc::new(catalogue), ..host.clone() }
}

/// Returns the execution of a rollback. Every revert may take as long as the program, and the journal may grow by its
/// limit again, so that an execution that has exceeded a limit can be rolled back.
fn rolling_back(id: &ExecutionId, beginning: &Beginning<'_>, plan: &RollbackBegun, journal_size: u64) -> Execution {
    let mut execution = Execution::of(id, beginning);
    let limits = &mut execution.limits;
    execution.purpose = Purpose::Rollback(limits.timeout);
    let reverts = u32::try_from(plan.reverts.len()).unwrap_or(u32::MAX);
    limits.timeout = limits.timeout.saturating_mul(reverts.saturating_add(1));
    limits.journal = ByteSize::bytes(limits.journal.get().saturating_add(journal_size));
    execution
}
