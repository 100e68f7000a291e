//! The domain of Isobox: programs, their tools and limits, how they run, and their outcomes.
//!
//! Nothing here needs a network, a WebAssembly runtime, a database or a real clock: those are behind [`Driver`] and
//! [`Clock`], so that a live run, a replay and a simulated crash use the same loop. Decisions are pure functions in
//! files of their own; `run/run_loop.rs` is the thin loop around them.

#[macro_use]
mod setters;

mod call_seq;
mod checks;
mod clock;
pub mod driver;
mod durable;
mod error;
mod execution_id;
mod json;
mod limits;
mod log;
pub mod policy;
pub mod program;
mod region;
mod report;
mod run;
#[cfg(test)]
mod set_clock;
pub mod snippets;
mod text;
mod tools;

pub use call_seq::{CallSeq, NotACallSeq};
pub use checks::{Certainty, Finding, FindingCode, check, check_snippet};
pub use clock::{Clock, Timestamp};
pub use driver::log_book::{BookUse, LINE_OVERHEAD, LogBook, LogUse, MAX_LINE};
pub use driver::{
    Ability, Answer, Call, CalledFrom, Driver, Exhausted, GuestError, Instance, Intake, Origin, ProgramState, Reply,
    Request, Snapshot, StartOptions, Step,
};
pub use durable::instructing::{decide, stop};
pub use durable::journal::CallPlace;
pub use durable::keeper::{Keeper, Timing};
pub use durable::request_error::RequestError;
pub use durable::resumption::{Inspected, inspect, state};
pub use durable::sessions::{BusySession, Home, SessionInfo, SessionOptions, SessionVersion, Sessions};
pub use durable::transcript::{Secrets, Transcript};
pub use durable::{journal, store};
pub use error::{Code, ConflictKind, Failure};
pub use execution_id::{ExecutionId, NotAnExecutionId};
pub use json::{JsonError, MAX_DEPTH, parse_json};
pub use limits::{ByteSize, InFlightExcess, Limits, LoweredLimits, ParseQuantityError, Unsettled, parse_duration};
pub use log::{Fact, Facts, Level, Log};
pub use policy::approval::{Approval, ApprovalRequest, Approver};
pub use policy::credential::Credential;
pub use policy::principal::{Caller, OwnDecisions, Principal, Right, Rights};
pub use program::Checks;
pub use region::Region;
pub use report::call_details::CallDetails;
pub use report::call_record::{CallRecord, CallState};
pub use report::content::{Content, Contents};
pub use report::observer::{CallFailure, Event, EventKind, Label, Observer};
pub use report::outcome::{
    Completed, Failed, Interrupted, Outcome, Paused, PendingCall, PendingKind, PendingSnippet, Sleeping, Warning,
};
pub use report::presentation::{
    AnswerOptions, CHARACTERS_PER_TOKEN, CallSummary, Shown, answer_json, answer_text, error_parts, show_value,
    summarise_calls,
};
pub use report::reshape::Reshape;
pub use report::rolled_back::{FailedRevert, RolledBack};
pub use report::stack::{StackFrame, author_frames, without_host_traces, without_stacks};
pub use run::capacity::{Admission, Capacity, CapacityLimits, CapacityUse, Meter, Permit};
pub use run::ending::expiry::expire;
pub use run::ending::lifecycle::tell_end;
pub use run::execution::{execute, resume};
pub use run::host::for_model::for_model;
pub use run::host::means::{BeforeContinuing, Means};
pub use run::host::{Durability, Execution, Globals, Host, Namespaces, Purpose};
pub use run::planning::{Plan, PlannedCall, PlannedDone, PlannedEnd, plan};
pub use run::replay::fork::{Fork, ForkAnswer, fork};
pub use run::replay::offline::{OpenRequest, ReplayEnd, ReplayUntil, Replayed, replay_transcript};
pub use run::rollback::{RevertPreview, RollbackPlan, RollbackRequest, plan_rollback, roll_back};
pub use run::starting::restoration::{Restoration, mark_restored};
pub use run::waiting::sleeping::WORTH_SLEEPING;
/// Derives the schemas of [`Tool::typed`]. Re-exported in the matching version.
#[cfg(feature = "schemars")]
pub use schemars;
pub use text::{
    OneLine, brief, excerpt, json_without_escapes, lines_without_escapes, lossy_text, marked, shorten, without_escapes,
};
pub use tools::call::{CallContext, Cancellation, Invocation, ToolCall};
pub use tools::catalogue::{
    BriefingOptions, Catalogue, CatalogueBuilder, ConnectorSettings, Described, DescribedKind, Namespace, Renaming,
    SearchHit, SearchResults, Strictness, ToolSettings, Unmatched,
};
pub use tools::connector::{Connector, Offer, OfferedTool};
pub use tools::declarations::{
    Note, Rendered, Signature, declare_tool, declare_tools, identifier_of, schema_to_typescript, unique_identifiers,
};
pub use tools::defaults::fill_defaults;
pub use tools::definition::ToolDefinition;
pub use tools::hints::ToolHints;
pub use tools::progress::{Progress, ProgressSink};
pub use tools::revert::{RevertCall, Reverting};
pub use tools::tool::{ApprovalNeed, Tool};
pub use tools::tool_error::ToolError;
pub use tools::tool_path::ToolPath;
pub use tools::validation::{Defaults, OutputChecks, Validation};
pub use tools::{connector, experience, search, standalone};
