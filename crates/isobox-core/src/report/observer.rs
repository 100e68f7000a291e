//! Telling the host what happens while a program runs: events for an observer, spans for `tracing`.

use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use serde_json::{Map, Value};
use tracing::Span;

use crate::driver::Reply;
use crate::{ExecutionId, Failure, Host, Log, Outcome, PendingKind, ToolError};

/// Is told what happens, as it happens. It must not block.
///
/// One that panics hurts no execution: the panic is reported with `tracing`, and the observer is told of the next event.
pub trait Observer: Send + Sync {
    /// Something happened.
    fn observe(&self, event: &Event<'_>);
}

/// Something that happened in an execution.
#[derive(Debug)]
pub struct Event<'a> {
    /// In which.
    pub execution: &'a ExecutionId,
    /// What the host said about it.
    pub label: &'a Label,
    /// What.
    pub kind: EventKind<'a>,
}

/// What happened.
#[derive(Debug)]
#[non_exhaustive]
pub enum EventKind<'a> {
    /// The execution began.
    Started {
        /// How large the program is, in bytes.
        source: usize,
    },
    /// A process went on with an execution that was kept.
    Resumed,
    /// The program made a call.
    CallIssued {
        /// Its number.
        seq: u32,
        /// Which tool.
        path: &'a str,
        /// What it passed.
        input: Content,
    },
    /// The call's turn has come.
    CallStarted {
        /// Its number.
        seq: u32,
        /// Which tool.
        path: &'a str,
    },
    /// The call told how far it is.
    CallProgressed {
        /// Its number.
        seq: u32,
        /// Which tool.
        path: &'a str,
        /// What it told: an output on the way to the last one, what an MCP server notified, anything.
        progress: Content,
    },
    /// The call waits for somebody outside.
    CallAsked {
        /// Its number.
        seq: u32,
        /// Which tool.
        path: &'a str,
        /// For what it waits.
        kind: PendingKind,
    },
    /// Something came of the call, and the program gets to know.
    CallSettled {
        /// Its number.
        seq: u32,
        /// Which tool.
        path: &'a str,
        /// How long it took.
        took: Duration,
        /// What came of it.
        result: Result<Content, CallFailure<'a>>,
    },
    /// What a tool gave does not fit its output schema, and is not held back for that.
    OutputMismatched {
        /// The number of the call.
        seq: u32,
        /// Which tool.
        path: &'a str,
        /// What does not fit, and where.
        failure: &'a Failure,
    },
    /// The program logged a line.
    Logged(&'a Log),
    /// The execution ended; the outcome is the whole trace.
    Ended(&'a Outcome),
    /// The result could not be reshaped for a model, which gets it as it is.
    ReshapeFailed(&'a (dyn Error + Send + Sync)),
}

/// How a call failed.
#[derive(Debug)]
pub struct CallFailure<'a> {
    /// What the program sees.
    pub failure: &'a Failure,
    /// The whole error of the tool, which the program must not see.
    pub cause: Option<&'a ToolError>,
}

/// Something that crossed the wall.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Content {
    /// How large it is, in bytes of JSON; unless the host asked for nothing of it.
    pub bytes: Option<usize>,
    /// The value, without what the policy redacts; only where the host asked for contents.
    pub value: Option<Value>,
}

/// How much of what crosses the wall is told, in events and in traces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Contents {
    /// Nothing.
    Nothing,
    /// How large it is.
    #[default]
    Sizes,
    /// The same, but what calls tell on their way is told, without what the policy redacts.
    Progress,
    /// The values as well, without what the policy redacts.
    Values,
}

/// What the host wants to find an execution by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Label {
    /// The function of the host that asked for it.
    pub function: Option<String>,
    /// Whatever else.
    pub metadata: Map<String, Value>,
}

/// Tells the observer of a host about one execution, where there is one.
pub(crate) struct Reporter<'a> {
    host: &'a Host,
    execution: &'a ExecutionId,
    label: &'a Label,
}

impl<'a> Reporter<'a> {
    pub(crate) fn new(host: &'a Host, execution: &'a ExecutionId, label: &'a Label) -> Self {
        Self { host, execution, label }
    }

