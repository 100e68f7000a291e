//! How many executions may be live at once: admission by the memory they really use, then a bounded fair queue.

use std::collections::{BTreeMap, VecDeque};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use crate::{ByteSize, Code, Failure};

/// What a runtime lends to its executions. Clones share it.
///
/// Executions are admitted in the order in which they asked. One is admitted while what all live ones use, and what a
/// new one takes at the least, is within the memory; the first is admitted whatever the memory. What a live one takes
/// later is never refused here (its own limit does that), it only keeps others out.
///
/// Where there is no place, those that have been [idle](Permit::idle) for the longest are asked for theirs, before others have
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
struct Waiter(Mutex<Progress>);

#[derive(Debug, Default)]
enum Progress {
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

    /// Counts an execution that has given its place away, with what it holds all the same.
    pub(crate) fn evicted(&self, bytes: u64) -> Evicted {
        self.0.lock().evicted += 1;
        self.0.memory.fetch_add(bytes, Ordering::AcqRel);
        Evicted { shared: Arc::clone(&self.0), bytes }
    }
}

/// An execution that has given its place away.
#[derive(Debug)]
pub(crate) struct Evicted {
    shared: Arc<Shared>,
    bytes: u64,
}

impl Drop for Evicted {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.evicted -= 1;
        self.shared.memory.fetch_sub(self.bytes, Ordering::AcqRel);
        self.shared.admit_waiting(&mut state);
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
                if matches!(*progress, Progress::Admitted) {
                    drop(progress);
                    return Poll::Ready(Ok(Permit::new(shared)));
                }
                *progress = Progress::Polled(context.waker().clone());
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
        let was_admitted = matches!(std::mem::replace(&mut *lock(&waiter.0), Progress::GivenUp), Progress::Admitted);
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

    /// Says that the execution waits, and could give up its place for others: completes when it should.
    pub(crate) fn idle(&self) -> Idle {
        let shared = Arc::clone(&self.0.shared);
        let mut state = shared.lock();
        let (ticket, slot) = (state.next_idle, Arc::<Slot>::default());
        state.next_idle += 1;
        state.idle.insert(ticket, Arc::clone(&slot));
        state.ask_idle();
        drop(state);
        Idle { shared, slot, ticket }
    }

    /// Where the instance counts what it takes.
    pub fn meter(&self) -> Meter {
        Meter(Arc::clone(&self.0))
    }
}

/// A place whose execution waits. Dropping it says that the execution no longer waits, or that it has given up its place.
#[derive(Debug)]
pub(crate) struct Idle {
    shared: Arc<Shared>,
    slot: Arc<Slot>,
    ticket: u64,
}

#[derive(Debug, Default)]
struct Slot(Mutex<Wish>);

#[derive(Debug, Default)]
enum Wish {
    #[default]
    Unwanted,
    Polled(Waker),
    Wanted,
}

impl Future for Idle {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut wish = lock(&self.slot.0);
        if matches!(*wish, Wish::Wanted) {
            return Poll::Ready(());
        }
        *wish = Wish::Polled(context.waker().clone());
        Poll::Pending
    }
}

impl Drop for Idle {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        if state.idle.remove(&self.ticket).is_none() {
            state.asked -= 1;
            // Whoever wanted it asks the next one, unless it was given up.
            state.ask_idle();
        }
    }
}

