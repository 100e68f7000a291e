//! The options of a GraphQL service: where it is, and how it is used.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use isobox_core::{ByteSize, Limits};

use crate::service::{Auth, CallHeaders};

/// A GraphQL service: one entry of `graphql`, parsed, with variables substituted.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct GraphQlService {
    /// The address of the service.
    pub url: String,
    /// The file of its schema: SDL, or the result of an introspection as JSON. `None` asks the service.
    pub schema: Option<PathBuf>,
    /// The credentials. They are sent only to the origin of the service. API keys are headers.
    pub auth: Auth,
    /// Headers that are added to every request.
    pub headers: BTreeMap<String, String>,
    /// The headers for the idempotency key and the fencing token of a call that may change something.
    pub call_headers: CallHeaders,
    /// Values that the configuration took from the environment. They are concealed where a response is quoted, and those that
    /// are sent as credentials also in results.
    pub secrets: Vec<String>,
}

/// The time-outs and limits of a connector.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct GraphQlOptions {
    /// The maximum time to connect.
    pub connect_timeout: Duration,
    /// The maximum time of a request, without its retries.
    pub timeout: Duration,
    /// The maximum size of a response.
    pub max_response: ByteSize,
    /// The maximum number of retries of a query. Mutations are never repeated.
    pub retries: u32,
    /// The maximum size of a schema.
    pub max_schema: ByteSize,
}

impl GraphQlService {
    /// Describes a service by its address.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            schema: None,
            auth: Auth::default(),
            headers: BTreeMap::new(),
            call_headers: CallHeaders::default(),
            secrets: Vec::new(),
        }
    }

    /// Sets `schema`.
    #[must_use]
    pub fn schema(mut self, schema: impl Into<Option<PathBuf>>) -> Self {
        self.schema = schema.into();
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

    /// Sets `call_headers`.
    #[must_use]
    pub fn call_headers(mut self, call_headers: CallHeaders) -> Self {
        self.call_headers = call_headers;
        self
    }

    /// Sets `secrets`.
    #[must_use]
    pub fn secrets(mut self, secrets: Vec<String>) -> Self {
        self.secrets = secrets;
        self
    }
}

impl GraphQlOptions {
    /// Returns the default options for a runtime whose tools may return results of this size.
    pub fn for_output(limit: ByteSize) -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            timeout: Duration::from_secs(60),
            max_response: limit,
            retries: 2,
            max_schema: ByteSize::mib(16),
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

    /// Sets `retries`.
    #[must_use]
    pub fn retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }

    /// Sets `max_schema`.
    #[must_use]
    pub fn max_schema(mut self, max_schema: ByteSize) -> Self {
        self.max_schema = max_schema;
        self
    }
}

impl Default for GraphQlOptions {
    fn default() -> Self {
        Self::for_output(Limits::default().output)
    }
}

/// Omits credentials, and the query of the address, which may be one.
impl fmt::Debug for GraphQlService {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("GraphQlService")
            .field("url", &self.url.split(['?', '#']).next())
            .field("schema", &self.schema)
            .field("headers", &self.headers.keys())
            .field("call_headers", &self.call_headers)
            .finish_non_exhaustive()
    }
}
