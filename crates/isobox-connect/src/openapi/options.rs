//! The options of a service: where its document is, where it is, and how it is used.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use isobox_core::{ByteSize, Limits};

use super::document::Place;

/// A web service with an OpenAPI document: one entry of `openapi`, parsed, with variables substituted.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenApiService {
    /// The place of the document.
    pub spec: Place,
    /// The address of the service. Replaces the servers of the document.
    pub base_url: Option<String>,
    /// The values of server variables.
    pub server_variables: BTreeMap<String, String>,
    /// The credentials. They are sent only to the origin of the service.
    pub auth: Auth,
    /// Headers that are added to every request to the origin of the service.
    pub headers: BTreeMap<String, String>,
    /// Values to conceal where a response is quoted: those that the configuration took from the environment.
    pub secrets: Vec<String>,
}

/// The credentials for a service. Which of them a request needs follows from the security schemes of its document.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Auth {
    /// A bearer token.
    pub bearer: Option<String>,
    /// A user name and a password.
    pub basic: Option<(String, String)>,
    /// API keys. The document says where they are sent.
    pub api_keys: Vec<ApiKey>,
    /// An OAuth client that gets its tokens itself.
    pub oauth: Option<OAuth>,
}

/// An API key.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApiKey {
    /// The name of the security scheme. `None` stands for every scheme that is an API key.
    pub scheme: Option<String>,
    /// The key.
    pub value: String,
}

/// An OAuth 2 client.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OAuth {
    /// The ID of the client.
    pub client_id: String,
    /// The secret of the client. Empty for a public client.
    pub client_secret: String,
    /// The address of tokens. `None` uses the one of the document, if it has the origin of the service.
    pub token_url: Option<String>,
    /// The scopes that are asked for.
    pub scopes: Vec<String>,
    /// How tokens are granted.
    pub grant: OAuthGrant,
}

/// How an OAuth client is granted tokens.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum OAuthGrant {
    /// By its own credentials.
    ClientCredentials,
    /// By the refresh token of an authorization code flow that a person has completed elsewhere.
    RefreshToken(String),
}

/// The time-outs and limits of a connector.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenApiOptions {
    /// How long a connection may take.
    pub connect_timeout: Duration,
    /// How long a request may take, with its redirects and without its retries.
    pub timeout: Duration,
    /// The maximum size of a response.
    pub max_response: ByteSize,
    /// The maximum number of redirects of a `GET` or `HEAD` request.
    pub redirects: u32,
    /// The maximum number of retries of an idempotent request.
    pub retries: u32,
    /// The maximum size of a document with everything that it refers to.
    pub max_document: ByteSize,
}

impl OpenApiService {
    /// Describes a service by the place of its document.
    pub fn new(spec: Place) -> Self {
        Self {
            spec,
            base_url: None,
            server_variables: BTreeMap::new(),
            auth: Auth::default(),
            headers: BTreeMap::new(),
            secrets: Vec::new(),
        }
    }

    /// Sets `base_url`.
    #[must_use]
    pub fn base_url(mut self, base_url: impl Into<Option<String>>) -> Self {
        self.base_url = base_url.into();
        self
    }

    /// Sets `server_variables`.
    #[must_use]
    pub fn server_variables(mut self, server_variables: BTreeMap<String, String>) -> Self {
        self.server_variables = server_variables;
        self
    }

    /// Sets `auth`.
    #[must_use]
    pub fn auth(mut self, auth: Auth) -> Self {
        self.auth = auth;
        self
    }

    /// Sets `headers`.
    #[must_use]
    pub fn headers(mut self, headers: BTreeMap<String, String>) -> Self {
        self.headers = headers;
        self
    }

    /// Sets `secrets`.
    #[must_use]
    pub fn secrets(mut self, secrets: Vec<String>) -> Self {
        self.secrets = secrets;
        self
    }