impl State {
    /// Asks as many idle ones for their places as wait for one.
    fn ask_idle(&mut self) {
        while self.asked < self.waiting.len() {
            let Some((_, slot)) = self.idle.pop_first() else { return };
            self.asked += 1;
            if let Wish::Polled(waker) = std::mem::replace(&mut *lock(&slot.0), Wish::Wanted) {
                waker.wake();
            }
        }
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
            if matches!(*progress, Progress::GivenUp) {
                continue;
            }
            self.take_place(state);
            if let Progress::Polled(waker) = std::mem::replace(&mut *progress, Progress::Admitted) {
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
mod tests {
    use super::*;
    use futures_util::FutureExt;

    fn capacity(live: u32, queue: u32) -> Capacity {
        Capacity::new(CapacityLimits { memory: ByteSize::mib(1024), live, queue })
    }

    fn now(admission: Admission) -> Permit {
        admission.now_or_never().expect("admitted at once").expect("not busy")
    }

    #[test]
    fn places_are_given_in_the_order_in_which_they_were_asked_for() {
        let capacity = capacity(1, 2);
        let first = now(capacity.admit());
        let mut second = Box::pin(capacity.admit());
        let mut third = Box::pin(capacity.admit());
        assert!((&mut second).now_or_never().is_none());
        assert!((&mut third).now_or_never().is_none());
        drop(first);
        assert!((&mut third).now_or_never().is_none());
        let second = second.now_or_never().expect("its turn").expect("not busy");
        drop(second);
        assert!(third.now_or_never().expect("its turn").is_ok());
    }

    #[test]
    fn a_full_queue_is_busy() {
        let capacity = capacity(1, 0);
        let _first = now(capacity.admit());
        let refused = capacity.admit().now_or_never().expect("refused at once");
        assert_eq!(refused.map_err(|failure| failure.code).err(), Some(Code::Busy));
    }

    #[test]
    fn giving_up_in_the_queue_frees_the_place_in_it() {
        let capacity = capacity(1, 1);
        let first = now(capacity.admit());
        drop(capacity.admit());
        assert_eq!(capacity.usage().queued, 0);
        let second = capacity.admit();
        drop(first);
        assert_eq!(capacity.usage().live, 1, "the queued one was admitted");
        drop(second);
        assert_eq!(capacity.usage().live, 0, "and gave its place back unused");
    }

    #[test]
    fn memory_that_was_taken_keeps_others_out_until_it_is_given_back() {
        let capacity = Capacity::new(CapacityLimits { memory: ByteSize::mib(1), live: 100, queue: 10 });
        let large = now(capacity.admit());
        large.meter().grow(10 << 20);
        let mut waiting = Box::pin(capacity.admit());
        assert!((&mut waiting).now_or_never().is_none());
        let late = large.meter();
        drop(large);
        late.grow(10 << 20);
        assert!(waiting.now_or_never().is_some());
        assert_eq!(capacity.usage().memory, ByteSize::bytes(0), "a meter of the past counts nothing");
    }

    #[test]
    fn who_was_idle_for_the_longest_is_asked_first_and_only_while_somebody_waits() {
        let capacity = capacity(2, 1);
        let (first, second) = (now(capacity.admit()), now(capacity.admit()));
        let (mut one, mut other) = (first.idle(), second.idle());
        assert!((&mut one).now_or_never().is_none() && (&mut other).now_or_never().is_none());
        let third = capacity.admit();
        assert!((&mut one).now_or_never().is_some() && (&mut other).now_or_never().is_none());
        let (evicted, ()) = (capacity.evicted(100), drop(first));
        drop(one);
        let third = now(third);
        assert_eq!((capacity.usage().live, capacity.usage().evicted), (2, 1));
        assert!((&mut other).now_or_never().is_none(), "one place was enough");
        let back = capacity.readmit();
        assert!((&mut other).now_or_never().is_some());
        drop(other);
        drop(third);
        let _back = now(back);
        drop(evicted);
        assert_eq!(capacity.usage().evicted, 0);
    }

    #[test]
    fn who_declines_passes_the_question_on_and_who_comes_back_goes_first() {
        let capacity = capacity(2, 2);
        let (first, second) = (now(capacity.admit()), now(capacity.admit()));
        let (one, mut other) = (first.idle(), second.idle());
        let (queued, back) = (capacity.admit(), capacity.readmit());
        let mut queued = Box::pin(queued);
        assert!((&mut other).now_or_never().is_some(), "two wait, two are asked");
        drop(one);
        drop(other);
        drop(second);
        assert!((&mut queued).now_or_never().is_none());
        let _back = now(back);
        let _late = first.idle();
        assert!(_late.now_or_never().is_some(), "whoever becomes idle while somebody waits is asked at once");
    }

    #[test]
    fn a_full_queue_is_not_busy_while_somebody_is_idle() {
        let capacity = capacity(1, 0);
        let first = now(capacity.admit());
        let idle = first.idle();
        let second = capacity.admit();
        let refused = capacity.admit().now_or_never().expect("refused at once");
        assert_eq!(refused.map_err(|failure| failure.code).err(), Some(Code::Busy));
        drop(first);
        drop(idle);
        now(second);
    }

    #[test]
    fn limits_can_be_changed_and_reset_while_others_wait() {
        let capacity = capacity(2, 5);
        capacity.set(CapacityLimits { live: 1, ..capacity.limits() });
        let _first = now(capacity.admit());
        let second = capacity.admit();
        assert_eq!(capacity.usage().queued, 1);
        capacity.reset();
        assert_eq!(capacity.limits().live, 2);
        let _second = now(second);
        assert!(capacity.admit().now_or_never().is_none());
    }

    #[test]
    fn no_more_are_ever_live_than_it_was_made_for() {
        let capacity = capacity(2, 5);
        capacity.set(CapacityLimits { live: 100, ..capacity.limits() });
        assert_eq!(capacity.limits().live, 2);
    }
}
