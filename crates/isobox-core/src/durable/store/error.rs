//! The error of a store.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use super::{Collection, Status};
use crate::{Code, ConflictKind, ExecutionId, Failure};

/// The reason why a store did not carry out a request.
///
/// Callers act on the [kind](Error::kind). Servers and the command line report the error as a [`Failure`] with its
/// message and hint. The source stays with the host.
#[derive(Debug, Clone)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    hint: Option<String>,
    /// Shared, because all operations of a failed transaction get the same error.
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

/// The kind of a store's error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The store does not have the execution.
    NotFound,
    /// The store already has an execution with this ID.
    AlreadyExists,
    /// The execution has ended, with this status.
    Over(Status),
    /// The execution has not ended.
    NotOver,
    /// A live process holds the lease of the execution.
    HeldElsewhere,
    /// The lease is no longer held by its holder, or the journal is not as the holder left it.
    LeaseLost,
    /// The inbox already has a message about the same question.
    AlreadyDecided,
    /// The inbox has no room for more messages.
    InboxFull,
    /// The collection has no room for another document.
    CollectionFull,
    /// The execution has changed since the caller read it.
    Changed,
    /// The store cannot be used now, and may be usable a little later: the connection broke, another process holds a
    /// lock, the disk is full. It is unknown whether the operation was carried out.
    Unavailable,
    /// The store failed, and will fail again until the cause is removed.
    Broken,
}

impl ErrorKind {
    /// Tells whether a working store refused the operation. Nothing was written then.
    pub const fn is_refusal(self) -> bool {
        match self {
            Self::NotFound
            | Self::AlreadyExists
            | Self::Over(_)
            | Self::NotOver
            | Self::HeldElsewhere
            | Self::LeaseLost
            | Self::AlreadyDecided
            | Self::InboxFull
            | Self::CollectionFull
            | Self::Changed => true,
            Self::Unavailable | Self::Broken => false,
        }
    }
}

impl Error {
    /// Creates an error. The message says in one line what happened.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None, source: None }
    }

    /// Reports that the store does not have the execution.
    pub fn not_found(id: &ExecutionId) -> Self {
        Self::new(ErrorKind::NotFound, format!("there is no execution {id}"))
            .hint("`isobox executions list` shows those that are kept")
    }

    /// Reports that the store already has the execution.
    pub fn already_exists(id: &ExecutionId) -> Self {
        Self::new(ErrorKind::AlreadyExists, format!("there is an execution {id} already"))
    }

    /// Reports that the execution has ended.
    pub fn over(id: &ExecutionId, status: Status) -> Self {
        Self::new(ErrorKind::Over(status), format!("execution {id} is over: it is {status}"))
    }

    /// Reports that the execution has not ended.
    pub fn not_over(id: &ExecutionId) -> Self {
        Self::new(ErrorKind::NotOver, format!("execution {id} has not ended, and cannot be rolled back yet"))
            .hint("wait until it ends, or reject or cancel it first")
    }

    /// Reports that a live process holds the lease of the execution.
    pub fn held_elsewhere(id: &ExecutionId) -> Self {
        Self::new(ErrorKind::HeldElsewhere, format!("another process is running execution {id}"))
            .hint("wait until it pauses or ends; if that process has died, its lease expires within a minute")
    }

    /// Reports that a writer no longer holds the lease.
    pub fn lease_lost(id: &ExecutionId) -> Self {
        Self::new(ErrorKind::LeaseLost, format!("another process has taken over execution {id}"))
    }

    /// Reports that the inbox already has a message about the same question.
    pub fn already_decided(id: &ExecutionId) -> Self {
        Self::new(ErrorKind::AlreadyDecided, format!("the inbox of execution {id} already has a decision about this"))
    }

    /// Reports that the inbox has no room for the messages.
    pub fn inbox_full(id: &ExecutionId) -> Self {
        Self::new(ErrorKind::InboxFull, format!("the inbox of execution {id} is full"))
            .hint("resume the execution, which empties its inbox, then decide")
    }

    /// Reports that a collection has no room for another document.
    pub fn collection_full(collection: Collection) -> Self {
        let Collection { name, most, .. } = collection;
        Self::new(ErrorKind::CollectionFull, format!("the store has {most} documents of the kind `{name}` already"))
            .hint("delete some that are no longer needed")
    }

    /// Reports that the execution changed after it was read.
    pub fn changed(id: &ExecutionId) -> Self {
        Self::new(ErrorKind::Changed, format!("execution {id} has changed since it was read"))
    }

    /// Reports that the store cannot be used now, and may be usable a little later.
    pub fn unavailable(what: &str, why: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Unavailable, format!("{what}: {why}"))
    }

    /// Reports that the store failed, and will fail again.
    pub fn broken(what: &str, why: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Broken, format!("{what}: {why}"))
    }

    /// Adds advice for the operator of the store.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds the error that caused this one. Servers and the command line do not report it.
    #[must_use]
    pub fn caused_by(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.source = Some(Arc::from(source.into()));
        self
    }

    /// Returns the kind.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the message.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_ref().map(|source| &**source as &(dyn StdError + 'static))
    }
}

