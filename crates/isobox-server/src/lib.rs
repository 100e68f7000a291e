//! Isobox for other programs to talk to. So far: an MCP server over standard input and output.
//!
//! This crate knows the protocol and nothing about programs or tools: what is behind it comes in through [`CodeMode`]. It
//! refuses to write anything but the protocol to standard output.

mod mcp;

pub use mcp::{CodeMode, Executed, ProgressSender, ServeError, serve, serve_stdio};
