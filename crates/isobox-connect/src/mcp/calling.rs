//! Calls tools, and continues calls after a person has answered a question of the server.

use std::sync::Arc;

use isobox_core::connector::{Error, ErrorKind};
use isobox_core::{ToolCall, ToolError};
use rmcp::model::{CallToolRequestParams, JsonObject};
use serde_json::{Value, json};

use super::complaint::clean;
use super::elicitation::{Continuation, Interrupt, MAX_ROUNDS, answer, asked_again, payload};
use super::functions::{Function, Target};
use super::inbox::is_lost;
use super::lifecycle::Lifecycle;
use super::listener::{roots, sample};
use super::parked::ParkedCall;
use super::reply;
use super::send_error::SendError;
use super::session::{Reached, RequestError, Running, Session};
use super::tasks::{Followed, Task, TaskError};
use crate::oauth::LoginNeeded;

impl Lifecycle {
    /// Calls a tool or another function. A call is sent at most once, unless the server asks for input before it acts.
    pub(super) async fn call(&self, name: &str, mut call: ToolCall) -> Result<Value, ToolError> {
        let arguments = arguments(std::mem::take(&mut call.input))?;
        match Target::of(name) {
            Target::Function(function) => self.call_function(function, arguments).await,
            Target::Tool(tool) | Target::Task(tool) => {
                let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
                let plan = Plan { params, form: Form::of(name) };
                let noted = call.note.as_ref().map(|note| Task::noted(note).ok_or_else(unreadable)).transpose()?;
                match (call.interrupt.as_ref().map_or(Interrupt::Other, Interrupt::read), noted) {
                    (Interrupt::Other, None) => self.call_tool(plan, &call, 0).await,
                    (Interrupt::Other, Some((task, round))) => self.attend(task, plan, &call, round).await,
                    (Interrupt::Live, noted) => self.answer_live(plan, &call, noted).await,
                    (Interrupt::Continued(continuation), _) => self.answer_continued(plan, &call, *continuation).await,
                }
            }
        }
    }

    async fn call_function(&self, function: Function<'_>, arguments: JsonObject) -> Result<Value, ToolError> {
        let mut is_first = true;
        loop {
            let session = self.session().await.map_err(|error| self.unavailable(error))?;
            let request = function.request(arguments.clone())?;
            let patience = self.context().options.call_timeout.into();
            match session.call_function(request, patience).await {
                Ok(result) => {
                    self.context().back_off.worked();
                    return self.shown(result, reply::unwrap_function);
                }
                Err(RequestError::NotSent) if is_first => is_first = false,
                Err(error) => return Err(self.not_called(error)),
            }
        }
    }

    /// Calls a tool. `round` counts how often the server has asked for input.
    async fn call_tool(&self, plan: Plan, call: &ToolCall, round: u32) -> Result<Value, ToolError> {
        let mut is_first = true;
        loop {
            let session = self.session().await.map_err(|error| self.unavailable(error))?;
            let reached = match self.begin(&session, &plan, call).await {
                Ok(mut running) => (session.next(&mut running).await, Some(running)),
                Err(error) => (Reached::Answered(Err(error)), None),
            };
            match reached {
                (Reached::Answered(Err(RequestError::NotSent)), _) if is_first => is_first = false,
                (reached, running) => return self.converse(session, running, reached, plan, call, round).await,
            }
        }
    }

