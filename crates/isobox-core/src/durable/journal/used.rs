//! The used part of the limits of an execution.

use serde::{Deserialize, Serialize};

/// The resources that an execution has used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Used {
    /// The milliseconds that count towards the time-out.
    pub wall: u64,
    /// The microseconds of CPU time.
    pub cpu: u64,
}
