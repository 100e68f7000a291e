//! What can be asked of executions that are kept.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use isobox::CallSeq;
use isobox::journal::Remember;
use isobox::limits::parse_duration;
use isobox::store::State;

use crate::setting::Needs;

#[derive(Debug, Args)]
pub(crate) struct ExecutionsOptions {
    #[command(subcommand)]
    pub(crate) command: ExecutionsCommand,

    /// The configuration [default: isobox.json of this folder, if there is one].
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,

    /// Do what the configuration of this folder says, start its commands say, without asking whether it is trusted.
    #[arg(long, global = true)]
    pub(crate) trust: bool,

    /// Where they are kept: sqlite:PATH or postgres://… [default: what the configuration says].
    #[arg(long, value_name = "URL", global = true)]
    pub(crate) store: Option<String>,

    /// Print JSON instead.
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Go on with the tools of `isobox run --demo`.
    #[arg(long, global = true)]
    pub(crate) demo: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ExecutionsCommand {
    /// List them, newest first.
    List {
        /// Only with this status: running, orphaned, paused, decided, completed, failed, rejected or unreadable. May be given
        /// several times.
        #[arg(long = "status", value_name = "STATUS")]
        states: Vec<State>,
        /// How many are shown.
        #[arg(long, default_value_t = 50)]
        limit: u32,
        /// Those that come after this one in the list.
        #[arg(long, value_name = "ID")]
        after: Option<String>,
    },
    /// Show the pending calls of all executions, newest execution first.
    Pending {
        /// Of how many executions.
        #[arg(long, default_value_t = 50)]
        limit: u32,
        /// Of those that come after this execution in the list.
        #[arg(long, value_name = "ID")]
        after: Option<String>,
    },
    /// Decide about calls of many executions at once, and go on with them.
    ///
    /// Decisions are JSON, one object per line or an array: { "executionId", "seq", "revision", "verdict", "reason"?, "value"? },
    /// as `pending --json` prints the first three. Verdicts are approve, deny, answer, happened, did-not-happen and fail;
    /// answer and happened have a value. What is decided about one execution counts together or not at all, and one that is
    /// refused stops no other. On a terminal, without decisions, every pending call is asked about. The exit status is
    /// the worst of all.
    Decide {
        /// Read decisions from this file [default: standard input].
        #[arg(long, value_name = "FILE")]
        from: Option<PathBuf>,
        /// Only record the decisions.
        #[arg(long)]
        no_resume: bool,
    },
    /// Show what happened in one, and when: calls, pauses, decisions, its outcome.
    Show {
        /// Which; the beginning of its name is enough.
        id: String,
    },
    /// Approve calls, and go on.
    ///
    /// Without a number: the one call that waits for approval.
    Approve {
        /// Which; the beginning of its name is enough.
        id: String,
        /// The numbers of the calls.
        #[arg(value_name = "SEQ")]
        calls: Vec<CallSeq>,
        /// Everything that is pending.
        #[arg(long, conflicts_with = "calls", requires = "revision")]
        all: bool,
        #[command(flatten)]
        decision: DecisionOptions,
    },
    /// Deny a call, and go on; the program may catch it.
    Deny {
        /// Which; the beginning of its name is enough.
        id: String,
        /// The number of the call.
        #[arg(value_name = "SEQ")]
        call: CallSeq,
        #[command(flatten)]
        decision: DecisionOptions,
    },
    /// Give a call what it waits for, or say whether it happened, and go on.
    #[command(
        override_usage = "isobox executions resolve [OPTIONS] <ID> <SEQ> <JSON | --happened JSON | --did-not-happen | --fail>"
    )]
    Resolve {
        /// Which; the beginning of its name is enough.
        id: String,
        /// The number of the call.
        #[arg(value_name = "SEQ")]
        call: CallSeq,
        #[command(flatten)]
        resolution: ResolutionOptions,
        #[command(flatten)]
        decision: DecisionOptions,
    },
    /// End one whose calls you refuse. Nothing that it did is undone.
    ///
    /// Where the process that runs it does not react, this waits until its lease has run out.
    Reject {
        /// Which; the beginning of its name is enough.
        id: String,
        /// Why.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// End one that is no longer wanted. Nothing that it did is undone.
    ///
    /// Where the process that runs it does not react, this waits until its lease has run out.
    Cancel {
        /// Which; the beginning of its name is enough.
        id: String,
        /// Why.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Go on with one that is orphaned or decided; on a terminal, decide now.
    Resume {
        /// Which; the beginning of its name is enough.
        id: String,
    },
    /// Remove all of one: its program, values and journal.
    Delete {
        /// Which; the beginning of its name is enough.
        id: String,
    },
    /// Delete finished executions, keeping the newest.
    Prune {
        /// How many of them are kept [default: what the configuration says, or 50].
        #[arg(long, value_name = "NUMBER")]
        keep: Option<usize>,
    },
    /// Expire stale executions: paused ones, and those whose process has died.
    Expire {
        /// For how long [default: what the configuration says, or 24h].
        #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
        older_than: Option<Duration>,
    },
}

impl ExecutionsCommand {
    /// Whether it changes nothing.
    pub(crate) fn only_looks(&self) -> bool {
        matches!(self, Self::List { .. } | Self::Show { .. } | Self::Pending { .. })
    }

    /// The execution that goes on where the command could not be carried out, as it was named.
    pub(crate) fn goes_on_with(&self) -> Option<&str> {
        match self {
            Self::Approve { id, .. }
            | Self::Deny { id, .. }
            | Self::Resolve { id, .. }
            | Self::Reject { id, .. }
            | Self::Cancel { id, .. }
            | Self::Resume { id } => Some(id),
            Self::List { .. }
            | Self::Pending { .. }
            | Self::Decide { .. }
            | Self::Show { .. }
            | Self::Delete { .. }
            | Self::Prune { .. }
            | Self::Expire { .. } => None,
        }
    }

    /// What of the configuration it uses: going on with an execution takes the tools of its servers.
    pub(crate) fn needs(&self) -> Needs {
        match self {
            Self::Approve { .. }
            | Self::Deny { .. }
            | Self::Resolve { .. }
            | Self::Resume { .. }
            | Self::Decide { no_resume: false, .. } => Needs::Servers,
            Self::List { .. }
            | Self::Pending { .. }
            | Self::Decide { no_resume: true, .. }
            | Self::Show { .. }
            | Self::Reject { .. }
            | Self::Cancel { .. }
            | Self::Delete { .. }
            | Self::Prune { .. }
            | Self::Expire { .. } => Needs::Store,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct DecisionOptions {
    /// Decide about what was shown at this revision: where it has changed since, nothing is decided.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) revision: Option<u64>,

    /// Let it hold for further calls of the same tool with the same input.
    #[arg(long, value_name = "WHERE")]
    pub(crate) remember: Option<RememberedFor>,

    /// Why; the program may read it where its call is denied or fails.
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RememberedFor {
    /// In the same execution.
    Execution,
    /// In all executions of the same session.
    Session,
}

impl RememberedFor {
    pub(crate) fn remember(self) -> Remember {
        match self {
            Self::Execution => Remember::Execution,
            Self::Session => Remember::Session,
        }
    }
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct ResolutionOptions {
    /// What a tool has asked for, as JSON; `-` reads it from standard input, where nobody else sees it.
    #[arg(value_name = "JSON", allow_negative_numbers = true)]
    pub(crate) answer: Option<String>,

    /// A call in doubt happened, with this result; `-` reads it from standard input.
    #[arg(long, value_name = "JSON", allow_negative_numbers = true)]
    pub(crate) happened: Option<String>,

    /// A call in doubt did not happen: it is made now.
    #[arg(long)]
    pub(crate) did_not_happen: bool,

    /// A call in doubt fails, whether it happened or not.
    #[arg(long)]
    pub(crate) fail: bool,
}
