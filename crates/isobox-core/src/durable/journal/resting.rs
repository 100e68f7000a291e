//! The pauses of an execution, their release, and the status of an execution that rests.

use super::{CallProgress, Entry, JournalState, Pause, Pending, Question, RestoredMark, Resumed, is_answered_by_host};
use crate::Timestamp;
use crate::store::Status;

impl JournalState {
    /// Applies a pause.
    pub(super) fn pause(&mut self, pause: Pause) {
        self.used = pause.used;
        let Some(by) = pause.restored_by else {
            self.wakes = pause.until;
            return;
        };
        self.revision += 1;
        for call in &mut self.calls[self.open_from..] {
            let input = match &call.progress {
                CallProgress::Settled { .. } | CallProgress::Delivered { .. } => continue,
                CallProgress::Issued if is_answered_by_host(&call.path) => continue,
                CallProgress::Pending(pending) => pending.input.clone(),
                CallProgress::Issued | CallProgress::Decided(_) | CallProgress::Started => {
                    call.open.as_ref().and_then(|open| open.filled.clone())
                }
            };
            self.revision += 1;
            let (question, asked, at) = (Question::InDoubt, self.revision, pause.at);
            call.progress =
                CallProgress::Pending(Box::new(Pending { question, input, asked, at, not_before: None, why: None }));
        }
        self.restored = Some(RestoredMark { by, at: pause.at });
    }

    /// Applies a resume.
    pub(super) fn release(&mut self, resumed: &Resumed) {
        if let Some(due) = self.wakes.take() {
            self.overslept = self.overslept.saturating_add(resumed.at.0.saturating_sub(due.0));
        }
        if resumed.released_by.is_some() {
            self.restored = None;
        }
    }

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
