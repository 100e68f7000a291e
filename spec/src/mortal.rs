//! Processes that die at a chosen moment, or are held up from then on.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};
use isobox::events::{Event, Observer};
use isobox::store::{Amendment, Collection, Document, ErrorKind, Filter, Page, Store, Timing};
use isobox::{CancellationToken, ExecutionId, Timestamp};
use isobox_core::journal::StoreKey;
use isobox_core::store::{
    Agenda, Change, Checkpoint, Claim, DuePlace, Error, ExpectedState, Holding, Lease, Message, Node, Part, Stored,
    Subscription, Written,
};
use tokio::time::Sleep;

/// The moment at which a process dies. Moments are counted before and after every write, and at every event for its
/// observer.
#[derive(Debug)]
pub struct Fate {
    dies_at: u64,
    death: Death,
    passed: AtomicU64,
    dead: CancellationToken,
    held_back: CancellationToken,
    waiting: CancellationToken,
    released: CancellationToken,
}

/// How a process dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Death {
    /// The process writes nothing any more, and its work [is dropped](Fate::or_dies).
    Pretended,
    /// The process really exits, without cleaning up.
    Real,
    /// The process lives. What it writes is written, but the store acknowledges neither that nor a heartbeat before
    /// [`Fate::release`].
    HeldBack,
}

/// A moment that never comes.
pub const NEVER: u64 = u64::MAX;

/// The lease of a process whose acknowledgements are held back. It is short, because others wait until it has expired.
const LEASE: Duration = Duration::from_millis(80);

impl Fate {
    /// Creates a fate that ends at the nth moment.
    pub fn new(dies_at: u64, death: Death) -> Arc<Self> {
        Arc::new(Self {
            dies_at,
            death,
            passed: AtomicU64::new(0),
            dead: CancellationToken::new(),
            held_back: CancellationToken::new(),
            waiting: CancellationToken::new(),
            released: CancellationToken::new(),
        })
    }

    /// Creates a fate that ends only by [`Fate::die`].
    pub fn endless() -> Arc<Self> {
        Self::new(NEVER, Death::Pretended)
    }

    /// Returns the number of moments so far.
    pub fn passed(&self) -> u64 {
        self.passed.load(Ordering::SeqCst)
    }

    /// Tells whether the process is dead.
    pub fn is_dead(&self) -> bool {
        self.dead.is_cancelled()
    }

    /// Ends the process now.
    pub fn die(&self) {
        match self.death {
            Death::Real => std::process::abort(),
            Death::Pretended => self.dead.cancel(),
            Death::HeldBack => self.held_back.cancel(),
        }
    }

    /// Tells whether acknowledgements are held back, or were.
    pub fn is_held_back(&self) -> bool {
        self.held_back.is_cancelled()
    }

    /// Completes when the process waits for an acknowledgement that is held back: the write is in the store.
    pub async fn waits(&self) {
        self.waiting.cancelled().await;
    }

    /// Completes when the leases of a process that is held back now have expired.
    pub fn expiry() -> Sleep {
        tokio::time::sleep(LEASE + LEASE / 4)
    }

    /// Releases all acknowledgements.
    pub fn release(&self) {
        self.released.cancel();
    }

    /// Tells whether the acknowledgements were released: others have taken over meanwhile.
    pub fn is_released(&self) -> bool {
        self.released.is_cancelled()
    }

    /// Returns the timing of the process.
    pub(crate) fn timing(&self) -> Timing {
        // A call that is under way when a process is held back has no effect.
        let usual = Timing::default().doubt(Duration::ZERO);
        match self.death {
            Death::Pretended | Death::Real => usual,
            Death::HeldBack => usual.lease(LEASE).heartbeat(LEASE / 4).margin(LEASE / 4),
        }
    }

    /// Holds back an acknowledgement.
    async fn hold_back(&self) {
        if self.is_held_back() {
            self.released.cancelled().await;
        }
    }

    /// Returns the result of the work, or `None` if the process dies.
    pub async fn or_dies<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.dead.cancelled() => None,
            done = work => (!self.is_dead()).then_some(done),
        }
    }

    /// Counts a moment.
    fn pass(&self) {
        if !self.is_dead() && self.passed.fetch_add(1, Ordering::SeqCst) + 1 == self.dies_at {
            self.die();
        }
    }
}

impl Observer for Fate {
    fn observe(&self, _event: &Event) {
        self.pass();
    }
}

/// The store of a process that may die. Other processes always see it as dead, so that they can take over at once.
pub struct Mortal {
    inner: Arc<dyn Store>,
    fate: Arc<Fate>,
}

