//! Failures of tools.

use std::error::Error;
use std::fmt;

use serde_json::{Map, Value};

use crate::Code;

/// The failure of a tool: a message for the program, and a cause for the host.
#[derive(Debug)]
pub struct ToolError {
    message: String,
    source: Option<Box<dyn Error + Send + Sync>>,
    kind: Kind,
    /// Whether a failed call may have had an effect.
    may_have_had_effect: bool,
    details: Map<String, Value>,
}

/// The meaning of a failure for the call.
#[derive(Debug)]
enum Kind {
    /// The call failed.
    Failed,
    /// The input fits the schema, and a check of the tool refuses it.
    InvalidInput,
    /// A check of the tool refuses its own result.
    InvalidOutput,
    /// A request of the program is refused, or has failed.
    Fetch,
    /// The call is in doubt: whether it had an effect is unknown.
    InDoubt,
    /// The call waits for an answer.
    Interrupt(Box<Value>),
    /// The call continues with a note.
    Noted(Box<Value>),
}

impl ToolError {
    /// Creates a failure whose message the program may read. If the message comes from elsewhere, remove details of the
    /// host with [`without_host_traces`](crate::without_host_traces).
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            source: None,
            kind: Kind::Failed,
            may_have_had_effect: false,
            details: Map::new(),
        }
    }

    /// Creates a failure with a cause that the program must not see. The program learns only that the tool failed.
    ///
    /// Made for `map_err(ToolError::internal)?`.
    pub fn internal(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::new("the tool failed").caused_by(source)
    }

    /// Creates a failure with the code `INVALID_INPUT`: the input fits the tool's schema, and a check that the schema cannot
    /// express refuses it. Nothing was done.
    pub fn invalid_input(message: impl Into<String>) -> Self {
        Self { kind: Kind::InvalidInput, ..Self::new(message) }
    }

    /// Creates a failure with the code `INVALID_OUTPUT`: a check of the tool refuses its own result.
    pub fn invalid_output(message: impl Into<String>) -> Self {
        Self { kind: Kind::InvalidOutput, ..Self::new(message) }
    }

    /// Creates a failure with the code `FETCH`, for the tools behind the `fetch` of programs: the request is refused, or has
    /// failed.
    pub fn fetch(message: impl Into<String>) -> Self {
        Self { kind: Kind::Fetch, ..Self::new(message) }
    }

    /// Interrupts the call: the tool needs an answer from outside, such as a login or a form, which `payload`
    /// describes. A durable execution waits for it. The tool is then called again with the same key, and the answer as
    /// [`ToolCall::resolution`](crate::ToolCall::resolution). A field `continuation` of the payload is for the tool alone
    /// ([`ToolCall::interrupt`](crate::ToolCall::interrupt)), and shown nowhere.
    pub fn interrupt(payload: Value) -> Self {
        Self { kind: Kind::Interrupt(Box::new(payload)), ..Self::new("the tool needs an answer from outside") }
    }

    /// Leaves a note of at most 16 KiB: the work of the call goes on elsewhere, for instance as a task of a server, and the
    /// note says where. Once the note is durable, the tool is called again with the same key and the note as
    /// [`ToolCall::note`](crate::ToolCall::note). After a crash it is called in the same way, instead of the call being in
    /// doubt. Neither the policy nor a person is asked again.
    ///
    /// Only durable executions keep notes ([`fencing_token`](crate::CallContext::fencing_token) is present). In others the
    /// call fails.
    pub fn noted(note: Value) -> Self {
        let message = "the call goes on elsewhere, and the run cannot continue it";
        Self { kind: Kind::Noted(Box::new(note)), ..Self::new(message) }
    }

    /// Creates a failure that leaves it unknown whether the call had an effect. In a durable execution a person decides
    /// what happened; otherwise the call fails.
    pub fn in_doubt(message: impl Into<String>) -> Self {
        Self { kind: Kind::InDoubt, ..Self::new(message) }
    }

    /// Tells whether it is unknown that the call had an effect.
    pub fn is_in_doubt(&self) -> bool {
        matches!(self.kind, Kind::InDoubt)
    }

    /// Marks a failure after which it is unknown whether the call had an effect, such as a time-out. The program gets the
    /// error at once, unlike one that is [in doubt](Self::in_doubt). A rollback lists the call as left, and a revert that
    /// fails in this way waits for a person. Has no effect on errors that are not failures of the call itself.
    #[must_use]
    pub fn with_unknown_effect(mut self) -> Self {
        self.may_have_had_effect = matches!(self.kind, Kind::Failed | Kind::Fetch);
        self
    }

    /// Tells whether the call failed, and it is unknown whether it had an effect.
    pub fn has_unknown_effect(&self) -> bool {
        self.may_have_had_effect
    }

    /// Returns the code of the failed call.
    pub(crate) fn code(&self) -> Code {
        match self.kind {
            Kind::InvalidInput => Code::InvalidInput,
            Kind::InvalidOutput => Code::InvalidOutput,
            Kind::Fetch => Code::Fetch,
            Kind::Failed | Kind::InDoubt | Kind::Interrupt(_) | Kind::Noted(_) => Code::Tool,
        }
    }

    /// Returns the payload, if this is an interrupt.
    pub fn interrupt_payload(&self) -> Option<&Value> {
        match &self.kind {
            Kind::Interrupt(payload) => Some(payload),
            Kind::Failed | Kind::InvalidInput | Kind::InvalidOutput | Kind::Fetch | Kind::InDoubt | Kind::Noted(_) => {
                None
            }
        }
    }

    /// Returns the note, if the call continues with one.
    pub fn note(&self) -> Option<&Value> {
        match &self.kind {
            Kind::Noted(note) => Some(note),
            Kind::Failed
            | Kind::InvalidInput
            | Kind::InvalidOutput
            | Kind::Fetch
            | Kind::InDoubt
            | Kind::Interrupt(_) => None,
        }
    }

    /// Adds a cause that only the host sees.
    #[must_use]
    pub fn caused_by(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Adds a property that the program finds on the error, such as `error.status`.
    ///
    /// `name`, `message`, `code` and `stack` cannot be replaced. All details together may have 20 KiB of JSON: one that
    /// does not fit is left out. The policy redacts them like results. If the results of the tool are not stored, only
    /// numbers are kept.
    #[must_use]
    pub fn detail(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.details.insert(key.into(), value.into());
        self
    }

    /// Returns the properties that the program finds on the error.
    pub fn details(&self) -> &Map<String, Value> {
        &self.details
    }

    /// Returns the message for the program.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Error for ToolError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_ref().map(|source| &**source as &(dyn Error + 'static))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_of_the_tool_has_a_code_of_its_own_and_is_otherwise_a_failure() {
        let errors = [
            (ToolError::invalid_input("not an address"), Code::InvalidInput),
            (ToolError::invalid_output("no id"), Code::InvalidOutput),
            (ToolError::fetch("not allowed"), Code::Fetch),
            (ToolError::new("down"), Code::Tool),
            (ToolError::in_doubt("lost"), Code::Tool),
            (ToolError::new("lost").with_unknown_effect(), Code::Tool),
        ];
        for (error, code) in errors {
            assert_eq!(error.code(), code);
            assert!(error.interrupt_payload().is_none() && error.note().is_none());
        }
    }

    #[test]
    fn only_a_plain_failure_is_marked_as_one_of_unknown_effect() {
        assert!(ToolError::new("lost").with_unknown_effect().has_unknown_effect());
        assert!(!ToolError::new("down").has_unknown_effect());
        let question = ToolError::interrupt(Value::Null).with_unknown_effect();
        assert!(question.interrupt_payload().is_some() && !question.has_unknown_effect());
        assert!(ToolError::in_doubt("lost").with_unknown_effect().is_in_doubt());
    }
}
