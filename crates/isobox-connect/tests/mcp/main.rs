//! The MCP connector, tried on servers that behave as they are told.

mod lifecycle;
mod misbehaviour;
mod remote;
mod support;
mod tools;
mod web_server;
