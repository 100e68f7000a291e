//! The callback into JavaScript, and the answers that are awaited from it.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use isobox::tools::Progress;
use napi::Status;
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use tokio::sync::oneshot::{self, error::TryRecvError};

use crate::looking::{Credit, look_for};

/// The callback. It tells JavaScript to take its messages. It is weak, so that it does not keep the process alive.
pub(crate) type Dispatch = ThreadsafeFunction<(), (), (), Status, false, true>;

/// A message to JavaScript: a kind, a number and JSON.
pub(crate) type Message = (u32, u32, String);

/// The kinds of messages. `src/native.ts` has the same numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// The answer to a request.
    Done = 0,
    /// The failure of a request.
    Failed = 1,
    /// A call of a tool.
    Call = 2,
    /// The revert of a call.
    Revert = 3,
    /// May a call be made?
    Approve = 4,
    /// Does a call with this input need approval?
    NeedsApproval = 5,
    /// The answer to a call or a question is no longer needed.
    Cancelled = 6,
    /// An event of an execution.
    Event = 7,
}

/// The answer of JavaScript to a call or a question.
pub(crate) struct Answer {
    pub(crate) is_ok: bool,
    pub(crate) json: String,
}

/// Calls JavaScript, and waits for its answers.
pub(crate) struct Bridge {
    dispatch: Dispatch,
    outbox: Mutex<Outbox>,
    /// Whether there are messages. It is read without the lock by a thread that looks for them.
    has_messages: AtomicBool,
    open: Mutex<HashMap<u32, Open>>,
    next: AtomicU32,
    credit: Credit,
}

/// The messages that JavaScript has not taken yet.
#[derive(Default)]
struct Outbox {
    messages: VecDeque<Message>,
    /// Whether JavaScript looks for messages, so that it need not be called.
    is_watched: bool,
    /// Whether JavaScript has been called, and will take the messages.
    is_called: bool,
    /// Whether the thread of JavaScript has ended.
    is_closed: bool,
}

/// The time for which a thread looks for an answer before it does other work: waking it takes longer than a quick tool.
const LOOK: Duration = Duration::from_micros(50);
/// The time for which JavaScript looks for a message at a time. Meanwhile, its event loop waits.
const GLANCE: Duration = Duration::from_micros(20);

struct Open {
    answer: oneshot::Sender<Answer>,
    progress: Progress,
}

impl Bridge {
    pub(crate) fn new(dispatch: Dispatch) -> Self {
        Self {
            dispatch,
            outbox: Mutex::default(),
            has_messages: AtomicBool::new(false),
            open: Mutex::default(),
            next: AtomicU32::new(0),
            credit: Credit::default(),
        }
    }

    /// Sends a message. Returns whether JavaScript will receive it: its thread may have ended.
    pub(crate) fn send(&self, kind: Kind, id: u32, json: String) -> bool {
        let mut outbox = self.outbox();
        if outbox.is_closed {
            return false;
        }
        outbox.messages.push_back((kind as u32, id, json));
        self.has_messages.store(true, Ordering::Release);
        if outbox.is_watched || outbox.is_called {
            return true;
        }
        outbox.is_called = true;
        drop(outbox);
        let is_open = self.dispatch.call((), ThreadsafeFunctionCallMode::NonBlocking) == Status::Ok;
        if !is_open {
            let mut outbox = self.outbox();
            outbox.is_closed = true;
            outbox.messages.clear();
        }
        is_open
    }

    /// Takes the first message. For the thread of JavaScript.
    pub(crate) fn take(&self) -> Option<Message> {
        let mut outbox = self.outbox();
        let message = outbox.messages.pop_front();
        if outbox.messages.is_empty() {
            self.has_messages.store(false, Ordering::Relaxed);
            // Further messages call JavaScript again.
            outbox.is_called = false;
        }
        message
    }

    /// Looks for a message for a moment, and takes it. For the thread of JavaScript.
    pub(crate) fn glance(&self) -> Option<Message> {
        look_for(GLANCE, || self.has_messages.load(Ordering::Acquire).then_some(()))?;
        self.take()
    }

    /// Sets whether JavaScript looks for messages. Afterwards it has to take those that are there.
    pub(crate) fn watch(&self, is_watched: bool) {
        self.outbox().is_watched = is_watched;
    }

    fn outbox(&self) -> MutexGuard<'_, Outbox> {
        // Every change is complete before the lock is released.
        self.outbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks JavaScript. If the question is dropped before it is answered, JavaScript is told.
    pub(crate) fn ask(self: &Arc<Self>, kind: Kind, progress: Progress, json: String) -> Asked {
        let (answer, receiver) = oneshot::channel();
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let mut open = self.lock();
        let is_only = open.is_empty();
        open.insert(id, Open { answer, progress });
        drop(open);
        let may_look = is_only && self.credit.suffices();
        let asked = Asked { bridge: Arc::clone(self), id, receiver, may_look };
        if !self.send(kind, id, json) {
            // The sender is dropped, so that nothing waits for an answer.
            self.lock().remove(&id);
        }
        asked
    }

    /// Passes on an answer. One that comes too late, or a second time, is ignored.
    pub(crate) fn answer(&self, id: u32, is_ok: bool, json: String) {
        let open = self.lock().remove(&id);
        if let Some(open) = open {
            // The receiver may have gone meanwhile.
            let _ = open.answer.send(Answer { is_ok, json });
        }
    }

    /// Reports the progress of an open call.
    pub(crate) fn progress(&self, id: u32, json: &str) {
        let progress = self.lock().get(&id).map(|open| open.progress.clone());
        if let (Some(progress), Ok(value)) = (progress, serde_json::from_str(json)) {
            progress.report(value);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u32, Open>> {
        // Every change is complete before the lock is released.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A question to JavaScript.
pub(crate) struct Asked {
    bridge: Arc<Bridge>,
    id: u32,
    receiver: oneshot::Receiver<Answer>,
    /// Whether this is the only open question, so that no other waits while a thread looks for its answer.
    may_look: bool,
}

impl Asked {
    /// Waits for the answer. None if the thread of JavaScript has ended.
    pub(crate) async fn answer(mut self) -> Option<Answer> {
        if self.may_look
            && let Some(answered) = self.look()
        {
            return answered.ok();
        }
        (&mut self.receiver).await.ok()
    }

    /// Looks for the answer for a moment. None if it is still awaited.
    fn look(&mut self) -> Option<Result<Answer, TryRecvError>> {
        let answered = look_for(LOOK, || match self.receiver.try_recv() {
            Err(TryRecvError::Empty) => None,
            answered => Some(answered),
        });
        self.bridge.credit.count(answered.is_some());
        answered
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        if self.bridge.lock().remove(&self.id).is_some() {
            self.bridge.send(Kind::Cancelled, self.id, String::new());
        }
    }
}
