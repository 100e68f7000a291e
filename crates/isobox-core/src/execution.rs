//! One execution from source to outcome: the thin loop around the pure decisions.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt};
use serde_json::Value;

use crate::driver::{Answer, Driver, Instance, Reply, StartOptions, State};
use crate::explain::{deadlock, exhausted, explain_error, timed_out};
use crate::json::{MAX_DEPTH, dismantle, is_within_depth};
use crate::ledger::{Ledger, ToolRequest};
use crate::program::{Prepared, Program, prepare};
use crate::text::shorten;
use crate::{
    Capacity, Clock, Code, Completed, ExecutionId, Failed, Failure, Limits, Log, Outcome, Permit, ToolCall, ToolError,
    Tools,
};

/// What executions run with. One for many of them.
#[derive(Clone)]
pub struct Host {
    /// The sandbox.
    pub driver: Arc<dyn Driver>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// What may be called.
    pub tools: Tools,
    /// How much may be live.
    pub capacity: Capacity,
    /// Who is told what programs are not.
    pub observer: Option<Arc<dyn Observer>>,
}

/// Is told what a program must not know.
pub trait Observer: Send + Sync {
    /// A tool failed; the whole error, of which the program saw the message.
    fn tool_failed(&self, execution: &ExecutionId, path: &str, error: &ToolError);
}

/// One program to run.
#[derive(Debug)]
pub struct Execution {
    /// Its name.
    pub id: ExecutionId,
    /// Where its random numbers start.
    pub seed: u64,
    /// What runs.
    pub program: Program,
    /// What it may use.
    pub limits: Limits,
}

/// Runs a program to its end.
///
/// When `cancelled` completes, the program is stopped and the outcome is `ABORTED`. When the returned future is dropped,
/// it is stopped as well. Either way its place, its instance and the futures of its calls are gone at once.
pub async fn execute(host: &Host, execution: Execution, cancelled: impl Future<Output = ()> + Send) -> Outcome {
    let started = host.clock.elapsed();
    let id = execution.id.clone();
    let mut run =
        Run { host, ledger: Ledger::new(execution.limits.in_flight), logs: Vec::new(), instance: None, execution };
    let result = {
        let mut work = std::pin::pin!(run.work());
        let mut cancelled = std::pin::pin!(cancelled);
        std::future::poll_fn(|context| {
            if cancelled.as_mut().poll(context).is_ready() {
                let message = "the caller cancelled the execution";
                return Poll::Ready(Err(Failure::new(Code::Aborted, message)));
            }
            work.as_mut().poll(context)
        })
        .await
    };
    let duration_ms = u64::try_from(host.clock.elapsed().saturating_sub(started).as_millis()).unwrap_or(u64::MAX);
    let Run { ledger, mut logs, instance, .. } = run;
    logs.extend(instance.map(|mut instance| instance.take_logs()).unwrap_or_default());
    let calls = ledger.into_records();
    match result {
        Ok(result) => Outcome::Completed(Completed { execution_id: id, result, logs, calls, duration_ms }),
        Err(error) => Outcome::Failed(Failed { execution_id: id, error, logs, calls, duration_ms }),
    }
}

struct Run<'a> {
    host: &'a Host,
    execution: Execution,
    ledger: Ledger,
    logs: Vec<Log>,
    /// Here rather than in the future that drives it, so that its logs outlive one that is dropped.
    instance: Option<Box<dyn Instance>>,
}

