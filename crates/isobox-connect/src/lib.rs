//! Where tools come from: each [`isobox_core::Connector`] here speaks to one kind of counterpart.
//!
//! This is a crate of its own because protocols and processes are heavy dependencies, and because everything here faces
//! counterparts that may be slow, broken or hostile: what they send is bounded before it is kept, and how they fail is put
//! into words that help whoever configured them. What a tool may do is not decided here.

mod mcp;

pub use mcp::{McpConnector, McpOptions, McpServer};