/// The detail that marks a transient failure.
const TRANSIENT: &str = "transient";

/// Refusals become `NOT_FOUND` or `CONFLICT`; failures of the store become `STORE`.
impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let Error { kind, message, hint, .. } = error;
        let failure = match kind {
            ErrorKind::NotFound => Self::new(Code::NotFound, message),
            ErrorKind::Unavailable => Self::new(Code::Store, message).detail(TRANSIENT, true),
            ErrorKind::Broken => Self::new(Code::Store, message),
            ErrorKind::AlreadyExists => Self::conflict(ConflictKind::AlreadyExists, message),
            ErrorKind::Over(_) => Self::conflict(ConflictKind::Over, message),
            ErrorKind::NotOver => Self::conflict(ConflictKind::NotOver, message),
            ErrorKind::HeldElsewhere => Self::conflict(ConflictKind::RunsElsewhere, message),
            ErrorKind::LeaseLost => Self::conflict(ConflictKind::TakenOver, message),
            ErrorKind::AlreadyDecided => Self::conflict(ConflictKind::AlreadyDecided, message),
            ErrorKind::InboxFull | ErrorKind::CollectionFull => Self::conflict(ConflictKind::Full, message),
            ErrorKind::Changed => Self::conflict(ConflictKind::Changed, message),
        };
        Self { hint, ..failure }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use serde_json::json;

    use super::*;

    #[test]
    fn a_failure_has_the_words_of_its_error_and_not_its_source() {
        let error = Error::unavailable("the database a.db", "the disk is full")
            .hint("make room")
            .caused_by(io::Error::other("token 123"));
        let source = error.source().and_then(|source| source.downcast_ref::<io::Error>());
        assert_eq!(source.map(ToString::to_string).as_deref(), Some("token 123"));
        assert_eq!(
            serde_json::to_value(Failure::from(error)).unwrap(),
            json!({ "code": "STORE", "name": "StoreError", "message": "the database a.db: the disk is full",
                    "hint": "make room", "details": { "transient": true } })
        );
        let broken = Failure::from(Error::broken("the database a.db", "it is damaged"));
        assert_eq!((broken.code, broken.details.len()), (Code::Store, 0), "only `Unavailable` is transient");
    }

    #[test]
    fn every_refusal_but_one_is_a_conflict_of_its_kind() {
        let id = ExecutionId::new(1, 2);
        assert_eq!(Failure::from(Error::not_found(&id)).code, Code::NotFound);
        let refusals = [
            (Error::already_exists(&id), ConflictKind::AlreadyExists),
            (Error::over(&id, Status::Failed), ConflictKind::Over),
            (Error::not_over(&id), ConflictKind::NotOver),
            (Error::held_elsewhere(&id), ConflictKind::RunsElsewhere),
            (Error::lease_lost(&id), ConflictKind::TakenOver),
            (Error::already_decided(&id), ConflictKind::AlreadyDecided),
            (Error::inbox_full(&id), ConflictKind::Full),
            (Error::collection_full(crate::store::LESSONS), ConflictKind::Full),
            (Error::changed(&id), ConflictKind::Changed),
        ];
        for (refusal, kind) in refusals {
            assert!(refusal.kind().is_refusal(), "{refusal}");
            let failure = Failure::from(refusal);
            assert_eq!((failure.code, failure.conflict_kind()), (Code::Conflict, Some(kind)));
        }
        assert!(![ErrorKind::Unavailable, ErrorKind::Broken].into_iter().any(ErrorKind::is_refusal));
    }
}
