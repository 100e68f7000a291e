//! Faults: the reasons why a text is not a valid program.

use serde::{Deserialize, Serialize};

/// The kind of mistake that a [`Fault`] reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FaultKind {
    /// The source does not parse, or uses something that is not available.
    Syntax,
    /// The set of files is not a valid program.
    Config,
}

/// Reports why a text is not a valid program, and where in the author's text the mistake is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[error("{message}")]
pub struct Fault {
    /// The kind of the mistake.
    pub kind: FaultKind,
    /// A description of the mistake, in one line.
    pub message: String,
    /// The place of the mistake.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<FaultPlace>,
    /// Advice on how to correct the mistake.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hint: Option<String>,
}

/// A place in the author's text, with the line of source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FaultPlace {
    /// The path of the file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in that line, in characters, from 1.
    pub column: u32,
    /// The text of the line. A long line is cut to an excerpt around the column.
    pub source: String,
}

impl Fault {
    pub(crate) fn config(message: impl Into<String>) -> Self {
        Self { kind: FaultKind::Config, message: message.into(), place: None, hint: None }
    }
}

#[cfg(feature = "parser")]
impl Fault {
    pub(crate) fn syntax(message: impl Into<String>) -> Self {
        Self { kind: FaultKind::Syntax, message: message.into(), place: None, hint: None }
    }

    #[must_use]
    pub(crate) fn at(mut self, place: FaultPlace) -> Self {
        self.place = Some(place);
        self
    }

    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