impl Run<'_> {
    async fn work(&mut self) -> Result<Value, Failure> {
        let limits = &self.execution.limits;
        let size = self.execution.program.source_size();
        if !limits.source.holds(size) {
            let message = format!("the program is {size} bytes, and the limit is {}", limits.source);
            return Err(Failure::new(Code::SourceTooLarge, message)
                .hint("keep data out of the program: fetch it with a tool instead")
                .detail("limit", limits.source.get())
                .detail("size", size));
        }
        let program = Arc::new(prepare(&self.execution.program)?);
        let permit = admit(self.host, limits.timeout).await?;
        let options = StartOptions { limits: limits.clone(), seed: self.execution.seed, meter: permit.meter() };
        self.instance = Some(self.host.driver.start(Arc::clone(&program), options)?);
        let result = self.drive(&program).await;
        drop(permit);
        result
    }

    async fn drive(&mut self, program: &Prepared) -> Result<Value, Failure> {
        let clock = Arc::clone(&self.host.clock);
        let deadline = clock.elapsed().saturating_add(self.execution.limits.timeout);
        let mut running = FuturesUnordered::new();
        let mut answers = Vec::new();
        loop {
            self.ledger.deliver(&answers);
            let Some(instance) = &mut self.instance else {
                return Err(Failure::new(Code::Internal, "the instance is gone"));
            };
            let step = until(&*clock, deadline, instance.step(std::mem::take(&mut answers), clock.now())).await;
            let step = step.ok_or_else(|| timed_out(&self.execution.limits))??;
            self.logs.extend(step.logs);
            self.ledger.issue(step.calls, clock.elapsed());
            self.ledger.clear(&step.cleared);
            match step.state {
                State::Waiting => {}
                State::Done { result, unawaited } => return self.ledger.detached(&unawaited).map_or(Ok(result), Err),
                State::Failed(error) => {
                    let Execution { program: source, limits, .. } = &self.execution;
                    return Err(explain_error(&error, source, program, &self.ledger, limits));
                }
                State::Exhausted(limit) => return Err(exhausted(limit, &self.execution.limits)),
            }
            if clock.elapsed() >= deadline {
                return Err(timed_out(&self.execution.limits));
            }
            while let Some(request) = self.ledger.start_next(clock.elapsed()) {
                match self.start(request) {
                    Ok(call) => running.push(call),
                    Err(answer) => self.settle(answer, &mut answers),
                }
            }
            if answers.is_empty() {
                if self.ledger.is_idle() {
                    return Err(deadlock());
                }
                self.collect(&mut running, deadline, &mut answers).await?;
            }
        }
    }

    /// Starts a call, or says at once why it cannot be made.
    fn start(&self, request: ToolRequest) -> Result<RunningCall, Answer> {
        let ToolRequest { seq, path, input } = request;
        let refused = |failure| Answer { seq, reply: Reply::Failed(failure) };
        let Some(tool) = self.host.tools.get(&path) else { return Err(refused(unknown_tool(&self.host.tools, &path))) };
        tool.check_input(&input).map_err(refused)?;
        let key = format!("{}:{seq}", self.execution.id);
        let call = ToolCall { input, key };
        match catch_unwind(AssertUnwindSafe(|| tool.invoke(call))) {
            Ok(future) => Ok(RunningCall { seq, path, future }),
            Err(panic) => Err(self.reply(seq, &path, Err(panicked(&*panic)))),
        }
    }

    /// Waits until at least one answer is there, and takes all that are.
    async fn collect(
        &mut self,
        running: &mut FuturesUnordered<RunningCall>,
        deadline: Duration,
        answers: &mut Vec<Answer>,
    ) -> Result<(), Failure> {
        let clock = Arc::clone(&self.host.clock);
        let wake = self.ledger.next_timer().map_or(deadline, |timer| timer.min(deadline));
        let mut settled = Vec::new();
        until(
            &*clock,
            wake,
            std::future::poll_fn(|context| {
                while let Poll::Ready(Some(one)) = running.poll_next_unpin(context) {
                    settled.push(one);
                }
                if settled.is_empty() { Poll::Pending } else { Poll::Ready(()) }
            }),
        )
        .await;
        for (seq, path, result) in settled {
            let answer = self.reply(seq, &path, result);
            self.settle(answer, answers);
        }
        let now = clock.elapsed();
        answers.extend(self.ledger.fire(now));
        if answers.is_empty() && now >= deadline { Err(timed_out(&self.execution.limits)) } else { Ok(()) }
    }

    fn settle(&mut self, answer: Answer, answers: &mut Vec<Answer>) {
        self.ledger.settle(&answer, self.host.clock.elapsed());
        answers.push(answer);
    }

    /// Turns what a tool gave into what the program gets.
    fn reply(&self, seq: u32, path: &str, result: Result<Value, ToolError>) -> Answer {
        let reply = match result {
            Ok(value) if !is_within_depth(&value) => {
                dismantle(value);
                let message = format!("the output of tool `{path}` is nested deeper than {MAX_DEPTH} levels");
                Reply::Failed(Failure::new(Code::Serialization, message))
            }
            Ok(value) => self.check_output(path, &value).map_or_else(Reply::Failed, Reply::Result),
            Err(error) => {
                if let Some(observer) = &self.host.observer {
                    observer.tool_failed(&self.execution.id, path, &error);
                }
                Reply::Failed(Failure::new(Code::Tool, shorten(error.message(), MAX_TOOL_MESSAGE)))
            }
        };
        Answer { seq, reply }
    }

    fn check_output(&self, path: &str, value: &Value) -> Result<String, Failure> {
        if let Some(tool) = self.host.tools.get(path) {
            tool.check_output(value)?;
        }
        let json = serde_json::to_string(value).map_err(|error| {
            Failure::new(Code::Serialization, format!("the output of tool `{path}` is not JSON: {error}"))
        })?;
        let limit = self.execution.limits.output;
        if limit.holds(json.len()) {
            return Ok(json);
        }
        let message = format!("the output of tool `{path}` is {} bytes, and the limit is {limit}", json.len());
        Err(Failure::new(Code::OutputTooLarge, message)
            .hint("ask the tool for less: a filter, a smaller page, fewer fields")
            .detail("limit", limit.get())
            .detail("size", json.len()))
    }
}

