//! Limits live executions: admits them by the memory that they use, then queues them fairly up to a bound.

mod idle;

use std::collections::{BTreeMap, VecDeque};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use crate::{ByteSize, Code, Failure};

use idle::Slot;
pub(crate) use idle::{Evicted, Idle};

/// The capacity of a runtime for live executions. Clones share it.
///
/// Executions are admitted in the order of their requests. One is admitted while the memory of all live ones, plus the
/// minimum of a new one, is within the limit. The first is always admitted. A live execution may grow beyond the limit
/// (its own limit applies), which only delays others.
///
/// If there is no room, the executions that have waited the longest are evicted, before others have to wait until one
/// ends.
#[derive(Debug, Clone)]
pub struct Capacity(Arc<Shared>);

/// The settings of a [`Capacity`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CapacityLimits {
    /// The memory of all live executions together.
    pub memory: ByteSize,
    /// The maximum number of live executions.
    pub live: u32,
    /// The maximum number of executions in the queue. Further ones are refused with `BUSY`.
    pub queue: u32,
}

/// The current use of a capacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CapacityUse {
    /// The memory of all live executions together.
    pub memory: ByteSize,
    /// The number of live executions.
    pub live: u32,
    /// The number of queued executions.
    pub queued: u32,
    /// The number of executions that have given up their permit and are not queued for a new one.
    pub evicted: u32,
}

#[derive(Debug)]
struct Shared {
    initial: CapacityLimits,
    state: Mutex<State>,
    /// The memory of all live executions in bytes. Not behind the mutex, because guests grow their memory while they
    /// run.
    memory: AtomicU64,
}

#[derive(Debug)]
struct State {
    limits: CapacityLimits,
    live: u32,
    waiting: VecDeque<Arc<Waiter>>,
    evicted: u32,
    /// The permits that can be reclaimed, by the time at which they became idle.
    idle: BTreeMap<u64, Arc<Slot>>,
    next_idle: u64,
    /// The number of permits that were asked for and not given up yet.
    asked: usize,
}

#[derive(Debug, Default)]
struct Waiter(Mutex<Turn>);

#[derive(Debug, Default)]
enum Turn {
    #[default]
    Queued,
    Polled(Waker),
    Admitted,
    GivenUp,
}

/// The initial memory of an instance in this accounting. A small waiting instance has about 200 KiB (benchmark
/// `waiting`), and the image leaves 512 KiB of heap to each.
const BASE_MEMORY: u64 = 512 << 10;

impl Capacity {
    /// Creates a capacity with these limits.
    pub fn new(limits: CapacityLimits) -> Self {
        let state = State {
            limits,
            live: 0,
            waiting: VecDeque::new(),
            evicted: 0,
            idle: BTreeMap::new(),
            next_idle: 0,
            asked: 0,
        };
        Self(Arc::new(Shared { initial: limits, state: Mutex::new(state), memory: AtomicU64::new(0) }))
    }

    /// Changes the limits. Live executions are not affected; queued ones that fit now are admitted. The number of live
    /// executions never exceeds the initial limit, because no more instances were reserved.
    pub fn set(&self, limits: CapacityLimits) {
        let mut state = self.0.lock();
        state.limits = CapacityLimits { live: limits.live.min(self.0.initial.live), ..limits };
        self.0.admit_waiting(&mut state);
    }

    /// Restores the initial limits.
    pub fn reset(&self) {
        self.set(self.0.initial);
    }

    /// Returns the current limits.
    pub fn limits(&self) -> CapacityLimits {
        self.0.lock().limits
    }

    /// Returns the current use.
    pub fn usage(&self) -> CapacityUse {
        let state = self.0.lock();
        CapacityUse {
            memory: ByteSize::bytes(self.0.memory.load(Ordering::Relaxed)),
            live: state.live,
            queued: u32::try_from(state.waiting.len()).unwrap_or(u32::MAX),
            evicted: state.evicted,
        }
    }

    /// Waits for a permit. Returns `BUSY` at once if the queue is full.
    pub fn admit(&self) -> Admission {
        let mut state = self.0.lock();
        let shared = Arc::clone(&self.0);
        if state.waiting.is_empty() && shared.fits(&state) {
            shared.take_place(&mut state);
            return Admission(Asked::Admitted(Permit::new(shared.clone())));
        }
        // The permits of idle executions count as room in the queue, because they are free soon.
        if state.waiting.len() >= state.limits.queue as usize + state.idle.len() + state.asked {
            return Admission(Asked::Refused(state.limits));
        }
        let waiter = Arc::new(Waiter::default());
        state.waiting.push_back(Arc::clone(&waiter));
        state.ask_idle();
        drop(state);
        Admission(Asked::Waiting { shared, waiter })
    }

    /// Waits for a permit for an evicted execution. It comes before all that were never admitted, and is never `BUSY`.
    pub(crate) fn readmit(&self) -> Admission {
        let mut state = self.0.lock();
        let shared = Arc::clone(&self.0);
        if shared.fits(&state) {
            shared.take_place(&mut state);
            return Admission(Asked::Admitted(Permit::new(shared.clone())));
        }
        let waiter = Arc::new(Waiter::default());
        state.waiting.push_front(Arc::clone(&waiter));
        state.ask_idle();
        drop(state);
        Admission(Asked::Waiting { shared, waiter })
    }
}

/// A requested permit. Dropping it gives the permit up, also while it is queued.
#[derive(Debug)]
#[must_use = "dropping an admission gives the permit up"]
pub struct Admission(Asked);

