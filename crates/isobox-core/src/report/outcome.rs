//! The outcome of an execution, in one JSON shape everywhere.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::journal::{CallPlace, Ending, JournalCall, JournalState, Pending, Question};
use crate::json::present;
use crate::policy::Policy;
use crate::report::call_record::{CallRecord, CallState};
use crate::report::rolled_back::RolledBack;
use crate::store::Status;
use crate::text::brief;
use crate::{CallSeq, Code, ConflictKind, ExecutionId, Facts, Failure, Log, Timestamp};

/// The outcome of an execution. Each variant contains exactly what is known in that case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Outcome {
    /// The program returned.
    Completed(Completed),
    /// The program is waiting for decisions.
    Paused(Paused),
    /// The program is waiting for a timer.
    Sleeping(Sleeping),
    /// The program failed, or was not run at all.
    Failed(Failed),
    /// This process cannot continue the execution, which has not ended.
    Interrupted(Interrupted),
    /// Calls of the execution, which had ended, were reverted.
    #[serde(rename = "rolled_back")]
    RolledBack(RolledBack),
}

/// The program returned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Completed {
    /// The ID of the execution.
    pub execution_id: ExecutionId,
    /// The value that the program returned, or `null` if it returned nothing.
    pub result: Value,
    /// The log messages.
    pub logs: Vec<Log>,
    /// The facts that the program recorded.
    #[serde(skip_serializing_if = "Facts::is_empty", default)]
    pub facts: Facts,
    /// The tool calls.
    pub calls: Vec<CallRecord>,
    /// Calls that the program did not wait for, and values that JSON writes in an unexpected form.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub warnings: Vec<Warning>,
    /// The duration in milliseconds.
    pub duration_ms: u64,
}

/// A warning about a program that completed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Warning {
    /// The warning in words.
    pub message: String,
    /// The number of the call that it is about.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seq: Option<CallSeq>,
}

impl Warning {
    /// Returns a warning if a call had not settled when its program completed.
    fn about(call: &CallRecord) -> Option<Self> {
        let path = brief(&call.path, 80);
        let what = match call.state {
            CallState::CancelledUnknown => "the call was cancelled, and may have taken effect",
            CallState::Issued | CallState::Pending => "the call was not completed",
            _ => return None,
        };
        let message = format!("the program returned while its call of `{path}` was still pending: {what}");
        Some(Self { message, seq: Some(call.seq) })
    }

    /// Returns a warning if a program had no effect at all. Its author probably forgot a call or a `return`.
    fn about_nothing(result: &Value, logs: &[Log], calls: &[CallRecord]) -> Option<Self> {
        let is_silent = result.is_null() && logs.is_empty() && calls.is_empty();
        let message =
            "the program returned `null`, logged nothing and called no tool: end it with `return` and a value";
        is_silent.then(|| Self { message: message.to_owned(), seq: None })
    }
}

/// The program failed, or was not run at all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Failed {
    /// The ID of the execution.
    pub execution_id: ExecutionId,
    /// The failure.
    pub error: Failure,
    /// The log messages until then.
    pub logs: Vec<Log>,
    /// The facts that the program recorded until then.
    #[serde(skip_serializing_if = "Facts::is_empty", default)]
    pub facts: Facts,
    /// The tool calls until then.
    pub calls: Vec<CallRecord>,
    /// The duration in milliseconds.
    pub duration_ms: u64,
}

/// This process cannot continue: its store failed, or another process has taken over the execution. The execution has
/// not ended, and none of its work is lost. It must be resumed; running its program again would repeat everything.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Interrupted {
    /// The ID of the execution.
    pub execution_id: ExecutionId,
    /// The reason: `STORE`, or `CONFLICT` if another process has taken over.
    pub error: Failure,
    /// The log messages until then.
    pub logs: Vec<Log>,
    /// The facts that the program recorded until then.
    #[serde(skip_serializing_if = "Facts::is_empty", default)]
    pub facts: Facts,
    /// The tool calls until then, as far as this process knows.
    pub calls: Vec<CallRecord>,
    /// The duration in milliseconds.
    pub duration_ms: u64,
}

