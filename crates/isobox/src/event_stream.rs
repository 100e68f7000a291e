//! The events of a started execution, as a stream that never holds the execution up.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_util::Stream;
use isobox_core::{Content, Event, EventKind, Observer};

/// The events of a started execution: see [`Handle::events`](crate::Handle::events).
pub struct Events {
    buffer: Arc<Buffer>,
    reader: u64,
    /// The position of the next event in all that was ever buffered.
    next: u64,
}

impl Events {
    /// How many events are kept for readers.
    pub const MAX_WAITING: usize = 1024;
    /// How large the values and log lines among them may be together, in bytes of JSON and text.
    pub const MAX_BYTES: usize = 4 << 20;

    /// Waits for the next event; none after the last. For hosts that use no crate of stream combinators.
    pub async fn next(&mut self) -> Option<Event> {
        std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }

    pub(crate) fn of(buffer: &Arc<Buffer>) -> Self {
        let mut ring = buffer.lock();
        ring.readers += 1;
        Self { buffer: Arc::clone(buffer), reader: ring.readers, next: ring.first }
    }
}

impl Stream for Events {
    type Item = Event;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Event>> {
        let buffer = Arc::clone(&self.buffer);
        let mut ring = buffer.lock();
        let next = self.next.max(ring.first);
        let place = usize::try_from(next - ring.first).unwrap_or(usize::MAX);
        if let Some(event) = ring.waiting.get(place) {
            self.next = next + 1;
            return Poll::Ready(Some(event.clone()));
        }
        if ring.is_closed {
            return Poll::Ready(None);
        }
        ring.wakers.insert(self.reader, context.waker().clone());
        Poll::Pending
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.buffer.lock().wakers.remove(&self.reader);
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Events").finish_non_exhaustive()
    }
}

/// The latest events of an execution. Every reader reads at its own pace; what a slow reader has not read in time is gone.
#[derive(Default)]
pub(crate) struct Buffer(Mutex<Ring>);

#[derive(Default)]
struct Ring {
    waiting: VecDeque<Event>,
    /// The size of those that are waiting.
    bytes: usize,
    /// The position of the first that is waiting in all that was ever buffered.
    first: u64,
    /// Whether no further event comes.
    is_closed: bool,
    /// How many readers there have been.
    readers: u64,
    /// How to wake the readers that wait for the next event.
    wakers: HashMap<u64, Waker>,
}

impl Buffer {
    fn push(&self, event: Event) {
        let mut ring = self.lock();
        ring.bytes += size(&event.kind);
        ring.waiting.push_back(event);
        while ring.waiting.len() > Events::MAX_WAITING || (ring.bytes > Events::MAX_BYTES && ring.waiting.len() > 1) {
            let Some(oldest) = ring.waiting.pop_front() else { break };
            ring.bytes -= size(&oldest.kind);
            ring.first += 1;
        }
        wake(ring);
    }

    fn close(&self) {
        let mut ring = self.lock();
        ring.is_closed = true;
        wake(ring);
    }

    fn lock(&self) -> MutexGuard<'_, Ring> {
        // Every change is made whole before the lock is given back.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Wakes all readers, who may run at once and take the lock.
fn wake(mut ring: MutexGuard<'_, Ring>) {
    let wakers = std::mem::take(&mut ring.wakers);
    drop(ring);
    wakers.into_values().for_each(Waker::wake);
}

/// Returns how much an event holds of what the program and its tools said.
fn size(kind: &EventKind) -> usize {
    let shown = |content: &Content| content.value.as_ref().and(content.bytes).unwrap_or_default();
    match kind {
        EventKind::CallIssued { input, .. } => shown(input),
        EventKind::CallProgressed { progress, .. } => shown(progress),
        EventKind::CallSettled { result: Ok(output), .. } => shown(output),
        EventKind::Logged(log) => log.message.len(),
        // The others are small, but for the outcome, which nothing follows.
        _ => 0,
    }
}

/// Fills a buffer, and passes every event on to the observer of the runtime.
pub(crate) struct Buffering {
    pub(crate) buffer: Arc<Buffer>,
    pub(crate) observer: Option<Arc<dyn Observer>>,
}

impl Observer for Buffering {
    fn observe(&self, event: &Event) {
        // First, because the other may panic.
        self.buffer.push(without_cause(event.clone()));
        if let Some(observer) = &self.observer {
            observer.observe(event);
        }
    }
}

/// Leaves out the error that a tool gave: it may hold anything, and a buffer is bounded.
fn without_cause(mut event: Event) -> Event {
    if let EventKind::CallSettled { result: Err(failure), .. } = &mut event.kind {
        failure.cause = None;
    }
    event
}

/// Ends the streams of a buffer when it is dropped.
pub(crate) struct Closing(pub(crate) Arc<Buffer>);

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.close();
    }
}
