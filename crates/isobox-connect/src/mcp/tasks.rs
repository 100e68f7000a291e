//! Tasks: calls that the server answers later. The client asks for their status until they are done.

use std::sync::Arc;
use std::time::Duration;

use isobox_core::{ToolCall, ToolError};
use rmcp::model::{ClientRequest, CustomRequest, RequestMetaObject};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::sleep;

use super::McpOptions;
use super::complaint::clean;
use super::context::Context;
use super::parked::Parked;
use super::reply::bounded;
use super::session::{Patience, RequestError, Running, Session};

/// A task of a server, as its server described it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Task {
    pub(super) id: String,
    /// The way in which the server gives the result.
    delivery: Delivery,
    poll: Duration,
}

/// The way in which a server gives the result of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Delivery {
    /// On request, as in protocol version 2025-11-25.
    OnRequest,
    /// With the status, as in the extension of protocol version 2026-07-28.
    WithStatus,
}

/// The note of a call about its task: enough for any process to continue with it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Note {
    task: String,
    delivery: Delivery,
    poll_ms: u64,
    /// Counts how often the server has asked for input or answered with a task.
    round: u32,
}

/// The outcome of following a task.
pub(super) enum Followed {
    /// The result of the call.
    Result(Value),
    /// The server gives the result, or asks a question before, as the answer to this request.
    Awaited(Box<Running>),
    /// The server asks for input: its `inputRequests`.
    InputRequired(Value),
}

/// The maximum length of the id of a task, in bytes. It is kept and sent back.
const MAX_ID: usize = 1_000;
/// The bounds of the time between two questions for the status.
const MIN_POLL: Duration = Duration::from_millis(50);
const USUAL_POLL: Duration = Duration::from_millis(500);
const MAX_POLL: Duration = Duration::from_secs(30);

impl Task {
    /// Reads the answer to a call, if it is a task.
    pub(super) fn of(result: &Value) -> Option<Self> {
        if result.get("resultType").and_then(Value::as_str) == Some("task") {
            return Self::read(result, Delivery::WithStatus);
        }
        Self::read(result.get("task")?, Delivery::OnRequest)
    }

    /// Returns a task whose server asked for input, to continue it.
    pub(super) fn continued(id: String) -> Self {
        Self { id, delivery: Delivery::WithStatus, poll: USUAL_POLL }
    }

    fn read(task: &Value, delivery: Delivery) -> Option<Self> {
        let id = task.get("taskId")?.as_str().filter(|id| !id.is_empty() && id.len() <= MAX_ID)?.to_owned();
        Some(Self { id, delivery, poll: poll(task).unwrap_or(USUAL_POLL) })
    }

    fn params(&self) -> Value {
        json!({ "taskId": self.id })
    }

    /// Returns the error by which a call of a durable execution notes its task. Until it continues, the end of the
    /// execution cancels the task.
    pub(super) fn into_note(self, session: &Arc<Session>, call: &ToolCall, round: u32, left: &LeftTasks) -> ToolError {
        leave(left, call, CancelOnDrop::new(session, &self));
        let poll_ms = u64::try_from(self.poll.as_millis()).unwrap_or(u64::MAX);
        let note = Note { task: self.id, delivery: self.delivery, poll_ms, round };
        ToolError::noted(serde_json::to_value(note).unwrap_or_default())
    }

    /// Reads the note of a call: its task, and the number of rounds.
    pub(super) fn noted(note: &Value) -> Option<(Self, u32)> {
        let Note { task: id, delivery, poll_ms, round } = Note::deserialize(note).ok()?;
        Some((Self { id, delivery, poll: Duration::from_millis(poll_ms).clamp(MIN_POLL, MAX_POLL) }, round))
    }

