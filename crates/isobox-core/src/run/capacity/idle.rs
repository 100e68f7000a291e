//! Permits of waiting executions, which can be reclaimed for others.

use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use super::{Capacity, Permit, Shared, State, lock};

impl Capacity {
    /// Counts an evicted execution, and the bytes that it still holds.
    pub(crate) fn evicted(&self, bytes: u64) -> Evicted {
        self.0.lock().evicted += 1;
        self.0.memory.fetch_add(bytes, Ordering::AcqRel);
        Evicted { shared: Arc::clone(&self.0), bytes }
    }

    /// Asks the execution that has been idle the longest for its permit, although there may be room: the driver has no place
    /// for another program.
    pub(crate) fn reclaim(&self) {
        self.0.lock().ask_next();
    }
}

impl Permit {
    /// Marks the execution as idle. The result completes when its permit is wanted.
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
}

/// An execution without a permit, whose program waits.
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

/// The permit of a waiting execution. Dropping it means that the execution no longer waits or has given up its permit.
#[derive(Debug)]
pub(crate) struct Idle {
    shared: Arc<Shared>,
    slot: Arc<Slot>,
    ticket: u64,
}

#[derive(Debug, Default)]
pub(super) struct Slot(Mutex<Wish>);

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
            // If the permit was not given up, the next idle execution is asked for its own.
            state.ask_idle();
        }
    }
}

impl State {
    /// Asks idle executions for their permits, as many as are waited for.
    pub(super) fn ask_idle(&mut self) {
        while self.asked < self.waiting.len() && self.ask_next() {}
    }

    /// Asks the execution that has been idle the longest for its permit. Returns whether there is one.
    fn ask_next(&mut self) -> bool {
        let Some((_, slot)) = self.idle.pop_first() else { return false };
        self.asked += 1;
        if let Wish::Polled(waker) = std::mem::replace(&mut *lock(&slot.0), Wish::Wanted) {
            waker.wake();
        }
        true
    }
}
