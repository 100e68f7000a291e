//! What an unfinished execution is waiting for.

use super::{Entry, JournalState};
use crate::Timestamp;
use crate::store::Status;

impl JournalState {
    /// Returns the status of an execution whose last entry this is.
    pub fn status(&self, last: Option<&Entry>) -> Status {
        match (self.final_status(), last) {
            (Some(status), _) => status,
            (None, Some(Entry::Paused(pause))) => self.resting_status(pause.until),
            (None, Some(_) | None) => Status::Running,
        }
    }

    /// Returns the status of an execution that rests: it sleeps if only a timer can wake it.
    pub(crate) fn resting_status(&self, until: Option<Timestamp>) -> Status {
        let needs_person = self.restored.is_some() || self.pending().next().is_some();
        if until.is_some() && !needs_person { Status::Sleeping } else { Status::Paused }
    }
}
