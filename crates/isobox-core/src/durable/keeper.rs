//! The store that a process uses, and the executions that it holds there.

use std::collections::{HashSet, VecDeque};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::{join_all, select};

use crate::durable::tenure::{Confirmed, Tenure, TenureNumber};
use crate::snippets::{Shelf, SnippetOptions};
use crate::store::{Change, Claim, Error, ErrorKind, Lease, Node, Release, Store};
use crate::{Clock, Code, ExecutionId, Failure};

/// The maximum number of executions that are released at the same time.
const RELEASED_AT_ONCE: usize = 16;

/// A store, together with the node that holds leases in it. Clones are the same node.
///
/// A lease lasts for as long as its node is alive, so a live process has to release the executions that it no longer
/// runs. [`Keeper::keep_alive`] releases those that could not be released at once, because the store failed or the
/// caller was dropped.
#[derive(Clone)]
pub struct Keeper {
    /// The store.
    pub store: Arc<dyn Store>,
    /// The node of this process. It must send heartbeats for as long as the process runs executions.
    pub node: Node,
    /// The durations of leases and heartbeats.
    pub timing: Timing,
    /// The snippets of the store.
    pub snippets: Arc<Shelf>,
    clock: Arc<dyn Clock>,
    here: Arc<Mutex<Here>>,
}

/// The durations of leases and heartbeats. They must be the same for all processes that share a store.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timing {
    /// The time after its last heartbeat at which a node is considered dead and its leases expire: 30 s.
    pub lease: Duration,
    /// The interval between heartbeats: 10 s.
    pub heartbeat: Duration,
    /// The last part of a lease, in which no call starts before the lease is renewed: 5 s.
    pub margin: Duration,
    /// The time for which a running execution retries after a transient failure of the store: 30 s.
    pub outage: Duration,
    /// The time after the start of a call during which a person may not say that it did not happen, because the process
    /// that started it may be slow rather than dead. By default the lease plus the time that the execution had left.
    pub doubt: Option<Duration>,
}

impl Timing {
    setters! {
        lease: Duration,
        heartbeat: Duration,
        margin: Duration,
        outage: Duration,
        doubt: impl Into<Option<Duration>>,
    }
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(30),
            heartbeat: Duration::from_secs(10),
            margin: Duration::from_secs(5),
            outage: Duration::from_secs(30),
            doubt: None,
        }
    }
}

impl Timing {
    /// Returns `CONFIG` for durations that leave no time in which a call could start.
    pub fn check(&self) -> Result<(), Failure> {
        if self.heartbeat.saturating_add(self.margin) < self.lease {
            return Ok(());
        }
        let Self { lease, heartbeat, margin, .. } = self;
        let message =
            format!("a lease of {lease:?} has no room for a heartbeat every {heartbeat:?} and a margin of {margin:?}");
        Err(Failure::new(Code::Config, message).hint("make the lease longer than both together"))
    }

    /// Returns the time that a process may take between two heartbeats for something else.
    fn spare(&self) -> Duration {
        self.lease.saturating_sub(self.heartbeat).saturating_sub(self.margin) / 2
    }
}

/// The executions of this process.
#[derive(Default)]
struct Here {
    running: HashSet<ExecutionId>,
    /// Executions that no longer run here and may still be held.
    left: VecDeque<ExecutionId>,
    tenure: Tenure,
}

impl Keeper {
    /// Holds executions as this node. No other process may use its name.
    pub fn new(store: Arc<dyn Store>, node: Node, clock: Arc<dyn Clock>, timing: Timing) -> Self {
        let snippets = Shelf::new(Arc::clone(&store), Arc::clone(&clock), SnippetOptions::default());
        Self { store, node, timing, snippets: Arc::new(snippets), clock, here: Arc::default() }
    }

    /// Sets how snippets earn trust.
    #[must_use]
    pub fn with_snippets(mut self, options: SnippetOptions) -> Self {
        self.snippets = Arc::new(Shelf::new(Arc::clone(&self.store), Arc::clone(&self.clock), options));
        self
    }

    /// Returns the same keeper for runs of snippets that are not counted: those of plans and of examples.
    #[must_use]
    pub fn without_counting(&self) -> Self {
        Self { snippets: Arc::new(self.snippets.without_counting()), ..self.clone() }
    }

    /// Sends a heartbeat, and releases executions that this process no longer runs. Fails after [`Keeper::stop`].
    ///
    /// Releasing takes no longer than the next heartbeat can wait. Executions that are not released by then are released after
    /// later heartbeats.
    pub async fn keep_alive(&self) -> Result<(), Error> {
        self.check_going()?;
        let (sent, time) = (self.clock.boot_time(), self.timing.lease);
        self.store.keep_alive(&self.node, time).await?;
        if self.lock().tenure.confirm(sent, self.clock.boot_time(), time) == Confirmed::Over {
            return Err(stopped());
        }
        self.release_left().await;
        Ok(())
    }

