//! A function of the host that reshapes the result of a program for a model.

use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;

use crate::Completed;
use crate::json::{MAX_DEPTH, dismantle, is_within_depth};
use crate::report::observer::Label;
use crate::text::panic_text;

/// Returns the value that a model gets instead of the result of a program. Must not block.
pub type Reshape = dyn Fn(&Completed, &Label) -> Result<Value, Box<dyn Error + Send + Sync>> + Send + Sync;

/// Reshapes a result, and checks the new value.
pub(crate) fn reshaped(
    reshape: &Reshape,
    completed: &Completed,
    label: &Label,
) -> Result<Value, Box<dyn Error + Send + Sync>> {
    // A panic may break the function's own state. It cannot change ours.
    let value = catch_unwind(AssertUnwindSafe(|| reshape(completed, label)))
        .unwrap_or_else(|panic| Err(format!("it panicked: {}", panic_text(&*panic)).into()))?;
    if is_within_depth(&value) {
        return Ok(value);
    }
    dismantle(value);
    Err(format!("the reshaped result is nested deeper than {MAX_DEPTH} levels").into())
}
