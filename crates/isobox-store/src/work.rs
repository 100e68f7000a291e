//! The unit of work of a store's threads.

use isobox_core::store::Error;

use crate::database::{Database, DatabaseError};
use crate::deadline::Deadline;

/// Work for a thread. The time that it waits for the thread counts towards its deadline.
pub(crate) struct Task {
    pub(crate) deadline: Deadline,
    pub(crate) work: Box<dyn Work>,
}

/// An operation in a transaction, with the caller that waits for it.
pub(crate) trait Work: Send {
    /// Carries out the operation and keeps its result. May be called again in another transaction if this one fails.
    fn attempt(&mut self, database: &mut dyn Database) -> Result<(), DatabaseError>;

    /// Notifies the caller: of the result if the transaction was committed, otherwise of the failure.
    fn finish(self: Box<Self>, transaction: Result<(), Error>);
}
