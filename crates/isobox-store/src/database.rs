//! The interface to a database: blocking calls, and the few differences between the two dialects.

use std::borrow::Cow;

use isobox_core::ExecutionId;

use crate::deadline::Deadline;

/// A connection to a database.
///
/// Statements are written once for all databases: parameters are `?1`, `?2` …, `{now}` is the time of the database in
/// milliseconds, and `{lock}` at the end of a query locks the row for the rest of the transaction.
pub(crate) trait Database: Send {
    /// Begins a transaction. Waits for other transactions until the deadline at most.
    fn begin(&mut self, access: Access, deadline: Deadline) -> Result<(), DatabaseError>;

    /// Commits, unless the files of the database were moved: then durability could not be guaranteed.
    fn commit(&mut self) -> Result<(), DatabaseError>;

    /// Rolls a transaction back. If that fails, the connection is not used again.
    fn rollback(&mut self);

    /// Changes rows and returns their number.
    fn execute(&mut self, statement: &'static str, values: &[Value<'_>]) -> Result<u64, DatabaseError>;

    fn query(&mut self, statement: &'static str, values: &[Value<'_>]) -> Result<Vec<Row>, DatabaseError>;

    /// Runs a migration.
    fn run(&mut self, script: &str) -> Result<(), DatabaseError>;

    /// Notifies other processes of a change of an execution after the commit, if the database supports it.
    fn tell_after_commit(&mut self, id: &ExecutionId);

    /// Requests that data deleted by this transaction is removed from the files after the commit.
    fn wipe_after_commit(&mut self);

    /// Tells whether the connection can be used for another transaction.
    fn is_usable(&self) -> bool;
}

/// The kind of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Access {
    /// Reads a consistent snapshot.
    Read,
    /// Writes data that may be lost if the machine of the database dies, but only together with everything written
    /// after it. This is used for leases and heartbeats, whose processes have died then too, and for checkpoints, which
    /// the journal can replace.
    Note,
    /// Writes with exclusive access, at least to the written rows, and durably.
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

/// One row of a query result.
#[derive(Debug)]
pub(crate) struct Row(pub(crate) Vec<Value<'static>>);

impl Row {
    pub(crate) fn integer(&self, column: usize) -> Result<i64, DatabaseError> {
        match self.0.get(column) {
            Some(Value::Integer(value)) => Ok(*value),
            _ => Err(DatabaseError::altered("a number", column)),
        }
    }

    /// Returns a number that is never negative.
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

/// An error of a database. Never contains a password or a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct DatabaseError {
    pub(crate) kind: ErrorKind,
    pub(crate) message: String,
    /// The advice about the error.
    pub(crate) hint: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    /// This statement failed; others may succeed.
    Statement,
    /// Two transactions conflicted. A retry may succeed.
    Collision,
    /// The database cannot be used now, but may be usable later.
    Unavailable,
    /// The database cannot be used until a person has fixed something.
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
        Self::new(ErrorKind::Statement, format!("a row was altered or damaged: column {column} is not {expected}"))
    }
}
