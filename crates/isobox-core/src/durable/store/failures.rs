//! What every store says in the same words.

use super::Head;
use crate::{Code, ExecutionId, Failure};

/// Whether a store that failed may do the same a little later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// It may: the connection broke, another process holds a lock, the disk is full.
    Transient,
    /// It will not: something has to be changed first.
    Permanent,
}

impl ErrorKind {
    /// The kind of a failure of a store. `NOT_FOUND` and `CONFLICT` are answers, and stay what they are.
    pub fn of(failure: &Failure) -> Self {
        let is_transient =
            failure.code == Code::Store && failure.details.get(TRANSIENT).is_some_and(|value| value == true);
        if is_transient { Self::Transient } else { Self::Permanent }
    }
}

/// The detail of a failure that says so to whoever reads it.
const TRANSIENT: &str = "transient";

/// There is no such execution.
pub fn not_found(id: &ExecutionId) -> Failure {
    Failure::new(Code::NotFound, format!("there is no execution {id}"))
        .hint("`isobox executions list` shows those that are kept")
}

/// There is one of this name.
pub fn already_there(id: &ExecutionId) -> Failure {
    Failure::new(Code::Conflict, format!("there is an execution {id} already"))
}

/// It has ended.
pub fn over(id: &ExecutionId, head: &Head) -> Failure {
    Failure::new(Code::Conflict, format!("execution {id} is over: it is {}", head.status))
}

/// A process that is alive holds it.
pub fn held_elsewhere(id: &ExecutionId) -> Failure {
    Failure::new(Code::Conflict, format!("another process is running execution {id}"))
        .hint("wait until it pauses or ends; where that process has died, its hold runs out within a minute")
}

/// Somebody else has taken it over.
pub fn lease_lost(id: &ExecutionId) -> Failure {
    Failure::new(Code::Conflict, format!("another process has taken over execution {id}"))
}

/// Somebody has already said it.
pub fn already_said(id: &ExecutionId) -> Failure {
    Failure::new(Code::Conflict, format!("somebody has already decided that about execution {id}"))
}

/// More messages wait in its inbox than it may have.
pub fn inbox_full(id: &ExecutionId) -> Failure {
    Failure::new(Code::Conflict, format!("too many decisions wait to be taken up by execution {id}"))
        .hint("resume the execution, which takes them up, and decide then")
}

/// It no longer stands as whoever asked has seen it.
pub fn changed_meanwhile(id: &ExecutionId) -> Failure {
    Failure::new(Code::Conflict, format!("execution {id} has changed meanwhile"))
}

/// The store cannot be used now, and may be usable a little later.
pub fn unavailable(what: &str, error: impl std::fmt::Display) -> Failure {
    broken(what, error).detail(TRANSIENT, true)
}

/// The store itself failed, and will fail again.
pub fn broken(what: &str, error: impl std::fmt::Display) -> Failure {
    Failure::new(Code::Store, format!("{what}: {error}"))
}
