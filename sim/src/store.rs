//! The store as a simulated process sees it: slow, and sometimes failing.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Poll, Waker};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use isobox_core::journal::StoreKey;
use isobox_core::store::{
    Agenda, Amendment, Append, Change, Claim, Collection, Document, DuePlace, Error, ExpectedState, Filter, Holding,
    Lease, MemoryStore, Message, Node, Page, Part, Store, Stored, Subscription, Written,
};
use isobox_core::{Clock, ExecutionId, Timestamp};
use tokio::sync::oneshot;

use crate::clock::SimClock;
use crate::falsify::Falsehood;
use crate::faults::{Fault, Faults};
use crate::random::Random;
use crate::timeline::{self, Moment, Timeline};
use crate::trace::Trace;

/// Whether a process is alive.
#[derive(Debug, Default)]
pub struct Life {
    is_dead: AtomicBool,
    is_dying: AtomicBool,
    /// The milliseconds for which its store has begun to hold back answers.
    held_back: AtomicU64,
}

impl Life {
    /// Ends the process. Nothing that it does has an effect from now on.
    pub fn end(&self) {
        self.is_dead.store(true, Ordering::SeqCst);
    }

    /// Tells whether the process is to die now.
    pub fn is_dying(&self) -> bool {
        self.is_dying.load(Ordering::SeqCst) && !self.is_dead()
    }

    /// Returns the milliseconds for which the store holds back answers from now on, once.
    pub fn take_held_back(&self) -> u64 {
        self.held_back.swap(0, Ordering::SeqCst)
    }

    /// Tells whether the process has died.
    pub fn is_dead(&self) -> bool {
        self.is_dead.load(Ordering::SeqCst)
    }
}

/// An operation on the real store. Returns the milliseconds for which the store is busy.
type Work = Box<dyn FnOnce(&SimStore) -> u64 + Send>;

/// An answer, and the milliseconds for which it is held back.
type Answer<T> = (Result<T, Error>, u64);

/// A store that carries out operations in the order of the requests, and takes time for it.
#[derive(Clone)]
pub struct SimStore {
    inner: MemoryStore,
    clock: SimClock,
    trace: Trace,
    faults: Arc<Mutex<Faults>>,
    life: Arc<Life>,
    random: Arc<Mutex<Random>>,
    queue: Arc<Mutex<(VecDeque<Work>, Option<Waker>)>>,
    timeline: Timeline,
    /// The number of the process.
    process: u32,
    lies: Lies,
    outage: Arc<Mutex<Duration>>,
}

/// A defect that is introduced on purpose, to check that it is detected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lies {
    /// No defect.
    #[default]
    Never,
    /// The store reports a write that it did not make: every batch with this number.
    LosesBatch(u64),
    /// The program that runs differs from the one that the model follows: its initial number is one more.
    RunsAnother,
    /// The store claims to keep decisions for a session and drops them.
    Forgets,
    /// Tools are declared idempotent that are not, so that they are called again after a crash.
    CallsAgain,
    /// Programs of a session do not add their results to its globals.
    LeavesNothing,
    /// Processes measure their leases by a stopped clock, so that they never notice a lost lease.
    NoTimePasses,
    /// Reverts claim to succeed and have no effect.
    RevertsNothing,
    /// Processes wait half as long as they are to.
    Hurries,
    /// The snippets that run differ from those that the model follows: their results are others.
    RunsOtherSnippets,
    /// Forks get another answer than they are to, and continue another history than the model knows.
    ForksAnother,
    /// The journals that are verified say something else than those in the store.
    Misreports(Falsehood),
}

/// The state that the stores of all processes of a world share.
#[derive(Clone)]
pub struct Shared {
    /// The real store.
    pub inner: MemoryStore,
    /// The clock.
    pub clock: SimClock,
    /// The trace of the world.
    pub trace: Trace,
    /// The injected faults.
    pub faults: Arc<Mutex<Faults>>,
    /// The order of writes among other events.
    pub timeline: Timeline,
    /// The defect of the store.
    pub lies: Lies,
    /// The time until which the store cannot be reached.
    pub outage: Arc<Mutex<Duration>>,
}

