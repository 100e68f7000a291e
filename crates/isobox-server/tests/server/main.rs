//! The MCP server, as its clients see it.

mod content;
mod library;
mod questions;
mod raw;
