//! Reports what happens in an execution: events to the observer of its host, spans to `tracing`.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use tracing::Span;

use crate::driver::Reply;
use crate::policy::ToolNames;
use crate::policy::bridge::hidden_parts;
use crate::report::content::{Content, Contents};
use crate::report::observer::{Event, EventKind, Label};
use crate::run::host::Host;
use crate::{CallSeq, ExecutionId, Fact, Failure, Log, Observer};

/// Reports one pass of an execution to the observer of the host, if there is one.
pub(crate) struct Reporter<'a> {
    host: &'a Host,
    execution: &'a ExecutionId,
    telling: Option<Telling<'a>>,
    /// The parts that rules about equivalent calls redact, by call. Calls without redacted parts are not in it.
    hidden: Mutex<BTreeMap<CallSeq, Arc<[String]>>>,
}

/// The part of a reporter that exists only with an observer.
struct Telling<'a> {
    observer: &'a dyn Observer,
    pass: u64,
    /// The number of the next event.
    next: AtomicU64,
    label: Arc<Label>,
}

impl<'a> Reporter<'a> {
    /// Creates the reporter of a pass: see [`Event::pass`].
    pub(crate) fn new(host: &'a Host, execution: &'a ExecutionId, label: &Label, pass: u64) -> Self {
        let telling = host.observer.as_ref().map(|observer| Telling {
            observer: &**observer,
            pass,
            next: AtomicU64::new(0),
            label: Arc::new(label.clone()),
        });
        Self { host, execution, telling, hidden: Mutex::default() }
    }

    /// Reports an event. The event is created only if there is an observer.
    pub(crate) fn report(&self, kind: impl FnOnce(&Self) -> EventKind) {
        let Some(Telling { observer, pass, next, label }) = &self.telling else { return };
        let event = Event {
            execution: self.execution.clone(),
            pass: *pass,
            number: next.fetch_add(1, Ordering::Relaxed),
            kind: kind(self),
            label: Arc::clone(label),
        };
        if catch_unwind(AssertUnwindSafe(|| observer.observe(&event))).is_err() {
            tracing::error!(execution = %self.execution, "an observer panicked: the execution continues");
        }
    }

    /// Reports what a program has logged and recorded. The values of facts are contents, like those of calls.
    pub(crate) fn tell(&self, logs: &[Log], facts: &[Fact]) {
        for log in logs {
            self.report(|_| EventKind::Logged(log.clone()));
        }
        for Fact { name, value } in facts {
            self.report(|reporter| {
                let value = reporter.content_of(value, || reporter.host.policy.redacted("", value));
                EventKind::FactRecorded { name: name.clone(), value }
            });
        }
    }

    /// Reports that the program has made a call.
    pub(crate) fn issued(&self, seq: CallSeq, path: &str, input: &Value) {
        self.find_hidden(seq, path, input);
        self.report(|reporter| {
            let input = reporter.content(seq, path, input);
            EventKind::CallIssued { seq, path: path.to_owned(), input }
        });
    }

    /// Finds out what rules about the calls that a call amounts to redact in it. Comes before anything of it is shown.
    fn find_hidden(&self, seq: CallSeq, path: &str, input: &Value) {
        let hidden = hidden_parts(&self.host.catalogue, &self.host.policy, path, input);
        if !hidden.is_empty() {
            self.hidden.lock().unwrap_or_else(PoisonError::into_inner).insert(seq, hidden.into());
        }
    }

    /// Returns what is hidden in a call and in its result, beside what rules about its tool redact.
    pub(crate) fn hidden(&self, seq: CallSeq) -> Arc<[String]> {
        self.hidden.lock().unwrap_or_else(PoisonError::into_inner).get(&seq).cloned().unwrap_or_default()
    }

