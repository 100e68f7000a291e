//! The arguments of the commands that set up a configuration.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct InitOptions {
    /// The file to write [default: isobox.json in the current folder].
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Copy the MCP servers of this file: of Claude, Codex, Cursor, Windsurf, VS Code or Zed. May be repeated.
    #[arg(long, value_name = "FILE")]
    pub(crate) import: Vec<PathBuf>,

    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AddOptions {
    /// The name. Programs find the tools under it.
    pub(crate) name: String,

    /// An address, the file of an OpenAPI document, or the command that starts an MCP server, after `--`.
    #[arg(required = true, value_name = "TARGET")]
    pub(crate) target: Vec<String>,

    /// The configuration file [default: isobox.json in the current folder, which is created if it is missing].
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// An environment variable of the command: NAME=VALUE, or NAME for the variable of this environment. May be repeated.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) env: Vec<String>,

    /// A header of every request to the address: 'NAME: VALUE'. May be repeated.
    #[arg(long = "header", value_name = "HEADER")]
    pub(crate) headers: Vec<String>,

    /// The file of the schema of a GraphQL service, if the service does not tell it: SDL, or the result of an introspection.
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,

    /// The type of the target, which is detected by default.
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) kind: Option<TargetType>,

    /// Replace the entry that has this name.
    #[arg(long)]
    pub(crate) replace: bool,

    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The kind of what is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TargetType {
    /// An MCP server: a command or an address.
    Mcp,
    /// A web service: the file or the address of its OpenAPI document.
    Openapi,
    /// A GraphQL service: its address.
    Graphql,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorOptions {
    /// The configuration file [default: isobox.json in the current folder, if it exists].
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Trust the configuration in the current folder, including the commands it starts, without asking.
    #[arg(long)]
    pub(crate) trust: bool,

    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
