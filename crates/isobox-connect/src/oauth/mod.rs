//! OAuth 2.1: tokens for clients, and for people who log in.
//!
//! Everything that a server says about its authorization server is checked before a credential is sent: origins,
//! issuers, encryption. Tokens are bound to the address of the server that they were asked for.

#[cfg(feature = "mcp")]
mod authorizer;
#[cfg(feature = "mcp")]
mod challenge;
#[cfg(feature = "mcp")]
mod flow;
mod grant;
#[cfg(feature = "mcp")]
mod login;
#[cfg(feature = "mcp")]
mod metadata;
#[cfg(feature = "mcp")]
mod registration;
#[cfg(feature = "mcp")]
mod store;
#[cfg(feature = "mcp")]
mod waiting;

#[cfg(feature = "mcp")]
pub(crate) use authorizer::Authorizer;
#[cfg(feature = "mcp")]
pub(crate) use challenge::Challenge;
#[cfg(any(feature = "graphql", feature = "openapi"))]
pub(crate) use grant::{ClientSecret, ask};
#[cfg(feature = "mcp")]
pub use login::{ClientGrant, LoginNeeded, OAuthClient};
#[cfg(feature = "mcp")]
pub(crate) use store::Nowhere;
#[cfg(feature = "mcp")]
pub use store::TokenStore;
