//! Why a text does not become a program.

use serde::{Deserialize, Serialize};

/// Says what kind of mistake a [`Fault`] reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FaultKind {
    /// The source does not parse, or asks for something that is not available.
    Syntax,
    /// The files do not make up a program.
    Config,
}

/// Reports why a text does not become a program, and where in the author's text the mistake is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[error("{message}")]
pub struct Fault {
    /// What kind of mistake it is.
    pub kind: FaultKind,
    /// What is wrong, in one line.
    pub message: String,
    /// Where it is wrong.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<FaultPlace>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hint: Option<String>,
}

/// Names a place in the author's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FaultPlace {
    /// The path of the file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in that line, in characters, from 1.
    pub column: u32,
    /// The line itself, or what stands around the column of a long one.
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
