//! The MCP connector, tried on servers that behave as they are told.

mod content;
mod lifecycle;
mod login;
mod misbehaviour;
mod questions;
mod remote;
mod streams;
mod support;
mod tasks;
mod tools;
mod web_server;
