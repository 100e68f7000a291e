//! Receives notifications about changes by other processes from a PostgreSQL server: `LISTEN` on a separate connection.
//!
//! The transaction that changes an execution notifies the channel of its store, with the id of the execution as the
//! payload. One thread per process listens while there are subscriptions. The listener regularly notifies itself to
//! check that notifications arrive, because a pooler may accept `LISTEN` and deliver nothing. While they do not arrive,
//! the coverage of the subscriptions is partial, and subscribers poll.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use futures_util::future::{Either, select};
use isobox_core::ExecutionId;
use isobox_core::store::{Coverage, Subscription, Subscriptions};
use tokio::runtime::Builder;
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_postgres::{AsyncMessage, Client, SimpleQueryMessage};

use crate::database::{DatabaseError, ErrorKind};
use crate::postgres::{CHANNEL, Connection, GOODBYE, PATIENCE, SETTINGS, Server, late};

/// The minimum lifetime of a subscription that is worth a connection.
const SETTLED_AFTER: Duration = Duration::from_millis(100);

/// The interval at which the delivery of notifications is checked, and the maximum time of delivery. A connection
/// without subscriptions is closed at a check.
const TRY_EVERY: Duration = Duration::from_secs(10);

/// The delay before a broken connection is reopened. It doubles with each further attempt.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Subscribes to executions on a server. The first subscription starts the thread; dropping the listener ends it.
pub(crate) struct Listener {
    ears: Arc<Ears>,
    thread: Mutex<Option<Thread>>,
}

struct Thread {
    /// Ends the thread when dropped.
    stop: oneshot::Sender<()>,
    handle: JoinHandle<()>,
}

/// The shared state of the thread.
struct Ears {
    server: Arc<Server>,
    subscriptions: Subscriptions,
    /// Notified of every new subscription.
    wanted: Notify,
    /// Whether a notification has arrived since one was last sent.
    has_heard: AtomicBool,
}

impl Listener {
    pub(crate) fn new(server: Arc<Server>, subscriptions: Subscriptions) -> Self {
        let ears = Ears { server, subscriptions, wanted: Notify::new(), has_heard: AtomicBool::new(false) };
        Self { ears: Arc::new(ears), thread: Mutex::new(None) }
    }

    pub(crate) fn subscribe(&self, id: &ExecutionId) -> Subscription {
        let subscription = self.ears.subscriptions.subscribe(id);
        self.start();
        self.ears.wanted.notify_one();
        subscription
    }

    fn start(&self) {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        if thread.is_some() {
            return;
        }
        let (stop, stopped) = oneshot::channel();
        let ears = Arc::clone(&self.ears);
        let started = std::thread::Builder::new().name("isobox-store-listener".to_owned()).spawn(|| run(ears, stopped));
        match started {
            Ok(handle) => *thread = Some(Thread { stop, handle }),
            Err(error) => tracing::warn!(place = self.ears.server.place, %error, "{POLLED}"),
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let thread = self.thread.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Thread { stop, handle }) = thread {
            drop(stop);
            // A panic of the thread has already been reported.
            let _ = handle.join();
        }
    }
}

const POLLED: &str = "changes by other processes are not reported: polling for them";

fn run(ears: Arc<Ears>, stopped: oneshot::Receiver<()>) {
    let runtime = match Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            tracing::warn!(place = ears.server.place, %error, "{POLLED}");
            return;
        }
    };
    runtime.block_on(async {
        let mut connections = JoinSet::new();
        select(stopped, pin!(ears.listen(&mut connections))).await;
        ears.subscriptions.set_coverage(Coverage::Partial);
        // The client is dropped, so its connection is closed properly.
        let _ = timeout(GOODBYE, connections.join_next()).await;
    });
    // Does not wait for a pending address lookup.
    runtime.shutdown_background();
}

impl Ears {
    /// Listens whenever there are subscriptions, for ever.
    async fn listen(self: &Arc<Self>, connections: &mut JoinSet<Lost>) {
        let mut pause = FIRST_PAUSE;
        loop {
            self.until_wanted().await;
            let ended = self.hear(connections).await;
            connections.shutdown().await;
            let has_heard = self.subscriptions.coverage() == Coverage::Complete;
            self.subscriptions.set_coverage(Coverage::Partial);
            if has_heard {
                pause = FIRST_PAUSE;
            }
            let Err(error) = ended else { continue };
            if pause == FIRST_PAUSE {
                tracing::warn!(place = self.server.place, %error, "{POLLED}");
            }
            sleep(pause).await;
            pause = pause.saturating_mul(2).min(LONGEST_PAUSE);
        }
    }

