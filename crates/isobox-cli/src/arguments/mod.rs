//! The arguments of the command line.

mod checks;
mod contact;
#[cfg(test)]
mod documents_tests;
mod executions;
#[cfg(test)]
mod reference_tests;
mod sessions;
mod snippets;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::{Args, Parser, Subcommand};
use isobox::limits::{InFlightExcess, Unsettled, parse_duration};
use isobox::policy::PathPattern;
use isobox::{ByteSize, Limits};

use crate::exit::HELP;

pub(crate) use checks::CheckEffect;
pub(crate) use contact::{AddOptions, DoctorOptions, InitOptions, TargetType};
pub(crate) use executions::{
    DecisionOptions, ExecutionsCommand, ExecutionsOptions, ExportFormat, RememberedFor, ResolutionOptions,
};
pub(crate) use sessions::{SessionsCommand, SessionsOptions, WhenBusy};
pub(crate) use snippets::{SnippetsCommand, SnippetsOptions};

/// Runs agent-written JavaScript and TypeScript in a WebAssembly sandbox.
#[derive(Debug, Parser)]
#[command(name = "isobox", version, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Print only results, errors and questions: no warnings, logs or progress.
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a configuration, with the MCP servers of other clients' files if they are named.
    ///
    /// Writes isobox.json with comments about what can be in it, and isobox.schema.json, by which editors check it. Never
    /// replaces a configuration. Secrets of imported servers are not copied: environment variables take their places.
    #[command(after_help = HELP)]
    Init(InitOptions),

    /// Add an MCP server or a web service to the configuration.
    ///
    /// Finds out what the target is: the file or the address of an OpenAPI document, the address of an MCP server, or a
    /// command. Comments and everything else in the file stay as they are. Values that look like secrets are not written:
    /// environment variables take their places.
    ///
    /// Examples: `isobox add files -- npx -y @modelcontextprotocol/server-filesystem .`,
    /// `isobox add docs https://docs.example.com/mcp`, `isobox add shop ./shop.yaml`.
    #[command(after_help = HELP)]
    Add(AddOptions),

    /// Check the configuration, the store, the sandbox, and every server and service.
    ///
    /// Starts all servers at the same time, and says what to do about everything that fails. The exit status is 1 if
    /// something fails, and 0 if there are only warnings.
    #[command(after_help = HELP)]
    Doctor(DoctorOptions),

    /// Run a program.
    ///
    /// Logs go to standard error. The result goes to standard output as JSON.
    #[command(after_help = HELP)]
    Run(Box<RunOptions>),

    /// List, search, describe and call the tools that programs can use.
    #[command(after_help = HELP)]
    Tools(ToolsOptions),

    /// Inspect stored executions and decide about pending calls.
    ///
    /// The commands that decide also resume the execution. They run it until it ends or pauses again, print the outcome
    /// as `run` does, and use the same exit statuses. Deciding needs the credential in
    /// ~/.local/state/isobox/decide.key, which is created by the first decision. Set ISOBOX_DECIDE_KEY_FILE to use
    /// another file.
    #[command(after_help = HELP)]
    Executions(Box<ExecutionsOptions>),

    /// List, show, fork, rewind and delete the sessions whose globals programs use.
    ///
    /// A program that runs with `--session NAME --globals` finds the properties of `globalThis` that the program before it
    /// left, and leaves its own for the next one.
    #[command(after_help = HELP)]
    Sessions(Box<SessionsOptions>),

    /// Save the code of executions under names, so that programs run it with `codemode.run`.
    #[command(after_help = HELP)]
    Snippets(Box<SnippetsOptions>),

    /// Serve code mode over the configured servers to an MCP client, on standard input and output.
    ///
    /// The client gets two tools, `execute` and `search`. If executions are stored, it also gets `resume`, which
    /// collects the outcome of a paused program after a person has decided. A server starts when a tool of it is first called, or
    /// when its tools are not known from an earlier start.
    #[command(after_help = HELP)]
    Mcp(McpOptions),

    /// Log in to a remote MCP server or a service that asks for it.
    ///
    /// Prints the address of the login, opens it in a browser, and waits until it is completed. The login is kept in
    /// ~/.local/state/isobox/logins, in a file that only this user can read, and refreshed when it expires.
    #[command(after_help = HELP)]
    Login(LoginOptions),

    /// Forget the login to a remote MCP server or a service.
    #[command(after_help = HELP)]
    Logout(LoginOptions),

    /// Print a script that completes commands and options in a shell.
    ///
    /// For bash: `isobox completions bash > ~/.local/share/bash-completion/completions/isobox`.
    #[command(after_help = HELP)]
    Completions(CompletionsOptions),
}