    /// Waits for the end of a task, or for a question. Reports its status as progress.
    ///
    /// Dropping the future cancels the task at the server. A task of a durable execution outlives the process: it is
    /// cancelled when the execution ends.
    pub(super) async fn follow(
        self,
        session: &Arc<Session>,
        call: &ToolCall,
        context: &Context,
        left: &LeftTasks,
    ) -> Result<Followed, TaskError> {
        if let Some(before) = left.take(&call.context.key()) {
            before.release();
        }
        let mut guard = Following { cancel: Some(CancelOnDrop::new(session, &self)), call, left };
        let _is_open = session.expect_questions_about(&self.id);
        let (mut patience, beat) = Patience::for_call(&context.options);
        tokio::select! {
            followed = self.ask_until_done(session, context, &mut guard, &beat) => followed,
            limit = patience.is_over() => {
                guard.cancel();
                Err(TaskError::TimedOut(limit))
            }
        }
    }

    /// Asks for the status of the task until it ends or needs an answer. Every change of the status counts as progress.
    async fn ask_until_done(
        mut self,
        session: &Arc<Session>,
        context: &Context,
        guard: &mut Following<'_>,
        beat: &watch::Sender<()>,
    ) -> Result<Followed, TaskError> {
        let (call, Context { options, secrets, .. }) = (guard.call, context);
        let mut told = String::new();
        loop {
            let task = match ask(session, "tasks/get", self.params(), options).await {
                Ok(task) => task,
                Err(error) => {
                    guard.lose();
                    return Err(TaskError::Request(error));
                }
            };
            self.poll = poll(&task).unwrap_or(self.poll);
            let status = task.get("status").and_then(Value::as_str).unwrap_or_default();
            let message = task.get("statusMessage").and_then(Value::as_str).unwrap_or_default();
            let now = format!("{status} {message}");
            if told != now {
                let shown = |text: &str| clean(&secrets.conceal(text));
                call.progress.report(json!({ "status": shown(status), "message": shown(message) }));
                beat.send_replace(());
                told = now;
            }
            match (status, self.delivery) {
                ("working" | "submitted", _) => {}
                ("completed", Delivery::WithStatus) => {
                    guard.release();
                    return Ok(Followed::Result(task.get("result").cloned().unwrap_or_default()));
                }
                ("failed", Delivery::WithStatus) => {
                    guard.release();
                    let error = task.get("error").and_then(|error| error.get("message")).and_then(Value::as_str);
                    let error = error.unwrap_or("the task failed without a message");
                    return Err(TaskError::Failed(bounded(&secrets.conceal(error))));
                }
                ("input_required", Delivery::WithStatus) => {
                    guard.release();
                    return Ok(Followed::InputRequired(task));
                }
                // The server gives the result, or the error, as if the tool had been called by this request. What it
                // needs to know before, it asks meanwhile.
                ("completed" | "failed" | "input_required", Delivery::OnRequest) => {
                    guard.release();
                    let running = session.begin_custom("tasks/result", self.params(), call, options).await?;
                    return Ok(Followed::Awaited(Box::new(running)));
                }
                ("cancelled", _) => {
                    guard.release();
                    return Err(TaskError::Failed("the server cancelled the task".to_owned()));
                }
                (other, _) => {
                    guard.cancel();
                    let other = clean(&secrets.conceal(other));
                    return Err(TaskError::Failed(format!("the task has an unknown status: `{other}`")));
                }
            }
            sleep(self.poll).await;
        }
    }

    /// Gives a task the answers that it waits for.
    pub(super) async fn answer(
        &self,
        session: &Arc<Session>,
        answers: Value,
        options: &McpOptions,
    ) -> Result<(), RequestError> {
        let params = json!({ "taskId": self.id, "inputResponses": answers });
        ask(session, "tasks/update", params, options).await?;
        Ok(())
    }
}

/// The reason why a task has no result.
pub(super) enum TaskError {
    Failed(String),
    /// The task has taken too long.
    TimedOut(Duration),
    /// The server could not be asked about the task, or knows no such task.
    Request(RequestError),
}

impl From<RequestError> for TaskError {
    fn from(error: RequestError) -> Self {
        Self::Request(error)
    }
}

async fn ask(session: &Session, method: &str, params: Value, options: &McpOptions) -> Result<Value, RequestError> {
    let request = ClientRequest::CustomRequest(CustomRequest::new(method.to_owned(), Some(params)));
    session.request(request, RequestMetaObject::new(), Patience::from(Some(options.start_timeout))).await
}