    /// The event is made only where somebody wants it.
    pub(crate) fn report<'e>(&'e self, kind: impl FnOnce(&Self) -> EventKind<'e>) {
        let Some(observer) = &self.host.observer else { return };
        let event = Event { execution: self.execution, label: self.label, kind: kind(self) };
        if catch_unwind(AssertUnwindSafe(|| observer.observe(&event))).is_err() {
            tracing::error!(execution = %self.execution, "an observer panicked; the execution goes on");
        }
    }

    /// Tells that a result does not fit, and is let through. What does not fit quotes the result, so that `tracing` gets
    /// it only where contents are asked for.
    pub(crate) fn warn_of_output(&self, seq: u32, path: &str, failure: &Failure) {
        let details = match self.host.contents {
            Contents::Nothing | Contents::Sizes | Contents::Progress => "the observer is told where",
            Contents::Values => failure.message.as_str(),
        };
        tracing::warn!(execution = %self.execution, seq, tool = path, details, "an output does not fit its schema");
        self.report(|_| EventKind::OutputMismatched { seq, path, failure });
    }

    pub(crate) fn content(&self, path: &str, value: &Value) -> Content {
        let bytes = || serde_json::to_string(value).ok().map(|text| text.len());
        match self.host.contents {
            Contents::Nothing => Content::default(),
            Contents::Sizes | Contents::Progress => Content { bytes: bytes(), value: None },
            Contents::Values => Content { bytes: bytes(), value: Some(self.shown(path, value)) },
        }
    }

    /// A value of a tool, without what the policy redacts.
    fn shown(&self, path: &str, value: &Value) -> Value {
        self.host.policy.redacted(self.host.catalogue.names(path), value)
    }

    /// The same of what somebody else measured.
    pub(crate) fn redacted(&self, path: &str, content: Content) -> Content {
        Content { value: content.value.map(|value| self.shown(path, &value)), ..content }
    }

    /// The same of a value that is already written.
    pub(crate) fn json_content(&self, path: &str, json: &str) -> Content {
        match self.host.contents {
            Contents::Nothing => Content::default(),
            Contents::Sizes | Contents::Progress => Content { bytes: Some(json.len()), value: None },
            Contents::Values => {
                let value: Option<Value> = serde_json::from_str(json).ok();
                let value = value.map(|value| self.shown(path, &value));
                Content { bytes: Some(json.len()), value }
            }
        }
    }

    /// The span of one call.
    pub(crate) fn call_span(&self, seq: u32, path: &str, input: &Value) -> Span {
        let span = tracing::info_span!(
            "tools/call",
            otel.name = format_args!("tools/call {path}"),
            mcp.method.name = "tools/call",
            gen_ai.operation.name = "execute_tool",
            gen_ai.tool.name = path,
            gen_ai.tool.call.id = format_args!("{}:{seq}", self.execution),
            gen_ai.tool.call.arguments = tracing::field::Empty,
            gen_ai.tool.call.result = tracing::field::Empty,
            isobox.input.bytes = tracing::field::Empty,
            isobox.output.bytes = tracing::field::Empty,
            error.type = tracing::field::Empty,
        );
        if !span.is_disabled() {
            let content = self.content(path, input);
            record_content(&span, &content, "isobox.input.bytes", "gen_ai.tool.call.arguments");
        }
        span
    }

    /// Records in its span what came of a call.
    pub(crate) fn record(&self, span: &Span, path: &str, reply: &Reply) {
        if span.is_disabled() {
            return;
        }
        match reply {
            Reply::Failed(failure) => {
                span.record("error.type", failure.code.as_str());
            }
            Reply::Result(json) => {
                let content = self.json_content(path, json.get());
                record_content(span, &content, "isobox.output.bytes", "gen_ai.tool.call.result");
            }
            Reply::Fired => {}
        }
    }
}

fn record_content(span: &Span, content: &Content, bytes: &'static str, value: &'static str) {
    if let Some(size) = content.bytes {
        span.record(bytes, size);
    }
    if let Some(shown) = &content.value {
        span.record(value, shown.to_string());
    }
}

/// The span of an execution, with the names of OpenTelemetry's conventions for generative AI. The program and its result are
/// not in it, whatever the host asked for: nobody redacts them.
pub(crate) fn execution_span(execution: &ExecutionId, label: &Label) -> Span {
    let span = tracing::info_span!(
        "execute_tool isobox",
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = "isobox",
        isobox.execution.id = %execution,
        isobox.function = tracing::field::Empty,
        isobox.metadata = tracing::field::Empty,
        isobox.input.bytes = tracing::field::Empty,
        isobox.output.bytes = tracing::field::Empty,
        error.type = tracing::field::Empty,
    );
    if !span.is_disabled() {
        if let Some(function) = &label.function {
            span.record("isobox.function", function.as_str());
        }
        if !label.metadata.is_empty() {
            span.record("isobox.metadata", Value::Object(label.metadata.clone()).to_string());
        }
    }
    span
}
