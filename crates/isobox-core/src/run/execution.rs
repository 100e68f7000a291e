//! Runs or resumes an execution until it ends or pauses.

use std::pin::{Pin, pin};

use futures_util::FutureExt;
use tracing::{Instrument, Span};

use crate::durable::keeper::Held;
use crate::durable::resumption::Resumption;
use crate::report::content::Contents;
use crate::report::observer::EventKind;
use crate::run::ending::Closing;
use crate::run::ending::cancelling::{aborted, unless};
use crate::run::host::means::{BeforeContinuing, Means};
use crate::run::host::own_tools::brought;
use crate::run::host::reporter::{Reporter, execution_span};
use crate::run::host::setting::Setting;
use crate::run::host::{Execution, Globals, Host, keeps_nothing};
use crate::run::rollback::continued;
use crate::run::session_use::{keep_session, take_session};
use crate::run::starting::resuming::{NotBack, Resuming};
use crate::run::starting::start;
use crate::run::waiting::sleeping::still_asleep;
use crate::store::{Claim, Error};
use crate::{ExecutionId, Failed, Failure, Interrupted, Keeper, Outcome, RequestError, Right};

/// The first pass of every execution, and the epoch of its first lease if it is durable.
const FIRST_PASS: u64 = 1;

/// Runs a program until it ends or pauses.
///
/// When `cancelled` completes, the program is stopped and the outcome is `ABORTED`. When the returned future is
/// dropped, the program is stopped too, but a durable execution can be resumed. In both cases its permit, its instance
/// and the futures of its calls are dropped at once.
///
/// # Errors
///
/// [`ErrorKind::AlreadyExists`](crate::store::ErrorKind::AlreadyExists) if the store has an execution with the same ID.
/// This one then had no effect, and its end is reported neither to the observer nor to connectors.
pub async fn execute(
    host: &Host,
    mut execution: Execution,
    cancelled: impl Future<Output = ()> + Send,
) -> Result<Outcome, Error> {
    let span = execution_span(&execution.id, &execution.label);
    trace_program(host, &span, &execution);
    // Polled again after a cancellation that came while a session was waited for.
    let mut cancelled = pin!(cancelled.fuse());
    // Dropped after the end of the execution.
    let taken = match execution.globals {
        Globals::None | Globals::InUse(_) => Ok(None),
        // Boxed, because it is rare and large.
        Globals::OfSession(_) => {
            let taking = Box::pin(take_session(host, &mut execution));
            unless(cancelled.as_mut(), pin!(taking)).await.unwrap_or_else(|| Err(aborted()))
        }
    };
    let (_guard, refused) = match taken {
        Ok(guard) => (guard, Ok(())),
        Err(failure) => (None, Err(failure)),
    };
    let outcome = begin(host, &execution, refused, cancelled).instrument(span.clone()).await?;
    trace_outcome(host, &span, &outcome);
    Ok(outcome)
}

/// Resumes a durable execution that no process holds, until it ends or pauses again. A sleeping execution that is not due
/// is left as it is.
///
/// # Errors
///
/// `NOT_FOUND`; `CONFLICT` if another process holds the execution, if it has ended, or if it is held because its store was
/// restored from a backup; `STORE` if its journal cannot be
/// read; `DIVERGED` if the program does not match its journal; `BUSY`; `CONFIG` if this host has no store;
/// `UNKNOWN_TOOL` if one of the execution's own tools, or a tool that was decided about, is missing; `FORBIDDEN` if the
/// principal of [`Means::released_by`] does not have [`Right::Admin`]; the error of [`Means::before`]. After an error no
/// call was made, and the execution is unchanged.
pub async fn resume(
    host: &Host,
    id: &ExecutionId,
    means: Means<'_>,
    cancelled: impl Future<Output = ()> + Send,
) -> Result<Outcome, RequestError> {
    let Means { tools, released_by, before } = means;
    if let Some(by) = released_by {
        by.require(Right::Admin)?;
    }
    let released_by = released_by.map(|by| by.name().to_owned());
    let Some(keeper) = &host.keeper else { return Err(keeps_nothing().into()) };
    let held = keeper.acquire(id, Claim::Unfinished).await?;
    // Loaded only under the lease: a process that has died may have left unfinished writes.
    let loaded = Resumption::load_to_continue(&*keeper.store, id).await;
    let (held, resumption) = keeper.or_release(held, loaded).await?;
    if resumption.head.status.is_over() {
        // This process was suspended after it took the lease, and another one has ended the execution.
        held.presence.leave();
        return Err(Error::over(id, resumption.head.status).into());
    }
    if let Some(outcome) = still_asleep(host, id, &resumption)
        && released_by.is_none()
    {
        keeper.release(held).await;
        return Ok(outcome);
    }
    let (held, continued) = keeper.or_release(held, continued(host, id, &resumption, tools)).await?;
    if let Some((host, execution)) = continued {
        let span = execution_span(&execution.id, &execution.label);
        let passing = (&execution, Ok(()), released_by);
        let going = go_on((&host, keeper), passing, (held, resumption), before, cancelled);
        return going.instrument(span).await;
    }
    let execution = Execution::of(id, &resumption.beginning);
    let span = execution_span(&execution.id, &execution.label);
    let extended = brought(&resumption.beginning.tools, tools).and_then(|tools| host.with_tools(&tools));
    let (host, brought) = match &extended {
        Ok(extended) => (&**extended, Ok(())),
        Err(failure) => (host, Err(failure.clone())),
    };
    trace_program(host, &span, &execution);
    let passing = (&execution, brought, released_by);
    let going = go_on((host, keeper), passing, (held, resumption), before, cancelled);
    let outcome = going.instrument(span.clone()).await?;
    trace_outcome(host, &span, &outcome);
    Ok(outcome)
}

