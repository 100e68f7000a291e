//! The callback into JavaScript, and the answers that are awaited from it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use isobox::tools::Progress;
use napi::Status;
use napi::bindgen_prelude::FnArgs;
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use tokio::sync::oneshot::{self, error::TryRecvError};

/// The callback: a kind, a number and JSON. It is weak, so that it does not keep the process alive.
pub(crate) type Dispatch = ThreadsafeFunction<Message, (), Message, Status, false, true>;

type Message = FnArgs<(u32, u32, String)>;

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
    open: Mutex<HashMap<u32, Open>>,
    next: AtomicU32,
    /// Questions that were answered while a thread looked for the answer, less those that were not.
    credit: AtomicU32,
}

/// How long a thread looks for an answer before it does other work: waking a thread takes longer than a quick tool.
const LOOK: Duration = Duration::from_micros(50);
/// Without credit, a thread looks for the answer of only every so many questions.
const MAX_CREDIT: u32 = 8;
const TRY_EVERY: u32 = 32;

struct Open {
    answer: oneshot::Sender<Answer>,
    progress: Progress,
}

impl Bridge {
    pub(crate) fn new(dispatch: Dispatch) -> Self {
        Self { dispatch, open: Mutex::default(), next: AtomicU32::new(0), credit: AtomicU32::new(MAX_CREDIT) }
    }

    /// Sends a message. Returns whether JavaScript will receive it: its thread may have ended.
    pub(crate) fn send(&self, kind: Kind, id: u32, json: String) -> bool {
        let message = FnArgs::from((kind as u32, id, json));
        self.dispatch.call(message, ThreadsafeFunctionCallMode::NonBlocking) == Status::Ok
    }

    /// Asks JavaScript. If the question is dropped before it is answered, JavaScript is told.
    pub(crate) fn ask(self: &Arc<Self>, kind: Kind, progress: Progress, json: String) -> Asked {
        let (answer, receiver) = oneshot::channel();
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let mut open = self.lock();
        let is_only = open.is_empty();
        open.insert(id, Open { answer, progress });
        drop(open);
        let may_look = is_only && (self.credit.load(Ordering::Relaxed) > 0 || id.is_multiple_of(TRY_EVERY));
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
    #[expect(clippy::disallowed_methods, reason = "the moment is shorter than any clock of a program tells")]
    fn look(&mut self) -> Option<Result<Answer, TryRecvError>> {
        let credit = &self.bridge.credit;
        let end = Instant::now() + LOOK;
        while Instant::now() < end {
            match self.receiver.try_recv() {
                Err(TryRecvError::Empty) => std::hint::spin_loop(),
                answered => {
                    let more = |credit: u32| (credit < MAX_CREDIT).then_some(credit + 1);
                    // It is full.
                    let _ = credit.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
                    return Some(answered);
                }
            }
        }
        // It is empty.
        let _ = credit.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |credit| credit.checked_sub(1));
        None
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        if self.bridge.lock().remove(&self.id).is_some() {
            self.bridge.send(Kind::Cancelled, self.id, String::new());
        }
    }
}
