//! The status of a stored execution.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The status of a stored execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Status {
    /// A process runs the execution, or ran it and died.
    Running,
    /// The execution is waiting for a decision.
    Paused,
    /// The execution is waiting for a timer.
    Sleeping,
    /// The program returned.
    Completed,
    /// The program failed.
    Failed,
    /// A person rejected the execution.
    Rejected,
    /// The execution had ended, and calls of it were reverted.
    RolledBack,
}

impl Status {
    /// All statuses.
    pub const ALL: [Self; 7] =
        [Self::Running, Self::Paused, Self::Sleeping, Self::Completed, Self::Failed, Self::Rejected, Self::RolledBack];

    /// Returns the name of the status as it is printed and stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Sleeping => "sleeping",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Rejected => "rejected",
            Self::RolledBack => "rolled_back",
        }
    }

    /// Tells whether the execution has ended.
    pub const fn is_over(self) -> bool {
        match self {
            Self::Running | Self::Paused | Self::Sleeping => false,
            Self::Completed | Self::Failed | Self::Rejected | Self::RolledBack => true,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// A text that is not a status.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a status: it is running, paused, sleeping, completed, failed, rejected or rolled_back")]
pub struct NotAStatus(String);

impl FromStr for Status {
    type Err = NotAStatus;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|status| status.as_str() == text);
        found.ok_or_else(|| NotAStatus(crate::text::brief(text, 40)))
    }
}
