//! The interface of stores for durable executions.

mod claim;
mod clock_watch;
mod documents;
mod due;
pub(crate) mod enduring;
mod error;
mod list;
mod memory;
mod restored;
mod retention;
mod status;
mod subscriptions;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};
use serde::{Deserialize, Serialize};

use crate::journal::{Seal, StoreKey};
use crate::{Code, ExecutionId, Timestamp};

pub use crate::journal::Batch;
pub use claim::Claim;
pub use clock_watch::{GAP, SETTLED_AFTER, Watched, watch_clock};
pub use documents::{Amended, Amendment, Collection, Document, DocumentDurability, LESSONS, WhenFull};
pub use due::{Agenda, DueExecution, DuePlace};
pub use error::{Error, ErrorKind};
pub use list::{Filter, Listed, NotAState, Page, PendingSummary, State, Unreadable};
pub use memory::MemoryStore;
pub(crate) use restored::{mark_as_restored, restored_at};
pub use restored::{seen_mark, was_restored_since};
pub use retention::{Retention, all, prune, stale};
pub use status::{NotAStatus, Status};
pub use subscriptions::{Coverage, Subscription, Subscriptions};

/// A store of executions: their journals, inboxes and checkpoints.
///
/// **One writer.** Only the holder of an execution's [`Lease`] writes to its journal; all other processes post messages
/// to its inbox. A lease is held by a [`Node`], which sends heartbeats. When they stop, other nodes can take over its
/// leases, and its later writes are refused.
///
/// **Order.** The requests of one holder are carried out in the order in which the methods are called. The returned
/// future only reports completion. Dropping it does not undo the request.
///
/// **Errors** have a [kind](ErrorKind), on which callers act. After a [refusal](ErrorKind::is_refusal) nothing was
/// written. After a failure during a commit it is unknown whether the change was written: as after a crash, the journal
/// tells. After [`ErrorKind::Unavailable`], a running execution retries for a while, and detects changes that were
/// written.
pub trait Store: Send + Sync {
    /// Returns the key that seals journals and checkpoints.
    fn key(&self) -> &StoreKey;

    /// Changes an execution under its lease, in one transaction. Returns [`ErrorKind::AlreadyExists`] if the execution
    /// to create exists. Returns [`ErrorKind::LeaseLost`] if the lease is lost, if the number of batches differs from
    /// [`Append::position`], or if the journal has fewer batches than the checkpoint covers.
    fn write(&self, change: Arc<Change>) -> Written<Holding>;

    /// Takes the lease of an execution that no live node holds or that this node holds. The previous lease becomes
    /// void. Returns [`ErrorKind::HeldElsewhere`] if another node holds it. Returns [`ErrorKind::Over`] or
    /// [`ErrorKind::NotOver`] if the execution is not in the state that the claim is for.
    ///
    /// An execution that has ended is held only once its holder has written to it.
    fn acquire(&self, id: &ExecutionId, node: &Node, claim: Claim) -> BoxFuture<'_, Result<Lease, Error>>;

    /// Records a heartbeat: the node counts as alive for `time` from now on.
    fn keep_alive(&self, node: &Node, time: Duration) -> BoxFuture<'_, Result<(), Error>>;

    /// Confirms a lease and records a heartbeat of its node for `time`, in one transaction. Returns
    /// [`ErrorKind::LeaseLost`] if the lease is lost.
    fn renew(&self, lease: &Lease, time: Duration) -> Written<()>;

    /// Loads an execution.
    fn load(&self, id: &ExecutionId, part: Part) -> BoxFuture<'_, Result<Stored, Error>>;

    /// Posts messages to the inbox, all of them or none. Returns [`ErrorKind::AlreadyDecided`] if the inbox has a
    /// message with the same key, [`ErrorKind::Over`] if the execution has ended, [`ErrorKind::Changed`] if it is not
    /// in the expected state, and [`ErrorKind::InboxFull`] if there is no room ([`Message::fit`]).
    fn post(&self, id: &ExecutionId, messages: Vec<Message>, state: ExpectedState) -> BoxFuture<'_, Result<(), Error>>;

