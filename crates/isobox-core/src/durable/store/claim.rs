//! The purpose for which a lease is taken.

use super::{Error, Status};
use crate::ExecutionId;

/// The state of an execution whose lease is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// The execution has not ended. It is continued.
    Unfinished,
    /// The execution has ended. It is rolled back.
    Ended,
}

impl Claim {
    /// Returns an error if an execution with this status is not in the state that the claim is for.
    pub fn check(self, id: &ExecutionId, status: Status) -> Result<(), Error> {
        match (self, status.is_over()) {
            (Self::Unfinished, false) | (Self::Ended, true) => Ok(()),
            (Self::Unfinished, true) => Err(Error::over(id, status)),
            (Self::Ended, false) => Err(Error::not_over(id)),
        }
    }
}
