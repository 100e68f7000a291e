//! Events: what a host is told while a program runs.

use std::error::Error;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::report::content::Content;
use crate::{CallSeq, ExecutionId, Failure, Log, Outcome, PendingKind, ToolError};

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
        seq: CallSeq,
        /// Which tool.
        path: &'a str,
        /// What it passed.
        input: Content,
    },
    /// The call's turn has come.
    CallStarted {
        /// Its number.
        seq: CallSeq,
        /// Which tool.
        path: &'a str,
    },
    /// The call told how far it is.
    CallProgressed {
        /// Its number.
        seq: CallSeq,
        /// Which tool.
        path: &'a str,
        /// What it told: an output on the way to the last one, what an MCP server notified, anything.
        progress: Content,
    },
    /// The call waits for somebody outside.
    CallAsked {
        /// Its number.
        seq: CallSeq,
        /// Which tool.
        path: &'a str,
        /// For what it waits.
        kind: PendingKind,
    },
    /// Something came of the call, and the program gets to know.
    CallSettled {
        /// Its number.
        seq: CallSeq,
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
        seq: CallSeq,
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

/// What the host wants to find an execution by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Label {
    /// The function of the host that asked for it.
    pub function: Option<String>,
    /// Whatever else.
    pub metadata: Map<String, Value>,
}
