//! One call of a tool, as the tool sees it.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::policy::principal::Caller;
use crate::tools::tool_error::ToolError;
use crate::{CallSeq, ExecutionId, Progress};

/// One call of a tool, as the tool sees it. Its input is JSON, or the input type of a typed tool:
/// [`Tool::typed_with_call`](crate::Tool).
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ToolCall<I = Value> {
    /// The input of the program. It fits the tool's input schema.
    pub input: I,
    /// The answer to [`ToolError::interrupt`](crate::ToolError::interrupt), once a person has given it.
    pub resolution: Option<Value>,
    /// The payload of the interrupt that `resolution` answers.
    pub interrupt: Option<Value>,
    /// The note of an earlier attempt, with which the tool continues the call: see
    /// [`ToolError::noted`](crate::ToolError::noted).
    pub note: Option<Value>,
    /// Reports progress.
    pub progress: Progress,
    /// Identifies the call and its caller, and bounds its time.
    pub context: CallContext,
}

/// Identifies a call, its execution and its caller, and bounds its time.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CallContext {
    /// The execution that makes the call.
    pub execution: ExecutionId,
    /// The number of the call within the execution.
    pub seq: CallSeq,
    /// The name and the roles of the principal that runs the execution.
    pub caller: Arc<Caller>,
    /// The key of the session that the execution belongs to.
    pub session: Option<Arc<str>>,
    /// The time that the execution has left when the call starts. The call is cancelled after that.
    pub time_left: Duration,
    /// The number of times that the tool was started for this call, including this one. More than 1 after an interrupt or
    /// a note, and after a crash if the call is repeated.
    pub attempt: u32,
    /// Increases whenever another process takes over the execution. None if the execution is not durable. A service can
    /// remember the highest token of each execution and refuse lower ones. It then rejects calls of a process that was
    /// considered dead and is only slow.
    pub fencing_token: Option<u64>,
    /// Signals that the call was cancelled or has ended.
    pub cancellation: Cancellation,
    /// The version of the tool that the program was shown, as the connector of the tool numbered it.
    pub tool_version: u64,
}

/// A running call of a tool.
pub type Invocation = BoxFuture<'static, Result<Value, ToolError>>;

impl<I> ToolCall<I> {
    /// Creates a call.
    pub fn new(input: I, context: CallContext) -> Self {
        Self { input, resolution: None, interrupt: None, note: None, progress: Progress::default(), context }
    }
}

impl CallContext {
    /// Creates the context of a call: the first attempt, without a time limit, by the host.
    pub fn new(execution: ExecutionId, seq: CallSeq) -> Self {
        Self {
            execution,
            seq,
            caller: Arc::default(),
            session: None,
            time_left: Duration::MAX,
            attempt: 1,
            fencing_token: None,
            cancellation: Cancellation::default(),
            tool_version: 0,
        }
    }

    /// Returns the idempotency key: the same for every attempt of this call, and different for every other call. A tool
    /// that passes it on can be retried safely.
    pub fn key(&self) -> String {
        format!("{}:{}", self.execution, self.seq)
    }
}

/// Signals that the result of a call is no longer needed: the program was cancelled, its time is up, or the call has
/// ended.
///
/// The future of the tool is dropped then. Work that it has passed to another task or thread continues, and can check
/// this.
#[derive(Clone, Default)]
pub struct Cancellation(Arc<Mutex<Waiting>>);

#[derive(Default)]
struct Waiting {
    is_cancelled: bool,
    wakers: Vec<Waker>,
}

impl Cancellation {
    /// Tells whether the call was cancelled or has ended.
    pub fn is_cancelled(&self) -> bool {
        self.waiting(|waiting| waiting.is_cancelled)
    }

    /// Completes when the call is cancelled or ends.
    pub async fn cancelled(&self) {
        std::future::poll_fn(|context| self.poll(context)).await;
    }

    fn poll(&self, context: &Context<'_>) -> Poll<()> {
        self.waiting(|waiting| {
            if waiting.is_cancelled {
                return Poll::Ready(());
            }
            if !waiting.wakers.iter().any(|waker| waker.will_wake(context.waker())) {
                waiting.wakers.push(context.waker().clone());
            }
            Poll::Pending
        })
    }

    fn cancel(&self) {
        let wakers = self.waiting(|waiting| {
            waiting.is_cancelled = true;
            std::mem::take(&mut waiting.wakers)
        });
        wakers.into_iter().for_each(Waker::wake);
    }

    fn waiting<T>(&self, look: impl FnOnce(&mut Waiting) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for Cancellation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Cancellation").field(&self.is_cancelled()).finish()
    }
}

/// Cancels a call when it is dropped.
pub(crate) struct CancelOnDrop(Cancellation);

impl CancelOnDrop {
    pub(crate) fn new() -> Self {
        Self(Cancellation::default())
    }

    pub(crate) fn cancellation(&self) -> Cancellation {
        self.0.clone()
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn a_call_that_is_dropped_is_cancelled_for_all_who_wait() {
        let guard = CancelOnDrop::new();
        let (one, other) = (guard.cancellation(), guard.cancellation());
        let mut waiting = Box::pin(async move { one.cancelled().await });
        assert_eq!((waiting.as_mut().now_or_never(), other.is_cancelled()), (None, false));
        drop(guard);
        assert_eq!((waiting.now_or_never(), other.is_cancelled()), (Some(()), true));
        assert_eq!(other.cancelled().now_or_never(), Some(()));
    }

    #[test]
    fn the_key_is_the_same_for_every_attempt() {
        let context = CallContext::new(ExecutionId::new(1, 2), CallSeq::new(3));
        let again = CallContext { attempt: 2, ..context.clone() };
        assert_eq!(context.key(), again.key());
        assert!(context.key().ends_with(":3"), "{}", context.key());
    }
}
