//! Error messages about servers, for the person who configured them.

use std::process::ExitStatus;

use isobox_core::brief;
use isobox_core::connector::{Error, ErrorKind};

use super::context::Context;
use super::target::McpTarget;

/// The end of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ending {
    /// The protocol violation that ended the connection, if there was one.
    pub(super) complaint: Option<String>,
    /// The exit status of the process.
    pub(super) status: Option<ExitStatus>,
    /// The last lines that the server wrote to standard error, or to standard output outside the protocol.
    pub(super) last_lines: Vec<String>,
}

impl Ending {
    /// Returns an ending without any details.
    pub(super) fn unknown() -> Self {
        Self { complaint: None, status: None, last_lines: Vec::new() }
    }

    /// Describes the ending without quoting output of the server.
    pub(super) fn describe(&self) -> String {
        match (&self.complaint, &self.status) {
            (Some(complaint), _) => format!("was stopped: it {complaint}"),
            (None, Some(status)) => format!("ended ({status})"),
            (None, None) => "ended".to_owned(),
        }
    }
}

/// The number of last lines in the message. All of them are in the details.
const LINES_IN_MESSAGE: usize = 5;

/// Builds the error of a server: its name, what happened, and its last output.
pub(super) fn error(kind: ErrorKind, context: &Context, what: &str, ending: Option<&Ending>) -> Error {
    let Context { name, secrets, .. } = context;
    let shown = clean(&secrets.conceal(&context.shown()));
    let mut message = format!("the MCP server `{}` (`{shown}`) {what}", clean(name));
    let last_lines = ending.map(|ending| ending.last_lines.as_slice()).unwrap_or_default();
    if !last_lines.is_empty() {
        let skipped = last_lines.len().saturating_sub(LINES_IN_MESSAGE);
        message.push_str("; its last output:");
        for line in &last_lines[skipped..] {
            message.push('\n');
            message.push_str(line);
        }
    }
    let place = match context.target {
        McpTarget::Child(_) => "command",
        McpTarget::Remote(_) => "origin",
    };
    let mut error = Error::new(kind, secrets.conceal(&message)).detail("server", name.as_str()).detail(place, shown);
    if let Some(status) = ending.and_then(|ending| ending.status) {
        error = error.detail("exit", status.to_string());
    }
    if !last_lines.is_empty() {
        error = error.detail("output", last_lines);
    }
    error
}

/// Prepares a text of the server for quotation: bounded, on one line, and escaped.
pub(super) fn clean(text: &str) -> String {
    brief(text, 200)
}
