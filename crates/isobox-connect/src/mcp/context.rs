//! State shared by all sessions with a server.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hyper::Uri;
use hyper::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use isobox_core::connector::{Error, ErrorKind};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::McpOptions;
use super::back_off::BackOff;
use super::complaint::error;
use super::http::Wire;
use super::logs::Logs;
use super::opening::Approach;
use super::target::{McpRemote, McpTarget};
use crate::http::{AddressPolicy, HttpClient, Origin, parse_url};
use crate::oauth::{Authorizer, TokenStore};
use crate::secrets::Secrets;

/// The state that all sessions with a server share.
pub(super) struct Context {
    pub(super) name: String,
    pub(super) target: McpTarget,
    pub(super) secrets: Secrets,
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

/// The parts of a remote server's description, parsed.
struct Address {
    url: Uri,
    origin: Origin,
    headers: HeaderMap,
    client: HttpClient,
    authorizer: Option<Arc<Authorizer>>,
}

/// The maximum time to connect to a remote server.
const CONNECTING: Duration = Duration::from_secs(10);

impl Context {
    pub(super) fn new(name: String, target: McpTarget, options: McpOptions, stop: CancellationToken) -> Self {
        let address = match &target {
            McpTarget::Child(_) => None,
            McpTarget::Remote(remote) => Some(Address::parse(&name, remote, options.tokens.as_ref())),
        };
        Self {
            secrets: target.secrets(),
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
            (McpTarget::Remote(_), Some(Ok(address))) => address.origin.to_string(),
            (McpTarget::Remote(_), Some(Err(_)) | None) => "unusable address".to_owned(),
        }
    }

    /// Describes a connection to a remote server that answers within a time.
    pub(super) fn wire(&self, patience: Duration) -> Result<Wire, Error> {
        match &self.address {
            Some(Ok(Address { url, headers, client, authorizer, .. })) => {
                let max_message = usize::try_from(self.options.max_message.get()).unwrap_or(usize::MAX);
                let authorizer = authorizer.clone();
                Ok(Wire::new(client.clone(), url.clone(), headers.clone(), authorizer, max_message, patience))
            }
            Some(Err(problem)) => Err(error(ErrorKind::Unavailable, self, problem, None).hint("correct its entry")),
            None => Err(error(ErrorKind::Internal, self, "has no address", None)),
        }
    }
}

impl Context {
    /// Returns what provides the tokens for a remote server, or why there is nothing.
    pub(super) fn authorizer(&self) -> Result<&Authorizer, Error> {
        match &self.address {
            Some(Ok(Address { authorizer: Some(authorizer), .. })) => Ok(authorizer),
            Some(Ok(Address { authorizer: None, .. })) => Err(error(
                ErrorKind::Refused,
                self,
                "is configured with credentials of its own, so nobody logs in",
                None,
            )),
            Some(Err(problem)) => Err(error(ErrorKind::Unavailable, self, problem, None).hint("correct its entry")),
            None => Err(error(ErrorKind::Refused, self, "is a command, so nobody logs in", None)),
        }
    }
}

impl Address {
    fn parse(name: &str, remote: &McpRemote, tokens: Option<&Arc<dyn TokenStore>>) -> Result<Self, String> {
        let url = parse_url(&remote.url).map_err(|why| format!("has an unusable `url`: {why}"))?;
        let origin = Origin::of(&url).map_err(|why| format!("has an unusable `url`: {why}"))?;
        let mut headers = HeaderMap::new();
        for (key, value) in &remote.headers {
            let key = HeaderName::try_from(key.as_str()).map_err(|_| "has a header with an invalid name".to_owned())?;
            let mut value =
                HeaderValue::from_str(value).map_err(|_| format!("has an invalid value for the header `{key}`"))?;
            value.set_sensitive(true);
            headers.insert(key, value);
        }
        let client = HttpClient::new(AddressPolicy::for_hosts([origin.host()]), CONNECTING);
        let authorizer = match tokens {
            Some(store) if !headers.contains_key(AUTHORIZATION) => {
                let resource = url.clone();
                let authorizer =
                    Authorizer::new(name, resource, remote.oauth.clone(), Arc::clone(store), client.clone());
                Some(Arc::new(authorizer))
            }
            Some(_) | None => None,
        };
        Ok(Self { url, origin, headers, client, authorizer })
    }
}
