//! Answers calls from a loop of the host, step by step.

use std::collections::HashMap;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use isobox_core::{Failure, Tool, ToolCall, ToolError};
use serde_json::Value;
use tokio::sync::oneshot;

/// Collects the calls of tools that have no function, for a host that has a loop of its own.
///
/// [`CallQueue::tool`] makes such a tool. [`CallQueue::next`] runs an execution until it calls such tools, and gives the calls to
/// the host, which answers them in any order. Policies, approvals, schemas, limits and journals hold for these calls as for
/// any others.
///
/// ```
/// use isobox::stepwise::{CallQueue, Stepped};
/// use isobox::{Isobox, Run, json};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), isobox::Failure> {
/// let queue = CallQueue::new();
/// let price = queue.tool("shop.price")?.description("Returns the price of an item.");
///
/// let isobox = Isobox::builder().build()?;
/// let program = "const prices = await Promise.all(['tea', 'milk'].map((item) => tools.shop.price({ item })));
///                return prices[0] + prices[1];";
/// let mut execution = Box::pin(isobox.run(Run::from(program).tool(price)));
/// let outcome = loop {
///     match queue.next(&mut execution).await {
///         // Both calls at once: the program waits for both.
///         Stepped::Calls(calls) => {
///             for queued in calls {
///                 let letters = queued.call.input["item"].as_str().map_or(0, str::len);
///                 queued.answer(Ok(json!(letters)));
///             }
///         }
///         Stepped::Done(outcome) => break outcome,
///     }
/// };
/// assert_eq!(outcome.into_result()?, json!(7));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct CallQueue(Arc<Mutex<Waiting>>);

#[derive(Default)]
struct Waiting {
    calls: Vec<QueuedCall>,
    /// The number of loops that have waited so far.
    loops: u64,
    /// The wakers of the loops that wait for calls. Any of them may take a call, so all are woken.
    wakers: HashMap<u64, Waker>,
}

/// A loop that waits for calls. Its waker is removed when it no longer waits.
struct Waiter<'a> {
    queue: &'a CallQueue,
    number: u64,
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        self.queue.lock().wakers.remove(&self.number);
    }
}

/// A call that the host answers.
///
/// Dropping it without an answer fails the call.
#[derive(Debug)]
#[non_exhaustive]
pub struct QueuedCall {
    /// The path of the tool.
    pub path: String,
    /// The input and the context of the call.
    pub call: ToolCall,
    reply: oneshot::Sender<Result<Value, ToolError>>,
}

/// The result of a step of an execution.
#[derive(Debug)]
pub enum Stepped<T> {
    /// The execution waits for the answers to these calls, and possibly for earlier ones.
    Calls(Vec<QueuedCall>),
    /// The execution is over, or has paused.
    Done(T),
}

impl CallQueue {
    /// Makes an empty queue.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes a tool whose calls go into this queue. It can be a tool of [one run](crate::Run::tool), of
    /// [one resume](crate::Resume::tool) or of [the runtime](crate::Builder::tool); [`ToolCall::context`] says which execution
    /// a call belongs to.
    ///
    /// # Errors
    ///
    /// `CONFIG` if the path is not one that a program could write.
    pub fn tool(&self, path: &str) -> Result<Tool, Failure> {
        let (queue, name) = (self.clone(), path.to_owned());
        Tool::with_call(path, move |call| {
            let (reply, answer) = oneshot::channel();
            queue.add(QueuedCall { path: name.clone(), call, reply });
            async move { answer.await.unwrap_or_else(|_| Err(ToolError::new("the host gave no answer to the call"))) }
        })
    }

    /// Runs an execution until there are calls for the host, or until it is done.
    ///
    /// The execution is any future: that of [`Isobox::run`](crate::Isobox::run) or [`Isobox::resume`](crate::Isobox::resume), or
    /// a [`Handle`](crate::Handle). The future of `run` or `resume` advances only inside this function, and every batch then has
    /// all the calls that the program made before it waited. An execution with a handle advances on its own task: its calls may
    /// come in several batches.
    ///
    /// Several loops may share a queue: any of them gets the calls of all executions, each call once.
    ///
    /// Calls that were cancelled before the host saw them are left out. Once this returns [`Stepped::Done`], the execution must
    /// not be passed again.
    pub async fn next<F: Future + Unpin>(&self, execution: &mut F) -> Stepped<F::Output> {
        let waiter = self.waiter();
        poll_fn(|context| {
            if let Poll::Ready(done) = Pin::new(&mut *execution).poll(context) {
                return Poll::Ready(Stepped::Done(done));
            }
            let mut waiting = self.lock();
            waiting.calls.retain(|queued| !queued.reply.is_closed());
            if waiting.calls.is_empty() {
                waiting.wakers.insert(waiter.number, context.waker().clone());
                return Poll::Pending;
            }
            Poll::Ready(Stepped::Calls(std::mem::take(&mut waiting.calls)))
        })
        .await
    }

    fn waiter(&self) -> Waiter<'_> {
        let mut waiting = self.lock();
        waiting.loops += 1;
        Waiter { queue: self, number: waiting.loops }
    }

    fn add(&self, queued: QueuedCall) {
        let mut waiting = self.lock();
        waiting.calls.push(queued);
        let wakers = std::mem::take(&mut waiting.wakers);
        drop(waiting);
        wakers.into_values().for_each(Waker::wake);
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl QueuedCall {
    /// Answers the call. The answer is dropped if the call was cancelled in the meantime.
    pub fn answer(self, result: Result<Value, ToolError>) {
        // The execution may be over.
        let _ = self.reply.send(result);
    }
}

impl fmt::Debug for CallQueue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("CallQueue").field("waiting", &self.lock().calls.len()).finish()
    }
}