    /// Handles what happens while a call runs, until it ends or a person has to answer.
    async fn converse(
        &self,
        session: Arc<Session>,
        running: Option<Running>,
        reached: Reached,
        plan: Plan,
        call: &ToolCall,
        round: u32,
    ) -> Result<Value, ToolError> {
        let (mut reached, mut running) = (reached, running);
        loop {
            match (reached, running.take()) {
                (Reached::Asked(mut question), Some(mut still_running)) => {
                    self.context().secrets.conceal_question(&mut question.params);
                    match payload(&self.context().name, &question.params, None) {
                        Some(payload) => {
                            let parked = ParkedCall { session, running: still_running, question };
                            // The oldest one makes room: dropping it cancels its call.
                            drop(self.parked().put(&call.context.execution, call.context.key(), parked));
                            return Err(ToolError::interrupt(payload));
                        }
                        // Dropping the question dismisses it.
                        None => drop(question),
                    }
                    reached = session.next(&mut still_running).await;
                    running = Some(still_running);
                }
                (Reached::Asked(_), None) => return Err(ToolError::new("the server asked about no call")),
                (Reached::Answered(Ok(result)), _) => {
                    self.context().back_off.worked();
                    if let Some(task) = Task::of(&result) {
                        if round >= MAX_ROUNDS {
                            let why = format!("the tool answered with tasks more than {MAX_ROUNDS} times");
                            return Err(ToolError::new(why).with_unknown_effect());
                        }
                        // A durable execution notes the task before it follows it.
                        if call.context.fencing_token.is_some() {
                            return Err(task.into_note(&session, call, round, self.left_tasks()));
                        }
                        return Box::pin(self.attend(task, plan, call, round)).await;
                    }
                    if result.get("resultType").and_then(Value::as_str) == Some("input_required") {
                        return self.input_required(plan, call, &result, round).await;
                    }
                    return self.shown(result, reply::unwrap);
                }
                (Reached::Answered(Err(error)), _) => return Err(self.failed(error)),
            }
        }
    }

    /// Sends a call as the tool requires it.
    async fn begin(&self, session: &Session, plan: &Plan, call: &ToolCall) -> Result<Running, RequestError> {
        let options = &self.context().options;
        match plan.form {
            Form::Plain => session.begin_call(plan.params.clone(), call, options).await,
            Form::Task => {
                let arguments = plan.params.arguments.as_ref();
                let params = json!({ "name": plan.params.name, "arguments": arguments, "task": {} });
                session.begin_custom("tools/call", params, call, options).await
            }
        }
    }

    /// Follows a task until it ends or a person has to answer. A server that has ended is started again once: it may
    /// still know the task.
    async fn attend(&self, task: Task, plan: Plan, call: &ToolCall, round: u32) -> Result<Value, ToolError> {
        let mut is_first = true;
        loop {
            let session = self.session().await.map_err(|error| doubtful(self.unavailable(error)))?;
            let followed = task.clone().follow(&session, call, self.context(), self.left_tasks()).await;
            let (reached, running) = match followed {
                Ok(Followed::Result(result)) => (Reached::Answered(Ok(result)), None),
                Ok(Followed::InputRequired(mut asked)) => {
                    asked["taskId"] = task.id.into();
                    return self.input_required(plan, call, &asked, round).await;
                }
                Ok(Followed::Awaited(mut answer)) => (session.next(&mut answer).await, Some(*answer)),
                Err(TaskError::Request(RequestError::NotSent | RequestError::Ended(_))) if is_first => {
                    is_first = false;
                    continue;
                }
                Err(TaskError::Request(error)) => return Err(self.not_followed(error)),
                Err(TaskError::Failed(message)) => return Err(ToolError::new(message)),
                Err(TaskError::TimedOut(limit)) => return Err(self.failed(RequestError::TimedOut(limit))),
            };
            return Box::pin(self.converse(session, running, reached, plan, call, round + 1)).await;
        }
    }

    /// Converts the error of a request about a task for the program. The task may have had an effect.
    fn not_followed(&self, error: RequestError) -> ToolError {
        let refusal = match error {
            RequestError::Refused(refusal) => refusal,
            other => return doubtful(self.not_called(other)),
        };
        self.context().back_off.worked();
        let name = clean(&self.context().name);
        let message = reply::bounded(&self.context().secrets.conceal(&refusal.message));
        ToolError::in_doubt(format!(
            "the MCP server `{name}` no longer knows the task of the call ({}); it is unknown whether the call had an effect",
            clean(&message)
        ))
    }

    /// Turns the questions of a result into interrupts.
    async fn input_required(
        &self,
        plan: Plan,
        call: &ToolCall,
        result: &Value,
        round: u32,
    ) -> Result<Value, ToolError> {
        let mut continuation = Continuation::of(result, round).map_err(ToolError::new)?;
        // Their keys and the state go back to the server as they are.
        for params in continuation.open.values_mut().filter_map(|question| question.get_mut("params")) {
            self.context().secrets.conceal_question(params);
        }
        continuation.task = result.get("taskId").and_then(Value::as_str).map(str::to_owned);
        self.go_on(plan, call, continuation).await
    }

