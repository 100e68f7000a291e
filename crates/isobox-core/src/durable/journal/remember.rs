//! The calls that a decision applies to.

use serde::{Deserialize, Serialize};

/// The further calls of the same tool with the same input that a decision applies to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Remember {
    /// No further calls.
    #[default]
    Nothing,
    /// The calls of the same execution.
    Execution,
    /// The calls of all executions with the same session key.
    Session,
}

impl Remember {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
    pub(super) fn is_nothing(&self) -> bool {
        *self == Self::Nothing
    }
}
