//! The unit of work of a store's threads.

use isobox_core::store::Error;

use crate::database::{Database, DatabaseError};

/// Something to be done in a transaction, together with whoever waits for it.
pub(crate) trait Work: Send {
    /// Does it and keeps what came of it. May be done again, in another transaction, where this one fails.
    fn attempt(&mut self, database: &mut dyn Database) -> Result<(), DatabaseError>;

    /// Tells whoever waits: what came of it where the transaction was committed, or else why it was not.
    fn finish(self: Box<Self>, transaction: Result<(), Error>);
}
