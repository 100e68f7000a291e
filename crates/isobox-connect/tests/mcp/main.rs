//! The MCP connector, tried on a server that behaves as it is told.

mod lifecycle;
mod misbehaviour;
mod support;
mod tools;
