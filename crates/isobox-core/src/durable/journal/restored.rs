//! The state of an execution whose store was restored from a backup.
//!
//! The original may have gone on after the copy was taken: every call that had not settled in the copy may have been made
//! since, and so may calls that the program makes next. So all open calls are in doubt, earlier decisions about them no
//! longer count, and the execution is held until a person releases it.

use serde::{Deserialize, Serialize};

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
