//! Resuming durable executions.

use std::time::Duration;

use isobox_core::store::{Coverage, Subscription};
use isobox_core::{
    Clock, Code, ExecutionId, Failure, Means, Outcome, Principal, RequestError, Right, Timestamp, Tool, resume,
};

use crate::{CancellationToken, Isobox};

/// The maximum time that a resume waits for the process that runs an execution to handle its inbox.
const TAKEN_UP_WITHIN: Duration = Duration::from_secs(2);
/// The interval between attempts at first, if not every change is reported, and the interval otherwise.
const AGAIN: Duration = Duration::from_millis(50);
const AGAIN_LATER: Duration = Duration::from_millis(500);

/// The options for resuming an execution. The default fits after [`Isobox::decide`]: the execution continues until it
/// ends or pauses again.
#[derive(Debug, Clone, Default)]
#[must_use = "options do nothing until they are given to `Isobox::resume`"]
pub struct Resume {
    cancellation: Option<Cancellation>,
    paused: PausedPolicy,
    tools: Vec<Tool>,
    released_by: Option<Principal>,
}

/// A token, and the effect of its cancellation.
#[derive(Debug, Clone)]
struct Cancellation {
    token: CancellationToken,
    effect: Effect,
}

/// The effect of a cancelled token on the execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// The execution ends with `ABORTED`.
    Ends,
    /// The execution stops in this process, and can be resumed.
    Leaves,
}

/// The treatment of a paused execution whose inbox is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum PausedPolicy {
    #[default]
    Resume,
    Report,
}

impl Resume {
    /// Ends the execution with `ABORTED` when the token is cancelled, as
    /// [`Run::cancelled_by`](crate::Run::cancelled_by) does.
    pub fn cancelled_by(mut self, token: CancellationToken) -> Self {
        self.cancellation = Some(Cancellation { token, effect: Effect::Ends });
        self
    }

    /// Stops when the token is cancelled, without ending the execution: [`Isobox::resume`] fails with `ABORTED`, and
    /// the execution can be resumed.
    pub fn abandoned_by(mut self, token: CancellationToken) -> Self {
        self.cancellation = Some(Cancellation { token, effect: Effect::Leaves });
        self
    }

    /// Resumes a paused execution only if its inbox has messages or a timer is due, and otherwise returns its pending calls.
    /// Repeated use adds nothing to its journal.
    pub fn only_if_decided(mut self) -> Self {
        self.paused = PausedPolicy::Report;
        self
    }

    /// Provides the function of one tool, as [`Resume::tools`] does for several.
    pub fn tool(mut self, tool: Tool) -> Self {
        self.tools.push(tool);
        self
    }

    /// Provides the functions of the tools that the execution [began with](crate::Run::tool). Other tools are ignored,
    /// so that a host may pass all it has. If the definition of a tool has changed, approved calls of it need approval
    /// again.
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool>) -> Self {
        self.tools.extend(tools);
        self
    }

    /// Resumes the execution even if it is held because its store was restored from a backup
    /// ([`Isobox::mark_restored`]). The principal has found out that nothing is done twice: it needs
    /// [`Right::Admin`], and the journal records its name.
    pub fn restored(mut self, by: impl Into<Principal>) -> Self {
        self.released_by = Some(by.into());
        self
    }
}

/// The place where an execution was resumed.
#[derive(Debug)]
pub enum Resumed {
    /// This process resumed the execution, or it had ended before.
    Here(Box<Outcome>),
    /// Another process runs the execution, and handles its inbox.
    Elsewhere,
}

impl Resumed {
    /// Returns the outcome. None if another process runs the execution.
    pub fn into_outcome(self) -> Option<Outcome> {
        match self {
            Self::Here(outcome) => Some(*outcome),
            Self::Elsewhere => None,
        }
    }
}

/// The condition to wait for if another process holds the execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goal {
    /// The process has handled all messages in the inbox.
    TakenUp,
    /// The execution has ended.
    Ended,
}

