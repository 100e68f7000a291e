//! Reasons why a document is refused.

use std::fmt;

/// A place in a text, and what is wrong there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SyntaxError {
    /// The line, from 1 on. 0 if the whole text is meant.
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) message: String,
}

impl SyntaxError {
    pub(super) fn whole(message: impl Into<String>) -> Self {
        Self { line: 0, column: 0, message: message.into() }
    }

    pub(super) fn in_place(self, place: impl fmt::Display) -> Refusal {
        match self.line {
            0 => Refusal { place: place.to_string(), reason: self.message },
            line => Refusal { place: format!("{place}:{line}:{}", self.column), reason: self.message },
        }
    }
}

/// The reason why a document is refused, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) place: String,
    pub(super) reason: String,
}

impl Refusal {
    pub(super) fn of(place: impl fmt::Display, reason: impl Into<String>) -> Self {
        Self { place: place.to_string(), reason: reason.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.place, self.reason)
    }
}

impl std::error::Error for Refusal {}
