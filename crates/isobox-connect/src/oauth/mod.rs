//! OAuth 2.1: tokens for clients, and for people who log in.
//!
//! Everything that a server says about its authorization server is checked before a credential is sent: origins,
//! issuers, encryption. Tokens are bound to the address of the server that they were asked for.

mod authorizer;
mod challenge;
mod flow;
mod grant;
mod login;
mod metadata;
mod registration;
mod store;
mod waiting;

pub(crate) use authorizer::Authorizer;
pub(crate) use challenge::Challenge;
#[cfg(any(feature = "graphql", feature = "openapi"))]
pub(crate) use grant::{ClientSecret, ask};
pub use login::{ClientGrant, LogIn, LoginNeeded, OAuthClient};
#[cfg(any(feature = "graphql", feature = "openapi"))]
pub(crate) use metadata::{Endpoints, endpoint};
#[cfg(feature = "mcp")]
pub(crate) use store::Nowhere;
pub use store::TokenStore;