/// The program is waiting for decisions, and is stored until then.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Paused {
    /// The ID of the execution.
    pub execution_id: ExecutionId,
    /// Counts changes of the set of pending calls. A decision names the revision that was shown.
    pub revision: u64,
    /// The pending calls.
    pub pending: Vec<PendingCall>,
    /// The log messages until then.
    pub logs: Vec<Log>,
    /// The facts that the program recorded until then.
    #[serde(skip_serializing_if = "Facts::is_empty", default)]
    pub facts: Facts,
    /// The tool calls until then.
    pub calls: Vec<CallRecord>,
    /// The paused execution as one text, if there is no store.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub continuation: Option<String>,
    /// Whether the execution is held because its store was restored from a backup. An administrator has to release it.
    #[serde(skip_serializing_if = "is_false", default)]
    pub restored: bool,
    /// The time at which the execution continues without a decision, because a timer is due.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub until: Option<Timestamp>,
}

/// The program is waiting for a timer, and is stored until then.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Sleeping {
    /// The ID of the execution.
    pub execution_id: ExecutionId,
    /// The time at which it is to be woken.
    pub until: Timestamp,
    /// The log messages until then.
    pub logs: Vec<Log>,
    /// The facts that the program recorded until then.
    #[serde(skip_serializing_if = "Facts::is_empty", default)]
    pub facts: Facts,
    /// The tool calls until then.
    pub calls: Vec<CallRecord>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}

impl Paused {
    /// Returns the outcome of an execution in this state.
    pub fn of(execution_id: &ExecutionId, state: &JournalState, policy: &Policy) -> Self {
        Self {
            execution_id: execution_id.clone(),
            revision: state.revision,
            pending: state.pending().map(|(call, pending)| PendingCall::of(call, pending, state, policy)).collect(),
            logs: state.logs.clone(),
            facts: state.facts.clone(),
            calls: state.records(),
            continuation: None,
            restored: state.restored.is_some(),
            until: None,
        }
    }

    /// Counts the pending calls by tool, in the order of their first calls.
    pub fn pending_by_tool(&self) -> Vec<(&str, usize)> {
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for call in &self.pending {
            match counts.iter_mut().find(|(path, _)| *path == call.path) {
                Some((_, count)) => *count += 1,
                None => counts.push((&call.path, 1)),
            }
        }
        counts
    }
}

/// A pending call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PendingCall {
    /// Its number.
    pub seq: CallSeq,
    /// The path of the tool.
    pub path: String,
    /// The input, without the parts that the policy redacts.
    pub input: Value,
    /// The kind of its question.
    pub kind: PendingKind,
    /// The place of the call in the program, if that is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub at: Option<CallPlace>,
    /// The reason for the question.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub why: Option<String>,
    /// The question of the tool, in its own terms.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub payload: Option<Value>,
    /// The time before which a person may not say that a call in doubt did not happen. The process that started it may
    /// be slow rather than dead.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub not_before: Option<Timestamp>,
    /// The snippet that makes the call. `at` is then the place in the program that has caused it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub snippet: Option<PendingSnippet>,
    /// The number of the call that this call of a rollback reverts.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reverts: Option<CallSeq>,
    /// The path of the tool of that call, if that is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reverts_path: Option<String>,
}

/// The snippet that makes a pending call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PendingSnippet {
    /// The name of the snippet.
    pub name: String,
    /// Its version.
    pub version: u32,
    /// The place of the call in the snippet, if that is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub at: Option<CallPlace>,
    /// The code of the entry file. None if the policy redacts values, because the code may contain them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub code: Option<String>,
}

/// The kind of question that a call is waiting for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum PendingKind {
    /// May the call be made?
    Approval,
    /// The tool needs an answer from outside.
    Interrupt,
    /// Did the call happen? It had started when its process ended.
    InDoubt,
}

