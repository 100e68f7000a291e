//! How many executions may be live at once: admission by the memory they really use, then a bounded fair queue.

mod idle;

use std::collections::{BTreeMap, VecDeque};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use crate::{ByteSize, Code, Failure};

use idle::Slot;
pub(crate) use idle::{Evicted, Idle};

/// What a runtime lends to its executions. Clones share it.
///
/// Executions are admitted in the order in which they asked. One is admitted while what all live ones use, and what a
/// new one takes at the least, is within the memory; the first is admitted whatever the memory. What a live one takes
/// later is never refused here (its own limit does that), it only keeps others out.
///
/// Where there is no place, those that have waited for the longest are asked for theirs, before others have
/// to wait until somebody ends.
#[derive(Debug, Clone)]
pub struct Capacity(Arc<Shared>);

/// The settings of a [`Capacity`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CapacityLimits {
    /// Memory of all live executions together.
    pub memory: ByteSize,
    /// Live executions.
    pub live: u32,
    /// Executions that wait to be admitted; one more is refused with `BUSY`.
    pub queue: u32,
}

/// What a capacity is used for at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CapacityUse {
    /// Memory of all live executions together.
    pub memory: ByteSize,
    /// Live executions.
    pub live: u32,
    /// Executions that wait to be admitted.
    pub queued: u32,
    /// Executions that have given their place to others, and wait for something else than a place.
    pub evicted: u32,
}

#[derive(Debug)]
struct Shared {
    initial: CapacityLimits,
    state: Mutex<State>,
    /// Bytes of all live executions. Outside the mutex: guests grow their memory while they run.
    memory: AtomicU64,
}

#[derive(Debug)]
struct State {
    limits: CapacityLimits,
    live: u32,
    waiting: VecDeque<Arc<Waiter>>,
    evicted: u32,
    /// Places that can be asked for, by when they became so.
    idle: BTreeMap<u64, Arc<Slot>>,
    next_idle: u64,
    /// How many were asked for and not answered yet.
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

/// What one instance is taken to hold before its memory grows: a small one that waits has some 200 KiB (measured by the
/// benchmark `waiting`), and the image leaves each 512 KiB of heap to fill.
const BASE_MEMORY: u64 = 512 << 10;

impl Capacity {
    /// A capacity with these limits.
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

    /// Changes the limits. What is live stays live, whatever the new limits; who waits and now fits is admitted. There
    /// are never more live ones than it was made with: no more instances were reserved.
    pub fn set(&self, limits: CapacityLimits) {
        let mut state = self.0.lock();
        state.limits = CapacityLimits { live: limits.live.min(self.0.initial.live), ..limits };
        self.0.admit_waiting(&mut state);
    }

    /// Goes back to the limits it was made with.
    pub fn reset(&self) {
        self.set(self.0.initial);
    }

    /// The limits in force.
    pub fn limits(&self) -> CapacityLimits {
        self.0.lock().limits
    }

    /// What is used now.
    pub fn usage(&self) -> CapacityUse {
        let state = self.0.lock();
        CapacityUse {
            memory: ByteSize::bytes(self.0.memory.load(Ordering::Relaxed)),
            live: state.live,
            queued: u32::try_from(state.waiting.len()).unwrap_or(u32::MAX),
            evicted: state.evicted,
        }
    }

    /// Waits for a place among the live executions; `BUSY` at once where the queue is full.
    pub fn admit(&self) -> Admission {
        let mut state = self.0.lock();
        let shared = Arc::clone(&self.0);
        if state.waiting.is_empty() && shared.fits(&state) {
            shared.take_place(&mut state);
            return Admission(Asked::Admitted(Permit::new(shared.clone())));
        }
        // Who gets the place of an idle one does not wait for long.
        if state.waiting.len() >= state.limits.queue as usize + state.idle.len() + state.asked {
            return Admission(Asked::Refused(state.limits));
        }
        let waiter = Arc::new(Waiter::default());
        state.waiting.push_back(Arc::clone(&waiter));
        state.ask_idle();
        drop(state);
        Admission(Asked::Waiting { shared, waiter })
    }

    /// Waits for a place for an execution that had one and gave it away: before all that were never admitted, and never `BUSY`.
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

/// A place that was asked for. Dropping it gives up the place, also while it is queued.
#[derive(Debug)]
#[must_use = "a place that nobody waits for is given up"]
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
            Asked::Answered => Poll::Ready(Err(Failure::new(Code::Internal, "a place was asked for twice"))),
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
            // It may have been the one that did not fit.
            shared.admit_waiting(&mut state);
        }
    }
}

fn busy(limits: CapacityLimits) -> Failure {
    let message = format!("no capacity is left, and {} executions already wait for some", limits.queue);
    Failure::new(Code::Busy, message).hint("try again later, or raise the capacity of this runtime")
}

/// A place among the live executions, with the memory that it uses. Dropping it makes room at once.
#[derive(Debug)]
pub struct Permit(Arc<Account>);

/// Counts the memory of one execution. Clones count into the same account.
#[derive(Debug, Clone)]
pub struct Meter(Arc<Account>);

#[derive(Debug)]
struct Account {
    shared: Arc<Shared>,
    /// Bytes taken; `CLOSED` once the place was left, when what the instance still does no longer counts.
    taken: AtomicU64,
}

const CLOSED: u64 = u64::MAX;

impl Permit {
    fn new(shared: Arc<Shared>) -> Self {
        Self(Arc::new(Account { shared, taken: AtomicU64::new(BASE_MEMORY) }))
    }

    /// Where the instance counts what it takes.
    pub fn meter(&self) -> Meter {
        Meter(Arc::clone(&self.0))
    }
}

impl Meter {
    /// Counts so many bytes more.
    pub fn grow(&self, bytes: u64) {
        let grown = self.0.taken.fetch_update(Ordering::AcqRel, Ordering::Acquire, |taken| {
            (taken != CLOSED).then(|| taken.saturating_add(bytes))
        });
        if grown.is_ok() {
            self.0.shared.memory.fetch_add(bytes, Ordering::AcqRel);
        }
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

/// A panic while one of these locks is held cannot leave half a change behind: every critical section only moves values.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
