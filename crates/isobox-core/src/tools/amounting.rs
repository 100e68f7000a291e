//! The calls that a call of a general tool amounts to.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;

use crate::text::panic_text;
use crate::{Code, Failure, ToolPath};

/// Returns names of other tools of the same connector, and their inputs.
pub(crate) type Equivalents = dyn Fn(&Value) -> Vec<(String, Value)> + Send + Sync;

/// The calls of other tools of the same connector that a call amounts to.
#[derive(Default)]
pub(crate) struct Amounting<'t> {
    /// The configured name of the connector.
    pub(crate) connector: &'t str,
    /// The name of each tool at the connector, and the input.
    pub(crate) calls: Vec<(String, Value)>,
}

impl<'t> Amounting<'t> {
    /// Asks a connector which calls a call amounts to. If it panics, no rule can decide about them, and the call is refused.
    pub(super) fn of(
        path: &ToolPath,
        connector: &'t str,
        equivalents: &Equivalents,
        input: &Value,
    ) -> Result<Self, Failure> {
        match catch_unwind(AssertUnwindSafe(|| equivalents(input))) {
            Ok(calls) => Ok(Self { connector, calls }),
            Err(panic) => {
                tracing::error!(panic = panic_text(&*panic), tool = %path, "a connector panicked: the call is refused");
                let message = format!(
                    "the policy cannot decide about this call of `{path}`: its connector panicked when it was asked which \
                     calls it amounts to"
                );
                Err(Failure::new(Code::Internal, message))
            }
        }
    }
}
