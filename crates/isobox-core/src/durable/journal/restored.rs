//! The state of an execution whose store was restored from a backup.
//!
//! The original may have gone on after the copy was taken: every call that had not settled in the copy may have been made
//! since, and so may calls that the program makes next. So all open calls that may have had an effect are in doubt, earlier
//! decisions about them no longer count, and the execution is held until a person releases it.

use serde::{Deserialize, Serialize};

use crate::Timestamp;
use crate::snippets::RUN;

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

/// Tells whether the host itself answers the calls of a path, so that they have no effect outside and are never in doubt.
/// Running a snippet is not among them, because the calls of the snippet may have had effects.
pub(crate) fn is_answered_by_host(path: &str) -> bool {
    path.starts_with("codemode.") && path != RUN
}