impl PendingCall {
    /// Returns the pending call as a person sees it.
    pub(crate) fn of(call: &JournalCall, pending: &Pending, state: &JournalState, policy: &Policy) -> Self {
        let (kind, why, payload) = match &pending.question {
            Question::Approval { why, .. } => (PendingKind::Approval, Some(why.clone()), None),
            Question::Interrupt { payload } => {
                let payload = policy.redacted_payload(call.tool_names(), payload);
                (PendingKind::Interrupt, None, Some(payload))
            }
            Question::InDoubt => (PendingKind::InDoubt, pending.why.clone(), None),
        };
        let input = policy.redacted(call.tool_names(), &call.shown_input(pending));
        let (seq, path) = (call.seq, call.path.to_string());
        let mut at = call.open.as_ref().and_then(|open| open.at.clone());
        let snippet = state.snippet_of(seq).map(|(name, version, code)| {
            let code = code.program.files().get(code.program.entry()).filter(|_| !policy.redacts()).cloned();
            let inside = std::mem::replace(&mut at, state.cause_of(seq).cloned());
            PendingSnippet { name: name.to_owned(), version, at: inside, code }
        });
        let reverts = state.reverts.get(&seq).copied();
        let reverts_path = reverts.and_then(|reverted| Some(state.call(reverted)?.path.to_string()));
        let not_before = pending.not_before;
        Self { seq, path, input, kind, at, why, payload, not_before, snippet, reverts, reverts_path }
    }
}

/// The logs, facts and calls of a program, which are a part of every outcome.
pub(crate) struct Account {
    pub(crate) logs: Vec<Log>,
    pub(crate) facts: Facts,
    pub(crate) calls: Vec<CallRecord>,
}

impl Account {
    /// Returns what a program has done according to its journal.
    pub(crate) fn of(state: &JournalState) -> Self {
        Self { logs: state.logs.clone(), facts: state.facts.clone(), calls: state.records() }
    }
}

impl Outcome {
    /// Returns the outcome of an execution that never began.
    pub fn refused(execution_id: ExecutionId, error: Failure) -> Self {
        let (logs, facts, calls) = (Vec::new(), Facts::new(), Vec::new());
        Self::Failed(Failed { execution_id, error, logs, facts, calls, duration_ms: 0 })
    }

    /// Returns the outcome of an execution that waits for decisions, or for a timer that is due at this time.
    pub(crate) fn at_rest(
        execution_id: &ExecutionId,
        state: &JournalState,
        until: Option<Timestamp>,
        policy: &Policy,
    ) -> Self {
        if let (Some(until), Status::Sleeping) = (until, state.resting_status(until)) {
            let (execution_id, Account { logs, facts, calls }) = (execution_id.clone(), Account::of(state));
            return Self::Sleeping(Sleeping { execution_id, until, logs, facts, calls });
        }
        Self::Paused(Paused { until, ..Paused::of(execution_id, state, policy) })
    }

    /// Returns the outcome of a paused execution that cannot be kept.
    pub fn abandoned(paused: Paused, error: Failure) -> Self {
        let Paused { execution_id, logs, facts, calls, .. } = paused;
        Self::Failed(Failed { execution_id, error, logs, facts, calls, duration_ms: 0 })
    }

    /// Returns the outcome of an execution that has ended.
    pub(crate) fn ended(
        execution_id: ExecutionId,
        how: Ending,
        hints: Vec<String>,
        Account { logs, facts, calls }: Account,
        duration_ms: u64,
    ) -> Self {
        match how {
            Ending::Completed(result) => {
                let is_silent = hints.is_empty() && facts.is_empty();
                let nothing = Warning::about_nothing(&result, &logs, &calls).filter(|_| is_silent);
                let hints = hints.into_iter().map(|message| Warning { message, seq: None });
                let warnings = calls.iter().filter_map(Warning::about).chain(hints).chain(nothing).collect();
                Self::Completed(Completed { execution_id, result, logs, facts, calls, warnings, duration_ms })
            }
            Ending::Failed(error) | Ending::Rejected(error) => {
                Self::Failed(Failed { execution_id, error, logs, facts, calls, duration_ms })
            }
            // The outcome of a rollback is made by `Outcome::of_rollback`.
            Ending::RolledBack(stopped) => {
                let error = stopped.map_or_else(rolled_back, |failure| *failure);
                Self::Failed(Failed { execution_id, error, logs, facts, calls, duration_ms })
            }
        }
    }

    /// Returns the outcome of the last rollback of an execution. It is a failure if nothing was reverted, although
    /// something was to be.
    pub(crate) fn of_rollback(
        execution_id: &ExecutionId,
        state: &JournalState,
        stopped: Option<Failure>,
    ) -> Option<Self> {
        let rolled_back = RolledBack::of(execution_id, state, stopped)?;
        let has_failed = !rolled_back.failed.is_empty() || rolled_back.error.is_some();
        if !has_failed || !rolled_back.reverted.is_empty() {
            return Some(Self::RolledBack(rolled_back));
        }
        let error = rolled_back.as_failure();
        let RolledBack { execution_id, logs, facts, calls, duration_ms, .. } = rolled_back;
        Some(Self::Failed(Failed { execution_id, error, logs, facts, calls, duration_ms }))
    }

