//! Why a driver did not do what it was asked for.

use std::error::Error as StdError;

use crate::{Code, Failure};

/// Explains why a driver failed.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// What follows from the error.
    pub kind: ErrorKind,
    /// What happened, for people.
    pub message: String,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// Tells what follows from an error of a driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The driver has no capacity now. It may have some later.
    Busy,
    /// Preparing the program takes more than the driver grants. The text names the limit.
    Excessive(&'static str),
    /// The snapshot cannot be restored: it is damaged, over the limits, or of another image. The journal can still be replayed.
    Snapshot,
    /// The instance or the whole driver failed, for a reason that the program is not told.
    Broken,
}

impl Error {
    /// Makes an error of this kind.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), source: None }
    }

    /// Adds the error that caused this one.
    #[must_use]
    pub fn caused_by(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let Error { kind, message, .. } = error;
        match kind {
            ErrorKind::Busy => Self::new(Code::Busy, message).hint("try again later"),
            ErrorKind::Excessive(limit) => {
                Self::new(Code::Syntax, message).hint("split it, or keep the data elsewhere").detail("limit", limit)
            }
            ErrorKind::Snapshot | ErrorKind::Broken => Self::new(Code::Internal, message),
        }
    }
}
