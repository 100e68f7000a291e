//! State shared by all sessions with a server.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::McpOptions;
use super::address::Address;
use super::approach::Approach;
use super::back_off::BackOff;
use super::concealing::Concealing;
use super::http::Wire;
use super::logs::Logs;
use super::target::McpTarget;
use crate::oauth::Authorizer;

/// The state that all sessions with a server share.
pub(super) struct Context {
    pub(super) name: String,
    pub(super) target: McpTarget,
    pub(super) secrets: Arc<Concealing>,
    pub(super) options: McpOptions,
    pub(super) changes: watch::Sender<u64>,
    pub(super) back_off: BackOff,
    pub(super) logs: Logs,
    /// Cancelled when the connector is closed or dropped.
    pub(super) stop: CancellationToken,
    approach: Mutex<Option<Approach>>,
    /// The address of a remote server, or why it cannot be used.
    address: Option<Result<Address, String>>,
}

impl Context {
    pub(super) fn new(name: String, target: McpTarget, options: McpOptions, stop: CancellationToken) -> Self {
        let address = match &target {
            McpTarget::Child(_) => None,
            McpTarget::Remote(remote) => Some(Address::parse(&name, remote, options.tokens.as_ref())),
        };
        Self {
            secrets: Arc::new(target.concealing()),
            name,
            target,
            options,
            changes: watch::Sender::new(0),
            back_off: BackOff::default(),
            logs: Logs::default(),
            stop,
            approach: Mutex::default(),
            address,
        }
    }

    /// Returns the approach that worked last.
    pub(super) fn approach(&self) -> Option<Approach> {
        *self.approach.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn remember(&self, approach: Approach) {
        *self.approach.lock().unwrap_or_else(PoisonError::into_inner) = Some(approach);
    }

    /// Returns the command or the origin of the server, for messages.
    pub(super) fn shown(&self) -> String {
        match (&self.target, &self.address) {
            (McpTarget::Child(server), _) => server.command.clone(),
            (McpTarget::Remote(_), Some(Ok(address))) => address.origin().to_string(),
            (McpTarget::Remote(_), Some(Err(_)) | None) => "unusable address".to_owned(),
        }
    }

    /// Describes a connection to a remote server that answers within a time, or says why there is none.
    pub(super) fn wire(&self, patience: Duration) -> Result<Wire, String> {
        let max_message = usize::try_from(self.options.max_message.get()).unwrap_or(usize::MAX);
        Ok(self.address()?.wire(Arc::clone(&self.secrets), max_message, patience))
    }

    /// Returns what provides the tokens for a remote server, or says why there is nothing.
    pub(super) fn authorizer(&self) -> Result<&Authorizer, String> {
        let authorizer = self.address()?.authorizer();
        authorizer.ok_or_else(|| "is configured with credentials of its own, so it needs no login".to_owned())
    }

    fn address(&self) -> Result<&Address, String> {
        match &self.address {
            Some(Ok(address)) => Ok(address),
            Some(Err(problem)) => Err(problem.clone()),
            None => Err("is a command, so it needs no login".to_owned()),
        }
    }
}
