//! The arguments of `isobox snippets`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct SnippetsOptions {
    #[command(subcommand)]
    pub(crate) command: SnippetsCommand,

    /// The configuration file [default: isobox.json in the current folder, if it exists].
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,

    /// Trust the configuration in the current folder, including the commands it starts, without asking.
    #[arg(long, global = true)]
    pub(crate) trust: bool,

    /// The store: sqlite:PATH or postgres://… [default: the store of the configuration].
    #[arg(long, value_name = "URL", global = true)]
    pub(crate) store: Option<String>,

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
pub(crate) enum SnippetsCommand {
    /// List all snippets: the name, the newest version, the trust, the successes and failures, and the description.
    ///
    /// The exit status is 1 if there are none.
    List,
    /// Show a snippet: its description, its tools, its uses and its code.
    Show {
        /// The name of the snippet.
        name: String,
        /// The version [default: the newest].
        #[arg(long, value_name = "NUMBER")]
        version: Option<u32>,
    },
    /// Save the code of a completed execution as a new version.
    ///
    /// Keeps the tools that the execution called, with the hashes of their definitions.
    Save {
        /// The name: an identifier.
        name: String,
        /// The execution: its id, or the first or last digits of it.
        #[arg(long, value_name = "ID")]
        from: String,
        /// What it does, for models and people.
        #[arg(long, value_name = "TEXT", default_value = "")]
        description: String,
        /// The JSON Schema of the input, as JSON or as a file.
        #[arg(long, value_name = "JSON | FILE")]
        input_schema: Option<String>,
        /// A list of examples, as JSON or as a file: `[{"input": …, "result": …}, {"input": …, "shape": …}]`.
        #[arg(long, value_name = "JSON | FILE")]
        examples: Option<String>,
        /// Save it although the execution has not completed, tools are missing, or checks find mistakes.
        #[arg(long)]
        force: bool,
    },
    /// Delete a snippet with all its versions.
    Delete {
        /// The name of the snippet.
        name: String,
    },
    /// Run a snippet, and print its result as `isobox run` does.
    Run {
        /// The name of the snippet, which may end with `@` and a version.
        name: String,
        /// The input.
        #[arg(value_name = "JSON", default_value = "null")]
        input: String,
    },
    /// Run the examples of a snippet, with the configured tools.
    ///
    /// The exit status is 1 if a result is not as expected.
    Test {
        /// The name of the snippet.
        name: String,
    },
}
