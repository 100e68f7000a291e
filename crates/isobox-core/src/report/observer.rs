//! Events that a host receives while a program runs.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::connector::ServiceLog;
use crate::report::content::Content;
use crate::{CallSeq, ExecutionId, Failure, Log, Outcome, PendingKind, ToolError};

/// Receives events as they occur. It must not block.
///
/// A panic does not affect the execution: it is reported with `tracing`, and the observer receives further events.
pub trait Observer: Send + Sync {
    /// Handles an event.
    fn observe(&self, event: &Event);

    /// Handles a log message of the service behind a connector, such as an MCP server. It belongs to no execution. The
    /// default ignores it.
    fn service_logged(&self, log: &ServiceLog) {
        let _ = log;
    }
}

/// An event of an execution.
///
/// Events are written to and read from one JSON shape:
///
/// ```
/// use isobox_core::{Event, EventKind};
///
/// let json = r#"{"execution":"exec_0000000000010000000000000000000000000000000a","pass":1,"number":4,
///     "type":"callSettled","seq":"3","path":"mail.send","durationMs":12,"output":{"bytes":24}}"#;
/// let event: Event = serde_json::from_str(json)?;
/// assert_eq!(event.number, 4);
/// assert!(matches!(event.kind, EventKind::CallSettled { duration_ms: 12, .. }));
/// # Ok::<_, serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Event {
    /// The execution.
    pub execution: ExecutionId,
    /// The pass of the event: the period from a start or a resume to the next pause, end or crash.
    ///
    /// The first pass is 1. The number of a later pass is the epoch of the lease that it runs under. Passes of one
    /// execution are therefore ordered across processes, and some numbers may be missing. Events after the last pass,
    /// about the outcome, have pass 0: see [`EventKind::ReshapeFailed`].
    pub pass: u64,
    /// The number of the event in its pass, from 0. `pass` and `number` together identify an event of an execution, unless
    /// two processes create an execution with the same chosen ID at once: the slower one may report the beginning of a pass
    /// 1 of its own, which has no end. A
    /// gap means that events were missed.
    pub number: u64,
    /// The kind of the event, with its data.
    #[serde(flatten)]
    pub kind: EventKind,
    /// The label by which the host finds the execution. Absent from the JSON if it is empty. After a resume it has only
    /// the function, because the journal has no more.
    #[serde(
        default,
        skip_serializing_if = "is_empty",
        serialize_with = "write_label",
        deserialize_with = "read_label"
    )]
    pub label: Arc<Label>,
}

/// The kinds of events.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum EventKind {
    /// The execution began.
    #[non_exhaustive]
    Started {
        /// The size of the program, in bytes.
        source_bytes: usize,
    },
    /// A process resumed a durable execution.
    Resumed,
    /// A rollback of an execution that had ended began.
    #[non_exhaustive]
    RollbackBegan {
        /// The name of the principal that asked for it.
        by: String,
        /// The number of calls to revert.
        reverts: usize,
    },
    /// The program made a call.
    #[non_exhaustive]
    CallIssued {
        /// The number of the call.
        seq: CallSeq,
        /// The tool.
        path: String,
        /// The input that the program passed.
        input: Content,
    },
    /// The call's turn has come.
    #[non_exhaustive]
    CallStarted {
        /// The number of the call.
        seq: CallSeq,
        /// The tool.
        path: String,
    },
    /// The call reported progress.
    #[non_exhaustive]
    CallProgressed {
        /// The number of the call.
        seq: CallSeq,
        /// The tool.
        path: String,
        /// The report: an intermediate output, a notification of an MCP server, or any other value.
        progress: Content,
    },
    /// The call became pending.
    #[non_exhaustive]
    CallAsked {
        /// The number of the call.
        seq: CallSeq,
        /// The tool.
        path: String,
        /// The kind of its question.
        kind: PendingKind,
    },
    /// The call has a result or has failed, and the program receives it.
    #[non_exhaustive]
    CallSettled {
        /// The number of the call.
        seq: CallSeq,
        /// The tool.
        path: String,
        /// The duration of the call in milliseconds.
        duration_ms: u64,
        /// The result or the failure; in JSON `output` or `error`, as in the records of an outcome.
        #[serde(flatten, with = "output_or_error")]
        result: Result<Content, CallFailure>,
    },
    /// The output of a tool does not fit its schema, and is passed on nevertheless.
    #[non_exhaustive]
    OutputMismatched {
        /// The number of the call.
        seq: CallSeq,
        /// The tool.
        path: String,
        /// The mismatch. With [`Contents::Values`](crate::Contents::Values) it also says which part does not fit. In
        /// JSON `error`.
        #[serde(rename = "error")]
        failure: Failure,
    },
    /// The program logged a line. In JSON its `level` and `message` are beside the type.
    Logged(Log),
    /// The program recorded a fact.
    #[non_exhaustive]
    FactRecorded {
        /// The name of the fact.
        name: String,
        /// Its value.
        value: Content,
    },
    /// The pass ended.
    #[non_exhaustive]
    Ended {
        /// The outcome, with all logs and calls.
        outcome: Box<Outcome>,
    },
    /// The result could not be reshaped for a model, which gets it unchanged.
    ///
    /// Pass and number are always 0. An outcome may be shown any number of times, by any process and long after its
    /// execution, so several of these events may have the same pass and number.
    #[non_exhaustive]
    ReshapeFailed {
        /// The error of the host's function, in words.
        message: String,
    },
}

