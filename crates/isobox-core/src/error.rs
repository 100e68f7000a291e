//! Failures of executions: stable codes, and one shape in which they are reported everywhere.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The reason why an execution or a request failed. Codes are stable: programs and tests may rely on them.
///
/// Each code has a page in `docs/errors/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum Code {
    /// The source does not parse.
    Syntax,
    /// The program has mistakes that were found before it ran.
    Check,
    /// The program threw.
    Thrown,
    /// The program exceeded its wall-clock or CPU time.
    Timeout,
    /// The caller cancelled the execution.
    Aborted,
    /// The program ran out of memory and did not catch it.
    Memory,
    /// The program overflowed its stack and did not catch it.
    Stack,
    /// The source is over its limit.
    SourceTooLarge,
    /// The result is over its limit.
    ResultTooLarge,
    /// The input of a tool is over its limit.
    InputTooLarge,
    /// The output of a tool is over its limit.
    OutputTooLarge,
    /// The log is full. This is a warning in the log, never a failure.
    LogLimit,
    /// The program made too many calls.
    CallLimit,
    /// The program has too many calls in flight.
    InFlightLimit,
    /// The program returned while a call it made was never awaited or still pending.
    DetachedCall,
    /// The tool does not exist.
    UnknownTool,
    /// The input does not fit the tool's schema.
    InvalidInput,
    /// The output does not fit the tool's schema.
    InvalidOutput,
    /// The tool failed.
    Tool,
    /// The call needs the approval of a person, and there is no approver.
    ApprovalRequired,
    /// A person denied the call.
    ApprovalDenied,
    /// A person rejected the execution.
    Rejected,
    /// A request of a program is refused, or has failed.
    Fetch,
    /// A value is not JSON.
    Serialization,
    /// A replay does not match the journal.
    Diverged,
    /// The continuation is forged, altered, expired, for another audience, or already used.
    Continuation,
    /// The continuation is over its limit.
    ContinuationTooLarge,
    /// The journal of the execution is over its limit.
    JournalLimit,
    /// No capacity is left, and the queue is full.
    Busy,
    /// The program waits for something that can never come.
    Deadlock,
    /// The requested object does not exist.
    NotFound,
    /// The request does not match the current state.
    Conflict,
    /// The configuration is wrong.
    Config,
    /// The policy does not allow the request.
    Forbidden,
    /// The store failed.
    Store,
    /// A defect of Isobox itself.
    Internal,
}

impl Code {
    /// All codes, in the order of the contract.
    pub const ALL: [Self; 36] = [
        Self::Syntax,
        Self::Check,
        Self::Thrown,
        Self::Timeout,
        Self::Aborted,
        Self::Memory,
        Self::Stack,
        Self::SourceTooLarge,
        Self::ResultTooLarge,
        Self::InputTooLarge,
        Self::OutputTooLarge,
        Self::LogLimit,
        Self::CallLimit,
        Self::InFlightLimit,
        Self::DetachedCall,
        Self::UnknownTool,
        Self::InvalidInput,
        Self::InvalidOutput,
        Self::Tool,
        Self::ApprovalRequired,
        Self::ApprovalDenied,
        Self::Rejected,
        Self::Fetch,
        Self::Serialization,
        Self::Diverged,
        Self::Continuation,
        Self::ContinuationTooLarge,
        Self::JournalLimit,
        Self::Busy,
        Self::Deadlock,
        Self::NotFound,
        Self::Conflict,
        Self::Config,
        Self::Forbidden,
        Self::Store,
        Self::Internal,
    ];

