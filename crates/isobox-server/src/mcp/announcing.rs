//! Tells a client that the list of tools has changed, if the list that it would get now has other bytes than the one it
//! got last.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use rmcp::model::ProtocolVersion;
use rmcp::service::SubscriptionContext;
use rmcp::{Peer, RoleServer};
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use super::CodeMode;

/// The list of tools as the client knows it.
#[derive(Default)]
pub(super) struct Announced {
    known: Mutex<Known>,
    /// Counts the changes of which the client has to be told.
    changes: watch::Sender<u64>,
    has_listed: tokio::sync::Notify,
}

#[derive(Default)]
struct Known {
    /// The description of `execute` that the client got, or was told about. The rest of the list never changes.
    description: Option<Arc<str>>,
    /// Whether the client began with `initialize`. Later clients subscribe to changes.
    has_session: bool,
}

/// The minimum time between two looks. A server that reports changes all the time must not keep this process busy.
const INTERVAL: Duration = Duration::from_secs(1);
/// The share of time that looking may take: one part in this many.
const SHARE: u32 = 10;
/// The time in which several changes become one.
const SETTLING: Duration = Duration::from_millis(100);

impl Announced {
    /// Records the description that the client gets.
    pub(super) fn listed(&self, description: &str, version: Option<&ProtocolVersion>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.description = Some(description.into());
        known.has_session = version.is_none_or(ProtocolVersion::has_initialize);
        drop(known);
        self.has_listed.notify_one();
    }

    /// Looks for changes while it is polled, once the client has asked for the list.
    pub(super) async fn watch(&self, code_mode: &impl CodeMode, peer: &Peer<RoleServer>) -> Infallible {
        self.has_listed.notified().await;
        loop {
            if AssertUnwindSafe(self.look(code_mode, peer)).catch_unwind().await.is_err() {
                // A defect that may be there the next time, too.
                sleep(INTERVAL).await;
            }
        }
    }

    async fn look(&self, code_mode: &impl CodeMode, peer: &Peer<RoleServer>) {
        code_mode.changed().await;
        sleep(SETTLING).await;
        let began = now();
        let description = code_mode.describe().await;
        if let Some(has_session) = self.is_news(&description) {
            self.changes.send_modify(|changes| *changes = changes.wrapping_add(1));
            if has_session {
                // A client that has left needs no news.
                let _ = peer.notify_tool_list_changed().await;
            }
        }
        sleep(INTERVAL.max(began.elapsed().saturating_mul(SHARE))).await;
    }

    /// Tells whether a description differs from the one that the client knows, and records it. Returns whether the client
    /// has a session.
    fn is_news(&self, description: &str) -> Option<bool> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.description.as_deref() == Some(description) {
            return None;
        }
        known.description = Some(description.into());
        Some(known.has_session)
    }

    /// Passes changes on to a subscriber until it cancels the subscription.
    pub(super) async fn follow(&self, subscription: &SubscriptionContext) {
        let mut changes = self.changes.subscribe();
        loop {
            tokio::select! {
                () = subscription.cancelled() => return,
                changed = changes.changed() => {
                    if changed.is_err() || subscription.sink().notify_tool_list_changed().await.is_err() {
                        return;
                    }
                }
            }
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "how long a look takes is a matter of real time")]
fn now() -> Instant {
    Instant::now()
}
