//! A function of the host between the result of a program and the model that reads it.

use std::borrow::Cow;
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;

use crate::json::{MAX_DEPTH, dismantle, is_within_depth};
use crate::report::observer::{EventKind, Label, Reporter};
use crate::run::running_call::panic_text;
use crate::{Completed, Host, Outcome};

/// Makes, of the result of a program, what a model gets instead. It must not block.
pub type Reshape = dyn Fn(&Completed, &Label) -> Result<Value, Box<dyn Error + Send + Sync>> + Send + Sync;

/// The outcome as a model gets it: its result reshaped, where the host does that; everything else, and the outcome itself,
/// stays as it is.
///
/// Where the function fails or panics, the model gets the result as it was, and the observer is told.
pub fn for_model<'o>(host: &Host, outcome: &'o Outcome, label: &Label) -> Cow<'o, Outcome> {
    let (Some(reshape), Outcome::Completed(completed)) = (&host.reshape, outcome) else {
        return Cow::Borrowed(outcome);
    };
    match reshaped(&**reshape, completed, label) {
        Ok(result) => Cow::Owned(Outcome::Completed(Completed { result, ..completed.clone() })),
        Err(error) => {
            let execution = &completed.execution_id;
            tracing::warn!(%execution, %error, "the result could not be reshaped, and is shown as it is");
            Reporter::new(host, execution, label).report(|_| EventKind::ReshapeFailed(&*error));
            Cow::Borrowed(outcome)
        }
    }
}

fn reshaped(reshape: &Reshape, completed: &Completed, label: &Label) -> Result<Value, Box<dyn Error + Send + Sync>> {
    // What the function has of its own may be broken by a panic; of ours it has nothing that it could change.
    let value = catch_unwind(AssertUnwindSafe(|| reshape(completed, label)))
        .unwrap_or_else(|panic| Err(format!("it panicked: {}", panic_text(&*panic)).into()))?;
    if is_within_depth(&value) {
        return Ok(value);
    }
    dismantle(value);
    Err(format!("what it gave is nested deeper than {MAX_DEPTH} levels").into())
}