    /// Reports that a result does not fit its schema and is passed on. The failure quotes the result, so its text is
    /// reported only if the observer gets values.
    pub(crate) fn warn_of_output(&self, seq: CallSeq, path: &str, failure: Failure) {
        let told = match self.host.contents {
            Contents::Nothing | Contents::Sizes | Contents::Progress => {
                let message = format!("the output of tool `{path}` does not fit its schema");
                Failure::new(failure.code, message).hint("the details are reported with `Contents::Values`")
            }
            Contents::Values => failure,
        };
        self.warn_unquoted(seq, path, told);
    }

    /// Reports that a result may not fit its schema, in words that do not quote the result.
    pub(crate) fn warn_unquoted(&self, seq: CallSeq, path: &str, failure: Failure) {
        tracing::warn!(execution = %self.execution, %seq, tool = path, %failure, "an output does not fit its schema");
        self.report(|_| EventKind::OutputMismatched { seq, path: path.to_owned(), failure });
    }

    pub(crate) fn content(&self, seq: CallSeq, path: &str, value: &Value) -> Content {
        self.content_of(value, || self.shown(seq, path, value))
    }

    fn content_of(&self, value: &Value, shown: impl FnOnce() -> Value) -> Content {
        let bytes = || serde_json::to_string(value).ok().map(|text| text.len());
        match self.host.contents {
            Contents::Nothing => Content::default(),
            Contents::Sizes | Contents::Progress => Content { bytes: bytes(), value: None },
            Contents::Values => Content { bytes: bytes(), value: Some(shown()) },
        }
    }

    /// Returns a value of a call without the parts that the policy redacts.
    pub(crate) fn shown(&self, seq: CallSeq, path: &str, value: &Value) -> Value {
        self.with_names(seq, path, |names| self.host.policy.redacted(names, value))
    }

    /// Passes on the names of the tool of a call, with what is hidden in the call.
    pub(crate) fn with_names<T>(&self, seq: CallSeq, path: &str, show: impl FnOnce(ToolNames<'_>) -> T) -> T {
        show(self.host.catalogue.names(path).hiding(&self.hidden(seq)))
    }

    /// Returns content without the parts that the policy redacts.
    pub(crate) fn redacted(&self, seq: CallSeq, path: &str, content: Content) -> Content {
        Content { value: content.value.map(|value| self.shown(seq, path, &value)), ..content }
    }

    /// Returns the failure of a call, with the values that its tool has given if the observer gets values.
    pub(crate) fn failure(&self, failure: &Failure) -> Failure {
        match self.host.contents {
            Contents::Nothing | Contents::Sizes | Contents::Progress => failure.clone().without_contents(),
            Contents::Values => failure.clone(),
        }
    }

    /// Returns encoded JSON as content, without the parts that the policy redacts.
    pub(crate) fn json_content(&self, seq: CallSeq, path: &str, json: &str) -> Content {
        match self.host.contents {
            Contents::Nothing => Content::default(),
            Contents::Sizes | Contents::Progress => Content { bytes: Some(json.len()), value: None },
            Contents::Values => {
                let value: Option<Value> = serde_json::from_str(json).ok();
                let value = value.map(|value| self.shown(seq, path, &value));
                Content { bytes: Some(json.len()), value }
            }
        }
    }

    /// Creates the span of one call.
    pub(crate) fn call_span(&self, seq: CallSeq, path: &str, input: &Value) -> Span {
        self.find_hidden(seq, path, input);
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
            let content = self.content(seq, path, input);
            record_content(&span, &content, "isobox.input.bytes", "gen_ai.tool.call.arguments");
        }
        span
    }

    /// Records the outcome of a call in its span.
    pub(crate) fn record(&self, span: &Span, (seq, path): (CallSeq, &str), reply: &Reply) {
        if span.is_disabled() {
            return;
        }
        match reply {
            Reply::Failed(failure) => {
                span.record("error.type", failure.code.as_str());
            }
            Reply::Result(json) => {
                let content = self.json_content(seq, path, json.get());
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

/// Creates the span of an execution, with the names of OpenTelemetry's conventions for generative AI. It never contains
/// the program or its result, because they are not redacted.
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
