//! Connectors: each [`isobox_core::Connector`] here provides the tools of one kind of counterpart.
//!
//! This is a separate crate because protocols and processes need heavy dependencies, and because counterparts may be
//! slow, broken or hostile. Everything they send is bounded before it is kept, and their failures are described for the
//! person who configured them. This crate does not decide what a tool may do.

#[cfg(feature = "http")]
mod http;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(feature = "http")]
mod oauth;
#[cfg(feature = "openapi")]
mod openapi;
#[cfg(any(feature = "mcp", feature = "openapi", feature = "web"))]
mod secrets;
#[cfg(feature = "web")]
mod web;

#[cfg(feature = "mcp")]
pub use mcp::{McpConnector, McpOptions, McpRemote, McpRoot, McpServer, McpTarget, McpTransport, Sampler};
#[cfg(feature = "http")]
pub use oauth::{LoginNeeded, OAuthClient, TokenStore};
#[cfg(feature = "openapi")]
pub use openapi::{
    ApiKey, Auth, OAuth, OAuthGrant, OpenApiConnector, OpenApiOptions, OpenApiService, Place, Recognised, recognise,
};
#[cfg(feature = "web")]
pub use web::{WebConnector, WebOptions, WebSecret};
