//! The MCP connector, tried on a server that behaves as it is told.

mod content;
mod lifecycle;
mod misbehaviour;
mod support;
mod tools;
