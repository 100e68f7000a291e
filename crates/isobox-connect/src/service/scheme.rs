//! The places at which a service expects its credentials.

use serde::Serialize;

/// The part of a request that a parameter is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub(crate) enum Location {
    Path,
    Query,
    /// The whole query string (OpenAPI 3.2).
    QueryString,
    Header,
    Cookie,
}

impl Location {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::QueryString => "querystring",
            Self::Header => "header",
            Self::Cookie => "cookie",
        }
    }
}

/// A security scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SecurityScheme {
    Bearer,
    Basic,
    ApiKey {
        name: String,
        location: Location,
    },
    /// OAuth 2 or OpenID Connect, with the addresses of tokens and of logins if they are stated.
    OAuth {
        token_url: Option<String>,
        authorization_url: Option<String>,
    },
    /// A scheme that is not supported: other HTTP schemes and mutual TLS.
    Other(String),
}
