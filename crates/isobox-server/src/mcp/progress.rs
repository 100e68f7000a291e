//! Reports the progress of a program to a client, at a bounded rate and size.

use std::convert::Infallible;
use std::time::Duration;

use isobox_core::brief;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::{Peer, RoleServer};
use tokio::sync::watch;
use tokio::time::sleep;

/// Reports the progress of a program to the client. Clones report to the same client.
#[derive(Debug, Clone)]
pub struct ProgressSender(watch::Sender<Latest>);

#[derive(Debug, Clone, Default)]
struct Latest {
    /// The number of reports so far. Progress values must grow.
    count: u32,
    message: String,
}

/// The maximum number of characters of a message.
const MESSAGE_CHARACTERS: usize = 200;
/// The minimum time between two reports. Of several reports within it, the last is sent.
const INTERVAL: Duration = Duration::from_millis(100);

impl ProgressSender {
    /// Reports progress in one line. Neither blocks nor fails.
    pub fn tell(&self, message: &str) {
        let message = brief(message, MESSAGE_CHARACTERS);
        self.0.send_modify(|latest| *latest = Latest { count: latest.count.saturating_add(1), message });
    }
}

/// Returns a sender, and a future that forwards its reports while it is polled.
pub(super) fn progress(
    peer: Peer<RoleServer>,
    token: ProgressToken,
) -> (ProgressSender, impl Future<Output = Infallible>) {
    let (sender, mut latest) = watch::channel(Latest::default());
    let forwarding = async move {
        while latest.changed().await.is_ok() {
            let Latest { count, message } = latest.borrow_and_update().clone();
            let param = ProgressNotificationParam::new(token.clone(), f64::from(count)).with_message(message);
            // A client that has left needs no report.
            let _ = peer.notify_progress(param).await;
            sleep(INTERVAL).await;
        }
        std::future::pending().await
    };
    (ProgressSender(sender), forwarding)
}
