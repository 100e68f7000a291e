//! The side effects of an execution: calls of tools, and questions to the host's approver. They are planned first,
//! because each one starts after its journal entry is durable.

use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt};
use tracing::Span;

use crate::durable::permission::Permission;
use crate::policy::approval::ask;
use crate::run::calls::running_call::{Happened, Happening, RunningCall, UnderWay};
use crate::run::host::Purpose;
use crate::run::host::setting::Setting;
use crate::run::waiting::until;
use crate::tools::call::CancelOnDrop;
use crate::tools::progress::{ProgressQueue, Report};
use crate::{ApprovalRequest, Approver, CallSeq, Progress, ToolCall, ToolError};

/// A side effect that starts once its journal entry is durable.
pub(crate) enum Effect {
    /// Calls a tool.
    Call { seq: CallSeq, path: String, call: ToolCall, span: Span },
    /// Asks the approver about a call.
    Ask { seq: CallSeq, path: String, call: ToolCall, why: String, span: Span, approver: Arc<dyn Approver> },
}

/// The side effects of one execution.
#[derive(Default)]
pub(crate) struct Effects {
    planned: Vec<Effect>,
    running: FuturesUnordered<RunningCall>,
    /// The queue of progress reports.
    queue: Arc<ProgressQueue>,
    /// The number of running effects that are questions.
    questions: usize,
}

impl Effects {
    /// Plans an effect. It starts with [`Effects::start`].
    pub(crate) fn plan(&mut self, effect: Effect) {
        self.planned.push(effect);
    }

    pub(crate) fn is_any_planned(&self) -> bool {
        !self.planned.is_empty()
    }

    /// Tells whether a call is planned.
    pub(crate) fn has_planned_calls(&self) -> bool {
        self.planned.iter().any(|effect| matches!(effect, Effect::Call { .. }))
    }

    /// Starts the planned effects of a program that has this time left. Their journal entries must be durable.
    pub(crate) fn start(&mut self, setting: Setting<'_>, left: Duration, permission: impl Fn() -> Permission) {
        let mut planned = std::mem::take(&mut self.planned);
        let left = match setting.execution.purpose {
            Purpose::Program => left,
            Purpose::Rollback(limit) => limit.min(left),
        };
        for effect in planned.drain(..) {
            let running = match effect {
                Effect::Call { seq, path, mut call, span } => {
                    call.context.time_left = left;
                    self.invoke(setting, (seq, path, span), call, permission())
                }
                Effect::Ask { seq, path, call, why, span, approver } => {
                    self.questions += 1;
                    question(setting, (seq, path, span), call, why, approver)
                }
            };
            self.running.push(running);
        }
        // Its memory is used again.
        self.planned = planned;
    }

    fn invoke(
        &self,
        setting: Setting<'_>,
        (seq, path, span): (CallSeq, String, Span),
        mut call: ToolCall,
        permission: Permission,
    ) -> RunningCall {
        let Setting { host, execution, .. } = setting;
        let sink = host.observer.is_some().then(|| self.queue.sink(seq, host.contents));
        call.progress = sink.as_ref().map(Progress::to).unwrap_or_default();
        let cancel = CancelOnDrop::new();
        call.context.cancellation = cancel.cancellation();
        let (catalogue, called) = (Arc::clone(&host.catalogue), path.clone());
        let (clock, purpose) = (Arc::clone(&host.clock), execution.purpose);
        let future = Box::pin(async move {
            // Checked right before the tool is called: the program may have computed since, or the machine may have
            // slept.
            if !permission.holds() {
                return Happening::Prevented(call);
            }
            let Some(tool) = catalogue.get(&called) else {
                return Happening::Returned(Err(ToolError::internal("the tool is missing")));
            };
            Happening::Returned(match purpose {
                Purpose::Program => tool.invoke(call).await,
                Purpose::Rollback(timeout) => {
                    let limit = clock.elapsed().saturating_add(timeout);
                    let returned = until(&*clock, limit, tool.invoke(call)).await;
                    returned.unwrap_or_else(|| {
                        let message = format!("the revert took longer than {timeout:?}, and may have taken effect");
                        Err(ToolError::in_doubt(message))
                    })
                }
            })
        });
        RunningCall::new(seq, path, span, future, Some(UnderWay { _sink: sink, _cancel: cancel }))
    }

    /// Withdraws a question to the host's approver that was answered elsewhere.
    pub(crate) fn withdraw_question(&mut self, seq: CallSeq) {
        let before = self.running.len();
        self.running = std::mem::take(&mut self.running).into_iter().filter(|call| call.seq != seq).collect();
        self.questions -= before - self.running.len();
        self.planned.retain(|effect| !matches!(effect, Effect::Ask { seq: asked, .. } if *asked == seq));
    }

    /// Tells whether no effect is running.
    pub(crate) fn is_idle(&self) -> bool {
        self.running.is_empty()
    }

    /// Tells whether all running effects are questions.
    pub(crate) fn wait_for_people(&self) -> bool {
        self.running.len() == self.questions
    }

    /// Returns the next event.
    pub(crate) fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Happened> {
        match self.running.poll_next_unpin(context) {
            Poll::Ready(Some(happened)) => {
                if let Happening::Decided(..) = happened.what {
                    self.questions -= 1;
                }
                Poll::Ready(happened)
            }
            Poll::Ready(None) | Poll::Pending => Poll::Pending,
        }
    }

    /// Returns the progress reports since the last call, and wakes `waker` when there are more.
    pub(crate) fn take_progress(&self, waker: &Waker) -> impl Iterator<Item = Report> {
        self.queue.take(waker).into_iter()
    }
}

fn question(
    setting: Setting<'_>,
    (seq, path, span): (CallSeq, String, Span),
    call: ToolCall,
    why: String,
    approver: Arc<dyn Approver>,
) -> RunningCall {
    let Setting { host, execution, reporter } = setting;
    let names = host.catalogue.names(&path);
    let request = ApprovalRequest {
        execution: execution.id.clone(),
        seq,
        path: path.clone(),
        names: names.own().skip(1).map(str::to_owned).collect(),
        input: reporter.shown(seq, &path, &call.input),
        why,
    };
    let future = Box::pin(async move { Happening::Decided(ask(&*approver, request).await, call) });
    RunningCall::new(seq, path, span, future, None)
}
