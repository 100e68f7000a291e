//! The address of a remote server, and what its requests need.

use std::sync::Arc;
use std::time::Duration;

use hyper::Uri;
use hyper::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};

use super::concealing::Concealing;
use super::http::Wire;
use super::target::McpRemote;
use crate::http::{AddressPolicy, HttpClient, Origin, parse_url};
use crate::oauth::{Authorizer, ClientGrant, Nowhere, TokenStore};

/// The parts of a remote server's description, parsed.
pub(super) struct Address {
    url: Uri,
    origin: Origin,
    headers: HeaderMap,
    client: HttpClient,
    authorizer: Option<Arc<Authorizer>>,
}

/// The maximum time to connect to a remote server.
const CONNECTING: Duration = Duration::from_secs(10);

impl Address {
    /// Parses the description. Returns why it cannot be used, in words that follow the name of the server.
    pub(super) fn parse(name: &str, remote: &McpRemote, tokens: Option<&Arc<dyn TokenStore>>) -> Result<Self, String> {
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
        let store = match remote.oauth.grant {
            ClientGrant::AuthorizationCode => tokens.cloned(),
            ClientGrant::ClientCredentials => Some(Arc::new(Nowhere) as Arc<dyn TokenStore>),
        };
        let authorizer = match store {
            Some(store) if !headers.contains_key(AUTHORIZATION) => {
                let resource = url.clone();
                let authorizer = Authorizer::new(name, resource, remote.oauth.clone(), store, client.clone());
                Some(Arc::new(authorizer))
            }
            Some(_) | None => None,
        };
        Ok(Self { url, origin, headers, client, authorizer })
    }

    pub(super) fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Returns what provides tokens, unless the configuration has credentials.
    pub(super) fn authorizer(&self) -> Option<&Authorizer> {
        self.authorizer.as_deref()
    }

    /// Describes a connection that answers within a time.
    pub(super) fn wire(&self, secrets: Arc<Concealing>, max_message: usize, patience: Duration) -> Wire {
        let Self { url, headers, client, authorizer, .. } = self;
        Wire::new(client.clone(), url.clone(), headers.clone(), authorizer.clone(), secrets, max_message, patience)
    }
}
