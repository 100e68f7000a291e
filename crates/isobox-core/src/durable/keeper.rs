//! The store that a process uses, and the executions that it holds there.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::durable::tenure::{Confirmed, Tenure, TenureNumber};
use crate::snippets::{Shelf, SnippetOptions};
use crate::store::{Change, Claim, Error, Lease, Node, Release, Store};
use crate::{Clock, Code, ExecutionId, Failure};

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
}

/// The executions of this process.
#[derive(Default)]
struct Here {
    running: HashSet<ExecutionId>,
    /// Executions that no longer run here and may still be held.
    left: Vec<ExecutionId>,
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

    /// Returns the keeper for a plan, which counts no runs of snippets.
    pub(crate) fn for_plan(&self) -> Self {
        Self { snippets: Arc::new(self.snippets.without_counting()), ..self.clone() }
    }

    /// Sends a heartbeat, and releases the executions that this process no longer runs.
    pub async fn keep_alive(&self) -> Result<(), Error> {
        let (sent, time) = (self.clock.boot_time(), self.timing.lease);
        self.store.keep_alive(&self.node, time).await?;
        self.lock().tenure.confirm(sent, self.clock.boot_time(), time);
        let left = std::mem::take(&mut self.lock().left);
        for id in left {
            // The execution was resumed in this process.
            let Ok(presence) = self.enter(&id) else { continue };
            if self.let_go(&id).await.is_ok() {
                presence.leave();
            }
        }
        Ok(())
    }

    /// Tells the store that this process has stopped, so that others can take over its executions at once. No call
    /// starts in this process from now on.
    pub async fn stop(&self) -> Result<(), Error> {
        self.lock().tenure.end();
        self.store.keep_alive(&self.node, Duration::ZERO).await
    }

    /// Confirms a lease in the store, and renews it.
    pub(crate) async fn renew(&self, lease: &Lease) -> Result<TenureNumber, Error> {
        let (sent, time, before) = (self.clock.boot_time(), self.timing.lease, self.tenure());
        self.store.renew(lease, time).await?;
        let mut here = self.lock();
        Ok(match here.tenure.confirm(sent, self.clock.boot_time(), time) {
            Confirmed::BeginsAnew => here.tenure.number(),
            // The renewal was sent in that tenure, and proves nothing for one that has begun since.
            Confirmed::GoesOn | Confirmed::Overtaken => before,
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

    /// Registers an execution as run by this process, until the result is dropped. Returns
    /// [`ErrorKind::HeldElsewhere`](crate::store::ErrorKind::HeldElsewhere) if this process already runs it.
    pub(crate) fn enter(&self, id: &ExecutionId) -> Result<Presence, Error> {
        if !self.lock().running.insert(id.clone()) {
            return Err(Error::held_elsewhere(id));
        }
        Ok(Presence { here: Arc::clone(&self.here), id: id.clone(), has_let_go: false })
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
            here.left.push(self.id.clone());
        }
    }
}

fn lock(here: &Mutex<Here>) -> MutexGuard<'_, Here> {
    // Every change is complete before the lock is released.
    here.lock().unwrap_or_else(PoisonError::into_inner)
}
