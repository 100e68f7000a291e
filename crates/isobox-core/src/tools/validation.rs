//! The strictness of validation. Inputs must always fit; the host decides about outputs and defaults.

use serde::{Deserialize, Serialize};

/// The validation settings of a runtime.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Validation {
    /// The treatment of results that do not fit the output schema.
    pub outputs: OutputChecks,
    /// The treatment of defaults in input schemas, unless a tool overrides it.
    pub defaults: Defaults,
}

impl Validation {
    setters! {
        outputs: OutputChecks,
        defaults: Defaults,
    }
}

/// The treatment of results that do not fit the output schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OutputChecks {
    /// Results are not checked.
    Off,
    /// The program gets the result. The observer is notified, and `tracing` warns.
    Warn,
    /// The call fails with `INVALID_OUTPUT`.
    #[default]
    Enforce,
}

/// The treatment of defaults in input schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Defaults {
    /// A tool gets exactly the input of the program.
    #[default]
    Ignore,
    /// Missing values are added before anything else is decided about the call.
    Fill,
}