fn poll(task: &Value) -> Option<Duration> {
    let milliseconds = task.get("pollIntervalMs").or_else(|| task.get("pollInterval"))?.as_u64()?;
    Some(Duration::from_millis(milliseconds).clamp(MIN_POLL, MAX_POLL))
}

/// The tasks of durable executions that no call follows at the moment. They are cancelled when their executions end.
pub(super) type LeftTasks = Parked<CancelOnDrop>;

fn leave(left: &LeftTasks, call: &ToolCall, task: CancelOnDrop) {
    if let Some(oldest) = left.put(&call.context.execution, call.context.key(), task) {
        oldest.release();
    }
}

/// Exists while a call follows a task. A call that is dropped before the end of the task cancels it, or leaves it if its
/// execution is durable.
struct Following<'a> {
    cancel: Option<CancelOnDrop>,
    call: &'a ToolCall,
    left: &'a LeftTasks,
}

impl Following<'_> {
    fn is_durable(&self) -> bool {
        self.call.context.fencing_token.is_some()
    }

    /// Releases the task from cancellation, because it needs none.
    fn release(&mut self) {
        if let Some(cancel) = self.cancel.take() {
            cancel.release();
        }
    }

    /// Handles a server that could not be asked about the task. If the execution is durable, the task is not cancelled:
    /// a person decides what happened.
    fn lose(&mut self) {
        if self.is_durable() {
            self.release();
        }
    }

    fn cancel(&mut self) {
        drop(self.cancel.take());
    }
}

impl Drop for Following<'_> {
    fn drop(&mut self) {
        if let Some(cancel) = self.cancel.take()
            && self.is_durable()
        {
            leave(self.left, self.call, cancel);
        }
    }
}

/// Cancels a task at its server when it is dropped.
pub(super) struct CancelOnDrop {
    task: Option<(Arc<Session>, Value)>,
    runtime: Handle,
}

impl CancelOnDrop {
    fn new(session: &Arc<Session>, task: &Task) -> Self {
        Self { task: Some((Arc::clone(session), task.params())), runtime: Handle::current() }
    }

    pub(super) fn release(mut self) {
        self.task = None;
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if let Some((session, params)) = self.task.take() {
            self.runtime.spawn(async move {
                let request = ClientRequest::CustomRequest(CustomRequest::new("tasks/cancel".to_owned(), Some(params)));
                let patience = Patience::from(Some(Duration::from_secs(5)));
                // The caller has stopped waiting.
                let _ = session.request(request, RequestMetaObject::new(), patience).await;
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_of_both_protocols_are_recognised() {
        let old = json!({ "task": { "taskId": "t1", "status": "working", "pollInterval": 10 } });
        let task = Task::of(&old).unwrap();
        assert_eq!((task.id.as_str(), task.delivery, task.poll), ("t1", Delivery::OnRequest, MIN_POLL));
        let new = json!({ "resultType": "task", "taskId": "t2", "status": "working", "pollIntervalMs": 9_999_999 });
        let task = Task::of(&new).unwrap();
        assert_eq!((task.id.as_str(), task.delivery, task.poll), ("t2", Delivery::WithStatus, MAX_POLL));
        for other in [
            json!({ "content": [] }),
            json!({ "task": "t" }),
            json!({ "task": { "taskId": "" } }),
            json!({ "task": { "taskId": "x".repeat(10_000) } }),
            json!(null),
        ] {
            assert_eq!(Task::of(&other), None);
        }
    }

    #[test]
    fn a_note_names_the_task_and_how_its_result_is_delivered() {
        let note = json!({ "task": "t", "delivery": "onRequest", "pollMs": 2_000, "round": 3 });
        let (task, round) = Task::noted(&note).unwrap();
        let known = (task.id.as_str(), task.delivery, task.poll, round);
        assert_eq!(known, ("t", Delivery::OnRequest, Duration::from_secs(2), 3));
        for other in [json!(null), json!({ "task": "t" }), json!({ "task": 1, "delivery": "withStatus" })] {
            assert_eq!(Task::noted(&other), None);
        }
    }
}