impl Mortal {
    /// Wraps a store until the process dies.
    pub fn new(inner: &Arc<dyn Store>, fate: &Arc<Fate>) -> Arc<Self> {
        Arc::new(Self { inner: Arc::clone(inner), fate: Arc::clone(fate) })
    }

    fn pass<T: Send + 'static>(&self, write: impl FnOnce(&dyn Store) -> Written<T>) -> Written<T> {
        self.fate.pass();
        if self.fate.is_dead() {
            return ready(Err(died())).boxed();
        }
        let (written, fate) = (write(&*self.inner), Arc::clone(&self.fate));
        let acknowledged = async move {
            let written = written.await;
            fate.pass();
            if fate.is_held_back() {
                fate.waiting.cancel();
            }
            fate.hold_back().await;
            if fate.is_dead() { Err(died()) } else { written }
        };
        acknowledged.boxed()
    }
}

fn died() -> Error {
    Error::new(ErrorKind::Broken, "the process died")
}

impl Store for Mortal {
    fn key(&self) -> &StoreKey {
        self.inner.key()
    }
    fn write(&self, change: Arc<Change>) -> Written<Holding> {
        self.pass(|store| store.write(change))
    }
    fn acquire(&self, id: &ExecutionId, node: &Node, claim: Claim) -> BoxFuture<'_, Result<Lease, Error>> {
        let (id, node) = (id.clone(), node.clone());
        let inner = Arc::clone(&self.inner);
        self.pass(move |_| async move { inner.acquire(&id, &node, claim).await }.boxed())
    }
    fn keep_alive(&self, node: &Node, _time: Duration) -> BoxFuture<'_, Result<(), Error>> {
        let kept = self.inner.keep_alive(node, Duration::ZERO);
        async move {
            let kept = kept.await;
            self.fate.hold_back().await;
            kept
        }
        .boxed()
    }
    fn renew(&self, lease: &Lease, _time: Duration) -> Written<()> {
        self.inner.renew(lease, Duration::ZERO)
    }
    fn load(&self, id: &ExecutionId, part: Part) -> BoxFuture<'_, Result<Stored, Error>> {
        self.inner.load(id, part)
    }
    fn post(&self, id: &ExecutionId, messages: Vec<Message>, state: ExpectedState) -> BoxFuture<'_, Result<(), Error>> {
        self.inner.post(id, messages, state)
    }
    fn inbox(&self, id: &ExecutionId) -> BoxFuture<'_, Result<Vec<Message>, Error>> {
        self.inner.inbox(id)
    }
    /// A dead process still gets notifications, and ignores them.
    fn subscribe(&self, id: &ExecutionId) -> Subscription {
        self.inner.subscribe(id)
    }
    fn list(&self, filter: Filter) -> BoxFuture<'_, Result<Page, Error>> {
        self.inner.list(filter)
    }
    fn due(&self, moment: Timestamp, after: Option<DuePlace>, limit: u32) -> BoxFuture<'_, Result<Agenda, Error>> {
        self.inner.due(moment, after, limit)
    }
    fn delete(&self, id: &ExecutionId, state: ExpectedState) -> BoxFuture<'_, Result<(), Error>> {
        self.inner.delete(id, state)
    }
    fn remember(&self, session: &str, about: &str, decision: Vec<u8>) -> BoxFuture<'_, Result<(), Error>> {
        let (session, about) = (session.to_owned(), about.to_owned());
        let inner = Arc::clone(&self.inner);
        self.pass(move |_| async move { inner.remember(&session, &about, decision).await }.boxed())
    }
    fn recall(&self, session: &str, about: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, Error>> {
        self.inner.recall(session, about)
    }
    fn amend_document(&self, collection: Collection, key: &str, change: Arc<Amendment>) -> Written<()> {
        let key = key.to_owned();
        self.pass(move |store| store.amend_document(collection, &key, change))
    }
    fn document(&self, collection: Collection, key: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, Error>> {
        self.inner.document(collection, key)
    }
    fn documents(
        &self,
        collection: Collection,
        after: &str,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Document>, Error>> {
        self.inner.documents(collection, after, limit)
    }
}

/// Makes the stored checkpoint of a program unusable by breaking its seal.
pub async fn spoil_checkpoint(store: &dyn Store, id: &ExecutionId) -> Result<(), Error> {
    let lease = store.acquire(id, &Node("vandal".into()), Claim::Unfinished).await?;
    let checkpoint = Checkpoint { position: 0, seal: [0; 32], bytes: vec![1, 2, 3] };
    store.write(Arc::new(Change::checkpoint(lease.clone(), checkpoint))).await?;
    Ok(())
}
