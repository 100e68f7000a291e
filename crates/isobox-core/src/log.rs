//! Log lines and facts of programs.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

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

/// A fact that the program recorded with `codemode.fact`, or left in `globalThis.facts`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Fact {
    /// The name.
    pub name: String,
    /// The value.
    pub value: Value,
}

/// The facts of a program by name. Of two facts with the same name, the later one counts.
pub type Facts = Map<String, Value>;

/// Adds facts to those that were recorded before.
pub(crate) fn add_facts(facts: &mut Facts, more: impl IntoIterator<Item = Fact>) {
    facts.extend(more.into_iter().map(|Fact { name, value }| (name, value)));
}
