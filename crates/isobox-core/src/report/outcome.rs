//! What comes of an execution: the one JSON shape of every door.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::journal::{CallPlace, Ending, JournalCall, JournalState, Pending, Question};
use crate::json::present;
use crate::policy::Policy;
use crate::{CallSeq, Code, ExecutionId, Failure, Log, Timestamp};

/// How an execution ended. Each variant holds what is known then, and nothing else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Outcome {
    /// The program returned.
    Completed(Completed),
    /// The program waits for somebody outside.
    Paused(Paused),
    /// The program failed, or was not run at all.
    Failed(Failed),
    /// This process cannot go on with the execution, which is not over.
    Interrupted(Interrupted),
}

/// The program returned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Completed {
    /// Which execution.
    pub execution_id: ExecutionId,
    /// What the program returned; `null` where it returned nothing.
    pub result: Value,
    /// What it logged.
    pub logs: Vec<Log>,
    /// The tool calls it made.
    pub calls: Vec<CallRecord>,
    /// How long it took.
    pub duration_ms: u64,
}

/// The program failed, or was not run at all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Failed {
    /// Which execution.
    pub execution_id: ExecutionId,
    /// Why.
    pub error: Failure,
    /// What it logged until then.
    pub logs: Vec<Log>,
    /// The tool calls it made until then.
    pub calls: Vec<CallRecord>,
    /// How long it took.
    pub duration_ms: u64,
}

/// This process cannot go on: its store failed, or another process has taken the execution over. The execution is not over,
/// and nothing that it did is lost. It is to be resumed; to run its program again would do everything again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Interrupted {
    /// Which execution.
    pub execution_id: ExecutionId,
    /// Why this process cannot go on: `STORE`, or `CONFLICT` where another process has taken over.
    pub error: Failure,
    /// What it logged until then.
    pub logs: Vec<Log>,
    /// The tool calls it made until then, as far as this process knows.
    pub calls: Vec<CallRecord>,
    /// How long it took.
    pub duration_ms: u64,
}

/// The program waits for somebody outside, and is kept until then.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Paused {
    /// Which execution.
    pub execution_id: ExecutionId,
    /// How often what is pending has changed: a decision names what it was shown.
    pub revision: u64,
    /// The calls that wait.
    pub pending: Vec<PendingCall>,
    /// What it logged until then.
    pub logs: Vec<Log>,
    /// The tool calls it made until then.
    pub calls: Vec<CallRecord>,
}

impl Paused {
    /// What is told of an execution that stands like this.
    pub fn of(execution_id: &ExecutionId, state: &JournalState, policy: &Policy) -> Self {
        Self {
            execution_id: execution_id.clone(),
            revision: state.revision,
            pending: state.pending().map(|(call, pending)| PendingCall::of(call, pending, policy)).collect(),
            logs: state.logs.clone(),
            calls: state.records(),
        }
    }
}

/// A call that waits for somebody outside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PendingCall {
    /// Its number.
    pub seq: CallSeq,
    /// Which tool.
    pub path: String,
    /// With what; parts that the policy redacts are not shown.
    pub input: Value,
    /// For what it waits.
    pub kind: PendingKind,
    /// Where in the program it is made, if that is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub at: Option<CallPlace>,
    /// Why it is asked, in words.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub why: Option<String>,
    /// What the tool asks for.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub payload: Option<Value>,
    /// Until when nobody may say that it did not happen, where it is in doubt: the process that started it may be slow
    /// rather than dead.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub not_before: Option<Timestamp>,
}

/// For what a call waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum PendingKind {
    /// Whether it may be made.
    Approval,
    /// For something that the tool needs from outside.
    Interrupt,
    /// Whether it happened: it had started when its process ended.
    InDoubt,
}

impl PendingCall {
    /// What a person is shown of a call.
    pub(crate) fn of(call: &JournalCall, pending: &Pending, policy: &Policy) -> Self {
        let (kind, why, payload) = match &pending.question {
            Question::Approval { why, .. } => (PendingKind::Approval, Some(why.clone()), None),
            Question::Interrupt { payload } => (PendingKind::Interrupt, None, Some(payload.clone())),
            Question::InDoubt => (PendingKind::InDoubt, None, None),
        };
        let input = policy.redacted(call.tool_names(), &call.shown_input(pending));
        let (seq, path) = (call.seq, call.path.to_string());
        let at = call.open.as_ref().and_then(|open| open.at.clone());
        Self { seq, path, input, kind, at, why, payload, not_before: pending.not_before }
    }
}

impl Outcome {
    /// The outcome of an execution that never began.
    pub fn refused(execution_id: ExecutionId, error: Failure) -> Self {
        Self::Failed(Failed { execution_id, error, logs: Vec::new(), calls: Vec::new(), duration_ms: 0 })
    }

