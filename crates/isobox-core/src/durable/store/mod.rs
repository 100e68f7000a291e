//! The seam to where durable executions are kept.

mod clock_watch;
pub(crate) mod enduring;
mod error;
mod list;
mod memory;
mod retention;
mod subscriptions;

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};
use serde::{Deserialize, Serialize};

use crate::journal::{Seal, StoreKey};
use crate::{Code, ExecutionId, Timestamp};

pub use crate::journal::Batch;
pub use clock_watch::{GAP, SETTLED_AFTER, Watched, watch_clock};
pub use error::{Error, ErrorKind};
pub use list::{Filter, Listed, NotAState, Page, PendingSummary, State, Unreadable};
pub use memory::MemoryStore;
pub use retention::{Retention, all, prune, stale};
pub use subscriptions::{Coverage, Subscription, Subscriptions};

/// Keeps executions: their journals, what others have to say to them, and snapshots.
///
/// **One writer.** Only the holder of an execution's [`Lease`] writes to its journal; everybody else leaves messages in
/// its inbox. A lease is held by a [`Node`], which says from time to time that it is alive; the leases of one that does not
/// can be taken over, and what it still tries to write is refused.
///
/// **Order.** What is asked of a store in one order by one holder happens in that order: the work is handed over when a
/// method is called, and the future only tells when it is done. Dropping the future does not take it back.
///
/// **Errors** have a [kind](ErrorKind), on which callers act. After a [refusal](ErrorKind::is_refusal) nothing was written. After a
/// failure in the very moment of a commit, whether it was written is not known: as after a crash, the journal tells. After
/// [`ErrorKind::Unavailable`], an execution that runs tries again for a while, and recognises what was written.
pub trait Store: Send + Sync {
    /// What its journals and snapshots are sealed with.
    fn key(&self) -> &StoreKey;

    /// Changes an execution under its lease, in one transaction: all of the change or nothing. [`ErrorKind::AlreadyExists`] if
    /// the execution to be created exists, [`ErrorKind::LeaseLost`] if the lease is lost, if the journal does not have as many batches
    /// as [`Append::position`] says, or if it has fewer than the checkpoint covers.
    fn write(&self, change: Arc<Change>) -> Written<Holding>;

    /// Takes the lease of an execution that nobody alive holds, or that this node holds: then it is another lease, and the
    /// one before is void. [`ErrorKind::HeldElsewhere`] where another node holds it, [`ErrorKind::Over`] where it is over.
    fn acquire(&self, id: &ExecutionId, node: &Node) -> BoxFuture<'_, Result<Lease, Error>>;

    /// Says that a node is alive, for so long from now on.
    fn keep_alive(&self, node: &Node, time: Duration) -> BoxFuture<'_, Result<(), Error>>;

    /// Confirms that a lease is held, and says that its node is alive, for so long from now on: both or nothing.
    /// [`ErrorKind::LeaseLost`] where the lease is lost.
    fn renew(&self, lease: &Lease, time: Duration) -> Written<()>;

    /// What is kept of an execution.
    fn load(&self, id: &ExecutionId, part: Part) -> BoxFuture<'_, Result<Stored, Error>>;

    /// Leaves messages for the holder, all of them or none. [`ErrorKind::AlreadyDecided`] where there is one with one of their keys already,
    /// [`ErrorKind::Over`] where the execution is over, [`ErrorKind::Changed`] where it no longer stands as it has to,
    /// [`ErrorKind::InboxFull`] where there is no room ([`Message::fit`]).
    fn post(&self, id: &ExecutionId, messages: Vec<Message>, state: Expected) -> BoxFuture<'_, Result<(), Error>>;

    /// The messages that were left, oldest first, at most [`Message::MOST`].
    fn inbox(&self, id: &ExecutionId) -> BoxFuture<'_, Result<Vec<Message>, Error>>;

    /// Lists executions, newest first. A row that cannot be read is listed as such, and hides no other.
    fn list(&self, filter: Filter) -> BoxFuture<'_, Result<Page, Error>>;

    /// Removes all of an execution. [`ErrorKind::HeldElsewhere`] where a live process runs it, [`ErrorKind::Changed`] where it no
    /// longer stands as it has to.
    fn delete(&self, id: &ExecutionId, state: Expected) -> BoxFuture<'_, Result<(), Error>>;

    /// Keeps a decision for a session; replaces one about the same.
    fn remember(&self, session: &str, about: &str, decision: Vec<u8>) -> BoxFuture<'_, Result<(), Error>>;

