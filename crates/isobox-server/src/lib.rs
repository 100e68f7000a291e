//! Serves Isobox to other programs: an MCP server over standard input and output.
//!
//! This crate knows the protocol but neither programs nor tools, which it reaches through [`CodeMode`]. It writes
//! nothing but the protocol to standard output.

mod mcp;

pub use mcp::{
    CodeMode, Executed, ProgressSender, Question, QuestionMode, ServeError, serve, serve_stdio, take_blocks,
};
