//! The options of a service: where its document is, where it is, and how it is used.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use isobox_core::{ByteSize, Limits};

use super::document::Place;
use crate::service::{Auth, CallHeaders};

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
    /// The headers for the idempotency key and the fencing token of a call that may change something.
    pub call_headers: CallHeaders,
    /// Values that the configuration took from the environment. They are concealed where a response is quoted, and those that
    /// are sent as credentials also in results.
    pub secrets: Vec<String>,
}

/// The time-outs and limits of a connector.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenApiOptions {
    /// The maximum time to connect.
    pub connect_timeout: Duration,
    /// The maximum time of a request, with its redirects and without its retries.
    pub timeout: Duration,
    /// The maximum size of a response.
    pub max_response: ByteSize,
    /// The maximum number of redirects of a `GET` or `HEAD` request.
    pub redirects: u32,
    /// The maximum number of retries of an idempotent request.
    pub retries: u32,
    /// The maximum number of pages of a list that follow each other, over all calls. At least 1.
    pub max_pages: u32,
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
            call_headers: CallHeaders::default(),
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

impl OpenApiOptions {
    /// Returns the default options for a runtime whose tools may return results of this size.
    pub fn for_output(limit: ByteSize) -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            timeout: Duration::from_secs(60),
            max_response: limit,
            redirects: 0,
            retries: 2,
            max_pages: 1_000,
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

    /// Sets `max_pages`.
    #[must_use]
    pub fn max_pages(mut self, max_pages: u32) -> Self {
        self.max_pages = max_pages;
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
            .field("call_headers", &self.call_headers)
            .finish_non_exhaustive()
    }
}
