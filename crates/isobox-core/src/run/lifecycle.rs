//! Tells connectors where executions stand, so that they can let go of what they hold for them.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, join_all};

use crate::run::host::Host;
use crate::run::waiting::until;
use crate::store::Status;
use crate::{Code, Connector, ExecutionId, Outcome};

/// So long all connectors together may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Tells that a pass has ended, and the execution as well where it is over: one whose end could not be written is not.
pub(crate) async fn tell_connectors(host: &Host, outcome: &Outcome, is_over: bool) {
    let (execution, status) = (outcome.execution_id(), status_of(outcome));
    tell(host, |connector| connector.pass_ended(execution, status)).await;
    if is_over {
        tell_end(host, execution, status).await;
    }
}

/// Tells that an execution is over, whoever ended it.
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
                tracing::warn!(connector = connector.name(), "it panicked when it was told of the end of an execution");
            }
        }
    });
    let limit = host.clock.elapsed().saturating_add(PATIENCE);
    let clock = Arc::clone(&host.clock);
    if until(&*clock, limit, join_all(told)).await.is_none() {
        tracing::warn!("a connector took too long over the end of an execution, and is not waited for");
    }
}

fn status_of(outcome: &Outcome) -> Status {
    match outcome {
        Outcome::Completed(_) => Status::Completed,
        Outcome::Paused(_) => Status::Paused,
        Outcome::Failed(failed) if failed.error.code == Code::Rejected => Status::Rejected,
        Outcome::Failed(_) => Status::Failed,
        Outcome::Interrupted(_) => Status::Running,
    }
}
