//! Executions that are waiting for a timer, in the order in which they are due.

use crate::{ExecutionId, Timestamp};

/// The executions that are due, and the time at which the next one will be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Agenda {
    /// The executions that are due.
    pub due: Vec<DueExecution>,
    /// The time at which the next execution is due that is not due yet.
    pub next: Option<Timestamp>,
}

/// An execution that is to be woken. They are ordered by time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DueExecution {
    /// The time at which it is due.
    pub at: Timestamp,
    /// Its ID.
    pub id: ExecutionId,
}