    /// Passes the answer of a person on to the server that waits for it.
    async fn answer_live(&self, plan: Plan, call: &ToolCall, noted: Option<(Task, u32)>) -> Result<Value, ToolError> {
        let given = match self.given(call) {
            Ok(given) => given,
            Err(again) => return Err(again),
        };
        let parked = self.parked().take(&call.context.key()).filter(|parked| !parked.session.is_over());
        let Some(ParkedCall { session, mut running, question }) = parked else {
            // The task asks again in another connection.
            if let Some((task, round)) = noted {
                return self.attend(task, plan, call, round + 1).await;
            }
            let name = clean(&self.context().name);
            return Err(ToolError::in_doubt(format!(
                "the MCP server `{name}` asked a question during the call, and the connection in which it asked is lost; \
                 it is unknown whether the call had an effect"
            )));
        };
        question.answer(given);
        let reached = session.next(&mut running).await;
        self.converse(session, Some(running), reached, plan, call, 0).await
    }

    /// Adds the answer of a person to those that the server wants with the call.
    async fn answer_continued(
        &self,
        plan: Plan,
        call: &ToolCall,
        mut continuation: Continuation,
    ) -> Result<Value, ToolError> {
        let given = match self.given(call) {
            Ok(given) => given,
            Err(again) => return Err(again),
        };
        continuation.answer(serde_json::to_value(given).unwrap_or_default());
        self.go_on(plan, call, continuation).await
    }

    /// Asks the next question of a result, or calls the tool again with all answers.
    async fn go_on(&self, plan: Plan, call: &ToolCall, mut continuation: Continuation) -> Result<Value, ToolError> {
        while let Some((method, question)) = continuation.next() {
            match method {
                "elicitation/create" => {
                    let shown = payload(&self.context().name, question, Some(&continuation));
                    match shown {
                        Some(shown) => return Err(ToolError::interrupt(shown)),
                        None => continuation.answer(json!({ "action": "cancel" })),
                    }
                }
                "roots/list" => continuation.answer(roots(self.context())),
                "sampling/createMessage" => {
                    let params = question.clone();
                    let sampled = sample(self.context(), params).await;
                    let sampled = sampled.map_err(|why| ToolError::new(format!("the tool asks for a model: {why}")))?;
                    continuation.answer(sampled);
                }
                other => {
                    let other = clean(other);
                    return Err(ToolError::new(format!("the tool asks for `{other}`, which is not offered here")));
                }
            }
        }
        let Continuation { request_state, answers, round, task, .. } = continuation;
        if let Some(task) = task.map(Task::continued) {
            let session = self.session().await.map_err(|error| self.unavailable(error))?;
            match task.answer(&session, Value::Object(answers), &self.context().options).await {
                // After a refusal, the status of the task says how it goes on: it may have had the answers before.
                Ok(()) | Err(RequestError::Refused(_)) => {}
                Err(error) => return Err(self.not_followed(error)),
            }
            let reached = Reached::Answered(Ok(json!({ "resultType": "task", "taskId": task.id })));
            return Box::pin(self.converse(session, None, reached, plan, call, round)).await;
        }
        let mut params = plan.params.with_input_responses(answers.into_iter().collect());
        params.request_state = request_state;
        Box::pin(self.call_tool(Plan { params, form: plan.form }, call, round)).await
    }

    /// Reads the answer that a person gave. If it is none, asks again.
    fn given(&self, call: &ToolCall) -> Result<rmcp::model::ElicitResult, ToolError> {
        let resolution = call.resolution.as_ref().unwrap_or(&Value::Null);
        answer(resolution).map_err(|problem| {
            let payload = call.interrupt.clone().unwrap_or_default();
            ToolError::interrupt(asked_again(payload, problem))
        })
    }

    /// Returns what a program gets of a result, without credentials. An error quotes the server, so it is without all secrets.
    fn shown(
        &self,
        mut result: Value,
        unwrap: impl FnOnce(Value) -> Result<Value, ToolError>,
    ) -> Result<Value, ToolError> {
        let secrets = &self.context().secrets;
        if result.get("isError") == Some(&Value::Bool(true)) {
            // Before the text is shortened, so that no part of a secret remains.
            secrets.quoted().conceal_value(&mut result);
        } else if let Some(kind) = reply::unsupported_kind(&mut result) {
            // For the same reason.
            secrets.quoted().conceal_value(kind);
        }
        match unwrap(result) {
            Ok(mut value) => {
                secrets.conceal_value(&mut value);
                Ok(value)
            }
            Err(error) => Err(ToolError::new(secrets.conceal(error.message()))),
        }
    }