    /// Returns the code as text: `UNKNOWN_TOOL`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Syntax => "SYNTAX",
            Self::Check => "CHECK",
            Self::Thrown => "THROWN",
            Self::Timeout => "TIMEOUT",
            Self::Aborted => "ABORTED",
            Self::Memory => "MEMORY",
            Self::Stack => "STACK",
            Self::SourceTooLarge => "SOURCE_TOO_LARGE",
            Self::ResultTooLarge => "RESULT_TOO_LARGE",
            Self::InputTooLarge => "INPUT_TOO_LARGE",
            Self::OutputTooLarge => "OUTPUT_TOO_LARGE",
            Self::LogLimit => "LOG_LIMIT",
            Self::CallLimit => "CALL_LIMIT",
            Self::InFlightLimit => "IN_FLIGHT_LIMIT",
            Self::DetachedCall => "DETACHED_CALL",
            Self::UnknownTool => "UNKNOWN_TOOL",
            Self::InvalidInput => "INVALID_INPUT",
            Self::InvalidOutput => "INVALID_OUTPUT",
            Self::Tool => "TOOL",
            Self::ApprovalRequired => "APPROVAL_REQUIRED",
            Self::ApprovalDenied => "APPROVAL_DENIED",
            Self::Rejected => "REJECTED",
            Self::Fetch => "FETCH",
            Self::Serialization => "SERIALIZATION",
            Self::Diverged => "DIVERGED",
            Self::Continuation => "CONTINUATION",
            Self::ContinuationTooLarge => "CONTINUATION_TOO_LARGE",
            Self::JournalLimit => "JOURNAL_LIMIT",
            Self::Busy => "BUSY",
            Self::Deadlock => "DEADLOCK",
            Self::NotFound => "NOT_FOUND",
            Self::Conflict => "CONFLICT",
            Self::Config => "CONFIG",
            Self::Forbidden => "FORBIDDEN",
            Self::Store => "STORE",
            Self::Internal => "INTERNAL",
        }
    }

    /// Returns the default `name` of an error with this code: `UnknownToolError`.
    pub const fn error_name(self) -> &'static str {
        match self {
            Self::Syntax => "SyntaxError",
            Self::Check => "CheckError",
            Self::Thrown => "Error",
            Self::Timeout => "TimeoutError",
            Self::Aborted => "AbortError",
            Self::Memory => "MemoryLimitError",
            Self::Stack => "RangeError",
            Self::SourceTooLarge => "SourceTooLargeError",
            Self::ResultTooLarge => "ResultTooLargeError",
            Self::InputTooLarge => "InputTooLargeError",
            Self::OutputTooLarge => "OutputTooLargeError",
            Self::LogLimit => "LogLimitError",
            Self::CallLimit => "CallLimitError",
            Self::InFlightLimit => "InFlightLimitError",
            Self::DetachedCall => "DetachedCallError",
            Self::UnknownTool => "UnknownToolError",
            Self::InvalidInput => "InvalidInputError",
            Self::InvalidOutput => "InvalidOutputError",
            Self::Tool => "ToolError",
            Self::ApprovalRequired => "ApprovalRequiredError",
            Self::ApprovalDenied => "ApprovalDeniedError",
            Self::Rejected => "RejectedError",
            Self::Fetch => "FetchError",
            Self::Serialization => "SerializationError",
            Self::Diverged => "DivergedError",
            Self::Continuation => "ContinuationError",
            Self::ContinuationTooLarge => "ContinuationTooLargeError",
            Self::JournalLimit => "JournalLimitError",
            Self::Busy => "BusyError",
            Self::Deadlock => "DeadlockError",
            Self::NotFound => "NotFoundError",
            Self::Conflict => "ConflictError",
            Self::Config => "ConfigError",
            Self::Forbidden => "ForbiddenError",
            Self::Store => "StoreError",
            Self::Internal => "InternalError",
        }
    }
}

impl Code {
    /// Tells whether a call that was started and failed with this code has taken effect: its tool returned a result, and
    /// the result was refused.
    pub fn refuses_output(self) -> bool {
        matches!(self, Self::OutputTooLarge | Self::InvalidOutput | Self::Serialization)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The meaning of a [`Failure`] with the code `CONFLICT`. [`Failure::conflict_kind`] returns it, and `conflict` in the
/// details of the failure has its [text](Self::as_str). The texts are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ConflictKind {
    /// An earlier decision about the same calls, or an earlier rejection or cancellation, is recorded and counts.
    AlreadyDecided,
    /// The name or the ID is taken: by another session, or by an execution of another request.
    AlreadyExists,
    /// The execution has changed since it was read, or the pending calls since they were shown. Look again, then decide.
    Changed,
    /// The store has no room for another message or document of this kind.
    Full,
    /// The execution is held, because its store was restored from a backup.
    Held,
    /// Another execution uses the session. `executionId` in the details names it.
    InUse,
    /// The globals of the session cannot be used here: they are of another version of the sandbox, or over the limits.
    Incompatible,
    /// The execution has not ended yet.
    NotOver,
    /// The call is not waiting for a decision or an answer, for example because it has completed.
    NotPending,
    /// The execution has ended.
    Over,
    /// Another process runs the execution.
    RunsElsewhere,
    /// Another process has taken over the execution, or another program the session.
    TakenOver,
    /// The call in doubt may still happen. `notBefore` in the details says until when.
    TooEarly,
    /// The decision or answer does not fit: another question was asked, another execution was shown, no revision is named,
    /// or the same call is named twice.
    WrongDecision,
}

impl ConflictKind {
    /// All kinds, in alphabetical order.
    pub const ALL: [Self; 14] = [
        Self::AlreadyDecided,
        Self::AlreadyExists,
        Self::Changed,
        Self::Full,
        Self::Held,
        Self::InUse,
        Self::Incompatible,
        Self::NotOver,
        Self::NotPending,
        Self::Over,
        Self::RunsElsewhere,
        Self::TakenOver,
        Self::TooEarly,
        Self::WrongDecision,
    ];

