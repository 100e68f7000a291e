//! The calls of an execution, as outcomes show them.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::json::present;
use crate::{CallSeq, Code, Failure};

/// A tool call of an execution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CallRecord {
    /// Its number. Calls and timers share one sequence of numbers.
    pub seq: CallSeq,
    /// The path of the tool.
    pub path: String,
    /// Its state.
    pub state: CallState,
    /// The time from its start to its answer. Absent for a call that never started.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub duration_ms: Option<u64>,
    /// The input that the program passed. Input, output and error are present only on request, and without the parts
    /// that the policy redacts.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub input: Option<Value>,
    /// The output.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub output: Option<Value>,
    /// The error.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<Failure>,
    /// The number of the call that this call of a rollback reverts.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reverts: Option<CallSeq>,
}

/// The state of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum CallState {
    /// The program made the call, and it never started.
    Issued,
    /// The call is waiting for a decision.
    Pending,
    /// The call is running.
    Started,
    /// The call had started when its process ended. A person has to say whether it took effect.
    InDoubt,
    /// The call had started and was abandoned. It is unknown whether it took effect.
    CancelledUnknown,
    /// The call succeeded.
    Applied,
    /// The call failed.
    Failed,
    /// A person denied the call.
    Denied,
    /// The call succeeded, and a rollback has reverted it.
    Reverted,
}

impl CallState {
    /// Returns the state of a call with this failure.
    pub(crate) fn of_failure(failure: &Failure) -> Self {
        if failure.code == Code::ApprovalDenied { Self::Denied } else { Self::Failed }
    }

    /// Returns the name of the state: `cancelled-unknown`.
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
            Self::Reverted => "reverted",
        }
    }
}

impl fmt::Display for CallState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
