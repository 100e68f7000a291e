//! Log lines of programs.

use serde::{Deserialize, Serialize};

/// A line that the program logged or Isobox added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Log {
    /// The level.
    pub level: Level,
    /// The text.
    pub message: String,
}

/// The level of a log line.
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
