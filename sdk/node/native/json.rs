//! Values as JSON.

use isobox::{Code, Failure, Resumed, Value};

/// Returns a value as the text of its JSON.
pub(crate) fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("it has text keys, and all of its values are JSON")
}

/// Returns a value as JSON.
pub(crate) fn value(of: &impl serde::Serialize) -> Result<Value, Failure> {
    serde_json::to_value(of).map_err(|error| Failure::new(Code::Internal, error.to_string()))
}

/// Returns the outcome of a resume, or null if another process runs the execution.
pub(crate) fn resumed(resumed: Resumed) -> Result<Value, Failure> {
    value(&resumed.into_outcome())
}
