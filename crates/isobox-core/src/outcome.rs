//! What comes of an execution: the one JSON shape of every door.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Failure;

/// How an execution ended. Each variant holds what is known then, and nothing else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Outcome {
    /// The program returned.
    Completed(Completed),
    /// The program failed, or was not run at all.
    Failed(Failed),
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

impl Outcome {
    /// The outcome of an execution that never began.
    pub fn refused(execution_id: ExecutionId, error: Failure) -> Self {
        Self::Failed(Failed { execution_id, error, logs: Vec::new(), calls: Vec::new(), duration_ms: 0 })
    }

    /// Which execution.
    pub fn execution_id(&self) -> &ExecutionId {
        match self {
            Self::Completed(completed) => &completed.execution_id,
            Self::Failed(failed) => &failed.execution_id,
        }
    }

    /// What the program logged.
    pub fn logs(&self) -> &[Log] {
        match self {
            Self::Completed(completed) => &completed.logs,
            Self::Failed(failed) => &failed.logs,
        }
    }

    /// The tool calls it made.
    pub fn calls(&self) -> &[CallRecord] {
        match self {
            Self::Completed(completed) => &completed.calls,
            Self::Failed(failed) => &failed.calls,
        }
    }

    /// What the program returned, or why it did not.
    pub fn into_result(self) -> Result<Value, Failure> {
        match self {
            Self::Completed(completed) => Ok(completed.result),
            Self::Failed(failed) => Err(failed.error),
        }
    }
}

/// The name of an execution.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ExecutionId(String);

impl ExecutionId {
    /// A name that sorts by time and is as unique as the number is random.
    pub fn new(milliseconds: u64, random: u128) -> Self {
        Self(format!("exec_{milliseconds:012x}{random:032x}"))
    }

    /// The name as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ExecutionId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// One line that the program logged, or that Isobox added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Log {
    /// How important.
    pub level: Level,
    /// The text.
    pub message: String,
}

/// How important a log line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "named after the methods of `console`")]
pub enum Level {
    Debug,
    Log,
    Info,
    Warn,
    Error,
}

/// One tool call of an execution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CallRecord {
    /// Its number. Timers have numbers of their own between those of the calls.
    pub seq: String,
    /// Which tool.
    pub path: String,
    /// How far it came.
    pub state: CallState,
    /// From start to answer; absent for a call that never started.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub duration_ms: Option<u64>,
    /// What the program passed; here and below only where it was asked for, and without what the policy redacts.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input: Option<Value>,
    /// What it got.
    #[serde(skip_serializing_if = "Option::is_none", default)]
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
    /// It started; nobody waits for it any more, and whether it took effect is not known.
    CancelledUnknown,
    /// It succeeded.
    Applied,
    /// It failed.
    Failed,
}

impl CallState {
    /// The state as it is written everywhere: `cancelled-unknown`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Issued => "issued",
            Self::CancelledUnknown => "cancelled-unknown",
            Self::Applied => "applied",
            Self::Failed => "failed",
        }
    }
}

impl fmt::Display for CallState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
