//! The events of a started execution, as a stream that never blocks the execution.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_util::Stream;
use isobox_core::{Content, Event, EventKind, Failure, Observer};

/// The events of a started execution: see [`Handle::events`](crate::Handle::events).
pub struct Events {
    buffer: Arc<Buffer>,
    reader: u64,
    /// The position of the next event, counted from the first event of the execution.
    next: u64,
}

impl Events {
    /// The maximum number of buffered events.
    pub const MAX_WAITING: usize = 1024;
    /// The maximum size of the values and texts in them (results, failures, log lines), in bytes of JSON and text.
    pub const MAX_BYTES: usize = 4 << 20;

    /// Waits for the next event. Returns none after the last. For hosts without stream combinators.
    pub async fn next(&mut self) -> Option<Event> {
        std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }

    pub(crate) fn of(buffer: &Arc<Buffer>) -> Self {
        let mut ring = buffer.lock();
        ring.readers += 1;
        ring.reading += 1;
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
        let mut ring = self.buffer.lock();
        ring.wakers.remove(&self.reader);
        ring.reading -= 1;
        ring.forget_unread();
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Events").finish_non_exhaustive()
    }
}

/// The latest events of an execution. Every reader reads at its own pace, and a slow one misses events.
#[derive(Default)]
pub(crate) struct Buffer(Mutex<Ring>);

#[derive(Default)]
struct Ring {
    waiting: VecDeque<Event>,
    /// The size of the buffered events.
    bytes: usize,
    /// The position of the first buffered event.
    first: u64,
    /// Whether the last event has been added.
    is_closed: bool,
    /// The number of readers so far.
    readers: u64,
    /// The number of readers now.
    reading: usize,
    /// Whether there will be no more readers.
    is_detached: bool,
    /// The wakers of waiting readers.
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
        ring.forget_unread();
        wake(ring);
    }

    /// Keeps no events from now on, except for the readers that there are.
    pub(crate) fn detach(&self) {
        let mut ring = self.lock();
        ring.is_detached = true;
        ring.forget_unread();
    }

    fn close(&self) {
        let mut ring = self.lock();
        ring.is_closed = true;
        wake(ring);
    }

    fn lock(&self) -> MutexGuard<'_, Ring> {
        // Every change is complete before the lock is released.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ring {
    /// Drops the buffered events if there is no reader, and there will be none.
    fn forget_unread(&mut self) {
        if self.is_detached && self.reading == 0 {
            self.waiting = VecDeque::new();
            self.bytes = 0;
        }
    }
}

/// Wakes all readers. They may run at once and take the lock.
fn wake(mut ring: MutexGuard<'_, Ring>) {
    let wakers = std::mem::take(&mut ring.wakers);
    drop(ring);
    wakers.into_values().for_each(Waker::wake);
}

/// Returns the size of an event's values and texts.
fn size(kind: &EventKind) -> usize {
    let shown = |content: &Content| content.value.as_ref().and(content.bytes).unwrap_or_default();
    match kind {
        EventKind::CallIssued { path, input, .. } => path.len() + shown(input),
        EventKind::CallProgressed { path, progress, .. } => path.len() + shown(progress),
        EventKind::CallSettled { path, result: Ok(output), .. } => path.len() + shown(output),
        EventKind::CallSettled { path, result: Err(error), .. } => path.len() + size_of_failure(&error.failure),
        EventKind::OutputMismatched { path, failure, .. } => path.len() + size_of_failure(failure),
        EventKind::CallStarted { path, .. } | EventKind::CallAsked { path, .. } => path.len(),
        EventKind::Logged(log) => log.message.len(),
        EventKind::FactRecorded { name, value, .. } => name.len() + shown(value),
        EventKind::RollbackBegan { by, .. } => by.len(),
        EventKind::ReshapeFailed { message, .. } => message.len(),
        // Other events are small, except the outcome, which is the last.
        _ => 0,
    }
}

fn size_of_failure(failure: &Failure) -> usize {
    let Failure { name, message, hint, details, .. } = failure;
    let details = serde_json::to_string(details).map_or(0, |json| json.len());
    name.len() + message.len() + hint.as_ref().map_or(0, String::len) + details
}

/// Adds events to a buffer, and passes them on to the observer of the runtime.
pub(crate) struct Buffering {
    pub(crate) buffer: Arc<Buffer>,
    pub(crate) observer: Option<Arc<dyn Observer>>,
}

impl Observer for Buffering {
    fn observe(&self, event: &Event) {
        // Comes first, because the observer may panic.
        self.buffer.push(without_cause(event.clone()));
        if let Some(observer) = &self.observer {
            observer.observe(event);
        }
    }
}

/// Removes the error of a tool: it may contain anything, and the buffer is bounded.
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

#[cfg(test)]
mod tests {
    use isobox_core::ExecutionId;
    use serde_json::{Value, json};

    use super::*;

    fn event(kind: &Value) -> Event {
        let mut event = json!({ "execution": ExecutionId::new(0, 0).as_str(), "pass": 1, "number": 0 });
        for (key, value) in kind.as_object().expect("an object") {
            event[key] = value.clone();
        }
        serde_json::from_value(event).expect("an event")
    }

    fn logged() -> Event {
        event(&json!({ "type": "logged", "level": "log", "message": "hello" }))
    }

    #[test]
    fn events_of_failures_are_bounded_in_size_as_results_are() {
        const ENVELOPES: usize = 256 << 10;
        let long = "x".repeat(20 << 10);
        let error = json!({ "code": "TOOL", "name": "ToolError", "message": long, "details": { "why": long } });
        let kinds = [
            json!({ "type": "callSettled", "seq": "0", "path": "pay", "durationMs": 1, "error": error }),
            json!({ "type": "outputMismatched", "seq": "0", "path": "pay", "error": error }),
            json!({ "type": "callStarted", "seq": "0", "path": long }),
            json!({ "type": "reshapeFailed", "message": long }),
        ];
        for kind in kinds {
            let buffer = Buffer::default();
            for _ in 0..Events::MAX_WAITING {
                buffer.push(event(&kind));
            }
            let ring = buffer.lock();
            let sizes = ring.waiting.iter().map(|event| json!(event).to_string().len());
            let bytes: usize = sizes.sum();
            assert!((1 << 20..Events::MAX_BYTES + ENVELOPES).contains(&bytes), "{}: {bytes}", kind["type"]);
        }
    }

    #[test]
    fn nothing_is_kept_of_a_detached_execution_once_it_has_no_reader() {
        let buffer = Arc::<Buffer>::default();
        let kept = || {
            let ring = buffer.lock();
            (ring.waiting.len(), ring.bytes)
        };
        buffer.push(logged());
        let reader = Events::of(&buffer);
        buffer.detach();
        buffer.push(logged());
        assert_eq!(kept(), (2, 10));
        drop(reader);
        assert_eq!(kept(), (0, 0));
        buffer.push(logged());
        assert_eq!(kept(), (0, 0));
    }
}
