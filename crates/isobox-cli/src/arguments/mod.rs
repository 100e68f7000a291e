//! What can be asked for.

mod executions;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::{Args, Parser, Subcommand};
use isobox::limits::{InFlightExcess, parse_duration};
use isobox::policy::PathPattern;
use isobox::{ByteSize, Limits};

use crate::exit::HELP;

pub(crate) use executions::{DecisionOptions, ExecutionsCommand, ExecutionsOptions, RememberedFor, ResolutionOptions};

/// Runs the JavaScript and TypeScript that agents write, in a WebAssembly sandbox.
#[derive(Debug, Parser)]
#[command(name = "isobox", version, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run one program.
    ///
    /// Logs go to standard error, the result to standard output as JSON.
    #[command(after_help = HELP)]
    Run(Box<RunOptions>),

    /// Show the tools that programs find.
    #[command(after_help = HELP)]
    Tools(ToolsOptions),

    /// Look at executions that are kept, and decide about pending calls.
    ///
    /// Deciding goes on with the execution until it ends or pauses again, and prints what comes of it as `run` does, with
    /// the same exit status. It takes the credential in ~/.local/state/isobox/decide.key, which is made when you first decide;
    /// ISOBOX_DECIDE_KEY_FILE names another file.
    #[command(after_help = HELP)]
    Executions(Box<ExecutionsOptions>),

    /// Serve an MCP client that started this process: code mode over the servers of the configuration.
    ///
    /// The client finds two tools, `execute` and `search`, and where executions are kept `resume`, which collects the
    /// outcome of a program that waited for a person. Servers start when they are first needed.
    #[command(after_help = HELP)]
    Mcp(McpOptions),
}

#[derive(Debug, Args)]
pub(crate) struct ToolsOptions {
    #[command(subcommand)]
    pub(crate) command: ToolsCommand,

    /// The configuration [default: isobox.json of this folder, if there is one].
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,

    /// Do what the configuration of this folder says, start its commands say, without asking whether it is trusted.
    #[arg(long, global = true)]
    pub(crate) trust: bool,

    /// Print JSON instead.
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Show a few tools to try as well.
    #[arg(long, global = true)]
    pub(crate) demo: bool,

