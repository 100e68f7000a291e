//! Side effects that start after their journal entry is durable: calls of tools, questions to the host's approver.

use std::sync::Arc;

use tracing::Span;

use crate::durable::recorder::Permission;
use crate::policy::approval::ask;
use crate::run::run_loop::{Run, Stop};
use crate::run::running_call::{Happening, RunningCall};
use crate::{ApprovalRequest, Code, Failure, Progress, ToolCall, ToolError};

/// A side effect that starts once its journal entry is durable.
pub(crate) enum Begin {
    /// A tool is called.
    Call { seq: u32, path: String, call: ToolCall, span: Span },
    /// Somebody is asked whether it may be.
    Ask { seq: u32, path: String, call: ToolCall, why: String, span: Span },
}

impl Run<'_> {
    /// Starts what is to start, once it is on disk that it does and while this process holds the lease.
    pub(crate) async fn begin(&mut self) -> Result<(), Stop> {
        if self.beginning.is_empty() {
            return Ok(());
        }
        let makes_calls = self.beginning.iter().any(|begin| matches!(begin, Begin::Call { .. }));
        if let Some(recorder) = &mut self.recorder {
            recorder.confirm().await?;
            if makes_calls {
                recorder.hold().await?;
            }
            self.excuse_store();
            self.check_time::<()>()?;
        }
        for begin in std::mem::take(&mut self.beginning) {
            let begun = match begin {
                Begin::Call { seq, path, call, span } => self.invoke(seq, path, call, span),
                Begin::Ask { seq, path, call, why, span } => self.decide(seq, path, call, why, span)?,
            };
            self.running.push(begun);
        }
        Ok(())
    }

    /// Gives the program the time back for which its store did not answer.
    pub(crate) fn excuse_store(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            self.deadline = self.deadline.saturating_add(recorder.take_lost());
        }
    }

    fn invoke(&self, seq: u32, path: String, mut call: ToolCall, span: Span) -> RunningCall {
        let teller = self.host.observer.is_some().then(|| self.desk.teller(seq, self.host.contents));
        call.progress = teller.as_ref().map(Progress::to).unwrap_or_default();
        let (catalogue, called) = (Arc::clone(&self.host.catalogue), path.clone());
        let permission = self.recorder.as_ref().map(|recorder| recorder.permission());
        let future = Box::pin(async move {
            // Right before the tool is called: the program may have computed since, or the machine may have slept.
            if permission.as_ref().is_some_and(|permission| !Permission::holds(permission)) {
                return Happening::Prevented(call);
            }
            Happening::Returned(match catalogue.get(&called) {
                Some(tool) => tool.invoke(call).await,
                None => Err(ToolError::internal("the tool is gone")),
            })
        });
        RunningCall::new(seq, path, span, future, teller)
    }

    fn decide(
        &mut self,
        seq: u32,
        path: String,
        call: ToolCall,
        why: String,
        span: Span,
    ) -> Result<RunningCall, Failure> {
        let Some(approver) = &self.host.approver else {
            return Err(Failure::new(Code::Internal, "there is nobody to ask"));
        };
        let approver = Arc::clone(approver);
        let names = self.host.catalogue.names(&path);
        let request = ApprovalRequest {
            execution: self.execution.id.clone(),
            seq: seq.to_string(),
            path: path.clone(),
            names: names.own().skip(1).map(str::to_owned).collect(),
            input: self.host.policy.redacted(names, &call.input),
            why,
        };
        self.deciding += 1;
        let future = Box::pin(async move { Happening::Decided(ask(&*approver, request).await, call) });
        Ok(RunningCall::new(seq, path, span, future, None))
    }
}