/// Waits for a place, no longer than the program itself might take.
async fn admit(host: &Host, timeout: Duration) -> Result<Permit, Failure> {
    let limit = host.clock.elapsed().saturating_add(timeout);
    until(&*host.clock, limit, host.capacity.admit()).await.unwrap_or_else(|| {
        let message = format!("no capacity became free within {timeout:?}");
        Err(Failure::new(Code::Busy, message).hint("try again later, or raise the capacity of this runtime"))
    })
}

/// How much of a tool's message a program sees, in characters.
const MAX_TOOL_MESSAGE: usize = 4000;

fn unknown_tool(tools: &Tools, path: &str) -> Failure {
    if path.is_empty() {
        return Failure::new(Code::UnknownTool, "`tools` is no tool itself: call one, as in `tools.name({ … })`");
    }
    let names: Vec<String> = tools.nearest(path).iter().map(|name| format!("`{name}`")).collect();
    let advice = if names.is_empty() { String::new() } else { format!("; did you mean {}?", names.join(" or ")) };
    Failure::new(Code::UnknownTool, format!("unknown tool: `{}`{advice}", shorten(path, 80)))
}

/// One call under way.
struct RunningCall {
    seq: u32,
    path: String,
    future: BoxFuture<'static, Result<Value, ToolError>>,
}

impl Future for RunningCall {
    type Output = (u32, String, Result<Value, ToolError>);

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        // A future that panicked is never polled again, so that it does not matter in which state the panic left it.
        let polled = catch_unwind(AssertUnwindSafe(|| this.future.as_mut().poll(context)));
        let result = match polled {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(result)) => result,
            Err(panic) => Err(panicked(&*panic)),
        };
        Poll::Ready((this.seq, std::mem::take(&mut this.path), result))
    }
}

fn panicked(panic: &(dyn Any + Send)) -> ToolError {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a value that is no text".to_owned());
    ToolError::internal(format!("the tool panicked: {text}"))
}

/// The result of the future, unless the moment comes first.
///
/// The clock is read at every poll: a guest that spins yields often, and must not keep its own time-out from being seen
/// by keeping the executor from its timers.
async fn until<F: Future>(clock: &dyn Clock, moment: Duration, future: F) -> Option<F::Output> {
    let mut future = std::pin::pin!(future);
    let mut sleep = None;
    std::future::poll_fn(|context| {
        if let Poll::Ready(output) = future.as_mut().poll(context) {
            return Poll::Ready(Some(output));
        }
        if clock.elapsed() >= moment {
            return Poll::Ready(None);
        }
        let sleep = sleep.get_or_insert_with(|| clock.sleep_until(moment));
        sleep.as_mut().poll(context).map(|()| None)
    })
    .await
}
