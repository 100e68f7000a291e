//! One call under way: polled with its panics caught, inside its span, until something comes of it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use futures_util::future::BoxFuture;
use serde_json::Value;
use tracing::Span;

use crate::ToolError;

/// One call under way.
pub(crate) struct RunningCall {
    seq: u32,
    path: String,
    span: Span,
    future: CallFuture,
}

/// One call that is over.
pub(crate) struct SettledCall {
    pub(crate) seq: u32,
    pub(crate) path: String,
    pub(crate) span: Span,
    pub(crate) result: Result<Value, Refusal>,
}

impl RunningCall {
    pub(crate) fn new(seq: u32, path: String, span: Span, future: CallFuture) -> Self {
        Self { seq, path, span, future }
    }
}

impl Future for RunningCall {
    type Output = SettledCall;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let _entered = this.span.enter();
        // A future that panicked is never polled again, so that it does not matter in which state the panic left it.
        let polled = catch_unwind(AssertUnwindSafe(|| this.future.as_mut().poll(context)));
        let result = match polled {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(result)) => result,
            Err(panic) => Err(Refusal::Failed(panicked(&*panic))),
        };
        Poll::Ready(SettledCall {
            seq: this.seq,
            path: std::mem::take(&mut this.path),
            span: this.span.clone(),
            result,
        })
    }
}

pub(crate) fn panicked(panic: &(dyn Any + Send)) -> ToolError {
    ToolError::internal(format!("the tool panicked: {}", panic_text(panic)))
}

/// What a panic said.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a value that is no text".to_owned())
}

/// Why a call that was under way has no result.
pub(crate) enum Refusal {
    Failed(ToolError),
    /// A person said no, for this reason.
    Denied(Option<String>),
}

pub(crate) type CallFuture = BoxFuture<'static, Result<Value, Refusal>>;

/// Counts one call that waits for a person, for as long as it exists.
pub(crate) struct Asking(Arc<AtomicUsize>);

impl Asking {
    pub(crate) fn begin(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(count))
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
