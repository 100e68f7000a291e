//! A connector of a service that is not waited for by every process while it does not answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use isobox_core::connector::{Error, ServiceLogSink, ServiceStatus};
use isobox_core::store::Status as ExecutionStatus;
use isobox_core::{Clock, Connector, ExecutionId, Offer, ToolCall, ToolError};
use serde_json::Value;

use super::lazy::Freshness;
use super::outage::{OutageFile, costly, is_outage};
use crate::real_clock::RealClock;

/// Notes that a service did not answer, and leaves it out in later processes for some minutes, as
/// [`LazyConnector`](super::LazyConnector) does with servers. Its tools are not kept.
pub(super) struct RememberingConnector {
    inner: Arc<dyn Connector>,
    outage: OutageFile,
    /// The time from which a failure is an outage. Services do not say whether they failed because nobody answered.
    costly: Duration,
    /// Whether an outage that an earlier process met counts: until this process has asked for the offer.
    recalls: AtomicBool,
}

impl RememberingConnector {
    /// Wraps the connector of a service. `timeout` is the configured time to answer.
    pub(super) fn new(
        inner: Arc<dyn Connector>,
        outage: OutageFile,
        freshness: Freshness,
        timeout: Option<Duration>,
    ) -> Self {
        Self { inner, outage, costly: costly(timeout), recalls: AtomicBool::new(freshness == Freshness::Quick) }
    }

    async fn offer(&self) -> Result<Offer, Error> {
        let clock = RealClock::new();
        if self.recalls.swap(false, Ordering::Relaxed)
            && let Some(outage) = self.outage.recent(clock.now())
        {
            return Err(outage);
        }
        let answer = self.inner.offer().await;
        match &answer {
            Ok(_) => self.outage.forget(),
            Err(error) if is_outage(error, clock.elapsed(), self.costly) => self.outage.note(error, clock.now()),
            Err(_) => {}
        }
        answer
    }
}

impl Connector for RememberingConnector {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn offer(&self) -> BoxFuture<'_, Result<Offer, Error>> {
        Box::pin(self.offer())
    }

    fn call<'a>(&'a self, tool: &'a str, call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
        self.inner.call(tool, call)
    }

    fn equivalents(&self, tool: &str, input: &Value) -> Vec<(String, Value)> {
        self.inner.equivalents(tool, input)
    }

    fn generation(&self) -> u64 {
        self.inner.generation()
    }

    fn changed(&self, generation: u64) -> BoxFuture<'_, ()> {
        self.inner.changed(generation)
    }

    fn log_to(&self, sink: Arc<ServiceLogSink>) {
        self.inner.log_to(sink);
    }

    fn status(&self) -> ServiceStatus {
        self.inner.status()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        self.inner.close()
    }

    fn pass_ended<'a>(&'a self, execution: &'a ExecutionId, status: ExecutionStatus) -> BoxFuture<'a, ()> {
        self.inner.pass_ended(execution, status)
    }

    fn execution_ended<'a>(&'a self, execution: &'a ExecutionId, status: ExecutionStatus) -> BoxFuture<'a, ()> {
        self.inner.execution_ended(execution, status)
    }
}