    /// Tells the time by a clock that all processes share, where the store has one: that of a database server.
    fn time(&self) -> BoxFuture<'_, Result<Option<Timestamp>, Error>> {
        ready(Ok(None)).boxed()
    }

    /// Subscribes to an execution: tells when messages are posted to it, and when it pauses, ends, takes messages out of its inbox,
    /// releases its lease or is deleted ([`Change::concerns_others`]).
    ///
    /// To miss nothing, a caller subscribes first, then looks, then waits. It may be woken for nothing, and must poll for what
    /// is not told ([`Subscription::coverage`]): that a lease has expired is never told. A store that does not override this
    /// tells nothing.
    fn subscribe(&self, _id: &ExecutionId) -> Subscription {
        Subscription::never()
    }

    /// A decision that was kept for a session.
    fn recall(&self, session: &str, about: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, Error>>;
}

/// What tells when a store has done what it was asked for.
pub type Written<T> = BoxFuture<'static, Result<T, Error>>;

/// One process that runs executions, by a name that no other process ever has.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Node(pub Arc<str>);

/// The right to write to the journal of an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// Of which execution.
    pub execution: ExecutionId,
    /// Who holds it.
    pub node: Node,
    /// How often it was given: one that was given before is void. Tools get it as
    /// [`CallContext::fencing_token`](crate::CallContext::fencing_token).
    pub epoch: u64,
}

impl Lease {
    /// The one that whoever adds an execution has.
    pub fn first(execution: &ExecutionId, node: &Node) -> Self {
        Self { execution: execution.clone(), node: node.clone(), epoch: 1 }
    }
}

/// An execution that the store does not have yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewExecution {
    /// When it was asked for.
    pub created: Timestamp,
    /// What is known of it before it begins.
    pub beginning: Batch,
    /// Where it stands.
    pub head: Head,
}

/// What can be known of an execution without its journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Head {
    /// Where it stands.
    pub status: Status,
    /// How often what waits for somebody outside has changed.
    pub revision: u64,
    /// Counts the calls that are pending.
    pub pending: u32,
    /// The first pending calls, [`PendingSummary::MOST`] at most.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub pending_calls: Vec<PendingSummary>,
    /// How many calls it has made.
    pub calls: u32,
    /// When that was.
    pub updated: Timestamp,
    /// The function of the host that asked for it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub function: Option<String>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub code: Option<Code>,
}

/// Where a stored execution stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Status {
    /// A process runs it, or did so when it died.
    Running,
    /// It waits for somebody outside.
    Paused,
    /// The program returned.
    Completed,
    /// The program failed.
    Failed,
    /// A person ended it.
    Rejected,
}

impl Status {
    /// Every status there is.
    pub const ALL: [Self; 5] = [Self::Running, Self::Paused, Self::Completed, Self::Failed, Self::Rejected];

    /// As it is written everywhere.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Rejected => "rejected",
        }
    }

    /// Whether nothing will change any more.
    pub const fn is_over(self) -> bool {
        match self {
            Self::Running | Self::Paused => false,
            Self::Completed | Self::Failed | Self::Rejected => true,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// A text that is not a status.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a status: it is running, paused, completed, failed or rejected")]
pub struct NotAStatus(String);

impl FromStr for Status {
    type Err = NotAStatus;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|status| status.as_str() == text);
        found.ok_or_else(|| NotAStatus(crate::text::brief(text, 40)))
    }
}

/// What an execution can be resumed from without its whole journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// How many batches of the journal are in it.
    pub position: u64,
    /// The seal of the last of them.
    pub seal: Seal,
    /// What was kept.
    pub bytes: Vec<u8>,
}

/// What the holder of a lease writes in one transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The lease that allows it.
    pub lease: Arc<Lease>,
    /// The execution, to be created first; held with the lease, which is its [first](Lease::first).
    pub create: Option<NewExecution>,
    /// A batch to append to the journal.
    pub append: Option<Append>,
    /// A checkpoint to keep in place of the previous one.
    pub checkpoint: Option<Checkpoint>,
    /// Whether to release the lease, after the rest.
    pub release: Option<Release>,
}

impl Change {
    /// Changes nothing; it only checks the lease.
    pub fn under(lease: impl Into<Arc<Lease>>) -> Self {
        Self { lease: lease.into(), create: None, append: None, checkpoint: None, release: None }
    }

    /// Creates an execution.
    pub fn create(lease: impl Into<Arc<Lease>>, new: NewExecution) -> Self {
        Self { create: Some(new), ..Self::under(lease) }
    }

    /// Appends a batch.
    pub fn append(lease: impl Into<Arc<Lease>>, append: Append) -> Self {
        Self { append: Some(append), ..Self::under(lease) }
    }