    /// Returns the messages in the inbox, oldest first, at most [`Message::MOST`].
    fn inbox(&self, id: &ExecutionId) -> BoxFuture<'_, Result<Vec<Message>, Error>>;

    /// Lists executions, newest first. A row that cannot be read is listed as unreadable, and hides no other.
    fn list(&self, filter: Filter) -> BoxFuture<'_, Result<Page, Error>>;

    /// Returns executions whose [due time](Head::due) has come at `moment` and that no live process holds, those that
    /// were due first ahead, at most `limit`. They come after `after` in this order, if that is given. A row that cannot be read
    /// hides no other.
    ///
    /// The default implementation finds nothing: nothing wakes by itself.
    fn due(&self, _moment: Timestamp, _after: Option<DuePlace>, _limit: u32) -> BoxFuture<'_, Result<Agenda, Error>> {
        ready(Ok(Agenda::default())).boxed()
    }

    /// Deletes an execution. Returns [`ErrorKind::HeldElsewhere`] if a live process runs it, [`ErrorKind::Changed`] if
    /// it is not in the expected state.
    fn delete(&self, id: &ExecutionId, state: ExpectedState) -> BoxFuture<'_, Result<(), Error>>;

    /// Stores a decision for a session. Replaces an earlier one with the same key.
    fn remember(&self, session: &str, about: &str, decision: Vec<u8>) -> BoxFuture<'_, Result<(), Error>>;

    /// Returns the time of a clock that all processes share, if the store has one, for example that of a database
    /// server.
    fn time(&self) -> BoxFuture<'_, Result<Option<Timestamp>, Error>> {
        ready(Ok(None)).boxed()
    }

    /// Subscribes to an execution. The subscription reports messages that are posted to it, and that it pauses, ends,
    /// removes messages from its inbox, releases its lease or is deleted ([`Change::concerns_others`]).
    ///
    /// To miss nothing, a caller subscribes first, then reads, then waits. It may be woken without a change, and must
    /// poll for unreported changes ([`Subscription::coverage`]): the expiry of a lease is never reported. The default
    /// implementation reports nothing.
    fn subscribe(&self, _id: &ExecutionId) -> Subscription {
        Subscription::never()
    }

    /// Returns a decision that was stored for a session.
    fn recall(&self, session: &str, about: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, Error>>;

    /// Records until when something counts as used that can be used once. Returns false if it was used before. What is
    /// no longer valid now may be forgotten.
    ///
    /// The default implementation remembers it as a decision. Two processes that use the same thing in the same moment
    /// may both get true.
    fn use_once(&self, key: &str, now: Timestamp, until: Timestamp) -> BoxFuture<'_, Result<bool, Error>> {
        let (key, _) = (key.to_owned(), now);
        Box::pin(async move {
            let is_new = self.recall(USED_ONCE, &key).await?.is_none();
            if is_new {
                self.remember(USED_ONCE, &key, until.0.to_be_bytes().to_vec()).await?;
            }
            Ok(is_new)
        })
    }

    /// Changes a document, in one transaction: no change of another process is lost. Returns
    /// [`ErrorKind::CollectionFull`] if there is no room for another document in a collection that refuses it.
    fn amend_document(&self, collection: Collection, key: &str, change: Arc<Amendment>) -> Written<()>;

    /// Returns the content of a document.
    fn document(&self, collection: Collection, key: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, Error>>;

    /// Returns the documents whose keys follow `after`, ordered by the bytes of their keys, at most `limit`. All keys
    /// follow the empty text.
    fn documents(
        &self,
        collection: Collection,
        after: &str,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Document>, Error>>;
}

/// The key of what was used once, beside the remembered decisions of sessions. No session has this key.
pub const USED_ONCE: &str = "isobox:used";

/// Completes when a store has carried out a request.
pub type Written<T> = BoxFuture<'static, Result<T, Error>>;

/// A process that runs executions, identified by a unique name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Node(pub Arc<str>);

/// The right to write to the journal of an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// The execution.
    pub execution: ExecutionId,
    /// The node that holds the lease.
    pub node: Node,
    /// Counts how often the lease was granted. Leases with a lower epoch are void. Tools get it as
    /// [`CallContext::fencing_token`](crate::CallContext::fencing_token).
    pub epoch: u64,
}

