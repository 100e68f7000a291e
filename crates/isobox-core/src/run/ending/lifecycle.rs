//! Notifies connectors when executions pause or end, so that they can release resources.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, join_all};

use crate::run::host::Host;
use crate::run::waiting::until;
use crate::store::Status;
use crate::{Code, Connector, ExecutionId, Outcome};

/// The maximum time that all connectors together may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Reports the end of a pass, and the end of the execution if `is_over`. An execution whose end could not be recorded
/// is not over.
pub(crate) async fn tell_connectors(host: &Host, outcome: &Outcome, is_over: bool) {
    let (execution, status) = (outcome.execution_id(), status_of(outcome));
    tell(host, |connector| connector.pass_ended(execution, status)).await;
    if is_over {
        tell_end(host, execution, status).await;
    }
}

/// Reports that an execution has ended, in whatever way.
pub async fn tell_end(host: &Host, execution: &ExecutionId, status: Status) {
    tell(host, |connector| connector.execution_ended(execution, status)).await;
}

async fn tell<'h>(host: &'h Host, what: impl Fn(&'h dyn Connector) -> BoxFuture<'h, ()>) {
    let connectors = host.catalogue.connectors();
    if connectors.is_empty() {
        return;
    }
    let told = connectors.iter().map(|connector| {
        let told = std::panic::catch_unwind(AssertUnwindSafe(|| what(&**connector)));
        async move {
            let told = match told {
                Ok(future) => AssertUnwindSafe(future).catch_unwind().await,
                Err(panic) => Err(panic),
            };
            if told.is_err() {
                tracing::warn!(connector = connector.name(), "a connector panicked at the end of an execution");
            }
        }
    });
    let limit = host.clock.elapsed().saturating_add(PATIENCE);
    let clock = Arc::clone(&host.clock);
    if until(&*clock, limit, join_all(told)).await.is_none() {
        tracing::warn!("a connector took too long at the end of an execution, and is no longer waited for");
    }
}

fn status_of(outcome: &Outcome) -> Status {
    match outcome {
        Outcome::Completed(_) => Status::Completed,
        Outcome::Paused(_) => Status::Paused,
        Outcome::Sleeping(_) => Status::Sleeping,
        Outcome::Failed(failed) if failed.error.code == Code::Rejected => Status::Rejected,
        Outcome::Failed(_) => Status::Failed,
        Outcome::Interrupted(_) => Status::Running,
        Outcome::RolledBack(_) => Status::RolledBack,
    }
}
