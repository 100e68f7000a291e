//! Log lines of programs.

use serde::{Deserialize, Serialize};

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
