//! Checks the inputs and outputs of a tool against its schemas.

use serde_json::Value;

use crate::tools::schema::Checked;
use crate::{Code, Failure, Tool};

impl Tool {
    pub(crate) fn check_input(&self, input: &Value) -> Result<(), Failure> {
        let wrong =
            |why: &str| Failure::new(Code::InvalidInput, format!("invalid input for tool `{}`: {why}", self.0.path));
        match self.0.input.as_ref().map_or(Checked::Fits, |schema| schema.check_input(input)) {
            Checked::Fits => match self.0.objection.as_ref().and_then(|objection| objection(input)) {
                None => Ok(()),
                Some(why) => Err(wrong(&why)),
            },
            Checked::Misfits(why) => Err(wrong(&why)),
            Checked::Undecided => Err(wrong("it is too large to be checked against the schema")
                .hint("pass less in one call: fewer items, or shorter texts")),
        }
    }

    /// Returns the schema that inputs are checked against.
    pub(crate) fn usable_input_schema(&self) -> Option<&Value> {
        self.input_schema_text().filter(|_| self.0.input.as_ref().is_some_and(|schema| schema.is_usable()))
    }

    /// Returns the schema that outputs are checked against.
    pub(crate) fn usable_output_schema(&self) -> Option<&Value> {
        self.output_schema_text().filter(|_| self.0.output.as_ref().is_some_and(|schema| schema.is_usable()))
    }

    /// Checks an output. Returns how far it was checked, or an error if it does not fit.
    pub(crate) fn check_output(&self, output: &Value) -> Result<OutputCheck, Failure> {
        match self.0.output.as_ref().map_or(Checked::Fits, |schema| schema.check_output(output)) {
            Checked::Fits => Ok(OutputCheck::Done),
            Checked::Undecided => Ok(OutputCheck::TooLarge),
            Checked::Misfits(why) => {
                Err(Failure::new(Code::InvalidOutput, format!("invalid output of tool `{}`: {why}", self.0.path)))
            }
        }
    }
}

/// The extent of an output check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputCheck {
    /// The output fits, or there is no schema.
    Done,
    /// The check would take too long.
    TooLarge,
}
