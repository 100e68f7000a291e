//! A connection that is opened when it is needed, and reopened after it broke.

use std::sync::Arc;
use std::time::Duration;

use isobox_core::store::Error;

use crate::database::{Access, Database, DatabaseError, ErrorKind};
use crate::deadline::Deadline;
use crate::work::Work;

/// Opens connections to the same database.
#[derive(Clone)]
pub(crate) struct Opener {
    /// The time limit of a transaction, from the moment at which it is asked for.
    pub(crate) patience: Duration,
    pub(crate) open: Arc<OpenDatabase>,
}

pub(crate) type OpenDatabase = dyn Fn(Deadline) -> Result<Box<dyn Database>, DatabaseError> + Send + Sync;

/// The maximum number of attempts of a transaction that can be retried.
const ATTEMPTS: u32 = 3;

pub(crate) struct Connection {
    place: Arc<str>,
    opener: Opener,
    current: Option<Box<dyn Database>>,
    /// The failure of the last transaction, if it waited in vain.
    last_failure: Option<DatabaseError>,
}

/// The stage at which a transaction failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing was written.
    Before,
    Committing,
}

impl Connection {
    pub(crate) fn new(place: Arc<str>, opener: Opener) -> Self {
        Self { place, opener, current: None, last_failure: None }
    }

    /// Runs all of the work in one transaction, completely or not at all. The deadline covers all attempts. After it,
    /// nothing is attempted: the failure is that of the transaction before, which has taken the time.
    pub(crate) fn transaction(
        &mut self,
        access: Access,
        together: &mut [Box<dyn Work>],
        deadline: Deadline,
    ) -> Result<(), DatabaseError> {
        if deadline.has_passed() {
            return Err(self.last_failure.clone().unwrap_or_else(|| overdue(self.opener.patience)));
        }
        let done = self.attempts(access, together, deadline);
        let has_waited = |error: &&DatabaseError| matches!(error.kind, ErrorKind::Collision | ErrorKind::Unavailable);
        self.last_failure = done.as_ref().err().filter(has_waited).cloned();
        done
    }

    fn attempts(
        &mut self,
        access: Access,
        together: &mut [Box<dyn Work>],
        deadline: Deadline,
    ) -> Result<(), DatabaseError> {
        let mut attempt = 1;
        loop {
            let was_open = self.current.is_some();
            let Err((stage, error)) = self.attempt(access, together, deadline) else { return Ok(()) };
            // An idle connection may have broken long ago. The first transaction that notices it retries with another.
            let has_broken = stage == Stage::Before && was_open && self.current.is_none();
            let is_worth_it = match error.kind {
                ErrorKind::Collision => true,
                ErrorKind::Displaced | ErrorKind::Unusable => false,
                ErrorKind::Statement | ErrorKind::Unavailable => has_broken,
            };
            if attempt == ATTEMPTS || !is_worth_it || deadline.has_passed() {
                return Err(error);
            }
            attempt += 1;
        }
    }

    /// Closes the connection until it is needed again.
    pub(crate) fn close(&mut self) {
        self.current = None;
    }

    /// Converts an error to the failure for the caller.
    pub(crate) fn explain(&self, error: DatabaseError) -> Error {
        let explained = match error.kind {
            ErrorKind::Collision | ErrorKind::Unavailable => Error::unavailable(&self.place, &error),
            ErrorKind::Statement | ErrorKind::Unusable | ErrorKind::Displaced => Error::broken(&self.place, &error),
        };
        match error.hint {
            Some(hint) => explained.hint(hint),
            None => explained,
        }
        .caused_by(error)
    }

    fn attempt(
        &mut self,
        access: Access,
        together: &mut [Box<dyn Work>],
        deadline: Deadline,
    ) -> Result<(), (Stage, DatabaseError)> {
        let mut database = match self.current.take() {
            Some(database) => database,
            None => (self.opener.open)(deadline).map_err(before)?,
        };
        let done = carry_out(database.as_mut(), access, together, deadline);
        if done.is_err() {
            database.rollback();
        }
        self.current = database.is_usable().then_some(database);
        done
    }
}

fn carry_out(
    database: &mut dyn Database,
    access: Access,
    together: &mut [Box<dyn Work>],
    deadline: Deadline,
) -> Result<(), (Stage, DatabaseError)> {
    database.begin(access, deadline).map_err(before)?;
    for work in together {
        work.attempt(database).map_err(before)?;
    }
    database.commit().map_err(|error| (Stage::Committing, error))
}

fn overdue(patience: Duration) -> DatabaseError {
    let message = format!("it was busy with earlier work for {} s", patience.as_secs());
    DatabaseError::new(ErrorKind::Unavailable, message)
        .hint("it may be overloaded, frozen or cut off: look at the database and at the network, and try again")
}

fn before(error: DatabaseError) -> (Stage, DatabaseError) {
    (Stage::Before, error)
}
