//! The location of a program: in the sandbox, or evicted while it waits and others use its place.

use std::time::Duration;

use crate::driver::ErrorKind;
use crate::run::capacity::{self, Idle};
use crate::run::explain::timed_out;
use crate::run::snippet_runs::family::Family;
use crate::run::starting::revival::Revival;
use crate::run::waiting::until;
use crate::{ByteSize, Fact, Failure, Log, Permit, Snapshot};

/// The time that a program waits before it may be evicted. For shorter waits an eviction does not pay.
const IDLE_AFTER: Duration = Duration::from_millis(100);

/// The delay before a driver that had no place is asked again. It doubles with each further attempt.
const FIRST_PAUSE: Duration = Duration::from_millis(10);

/// The maximum delay between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_millis(250);

/// The location of a program.
#[expect(clippy::large_enum_variant, reason = "most programs are live until they end, and need no box for that")]
pub(crate) enum Location {
    /// In the sandbox, with a permit.
    Live(Live),
    /// Outside the sandbox: the program waits without a permit.
    Evicted(Evicted),
    /// Nowhere: the program has returned. Others use its place.
    Returned(Remains),
}

/// The remains of a program that has returned.
pub(crate) struct Remains {
    cpu_used: Duration,
    unfinished: Unfinished,
}

/// The log messages and facts of a program since its last step.
#[derive(Default)]
pub(crate) struct Unfinished {
    pub(crate) logs: Vec<Log>,
    pub(crate) facts: Vec<Fact>,
}

/// A program in the sandbox.
pub(crate) struct Live {
    pub(crate) instance: Family,
    permit: Permit,
    waiting_since: Option<Duration>,
    /// Whether the program may be evicted while it waits.
    is_movable: bool,
}

/// A program outside the sandbox.
pub(crate) struct Evicted {
    state: State,
    /// The CPU time that it has used.
    cpu_used: Duration,
    _counted: capacity::Evicted,
}

enum State {
    /// In memory: the execution is not durable, or has received a value that must not be stored.
    InMemory(Snapshot),
    /// In the store, beside its journal.
    InStore,
}

impl Live {
    pub(crate) fn new(instance: Family, permit: Permit) -> Self {
        Self { instance, permit, waiting_since: None, is_movable: true }
    }

    fn unfinished(&mut self) -> Unfinished {
        Unfinished { logs: self.instance.take_logs(), facts: self.instance.take_facts() }
    }

    /// Ends a wait.
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

    /// Acquires a permit, and restores the program. If the driver has no place for a program that is not durable, waits until it
    /// has one: the calls of the program were made, and it cannot be resumed.
    async fn come_back(&self, mut revival: Revival<'_, '_>, deadline: Duration) -> Result<Live, Failure> {
        let (host, execution) = (revival.setting.host, revival.setting.execution);
        let clock = &*host.clock;
        // The outcomes of calls are recorded even if the program cannot be restored.
        revival.journal.send();
        let mut pause = FIRST_PAUSE;
        loop {
            let admitted = until(clock, deadline, host.capacity.readmit()).await;
            let admitted = admitted.ok_or_else(|| timed_out(&execution.limits))?;
            let permit = revival.journal.heed(admitted)?;
            let instance = match &self.state {
                State::InMemory(snapshot) => match host.restore(snapshot, revival.start_options(&permit)).await {
                    Err(error) if error.kind == ErrorKind::Busy && !revival.journal.is_on() => None,
                    restored => Some(restored.map_err(Failure::from)),
                },
                State::InStore => Some(revival.revive_from_store(&permit).await.map_err(Failure::from)),
            };
            if let Some(instance) = instance {
                let mut instance = revival.journal.heed(instance)?;
                instance.set_cpu_used(self.cpu_used);
                return Ok(Live::new(instance, permit));
            }
            drop(permit);
            host.capacity.reclaim();
            clock.sleep_until(clock.elapsed().saturating_add(pause).min(deadline)).await;
            if clock.elapsed() >= deadline {
                return Err(timed_out(&execution.limits));
            }
            pause = pause.saturating_mul(2).min(LONGEST_PAUSE);
        }
    }
}

impl Location {
    /// Returns the program in the sandbox. Restores it first if it was evicted.
    pub(crate) async fn live(&mut self, revival: Revival<'_, '_>, deadline: Duration) -> Result<&mut Live, Failure> {
        if let Self::Evicted(evicted) = self {
            *self = Self::Live(evicted.come_back(revival, deadline).await?);
        }
        match self {
            Self::Live(live) => Ok(live),
            Self::Evicted(_) => unreachable!("the program was restored above"),
            Self::Returned(_) => unreachable!("a program that has returned takes no step"),
        }
    }

    /// Returns a future that completes when the place is wanted, if the program has waited long enough. Also returns
    /// when that will be.
    pub(crate) fn idle(&mut self, now: Duration) -> (Option<Idle>, Duration) {
        let Self::Live(live) = self else { return (None, Duration::MAX) };
        let idle_at = live.waiting_since.get_or_insert(now).saturating_add(IDLE_AFTER);
        match live.is_movable {
            false => (None, Duration::MAX),
            true if now < idle_at => (None, idle_at),
            true => (Some(live.permit.idle()), Duration::MAX),
        }
    }

    /// Returns a snapshot of a program in the sandbox, and its CPU time. If the snapshot is too large, the program is
    /// not evicted before its next step.
    pub(crate) async fn snapshot(&mut self, limit: ByteSize) -> Option<(Snapshot, Duration)> {
        let Self::Live(live) = self else { return None };
        let snapshot = live.instance.snapshot(limit).await;
        live.is_movable = snapshot.is_some();
        Some((snapshot?, live.instance.cpu_used()))
    }

    /// Gives the place of a program that has returned to others.
    pub(crate) fn leave(&mut self) {
        if let Self::Live(live) = self {
            let (cpu_used, unfinished) = (live.instance.cpu_used(), live.unfinished());
            *self = Self::Returned(Remains { cpu_used, unfinished });
        }
    }

    /// Returns the CPU time that the program has used.
    pub(crate) fn cpu_used(&self) -> Duration {
        match self {
            Self::Live(live) => live.instance.cpu_used(),
            Self::Evicted(evicted) => evicted.cpu_used,
            Self::Returned(remains) => remains.cpu_used,
        }
    }

    /// Ends the program, and returns what it has told since the last step.
    pub(crate) fn end(self) -> Unfinished {
        match self {
            Self::Live(mut live) => live.unfinished(),
            Self::Evicted(_) => Unfinished::default(),
            Self::Returned(remains) => remains.unfinished,
        }
    }
}