    /// Returns every value that must not be quoted.
    pub(super) fn credentials(&self) -> Vec<String> {
        let Auth { bearer, basic, api_keys, oauth } = &self.auth;
        let mut values: Vec<String> = bearer.iter().cloned().collect();
        values.extend(basic.iter().map(|(_, password)| password.clone()));
        values.extend(api_keys.iter().map(|key| key.value.clone()));
        if let Some(OAuth { client_secret, grant, .. }) = oauth {
            values.push(client_secret.clone());
            match grant {
                OAuthGrant::RefreshToken(token) => values.push(token.clone()),
                OAuthGrant::ClientCredentials => {}
            }
        }
        values.extend(self.headers.values().cloned());
        values
    }
}

impl Auth {
    /// Authenticates with a bearer token.
    pub fn bearer(token: impl Into<String>) -> Self {
        Self { bearer: Some(token.into()), ..Self::default() }
    }

    /// Authenticates with a user name and a password.
    pub fn basic(username: impl Into<String>, password: impl Into<String>) -> Self {
        Self { basic: Some((username.into(), password.into())), ..Self::default() }
    }

    /// Adds an API key.
    #[must_use]
    pub fn with_api_key(mut self, scheme: impl Into<Option<String>>, value: impl Into<String>) -> Self {
        self.api_keys.push(ApiKey { scheme: scheme.into(), value: value.into() });
        self
    }

    /// Adds an OAuth client.
    #[must_use]
    pub fn with_oauth(mut self, oauth: OAuth) -> Self {
        self.oauth = Some(oauth);
        self
    }

    /// Tells whether there are no credentials.
    pub fn is_empty(&self) -> bool {
        let Self { bearer, basic, api_keys, oauth } = self;
        bearer.is_none() && basic.is_none() && api_keys.is_empty() && oauth.is_none()
    }
}

impl OAuth {
    /// Describes a client that is granted tokens by its own credentials.
    pub fn new(client_id: impl Into<String>, client_secret: impl Into<String>) -> Self {
        Self {
            client_id: client_id.into(),
            client_secret: client_secret.into(),
            token_url: None,
            scopes: Vec::new(),
            grant: OAuthGrant::ClientCredentials,
        }
    }

    /// Sets `token_url`.
    #[must_use]
    pub fn token_url(mut self, token_url: impl Into<Option<String>>) -> Self {
        self.token_url = token_url.into();
        self
    }

    /// Sets `scopes`.
    #[must_use]
    pub fn scopes(mut self, scopes: Vec<String>) -> Self {
        self.scopes = scopes;
        self
    }

    /// Sets `grant`.
    #[must_use]
    pub fn grant(mut self, grant: OAuthGrant) -> Self {
        self.grant = grant;
        self
    }
}

impl OpenApiOptions {
    /// Returns the default options for a runtime whose tools may return results of this size.
    pub fn for_output(limit: ByteSize) -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            timeout: Duration::from_secs(60),
            max_response: limit,
            redirects: 0,
            retries: 2,
            max_document: ByteSize::mib(16),
        }
    }

    /// Sets `timeout`.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets `max_response`.
    #[must_use]
    pub fn max_response(mut self, max_response: ByteSize) -> Self {
        self.max_response = max_response;
        self
    }

    /// Sets `redirects`.
    #[must_use]
    pub fn redirects(mut self, redirects: u32) -> Self {
        self.redirects = redirects;
        self
    }

    /// Sets `retries`.
    #[must_use]
    pub fn retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }

    /// Sets `max_document`.
    #[must_use]
    pub fn max_document(mut self, max_document: ByteSize) -> Self {
        self.max_document = max_document;
        self
    }
}

impl Default for OpenApiOptions {
    fn default() -> Self {
        Self::for_output(Limits::default().output)
    }
}

/// Omits credentials.
impl fmt::Debug for OpenApiService {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("OpenApiService")
            .field("spec", &self.spec.to_string())
            .field("base_url", &self.base_url)
            .field("headers", &self.headers.keys())
            .finish_non_exhaustive()
    }
}

/// Omits everything.
impl fmt::Debug for Auth {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Auth").finish_non_exhaustive()
    }
}
