//! The arguments of `isobox sessions`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use isobox::sessions::BusySession;

#[derive(Debug, Args)]
pub(crate) struct SessionsOptions {
    #[command(subcommand)]
    pub(crate) command: SessionsCommand,

    /// The configuration file [default: isobox.json in the current folder, if it exists].
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,

    /// Trust the configuration in the current folder, including the commands it starts, without asking.
    #[arg(long, global = true)]
    pub(crate) trust: bool,

    /// The store of the sessions: sqlite:PATH or postgres://… [default: the store of the configuration].
    #[arg(long, value_name = "URL", global = true)]
    pub(crate) store: Option<String>,

    /// Print JSON.
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SessionsCommand {
    /// List the sessions that keep globals, by name.
    ///
    /// The exit status is 1 if there are none.
    List {
        /// The maximum number of sessions.
        #[arg(long, default_value_t = 50)]
        limit: usize,
        /// Continue the list after this session.
        #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
        after: String,
    },
    /// Show a session with its versions.
    Show {
        /// The session.
        name: String,
    },
    /// Make a new session from a version of another one.
    Fork {
        /// The session.
        name: String,
        /// The name of the new session.
        new: String,
        /// The version [default: the newest].
        #[arg(long, value_name = "NUMBER")]
        version: Option<u64>,
    },
    /// Go back to an earlier version of a session. Later versions are dropped.
    Rewind {
        /// The session.
        name: String,
        /// The version.
        #[arg(value_name = "NUMBER")]
        version: u64,
    },
    /// Delete a session with all its versions.
    Delete {
        /// The session.
        name: String,
    },
}

/// The behaviour of a program whose session is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WhenBusy {
    /// Wait until the session is free, for as long as the program may run
    Wait,
    /// Fail with CONFLICT
    Refuse,
}

impl From<WhenBusy> for BusySession {
    fn from(busy: WhenBusy) -> Self {
        match busy {
            WhenBusy::Wait => Self::Wait,
            WhenBusy::Refuse => Self::Refuse,
        }
    }
}
