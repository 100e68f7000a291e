//! Runs an execution, or resumes it, until it ends or waits for a person.

use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

use tracing::Instrument;

use crate::durable::recorder::Held;
use crate::durable::resumption::Resumption;
use crate::report::content::Contents;
use crate::report::observer::EventKind;
use crate::run::ending::Closing;
use crate::run::host::{Execution, Host, keeps_nothing};
use crate::run::own_tools::brought;
use crate::run::reporter::{Reporter, execution_span};
use crate::run::resuming::{NotBack, Resuming};
use crate::run::setting::Setting;
use crate::run::starting::start;
use crate::store::{Change, Error, Release};
use crate::{Code, ExecutionId, Failed, Failure, Interrupted, Keeper, Outcome, RequestError, Tool};

/// The pass that every execution begins with; the epoch of its first lease, where it is kept.
const FIRST_PASS: u64 = 1;

/// Runs a program until it ends or waits for somebody outside.
///
/// When `cancelled` completes, the program is stopped and the outcome is `ABORTED`. When the returned future is dropped,
/// it is stopped as well, but one that is kept can be resumed. Either way its place, its instance and the futures of its
/// calls are gone at once.
///
/// # Errors
///
/// [`ErrorKind::AlreadyExists`](crate::store::ErrorKind::AlreadyExists) where the store has an execution with the same ID. Nothing of this one took effect, and neither
/// the observer nor connectors are told of its end.
pub async fn execute(
    host: &Host,
    execution: Execution,
    cancelled: impl Future<Output = ()> + Send,
) -> Result<Outcome, Error> {
    let span = execution_span(&execution.id, &execution.label);
    traced(host, span, execution.program.source_size(), begin(host, &execution, cancelled)).await
}

/// Resumes a durable execution that no process holds, until it ends or pauses again. Of `tools`, those are used that the execution
/// began with.
///
/// # Errors
///
/// `NOT_FOUND`; `CONFLICT` where another process holds it or where it is over; `STORE` where its journal cannot be read;
/// `DIVERGED` where the program does not do again what its journal holds; `BUSY`; `CONFIG` where this host keeps none;
/// `UNKNOWN_TOOL` where one of the execution's own tools, or a tool that was decided about, is missing. In all
/// of them nothing was run, and the execution stays as it was.
pub async fn resume(
    host: &Host,
    id: &ExecutionId,
    tools: &[Tool],
    cancelled: impl Future<Output = ()> + Send,
) -> Result<Outcome, RequestError> {
    let Some(keeper) = &host.keeper else { return Err(keeps_nothing().into()) };
    let presence = keeper.enter(id)?;
    let proved = keeper.tenure();
    let lease = match keeper.store.acquire(id, &keeper.node).await {
        Ok(lease) => lease,
        Err(error) => {
            if error.kind().is_refusal() {
                // It was not held here, so that there is nothing to let go of.
                presence.leave();
            }
            return Err(error.into());
        }
    };
    // Not before the lease is held: a process that has died may have left something for the store to do.
    let resumption = match Resumption::load(&*keeper.store, id).await {
        Ok(resumption) => resumption,
        Err(error) => {
            // Where the lease cannot be released now, the keeper does it later.
            if keeper.store.write(Arc::new(Change::release(lease, Release::Anyhow))).await.is_ok() {
                presence.leave();
            }
            return Err(error.into());
        }
    };
    if resumption.head.status.is_over() {
        // This process was held up since it took the lease, and another one has brought it to its end.
        presence.leave();
        return Err(Error::over(id, resumption.head.status).into());
    }
    let held = Held { lease, presence, proved };
    let execution = Execution::of(id, &resumption.beginning);
    let span = execution_span(&execution.id, &execution.label);
    let size = execution.program.source_size();
    let extended = brought(&resumption.beginning.tools, tools).and_then(|tools| host.with_tools(&tools));
    let (host, brought) = match &extended {
        Ok(extended) => (&**extended, Ok(())),
        Err(failure) => (host, Err(failure.clone())),
    };
    traced(host, span, size, go_on((host, keeper), (&execution, brought), held, resumption, cancelled)).await
}

