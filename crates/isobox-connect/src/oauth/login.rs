//! Logins: who they are made with, and that one is needed.

use std::fmt;

use futures_util::future::BoxFuture;
use isobox_core::{Connector, ToolError, connector};
use serde_json::json;

/// The client of an authorization server: registered there, or none to register one when a person logs in.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OAuthClient {
    /// The identifier of the client. None registers a client, if the authorization server allows it.
    pub client_id: Option<String>,
    /// The secret of the client, if it has one.
    pub client_secret: Option<String>,
    /// The identifier of the authorization server of an MCP server (`issuer` in its metadata). No other one is used. Without it,
    /// a configured secret is sent only to an authorization server with the origin of the MCP server.
    pub issuer: Option<String>,
    /// The scopes to ask for. None asks for those that the server names.
    pub scopes: Vec<String>,
    /// The port of this computer that the browser is sent back to. None chooses a free one.
    pub redirect_port: Option<u16>,
    /// The grant by which the client gets tokens.
    pub grant: ClientGrant,
}

/// The grant by which an authorization server gives tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ClientGrant {
    /// A person logs in (authorization code with PKCE).
    #[default]
    AuthorizationCode,
    /// The client proves who it is with its secret, and no person takes part.
    ClientCredentials,
}

impl OAuthClient {
    /// Sets `client_id`.
    #[must_use]
    pub fn client_id(mut self, client_id: impl Into<Option<String>>) -> Self {
        self.client_id = client_id.into();
        self
    }

    /// Sets `client_secret`.
    #[must_use]
    pub fn client_secret(mut self, client_secret: impl Into<Option<String>>) -> Self {
        self.client_secret = client_secret.into();
        self
    }

    /// Sets `issuer`.
    #[must_use]
    pub fn issuer(mut self, issuer: impl Into<Option<String>>) -> Self {
        self.issuer = issuer.into();
        self
    }

    /// Sets `scopes`.
    #[must_use]
    pub fn scopes(mut self, scopes: Vec<String>) -> Self {
        self.scopes = scopes;
        self
    }

    /// Sets `redirect_port`.
    #[must_use]
    pub fn redirect_port(mut self, redirect_port: impl Into<Option<u16>>) -> Self {
        self.redirect_port = redirect_port.into();
        self
    }

    /// Sets `grant`.
    #[must_use]
    pub fn grant(mut self, grant: ClientGrant) -> Self {
        self.grant = grant;
        self
    }
}

/// Omits the secret.
impl fmt::Debug for OAuthClient {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("OAuthClient").field("client_id", &self.client_id).finish_non_exhaustive()
    }
}

/// A connector to a server that people log in to.
pub trait LogIn: Connector {
    /// Begins a login, if one is needed. Returns the login that a person has to complete, or none if the server can be used
    /// as it is.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached, takes no logins, or no login can begin.
    fn login(&self) -> BoxFuture<'_, Result<Option<LoginNeeded>, connector::Error>>;

    /// Waits until the login that has [begun](Self::login) is completed.
    ///
    /// # Errors
    ///
    /// If the login fails, or is not completed in time.
    fn logged_in(&self) -> BoxFuture<'_, Result<(), connector::Error>>;

    /// Forgets the login. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// If the kept login cannot be removed.
    fn logout(&self) -> BoxFuture<'_, Result<bool, connector::Error>>;
}

/// The reason why a request cannot go on without a token: a person has to log in, or the configured client gets none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginNeeded {
    /// The kind of the server.
    pub(crate) kind: &'static str,
    /// The grant by which the client gets tokens.
    pub(crate) grant: ClientGrant,
    /// The configured name of the server.
    pub(crate) server: String,
    /// The address at which the person logs in. It works while this process runs. None if the login cannot begin.
    pub(crate) url: Option<String>,
    /// The reason, in plain words.
    pub(crate) why: String,
}

impl LoginNeeded {
    /// Returns the address at which the person logs in, if the login could begin.
    pub fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// Returns the login that is missing, if that is the cause of a connector's error.
    pub fn of(error: &connector::Error) -> Option<&Self> {
        std::error::Error::source(error)?.downcast_ref()
    }

    /// Returns the interrupt that asks a person to log in. If no person can help, returns a failure.
    pub fn interrupt(&self) -> ToolError {
        if self.grant == ClientGrant::ClientCredentials {
            return ToolError::new(self.to_string());
        }
        ToolError::interrupt(json!({
            "type": "login",
            "server": self.server,
            "message": self.to_string(),
            "url": self.url,
            "command": self.command(),
        }))
    }

    /// Returns advice for the person who runs this.
    pub fn advice(&self) -> String {
        match self.grant {
            ClientGrant::AuthorizationCode => format!("run `{}`", self.command()),
            ClientGrant::ClientCredentials => {
                "check its `oauth`, and what its authorization server allows this client".to_owned()
            }
        }
    }

    /// Describes the problem as a phrase that follows the name of the server.
    pub(crate) fn problem(&self) -> String {
        match self.grant {
            ClientGrant::AuthorizationCode => "needs a login".to_owned(),
            ClientGrant::ClientCredentials => format!("cannot be used with the configured client: {}", self.why),
        }
    }

    fn command(&self) -> String {
        format!("isobox login {}", self.server)
    }
}

impl fmt::Display for LoginNeeded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, server, why, .. } = self;
        match self.grant {
            ClientGrant::AuthorizationCode => write!(formatter, "the {kind} `{server}` needs a login: {why}"),
            ClientGrant::ClientCredentials => write!(formatter, "the {kind} `{server}` {}", self.problem()),
        }
    }
}

impl std::error::Error for LoginNeeded {}
