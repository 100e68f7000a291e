//! Starts an execution without waiting for it.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use isobox_core::{Code, ExecutionId, Failure, Host, Outcome};
use tokio::task::{AbortHandle, JoinError, JoinHandle};
use tracing::Instrument;

use crate::event_stream::{Buffer, Buffering, Closing, Events};
use crate::{CancellationToken, Isobox, Run};

/// A started execution, with its ID, its events and its outcome.
///
/// The execution runs on a task of its own. Awaiting the handle returns the outcome, as [`Handle::outcome`] does.
///
/// **Dropping the handle stops the execution**, as dropping the future of [`Isobox::run`] does: a durable one can be
/// resumed, any other is lost. [`Handle::detach`] lets it continue without a handle. [`Handle::cancel`] ends it for
/// good.
#[must_use = "dropping a handle stops its execution; `Handle::detach` lets it continue"]
pub struct Handle {
    id: ExecutionId,
    task: JoinHandle<Outcome>,
    stopping: StopOnDrop,
    cancellation: CancellationToken,
    events: Arc<Buffer>,
}

impl Isobox {
    /// Starts a program, and returns at once. [`Isobox::run`] waits instead, without a task and a buffer.
    ///
    /// ```
    /// use isobox::{Isobox, json};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let isobox = Isobox::builder().build()?;
    /// let handle = isobox.start("console.log('hello'); return 1 + 1");
    /// println!("{} is running", handle.id());
    ///
    /// let mut events = handle.events();
    /// while let Some(event) = events.next().await {
    ///     println!("{}", serde_json::to_string(&event)?);
    /// }
    /// assert_eq!(handle.outcome().await.into_result()?, json!(2));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime.
    pub fn start(&self, run: impl Into<Run>) -> Handle {
        let mut run = run.into();
        let identity = self.identify(&run);
        let id = identity.id.clone();
        let cancellation =
            run.cancellation.as_ref().map_or_else(CancellationToken::new, CancellationToken::child_token);
        run.cancellation = Some(cancellation.clone());
        let events = Arc::<Buffer>::default();
        let closing = Closing(Arc::clone(&events));
        let observer = Buffering { buffer: Arc::clone(&events), observer: self.host.observer.clone() };
        let host = Host { observer: Some(Arc::new(observer)), ..self.host.clone() };
        let isobox = Self { host, ..self.clone() };
        let work = async move {
            let _closing = closing;
            isobox.run_as(identity, run).await
        };
        let task = tokio::spawn(work.in_current_span());
        Handle { id, stopping: StopOnDrop(Some(task.abort_handle())), task, cancellation, events }
    }
}

impl Handle {
    /// Returns the ID of the execution.
    pub fn id(&self) -> &ExecutionId {
        &self.id
    }

    /// Returns the events of the execution as a stream, which ends with the execution.
    /// [`Builder::contents`](crate::Builder::contents) decides how much of inputs and outputs they contain.
    ///
    /// Every stream reads independently, from the first event that is still buffered. A slow reader does not block the
    /// execution: the last [`Events::MAX_WAITING`] events are buffered, and fewer if they are larger than
    /// [`Events::MAX_BYTES`]. Earlier ones are dropped, and the reader sees a gap in
    /// [`Event::number`](crate::events::Event::number). The last event is never dropped.
    ///
    /// Streams do not affect the execution: they neither stop it when they are dropped nor keep it running.
    pub fn events(&self) -> Events {
        Events::of(&self.events)
    }

    /// Cancels the execution: its outcome is `ABORTED`, unless it has ended before. A durable execution has then ended,
    /// and cannot be resumed. If the handle only waits for an execution that another process runs (see [`Run::id`]),
    /// the waiting ends and the execution continues.
    pub fn cancel(&self) {
        self.cancellation.cancel();
    }

    /// Waits for the outcome. Dropping the future stops the execution, as dropping the handle does.
    pub async fn outcome(self) -> Outcome {
        self.await
    }

    /// Lets the execution continue without a handle, for as long as the tokio runtime exists. Streams of its events
    /// continue too.
    pub fn detach(mut self) {
        self.stopping.0 = None;
        self.events.detach();
    }
}

impl Future for Handle {
    type Output = Outcome;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome> {
        let joined = std::task::ready!(Pin::new(&mut self.task).poll(context));
        Poll::Ready(joined.unwrap_or_else(|error| outcome_of(&self.id, error)))
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Handle").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Returns the outcome of an execution whose task did not complete. A panic continues in the caller, as it does from
/// [`Isobox::run`].
fn outcome_of(id: &ExecutionId, error: JoinError) -> Outcome {
    match error.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        Err(_) => {
            let failure = Failure::new(Code::Aborted, "the tokio runtime that ran the execution has shut down")
                .hint("resume the execution if it is durable");
            Outcome::refused(id.clone(), failure)
        }
    }
}

/// Stops a task when it is dropped, unless it was detached.
struct StopOnDrop(Option<AbortHandle>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        if let Some(task) = &self.0 {
            task.abort();
        }
    }
}
