//! The reasons why requests have no answer.

use std::fmt;

/// The JavaScript error that the program gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Error {
    pub(crate) kind: ErrorKind,
    pub(crate) message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    Range,
    Type,
}

pub(crate) type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn range(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Range, message: message.into() }
    }

    pub(crate) fn type_error(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Type, message: message.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}
