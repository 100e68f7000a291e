//! The error of a driver.

use std::error::Error as StdError;

use crate::{Code, Failure};

/// The reason why a driver failed.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// The kind.
    pub kind: ErrorKind,
    /// The message for people.
    pub message: String,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// The kind of a driver's error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The driver has no capacity now. It may have some later.
    Busy,
    /// Preparing the program exceeds a limit of the driver. The text names the limit.
    Excessive(&'static str),
    /// The snapshot cannot be restored: it is damaged, over the limits, or of another image. The journal can still be replayed.
    Snapshot,
    /// Programs cannot run in the region. The message says what is wrong with it.
    Region,
    /// The instance or the whole driver failed. The program does not see the reason.
    Broken,
}

impl Error {
    /// Creates an error of this kind.
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
            ErrorKind::Region => Self::new(Code::Config, message),
            ErrorKind::Snapshot | ErrorKind::Broken => Self::new(Code::Internal, message),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn failure(kind: ErrorKind) -> Failure {
        Error::new(kind, "it is so").caused_by("a reason for the host").into()
    }

    #[test]
    fn every_kind_has_a_code_and_keeps_its_message() {
        let kinds = [
            (ErrorKind::Busy, Code::Busy, Some("try again later")),
            (ErrorKind::Excessive("nodes"), Code::Syntax, Some("split it, or keep the data elsewhere")),
            (ErrorKind::Region, Code::Config, None),
            (ErrorKind::Snapshot, Code::Internal, None),
            (ErrorKind::Broken, Code::Internal, None),
        ];
        for (kind, code, hint) in kinds {
            let failure = failure(kind);
            assert_eq!((failure.code, failure.message.as_str(), failure.hint.as_deref()), (code, "it is so", hint));
        }
    }

    #[test]
    fn the_limit_that_is_exceeded_is_a_detail() {
        assert_eq!(failure(ErrorKind::Excessive("nodes")).details["limit"], json!("nodes"));
        assert!(!failure(ErrorKind::Busy).details.contains_key("limit"));
    }
}
