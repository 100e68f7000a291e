//! Shows an outcome to a model in the form that the host chooses.

use std::borrow::Cow;

use crate::report::observer::{EventKind, Label};
use crate::report::reshape::reshaped;
use crate::run::host::Host;
use crate::run::host::reporter::Reporter;
use crate::text::shorten;
use crate::{Completed, Outcome};

/// The maximum length of an error message of the host's function, in characters.
const MAX_MESSAGE: usize = 4000;

/// The pass number of events after the last pass.
const AFTERWARDS: u64 = 0;

/// Returns the outcome for a model. The host may reshape its result; everything else stays unchanged.
///
/// If the function fails or panics, the model gets the original result, and the observer is notified.
pub fn for_model<'o>(host: &Host, outcome: &'o Outcome, label: &Label) -> Cow<'o, Outcome> {
    let (Some(reshape), Outcome::Completed(completed)) = (&host.reshape, outcome) else {
        return Cow::Borrowed(outcome);
    };
    match reshaped(&**reshape, completed, label) {
        Ok(result) => Cow::Owned(Outcome::Completed(Completed { result, ..completed.clone() })),
        Err(error) => {
            let execution = &completed.execution_id;
            tracing::warn!(%execution, %error, "the result could not be reshaped: it is shown unchanged");
            Reporter::new(host, execution, label, AFTERWARDS)
                .report(|_| EventKind::ReshapeFailed { message: shorten(&error.to_string(), MAX_MESSAGE) });
            Cow::Borrowed(outcome)
        }
    }
}