    /// Releases executions that this process no longer runs, until the time is over or the store fails.
    async fn release_left(&self) {
        if self.lock().left.is_empty() {
            return;
        }
        let limit = self.clock.elapsed().saturating_add(self.timing.spare());
        let releasing = (0..RELEASED_AT_ONCE).map(|_| async move { while self.release_next().await {} });
        drop(select(pin!(join_all(releasing)), self.clock.sleep_until(limit)).await);
    }

    /// Releases the execution that was left first. If that fails or is dropped, the execution is the last one again. Returns
    /// whether it succeeded.
    async fn release_next(&self) -> bool {
        let Some(id) = self.next_left() else { return false };
        // The execution was resumed in this process.
        let Ok(presence) = self.enter(&id) else { return true };
        let is_released = self.let_go(&id).await.is_ok();
        if is_released {
            presence.leave();
        }
        is_released
    }

    fn next_left(&self) -> Option<ExecutionId> {
        self.lock().left.pop_front()
    }

    /// Tells the store that this process has stopped, so that others can take over its executions at once. This is final:
    /// from now on, this keeper and its clones send no heartbeat, renew no lease and enter no execution, and no call of a
    /// durable execution starts in this process. Executions that still run are interrupted when they make a call.
    pub async fn stop(&self) -> Result<(), Error> {
        self.lock().tenure.end();
        self.store.keep_alive(&self.node, Duration::ZERO).await
    }

    /// Confirms a lease in the store, and renews it.
    pub(crate) async fn renew(&self, lease: &Lease) -> Result<TenureNumber, Error> {
        self.check_going()?;
        let (sent, time, before) = (self.clock.boot_time(), self.timing.lease, self.tenure());
        self.store.renew(lease, time).await?;
        let mut here = self.lock();
        Ok(match here.tenure.confirm(sent, self.clock.boot_time(), time) {
            Confirmed::BeginsAnew => here.tenure.number(),
            // The renewal was sent in that tenure, and proves nothing for one that has begun since.
            Confirmed::GoesOn | Confirmed::Overtaken => before,
            Confirmed::Over => return Err(stopped()),
        })
    }

    /// Returns the tenure to which a change that is sent now belongs.
    pub(crate) fn tenure(&self) -> TenureNumber {
        self.lock().tenure.number()
    }

    /// Tells whether a lease that was proved in a tenure is still held.
    pub(crate) fn still_holds(&self, proved: TenureNumber) -> bool {
        self.lock().tenure.covers(proved, self.clock.boot_time(), self.timing.margin)
    }

    /// Takes the lease of an execution, and registers the execution as run by this process.
    pub(crate) async fn acquire(&self, id: &ExecutionId, claim: Claim) -> Result<Held, Error> {
        let presence = self.enter(id)?;
        let proved = self.tenure();
        match self.store.acquire(id, &self.node, claim).await {
            Ok(lease) => Ok(Held { lease, presence, proved }),
            Err(error) => {
                if error.kind().is_refusal() {
                    // The lease was not acquired, so there is nothing to release.
                    presence.leave();
                }
                Err(error)
            }
        }
    }

    /// Releases the lease of an execution that was not changed. If that fails now, it is done later.
    pub(crate) async fn release(&self, held: Held) {
        if self.store.write(Arc::new(Change::release(held.lease, Release::Anyhow))).await.is_ok() {
            held.presence.leave();
        }
    }

    /// Passes on what is needed to go on with an execution. After an error its lease is released.
    pub(crate) async fn or_release<T, E>(&self, held: Held, needed: Result<T, E>) -> Result<(Held, T), E> {
        match needed {
            Ok(needed) => Ok((held, needed)),
            Err(error) => {
                self.release(held).await;
                Err(error)
            }
        }
    }

    /// Registers an execution as run by this process, until the result is dropped. Returns
    /// [`ErrorKind::HeldElsewhere`] if this process already runs it, and [`ErrorKind::Broken`] after [`Keeper::stop`].
    pub(crate) fn enter(&self, id: &ExecutionId) -> Result<Presence, Error> {
        self.check_going()?;
        if !self.lock().running.insert(id.clone()) {
            return Err(Error::held_elsewhere(id));
        }
        Ok(Presence { here: Arc::clone(&self.here), id: id.clone(), has_let_go: false })
    }