impl Lease {
    /// Returns the lease that creating an execution grants (epoch 1).
    pub fn first(execution: &ExecutionId, node: &Node) -> Self {
        Self { execution: execution.clone(), node: node.clone(), epoch: 1 }
    }
}

/// An execution that the store does not have yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewExecution {
    /// The time at which it was requested.
    pub created: Timestamp,
    /// The beginning of its journal.
    pub beginning: Batch,
    /// Its head.
    pub head: Head,
}

/// The part of an execution that can be read without its journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Head {
    /// Its status.
    pub status: Status,
    /// Counts changes of the set of pending calls.
    pub revision: u64,
    /// The number of pending calls.
    pub pending: u32,
    /// The first pending calls, at most [`PendingSummary::MOST`].
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub pending_calls: Vec<PendingSummary>,
    /// The number of calls made.
    pub calls: u32,
    /// The time of the last change.
    pub updated: Timestamp,
    /// The function of the host that started it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub function: Option<Arc<str>>,
    /// The name of the principal that runs it. None if the host did not name one, or if an older version wrote the head.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub owner: Option<Arc<str>>,
    /// The code of its failure.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub code: Option<Code>,
    /// The time at which it is to be woken, if it waits for a timer. It stays until the execution ends or rests again, so
    /// that an execution whose process dies after waking it is woken again.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub due: Option<Timestamp>,
}

impl Head {
    /// Tells whether the execution has neither changed nor been due since this moment, and is not due later.
    pub fn is_older_than(&self, moment: Timestamp) -> bool {
        self.updated < moment && self.due.is_none_or(|due| due < moment)
    }
}

/// A point from which an execution resumes without its whole journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// The number of batches that it covers.
    pub position: u64,
    /// The seal of the last of them.
    pub seal: Seal,
    /// The encoded content.
    pub bytes: Vec<u8>,
}

/// A change that the holder of a lease writes in one transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The lease under which it is written.
    pub lease: Arc<Lease>,
    /// The execution to create first. It is held with the lease, which is its [first](Lease::first).
    pub create: Option<NewExecution>,
    /// A batch to append to the journal.
    pub append: Option<Append>,
    /// A checkpoint that replaces the previous one.
    pub checkpoint: Option<Checkpoint>,
    /// The condition for releasing the lease afterwards. None keeps the lease.
    pub release: Option<Release>,
}

impl Change {
    /// Creates a change that only checks the lease.
    pub fn under(lease: impl Into<Arc<Lease>>) -> Self {
        Self { lease: lease.into(), create: None, append: None, checkpoint: None, release: None }
    }

    /// Creates a change that creates an execution.
    pub fn create(lease: impl Into<Arc<Lease>>, new: NewExecution) -> Self {
        Self { create: Some(new), ..Self::under(lease) }
    }

    /// Creates a change that appends a batch.
    pub fn append(lease: impl Into<Arc<Lease>>, append: Append) -> Self {
        Self { append: Some(append), ..Self::under(lease) }
    }

    /// Creates a change that stores a checkpoint.
    pub fn checkpoint(lease: impl Into<Arc<Lease>>, checkpoint: Checkpoint) -> Self {
        Self { checkpoint: Some(checkpoint), ..Self::under(lease) }
    }

    /// Creates a change that releases the lease.
    pub fn release(lease: impl Into<Arc<Lease>>, when: Release) -> Self {
        Self { release: Some(when), ..Self::under(lease) }
    }

    /// Tells whether the change can be applied to a journal with this many batches.
    pub fn fits(&self, batches: u64) -> bool {
        let after = batches.saturating_add(u64::from(self.append.is_some()));
        self.append.as_ref().is_none_or(|append| append.position == batches)
            && self.checkpoint.as_ref().is_none_or(|checkpoint| checkpoint.position <= after)
    }

