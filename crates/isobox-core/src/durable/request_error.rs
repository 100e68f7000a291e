//! The error of a request about a durable execution.

use crate::Failure;
use crate::driver;
use crate::store::{Error, ErrorKind};

/// The reason why a request about a durable execution was not carried out.
#[derive(Debug, Clone, thiserror::Error)]
pub enum RequestError {
    /// The store refused the request, or failed.
    #[error(transparent)]
    Store(#[from] Error),
    /// The request was refused, or failed, for another reason.
    #[error(transparent)]
    Other(#[from] Failure),
}

impl RequestError {
    /// Returns the kind of the error, if it is an error of the store.
    pub fn store_kind(&self) -> Option<ErrorKind> {
        match self {
            Self::Store(error) => Some(error.kind()),
            Self::Other(_) => None,
        }
    }

    /// Tells whether another process runs the execution or has ended it.
    pub fn is_elsewhere(&self) -> bool {
        matches!(self.store_kind(), Some(ErrorKind::HeldElsewhere | ErrorKind::LeaseLost | ErrorKind::Over(_)))
    }
}

impl From<driver::Error> for RequestError {
    fn from(error: driver::Error) -> Self {
        Self::Other(error.into())
    }
}

impl From<RequestError> for Failure {
    fn from(error: RequestError) -> Self {
        match error {
            RequestError::Store(error) => error.into(),
            RequestError::Other(failure) => failure,
        }
    }
}