    /// Fails if this process has stopped.
    fn check_going(&self) -> Result<(), Error> {
        if self.lock().tenure.is_over() { Err(stopped()) } else { Ok(()) }
    }

    async fn let_go(&self, id: &ExecutionId) -> Result<(), Error> {
        let released = match self.store.acquire(id, &self.node, Claim::Unfinished).await {
            Ok(lease) => self.store.write(Arc::new(Change::release(lease.clone(), Release::Anyhow))).await.map(drop),
            Err(error) => Err(error),
        };
        match released {
            // The execution has ended or was deleted, or another process holds it.
            Err(error) if error.kind().is_refusal() => Ok(()),
            released => released,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Here> {
        lock(&self.here)
    }
}

fn stopped() -> Error {
    Error::new(ErrorKind::Broken, "this process has stopped: it runs no more durable executions")
        .hint("run or resume the execution in another process")
}

/// An execution whose lease this process holds, and which runs only once in this process.
pub(crate) struct Held {
    pub(crate) lease: Lease,
    pub(crate) presence: Presence,
    /// The tenure in which the lease is known to be held.
    pub(crate) proved: TenureNumber,
}

/// Marks an execution as run by this process until it is dropped.
pub(crate) struct Presence {
    here: Arc<Mutex<Here>>,
    id: ExecutionId,
    has_let_go: bool,
}

impl Presence {
    /// Unregisters an execution that has ended or that another process may hold. No release is needed.
    pub(crate) fn leave(mut self) {
        self.has_let_go = true;
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        let mut here = lock(&self.here);
        here.running.remove(&self.id);
        if !self.has_let_go {
            here.left.push_back(self.id.clone());
        }
    }
}

fn lock(here: &Mutex<Here>) -> MutexGuard<'_, Here> {
    // Every change is complete before the lock is released.
    here.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::Timestamp;
    use crate::journal::{Batch, StoreKey};
    use crate::set_clock::SetClock;
    use crate::store::{Head, MemoryStore, NewExecution, Status};

    fn at_once<T>(answer: impl Future<Output = T>) -> T {
        answer.now_or_never().expect("memory answers at once")
    }

    fn lease_of_new(keeper: &Keeper, id: &ExecutionId) -> Lease {
        let head = Head {
            status: Status::Running,
            revision: 0,
            pending: 0,
            pending_calls: Vec::new(),
            calls: 0,
            updated: Timestamp(0),
            function: None,
            owner: None,
            code: None,
            due: None,
        };
        let lease = Lease::first(id, &keeper.node);
        let beginning = Batch { bytes: Vec::<u8>::new().into(), seal: [0; 32] };
        let new = NewExecution { created: Timestamp(0), beginning, head };
        at_once(keeper.store.write(Arc::new(Change::create(lease.clone(), new)))).expect("its ID is free");
        lease
    }

    #[test]
    fn a_stopped_process_holds_nothing_and_renews_nothing() {
        let clock = Arc::<SetClock>::default();
        clock.advance(Duration::from_millis(1));
        let store: Arc<dyn Store> =
            Arc::new(MemoryStore::new(StoreKey::new([1; 32]), Arc::<SetClock>::clone(&clock) as Arc<dyn Clock>));
        let node = |name: &str| {
            let clock = Arc::<SetClock>::clone(&clock) as Arc<dyn Clock>;
            Keeper::new(Arc::clone(&store), Node(name.into()), clock, Timing::default())
        };
        let (keeper, other) = (node("here"), node("there"));
        let (id, another) = (ExecutionId::new(1, 1), ExecutionId::new(1, 2));
        at_once(keeper.keep_alive()).expect("it is alive");
        let (lease, proved) = (lease_of_new(&keeper, &id), keeper.tenure());
        assert!(keeper.still_holds(proved));
        let acquired =
            || at_once(other.store.acquire(&id, &other.node, Claim::Unfinished)).map_err(|error| error.kind());
        assert_eq!(acquired().err(), Some(ErrorKind::HeldElsewhere));

        at_once(keeper.clone().stop()).expect("the store works");
        for _ in 0..2 {
            assert!(!keeper.still_holds(proved) && !keeper.still_holds(keeper.tenure()));
            let refusals = [
                at_once(keeper.renew(&lease)).map(drop),
                at_once(keeper.keep_alive()),
                keeper.enter(&another).map(drop),
            ];
            for refused in refusals {
                assert_eq!(refused.map_err(|error| error.kind()), Err(ErrorKind::Broken));
            }
            clock.advance(Duration::from_secs(1));
        }
        assert!(acquired().is_ok(), "another process can take over at once");
    }
}