fn trace_program(host: &Host, span: &Span, execution: &Execution) {
    if host.contents != Contents::Nothing {
        span.record("isobox.input.bytes", execution.program.source_size());
    }
}

fn trace_outcome(host: &Host, span: &Span, outcome: &Outcome) {
    if span.is_disabled() {
        return;
    }
    match outcome {
        Outcome::Failed(Failed { error, .. }) | Outcome::Interrupted(Interrupted { error, .. }) => {
            span.record("error.type", error.code.as_str());
        }
        Outcome::Completed(completed) if host.contents != Contents::Nothing => {
            span.record("isobox.output.bytes", completed.result.to_string().len());
        }
        Outcome::Completed(_) | Outcome::Paused(_) | Outcome::Sleeping(_) | Outcome::RolledBack(_) => {}
    }
}

async fn begin(
    host: &Host,
    execution: &Execution,
    refused: Result<(), Failure>,
    mut cancelled: Pin<&mut (impl Future<Output = ()> + Send)>,
) -> Result<Outcome, Error> {
    let started = host.clock.elapsed();
    let extended = host.with_tools(&execution.tools);
    let (host, extended) = match &extended {
        Ok(extended) => (&**extended, Ok(())),
        Err(failure) => (host, Err(failure.clone())),
    };
    let reporter = &Reporter::new(host, &execution.id, &execution.label, FIRST_PASS);
    let setting = Setting { host, reporter, execution };
    reporter.report(|_| EventKind::Started { source_bytes: execution.program.source_size() });
    let starting = async {
        refused?;
        extended?;
        keep_session(host, execution, pin!(start(setting))).await
    };
    let run = unless(cancelled.as_mut(), pin!(starting)).await.unwrap_or_else(|| Err(aborted()));
    match run {
        Ok(mut run) => {
            let result = unless(cancelled, pin!(run.drive())).await.unwrap_or_else(|| Err(aborted().into()));
            run.into_closing().close(result, started).await
        }
        Err(failure) => Closing::of_nothing(setting).close(Err(failure.into()), started).await,
    }
}

async fn go_on(
    (host, keeper): (&Host, &Keeper),
    (execution, brought, released_by): (&Execution, Result<(), Failure>, Option<String>),
    (held, resumption): (Held, Resumption),
    before: Option<BeforeContinuing<'_>>,
    cancelled: impl Future<Output = ()> + Send,
) -> Result<Outcome, RequestError> {
    let started = host.clock.elapsed();
    let reporter = &Reporter::new(host, &execution.id, &execution.label, held.lease.epoch);
    let setting = Setting { host, reporter, execution };
    let mut resuming = Resuming::new(setting, keeper, held, resumption, brought).released_by(released_by);
    let mut cancelled = pin!(cancelled);
    let reviving = async {
        let revived = resuming.revive().await?;
        if let Some(before) = before {
            before().await?;
        }
        Ok::<_, NotBack>(revived)
    };
    let revived = match unless(cancelled.as_mut(), pin!(reviving)).await {
        Some(Err(NotBack::Failed(error))) => return Err(error),
        Some(Err(NotBack::Stopped(stop))) => Err(stop),
        Some(Ok(revived)) => Ok(revived),
        None => Err(aborted().into()),
    };
    Ok(match revived {
        Ok(revived) => {
            let (mut run, take_up) = resuming.into_run(revived);
            let result = unless(cancelled, pin!(run.resume(take_up))).await.unwrap_or_else(|| Err(aborted().into()));
            run.into_closing().close(result, started).await?
        }
        Err(stop) => resuming.into_closing().close(Err(stop), started).await?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Requires that hosts can run executions on any thread.
    #[test]
    fn executions_can_go_on_on_other_threads() {
        fn is_send(_: impl Send) {}
        let forever = std::future::pending;
        let _unused = |host: &Host, execution, id, by| {
            is_send(execute(host, execution, forever()));
            is_send(resume(host, id, Means::default(), forever()));
            is_send(crate::expire(host, by, crate::Timestamp(0)));
        };
    }
}
