//! Shows an outcome to a model, as the host wants it.

use std::borrow::Cow;

use crate::report::observer::{EventKind, Label};
use crate::report::reshape::reshaped;
use crate::run::host::Host;
use crate::run::reporter::Reporter;
use crate::text::shorten;
use crate::{Completed, Outcome};

/// The most that is told of an error of the host's function, in characters.
const MAX_MESSAGE: usize = 4000;

/// The pass of what happens to an outcome after the last pass.
const AFTERWARDS: u64 = 0;

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
            Reporter::new(host, execution, label, AFTERWARDS)
                .report(|_| EventKind::ReshapeFailed { message: shorten(&error.to_string(), MAX_MESSAGE) });
            Cow::Borrowed(outcome)
        }
    }
}