#[derive(Debug, Args)]
pub(crate) struct LoginOptions {
    /// The name of the server or service in the configuration.
    pub(crate) name: String,

    /// The configuration file [default: isobox.json in the current folder, if it exists].
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Trust the configuration in the current folder, including the commands it starts, without asking.
    #[arg(long)]
    pub(crate) trust: bool,

    /// Only print the address.
    #[arg(long)]
    pub(crate) no_browser: bool,

    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsOptions {
    /// The shell.
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ToolsOptions {
    #[command(subcommand)]
    pub(crate) command: ToolsCommand,

    /// The configuration file [default: isobox.json in the current folder, if it exists].
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,

    /// Trust the configuration in the current folder, including the commands it starts, without asking.
    #[arg(long, global = true)]
    pub(crate) trust: bool,

    /// Print JSON.
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Include the demonstration tools.
    #[arg(long, global = true)]
    pub(crate) demo: bool,

    /// Act as a caller with this role. May be repeated.
    #[arg(long = "role", value_name = "ROLE", global = true)]
    pub(crate) roles: Vec<String>,

    /// Start all servers and ask for their tools, instead of using the lists of an earlier start.
    #[arg(long, global = true)]
    pub(crate) refresh: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ToolsCommand {
    /// List all tools. `asks` marks tools that need approval, `may ask` those that need it for some inputs, and `may deny` those
    /// that are denied for some inputs. The conditions are shown below the tool.
    ///
    /// The exit status is 1 if there are none.
    List,
    /// Search tools by what they do.
    ///
    /// The exit status is 1 if none is found.
    Search {
        /// The search text, in natural language.
        #[arg(required = true)]
        query: Vec<String>,
        /// The maximum number of results, at most 50.
        #[arg(long, default_value_t = isobox::tools::Catalogue::DEFAULT_RESULTS)]
        limit: usize,
        /// Say why each tool was found.
        #[arg(long)]
        explain: bool,
    },
    /// Show the description and the declarations of a tool or namespace.
    Describe {
        /// The path of a tool or namespace, such as `github` or `github.issues.list`.
        path: String,
    },
    /// Print TypeScript declarations exactly as a model sees them.
    ///
    /// The exit status is 1 if there are no tools.
    Types {
        /// The path of a tool or namespace [default: all tools].
        path: Option<String>,
    },
    /// Call read-only tools with given inputs, and keep the types of their results in the store.
    ///
    /// For tools without an output schema. Only tools that a trusted server marks as read-only are called, and those that
    /// `experience.readOnly` in the configuration names. Calls that need approval are refused. The exit status is 1 if a
    /// call failed.
    Learn {
        /// The paths of the tools [default: all in --inputs].
        #[arg(value_name = "PATH", required_unless_present = "inputs")]
        paths: Vec<String>,
        /// The input of the calls. May be repeated [default: {}].
        #[arg(long = "input", value_name = "JSON", conflicts_with = "inputs")]
        input: Vec<String>,
        /// A JSON file with an object of inputs by path. Several inputs of a tool are a list.
        #[arg(long, value_name = "FILE")]
        inputs: Option<PathBuf>,
    },
    /// Forget the types of results that were learned.
    Forget {
        /// The paths of the tools.
        #[arg(value_name = "PATH", required = true)]
        paths: Vec<String>,
    },
    /// Call a tool with the checks and limits of a program's call.
    Call {
        /// The path of the tool, such as `github.issues.list`.
        path: String,
        /// The input of the call.
        #[arg(value_name = "JSON", default_value = "{}")]
        input: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct McpOptions {
    /// The configuration file [default: isobox.json in the current folder, if it exists].
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Trust the configuration in the current folder, including the commands it starts, without asking.
    #[arg(long)]
    pub(crate) trust: bool,

    /// Include the demonstration tools.
    #[arg(long)]
    pub(crate) demo: bool,

    /// Run programs for a caller with this role. May be repeated.
    #[arg(long = "role", value_name = "ROLE")]
    pub(crate) roles: Vec<String>,

    /// The store for executions: sqlite:PATH, postgres://…, or none [default: the store of the configuration].
    #[arg(long, value_name = "URL")]
    pub(crate) store: Option<String>,

    /// The session key. Decisions can be remembered for all executions of a session.
    #[arg(long, value_name = "KEY")]
    pub(crate) session: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    /// The program: a JavaScript or TypeScript file, or `-` for standard input [default: -].
    ///
    /// If the program has several files, name the entry file first and then the files that it imports by relative path.
    /// Only the files named here are read.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// The configuration file: servers, policy, limits [default: isobox.json in the current folder, if it exists].
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Trust the configuration in the current folder, including the commands it starts, without asking.
    #[arg(long)]
    pub(crate) trust: bool,

    /// Print the whole outcome as one line of JSON.
    #[arg(long)]
    pub(crate) json: bool,

    /// Include the inputs of calls in the outcome, except for what the policy redacts.
    #[arg(long, requires = "json")]
    pub(crate) inputs: bool,

    /// Give the program demonstration tools: cities.list, weather.current, mail.send, demo.echo, demo.wait, demo.fail …
    #[arg(long)]
    pub(crate) demo: bool,

    /// Run for a caller with this role. May be repeated.
    #[arg(long = "role", value_name = "ROLE")]
    pub(crate) roles: Vec<String>,

    /// Start all servers and ask for their tools, instead of using the lists of an earlier start.
    #[arg(long)]
    pub(crate) refresh: bool,

    /// The seed of the random number generator, for repeatable runs.
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,

    /// The store for the execution, which lets it wait for decisions and survive a crash: sqlite:PATH, postgres://…, or
    /// none [default: the store of the configuration, or none].
    #[arg(long, value_name = "URL")]
    pub(crate) store: Option<String>,

    /// Approve calls of this tool, or of all tools that match a pattern like `mail.*`. May be repeated.
    #[arg(long = "approve", value_name = "NAME", conflicts_with = "approve_all")]
    pub(crate) approved: Vec<PathPattern>,

    /// Approve all calls that need approval.
    #[arg(long)]
    pub(crate) approve_all: bool,

    /// The session key. Decisions can be remembered for all executions of a session.
    #[arg(long, value_name = "KEY")]
    pub(crate) session: Option<String>,

    /// Give the program the globals that the program before it left in the session, and keep its own for the next one. Says
    /// what happens while another program uses the session. Needs a store.
    #[arg(
        long,
        value_name = "WHEN BUSY",
        requires = "session",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "wait"
    )]
    pub(crate) globals: Option<WhenBusy>,

    /// How mistakes that are found before the program runs are treated: they stop it, become warnings, or are ignored
    /// [default: `checks` of the configuration, or errors].
    #[arg(long, value_name = "EFFECT", conflicts_with = "continues")]
    pub(crate) checks: Option<CheckEffect>,

    /// Hold effects back, and tell which calls the program would make. Tools that only read are called.
    #[arg(long, conflicts_with_all = ["stateless", "approved", "approve_all", "globals"])]
    pub(crate) plan: bool,

    /// Run without a store. If the program pauses, print a continuation: one text that `--continue` goes on with.
    ///
    /// Continuations are encrypted with the secret in ISOBOX_CONTINUATION_KEY and expire after an hour. With --store, that
    /// store remembers which were used, so that none is used twice, and has the snippets; it keeps no executions.
    #[arg(long)]
    pub(crate) stateless: bool,

    /// Continue a program from a continuation: a file, or `-` for standard input.
    #[arg(long = "continue", value_name = "FILE", requires = "stateless", conflicts_with = "files")]
    pub(crate) continues: Option<PathBuf>,

    /// The decisions to continue with, as for `isobox executions decide`: a file, or `-` for standard input. They name the
    /// execution and the revision that was shown. Without them, `--approve` and `--approve-all` decide.
    #[arg(long, value_name = "FILE", requires = "continues")]
    pub(crate) decisions: Option<PathBuf>,

    /// The audience of continuations, such as the name of a user. One for another audience is refused.
    #[arg(long, value_name = "NAME", requires = "stateless")]
    pub(crate) audience: Option<String>,

    #[command(flatten)]
    pub(crate) limits: LimitOptions,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitOptions {
    /// Wall-clock time limit [default: 30s].
    #[arg(long, value_name = "DURATION", value_parser = some_time, allow_hyphen_values = true)]
    timeout: Option<Duration>,

    /// CPU time limit inside the sandbox [default: 10s].
    #[arg(long, value_name = "DURATION", value_parser = some_time, allow_hyphen_values = true)]
    cpu: Option<Duration>,

    /// Memory limit [default: 64MiB].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    memory: Option<ByteSize>,

    /// Stack limit of the program, at most 1MiB [default: 512KiB].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    stack: Option<ByteSize>,

    /// Maximum size of the program [default: 256KiB].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    max_source: Option<ByteSize>,

    /// Maximum size of the result [default: 1MiB].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    max_result: Option<ByteSize>,

    /// Maximum size of the input of a tool call [default: 1MiB].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    max_input: Option<ByteSize>,

    /// Maximum size of the output of a tool call [default: 4MiB].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    max_output: Option<ByteSize>,

    /// Maximum total size of the log lines [default: 256KiB].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    max_logs: Option<ByteSize>,

    /// Maximum total size of the facts [default: 256KiB].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    max_facts: Option<ByteSize>,

    /// Maximum number of tool calls [default: 256].
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    max_calls: Option<u32>,

    /// Maximum number of concurrent tool calls [default: 32].
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    max_in_flight: Option<u32>,

    /// Fail calls above --max-in-flight instead of queueing them.
    #[arg(long)]
    fail_in_flight: bool,

    /// How long a program that has returned waits for its pending calls [default: 2s].
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_hyphen_values = true)]
    settle: Option<Duration>,

    /// Fail a program whose calls are still pending after --settle, instead of cancelling them.
    #[arg(long)]
    fail_unsettled: bool,

    /// Let the program sleep in the store while it waits for timers, up to this age of its execution [default: programs do
    /// not sleep, and timers count towards --timeout].
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_hyphen_values = true)]
    lifetime: Option<Duration>,

