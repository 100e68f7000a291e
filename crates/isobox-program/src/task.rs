//! What a preparer is asked for, and what it answers: the messages between a host and the sandbox that the parser runs in.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{Fault, Prepared, Program};

/// Asks a preparer for one piece of work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Task<'a> {
    /// Make a program ready to run.
    Prepare(Cow<'a, Program>),
    /// Explain why the engine refused a prepared program.
    Explain(Cow<'a, Refused>),
    /// Mask all literals and comments of a program.
    Mask(Cow<'a, Program>),
}

/// Describes a prepared program that the engine refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Refused {
    /// The program as it was given.
    pub program: Program,
    /// The program as the engine got it.
    pub prepared: Prepared,
    /// Where the engine refused it, in the author's text.
    pub place: Option<Place>,
    /// What the engine said.
    pub message: String,
}

/// Names a place in the author's text.
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

/// Answers a [`Task`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Answer {
    /// The program is ready to run.
    Prepared(Prepared),
    /// The program is wrong; also the answer to [`Task::Explain`].
    Fault(Fault),
    /// The program with its literals and comments masked: every character has the line and column that it had.
    Masked(Program),
}
