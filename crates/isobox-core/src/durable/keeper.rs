//! Where a process keeps executions, and which of them it holds.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::durable::tenure::{Confirmed, Tenure, TenureNumber};
use crate::store::{Change, Error, Lease, Node, Release, Store};
use crate::{Clock, Code, ExecutionId, Failure};

/// Where executions are kept, and by whom they are held. Clones are the same holder.
///
/// A lease is held for as long as its node is alive, so that a process that lives has to let go of what it no longer runs:
/// what could not be let go of at once, because the store failed or because nobody waited for it, is let go of by
/// [`Keeper::keep_alive`].
#[derive(Clone)]
pub struct Keeper {
    /// Where.
    pub store: Arc<dyn Store>,
    /// This process, which has to say that it is alive for as long as it runs executions.
    pub node: Node,
    /// How long leases last, and what follows from that.
    pub timing: Timing,
    clock: Arc<dyn Clock>,
    here: Arc<Mutex<Here>>,
}

/// How long leases last, and what follows from that. The same for all processes that share a store.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timing {
    /// How long after its last heartbeat others take a process to be dead, and its executions over: 30 s.
    pub lease: Duration,
    /// How often a process sends a heartbeat: 10 s.
    pub heartbeat: Duration,
    /// No call starts in the last part of a lease, this long: 5 s. A process that comes there renews the lease first.
    pub margin: Duration,
    /// How long a running execution tries again when the store fails in a way that may pass: 30 s.
    pub outage: Duration,
    /// How long after the start of a call nobody may say that it did not happen: the process that started it may be slow
    /// rather than dead. Where this says nothing: the lease, and then the time that its execution had left.
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
    /// Refuses, with `CONFIG`, times in which no call could ever start.
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
    /// Not running any more, and perhaps still held.
    left: Vec<ExecutionId>,
    tenure: Tenure,
}

impl Keeper {
    /// Holds executions under the name of a node that no other process has.
    pub fn new(store: Arc<dyn Store>, node: Node, clock: Arc<dyn Clock>, timing: Timing) -> Self {
        Self { store, node, timing, clock, here: Arc::default() }
    }

    /// Sends a heartbeat, and lets go of what this process no longer runs.
    pub async fn keep_alive(&self) -> Result<(), Error> {
        let (sent, time) = (self.clock.boot_time(), self.timing.lease);
        self.store.keep_alive(&self.node, time).await?;
        self.lock().tenure.confirm(sent, self.clock.boot_time(), time);
        let left = std::mem::take(&mut self.lock().left);
        for id in left {
            // Somebody goes on with it here.
            let Ok(presence) = self.enter(&id) else { continue };
            if self.let_go(&id).await.is_ok() {
                presence.leave();
            }
        }
        Ok(())
    }

    /// Tells the store that this process is gone, so that others can take its executions over at once. No call starts here
    /// from now on.
    pub async fn stop(&self) -> Result<(), Error> {
        self.lock().tenure.end();
        self.store.keep_alive(&self.node, Duration::ZERO).await
    }

    /// Makes sure that this process still holds a lease, by the store.
    pub(crate) async fn renew(&self, lease: &Lease) -> Result<TenureNumber, Error> {
        let (sent, time, before) = (self.clock.boot_time(), self.timing.lease, self.tenure());
        self.store.renew(lease, time).await?;
        let mut here = self.lock();
        Ok(match here.tenure.confirm(sent, self.clock.boot_time(), time) {
            Confirmed::BeginsAnew => here.tenure.number(),
            // It was handed over in that tenure; where another has begun since, it proves nothing.
            Confirmed::GoesOn | Confirmed::Overtaken => before,
        })
    }

    /// The tenure in which something is handed over now.
    pub(crate) fn tenure(&self) -> TenureNumber {
        self.lock().tenure.number()
    }

    /// Whether a lease that was proved to be held in a tenure still is.
    pub(crate) fn still_holds(&self, proved: TenureNumber) -> bool {
        self.lock().tenure.covers(proved, self.clock.boot_time(), self.timing.margin)
    }

    /// Registers an execution as run by this process, until the result is dropped.
    /// [`ErrorKind::HeldElsewhere`](crate::store::ErrorKind::HeldElsewhere) where this process runs it already.
    pub(crate) fn enter(&self, id: &ExecutionId) -> Result<Presence, Error> {
        if !self.lock().running.insert(id.clone()) {
            return Err(Error::held_elsewhere(id));
        }
        Ok(Presence { here: Arc::clone(&self.here), id: id.clone(), has_let_go: false })
    }

    async fn let_go(&self, id: &ExecutionId) -> Result<(), Error> {
        let released = match self.store.acquire(id, &self.node).await {
            Ok(lease) => self.store.write(Arc::new(Change::release(lease.clone(), Release::Anyhow))).await.map(drop),
            Err(error) => Err(error),
        };
        match released {
            // It is over or gone, or somebody else has it.
            Err(error) if error.kind().is_refusal() => Ok(()),
            released => released,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Here> {
        lock(&self.here)
    }
}

/// An execution runs here for as long as this is there.
pub(crate) struct Presence {
    here: Arc<Mutex<Here>>,
    id: ExecutionId,
    has_let_go: bool,
}

impl Presence {
    /// The execution is over, or somebody else may have it.
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
    // Every change is made whole before the lock is given back.
    here.lock().unwrap_or_else(PoisonError::into_inner)
}