impl SimStore {
    /// Creates the store of a new process.
    pub fn new(shared: Shared, process: u32, life: Arc<Life>, random: Random) -> Self {
        let Shared { inner, clock, trace, faults, timeline, lies, outage } = shared;
        let random = Arc::new(Mutex::new(random));
        Self { inner, clock, trace, faults, life, random, queue: Arc::default(), timeline, process, lies, outage }
    }

    /// Carries out operations until the process dies.
    pub async fn serve(self) {
        loop {
            let queue = Arc::clone(&self.queue);
            let work = std::future::poll_fn(|context| {
                let mut queue = queue.lock().expect("no holder of the lock panics");
                match queue.0.pop_front() {
                    Some(work) => Poll::Ready(work),
                    None => {
                        queue.1 = Some(context.waker().clone());
                        Poll::Pending
                    }
                }
            });
            let work = work.await;
            self.clock.sleep(self.latency()).await;
            let held = work(&self);
            self.clock.sleep(held).await;
            if self.life.is_dying() {
                std::future::pending::<()>().await;
            }
        }
    }

    fn latency(&self) -> u64 {
        let mut random = self.random.lock().expect("no holder of the lock panics");
        match random.below(20) {
            0..12 => 0,
            12..19 => random.below(4),
            _ => random.below(300),
        }
    }

    fn happens(&self, fault: Fault) -> bool {
        self.faults.lock().expect("no holder of the lock panics").happens(fault)
    }

    fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Option<Answer<T>> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, Error>> {
        if self.life.is_dead() {
            return std::future::pending().boxed();
        }
        let (reply, replied) = oneshot::channel();
        let work: Work = Box::new(move |store| {
            let done = if store.is_out() {
                Some((Err(unavailable("the store cannot be reached", "an outage")), 0))
            } else {
                work(store)
            };
            match done {
                Some((result, held)) => {
                    // The caller may have stopped waiting.
                    drop(reply.send((result, held)));
                    held
                }
                None => {
                    store.life.is_dying.store(true, Ordering::SeqCst);
                    0
                }
            }
        });
        let mut queue = self.queue.lock().expect("no holder of the lock panics");
        queue.0.push_back(work);
        if let Some(waker) = queue.1.take() {
            waker.wake();
        }
        let (clock, late) = (self.clock.clone(), self.latency());
        async move {
            let (result, held) = match replied.await {
                Ok(replied) => replied,
                Err(_) => std::future::pending().await,
            };
            clock.sleep(late + held).await;
            result
        }
        .boxed()
    }

