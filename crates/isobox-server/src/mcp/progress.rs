//! Telling a client how far a program is, no faster and no more than it can read.

use std::convert::Infallible;
use std::time::Duration;

use isobox_core::brief;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::{Peer, RoleServer};
use tokio::sync::watch;
use tokio::time::sleep;

/// Tells the client how far a program is. Clones tell the same client.
#[derive(Debug, Clone)]
pub struct ProgressSender(watch::Sender<Latest>);

#[derive(Debug, Clone, Default)]
struct Latest {
    /// How often something was told so far: progress has to grow.
    count: u32,
    message: String,
}

/// How much of a message is sent, in characters.
const MESSAGE_CHARACTERS: usize = 200;
/// The client is told no more often than this. Of what is told meanwhile, the last counts.
const INTERVAL: Duration = Duration::from_millis(100);

impl ProgressSender {
    /// Tells something, in one line. Neither blocks nor fails.
    pub fn tell(&self, message: &str) {
        let message = brief(message, MESSAGE_CHARACTERS);
        self.0.send_modify(|latest| *latest = Latest { count: latest.count.saturating_add(1), message });
    }
}

/// A sender, and what sends the client what it is told, for as long as it is polled.
pub(super) fn progress(
    peer: Peer<RoleServer>,
    token: ProgressToken,
) -> (ProgressSender, impl Future<Output = Infallible>) {
    let (sender, mut latest) = watch::channel(Latest::default());
    let forwarding = async move {
        while latest.changed().await.is_ok() {
            let Latest { count, message } = latest.borrow_and_update().clone();
            let param = ProgressNotificationParam::new(token.clone(), f64::from(count)).with_message(message);
            // A client that is gone need not be told.
            let _ = peer.notify_progress(param).await;
            sleep(INTERVAL).await;
        }
        std::future::pending().await
    };
    (ProgressSender(sender), forwarding)
}
