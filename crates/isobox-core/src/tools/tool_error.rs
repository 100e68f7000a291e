//! Failures of tools.

use std::error::Error;
use std::fmt;

use serde_json::Value;

/// Why a tool failed: what the program may read, and what only the host sees.
#[derive(Debug)]
pub struct ToolError {
    message: String,
    source: Option<Box<dyn Error + Send + Sync>>,
    interrupt: Option<Box<Value>>,
}

impl ToolError {
    /// A failure that the program may read about. Where the words are those of somebody else, take out what is the host's
    /// with [`without_host_traces`](crate::without_host_traces).
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), source: None, interrupt: None }
    }

    /// A failure whose cause may hold what a program must not see: it learns only that the tool failed.
    ///
    /// Made for `map_err(ToolError::internal)?`.
    pub fn internal(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { message: "the tool failed".to_owned(), source: Some(source.into()), interrupt: None }
    }

    /// Not a failure: the tool needs something from outside, a login or a form, which this describes. The execution waits
    /// for it, where it is kept; the tool is then called again with the same key and what was given as
    /// [`ToolCall::resolution`](crate::ToolCall::resolution).
    pub fn interrupt(payload: Value) -> Self {
        let message = "the tool needs something from outside".to_owned();
        Self { message, source: None, interrupt: Some(Box::new(payload)) }
    }

    pub(crate) fn interrupt_payload(&self) -> Option<&Value> {
        self.interrupt.as_deref()
    }

    /// The same, with a cause that only the host sees.
    #[must_use]
    pub fn caused_by(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// What the program reads.
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
