//! Words for what a server did wrong, for whoever configured it.

use std::process::ExitStatus;

use isobox_core::{Code, Failure, brief};

use super::McpServer;
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

/// The failure of a server: which one, what happened, what it said last, what to do.
pub(super) fn failure(name: &str, server: &McpServer, what: &str, ending: Option<&Ending>) -> Failure {
    let secrets = Secrets::of(server);
    let command = clean(&secrets.conceal(&server.command));
    let mut message = format!("the MCP server `{}` (`{command}`) {what}", clean(name));
    let mut failure = Failure::new(Code::Config, "").detail("server", name).detail("command", command.as_str());
    if let Some(ending) = ending {
        if let Some(status) = &ending.status {
            failure = failure.detail("exit", status.to_string());
        }
        if !ending.last_lines.is_empty() {
            let skipped = ending.last_lines.len().saturating_sub(LINES_IN_MESSAGE);
            message.push_str("; it last wrote:");
            for line in &ending.last_lines[skipped..] {
                message.push('\n');
                message.push_str(line);
            }
            failure = failure.detail("output", ending.last_lines.clone());
        }
    }
    failure.message = secrets.conceal(&message);
    failure
}

/// A text of the server's that is quoted in a message: bounded, on one line, harmless.
pub(super) fn clean(text: &str) -> String {
    brief(text, 200)
}
