//! Processes that die when they are told to.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};
use isobox::events::{Event, Observer};
use isobox::store::{Filter, Page, Store};
use isobox::{CancellationToken, Code, ExecutionId, Failure};
use isobox_core::journal::StoreKey;
use isobox_core::store::{
    Change, Checkpoint, Expected, Holding, Lease, Message, Node, Part, Stored, Subscription, Written,
};

/// When a process dies: at the nth of its moments, which are before and after everything that it writes, and whenever its
/// observer is told something.
#[derive(Debug)]
pub struct Fate {
    dies_at: u64,
    death: Death,
    passed: AtomicU64,
    dead: CancellationToken,
}

/// How a process dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Death {
    /// Nothing of it is written any more, and what it was doing [is dropped](Fate::or_dies).
    Pretended,
    /// Really, and without cleaning up.
    Real,
}

/// What never comes.
pub const NEVER: u64 = u64::MAX;

impl Fate {
    /// To die at the nth moment.
    pub fn new(dies_at: u64, death: Death) -> Arc<Self> {
        Arc::new(Self { dies_at, death, passed: AtomicU64::new(0), dead: CancellationToken::new() })
    }

    /// To live until somebody says otherwise.
    pub fn endless() -> Arc<Self> {
        Self::new(NEVER, Death::Pretended)
    }

    /// How many moments have passed.
    pub fn passed(&self) -> u64 {
        self.passed.load(Ordering::SeqCst)
    }

    /// Whether the process is dead.
    pub fn is_dead(&self) -> bool {
        self.dead.is_cancelled()
    }

    /// Dies now.
    pub fn die(&self) {
        match self.death {
            Death::Real => std::process::abort(),
            Death::Pretended => self.dead.cancel(),
        }
    }

    /// What comes of the work, unless the process dies.
    pub async fn or_dies<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.dead.cancelled() => None,
            done = work => (!self.is_dead()).then_some(done),
        }
    }

    /// One more moment passes.
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

/// A store as a process sees it that may die. To others such a process is always dead, so that they can go on at once.
pub struct Mortal {
    inner: Arc<dyn Store>,
    fate: Arc<Fate>,
}

impl Mortal {
    /// This store until then.
    pub fn new(inner: &Arc<dyn Store>, fate: &Arc<Fate>) -> Arc<Self> {
        Arc::new(Self { inner: Arc::clone(inner), fate: Arc::clone(fate) })
    }

    fn pass<T: Send + 'static>(&self, write: impl FnOnce(&dyn Store) -> Written<T>) -> Written<T> {
        self.fate.pass();
        if self.fate.is_dead() {
            return ready(Err(died())).boxed();
        }
        let (written, fate) = (write(&*self.inner), Arc::clone(&self.fate));
        let acknowledge = move |written| {
            fate.pass();
            if fate.is_dead() { Err(died()) } else { written }
        };
        written.map(acknowledge).boxed()
    }
}

fn died() -> Failure {
    Failure::new(Code::Store, "the process died")
}

impl Store for Mortal {
    fn key(&self) -> &StoreKey {
        self.inner.key()
    }
    fn write(&self, change: Arc<Change>) -> Written<Holding> {
        self.pass(|store| store.write(change))
    }
    fn acquire(&self, id: &ExecutionId, node: &Node) -> BoxFuture<'_, Result<Lease, Failure>> {
        let (id, node) = (id.clone(), node.clone());
        let inner = Arc::clone(&self.inner);
        self.pass(move |_| async move { inner.acquire(&id, &node).await }.boxed())
    }
    fn keep_alive(&self, node: &Node, _time: Duration) -> BoxFuture<'_, Result<(), Failure>> {
        self.inner.keep_alive(node, Duration::ZERO)
    }
    fn renew(&self, lease: &Lease, _time: Duration) -> Written<()> {
        self.inner.renew(lease, Duration::ZERO)
    }
    fn load(&self, id: &ExecutionId, part: Part) -> BoxFuture<'_, Result<Stored, Failure>> {
        self.inner.load(id, part)
    }
    fn post(&self, id: &ExecutionId, messages: Vec<Message>, state: Expected) -> BoxFuture<'_, Result<(), Failure>> {
        self.inner.post(id, messages, state)
    }
    fn inbox(&self, id: &ExecutionId) -> BoxFuture<'_, Result<Vec<Message>, Failure>> {
        self.inner.inbox(id)
    }
    /// What others do is told to a dead process too, which does nothing with it.
    fn subscribe(&self, id: &ExecutionId) -> Subscription {
        self.inner.subscribe(id)
    }
    fn list(&self, filter: Filter) -> BoxFuture<'_, Result<Page, Failure>> {
        self.inner.list(filter)
    }
    fn delete(&self, id: &ExecutionId, state: Expected) -> BoxFuture<'_, Result<(), Failure>> {
        self.inner.delete(id, state)
    }
    fn remember(&self, session: &str, about: &str, decision: Vec<u8>) -> BoxFuture<'_, Result<(), Failure>> {
        let (session, about) = (session.to_owned(), about.to_owned());
        let inner = Arc::clone(&self.inner);
        self.pass(move |_| async move { inner.remember(&session, &about, decision).await }.boxed())
    }
    fn recall(&self, session: &str, about: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, Failure>> {
        self.inner.recall(session, about)
    }
}

/// Makes what was stored of a program's memory unusable: nobody can use a checkpoint whose seal does not fit.
pub async fn spoil_checkpoint(store: &dyn Store, id: &ExecutionId) -> Result<(), Failure> {
    let lease = store.acquire(id, &Node("vandal".into())).await?;
    let checkpoint = Checkpoint { position: 0, seal: [0; 32], bytes: vec![1, 2, 3] };
    store.write(Arc::new(Change::checkpoint(lease.clone(), checkpoint))).await?;
    Ok(())
}
