//! The offers of a host to servers beside calls: folders to work in, and a model.

use std::fmt;

use futures_util::future::BoxFuture;
use serde_json::Value;

/// A folder or another place that a server may work in (`roots/list`).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct McpRoot {
    /// Its address, such as `file:///home/me/project`.
    pub uri: String,
    /// Its name for people.
    pub name: Option<String>,
}

impl McpRoot {
    /// Describes a place by its address.
    pub fn new(uri: impl Into<String>) -> Self {
        Self { uri: uri.into(), name: None }
    }

    /// Sets `name`.
    #[must_use]
    pub fn name(mut self, name: impl Into<Option<String>>) -> Self {
        self.name = name.into();
        self
    }
}

/// Answers servers that ask for the text of a model (`sampling/createMessage`).
pub trait Sampler: Send + Sync {
    /// Returns the result for the parameters of a request, both as the protocol describes them. An error is the reason
    /// that the server is told.
    ///
    /// The parameters are untrusted. A host that asks a person first should show them.
    fn sample<'a>(&'a self, server: &'a str, params: Value) -> BoxFuture<'a, Result<Value, String>>;
}

impl fmt::Debug for dyn Sampler {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Sampler")
    }
}
