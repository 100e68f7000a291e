//! Words for what a server did wrong, for whoever configured it.

use std::process::ExitStatus;

use isobox_core::brief;
use isobox_core::connector::{Error, ErrorKind};

use super::McpServer;
use super::context::Context;
use super::last_words::LastWords;
use super::secrets::Secrets;

/// How a server ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ending {
    /// What it did that ended the connection, if it was that.
    pub(super) complaint: Option<String>,
    /// How its process ended.
    pub(super) status: Option<ExitStatus>,
    /// What it wrote last to its standard error, or to its standard output where no such thing belongs.
    pub(super) last_lines: Vec<String>,
}

impl Ending {
    pub(super) fn new(server: &McpServer, complaint: Option<String>, ended: (Option<ExitStatus>, LastWords)) -> Self {
        let (status, words) = ended;
        Self { complaint, status, last_lines: words.quote(&Secrets::of(server)) }
    }

    /// An end of which nothing is known.
    pub(super) fn unknown() -> Self {
        Self { complaint: None, status: None, last_lines: Vec::new() }
    }

    /// What happened, without anything of what the server wrote.
    pub(super) fn describe(&self) -> String {
        match (&self.complaint, &self.status) {
            (Some(complaint), _) => format!("was stopped: it {complaint}"),
            (None, Some(status)) => format!("ended ({status})"),
            (None, None) => "ended".to_owned(),
        }
    }
}

/// How many of the last lines stand in the message itself; all of them are in the details.
const LINES_IN_MESSAGE: usize = 5;

/// The error of a server: which one, what happened, what it said last.
pub(super) fn error(kind: ErrorKind, context: &Context, what: &str, ending: Option<&Ending>) -> Error {
    let Context { name, server, secrets, .. } = context;
    let command = clean(&secrets.conceal(&server.command));
    let mut message = format!("the MCP server `{}` (`{command}`) {what}", clean(name));
    let last_lines = ending.map(|ending| ending.last_lines.as_slice()).unwrap_or_default();
    if !last_lines.is_empty() {
        let skipped = last_lines.len().saturating_sub(LINES_IN_MESSAGE);
        message.push_str("; it last wrote:");
        for line in &last_lines[skipped..] {
            message.push('\n');
            message.push_str(line);
        }
    }
    let mut error =
        Error::new(kind, secrets.conceal(&message)).detail("server", name.as_str()).detail("command", command);
    if let Some(status) = ending.and_then(|ending| ending.status) {
        error = error.detail("exit", status.to_string());
    }
    if !last_lines.is_empty() {
        error = error.detail("output", last_lines);
    }
    error
}

/// A text of the server's that is quoted in a message: bounded, on one line, harmless.
pub(super) fn clean(text: &str) -> String {
    brief(text, 200)
}
