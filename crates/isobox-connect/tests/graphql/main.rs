//! The GraphQL connector, tried on a service that behaves as it is told.

mod calls;
mod schemas;
#[path = "../support/mod.rs"]
mod service;
mod support;
