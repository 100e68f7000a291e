//! Snippets in a journal. The answer to a call of `codemode.run` is the code to run, so that a replay runs the same code
//! although the snippet was changed or deleted since.

use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::CallPlace;
use crate::program::{Prepared, Program};
use crate::{CallSeq, Failure};

/// The start of a snippet.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct SnippetStarted {
    /// The name of the snippet.
    pub name: String,
    /// Its version.
    pub version: u32,
    /// The hash of its code.
    pub hash: String,
    /// The code. None if the journal has the code with this hash already.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub code: Option<SharedCode>,
    /// The input.
    pub input: Box<RawValue>,
    /// The part of the budgets of the execution that the snippet may use.
    pub budget: SnippetBudget,
    /// The name of the principal whose remembered decision approved the call.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub approved_by: Option<String>,
    /// The warning for the author of the program, if a tool of the snippet has changed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub warning: Option<String>,
    /// Whether the execution has run the same code before.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub is_repeated: bool,
}

/// The part of the budgets of an execution that a snippet may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct SnippetBudget {
    /// The maximum number of calls.
    pub calls: u32,
    /// The bytes that were left of the log when the snippet started. It shares the log with the programs beside it.
    pub logs: u64,
    /// The bytes that were left for facts when the snippet started. It shares them with the programs beside it.
    pub facts: u64,
}

/// The code of a snippet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct SnippetCode {
    /// The program as its author wrote it.
    pub program: Program,
    /// The program that the engine runs.
    pub prepared: Prepared,
}

/// The code of a snippet. Clones share it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedCode(Arc<SnippetCode>);

impl SharedCode {
    pub(crate) fn new(program: Program, prepared: Prepared) -> Self {
        Self(Arc::new(SnippetCode { program, prepared }))
    }
}

impl Deref for SharedCode {
    type Target = SnippetCode;

    fn deref(&self) -> &SnippetCode {
        &self.0
    }
}

impl Serialize for SharedCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for SharedCode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        SnippetCode::deserialize(deserializer).map(|code| Self(Arc::new(code)))
    }
}

/// The end of a snippet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct SnippetEnded {
    /// The number of the call that started the snippet.
    pub seq: CallSeq,
    /// The failure, if the snippet failed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub failure: Option<Box<Failure>>,
    /// The milliseconds since its start.
    pub took: u64,
}

/// A snippet that has started and not ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct RunningSnippet {
    /// The name of the snippet.
    pub name: String,
    /// Its version.
    pub version: u32,
    /// The hash of its code.
    pub hash: String,
    /// Whether the execution has run the same code before.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub is_repeated: bool,
    /// The place of the call that started it, if that is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub at: Option<CallPlace>,
}

/// The maximum number of warnings about snippets in an outcome.
const MOST_WARNINGS: usize = 5;

/// Adds a warning about a snippet, unless it is there or there are too many.
pub(crate) fn add_warning(warnings: &mut Vec<String>, warning: String) {
    if warnings.len() < MOST_WARNINGS && !warnings.contains(&warning) {
        warnings.push(warning);
    }
}
