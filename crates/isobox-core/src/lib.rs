//! The domain of Isobox: what a program is, what it may call and use, how it runs and what comes of it.
//!
//! Everything here is decided without a network, a WebAssembly runtime, a database or a real clock: those are behind
//! [`Driver`] and [`Clock`], so that a live run, a replay and a simulated crash are the same loop. Decisions are pure
//! functions in files of their own; `execution.rs` is the thin loop around them.

mod approval;
mod bridge;
mod call_details;
mod capacity;
mod catalogue;
mod clock;
mod connector;
mod declarations;
mod driver;
mod error;
mod execution;
mod explain;
mod json;
mod ledger;
mod limits;
mod log_book;
mod mismatch;
mod observer;
mod outcome;
pub mod policy;
mod presentation;
pub mod program;
mod reshape;
mod running_call;
pub mod search;
mod stack;
pub mod standalone;
mod text;
mod tool;

pub use approval::{Approval, ApprovalRequest, Approver};
pub use call_details::CallDetails;
pub use capacity::{Admission, Capacity, CapacityLimits, CapacityUse, Meter, Permit};
pub use catalogue::{
    BriefingOptions, Catalogue, CatalogueBuilder, ConnectorSettings, Described, Kind, Namespace, Renaming, SearchHit,
    SearchResults, ToolSettings,
};
pub use clock::Clock;
pub use connector::{Connector, Offer, OfferedTool, ToolHints};
pub use declarations::{
    Note, Rendered, Signature, declare_tool, declare_tools, identifier_of, schema_to_typescript, unique_identifiers,
};
pub use driver::{
    Answer, Call, Driver, Exhausted, GuestError, Instance, Origin, Reply, Request, StartOptions, State, Step, Timestamp,
};
pub use error::{Code, Failure};
pub use execution::{Execution, Host, execute};
pub use json::{JsonError, MAX_DEPTH, parse_json};
pub use limits::{ByteSize, InFlightExcess, Limits, LoweredLimits, ParseQuantityError, parse_duration};
pub use log_book::{LINE_OVERHEAD, LogBook, MAX_LINE};
pub use observer::{CallFailure, Content, Contents, Event, EventKind, Label, Observer};
pub use outcome::{CallRecord, CallState, Completed, ExecutionId, Failed, Level, Log, Outcome};
pub use presentation::{
    AnswerOptions, CHARACTERS_PER_TOKEN, CallSummary, Shown, answer_text, show_value, summarise_calls,
};
pub use reshape::{Reshape, for_model};
pub use stack::{StackFrame, author_frames, without_host_traces, without_stacks};
pub use text::{lossy_text, shorten, without_escapes};
pub use tool::{Tool, ToolCall, ToolError, ToolPath};
