//! A running call: polled inside its span until it completes, with panics caught.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::future::BoxFuture;
use serde_json::Value;
use tracing::Span;

use crate::text::panic_text;
use crate::tools::call::CancelOnDrop;
use crate::{Approval, CallSeq, ProgressSink, ToolCall, ToolError};

/// A running call.
pub(crate) struct RunningCall {
    pub(crate) seq: CallSeq,
    path: String,
    span: Span,
    future: CallFuture,
    /// Ends with the call. None for a question.
    _under_way: Option<UnderWay>,
}

/// An event of a call.
pub(crate) struct Happened {
    pub(crate) seq: CallSeq,
    pub(crate) path: String,
    pub(crate) span: Span,
    pub(crate) what: Happening,
}

/// The kinds of events of a running call.
pub(crate) enum Happening {
    /// The tool has returned.
    Returned(Result<Value, ToolError>),
    /// The approver has decided about the call.
    Decided(Approval, ToolCall),
    /// The tool was not called: this process has to confirm its lease first.
    Prevented(ToolCall),
}

/// Exists for as long as a call runs.
pub(crate) struct UnderWay {
    /// Receives the progress of the call.
    pub(crate) _sink: Option<Arc<ProgressSink>>,
    /// Cancels work that the tool has passed on.
    pub(crate) _cancel: CancelOnDrop,
}

impl RunningCall {
    pub(crate) fn new(seq: CallSeq, path: String, span: Span, future: CallFuture, under_way: Option<UnderWay>) -> Self {
        Self { seq, path, span, future, _under_way: under_way }
    }
}

impl Future for RunningCall {
    type Output = Happened;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let _entered = this.span.enter();
        // A future that panicked is never polled again, so its state after the panic does not matter.
        let polled = catch_unwind(AssertUnwindSafe(|| this.future.as_mut().poll(context)));
        let what = match polled {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(what)) => what,
            Err(panic) => Happening::Returned(Err(panicked(&*panic))),
        };
        Poll::Ready(Happened { seq: this.seq, path: std::mem::take(&mut this.path), span: this.span.clone(), what })
    }
}

pub(crate) fn panicked(panic: &(dyn Any + Send)) -> ToolError {
    ToolError::internal(format!("the tool panicked: {}", panic_text(panic)))
}

pub(crate) type CallFuture = BoxFuture<'static, Happening>;
