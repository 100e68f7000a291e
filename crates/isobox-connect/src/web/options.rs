//! The options for the requests of programs.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use isobox_core::ByteSize;

/// The requests that programs may make. Nothing is allowed by default.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WebOptions {
    /// The addresses that programs may request: an origin with the beginning of a path (`https://api.example.com/v1/`), or
    /// `*` for every public address.
    pub allow: Vec<String>,
    /// The allowed methods, in capitals.
    pub methods: Vec<String>,
    /// The maximum number of redirects of a request. Every address on the way has to be allowed.
    pub redirects: u32,
    /// The names of further headers that programs may set. A `*` at the end stands for any ending.
    pub headers: Vec<String>,
    /// The hosts whose names may resolve to private addresses.
    pub private_hosts: Vec<String>,
    /// The secrets that programs may refer to, by name.
    pub secrets: BTreeMap<String, WebSecret>,
    /// The maximum time for connecting.
    pub connect_timeout: Duration,
    /// The maximum time for an answer.
    pub timeout: Duration,
    /// The maximum size of an answer.
    pub max_response: ByteSize,
}

/// A secret that the host puts into a header. `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct WebSecret {
    /// The only origin that it is sent to: `https://api.github.com`.
    pub origin: String,
    /// The secret.
    pub value: String,
}

impl fmt::Debug for WebSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("WebSecret").field("origin", &self.origin).finish_non_exhaustive()
    }
}

impl WebOptions {
    /// Sets `max_response`.
    #[must_use]
    pub fn max_response(mut self, size: ByteSize) -> Self {
        self.max_response = size;
        self
    }

    /// Returns options whose answers fit the maximum output of a tool. An answer has 1 MiB at most, unless `max_response`
    /// allows more.
    pub fn for_output(limit: ByteSize) -> Self {
        Self {
            allow: Vec::new(),
            methods: vec!["GET".to_owned(), "HEAD".to_owned()],
            redirects: 0,
            headers: Vec::new(),
            private_hosts: Vec::new(),
            secrets: BTreeMap::new(),
            connect_timeout: Duration::from_secs(10),
            timeout: Duration::from_secs(60),
            max_response: limit.min(ByteSize::mib(1)),
        }
    }
}
