//! How strictly values are held to the schemas of their tools. Inputs always have to fit; about the rest, the host decides.

use serde::{Deserialize, Serialize};

/// What a runtime does about schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Validation {
    /// What becomes of a result that does not fit the output schema of its tool.
    pub outputs: OutputChecks,
    /// What becomes of the defaults of input schemas, where a tool does not say otherwise.
    pub defaults: Defaults,
}

impl Validation {
    setters! {
        outputs: OutputChecks,
        defaults: Defaults,
    }
}

/// What becomes of a result that does not fit the output schema of its tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OutputChecks {
    /// Nobody looks.
    Off,
    /// The program gets it all the same; the observer is told, and `tracing` warns.
    Warn,
    /// The call fails with `INVALID_OUTPUT`.
    #[default]
    Enforce,
}

/// What becomes of the defaults in the schema of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Defaults {
    /// A tool gets what the program wrote.
    #[default]
    Ignore,
    /// They are filled in where the program left something out, before anything else is decided about the call.
    Fill,
}
