//! The state of an execution whose store was restored from a backup.
//!
//! The original may have gone on after the copy was taken: every call that had not settled in the copy may have been made
//! since, and so may calls that the program makes next. So all open calls are in doubt, earlier decisions about them no
//! longer count, and the execution is held until a person releases it.

use serde::{Deserialize, Serialize};

use super::{CallProgress, JournalState, Pause, Pending, Question, Resumed};
use crate::Timestamp;

/// The mark of an execution that came back with a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct RestoredMark {
    /// The name of the principal that marked it.
    pub by: String,
    /// The time of the mark.
    pub at: Timestamp,
}

impl JournalState {
    /// Applies a pause.
    pub(super) fn pause(&mut self, pause: Pause) {
        self.used = pause.used;
        let Some(by) = pause.restored_by else { return };
        self.revision += 1;
        for call in &mut self.calls[self.open_from..] {
            let input = match &call.progress {
                CallProgress::Settled { .. } | CallProgress::Delivered { .. } => continue,
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
        if resumed.released_by.is_some() {
            self.restored = None;
        }
    }
}
