//! Less common names, by theme.

/// Tools and catalogues: their description, validation and settings.
pub mod tools {
    pub use isobox_core::{
        ApprovalNeed, BriefingOptions, CallContext, Cancellation, Catalogue, CatalogueBuilder, Defaults, Described,
        DescribedKind, Invocation, Namespace, OutputChecks, Progress, Renaming, Strictness, ToolDefinition, ToolHints,
        ToolPath, ToolSettings, Unmatched, Validation, fill_defaults,
    };
}

/// The types of results that are learned from results.
pub mod experience {
    pub use isobox_core::experience::{ExperienceOptions, Learned, Learner, Shape};
}

/// Connectors: sources of tools.
pub mod connector {
    pub use crate::connectors::{Connected, ConnectorReport, Ready};
    #[cfg(any(feature = "graphql", feature = "openapi"))]
    pub use isobox_connect::{ApiKey, Auth, CallHeaders, OAuth, OAuthGrant};
    #[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
    pub use isobox_connect::{ClientGrant, LogIn, LoginNeeded, OAuthClient, TokenStore};
    #[cfg(feature = "graphql")]
    pub use isobox_connect::{GraphQlConnector, GraphQlOptions, GraphQlService, is_graphql};
    #[cfg(feature = "mcp")]
    pub use isobox_connect::{
        McpConnector, McpOptions, McpRemote, McpRoot, McpServer, McpTarget, McpTransport, Sampler,
    };
    #[cfg(feature = "openapi")]
    pub use isobox_connect::{OpenApiConnector, OpenApiOptions, OpenApiService, Place, Recognised, recognise};
    #[cfg(feature = "web")]
    pub use isobox_connect::{WebBounds, WebConnector, WebOptions, WebRequest, WebResponse, WebSecret, WebTransport};
    pub use isobox_core::connector::{Error, ErrorKind, ServiceLevel, ServiceLog, ServiceLogSink, ServiceStatus};
    pub use isobox_core::{Connector, ConnectorSettings, Offer, OfferedTool};
}

/// Findings: the mistakes in a program that checks find before it runs.
pub mod checks {
    pub use isobox_core::{Certainty, Finding, FindingCode};
}

/// Plans: the calls that a program would make.
pub mod planning {
    pub use isobox_core::{Plan, PlannedCall, PlannedDone, PlannedEnd};
}

/// Search in a catalogue, and in anything else with names and descriptions.
pub mod search {
    pub use isobox_core::search::{Explanation, Found, Hit, Index, IndexEntry, OtherWord};
    pub use isobox_core::{SearchHit, SearchResults};
}

/// Policies: rules, decisions, principals and their rights.
pub mod policy {
    #[cfg(feature = "config")]
    pub use crate::credential::own_credential;
    pub use isobox_core::policy::{
        Action, Condition, PathPattern, Permission, Policy, Preview, Rate, Rule, Ruling, Subject, ToolNames,
    };
    pub use isobox_core::{Approval, ApprovalRequest, Approver, Caller, Credential, OwnDecisions, Right, Rights};
}

/// Events of executions.
pub mod events {
    pub use crate::event_stream::Events;
    pub use isobox_core::{CallFailure, Content, Contents, Event, EventKind, Fact, Label, Level, Log, Observer};
}

/// Records of calls in outcomes.
pub mod calls {
    pub use isobox_core::{CallDetails, CallPlace, CallRecord, CallState};
}

/// Rollbacks: how calls are undone, and what became of it.
pub mod rollback {
    pub use crate::rollback_of::Rollback;
    pub use isobox_core::journal::LeftApplied;
    pub use isobox_core::{FailedRevert, RevertCall, RevertPreview, Reverting, RollbackPlan, RolledBack};
}

/// Capacity of a runtime, and quantities as people write them.
pub mod limits {
    pub use isobox_core::{
        Capacity, CapacityLimits, CapacityUse, InFlightExcess, Meter, ParseQuantityError, Unsettled, parse_duration,
    };
}

/// Texts for models and terminals: answers within a budget, and foreign text without control characters.
pub mod text {
    pub use isobox_core::{
        AnswerOptions, CHARACTERS_PER_TOKEN, CallSummary, OneLine, Shown, answer_json, answer_text, brief, error_parts,
        excerpt, json_without_escapes, lines_without_escapes, marked, shorten, show_value, summarise_calls,
        without_escapes, without_host_traces,
    };
}

/// Snippets: programs that are saved under a name, and that other programs run.
pub mod snippets {
    pub use crate::saved::{SaveSnippet, Snippets, TestedExample};
    pub use isobox_core::PendingSnippet;
    pub use isobox_core::snippets::{
        Example, Expected, Needs, NewSnippet, RUN, Snippet, SnippetOptions, SnippetVersion, Trust, Uses,
    };
}

/// Stores: lists, retention and errors of durable executions.
///
/// The methods of `Store` are for implementors; the types that these need are in `isobox-core`.
pub mod store {
    pub use crate::ending::{Expired, Postponed};
    pub use crate::memory_store::memory_store;
    pub use isobox_core::store::{
        Amended, Amendment, Collection, Document, DocumentDurability, Error, ErrorKind, Filter, Head, LESSONS, Listed,
        NotAState, Page, PendingSummary, Retention, SETTLED_AFTER, State, Status, Store, Unreadable, WhenFull,
    };
    pub use isobox_core::{Restoration, Timing};
    #[cfg(any(feature = "postgres", feature = "sqlite"))]
    pub use isobox_store::{Connections, DatabaseStore, KeySource, owned};
}

/// Journals of durable executions: entries to show, and decisions about calls.
///
/// Their storage format is not part of the interface.
pub mod journal {
    pub use crate::decisions::CallDecision;
    pub use isobox_core::Inspected;
    pub use isobox_core::journal::{
        Asked, Beginning, CallAsked, CallDecided, CallProgress, CallSettled, CallStarted, Decision, Ended, Ending,
        Entry, ExecutionResumed, ForkedFrom, Instruction, JournalCall, JournalState, OpenCall, Pause, Pending,
        Question, Remember, Remembered, RestoredMark, ResumedFrom, Settlement, StepTaken, Used, Verdict, Wanted,
    };
}

/// Transcripts of executions: export, replay without tools, and forks.
pub mod transcript {
    pub use isobox_core::{Fork, ForkAnswer, OpenRequest, ReplayEnd, ReplayUntil, Replayed, Secrets, Transcript};
}

/// Drivers, which run programs. [`Builder::driver`](crate::Builder::driver) takes one instead of the sandbox in this
/// process.
pub mod driver {
    pub use isobox_core::driver::{
        Ability, Answer, BookUse, Call, CalledFrom, Driver, Error, ErrorKind, Exhausted, GuestError, Instance, Intake,
        LogUse, Origin, ProgramState, Reply, Request, Snapshot, StartOptions, Step, intake,
    };
    pub use isobox_sandbox::{Cleaning, IMAGE_HASH, Sandbox, SandboxOptions};
}

/// Sessions: the globals that programs leave for each other.
pub mod sessions {
    pub use isobox_core::store::WhenFull;
    pub use isobox_core::{BusySession, SessionInfo, SessionOptions, SessionVersion, Sessions};
}
