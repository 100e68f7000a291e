//! The link that carries a session: a child process, or requests to a remote server.

use std::future::pending;

use super::complaint::Ending;
use super::context::Context;
use super::last_words::LastWords;
use super::line_transport::Complaint;
use super::process::{Manner, Process};

/// The other end of a session.
pub(super) struct Link {
    end: End,
    pub(super) complaint: Complaint,
}

enum End {
    Child(Process),
    Remote(LastWords),
}

impl Link {
    pub(super) fn to_child(process: Process, complaint: Complaint) -> Self {
        Self { end: End::Child(process), complaint }
    }

    /// Links to a remote server. `words` are the lines of the server that are no messages.
    pub(super) fn to_remote(words: LastWords, complaint: Complaint) -> Self {
        Self { end: End::Remote(words), complaint }
    }

    /// Waits until the child process has ended by itself. A remote server does not. Cancellation safe.
    pub(super) async fn exited(&self) {
        match &self.end {
            End::Child(process) => process.exited().await,
            End::Remote(_) => pending().await,
        }
    }

    /// Ends a child process with everything it started, and tells how the session ended.
    pub(super) async fn end(self, manner: Manner, context: &Context) -> Ending {
        let (status, words) = match self.end {
            End::Child(process) => process.end(manner).await,
            End::Remote(words) => (None, words),
        };
        Ending { complaint: self.complaint.get().cloned(), status, last_lines: words.quote(&context.secrets.quoted()) }
    }
}