    /// Waits until there is a subscription that lives for a while.
    async fn until_wanted(&self) {
        loop {
            while self.subscriptions.is_empty() {
                self.wanted.notified().await;
            }
            sleep(SETTLED_AFTER).await;
            if !self.subscriptions.is_empty() {
                return;
            }
        }
    }

    /// Listens on a new connection until there are no subscriptions or the connection breaks.
    async fn hear(self: &Arc<Self>, connections: &mut JoinSet<Lost>) -> Result<(), DatabaseError> {
        let (client, connection) = answer(self.server.dial()).await?;
        connections.spawn(receive(Arc::clone(self), connection));
        answer(client.batch_execute(SETTINGS)).await?;
        let channel = channel(&client).await?;
        answer(client.batch_execute(&format!("LISTEN {channel}"))).await?;
        let mut is_proven = false;
        while !self.subscriptions.is_empty() {
            self.has_heard.store(false, Ordering::Release);
            if is_proven {
                answer(client.batch_execute(&empty_notification())).await?;
            } else {
                // A pooler may deliver only the notifications that this connection sends itself, so another connection
                // sends this one.
                self.notify_from_elsewhere().await?;
                is_proven = true;
            }
            if let Ok(Some(lost)) = timeout(TRY_EVERY, connections.join_next()).await {
                return Err(lost.map_or_else(|error| unavailable(&error.to_string()), |Lost(error)| error));
            }
            if !self.has_heard.load(Ordering::Acquire) {
                return Err(unavailable("notifications of the server do not arrive"));
            }
        }
        drop(client);
        let _ = timeout(GOODBYE, connections.join_next()).await;
        Ok(())
    }

    /// Sends an empty notification on a separate connection.
    async fn notify_from_elsewhere(&self) -> Result<(), DatabaseError> {
        let (client, mut connection) = answer(self.server.dial()).await?;
        let moving = async { while let Some(Ok(_)) = poll_fn(|context| connection.poll_message(context)).await {} };
        let statement = empty_notification();
        let notifying = answer(client.batch_execute(&statement));
        match select(pin!(notifying), pin!(moving)).await {
            Either::Left((notified, _)) => notified,
            Either::Right(_) => Err(unavailable("the connection was closed")),
        }
    }

    /// Forwards a notification. Any user of the database can send one, so payloads that are not the id of a subscribed
    /// execution are ignored.
    fn heard(&self, payload: &str) {
        self.has_heard.store(true, Ordering::Release);
        self.subscriptions.set_coverage(Coverage::Complete);
        if let Ok(id) = payload.parse::<ExecutionId>() {
            self.subscriptions.tell(&id);
        }
    }
}

/// Returns the statement that sends a notification about no execution.
fn empty_notification() -> String {
    format!("SELECT pg_notify({CHANNEL}, '')")
}

/// The error that ended a connection.
struct Lost(DatabaseError);

/// Moves bytes between client and server, and forwards notifications.
async fn receive(ears: Arc<Ears>, mut connection: Connection) -> Lost {
    loop {
        match poll_fn(|context| connection.poll_message(context)).await {
            Some(Ok(AsyncMessage::Notification(notification))) => ears.heard(notification.payload()),
            // Notices of the server are ignored.
            Some(Ok(_)) => {}
            Some(Err(error)) => return Lost(error.into()),
            None => return Lost(unavailable("the connection was closed")),
        }
    }
}

/// Returns the name of the channel.
async fn channel(client: &Client) -> Result<String, DatabaseError> {
    let rows = answer(client.simple_query(&format!("SELECT {CHANNEL}"))).await?;
    let name = rows.iter().find_map(|row| match row {
        SimpleQueryMessage::Row(row) => row.get(0),
        _ => None,
    });
    let is_plain = |name: &&str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    Ok(name.filter(is_plain).ok_or_else(|| unavailable("the tables of the store are not there"))?.to_owned())
}

/// Waits for the server, at most as long as a transaction may take.
async fn answer<T>(asked: impl Future<Output = Result<T, tokio_postgres::Error>>) -> Result<T, DatabaseError> {
    Ok(timeout(PATIENCE, asked).await.map_err(|_| late())??)
}

fn unavailable(why: &str) -> DatabaseError {
    DatabaseError::new(ErrorKind::Unavailable, why)
}