    /// As a caller with this role; may be given several times.
    #[arg(long = "role", value_name = "ROLE", global = true)]
    pub(crate) roles: Vec<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ToolsCommand {
    /// List all tools. Those marked with `asks` need the approval of a person.
    List,
    /// Find tools by what they do.
    Search {
        /// What they should do, in words.
        #[arg(required = true)]
        query: Vec<String>,
        /// How many are shown, at most 50.
        #[arg(long, default_value_t = isobox::tools::Catalogue::DEFAULT_RESULTS)]
        limit: usize,
    },
    /// Show what a tool or a namespace is for, and how it is called.
    Describe {
        /// As in `github` or `github.issues.list`.
        path: String,
    },
    /// Print TypeScript declarations, exactly as a model would see them.
    Types {
        /// Of a tool or a namespace; of everything where there is none.
        path: Option<String>,
    },
    /// Call a tool, checked and limited as a program's call would be.
    Call {
        /// As in `github.issues.list`.
        path: String,
        /// Its input.
        #[arg(value_name = "JSON", default_value = "{}")]
        input: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct McpOptions {
    /// The configuration [default: isobox.json of this folder, if there is one].
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Do what the configuration of this folder says, start its commands say, without asking whether it is trusted.
    #[arg(long)]
    pub(crate) trust: bool,

    /// Offer a few tools to try as well.
    #[arg(long)]
    pub(crate) demo: bool,

    /// Programs run for a caller with this role; may be given several times.
    #[arg(long = "role", value_name = "ROLE")]
    pub(crate) roles: Vec<String>,

    /// Where executions are kept: sqlite:PATH, postgres://…, or none [default: what the configuration says].
    #[arg(long, value_name = "URL")]
    pub(crate) store: Option<String>,

    /// Decisions can be remembered for all executions with the same key.
    #[arg(long, value_name = "KEY")]
    pub(crate) session: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    /// The program: a file of JavaScript or TypeScript, or `-` for standard input, which is also the default.
    ///
    /// Further files are the ones that it imports, by relative path. Nothing is read that is not named here.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// The configuration: servers, policy, limits [default: isobox.json of this folder, if there is one].
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Do what the configuration of this folder says, start its commands say, without asking whether it is trusted.
    #[arg(long)]
    pub(crate) trust: bool,

    /// Print the whole outcome as one line of JSON instead.
    #[arg(long)]
    pub(crate) json: bool,

    /// Put the input of every call into the outcome, without what the policy redacts.
    #[arg(long, requires = "json")]
    pub(crate) inputs: bool,

    /// Give the program a few tools to try: cities.list, weather.current, mail.send, demo.echo, demo.wait, demo.fail …
    #[arg(long)]
    pub(crate) demo: bool,

    /// Run for a caller with this role; may be given several times.
    #[arg(long = "role", value_name = "ROLE")]
    pub(crate) roles: Vec<String>,

    /// Where random numbers start, so that they are the same every time.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,

    /// Where the execution is kept, so that it can wait for people and survive a crash: sqlite:PATH, postgres://…, or none
    /// [default: what the configuration says; none without one].
    #[arg(long, value_name = "URL")]
    pub(crate) store: Option<String>,

    /// Approve calls of this tool; a pattern like `mail.*` is one for many. May be given several times.
    #[arg(long = "approve", value_name = "NAME", conflicts_with = "approve_all")]
    pub(crate) approved: Vec<PathPattern>,

    /// Approve all calls that need it.
    #[arg(long)]
    pub(crate) approve_all: bool,

    /// Decisions can be remembered for all executions with the same key.
    #[arg(long, value_name = "KEY")]
    pub(crate) session: Option<String>,

    #[command(flatten)]
    pub(crate) limits: LimitOptions,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitOptions {
    /// Wall-clock time [default: 30s].
    #[arg(long, value_name = "DURATION", value_parser = some_time, allow_hyphen_values = true)]
    timeout: Option<Duration>,

    /// Processor time inside the sandbox [default: 10s].
    #[arg(long, value_name = "DURATION", value_parser = some_time, allow_hyphen_values = true)]
    cpu: Option<Duration>,

    /// Memory [default: 64MiB].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    memory: Option<ByteSize>,

    /// Stack of the program, at most 1MiB [default: 512KiB].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    stack: Option<ByteSize>,

    /// Size of the program [default: 256KiB].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    max_source: Option<ByteSize>,

    /// Size of the result [default: 1MiB].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    max_result: Option<ByteSize>,

    /// Size of the input of a tool call [default: 1MiB].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    max_input: Option<ByteSize>,

    /// Size of the output of a tool call [default: 4MiB].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    max_output: Option<ByteSize>,

    /// Size of all log lines together [default: 256KiB].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    max_logs: Option<ByteSize>,

    /// Tool calls and timers in all [default: 256].
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    max_calls: Option<u32>,

    /// Tool calls at once [default: 32].
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    max_in_flight: Option<u32>,

    /// Fail a call above that instead of letting it wait.
    #[arg(long)]
    fail_in_flight: bool,

    /// Size of the output of a tool call, where the execution is kept [default: 1MB].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    max_durable_value: Option<ByteSize>,

    /// Size of what is recorded of an execution that is kept [default: 64MiB].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    max_journal: Option<ByteSize>,

    /// Size of the stored memory of a program that waits [default: 64MiB].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    max_snapshot: Option<ByteSize>,
}

impl LimitOptions {
    /// The limits of the configuration, changed where an option says so.
    pub(crate) fn limits(&self, defaults: Limits) -> Limits {
        Limits::default()
            .timeout(self.timeout.unwrap_or(defaults.timeout))
            .cpu(self.cpu.unwrap_or(defaults.cpu))
            .memory(self.memory.unwrap_or(defaults.memory))
            .stack(self.stack.unwrap_or(defaults.stack))
            .source(self.max_source.unwrap_or(defaults.source))
            .result(self.max_result.unwrap_or(defaults.result))
            .input(self.max_input.unwrap_or(defaults.input))
            .output(self.max_output.unwrap_or(defaults.output))
            .logs(self.max_logs.unwrap_or(defaults.logs))
            .calls(self.max_calls.unwrap_or(defaults.calls))
            .in_flight(self.max_in_flight.unwrap_or(defaults.in_flight))
            .in_flight_excess(if self.fail_in_flight { InFlightExcess::Fail } else { defaults.in_flight_excess })
            .durable_value(self.max_durable_value.unwrap_or(defaults.durable_value))
            .journal(self.max_journal.unwrap_or(defaults.journal))
            .snapshot(self.max_snapshot.unwrap_or(defaults.snapshot))
    }
}

/// A duration that something can happen in. (Hyphens are allowed in all values, so that the error about `-5s` is ours.)
fn some_time(text: &str) -> Result<Duration> {
    let duration = parse_duration(text)?;
    ensure!(!duration.is_zero(), "a limit of no time at all would stop every program");
    Ok(duration)
}
