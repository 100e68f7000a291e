//! The OpenAPI connector, tried on a service that behaves as it is told.

mod calls;
mod credentials;
mod documents;
mod login;
#[path = "../support/mod.rs"]
mod service;
mod support;