    /// Keeps a checkpoint.
    pub fn checkpoint(lease: impl Into<Arc<Lease>>, checkpoint: Checkpoint) -> Self {
        Self { checkpoint: Some(checkpoint), ..Self::under(lease) }
    }

    /// Releases the lease.
    pub fn release(lease: impl Into<Arc<Lease>>, when: Release) -> Self {
        Self { release: Some(when), ..Self::under(lease) }
    }

    /// Whether it can be made to a journal of so many batches.
    pub fn fits(&self, batches: u64) -> bool {
        let after = batches + u64::from(self.append.is_some());
        self.append.as_ref().is_none_or(|append| append.position == batches)
            && self.checkpoint.as_ref().is_none_or(|checkpoint| checkpoint.position <= after)
    }

    /// Whether other processes may wait for it: it pauses or ends the execution, takes messages out of its inbox, or releases the
    /// lease.
    pub fn concerns_others(&self) -> bool {
        let is_told = |append: &Append| append.head.status != Status::Running || !append.heard.is_empty();
        self.release.is_some() || self.append.as_ref().is_some_and(is_told)
    }

    /// Counts the bytes of batches and checkpoint.
    pub fn size(&self) -> usize {
        let beginning = self.create.as_ref().map_or(0, |new| new.beginning.bytes.len());
        let batch = self.append.as_ref().map_or(0, |append| append.batch.bytes.len());
        beginning + batch + self.checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.bytes.len())
    }
}

/// A batch with everything that changes together with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Append {
    /// How many batches the journal has before this one.
    pub position: u64,
    /// The batch.
    pub batch: Batch,
    /// The head of the execution after it.
    pub head: Head,
    /// The keys of the inbox messages that the batch records: they are removed.
    pub heard: Vec<String>,
}

/// When a lease is released.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Release {
    /// Unless there are messages in the inbox: the holder has to look at them first.
    IfNothingWasSaid,
    /// In any case: the holder goes.
    Anyhow,
}

/// Whether a lease is held after a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holding {
    /// It is held: the change did not release it.
    Held,
    /// It is held: the change would have released it, but there are messages in the inbox.
    HasMessages,
    /// It is free.
    Free,
}

/// How much of an execution is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Everything, without a checkpoint.
    Whole,
    /// The checkpoint, and what came after it; everything where there is none.
    SinceCheckpoint,
}

/// What is kept of an execution.
#[derive(Debug, Clone)]
pub struct Stored {
    /// What was known of it before it began.
    pub beginning: Batch,
    /// Where it stands.
    pub head: Head,
    /// What it can be resumed from, where that was asked for.
    pub checkpoint: Option<Checkpoint>,
    /// The batches of its journal that are not in the checkpoint.
    pub batches: Vec<Batch>,
    /// The messages that were left for its holder, oldest first.
    pub inbox: Vec<Message>,
    /// Whether a process that is alive holds it; never one that is over.
    pub is_held: bool,
}

/// How an execution has to stand for something to be done to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// In whatever way.
    Anyhow,
    /// Exactly so: nothing has happened since somebody looked.
    Unchanged(Head),
    /// At this revision: what waits for somebody outside is what somebody saw.
    AtRevision(u64),
}

impl Expected {
    /// Whether an execution that stands so may be touched.
    pub fn fits(&self, head: &Head) -> bool {
        match self {
            Self::Anyhow => true,
            Self::Unchanged(seen) => seen == head,
            Self::AtRevision(seen) => *seen == head.revision,
        }
    }
}

/// What somebody has to say to an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// There is only one with this key.
    pub key: String,
    /// What.
    pub bytes: Vec<u8>,
}

impl Message {
    /// The largest number of messages in one inbox. Every message is about another call, so that only a defect comes near it.
    pub const MOST: usize = 10_000;
    /// The largest size of one inbox, in bytes.
    pub const MOST_BYTES: usize = 64 << 20;

    /// Whether there is room for these beside so many messages of so many bytes in all.
    pub fn fit(messages: &[Self], count: usize, bytes: usize) -> bool {
        let added: usize = messages.iter().map(|message| message.bytes.len()).sum();
        count.saturating_add(messages.len()) <= Self::MOST && bytes.saturating_add(added) <= Self::MOST_BYTES
    }

    /// Whether two of these have the same key, or one of them has one of those that are taken.
    pub fn collide<'a>(messages: &'a [Self], taken: impl IntoIterator<Item = &'a [u8]>) -> bool {
        let mut seen: HashSet<&[u8]> = taken.into_iter().collect();
        !messages.iter().all(|message| seen.insert(message.key.as_bytes()))
    }
}