    /// Tells whether other processes may be waiting for the change: it pauses or ends the execution, removes messages
    /// from its inbox, or releases the lease.
    pub fn concerns_others(&self) -> bool {
        let is_told = |append: &Append| append.head.status != Status::Running || !append.heard.is_empty();
        self.release.is_some() || self.append.as_ref().is_some_and(is_told)
    }

    /// Returns the size of the batches and the checkpoint in bytes.
    pub fn size(&self) -> usize {
        let beginning = self.create.as_ref().map_or(0, |new| new.beginning.bytes.len());
        let batch = self.append.as_ref().map_or(0, |append| append.batch.bytes.len());
        beginning + batch + self.checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.bytes.len())
    }
}

/// A batch, together with the changes of its transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Append {
    /// The number of batches before this one.
    pub position: u64,
    /// The batch.
    pub batch: Batch,
    /// The head of the execution after this batch.
    pub head: Head,
    /// The keys of the inbox messages that the batch records. They are removed.
    pub heard: Vec<String>,
}

/// The condition for releasing a lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Release {
    /// Releases the lease if the inbox is empty. Otherwise the holder has to read the inbox first.
    IfNothingWasSaid,
    /// Releases the lease in any case.
    Anyhow,
}

/// The state of a lease after a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holding {
    /// The lease is held: the change did not release it.
    Held,
    /// The lease is held because the inbox has messages. Otherwise the change would have released it.
    HasMessages,
    /// The lease is free.
    Free,
}

/// The part of an execution to load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Everything, without a checkpoint.
    Whole,
    /// The checkpoint and the batches after it, or everything if there is none.
    SinceCheckpoint,
}

/// A stored execution.
#[derive(Debug, Clone)]
pub struct Stored {
    /// The beginning of its journal.
    pub beginning: Batch,
    /// Its head.
    pub head: Head,
    /// Its checkpoint, if it was requested.
    pub checkpoint: Option<Checkpoint>,
    /// The batches of its journal that the checkpoint does not cover.
    pub batches: Vec<Batch>,
    /// The messages in its inbox, oldest first.
    pub inbox: Vec<Message>,
    /// Whether a live process holds the lease. Always false if it has ended.
    pub is_held: bool,
}

/// The state that an execution must be in for an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpectedState {
    /// Any state.
    Anyhow,
    /// Exactly this head: nothing has changed since it was read.
    Unchanged(Head),
    /// This revision: the set of pending calls has not changed.
    AtRevision(u64),
}

impl ExpectedState {
    /// Tells whether an execution with this head is in the expected state.
    pub fn fits(&self, head: &Head) -> bool {
        match self {
            Self::Anyhow => true,
            Self::Unchanged(seen) => seen == head,
            Self::AtRevision(seen) => *seen == head.revision,
        }
    }
}

/// A message to an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The key. An inbox has at most one message with it.
    pub key: String,
    /// The content.
    pub bytes: Vec<u8>,
}

impl Message {
    /// The maximum number of messages in one inbox. Every message is about a different call, so only a defect comes
    /// near it.
    pub const MOST: usize = 10_000;
    /// The maximum size of one inbox, in bytes.
    pub const MOST_BYTES: usize = 64 << 20;

    /// Tells whether there is room for these messages beside `count` messages of `bytes` in total.
    pub fn fit(messages: &[Self], count: usize, bytes: usize) -> bool {
        let added: usize = messages.iter().map(|message| message.bytes.len()).sum();
        count.saturating_add(messages.len()) <= Self::MOST && bytes.saturating_add(added) <= Self::MOST_BYTES
    }

    /// Tells whether two of these messages have the same key, or one has a key that is taken.
    pub fn collide<'a>(messages: &'a [Self], taken: impl IntoIterator<Item = &'a [u8]>) -> bool {
        let mut seen: HashSet<&[u8]> = taken.into_iter().collect();
        !messages.iter().all(|message| seen.insert(message.key.as_bytes()))
    }
}
