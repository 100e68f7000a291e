//! One execution from source to outcome: the thin loop around the pure decisions.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt};
use serde_json::Value;
use tracing::Instrument;

use crate::bridge::{Bridge, Route};
use crate::call_details::{CallDetails, KeptDetails};
use crate::driver::{Answer, Call, Driver, Instance, Reply, Request, StartOptions, State, Step};
use crate::explain::{deadlock, exhausted, explain_error, timed_out};
use crate::json::{MAX_DEPTH, dismantle, is_within_depth};
use crate::ledger::{Ledger, ToolRequest};
use crate::observer::{CallFailure, Contents, EventKind, Label, Observer, Reporter, execution_span};
use crate::policy::Policy;
use crate::program::{Prepared, Program, prepare};
use crate::reshape::Reshape;
use crate::running_call::{Asking, CallFuture, Refusal, RunningCall, SettledCall, panicked};
use crate::text::shorten;
use crate::{
    Approval, ApprovalRequest, Approver, Capacity, Catalogue, Clock, Code, Completed, ExecutionId, Failed, Failure,
    Limits, Log, Outcome, Permit, ToolCall, ToolError,
};

/// What executions run with. One for many of them.
#[derive(Clone)]
pub struct Host {
    /// The sandbox.
    pub driver: Arc<dyn Driver>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// What may be called.
    pub catalogue: Arc<Catalogue>,
    /// Under which conditions.
    pub policy: Arc<Policy>,
    /// Who is asked about calls that need approval; where there is nobody, they fail.
    pub approver: Option<Arc<dyn Approver>>,
    /// Namespaces that programs find as globals as well.
    pub namespaces: Arc<[String]>,
    /// How much may be live.
    pub capacity: Capacity,
    /// Who is told what happens.
    pub observer: Option<Arc<dyn Observer>>,
    /// How much of what crosses the wall is told.
    pub contents: Contents,
    /// What makes, of a result, what a model gets; see [`for_model`](crate::for_model).
    pub reshape: Option<Arc<Reshape>>,
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
    /// The roles of whoever asked for it.
    pub roles: Vec<String>,
    /// What the host wants to find it by.
    pub label: Label,
    /// What is recorded of its calls.
    pub details: CallDetails,
}

/// Runs a program to its end.
///
/// When `cancelled` completes, the program is stopped and the outcome is `ABORTED`. When the returned future is dropped,
/// it is stopped as well. Either way its place, its instance and the futures of its calls are gone at once.
pub async fn execute(host: &Host, execution: Execution, cancelled: impl Future<Output = ()> + Send) -> Outcome {
    let span = execution_span(&execution.id, &execution.label);
    if span.is_disabled() {
        return execute_untraced(host, execution, cancelled).await;
    }
    let has_sizes = host.contents != Contents::Nothing;
    if has_sizes {
        span.record("isobox.input.bytes", execution.program.source_size());
    }
    let outcome = execute_untraced(host, execution, cancelled).instrument(span.clone()).await;
    match &outcome {
        Outcome::Failed(failed) => {
            span.record("error.type", failed.error.code.as_str());
        }
        Outcome::Completed(completed) if has_sizes => {
            span.record("isobox.output.bytes", completed.result.to_string().len());
        }
        Outcome::Completed(_) => {}
    }
    outcome
}

async fn execute_untraced(host: &Host, execution: Execution, cancelled: impl Future<Output = ()> + Send) -> Outcome {
    let started = host.clock.elapsed();
    let (id, roles, label) = (execution.id.clone(), execution.roles.clone(), execution.label.clone());
    let reporter = Reporter::new(host, &id, &label);
    reporter.report(|_| EventKind::Started { source: execution.program.source_size() });
    let mut run = Run {
        host,
        reporter: &reporter,
        bridge: Bridge::new(&host.catalogue, &host.policy, &roles),
        ledger: Ledger::new(execution.limits.in_flight),
        details: KeptDetails::new(execution.details, &host.policy, &execution.limits),
        logs: Vec::new(),
        instance: None,
        asking: Arc::default(),
        execution,
    };
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
    let Run { ledger, details, mut logs, instance, .. } = run;
    let unfinished = instance.map(|mut instance| instance.take_logs()).unwrap_or_default();
    unfinished.iter().for_each(|log| reporter.report(|_| EventKind::Logged(log)));
    logs.extend(unfinished);
    let calls = ledger.into_records(details);
    let execution_id = id.clone();
    let outcome = match result {
        Ok(result) => Outcome::Completed(Completed { execution_id, result, logs, calls, duration_ms }),
        Err(error) => Outcome::Failed(Failed { execution_id, error, logs, calls, duration_ms }),
    };
    reporter.report(|_| EventKind::Ended(&outcome));
    outcome
}

