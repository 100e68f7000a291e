//! A function of the host between the result of a program and the model that reads it.

use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;

use crate::Completed;
use crate::json::{MAX_DEPTH, dismantle, is_within_depth};
use crate::report::observer::Label;
use crate::text::panic_text;

/// Makes, of the result of a program, what a model gets instead. It must not block.
pub type Reshape = dyn Fn(&Completed, &Label) -> Result<Value, Box<dyn Error + Send + Sync>> + Send + Sync;

/// Reshapes a result, and checks what comes of it.
pub(crate) fn reshaped(
    reshape: &Reshape,
    completed: &Completed,
    label: &Label,
) -> Result<Value, Box<dyn Error + Send + Sync>> {
    // What the function has of its own may be broken by a panic; of ours it has nothing that it could change.
    let value = catch_unwind(AssertUnwindSafe(|| reshape(completed, label)))
        .unwrap_or_else(|panic| Err(format!("it panicked: {}", panic_text(&*panic)).into()))?;
    if is_within_depth(&value) {
        return Ok(value);
    }
    dismantle(value);
    Err(format!("what it gave is nested deeper than {MAX_DEPTH} levels").into())
}