#[derive(Debug)]
enum Asked {
    Admitted(Permit),
    Refused(CapacityLimits),
    Waiting { shared: Arc<Shared>, waiter: Arc<Waiter> },
    Answered,
}

impl Future for Admission {
    type Output = Result<Permit, Failure>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match std::mem::replace(&mut self.0, Asked::Answered) {
            Asked::Admitted(permit) => Poll::Ready(Ok(permit)),
            Asked::Refused(limits) => Poll::Ready(Err(busy(limits))),
            Asked::Waiting { shared, waiter } => {
                let mut progress = lock(&waiter.0);
                if matches!(*progress, Turn::Admitted) {
                    drop(progress);
                    return Poll::Ready(Ok(Permit::new(shared)));
                }
                *progress = Turn::Polled(context.waker().clone());
                drop(progress);
                self.0 = Asked::Waiting { shared, waiter };
                Poll::Pending
            }
            Asked::Answered => {
                Poll::Ready(Err(Failure::new(Code::Internal, "an admission was polled after it completed")))
            }
        }
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        let Asked::Waiting { shared, waiter } = &self.0 else { return };
        let mut state = shared.lock();
        let was_admitted = matches!(std::mem::replace(&mut *lock(&waiter.0), Turn::GivenUp), Turn::Admitted);
        if was_admitted {
            shared.leave(&mut state, BASE_MEMORY);
        } else {
            state.waiting.retain(|other| !Arc::ptr_eq(other, waiter));
            // The dropped request may have been the one that did not fit.
            shared.admit_waiting(&mut state);
        }
    }
}

fn busy(limits: CapacityLimits) -> Failure {
    let message = format!("no capacity is left, and {} executions are already queued", limits.queue);
    Failure::new(Code::Busy, message).hint("try again later, or raise the capacity of this runtime")
}

/// The permit of a live execution, with the memory that it uses. Dropping it frees both at once.
#[derive(Debug)]
pub struct Permit(Arc<Account>);

/// Counts the memory of the instances of one execution: a program and the snippets that it runs. Clones count together.
#[derive(Debug, Clone)]
pub struct Meter {
    account: Arc<Account>,
    /// The bytes by which the instances have grown together.
    grown: Arc<AtomicU64>,
}

#[derive(Debug)]
struct Account {
    shared: Arc<Shared>,
    /// The bytes counted, or `CLOSED` once the permit was dropped. Later changes of the instance do not count.
    taken: AtomicU64,
}

const CLOSED: u64 = u64::MAX;

impl Permit {
    fn new(shared: Arc<Shared>) -> Self {
        Self(Arc::new(Account { shared, taken: AtomicU64::new(BASE_MEMORY) }))
    }

    /// Returns the meter that counts the memory of a program that is started or restored now.
    pub fn meter(&self) -> Meter {
        Meter { account: Arc::clone(&self.0), grown: Arc::new(AtomicU64::new(0)) }
    }
}

impl Meter {
    /// Counts this many more bytes, unless the instances together would have grown by more than `limit`. Returns whether
    /// they are counted.
    ///
    /// Instances of one execution run one after the other, so that a replay is granted and refused the same.
    #[must_use]
    pub fn grow(&self, bytes: u64, limit: u64) -> bool {
        let grown = self.grown.fetch_update(Ordering::AcqRel, Ordering::Acquire, |grown| {
            grown.checked_add(bytes).filter(|grown| *grown <= limit)
        });
        if grown.is_ok() && self.change(|taken| taken.saturating_add(bytes)) {
            self.account.shared.memory.fetch_add(bytes, Ordering::AcqRel);
        }
        grown.is_ok()
    }

    /// Gives back the bytes by which an instance has grown that is gone.
    pub fn shrink(&self, bytes: u64) {
        if bytes == 0 {
            return;
        }
        self.grown.fetch_sub(bytes, Ordering::AcqRel);
        if self.change(|taken| taken.saturating_sub(bytes)) {
            let shared = &self.account.shared;
            shared.memory.fetch_sub(bytes, Ordering::AcqRel);
            shared.admit_waiting(&mut shared.lock());
        }
    }

    /// Changes the bytes of the account. Returns false if its permit was dropped.
    fn change(&self, change: impl Fn(u64) -> u64) -> bool {
        let changed = self
            .account
            .taken
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |taken| (taken != CLOSED).then(|| change(taken)));
        changed.is_ok()
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let taken = self.0.taken.swap(CLOSED, Ordering::AcqRel);
        let shared = &self.0.shared;
        shared.leave(&mut shared.lock(), taken);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    fn fits(&self, state: &State) -> bool {
        let memory = self.memory.load(Ordering::Acquire).saturating_add(BASE_MEMORY);
        state.live == 0 || (state.live < state.limits.live && memory <= state.limits.memory.get())
    }

    fn take_place(&self, state: &mut State) {
        state.live += 1;
        self.memory.fetch_add(BASE_MEMORY, Ordering::AcqRel);
    }

    fn leave(&self, state: &mut State, bytes: u64) {
        state.live -= 1;
        self.memory.fetch_sub(bytes, Ordering::AcqRel);
        self.admit_waiting(state);
    }

    fn admit_waiting(&self, state: &mut State) {
        while self.fits(state) {
            let Some(waiter) = state.waiting.pop_front() else { return };
            let mut progress = lock(&waiter.0);
            if matches!(*progress, Turn::GivenUp) {
                continue;
            }
            self.take_place(state);
            if let Turn::Polled(waker) = std::mem::replace(&mut *progress, Turn::Admitted) {
                waker.wake();
            }
        }
    }
}

/// Locks a mutex. A panic while the lock is held leaves no half-made change: every critical section only moves values.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
