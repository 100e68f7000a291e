//! The messages between a host and the preparer, the sandbox in which the parser runs.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{Fault, Prepared, Program};

/// A request to the preparer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Task<'a> {
    /// Prepare a program, so that the engine can run it.
    Prepare(Cow<'a, Program>),
    /// Explain why the engine refused a prepared program.
    Explain(Cow<'a, Refused>),
    /// Mask all literals and comments of a program.
    Mask(Cow<'a, Program>),
}

/// A prepared program that the engine refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Refused {
    /// The program before preparation.
    pub program: Program,
    /// The program after preparation.
    pub prepared: Prepared,
    /// The place that the engine reported, in the author's text.
    pub place: Option<Place>,
    /// The engine's error message.
    pub message: String,
}

/// A place in the author's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Place {
    /// The path of the file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, in characters, from 1.
    pub column: u32,
}

/// The answer to a [`Task`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Answer {
    /// The program is ready to run.
    Prepared(Prepared),
    /// The program has a mistake. Also the answer to [`Task::Explain`].
    Fault(Fault),
    /// The program with its literals and comments masked. Every character keeps its line and column.
    Masked(Program),
}
