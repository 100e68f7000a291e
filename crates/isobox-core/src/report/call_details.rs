//! The optional details of call records: inputs and outputs.

use serde::{Deserialize, Serialize};

/// The details that are recorded of every call, without the parts that the policy redacts.
///
/// All details together are limited to the maximum size of one input and one output. A detail that does not fit is left
/// out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct CallDetails {
    /// Whether to record the inputs that the program passed.
    pub inputs: bool,
    /// Whether to record the outputs or errors.
    pub outputs: bool,
}

impl CallDetails {
    setters! {
        inputs: bool,
        outputs: bool,
    }
}