struct Run<'a> {
    host: &'a Host,
    reporter: &'a Reporter<'a>,
    execution: Execution,
    bridge: Bridge<'a>,
    ledger: Ledger,
    details: KeptDetails<'a>,
    /// How many calls wait for a person.
    asking: Arc<AtomicUsize>,
    logs: Vec<Log>,
    /// Here rather than in the future that drives it, so that its logs outlive one that is dropped.
    instance: Option<Box<dyn Instance>>,
}

impl<'a> Run<'a> {
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
        let options = StartOptions {
            limits: limits.clone(),
            seed: self.execution.seed,
            meter: permit.meter(),
            namespaces: Arc::clone(&self.host.namespaces),
        };
        self.instance = Some(self.host.driver.start(Arc::clone(&program), options)?);
        let result = self.drive(&program).await;
        drop(permit);
        result
    }

    async fn drive(&mut self, program: &Prepared) -> Result<Value, Failure> {
        let clock = Arc::clone(&self.host.clock);
        let mut deadline = clock.elapsed().saturating_add(self.execution.limits.timeout);
        let mut running = FuturesUnordered::new();
        let mut answers = Vec::new();
        loop {
            self.ledger.deliver(&answers);
            let Some(instance) = &mut self.instance else {
                return Err(Failure::new(Code::Internal, "the instance is gone"));
            };
            let step = until(&*clock, deadline, instance.step(std::mem::take(&mut answers), clock.now())).await;
            let step = step.ok_or_else(|| timed_out(&self.execution.limits))??;
            self.tell(&step);
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
                if clock.elapsed() >= deadline {
                    return Err(timed_out(&self.execution.limits));
                }
                match self.start(request) {
                    Ok(call) => running.push(call),
                    Err(answer) => {
                        self.settle(&answer, None);
                        answers.push(answer);
                    }
                }
            }
            // Time may have passed without an answer: a person has decided, and the tool is called now.
            while answers.is_empty() {
                if self.ledger.is_idle() {
                    return Err(deadlock());
                }
                deadline = self.collect(&mut running, deadline, &mut answers).await?;
            }
        }
    }

    /// Tells of what a program did in a step.
    fn tell(&mut self, step: &Step) {
        for log in &step.logs {
            self.reporter.report(|_| EventKind::Logged(log));
        }
        for Call { seq, request } in &step.calls {
            if let Request::Tool { path, input } = request {
                self.details.input(*seq, path, input);
                let content = |reporter: &Reporter<'_>| reporter.content(path, input);
                self.reporter.report(|reporter| EventKind::CallIssued { seq: *seq, path, input: content(reporter) });
            }
        }
    }

    /// Starts a call, or says at once what came of it.
    fn start(&mut self, request: ToolRequest) -> Result<RunningCall, Answer> {
        let ToolRequest { seq, path, input } = request;
        self.reporter.report(|_| EventKind::CallStarted { seq, path: &path });
        let span = self.reporter.call_span(seq, &path, &input);
        match self.begin(seq, &path, input) {
            Ok(future) => Ok(RunningCall::new(seq, path, span, future)),
            Err(reply) => {
                self.reporter.record(&span, &path, &reply);
                Err(Answer { seq, reply })
            }
        }
    }

    fn begin(&mut self, seq: u32, path: &str, input: Value) -> Result<CallFuture, Reply> {
        let route = self.bridge.route(path, &input).map_err(Reply::Failed)?;
        let call = ToolCall { input, key: format!("{}:{seq}", self.execution.id) };
        match route {
            Route::Answered(value) => Err(self.check_size(path, &value).map_or_else(Reply::Failed, Reply::Result)),
            Route::Call(tool) => {
                // A tool may panic before it has made its future.
                let invoked = catch_unwind(AssertUnwindSafe(|| tool.invoke(call)));
                let future = invoked.unwrap_or_else(|panic| Box::pin(std::future::ready(Err(panicked(&*panic)))));
                Ok(Box::pin(async { future.await.map_err(Refusal::Failed) }))
            }
            Route::Ask(why) => self.ask(seq, path, call, why).map_err(Reply::Failed),
        }
    }

    /// Asks whether a call may be made, and makes it then.
    fn ask(&self, seq: u32, path: &str, call: ToolCall, why: String) -> Result<CallFuture, Failure> {
        let Some(approver) = &self.host.approver else {
            let message = format!("the call of `{path}` needs approval, and nobody can be asked: {why}");
            return Err(Failure::new(Code::ApprovalRequired, message));
        };
        let request = ApprovalRequest {
            execution: self.execution.id.clone(),
            seq: seq.to_string(),
            path: path.to_owned(),
            input: self.host.policy.redacted(path, &call.input),
            why,
        };
        let (approver, catalogue) = (Arc::clone(approver), Arc::clone(&self.host.catalogue));
        let (path, asking) = (path.to_owned(), Asking::begin(&self.asking));
        Ok(Box::pin(async move {
            let decided = approver.decide(request).await;
            drop(asking);
            match decided {
                Approval::Denied(reason) => Err(Refusal::Denied(reason)),
                Approval::Approved => match catalogue.get(&path) {
                    Some(tool) => tool.invoke(call).await.map_err(Refusal::Failed),
                    None => Err(Refusal::Failed(ToolError::internal("the tool is gone"))),
                },
            }
        }))
    }

    /// Waits until at least one answer is there, and takes all that are. The deadline from then on: it moves by the time
    /// for which there was nothing to wait for but a person.
    async fn collect(
        &mut self,
        running: &mut FuturesUnordered<RunningCall>,
        deadline: Duration,
        answers: &mut Vec<Answer>,
    ) -> Result<Duration, Failure> {
        let clock = Arc::clone(&self.host.clock);
        let before = clock.elapsed();
        let timer = self.ledger.next_timer();
        let waits_for_people = timer.is_none() && running.len() == self.asking.load(Ordering::Relaxed);
        let wake = if waits_for_people { Duration::MAX } else { timer.map_or(deadline, |timer| timer.min(deadline)) };
        let asking_before = self.asking.load(Ordering::Relaxed);
        let asking = Arc::clone(&self.asking);
        let mut settled = Vec::new();
        until(
            &*clock,
            wake,
            std::future::poll_fn(|context| {
                while let Poll::Ready(Some(one)) = running.poll_next_unpin(context) {
                    settled.push(one);
                }
                // Once a person has decided, time counts again.
                let has_decided = waits_for_people && asking.load(Ordering::Relaxed) < asking_before;
                if settled.is_empty() && !has_decided { Poll::Pending } else { Poll::Ready(()) }
            }),
        )
        .await;
        for SettledCall { seq, path, span, result } in settled {
            let (reply, cause) = self.reply(&path, result);
            self.reporter.record(&span, &path, &reply);
            let answer = Answer { seq, reply };
            self.settle(&answer, cause.as_ref());
            answers.push(answer);
        }
        let now = clock.elapsed();
        let deadline = if waits_for_people { deadline.saturating_add(now.saturating_sub(before)) } else { deadline };
        answers.extend(self.ledger.fire(now));
        if answers.is_empty() && now >= deadline { Err(timed_out(&self.execution.limits)) } else { Ok(deadline) }
    }

    /// Records what came of a call, and tells of it.
    fn settle(&mut self, answer: &Answer, cause: Option<&ToolError>) {
        let took = self.ledger.settle(answer, self.host.clock.elapsed());
        let (seq, path) = (answer.seq, self.ledger.path_of(answer.seq).unwrap_or_default());
        if let Reply::Result(json) = &answer.reply {
            self.details.output(seq, path, json);
        }
        self.reporter.report(|reporter| {
            let result = match &answer.reply {
                Reply::Failed(failure) => Err(CallFailure { failure, cause }),
                Reply::Result(json) => Ok(reporter.json_content(path, json)),
                Reply::Fired => Ok(reporter.json_content(path, "")),
            };
            EventKind::CallSettled { seq, path, took, result }
        });
    }

    /// Turns what a tool gave into what the program gets, and what it must not get.
    fn reply(&self, path: &str, result: Result<Value, Refusal>) -> (Reply, Option<ToolError>) {
        let mut cause = None;
        let reply = match result {
            Ok(value) if !is_within_depth(&value) => {
                dismantle(value);
                let message = format!("the output of tool `{path}` is nested deeper than {MAX_DEPTH} levels");
                Reply::Failed(Failure::new(Code::Serialization, message))
            }
            Ok(value) => self.check_output(path, &value).map_or_else(Reply::Failed, Reply::Result),
            Err(Refusal::Denied(reason)) => {
                let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
                let message = shorten(&format!("a person denied the call of `{path}`{reason}"), MAX_TOOL_MESSAGE);
                Reply::Failed(Failure::new(Code::ApprovalDenied, message))
            }
            Err(Refusal::Failed(error)) => {
                let failure = Failure::new(Code::Tool, shorten(error.message(), MAX_TOOL_MESSAGE));
                cause = Some(error);
                Reply::Failed(failure)
            }
        };
        (reply, cause)
    }

    fn check_output(&self, path: &str, value: &Value) -> Result<String, Failure> {
        if let Some(tool) = self.host.catalogue.get(path) {
            self.bridge.without_secrets(path, value, |value| tool.check_output(value))?;
        }
        self.check_size(path, value)
    }

    fn check_size(&self, path: &str, value: &Value) -> Result<String, Failure> {
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