impl Isobox {
    /// Resumes a durable execution, and returns its outcome once it has ended or paused again. For an execution that
    /// has ended, returns its outcome without running it.
    ///
    /// A sleeping execution that is not due is not resumed: this returns until when it sleeps
    /// ([`Isobox::sleep_through`] waits for it).
    ///
    /// If another process runs the execution, this waits up to two seconds until that process has handled the inbox,
    /// and resumes the execution if the process releases it instead.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`; `STORE`; `CONFIG` without a store; `BUSY`; `UNKNOWN_TOOL` if a tool is missing that the execution
    /// began with ([`Resume::tools`]) or that was decided about; `CONFLICT` if it is held because its store was restored
    /// from a backup ([`Resume::restored`]); `FORBIDDEN` if its owner began to roll it back and the policy of this process
    /// denies that; `DIVERGED` if the program does not match its journal;
    /// `ABORTED` if the token of [`Resume::abandoned_by`] is cancelled before there is an outcome. After an error the
    /// execution is unchanged.
    pub async fn resume(&self, id: &ExecutionId, options: Resume) -> Result<Resumed, Failure> {
        let Resume { cancellation, paused, tools, released_by } = options;
        if let Some(by) = &released_by {
            by.check(Right::Admin, self.store()?).await?;
        }
        let means = Means { tools: &tools, released_by: released_by.as_ref(), before: None };
        if paused == PausedPolicy::Report
            && released_by.is_none()
            && let Some(outcome) = self.inspect(id).await?.outcome(id, self.policy())
        {
            let is_due = match &outcome {
                Outcome::Paused(paused) => Some(self.is_due(paused.until)),
                Outcome::Sleeping(sleeping) => Some(self.is_due(Some(sleeping.until))),
                _ => None,
            };
            let may_go_on = match is_due {
                Some(is_due) => is_due || !self.store()?.inbox(id).await?.is_empty(),
                None => false,
            };
            if !may_go_on {
                return Ok(Resumed::Here(Box::new(outcome)));
            }
        }
        let patience = TAKEN_UP_WITHIN;
        match cancellation {
            None => self.resume_until(id, means, std::future::pending(), patience, Goal::TakenUp).await,
            Some(Cancellation { token, effect: Effect::Ends }) => {
                self.resume_until(id, means, token.cancelled(), patience, Goal::TakenUp).await
            }
            Some(Cancellation { token, effect: Effect::Leaves }) => tokio::select! {
                biased;
                () = token.cancelled() => {
                    let message = format!("the caller stopped waiting for execution {id}, which can be resumed");
                    Err(Failure::new(Code::Aborted, message))
                }
                resumed = self.resume_until(id, means, std::future::pending(), patience, Goal::TakenUp) => resumed,
            },
        }
    }

    /// Tells whether a time has come.
    pub(crate) fn is_due(&self, moment: Option<Timestamp>) -> bool {
        moment.is_some_and(|moment| moment <= self.host.clock.now())
    }

    /// Resumes an execution. If another process holds it, waits up to `patience` until the goal is reached or the
    /// process releases it.
    pub(crate) async fn resume_until(
        &self,
        id: &ExecutionId,
        means: Means<'_>,
        cancelled: impl Future<Output = ()> + Send,
        patience: Duration,
        goal: Goal,
    ) -> Result<Resumed, Failure> {
        let (mut cancelled, clock) = (std::pin::pin!(cancelled), &*self.host.clock);
        let since = clock.elapsed();
        let patience = since.saturating_add(patience);
        let mut changes = self.store()?.subscribe(id);
        loop {
            match self.resume_now(id, means, cancelled.as_mut()).await {
                Ok(outcome) => return Ok(Resumed::Here(Box::new(outcome))),
                Err(error) if error.is_elsewhere() => {}
                Err(error) => return Err(error.into()),
            }
            let inspected = self.inspect(id).await?;
            if inspected.state.ended.is_some()
                && let Some(outcome) = inspected.outcome(id, self.policy())
            {
                return Ok(Resumed::Here(Box::new(outcome)));
            }
            // The process that holds it may release it without having handled the messages.
            let is_reached = match goal {
                Goal::TakenUp => self.store()?.inbox(id).await?.is_empty(),
                Goal::Ended => false,
            };
            if clock.elapsed() >= patience || is_reached {
                return Ok(Resumed::Elsewhere);
            }
            pause(clock, since, &mut changes).await;
        }
    }

    /// Resumes an execution that no process holds and that has not ended. Returns `CONFLICT` otherwise.
    pub(crate) async fn resume_now(
        &self,
        id: &ExecutionId,
        means: Means<'_>,
        cancelled: impl Future<Output = ()> + Send,
    ) -> Result<Outcome, RequestError> {
        self.keep_alive().await?;
        // Boxed, because the futures are large and move through many callers.
        Box::pin(resume(&self.host, id, means, cancelled)).await
    }
}

/// Waits before the next attempt: until the execution changes, or for an interval. The expiry of a lease is not
/// reported.
pub(crate) async fn pause(clock: &dyn Clock, since: Duration, changes: &mut Subscription) {
    let now = clock.elapsed();
    let again = match changes.coverage() {
        Coverage::Partial if now.saturating_sub(since) < TAKEN_UP_WITHIN => AGAIN,
        Coverage::Partial | Coverage::Complete => AGAIN_LATER,
    };
    tokio::select! {
        () = changes.changed() => {}
        () = clock.sleep_until(now.saturating_add(again)) => {}
    }
}
