//! Connectors: each [`isobox_core::Connector`] here provides the tools of one kind of counterpart.
//!
//! This is a separate crate because protocols and processes need heavy dependencies, and because counterparts may be
//! slow, broken or hostile. Everything they send is bounded before it is kept, and their failures are described for the
//! person who configured them. This crate does not decide what a tool may do.

#[cfg(all(any(fuzzing, test), any(feature = "graphql", feature = "openapi")))]
pub mod fuzzing;
#[cfg(feature = "graphql")]
mod graphql;
#[cfg(feature = "http")]
mod http;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
mod oauth;
#[cfg(feature = "openapi")]
mod openapi;
#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi", feature = "web"))]
mod secrets;
#[cfg(any(feature = "graphql", feature = "openapi"))]
#[cfg_attr(
    not(feature = "openapi"),
    expect(dead_code, unused_imports, reason = "OpenAPI documents need more of it than GraphQL")
)]
mod service;
#[cfg(feature = "web")]
mod web;

#[cfg(feature = "graphql")]
pub use graphql::{GraphQlConnector, GraphQlOptions, GraphQlService, is_graphql};
#[cfg(feature = "mcp")]
pub use mcp::{McpConnector, McpOptions, McpRemote, McpRoot, McpServer, McpTarget, McpTransport, Sampler};
#[cfg(any(feature = "graphql", feature = "mcp", feature = "openapi"))]
pub use oauth::{ClientGrant, LogIn, LoginNeeded, OAuthClient, TokenStore};
#[cfg(feature = "openapi")]
pub use openapi::{OpenApiConnector, OpenApiOptions, OpenApiService, Place, Recognised, recognise};
#[cfg(any(feature = "graphql", feature = "openapi"))]
pub use service::{ApiKey, Auth, CallHeaders, OAuth, OAuthGrant};
#[cfg(feature = "web")]
pub use web::{WebBounds, WebConnector, WebOptions, WebRequest, WebResponse, WebSecret, WebTransport};
