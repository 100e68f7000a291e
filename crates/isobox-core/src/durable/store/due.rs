//! Executions that are waiting for a timer, in the order in which they are due.

use crate::{ExecutionId, Timestamp};

/// A page of executions that are due, and the time at which the next one will be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Agenda {
    /// The executions, those that were due first ahead.
    pub due: Vec<DueExecution>,
    /// The end of the page. None on the last page.
    pub after: Option<DuePlace>,
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

/// A place among the executions that are due. The row at this place may be unreadable.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DuePlace {
    /// The time at which the execution at this place is due.
    pub at: Timestamp,
    /// Its ID as stored.
    pub id: String,
}

impl DueExecution {
    /// Returns the place of the execution.
    pub fn place(&self) -> DuePlace {
        DuePlace { at: self.at, id: self.id.to_string() }
    }
}