    /// Returns the kind as text: `already-decided`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AlreadyDecided => "already-decided",
            Self::AlreadyExists => "already-exists",
            Self::Changed => "changed",
            Self::Full => "full",
            Self::Held => "held",
            Self::InUse => "in-use",
            Self::Incompatible => "incompatible",
            Self::NotOver => "not-over",
            Self::NotPending => "not-pending",
            Self::Over => "over",
            Self::RunsElsewhere => "runs-elsewhere",
            Self::TakenOver => "taken-over",
            Self::TooEarly => "too-early",
            Self::WrongDecision => "wrong-decision",
        }
    }
}

impl fmt::Display for ConflictKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The detail that has the kind of a conflict.
const CONFLICT: &str = "conflict";

/// The detail that marks a failure to record a decision that may be recorded nevertheless.
const UNCONFIRMED: &str = "unconfirmed";

/// The failure of an execution: the cause, the place in the author's text, and advice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{code}: {message}")]
#[non_exhaustive]
pub struct Failure {
    /// The stable code.
    pub code: Code,
    /// The name of the error: `TypeError`.
    pub name: String,
    /// The cause, in one line if possible.
    pub message: String,
    /// The line in the author's text, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub line: Option<u32>,
    /// The column in that line, in characters, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub column: Option<u32>,
    /// Advice.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hint: Option<String>,
    /// Details that depend on the code: `file`, `source` (the offending line), `stack`, `tool`, `limit`, `cause` …
    #[serde(skip_serializing_if = "Map::is_empty", default)]
    pub details: Map<String, Value>,
}

impl Failure {
    /// Creates a failure with a message.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            name: code.error_name().to_owned(),
            message: message.into(),
            line: None,
            column: None,
            hint: None,
            details: Map::new(),
        }
    }

    /// Creates a failure with the code `CONFLICT`.
    pub fn conflict(kind: ConflictKind, message: impl Into<String>) -> Self {
        Self::new(Code::Conflict, message).detail(CONFLICT, kind.as_str())
    }

    /// Returns the meaning of a failure with the code `CONFLICT`. Returns `None` for other codes, and for a kind that
    /// only a later version knows.
    pub fn conflict_kind(&self) -> Option<ConflictKind> {
        let text = self.details.get(CONFLICT).filter(|_| self.code == Code::Conflict)?.as_str()?;
        ConflictKind::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// Tells whether a decision, a rejection or a cancellation may be recorded although the request for it failed: the
    /// store did not confirm it, and does not say whether it has it.
    pub fn is_unconfirmed(&self) -> bool {
        self.code == Code::Store && self.details.get(UNCONFIRMED) == Some(&Value::Bool(true))
    }

    /// Marks a failure to record a decision that may be recorded nevertheless.
    pub(crate) fn unconfirmed(self) -> Self {
        self.detail(UNCONFIRMED, true)
    }

    /// Sets the name of the error that caused it.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Sets the position in the author's text.
    #[must_use]
    pub fn at(mut self, line: u32, column: u32) -> Self {
        self.line = Some(line);
        self.column = Some(column);
        self
    }

    /// Sets the advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Returns the details that the program finds on the error of its call: those that its tool has given.
    pub fn guest_details(&self) -> Option<&Map<String, Value>> {
        Some(&self.details).filter(|details| self.code == Code::Tool && !details.is_empty())
    }

    /// Returns the failure without the values that a tool has given, except numbers: they are contents, like a result.
    pub(crate) fn without_contents(mut self) -> Self {
        if self.code == Code::Tool {
            self.details.retain(|_, value| value.is_number());
        }
        self
    }

    /// Adds a detail.
    #[must_use]
    pub fn detail(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.details.insert(key.to_owned(), value.into());
        self
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json, to_value};

    use super::*;

    #[test]
    fn a_failure_keeps_the_kind_of_its_conflict_when_it_is_written_and_read() {
        for kind in ConflictKind::ALL {
            let failure = Failure::conflict(kind, "no");
            assert_eq!(to_value(&failure).unwrap()["details"], json!({ "conflict": kind.as_str() }));
            let read: Failure = from_value(to_value(failure.hint("wait").detail("restored", true)).unwrap()).unwrap();
            assert_eq!((read.code, read.conflict_kind()), (Code::Conflict, Some(kind)));
        }
    }

    #[test]
    fn only_a_conflict_has_a_kind() {
        assert_eq!(Failure::new(Code::Conflict, "no").conflict_kind(), None);
        assert_eq!(Failure::new(Code::Tool, "no").detail("conflict", "over").conflict_kind(), None, "a tool said so");
        assert_eq!(Failure::new(Code::Conflict, "no").detail("conflict", "of later").conflict_kind(), None);
    }
}