    /// What is told of an execution that ended like this.
    pub(crate) fn ended(
        execution_id: ExecutionId,
        how: Ending,
        logs: Vec<Log>,
        calls: Vec<CallRecord>,
        duration_ms: u64,
    ) -> Self {
        match how {
            Ending::Completed(result) => Self::Completed(Completed { execution_id, result, logs, calls, duration_ms }),
            Ending::Failed(error) | Ending::Rejected(error) => {
                Self::Failed(Failed { execution_id, error, logs, calls, duration_ms })
            }
        }
    }

    /// What is told of an execution with which this process cannot go on.
    pub(crate) fn interrupted(
        execution_id: ExecutionId,
        error: Failure,
        state: &JournalState,
        duration_ms: u64,
    ) -> Self {
        const GO_ON: &str =
            "the execution is not over, and nothing is lost: do not run the program again, resume the execution";
        let hint = error.hint.as_ref().map_or_else(|| GO_ON.to_owned(), |hint| format!("{hint}; {GO_ON}"));
        let (logs, calls) = (state.logs.clone(), state.records());
        Self::Interrupted(Interrupted { execution_id, error: error.hint(hint), logs, calls, duration_ms })
    }

    /// Which execution.
    pub fn execution_id(&self) -> &ExecutionId {
        match self {
            Self::Completed(completed) => &completed.execution_id,
            Self::Paused(paused) => &paused.execution_id,
            Self::Failed(failed) => &failed.execution_id,
            Self::Interrupted(interrupted) => &interrupted.execution_id,
        }
    }

    /// What the program logged.
    pub fn logs(&self) -> &[Log] {
        match self {
            Self::Completed(completed) => &completed.logs,
            Self::Paused(paused) => &paused.logs,
            Self::Failed(failed) => &failed.logs,
            Self::Interrupted(interrupted) => &interrupted.logs,
        }
    }

    /// The tool calls it made.
    pub fn calls(&self) -> &[CallRecord] {
        match self {
            Self::Completed(completed) => &completed.calls,
            Self::Paused(paused) => &paused.calls,
            Self::Failed(failed) => &failed.calls,
            Self::Interrupted(interrupted) => &interrupted.calls,
        }
    }

    /// Says that no call has started: it never came to the store that one would.
    pub(crate) fn forget_starts(&mut self) {
        for record in self.calls_mut() {
            if matches!(record.state, CallState::Started | CallState::Pending) {
                record.state = CallState::Issued;
            }
        }
    }

    pub(crate) fn calls_mut(&mut self) -> &mut [CallRecord] {
        match self {
            Self::Completed(completed) => &mut completed.calls,
            Self::Paused(paused) => &mut paused.calls,
            Self::Failed(failed) => &mut failed.calls,
            Self::Interrupted(interrupted) => &mut interrupted.calls,
        }
    }

    /// What the program returned, or why it did not.
    pub fn into_result(self) -> Result<Value, Failure> {
        match self {
            Self::Completed(completed) => Ok(completed.result),
            Self::Paused(paused) => {
                let message = format!("the program waits for {} decisions", paused.pending.len());
                Err(Failure::new(Code::ApprovalRequired, message))
            }
            Self::Failed(failed) => Err(failed.error),
            Self::Interrupted(interrupted) => Err(interrupted.error),
        }
    }
}

/// One tool call of an execution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CallRecord {
    /// Its number. Timers have numbers of their own between those of the calls.
    pub seq: CallSeq,
    /// Which tool.
    pub path: String,
    /// How far it came.
    pub state: CallState,
    /// From start to answer; absent for a call that never started.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub duration_ms: Option<u64>,
    /// What the program passed; here and below only where it was asked for, and without what the policy redacts.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub input: Option<Value>,
    /// What it got.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub output: Option<Value>,
    /// Why it got nothing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<Failure>,
}

/// How far a call came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum CallState {
    /// The program made it; it never started.
    Issued,
    /// It waits for somebody outside.
    Pending,
    /// It is under way.
    Started,
    /// It had started when its process ended, and whether it took effect is for a person to say.
    InDoubt,
    /// It started; nobody waits for it any more, and whether it took effect is not known.
    CancelledUnknown,
    /// It succeeded.
    Applied,
    /// It failed.
    Failed,
    /// A person did not allow it.
    Denied,
}

impl CallState {
    /// The state of a call that failed like this.
    pub(crate) fn of_failure(failure: &Failure) -> Self {
        if failure.code == Code::ApprovalDenied { Self::Denied } else { Self::Failed }
    }

    /// The state as it is written everywhere: `cancelled-unknown`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Issued => "issued",
            Self::Pending => "pending",
            Self::Started => "started",
            Self::InDoubt => "in-doubt",
            Self::CancelledUnknown => "cancelled-unknown",
            Self::Applied => "applied",
            Self::Failed => "failed",
            Self::Denied => "denied",
        }
    }
}

impl fmt::Display for CallState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