    /// Maximum size of the output of a tool call in a stored execution [default: 1MB].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    max_durable_value: Option<ByteSize>,

    /// Maximum size of the journal of a stored execution [default: 64MiB].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    max_journal: Option<ByteSize>,

    /// Maximum size of the snapshot of a paused program [default: 64MiB].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    max_snapshot: Option<ByteSize>,
}

impl LimitOptions {
    /// Applies the limit options to the limits of the configuration.
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
            .facts(self.max_facts.unwrap_or(defaults.facts))
            .calls(self.max_calls.unwrap_or(defaults.calls))
            .in_flight(self.max_in_flight.unwrap_or(defaults.in_flight))
            .in_flight_excess(if self.fail_in_flight { InFlightExcess::Fail } else { defaults.in_flight_excess })
            .durable_value(self.max_durable_value.unwrap_or(defaults.durable_value))
            .journal(self.max_journal.unwrap_or(defaults.journal))
            .snapshot(self.max_snapshot.unwrap_or(defaults.snapshot))
            .settle(self.settle.unwrap_or(defaults.settle))
            .unsettled(if self.fail_unsettled { Unsettled::Fail } else { defaults.unsettled })
            .lifetime(self.lifetime.unwrap_or(defaults.lifetime))
    }
}

/// Parses a duration and rejects zero. The options allow values with hyphens so that `-5s` gets the error of this
/// parser.
fn some_time(text: &str) -> Result<Duration> {
    let duration = parse_duration(text)?;
    ensure!(!duration.is_zero(), "a time limit of zero would stop every program");
    Ok(duration)
}
