//! The ways to open a session.

/// A way to open a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Approach {
    /// `initialize`, as in protocol versions up to 2025-11-25.
    Handshake,
    /// `server/discover`, as in protocol versions from 2026-07-28 on.
    Discovery,
    /// `initialize`, and all answers by one stream of events, as in protocol version 2024-11-05 over HTTP.
    OneStream,
}
