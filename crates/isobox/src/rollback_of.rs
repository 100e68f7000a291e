//! Rolling back executions that have ended.

use isobox_core::{
    Code, ExecutionId, Failure, Outcome, Principal, Right, RollbackPlan, RollbackRequest, Tool, plan_rollback,
    roll_back,
};

use crate::{CancellationToken, Isobox};

/// The options of a rollback. The default reverts all calls.
#[derive(Debug, Clone, Default)]
#[must_use = "options do nothing until they are given to `Isobox::rollback`"]
pub struct Rollback {
    request: RollbackRequest,
    cancellation: Option<CancellationToken>,
}

impl Rollback {
    /// Reverts only the calls after the last `codemode.step` with this name.
    pub fn to(mut self, step: impl Into<String>) -> Self {
        self.request.to = Some(step.into());
        self
    }

    /// Provides the functions of the tools that the execution [began with](crate::Run::tool). Calls of missing ones are
    /// left as they are.
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool>) -> Self {
        self.request.tools.extend(tools);
        self
    }

    /// Stops when the token is cancelled, without ending the rollback: [`Isobox::rollback`] fails with `ABORTED`, and
    /// [`Isobox::resume`] continues the rollback.
    pub fn abandoned_by(mut self, token: CancellationToken) -> Self {
        self.cancellation = Some(token);
        self
    }
}

impl Isobox {
    /// Returns what a rollback of an execution would revert, and what it would leave. Changes nothing.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND` if there is no such execution or step, `CONFLICT` if the execution has not ended, `STORE`, `CONFIG`
    /// without a store.
    pub async fn rollback_plan(&self, id: &ExecutionId, options: &Rollback) -> Result<RollbackPlan, Failure> {
        Ok(plan_rollback(&self.host, id, &options.request).await?)
    }

    /// Reverts the calls of an execution that has ended, the last one first, with the function of
    /// [`Tool::revert`] or the call of [`Tool::reverted_by`].
    ///
    /// A failed revert does not stop the others; a further rollback tries it again. A revert that needs approval, an
    /// answer or a decision pauses the execution, and [`Isobox::resume`] continues the rollback, also after a crash. A
    /// revert that succeeded is never made again. Calls without a revert are left as they are, and reported.
    ///
    /// # Errors
    ///
    /// As for [`Isobox::rollback_plan`]; `FORBIDDEN` as for [`Isobox::decide`]; `CONFLICT` if another process rolls the
    /// execution back; `BUSY`; `ABORTED` if the token of [`Rollback::abandoned_by`] is cancelled before there is an
    /// outcome.
    pub async fn rollback(
        &self,
        id: &ExecutionId,
        by: impl Into<Principal>,
        options: Rollback,
    ) -> Result<Outcome, Failure> {
        let Rollback { request, cancellation } = options;
        let by = by.into();
        by.check(Right::Decide, self.store()?).await?;
        self.keep_alive().await?;
        // Boxed, because the future is large.
        let rolling = Box::pin(roll_back(&self.host, id, &by, &request, std::future::pending()));
        match cancellation {
            None => Ok(rolling.await?),
            Some(token) => tokio::select! {
                biased;
                () = token.cancelled() => {
                    let message = format!("the caller stopped waiting for the rollback of {id}, which can be resumed");
                    Err(Failure::new(Code::Aborted, message))
                }
                outcome = rolling => Ok(outcome?),
            },
        }
    }
}