    /// Converts the error of a call of a tool for the program. Marks it if the tool may have been run.
    fn failed(&self, error: RequestError) -> ToolError {
        let is_unknown = error.leaves_effect_unknown();
        let error = self.not_called(error);
        if is_unknown { error.with_unknown_effect() } else { error }
    }

    /// Converts a request error for the program. The message names the server but quotes neither its output nor its
    /// command.
    fn not_called(&self, error: RequestError) -> ToolError {
        let name = clean(&self.context().name);
        match error {
            RequestError::Refused(error) if is_lost(&error) => {
                self.context().back_off.worked();
                let told = clean(&self.context().secrets.conceal(&error.message));
                let told = told.strip_prefix("the server ").unwrap_or(&told);
                ToolError::new(format!("the MCP server `{name}` {told}; it is unknown whether the call had an effect"))
                    .caused_by(self.error(ErrorKind::Protocol, told, None))
            }
            RequestError::Refused(error) => {
                self.context().back_off.worked();
                let message = reply::bounded(&self.context().secrets.conceal(&error.message));
                ToolError::new(if message.trim().is_empty() { "the tool failed without a message" } else { &message })
                    .caused_by(self.error(ErrorKind::Refused, &format!("answered with error {}", error.code.0), None))
            }
            RequestError::TimedOut(patience) => {
                ToolError::new(format!("the MCP server `{name}` did not answer within {patience:?}"))
            }
            RequestError::Stuck => ToolError::new(format!("the MCP server `{name}` does not read its standard input")),
            RequestError::NotSent => ToolError::new(format!(
                "the MCP server `{name}` ended before the call was sent; the call can be repeated"
            )),
            RequestError::Failed(SendError::LoginNeeded(needed)) => needed.interrupt(),
            RequestError::Failed(error) => {
                let told = clean(&self.context().secrets.conceal(&error.to_string()));
                let doubt =
                    if error.leaves_effect_unknown() { "; it is unknown whether the call had an effect" } else { "" };
                ToolError::new(format!("the MCP server `{name}` did not answer the call: {told}{doubt}"))
                    .caused_by(self.error(ErrorKind::Unavailable, "did not answer a call", None))
            }
            RequestError::Ended(ending) => {
                let what = ending.describe();
                let message = format!(
                    "the MCP server `{name}` {what} during the call; it is unknown whether the call had an effect"
                );
                let what = format!("{what} during a call");
                ToolError::new(message).caused_by(self.error(ErrorKind::Unavailable, &what, Some(&ending)))
            }
        }
    }

    fn unavailable(&self, error: Error) -> ToolError {
        let name = clean(&self.context().name);
        if let Some(needed) = LoginNeeded::of(&error) {
            return needed.interrupt();
        }
        ToolError::new(format!("the MCP server `{name}` is not available")).caused_by(error)
    }
}

/// A call as it is sent.
struct Plan {
    params: CallToolRequestParams,
    form: Form,
}

/// The form in which a tool is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Plain,
    /// As a task, because the tool requires it.
    Task,
}

impl Form {
    /// Returns the form for an offered name.
    fn of(name: &str) -> Self {
        match Target::of(name) {
            Target::Task(_) => Self::Task,
            Target::Tool(_) | Target::Function(_) => Self::Plain,
        }
    }
}

/// Turns a failure into one that leaves it unknown whether the call had an effect. An interrupt stays one.
fn doubtful(error: ToolError) -> ToolError {
    if error.interrupt_payload().is_some() {
        return error;
    }
    let message = error.message().to_owned();
    ToolError::in_doubt(message).caused_by(error)
}

fn unreadable() -> ToolError {
    ToolError::in_doubt(
        "the note about the task of the call cannot be read; it is unknown whether the call had an effect",
    )
}

fn arguments(input: Value) -> Result<JsonObject, ToolError> {
    match input {
        Value::Object(arguments) => Ok(arguments),
        Value::Null => Ok(JsonObject::new()),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Err(ToolError::new("the input of this tool must be an object"))
        }
    }
}
