//! Where the program of an execution is: in the sandbox, or outside it while it waits and others have its place.

use std::time::Duration;

use crate::driver::Instance;
use crate::run::capacity::{self, Idle};
use crate::run::explain::timed_out;
use crate::run::revival::Revival;
use crate::run::waiting::until;
use crate::{ByteSize, Failure, Log, Permit, Snapshot};

/// How long a program waits before its place can be asked for: what answers sooner is not worth the way.
const IDLE_AFTER: Duration = Duration::from_millis(100);

/// Where a program is.
pub(crate) enum Location {
    /// In the sandbox, with a place among the live programs.
    Live(Live),
    /// Outside the sandbox: it waits, and has given its place away.
    Evicted(Evicted),
}

/// A program in the sandbox.
pub(crate) struct Live {
    pub(crate) instance: Box<dyn Instance>,
    permit: Permit,
    waiting_since: Option<Duration>,
    /// Whether its place can be asked for while it waits.
    is_movable: bool,
}

/// A program outside the sandbox.
pub(crate) struct Evicted {
    state: State,
    /// The processor time that it has used.
    cpu_used: Duration,
    _counted: capacity::Evicted,
}

enum State {
    /// The execution is not kept, or has seen a value that must not be.
    InMemory(Snapshot),
    /// Beside its journal.
    InStore,
}

impl Live {
    pub(crate) fn new(instance: Box<dyn Instance>, permit: Permit) -> Self {
        Self { instance, permit, waiting_since: None, is_movable: true }
    }

    /// Ends a wait: the program goes on.
    pub(crate) fn goes_on(&mut self) {
        (self.waiting_since, self.is_movable) = (None, true);
    }
}

impl Evicted {
    pub(crate) fn in_memory(snapshot: Snapshot, cpu_used: Duration, capacity: &crate::Capacity) -> Self {
        let _counted = capacity.evicted(snapshot.bytes.len() as u64);
        Self { state: State::InMemory(snapshot), cpu_used, _counted }
    }

    pub(crate) fn in_store(cpu_used: Duration, capacity: &crate::Capacity) -> Self {
        Self { state: State::InStore, cpu_used, _counted: capacity.evicted(0) }
    }

    /// Takes a place again, and brings the program back to it.
    async fn come_back(&self, mut revival: Revival<'_, '_>, deadline: Duration) -> Result<Live, Failure> {
        let (host, execution) = (revival.setting.host, revival.setting.execution);
        // What came of calls is not lost with a program that cannot come back.
        revival.journal.send();
        let admitted = until(&*host.clock, deadline, host.capacity.readmit()).await;
        let admitted = admitted.ok_or_else(|| timed_out(&execution.limits))?;
        let permit = revival.journal.heed(admitted)?;
        let instance = match &self.state {
            State::InMemory(snapshot) => {
                let restored = host.driver.restore(snapshot, revival.start_options(&permit)).await;
                restored.map_err(Failure::from)
            }
            State::InStore => revival.revive_from_store(&permit).await.map_err(Failure::from),
        };
        let mut instance = revival.journal.heed(instance)?;
        instance.set_cpu_used(self.cpu_used);
        Ok(Live::new(instance, permit))
    }
}

impl Location {
    /// Returns the program in the sandbox, where it takes a place again if it has given up its own.
    pub(crate) async fn live(&mut self, revival: Revival<'_, '_>, deadline: Duration) -> Result<&mut Live, Failure> {
        if let Self::Evicted(evicted) = self {
            *self = Self::Live(evicted.come_back(revival, deadline).await?);
        }
        match self {
            Self::Live(live) => Ok(live),
            Self::Evicted(_) => unreachable!("it has come back"),
        }
    }

    /// Returns what asks for the place once the program has waited for long enough; and when that will be, otherwise.
    pub(crate) fn idle(&mut self, now: Duration) -> (Option<Idle>, Duration) {
        let Self::Live(live) = self else { return (None, Duration::MAX) };
        let idle_at = live.waiting_since.get_or_insert(now).saturating_add(IDLE_AFTER);
        match live.is_movable {
            false => (None, Duration::MAX),
            true if now < idle_at => (None, idle_at),
            true => (Some(live.permit.idle()), Duration::MAX),
        }
    }

    /// Returns the memory of a program in the sandbox, with the processor time that it has used. Where it is too large to be kept,
    /// the place is not asked for again before the program has gone on.
    pub(crate) async fn snapshot(&mut self, limit: ByteSize) -> Option<(Snapshot, Duration)> {
        let Self::Live(live) = self else { return None };
        let snapshot = live.instance.snapshot(limit).await;
        live.is_movable = snapshot.is_some();
        Some((snapshot?, live.instance.cpu_used()))
    }

    /// Returns the processor time that the program has used.
    pub(crate) fn cpu_used(&self) -> Duration {
        match self {
            Self::Live(live) => live.instance.cpu_used(),
            Self::Evicted(evicted) => evicted.cpu_used,
        }
    }

    /// Ends the program, and returns what it has logged since its last step.
    pub(crate) fn end(self) -> Vec<Log> {
        match self {
            Self::Live(mut live) => live.instance.take_logs(),
            Self::Evicted(_) => Vec::new(),
        }
    }
}