    /// Writes, subject to the given faults.
    fn attempt<T: Send + 'static>(
        &self,
        what: &'static str,
        faults: &'static [Fault],
        write: impl Fn(&Self) -> Result<T, Error> + Send + 'static,
    ) -> Written<T> {
        self.ask(move |store| {
            let fault = faults.iter().copied().find(|fault| store.happens(*fault));
            let written = match fault {
                Some(Fault::LostWrite | Fault::CrashBeforeWrite) => None,
                Some(Fault::DuplicateWrite) => {
                    let first = write(store);
                    let second = write(store).map(drop);
                    store.trace.line(format_args!("{what} again: {}", short(&second)));
                    Some(first)
                }
                _ => Some(write(store)),
            };
            if let Some(written) = &written {
                store.trace.line(format_args!("{what}: {}", short(&written.as_ref().map(drop).map_err(Error::clone))));
            }
            match fault {
                Some(Fault::LostWrite | Fault::TornWrite) => Some((Err(store.broken(what)), 0)),
                Some(Fault::CrashBeforeWrite | Fault::CrashAfterWrite) => None,
                Some(Fault::HeldBack) => {
                    let long = store.faults().long();
                    store.life.held_back.store(long, Ordering::SeqCst);
                    written.map(|written| (written, long))
                }
                _ => written.map(|written| (written, 0)),
            }
        })
    }

    /// Writes a change that appends a batch.
    fn append(&self, change: &Arc<Change>, append: &Append) -> Result<Holding, Error> {
        let Append { position, batch, head, .. } = append;
        let [one, two, ..] = batch.seal;
        self.trace.line(format_args!("batch {position} {one:02x}{two:02x} {} {}", head.status, head.revision));
        let holding = match self.lies {
            Lies::LosesBatch(lost) if lost == *position => {
                let rest = Change { append: None, checkpoint: None, ..Change::clone(change) };
                now(self.inner.write(Arc::new(rest)))?
            }
            _ => now(self.inner.write(Arc::clone(change)))?,
        };
        // Whether or not it was reported as failed, the batch is in the journal for good.
        let (process, execution) = (self.process, change.lease.execution.clone());
        let (position, seal, revision) = (*position, batch.seal, head.revision);
        let (epoch, is_end) = (change.lease.epoch, head.status.is_over());
        let written = timeline::Written { process, execution, position, seal, revision, epoch, is_end };
        self.timeline.note(Moment::Written(written));
        Ok(holding)
    }

    fn read<T: Send + 'static>(
        &self,
        what: &'static str,
        read: impl FnOnce(&MemoryStore) -> Result<T, Error> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, Error>> {
        self.ask(move |store| {
            let fails = store.happens(Fault::FailingRead);
            Some((if fails { Err(store.broken(what)) } else { read(&store.inner) }, 0))
        })
    }

    fn faults(&self) -> MutexGuard<'_, Faults> {
        self.faults.lock().expect("no holder of the lock panics")
    }

    /// Tells whether the store cannot be reached now.
    fn is_out(&self) -> bool {
        let mut until = self.outage.lock().expect("no holder of the lock panics");
        let now = self.clock.elapsed();
        if now >= *until && self.happens(Fault::Outage) {
            *until = now + Duration::from_millis(self.faults().long());
        }
        now < *until
    }

    fn broken(&self, what: &str) -> Error {
        let failed = if self.faults().is_permanent() { broken } else { unavailable };
        failed("the store is broken", what)
    }
}

fn short(result: &Result<(), Error>) -> &'static str {
    match result {
        Ok(()) => "done",
        Err(error) => isobox_core::Failure::from(error.clone()).code.as_str(),
    }
}

/// Returns the failure of a broken store.
fn broken(place: &str, what: &str) -> Error {
    Error::broken(place, what)
}

/// Returns the failure of a store that may be available later.
fn unavailable(place: &str, what: &str) -> Error {
    Error::unavailable(place, what)
}

/// Returns the answer of a store in memory, which is ready at once.
pub fn now<T>(answer: impl Future<Output = T>) -> T {
    answer.now_or_never().expect("memory answers at once")
}

impl Store for SimStore {
    fn key(&self) -> &StoreKey {
        self.inner.key()
    }

    fn write(&self, change: Arc<Change>) -> Written<Holding> {
        let (what, faults): (_, &[Fault]) = match *change {
            Change { create: Some(_), append: None, .. } => ("create", &Fault::OF_WRITES),
            Change { append: Some(_), release: Some(_), .. } => ("pause", &Fault::OF_APPENDS),
            Change { append: Some(_), .. } => ("append", &Fault::OF_APPENDS),
            Change { release: Some(_), .. } => ("release", &Fault::OF_WRITES),
            Change { .. } => ("checkpoint", &Fault::OF_WRITES),
        };
        self.attempt(what, faults, move |store| match &change.append {
            Some(append) => store.append(&change, append),
            None => now(store.inner.write(Arc::clone(&change))),
        })
    }

