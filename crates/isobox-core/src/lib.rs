//! The domain of Isobox: what a program is, what it may call and use, how it runs and what comes of it.
//!
//! Everything here is decided without a network, a WebAssembly runtime, a database or a real clock: those are behind
//! [`Driver`] and [`Clock`], so that a live run, a replay and a simulated crash are the same loop. Decisions are pure
//! functions in files of their own; `run.rs` is the thin loop around them.

mod approval;
mod beginning;
mod bridge;
mod call_details;
mod call_seq;
mod capacity;
mod catalogue;
mod clock;
mod connector;
mod deciding;
mod declarations;
mod defaults;
mod driver;
mod durable;
mod error;
mod eviction;
mod execution;
mod expiry;
mod explain;
pub mod journal;
mod json;
mod keeper;
mod ledger;
mod lifecycle;
mod limits;
mod log_book;
mod observer;
mod outcome;
pub mod policy;
mod presentation;
pub mod program;
mod progress;
mod recorder;
mod remembering;
mod replay;
mod reply;
mod reshape;
mod resumption;
mod run;
mod running_call;
mod saying;
mod schema;
pub mod search;
mod stack;
pub mod standalone;
pub mod store;
mod tenure;
mod text;
mod tool;
mod tool_path;
mod validation;
mod waiting;

pub use approval::{Approval, ApprovalRequest, Approver};
pub use call_details::CallDetails;
pub use call_seq::{CallSeq, NotACallSeq};
pub use capacity::{Admission, Capacity, CapacityLimits, CapacityUse, Meter, Permit};
pub use catalogue::{
    BriefingOptions, Catalogue, CatalogueBuilder, ConnectorSettings, Described, Kind, Namespace, Renaming, SearchHit,
    SearchResults, Strictness, ToolSettings, Unmatched,
};
pub use clock::Clock;
pub use connector::{Connector, Offer, OfferedTool, ToolHints};
pub use deciding::{Credential, Decider};
pub use declarations::{
    Note, Rendered, Signature, declare_tool, declare_tools, identifier_of, schema_to_typescript, unique_identifiers,
};
pub use defaults::fill_defaults;
pub use driver::{
    Answer, Call, CalledFrom, Driver, Exhausted, GuestError, Instance, Origin, Reply, Request, Snapshot, StartOptions,
    State, Step, Timestamp,
};
pub use error::{Code, Failure};
pub use execution::{Execution, Host, Keeping, execute, resume};
pub use expiry::expire;
pub use journal::CallPlace;
pub use json::{JsonError, MAX_DEPTH, parse_json};
pub use keeper::{Keeper, Timing};
pub use lifecycle::tell_end;
pub use limits::{ByteSize, InFlightExcess, Limits, LoweredLimits, ParseQuantityError, parse_duration};
pub use log_book::{LINE_OVERHEAD, LogBook, LogUse, MAX_LINE};
pub use observer::{CallFailure, Content, Contents, Event, EventKind, Label, Observer};
pub use outcome::{
    CallRecord, CallState, Completed, ExecutionId, Failed, Interrupted, Level, Log, Outcome, Paused, PendingCall,
    PendingKind,
};
pub use presentation::{
    AnswerOptions, CHARACTERS_PER_TOKEN, CallSummary, Shown, answer_text, show_value, summarise_calls,
};
pub use progress::{Progress, Teller};
pub use reshape::{Reshape, for_model};
pub use resumption::{Inspected, inspect, standing};
pub use saying::decide;
pub use stack::{StackFrame, author_frames, without_host_traces, without_stacks};
pub use text::{
    OneLine, brief, json_without_escapes, lines_without_escapes, lossy_text, marked, shorten, without_escapes,
};
pub use tool::{Invocation, Tool, ToolCall, ToolError};
pub use tool_path::ToolPath;
pub use validation::{Defaults, OutputChecks, Validation};
