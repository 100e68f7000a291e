//! State shared by all runs of a server.

use std::sync::atomic::AtomicBool;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::back_off::BackOff;
use super::logs::Logs;
use super::{McpOptions, McpServer};
use crate::secrets::Secrets;

/// The state that all runs of a server share.
pub(super) struct Context {
    pub(super) name: String,
    pub(super) server: McpServer,
    pub(super) secrets: Secrets,
    pub(super) options: McpOptions,
    pub(super) changes: watch::Sender<u64>,
    pub(super) back_off: BackOff,
    pub(super) logs: Logs,
    /// Cancelled when the connector is closed or dropped.
    pub(super) stop: CancellationToken,
    pub(super) is_modern: AtomicBool,
}