    fn acquire(&self, id: &ExecutionId, node: &Node, claim: Claim) -> BoxFuture<'_, Result<Lease, Error>> {
        let (id, node) = (id.clone(), node.clone());
        self.attempt("acquire", &Fault::OF_WRITES, move |store| {
            let lease = now(store.inner.acquire(&id, &node, claim))?;
            let (execution, epoch) = (lease.execution.clone(), lease.epoch);
            store.timeline.note(Moment::Granted(timeline::Granted { execution, epoch }));
            Ok(lease)
        })
    }

    fn keep_alive(&self, node: &Node, time: Duration) -> BoxFuture<'_, Result<(), Error>> {
        let node = node.clone();
        self.attempt("beat", &[Fault::LostWrite], move |store| now(store.inner.keep_alive(&node, time)))
    }

    fn renew(&self, lease: &Lease, time: Duration) -> Written<()> {
        let lease = lease.clone();
        self.attempt("renew", &[Fault::LostWrite, Fault::HeldBack], move |store| now(store.inner.renew(&lease, time)))
    }

    fn load(&self, id: &ExecutionId, part: Part) -> BoxFuture<'_, Result<Stored, Error>> {
        let (id, faults) = (id.clone(), Arc::clone(&self.faults));
        self.read("load", move |inner| {
            let mut faults = faults.lock().expect("no holder of the lock panics");
            let mut stored = now(inner.load(&id, part))?;
            if let Some(checkpoint) = &mut stored.checkpoint {
                if faults.happens(Fault::CheckpointMissing) {
                    return now(inner.load(&id, Part::Whole));
                }
                if faults.happens(Fault::CheckpointDamaged) {
                    let place = checkpoint.bytes.len() / 2;
                    checkpoint.bytes[place] ^= 1;
                }
            }
            Ok(stored)
        })
    }

    fn post(&self, id: &ExecutionId, messages: Vec<Message>, state: ExpectedState) -> BoxFuture<'_, Result<(), Error>> {
        let id = id.clone();
        self.attempt("post", &[Fault::LostWrite, Fault::TornWrite], move |store| {
            now(store.inner.post(&id, messages.clone(), state.clone()))
        })
    }

    fn inbox(&self, id: &ExecutionId) -> BoxFuture<'_, Result<Vec<Message>, Error>> {
        let id = id.clone();
        self.read("inbox", move |inner| now(inner.inbox(&id)))
    }

    /// Every other process is notified at once of all changes. The remaining ones have to poll.
    fn subscribe(&self, id: &ExecutionId) -> Subscription {
        if self.process.is_multiple_of(2) { self.inner.subscribe(id) } else { Subscription::never() }
    }

    fn list(&self, filter: Filter) -> BoxFuture<'_, Result<Page, Error>> {
        self.read("list", move |inner| now(inner.list(filter)))
    }

    fn due(&self, moment: Timestamp, after: Option<DuePlace>, limit: u32) -> BoxFuture<'_, Result<Agenda, Error>> {
        self.read("due", move |inner| now(inner.due(moment, after, limit)))
    }

    fn delete(&self, id: &ExecutionId, state: ExpectedState) -> BoxFuture<'_, Result<(), Error>> {
        let id = id.clone();
        self.attempt("delete", &[Fault::LostWrite], move |store| now(store.inner.delete(&id, state.clone())))
    }

    fn remember(&self, session: &str, about: &str, decision: Vec<u8>) -> BoxFuture<'_, Result<(), Error>> {
        let (session, about) = (session.to_owned(), about.to_owned());
        self.attempt("remember", &Fault::OF_WRITES, move |store| {
            if store.lies == Lies::Forgets {
                return Ok(());
            }
            now(store.inner.remember(&session, &about, decision.clone()))
        })
    }

    fn recall(&self, session: &str, about: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, Error>> {
        let (session, about) = (session.to_owned(), about.to_owned());
        self.read("recall", move |inner| now(inner.recall(&session, &about)))
    }

    fn amend_document(&self, collection: Collection, key: &str, change: Arc<Amendment>) -> Written<()> {
        let key = key.to_owned();
        self.attempt("amend", &Fault::OF_WRITES, move |store| {
            now(store.inner.amend_document(collection, &key, Arc::clone(&change)))
        })
    }

    fn document(&self, collection: Collection, key: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, Error>> {
        let key = key.to_owned();
        self.read("document", move |inner| now(inner.document(collection, &key)))
    }

    fn documents(
        &self,
        collection: Collection,
        after: &str,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Document>, Error>> {
        let after = after.to_owned();
        self.read("documents", move |inner| now(inner.documents(collection, &after, limit)))
    }
}