/// The failure of a call.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CallFailure {
    /// The failure that the program sees.
    #[serde(flatten)]
    pub failure: Failure,
    /// The full error of the tool, which the program must not see. It is for observers in the process of the host and
    /// never in the JSON, because readers of events must not see it either.
    #[serde(skip)]
    pub cause: Option<Arc<ToolError>>,
}

/// The label by which a host finds an execution.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Label {
    /// The function of the host that started it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub function: Option<String>,
    /// Any other data.
    #[serde(skip_serializing_if = "Map::is_empty", default)]
    pub metadata: Map<String, Value>,
}

impl Label {
    setters! {
        function: impl Into<Option<String>>,
        metadata: Map<String, Value>,
    }
}

fn is_empty(label: &Label) -> bool {
    label.function.is_none() && label.metadata.is_empty()
}

fn write_label<S: Serializer>(label: &Label, serializer: S) -> Result<S::Ok, S::Error> {
    label.serialize(serializer)
}

fn read_label<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<Label>, D::Error> {
    Label::deserialize(deserializer).map(Arc::new)
}

/// Serializes the result of a call under one of two names, as the records of an outcome do.
mod output_or_error {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{CallFailure, Content};

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    enum Named<O, E> {
        Output(O),
        Error(E),
    }

    pub(super) fn serialize<S: Serializer>(
        result: &Result<Content, CallFailure>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match result {
            Ok(output) => Named::Output(output),
            Err(error) => Named::Error(error),
        }
        .serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Result<Content, CallFailure>, D::Error> {
        Ok(match Named::deserialize(deserializer)? {
            Named::Output(output) => Ok(output),
            Named::Error(error) => Err(error),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{Code, Level};
    use serde_json::json;

    fn event(kind: EventKind) -> Event {
        Event { execution: ExecutionId::new(1, 10), pass: 1, number: 4, kind, label: Arc::default() }
    }

    fn seq() -> CallSeq {
        "3".parse().expect("a number")
    }

    fn path() -> String {
        "mail.send".to_owned()
    }

    fn settled(result: Result<Content, CallFailure>) -> EventKind {
        EventKind::CallSettled { seq: seq(), path: path(), duration_ms: 12, result }
    }

    /// Returns every kind of event, with its JSON without the common fields.
    fn all() -> Vec<(EventKind, &'static str)> {
        let value = Content { bytes: Some(2), value: Some(json!([])) };
        let failure = Failure::new(Code::Tool, "no").at(2, 7).hint("ask again").detail("tool", "mail.send");
        let cause = Some(Arc::new(ToolError::internal("password hunter2")));
        let mismatch = Failure::new(Code::InvalidOutput, "`/id` is not a number");
        let log = Log { level: Level::Warn, message: "hm".to_owned() };
        let outcome = Box::new(Outcome::refused(ExecutionId::new(1, 10), Failure::new(Code::Busy, "full")));
        vec![
            (EventKind::Started { source_bytes: 31 }, r#""type":"started","sourceBytes":31"#),
            (EventKind::Resumed, r#""type":"resumed""#),
            (
                EventKind::RollbackBegan { by: "ada".to_owned(), reverts: 2 },
                r#""type":"rollbackBegan","by":"ada","reverts":2"#,
            ),
            (
                EventKind::CallIssued { seq: seq(), path: path(), input: value.clone() },
                r#""type":"callIssued","seq":"3","path":"mail.send","input":{"bytes":2,"value":[]}"#,
            ),
            (
                EventKind::CallStarted { seq: seq(), path: path() },
                r#""type":"callStarted","seq":"3","path":"mail.send""#,
            ),
            (
                EventKind::CallProgressed { seq: seq(), path: path(), progress: value.clone() },
                r#""type":"callProgressed","seq":"3","path":"mail.send","progress":{"bytes":2,"value":[]}"#,
            ),
            (
                EventKind::CallAsked { seq: seq(), path: path(), kind: PendingKind::InDoubt },
                r#""type":"callAsked","seq":"3","path":"mail.send","kind":"in-doubt""#,
            ),
            (
                settled(Ok(Content { bytes: Some(4), value: Some(Value::Null) })),
                r#""type":"callSettled","seq":"3","path":"mail.send","durationMs":12,"output":{"bytes":4,"value":null}"#,
            ),
            (
                settled(Ok(Content::default())),
                r#""type":"callSettled","seq":"3","path":"mail.send","durationMs":12,"output":{}"#,
            ),
            (
                settled(Err(CallFailure { failure, cause })),
                concat!(
                    r#""type":"callSettled","seq":"3","path":"mail.send","durationMs":12,"error":{"code":"TOOL","name":"ToolError","#,
                    r#""message":"no","line":2,"column":7,"hint":"ask again","details":{"tool":"mail.send"}}"#
                ),
            ),
            (
                EventKind::OutputMismatched { seq: seq(), path: path(), failure: mismatch },
                concat!(
                    r#""type":"outputMismatched","seq":"3","path":"mail.send","#,
                    r#""error":{"code":"INVALID_OUTPUT","name":"InvalidOutputError","message":"`/id` is not a number"}"#
                ),
            ),
            (EventKind::Logged(log), r#""type":"logged","level":"warn","message":"hm""#),
            (
                EventKind::FactRecorded { name: "rows".to_owned(), value: Content { bytes: Some(1), value: None } },
                r#""type":"factRecorded","name":"rows","value":{"bytes":1}"#,
            ),
            (
                EventKind::Ended { outcome },
                concat!(
                    r#""type":"ended","outcome":{"status":"failed","executionId":"exec_0000000000010000000000000000000000000000000a","#,
                    r#""error":{"code":"BUSY","name":"BusyError","message":"full"},"logs":[],"calls":[],"durationMs":0}"#
                ),
            ),
            (
                EventKind::ReshapeFailed { message: "it panicked".to_owned() },
                r#""type":"reshapeFailed","message":"it panicked""#,
            ),
        ]
    }

    /// Returns the place of a kind among all kinds.
    fn place(kind: &EventKind) -> usize {
        match kind {
            EventKind::Started { .. } => 0,
            EventKind::Resumed => 1,
            EventKind::RollbackBegan { .. } => 2,
            EventKind::CallIssued { .. } => 3,
            EventKind::CallStarted { .. } => 4,
            EventKind::CallProgressed { .. } => 5,
            EventKind::CallAsked { .. } => 6,
            EventKind::CallSettled { .. } => 7,
            EventKind::OutputMismatched { .. } => 8,
            EventKind::Logged(_) => 9,
            EventKind::FactRecorded { .. } => 10,
            EventKind::Ended { .. } => 11,
            EventKind::ReshapeFailed { .. } => 12,
        }
    }

    #[test]
    fn no_event_is_left_out_below() {
        let places: BTreeSet<usize> = all().iter().map(|(kind, _)| place(kind)).collect();
        assert_eq!(places, (0..13).collect::<BTreeSet<_>>());
    }

    #[test]
    fn every_event_has_one_json_shape_and_is_read_back_from_it() {
        for (kind, expected) in all() {
            let json = serde_json::to_string(&event(kind)).expect("it is JSON");
            let common =
                r#"{"execution":"exec_0000000000010000000000000000000000000000000a","pass":1,"number":4,"#.to_owned();
            assert_eq!(json, common + expected + "}");
            let read: Event = serde_json::from_str(&json).expect("it is an event");
            assert_eq!(serde_json::to_string(&read).expect("it is JSON"), json);
        }
    }

    #[test]
    fn the_label_is_in_the_json_where_the_host_gave_one() {
        let metadata = Map::from_iter([("request".to_owned(), json!(7))]);
        let label = Arc::new(Label { function: Some("report".to_owned()), metadata });
        let json = serde_json::to_string(&Event { label: Arc::clone(&label), ..event(EventKind::Resumed) });
        let json = json.expect("it is JSON");
        assert!(json.ends_with(r#""label":{"function":"report","metadata":{"request":7}}}"#), "{json}");
        assert_eq!(serde_json::from_str::<Event>(&json).expect("it is an event").label, label);
    }
}
