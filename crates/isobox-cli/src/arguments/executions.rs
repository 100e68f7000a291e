//! The arguments of `isobox executions`.

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

    /// The configuration file [default: isobox.json in the current folder, if it exists].
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,

    /// Trust the configuration in the current folder, including the commands it starts, without asking.
    #[arg(long, global = true)]
    pub(crate) trust: bool,

    /// The store of the executions: sqlite:PATH or postgres://… [default: the store of the configuration].
    #[arg(long, value_name = "URL", global = true)]
    pub(crate) store: Option<String>,

    /// Print JSON.
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Resume with the tools of `isobox run --demo`.
    #[arg(long, global = true)]
    pub(crate) demo: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ExecutionsCommand {
    /// List executions, newest first.
    ///
    /// The exit status is 1 if there are none. The owner, the principal that created an execution, is shown if the
    /// executions have different owners; `--json` always contains it.
    List {
        /// List only executions with this status: running, orphaned, paused, decided, sleeping, completed, failed,
        /// rejected, rolled_back or unreadable. May be repeated.
        #[arg(long = "status", value_name = "STATUS")]
        states: Vec<State>,
        /// The maximum number of executions.
        #[arg(long, default_value_t = 50)]
        limit: u32,
        /// Continue the list after this execution.
        #[arg(long, value_name = "ID")]
        after: Option<String>,
        /// Show the owner of every execution, and cut no texts to the width of the terminal.
        #[arg(long)]
        wide: bool,
    },
    /// List the pending calls of all executions, newest execution first.
    ///
    /// The exit status is 1 if there are none.
    Pending {
        /// The maximum number of executions.
        #[arg(long, default_value_t = 50)]
        limit: u32,
        /// Continue the list after this execution.
        #[arg(long, value_name = "ID")]
        after: Option<String>,
    },
    /// Decide about calls of many executions and resume them.
    ///
    /// Decisions are JSON, one object per line or an array: { "executionId", "seq", "revision", "verdict", "reason"?,
    /// "value"? }. `pending --json` prints the first three. The verdicts are approve, deny, answer, happened,
    /// did-not-happen and fail; answer and happened need a value. The decisions about one execution are recorded
    /// together or not at all. A refused decision does not affect other executions. On a terminal, without decisions,
    /// the command asks about every pending call; the exit status is 1 if there are none. Otherwise it is the worst of all
    /// executions.
    Decide {
        /// Read decisions from this file [default: standard input].
        #[arg(long, value_name = "FILE")]
        from: Option<PathBuf>,
        /// Record the decisions without resuming the executions.
        #[arg(long)]
        no_resume: bool,
    },
    /// Show the timeline of an execution: calls, pauses, decisions, and the outcome.
    Show {
        /// The execution: its id, its first digits, its last eight, or `last` for the newest.
        id: String,
        /// Show all pending calls with their whole inputs.
        #[arg(long)]
        whole: bool,
    },
    /// Approve calls and resume the execution.
    ///
    /// An approval is for what was shown, at the revision that was shown with it. Without `--revision`, the command shows
    /// the calls on a terminal and asks about each; elsewhere it is refused. Without a call number, it is about all calls
    /// that need approval, and with `--revision` about the only one.
    Approve {
        /// The execution: its id, its first digits, or its last eight.
        id: String,
        /// The numbers of the calls.
        #[arg(value_name = "SEQ")]
        calls: Vec<CallSeq>,
        /// Approve all pending calls.
        #[arg(long, conflicts_with = "calls", requires = "revision")]
        all: bool,
        #[command(flatten)]
        decision: DecisionOptions,
    },
    /// Deny a call and resume the execution. The program can catch the error.
    ///
    /// Without `--revision`, the call is denied whatever it has become since it was shown.
    Deny {
        /// The execution: its id, its first digits, or its last eight.
        id: String,
        /// The number of the call.
        #[arg(value_name = "SEQ")]
        call: CallSeq,
        #[command(flatten)]
        decision: DecisionOptions,
    },
    /// Answer a call or settle a call in doubt, and resume the execution.
    ///
    /// Without `--revision`, the command shows the call on a terminal and asks; elsewhere it is refused.
    #[command(
        override_usage = "isobox executions resolve [OPTIONS] <ID> <SEQ> <JSON | --happened JSON | --did-not-happen | --fail>"
    )]
    Resolve {
        /// The execution: its id, its first digits, or its last eight.
        id: String,
        /// The number of the call.
        #[arg(value_name = "SEQ")]
        call: CallSeq,
        #[command(flatten)]
        resolution: ResolutionOptions,
        #[command(flatten)]
        decision: DecisionOptions,
    },
    /// End an execution because its calls are refused. Does not undo completed calls.
    ///
    /// If the process that runs the execution does not respond, the command waits until the lease of that process
    /// expires.
    Reject {
        /// The execution: its id, its first digits, or its last eight.
        id: String,
        /// The reason, which is recorded.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// End an execution that is no longer needed. Does not undo completed calls.
    ///
    /// If the process that runs the execution does not respond, the command waits until the lease of that process
    /// expires.
    Cancel {
        /// The execution: its id, its first digits, or its last eight.
        id: String,
        /// The reason, which is recorded.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Resume all executions that wait for a timer and are due, and print what became of each.
    ///
    /// It is meant for cron; `isobox mcp` wakes executions itself. Executions that other processes wake at the
    /// same time are left to them. One that cannot be resumed does not affect the others, and stays due. The exit status is
    /// the worst of all executions: 3 if one sleeps again or is paused. It is 0 if nothing is due.
    Wake,
    /// Resume an orphaned, decided or sleeping execution; on a terminal, also decide about pending calls.
    ///
    /// Waits for the timers of a sleeping execution. Ctrl-C leaves it asleep.
    Resume {
        /// The execution: its id, its first digits, its last eight, or `last` for the newest.
        id: String,
        /// Resume an execution that is held because its store was restored from a backup. Find out first how far the
        /// original came after the backup: calls that it has made since are made again.
        #[arg(long)]
        restored: bool,
    },
    /// Undo the calls of an execution that has ended, the last one first.
    ///
    /// Tools are reverted by the call that the configuration names for them (`tools`, `revert`). A revert that fails does
    /// not stop the others; the same command tries it again. Reverts may need approval, or be in doubt: the execution
    /// pauses then, and `approve`, `resolve` or `resume` continues the rollback. Calls without a revert are left as they
    /// are, and listed. The exit status is 1 if a revert failed.
    Rollback {
        /// The execution: its id, its first digits, or its last eight.
        id: String,
        /// Undo only the calls after the last `codemode.step` with this name.
        #[arg(long, value_name = "STEP")]
        to: Option<String>,
        /// Show what would be undone and what cannot be, without calling anything.
        #[arg(long)]
        dry_run: bool,
    },
    /// Export an execution: as a transcript that can be replayed elsewhere, or as a report.
    ///
    /// Values that the policy redacts are hidden, and so are answers to tools. If a rule redacts anything, the literals
    /// of the program are hidden as well, and the transcript can only be read.
    Export {
        /// The execution: its id, its first digits, its last eight, or `last` for the newest.
        id: String,
        /// The format: json for the transcript, markdown or html for a report.
        #[arg(long, value_enum, default_value_t = ExportFormat::Json)]
        format: ExportFormat,
        /// Write to this file, which only its owner can read [default: standard output].
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Export everything as it was recorded, also what the policy redacts.
        #[arg(long)]
        with_secrets: bool,
    },
    /// Replay an execution or a transcript without any tool, and say whether the program does the same again.
    ///
    /// The exit status is 0 if it does, and 1 if it diverges. A transcript needs no store.
    Replay {
        /// A transcript (a file, or `-` for standard input), or an execution: its id, its first digits, its last eight,
        /// or `last` for the newest.
        #[arg(value_name = "FILE | ID")]
        source: String,
        /// Stop before this call, and show what the program has done and what it is about to call.
        #[arg(long, value_name = "SEQ")]
        until: Option<CallSeq>,
    },
    /// Fork an execution or a transcript: start a new execution from the moment before a call.
    ///
    /// Calls before that moment are not made again, their results are taken from the record. Calls after it are made,
    /// and need approval as usual.
    Fork {
        /// A transcript (a file, or `-` for standard input), or an execution: its id, its first digits, or its last
        /// eight.
        #[arg(value_name = "FILE | ID")]
        source: String,
        /// The call before which the fork begins.
        #[arg(long, value_name = "SEQ")]
        before: CallSeq,
        /// Give the call this result instead of making it.
        #[arg(long, value_name = "JSON", allow_negative_numbers = true, conflicts_with = "fail")]
        answer: Option<String>,
        /// Let the call fail with this message instead of making it.
        #[arg(long, value_name = "MESSAGE")]
        fail: Option<String>,
        /// Go on with this program, which makes the same calls up to the fork. Several files: the entry file first.
        #[arg(long, value_name = "FILE", num_args = 1..)]
        program: Vec<PathBuf>,
        /// Run the fork with this role. May be repeated.
        #[arg(long = "role", value_name = "ROLE")]
        roles: Vec<String>,
    },
    /// Mark the store as restored from a backup: hold every unfinished execution.
    ///
    /// The original may have gone on after the backup was taken. A held execution is not resumed until `resume
    /// --restored`, and its open calls are in doubt. Run this before anything else uses the restored store. The exit
    /// status is 3 if a process still runs executions of the store.
    Restored,
    /// Delete an execution with its program, values and journal.
    Delete {
        /// The execution: its id, its first digits, or its last eight.
        id: String,
    },
    /// Delete finished executions, keeping the newest.
    Prune {
        /// The number of executions to keep [default: the value of the configuration, or 50].
        #[arg(long, value_name = "NUMBER")]
        keep: Option<usize>,
    },
    /// Expire stale executions: paused ones, those whose process has died, and sleeping ones that were not woken.
    Expire {
        /// How long an execution must have been inactive [default: the value of the configuration, or 24h].
        #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
        older_than: Option<Duration>,
    },
}

impl ExecutionsCommand {
    /// Tells whether the command is read-only.
    pub(crate) fn only_looks(&self) -> bool {
        matches!(
            self,
            Self::List { .. } | Self::Show { .. } | Self::Pending { .. } | Self::Export { .. } | Self::Replay { .. }
        )
    }

    /// Returns the execution to resume if the command fails, as the user named it.
    pub(crate) fn goes_on_with(&self) -> Option<&str> {
        match self {
            Self::Approve { id, .. }
            | Self::Deny { id, .. }
            | Self::Resolve { id, .. }
            | Self::Reject { id, .. }
            | Self::Cancel { id, .. }
            | Self::Resume { id, .. }
            | Self::Rollback { id, dry_run: false, .. } => Some(id),
            Self::List { .. }
            | Self::Pending { .. }
            | Self::Decide { .. }
            | Self::Show { .. }
            | Self::Rollback { .. }
            | Self::Export { .. }
            | Self::Replay { .. }
            | Self::Fork { .. }
            | Self::Wake
            | Self::Restored
            | Self::Delete { .. }
            | Self::Prune { .. }
            | Self::Expire { .. } => None,
        }
    }

    /// Returns the part of the configuration that the command uses. Resuming an execution needs the servers for their
    /// tools.
    pub(crate) fn needs(&self) -> Needs {
        match self {
            Self::Approve { decision, .. } | Self::Deny { decision, .. } | Self::Resolve { decision, .. } => {
                if decision.no_resume { Needs::Store } else { Needs::Servers }
            }
            Self::Resume { .. }
            | Self::Wake
            | Self::Rollback { .. }
            | Self::Decide { no_resume: false, .. }
            | Self::Fork { .. } => Needs::Servers,
            Self::List { .. }
            | Self::Pending { .. }
            | Self::Decide { no_resume: true, .. }
            | Self::Show { .. }
            | Self::Export { .. }
            | Self::Replay { .. }
            | Self::Restored
            | Self::Reject { .. }
            | Self::Cancel { .. }
            | Self::Delete { .. }
            | Self::Prune { .. }
            | Self::Expire { .. } => Needs::Store,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// The transcript: one JSON document that can be replayed and forked.
    Json,
    /// A report in Markdown.
    Markdown,
    /// A report as one HTML page without scripts.
    Html,
}

#[derive(Debug, Args)]
pub(crate) struct DecisionOptions {
    /// The revision at which the calls were shown. The decision is refused if they have changed since.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) revision: Option<u64>,

    /// Apply the decision to later calls of the same tool with the same input.
    #[arg(long, value_name = "WHERE")]
    pub(crate) remember: Option<RememberedFor>,

    /// The reason. The program can read it if its call is denied or fails.
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,

    /// Record the decision without resuming the execution.
    #[arg(long)]
    pub(crate) no_resume: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RememberedFor {
    /// Calls of the same execution.
    Execution,
    /// Calls of all executions in the same session.
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
    /// The answer to a tool's request, as JSON. `-` reads it from standard input, which keeps it out of the process
    /// list.
    #[arg(value_name = "JSON", allow_negative_numbers = true)]
    pub(crate) answer: Option<String>,

    /// The call in doubt happened and returned this result. `-` reads the result from standard input.
    #[arg(long, value_name = "JSON", allow_negative_numbers = true)]
    pub(crate) happened: Option<String>,

    /// The call in doubt did not happen. It is made now.
    #[arg(long)]
    pub(crate) did_not_happen: bool,

    /// Fail the call in doubt, whether it happened or not.
    #[arg(long)]
    pub(crate) fail: bool,
}
