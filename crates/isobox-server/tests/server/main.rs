//! The MCP server, as its clients see it.

mod library;
mod raw;