    /// Returns the outcome of an execution that this process cannot continue.
    pub(crate) fn interrupted(
        execution_id: ExecutionId,
        error: Failure,
        state: &JournalState,
        duration_ms: u64,
    ) -> Self {
        const GO_ON: &str =
            "the execution is not over, and nothing is lost: do not run the program again, resume the execution";
        let hint = error.hint.as_ref().map_or_else(|| GO_ON.to_owned(), |hint| format!("{hint}; {GO_ON}"));
        let Account { logs, facts, calls } = Account::of(state);
        Self::Interrupted(Interrupted { execution_id, error: error.hint(hint), logs, facts, calls, duration_ms })
    }

    /// Returns the ID of the execution.
    pub fn execution_id(&self) -> &ExecutionId {
        match self {
            Self::Completed(completed) => &completed.execution_id,
            Self::Paused(paused) => &paused.execution_id,
            Self::Sleeping(sleeping) => &sleeping.execution_id,
            Self::Failed(failed) => &failed.execution_id,
            Self::Interrupted(interrupted) => &interrupted.execution_id,
            Self::RolledBack(rolled_back) => &rolled_back.execution_id,
        }
    }

    /// Returns the log messages.
    pub fn logs(&self) -> &[Log] {
        match self {
            Self::Completed(completed) => &completed.logs,
            Self::Paused(paused) => &paused.logs,
            Self::Sleeping(sleeping) => &sleeping.logs,
            Self::Failed(failed) => &failed.logs,
            Self::Interrupted(interrupted) => &interrupted.logs,
            Self::RolledBack(rolled_back) => &rolled_back.logs,
        }
    }

    /// Returns the facts that the program recorded.
    pub fn facts(&self) -> &Facts {
        match self {
            Self::Completed(completed) => &completed.facts,
            Self::Paused(paused) => &paused.facts,
            Self::Sleeping(sleeping) => &sleeping.facts,
            Self::Failed(failed) => &failed.facts,
            Self::Interrupted(interrupted) => &interrupted.facts,
            Self::RolledBack(rolled_back) => &rolled_back.facts,
        }
    }

    /// Returns the tool calls.
    pub fn calls(&self) -> &[CallRecord] {
        match self {
            Self::Completed(completed) => &completed.calls,
            Self::Paused(paused) => &paused.calls,
            Self::Sleeping(sleeping) => &sleeping.calls,
            Self::Failed(failed) => &failed.calls,
            Self::Interrupted(interrupted) => &interrupted.calls,
            Self::RolledBack(rolled_back) => &rolled_back.calls,
        }
    }

    /// Marks calls as not started, because the store has no record of a start.
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
            Self::Sleeping(sleeping) => &mut sleeping.calls,
            Self::Failed(failed) => &mut failed.calls,
            Self::Interrupted(interrupted) => &mut interrupted.calls,
            Self::RolledBack(rolled_back) => &mut rolled_back.calls,
        }
    }

    /// Returns the result of the program, or why there is none. If the execution is not over, its ID is in `executionId`
    /// of the details.
    pub fn into_result(self) -> Result<Value, Failure> {
        let id = self.execution_id().to_string();
        let not_over = |failure: Failure| Err(failure.detail("executionId", id));
        match self {
            Self::Completed(completed) => Ok(completed.result),
            Self::Paused(paused) => {
                let message = format!("the program is waiting for {} decisions", paused.pending.len());
                not_over(Failure::new(Code::ApprovalRequired, message))
            }
            Self::Sleeping(sleeping) => {
                let message = format!("the program sleeps, and has no result before {}", sleeping.until);
                not_over(Failure::conflict(ConflictKind::NotOver, message).hint("resume the execution when it is due"))
            }
            Self::Failed(failed) => Err(failed.error),
            Self::Interrupted(interrupted) => not_over(interrupted.error),
            Self::RolledBack(rolled_back) => Err(rolled_back.as_failure()),
        }
    }
}

fn rolled_back() -> Failure {
    Failure::new(Code::Rejected, "the execution was rolled back")
}
