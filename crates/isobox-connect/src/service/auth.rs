//! The credentials for a service, as they are configured.

use std::fmt;

use base64::Engine;

use super::encoding::{BASE64, Escape, escape};

/// The credentials for a service. Which of them a request needs follows from the security schemes of an OpenAPI
/// document; a GraphQL service gets all of them.
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
    /// The address at which people log in. `None` uses the one of the document, if it has the origin of the service or of
    /// the address of tokens.
    pub authorization_url: Option<String>,
    /// The scopes that are asked for.
    pub scopes: Vec<String>,
    /// The grant by which the client gets tokens.
    pub grant: OAuthGrant,
    /// The port of this computer that the browser is sent back to after a login. None chooses a free one.
    pub redirect_port: Option<u16>,
}

/// The grant by which an OAuth client gets tokens.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum OAuthGrant {
    /// By its own credentials.
    ClientCredentials,
    /// By a person who logs in: the authorization code flow, with PKCE. The connector needs a place to keep the login.
    AuthorizationCode,
    /// By the refresh token of an authorization code flow that a person has completed elsewhere.
    RefreshToken(String),
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

    /// Returns every value that programs must not see, in each form in which it is sent.
    pub(crate) fn secrets(&self) -> Vec<String> {
        let Auth { bearer, basic, api_keys, oauth } = self;
        let mut values: Vec<String> = bearer.iter().cloned().collect();
        if let Some((name, password)) = basic {
            values.extend([password.clone(), BASE64.encode(format!("{name}:{password}"))]);
        }
        for ApiKey { value, .. } in api_keys {
            values.extend([value.clone(), escape(value, Escape::All), escape(value, Escape::Cookie)]);
        }
        if let Some(OAuth { client_secret, grant, .. }) = oauth {
            values.push(client_secret.clone());
            match grant {
                OAuthGrant::RefreshToken(token) => values.push(token.clone()),
                OAuthGrant::ClientCredentials | OAuthGrant::AuthorizationCode => {}
            }
        }
        values
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
            authorization_url: None,
            scopes: Vec::new(),
            grant: OAuthGrant::ClientCredentials,
            redirect_port: None,
        }
    }

    /// Sets `token_url`.
    #[must_use]
    pub fn token_url(mut self, token_url: impl Into<Option<String>>) -> Self {
        self.token_url = token_url.into();
        self
    }

    /// Sets `authorization_url`.
    #[must_use]
    pub fn authorization_url(mut self, authorization_url: impl Into<Option<String>>) -> Self {
        self.authorization_url = authorization_url.into();
        self
    }

    /// Sets `redirect_port`.
    #[must_use]
    pub fn redirect_port(mut self, redirect_port: impl Into<Option<u16>>) -> Self {
        self.redirect_port = redirect_port.into();
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

/// Omits everything.
impl fmt::Debug for Auth {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Auth").finish_non_exhaustive()
    }
}