async fn traced<E>(
    host: &Host,
    span: tracing::Span,
    size: usize,
    work: impl Future<Output = Result<Outcome, E>>,
) -> Result<Outcome, E> {
    if span.is_disabled() {
        return work.await;
    }
    let has_sizes = host.contents != Contents::Nothing;
    if has_sizes {
        span.record("isobox.input.bytes", size);
    }
    let outcome = work.instrument(span.clone()).await?;
    match &outcome {
        Outcome::Failed(Failed { error, .. }) | Outcome::Interrupted(Interrupted { error, .. }) => {
            span.record("error.type", error.code.as_str());
        }
        Outcome::Completed(completed) if has_sizes => {
            span.record("isobox.output.bytes", completed.result.to_string().len());
        }
        Outcome::Completed(_) | Outcome::Paused(_) => {}
    }
    Ok(outcome)
}

async fn begin(
    host: &Host,
    execution: &Execution,
    cancelled: impl Future<Output = ()> + Send,
) -> Result<Outcome, Error> {
    let started = host.clock.elapsed();
    let extended = host.with_tools(&execution.tools);
    let (host, extended) = match &extended {
        Ok(extended) => (&**extended, Ok(())),
        Err(failure) => (host, Err(failure.clone())),
    };
    let reporter = &Reporter::new(host, &execution.id, &execution.label, FIRST_PASS);
    let setting = Setting { host, reporter, execution };
    let mut cancelled = std::pin::pin!(cancelled);
    reporter.report(|_| EventKind::Started { source_bytes: execution.program.source_size() });
    let starting = async {
        extended?;
        start(setting).await
    };
    match unless(cancelled.as_mut(), starting).await.unwrap_or_else(|| Err(aborted())) {
        Ok(mut run) => {
            let result = unless(cancelled, run.drive()).await.unwrap_or_else(|| Err(aborted().into()));
            run.into_closing().close(result, started).await
        }
        Err(failure) => Closing::of_nothing(setting).close(Err(failure.into()), started).await,
    }
}

async fn go_on(
    (host, keeper): (&Host, &Keeper),
    (execution, brought): (&Execution, Result<(), Failure>),
    held: Held,
    resumption: Resumption,
    cancelled: impl Future<Output = ()> + Send,
) -> Result<Outcome, RequestError> {
    let started = host.clock.elapsed();
    let reporter = &Reporter::new(host, &execution.id, &execution.label, held.lease.epoch);
    let mut resuming = Resuming::new(Setting { host, reporter, execution }, keeper, held, resumption, brought);
    let mut cancelled = std::pin::pin!(cancelled);
    let revived = match unless(cancelled.as_mut(), resuming.revive()).await {
        Some(Err(NotBack::Failed(error))) => return Err(error),
        Some(Err(NotBack::Stopped(stop))) => Err(stop),
        Some(Ok(revived)) => Ok(revived),
        None => Err(aborted().into()),
    };
    Ok(match revived {
        Ok(revived) => {
            let (mut run, take_up) = resuming.into_run(revived);
            let result = unless(cancelled, run.resume(take_up)).await.unwrap_or_else(|| Err(aborted().into()));
            run.into_closing().close(result, started).await?
        }
        Err(stop) => resuming.into_closing().close(Err(stop), started).await?,
    })
}

/// Returns the output of some work, unless it is cancelled first.
async fn unless<T>(
    mut cancelled: Pin<&mut (impl Future<Output = ()> + Send)>,
    work: impl Future<Output = T>,
) -> Option<T> {
    let mut work = std::pin::pin!(work);
    std::future::poll_fn(|context| {
        if cancelled.as_mut().poll(context).is_ready() {
            return Poll::Ready(None);
        }
        work.as_mut().poll(context).map(Some)
    })
    .await
}

fn aborted() -> Failure {
    Failure::new(Code::Aborted, "the caller cancelled the execution")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hosts run executions on the threads of their choice.
    #[test]
    fn executions_can_go_on_on_other_threads() {
        fn is_send(_: impl Send) {}
        let forever = std::future::pending;
        let _unused = |host: &Host, execution, id, by| {
            is_send(execute(host, execution, forever()));
            is_send(resume(host, id, &[], forever()));
            is_send(crate::expire(host, by, crate::Timestamp(0)));
        };
    }
}
