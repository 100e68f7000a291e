//! What the store needs of a database: blocking calls, and the few differences between two dialects.

use std::borrow::Cow;

use isobox_core::ExecutionId;

use crate::deadline::Deadline;

/// One connection.
///
/// Statements are written once for all databases: parameters are `?1`, `?2` …, `{now}` is the database's own time in
/// milliseconds, and `{lock}` at the end of a query keeps the row for the rest of the transaction.
pub(crate) trait Database: Send {
    /// Begins a transaction, which waits for others until the deadline at most.
    fn begin(&mut self, access: Access, deadline: Deadline) -> Result<(), DatabaseError>;

    /// Commits, unless the database is no longer where it was: then what is promised could not be kept.
    fn commit(&mut self) -> Result<(), DatabaseError>;

    /// Gives up a transaction. A connection on which that fails is not used again.
    fn rollback(&mut self);

    /// Changes rows, and says how many.
    fn execute(&mut self, statement: &'static str, values: &[Value<'_>]) -> Result<u64, DatabaseError>;

    fn query(&mut self, statement: &'static str, values: &[Value<'_>]) -> Result<Vec<Row>, DatabaseError>;

    /// Runs a migration.
    fn run(&mut self, script: &str) -> Result<(), DatabaseError>;

    /// Tells other processes, once this transaction is committed, that it has changed an execution; where the database can.
    fn tell_after_commit(&mut self, id: &ExecutionId);

    /// What this transaction deletes is to be nowhere in the files once it is committed.
    fn wipe_after_commit(&mut self);

    /// Whether it is worth another transaction.
    fn is_usable(&self) -> bool;
}

/// What a transaction is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Access {
    /// Looks at everything in one moment.
    Read,
    /// Writes what may be lost when the machine dies that the database is on, if only together with everything that was written
    /// after it: who is alive and holds what, for they have died too, and checkpoints, for the journal tells the same.
    Note,
    /// Is the only one that writes, to these rows at least, and what it wrote is there from then on.
    Write,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value<'v> {
    Integer(i64),
    Text(Cow<'v, str>),
    Bytes(Cow<'v, [u8]>),
    Nothing,
}

impl From<i64> for Value<'_> {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl<'v> From<&'v str> for Value<'v> {
    fn from(value: &'v str) -> Self {
        Self::Text(Cow::Borrowed(value))
    }
}

impl<'v> From<&'v [u8]> for Value<'v> {
    fn from(value: &'v [u8]) -> Self {
        Self::Bytes(Cow::Borrowed(value))
    }
}

/// One row of what was asked for.
#[derive(Debug)]
pub(crate) struct Row(pub(crate) Vec<Value<'static>>);

impl Row {
    pub(crate) fn integer(&self, column: usize) -> Result<i64, DatabaseError> {
        match self.0.get(column) {
            Some(Value::Integer(value)) => Ok(*value),
            _ => Err(DatabaseError::altered("a number", column)),
        }
    }

    /// A number that is never negative.
    pub(crate) fn count(&self, column: usize) -> Result<u64, DatabaseError> {
        self.integer(column)?.try_into().map_err(|_| DatabaseError::altered("a count", column))
    }

    pub(crate) fn text(&self, column: usize) -> Result<&str, DatabaseError> {
        match self.0.get(column) {
            Some(Value::Text(text)) => Ok(text),
            _ => Err(DatabaseError::altered("a text", column)),
        }
    }

    pub(crate) fn optional_text(&self, column: usize) -> Result<Option<&str>, DatabaseError> {
        match self.0.get(column) {
            Some(Value::Nothing) => Ok(None),
            _ => self.text(column).map(Some),
        }
    }

    pub(crate) fn bytes(&mut self, column: usize) -> Result<Vec<u8>, DatabaseError> {
        match self.0.get_mut(column) {
            Some(Value::Bytes(bytes)) => Ok(std::mem::take(bytes).into_owned()),
            _ => Err(DatabaseError::altered("bytes", column)),
        }
    }
}

/// Why a database did not do what it was asked for. Never holds a password or a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct DatabaseError {
    pub(crate) kind: ErrorKind,
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) hint: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    /// This statement cannot be carried out; others may.
    Statement,
    /// Two transactions were in each other's way: the same again may well succeed.
    Collision,
    /// The database cannot be used now, and may be usable a little later.
    Unavailable,
    /// The database cannot be used before somebody has changed something.
    Unusable,
    /// A file of the database was removed or replaced while it was open.
    #[cfg_attr(not(feature = "sqlite"), expect(dead_code, reason = "only files are displaced"))]
    Displaced,
}

impl DatabaseError {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None }
    }

    pub(crate) fn hint(mut self, hint: &'static str) -> Self {
        self.hint = Some(hint);
        self
    }

    fn altered(expected: &str, column: usize) -> Self {
        Self::new(ErrorKind::Statement, format!("a row is not as it was written: column {column} is not {expected}"))
    }
}
