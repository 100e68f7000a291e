//! One execution under way: the loop around the pure decisions.

use std::sync::Arc;
use std::task::{Poll, Waker};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::stream::{FuturesUnordered, StreamExt};
use serde_json::Value;
use tracing::Span;

use crate::driver::{Answer, Call, Instance, Origin, Reply, Request, State, Step};
use crate::durable::journaling::Pausing;
use crate::durable::recorder::Recorder;
use crate::journal::{Question, Verdict};
use crate::policy::bridge::{Bridge, Route};
use crate::program::Prepared;
use crate::report::call_details::KeptDetails;
use crate::report::observer::{CallFailure, EventKind, Reporter};
use crate::run::beginning::Begin;
use crate::run::eviction::Away;
use crate::run::execution::{Execution, Host};
use crate::run::explain::{deadlock, exhausted, explain_error, explain_refusal, timed_out};
use crate::run::ledger::{Ledger, ToolRequest};
use crate::run::progress::{Desk, Report};
use crate::run::reply::Answering;
use crate::run::running_call::{Happened, Happening, RunningCall};
use crate::run::waiting::{meanwhile, until};
use crate::{Approval, CallSeq, Code, Failure, Log, PendingKind, Permit, ToolCall, ToolError};

pub(crate) struct Run<'a> {
    pub(crate) host: &'a Host,
    pub(crate) reporter: &'a Reporter<'a>,
    pub(crate) execution: &'a Execution,
    pub(crate) bridge: Bridge<'a>,
    pub(crate) ledger: Ledger,
    pub(crate) details: KeptDetails<'a>,
    pub(crate) logs: Vec<Log>,
    /// Here rather than in the future that drives it, so that its logs outlive one that is dropped.
    pub(crate) instance: Option<Box<dyn Instance>>,
    /// Its place among the live ones.
    pub(crate) permit: Option<Permit>,
    /// Where the program is instead, while it waits and others have its place.
    pub(crate) away: Option<Away>,
    /// The names under which tools are found without `tools`: those that the program began with.
    pub(crate) namespaces: Arc<[String]>,
    /// When it was last looked whether somebody has ended the execution.
    pub(crate) looked: Duration,
    /// Since when it waits.
    pub(crate) waiting_since: Option<Duration>,
    /// Whether its place can be asked for while it does.
    pub(crate) is_movable: bool,
    /// Writes the journal, where the execution is kept.
    pub(crate) recorder: Option<Recorder>,
    /// When the time is up, by the clock's elapsed time.
    pub(crate) deadline: Duration,
    /// What the program gets next.
    pub(crate) answers: Vec<Answer>,
    /// What begins as soon as the journal says so.
    pub(crate) beginning: Vec<Begin>,
    pub(crate) running: FuturesUnordered<RunningCall>,
    /// What calls tell on their way.
    pub(crate) desk: Arc<Desk>,
    /// How many of those wait for a person.
    pub(crate) deciding: usize,
}

/// Why an execution does not go on.
pub(crate) enum Stop {
    Failed(Failure),
    /// A person ended it.
    Rejected(Failure),
    /// It waits for somebody outside; nobody holds it any more.
    Paused,
    /// It could not be brought back. Nothing ran, and it stays as it was.
    NotResumed(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl<'a> Run<'a> {
    pub(crate) fn new(host: &'a Host, reporter: &'a Reporter<'a>, execution: &'a Execution) -> Self {
        Self {
            host,
            reporter,
            execution,
            bridge: Bridge::new(&host.catalogue, &host.policy, &execution.roles),
            ledger: Ledger::new(execution.limits.in_flight),
            details: KeptDetails::new(execution.details, &host.policy, &execution.limits),
            logs: Vec::new(),
            instance: None,
            permit: None,
            away: None,
            namespaces: Arc::clone(&host.namespaces),
            looked: host.clock.elapsed(),
            waiting_since: None,
            is_movable: true,
            recorder: None,
            deadline: Duration::MAX,
            answers: Vec::new(),
            beginning: Vec::new(),
            running: FuturesUnordered::new(),
            desk: Arc::default(),
            deciding: 0,
        }
    }

    /// From the first step to the end.
    pub(crate) async fn drive(&mut self, program: &Arc<Prepared>) -> Result<Value, Stop> {
        match self.step(program).await? {
            Some(result) => Ok(result),
            None => self.go_on(program).await,
        }
    }

    /// From where the program waits to the end.
    pub(crate) async fn go_on(&mut self, program: &Arc<Prepared>) -> Result<Value, Stop> {
        loop {
            self.start_calls().await?;
            self.wait_for_answers().await?;
            if let Some(result) = self.step(program).await? {
                return Ok(result);
            }
        }
    }

    /// Delivers the answers that are there; what the program returned, if it did.
    async fn step(&mut self, program: &Arc<Prepared>) -> Result<Option<Value>, Stop> {
        self.come_back(program).await?;
        (self.waiting_since, self.is_movable) = (None, true);
        let clock = &*self.host.clock;
        let answers = std::mem::take(&mut self.answers);
        self.ledger.deliver(&answers);
        let delivered: Vec<u32> = match self.recorder {
            Some(_) => answers.iter().map(|answer| answer.seq).collect(),
            None => Vec::new(),
        };
        let Some(instance) = &mut self.instance else {
            return Err(Failure::new(Code::Internal, "the instance is gone").into());
        };
        let now = clock.now();
        let recorder = &mut self.recorder;
        // What a short step does is written together with what led to it; nothing is kept back for a long one.
        let hand_over = || recorder.iter_mut().for_each(Recorder::send);
        let step = until(clock, self.deadline, meanwhile(hand_over, instance.step(answers, now))).await;
        let step = step.ok_or_else(|| timed_out(&self.execution.limits))??;
        self.tell(&step);
        self.note_step(program, &delivered, now, &step)?;
        self.logs.extend(step.logs);
        self.ledger.issue(step.calls, clock.elapsed());
        self.ledger.clear(&step.cleared);
        match step.state {
            State::Waiting => {}
            State::Done { result, unawaited } => {
                return self.ledger.detached(&unawaited).map_or(Ok(Some(result)), |failure| Err(failure.into()));
            }
            State::Failed(error) => {
                let Execution { program: source, limits, .. } = self.execution;
                let failure = match error.origin {
                    Origin::Engine(Code::Syntax) => explain_refusal(&error, source, program, &*self.host.driver).await,
                    Origin::Engine(_) | Origin::Program | Origin::Call(_) => {
                        explain_error(&error, program, &self.ledger, limits)
                    }
                };
                return Err(failure.into());
            }
            State::Exhausted(limit) => return Err(exhausted(limit, &self.execution.limits).into()),
        }
        self.check_time()
    }

    pub(crate) fn check_time<T>(&self) -> Result<Option<T>, Stop> {
        if self.host.clock.elapsed() >= self.deadline {
            return Err(timed_out(&self.execution.limits).into());
        }
        Ok(None)
    }

    /// Tells of what a program did in a step.
    fn tell(&mut self, step: &Step) {
        for log in &step.logs {
            self.reporter.report(|_| EventKind::Logged(log));
        }
        for Call { seq, request, .. } in &step.calls {
            if let Request::Tool { path, input } = request {
                self.details.input(*seq, self.host.catalogue.names(path), input);
                let content = |reporter: &Reporter<'_>| reporter.content(path, input);
                self.reporter.report(|reporter| EventKind::CallIssued { seq: *seq, path, input: content(reporter) });
            }
        }
    }

    /// Decides about every call whose turn has come.
    async fn start_calls(&mut self) -> Result<(), Stop> {
        while let Some(request) = self.ledger.start_next(self.host.clock.elapsed()) {
            self.check_time::<()>()?;
            self.start_call(request).await?;
        }
        Ok(())
    }

    async fn start_call(&mut self, request: ToolRequest) -> Result<(), Stop> {
        let ToolRequest { seq, path, input } = request;
        self.reporter.report(|_| EventKind::CallStarted { seq, path: &path });
        // First of all: rules and people decide about what the tool gets.
        let input = self.host.with_defaults(&path, input);
        let span = self.reporter.call_span(seq, &path, &input);
        let reply = match self.bridge.route(&path, &input) {
            Err(failure) => Reply::Failed(failure),
            Ok(Route::Answered(value)) => {
                self.answering().check_size(&path, &value).map_or_else(Reply::Failed, Reply::Result)
            }
            Ok(Route::Call) => return Ok(self.begin_call(seq, path, self.call(seq, input), span)?),
            Ok(Route::Ask(why)) => return self.ask(seq, path, input, why, span).await,
        };
        self.reporter.record(&span, &path, &reply);
        Ok(self.settle(seq, &path, reply, None)?)
    }

    pub(crate) fn call(&self, seq: u32, input: Value) -> ToolCall {
        let lease = self.recorder.as_ref().map(|recorder| &*recorder.lease);
        ToolCall::new(&self.execution.id, CallSeq(seq), input, lease)
    }

    pub(crate) fn begin_call(&mut self, seq: u32, path: String, call: ToolCall, span: Span) -> Result<(), Failure> {
        self.note_started(seq, &path, &call.input, None)?;
        self.begin_noted(seq, path, call, span);
        Ok(())
    }

    fn begin_noted(&mut self, seq: u32, path: String, call: ToolCall, span: Span) {
        self.ledger.begin(seq, self.host.clock.elapsed());
        self.beginning.push(Begin::Call { seq, path, call, span });
    }

    /// Sees to it that somebody decides about a call.
    async fn ask(&mut self, seq: u32, path: String, input: Value, why: String, span: Span) -> Result<(), Stop> {
        let definition = self.host.definition(&path);
        match self.recall(&path, &definition, &input).await? {
            Some(Verdict::Approve) => {
                self.note_started(seq, &path, &input, Some(definition))?;
                let call = self.call(seq, input);
                self.begin_noted(seq, path, call, span);
                return Ok(());
            }
            Some(Verdict::Deny(reason)) => return Ok(self.deny(seq, &path, reason.as_deref(), &span)?),
            Some(_) | None => {}
        }
        let is_kept = self.note_question(seq, Question::Approval { why: why.clone(), definition }, Some(&input))?;
        if self.host.approver.is_some() || is_kept {
            self.ledger.ask(seq);
            self.tell_question(seq, &path, PendingKind::Approval);
        }
        if self.host.approver.is_some() {
            let call = self.call(seq, input);
            self.beginning.push(Begin::Ask { seq, path, call, why, span });
        } else if !is_kept {
            self.refuse_unasked(seq, &path, &why, &span)?;
        }
        Ok(())
    }

    fn refuse_unasked(&mut self, seq: u32, path: &str, why: &str, span: &Span) -> Result<(), Failure> {
        let message = format!("the call of `{path}` needs approval, and nobody can be asked: {why}");
        let reply = Reply::Failed(Failure::new(Code::ApprovalRequired, message));
        self.reporter.record(span, path, &reply);
        self.settle(seq, path, reply, None)
    }

    /// Takes a question back that was put to the host's approver: somebody else has answered it.
    pub(crate) fn stop_asking(&mut self, seq: u32) {
        let before = self.running.len();
        self.running = std::mem::take(&mut self.running).into_iter().filter(|call| call.seq != seq).collect();
        self.deciding -= before - self.running.len();
        self.beginning.retain(|begin| !matches!(begin, Begin::Ask { seq: asked, .. } if *asked == seq));
    }

    pub(crate) fn tell_question(&self, seq: u32, path: &str, kind: PendingKind) {
        self.reporter.report(|_| EventKind::CallAsked { seq, path, kind });
    }

    /// Waits until there is something that the program gets.
    async fn wait_for_answers(&mut self) -> Result<(), Stop> {
        loop {
            self.excuse_store();
            self.heed_rejection().await?;
            self.begin().await?;
            if !self.answers.is_empty() {
                return Ok(());
            }
            if self.ledger.is_idle() {
                return Err(deadlock().into());
            }
            let is_alone = self.running.is_empty() && self.ledger.next_timer().is_none();
            match self.listen(is_alone).await? {
                Pausing::Decided => {}
                Pausing::Paused => return Err(Stop::Paused),
                Pausing::NobodyIsAsked | Pausing::NothingDecided => {
                    self.hand_over();
                    self.wait().await?;
                }
            }
        }
    }

    /// Waits until something happens.
    async fn wait(&mut self) -> Result<(), Stop> {
        let clock = Arc::clone(&self.host.clock);
        let before = clock.elapsed();
        let timer = self.ledger.next_timer();
        // Time counts for as long as there is something to wait for but people.
        let waits_for_people = timer.is_none() && self.running.len() == self.deciding;
        let due = if waits_for_people {
            Duration::MAX
        } else {
            timer.map_or(self.deadline, |timer| timer.min(self.deadline))
        };
        let (mut idle, idle_at) = self.idle(before);
        let wake = due.min(self.next_look(before)).min(idle_at);
        let mut happened = Vec::new();
        let Self { running, desk, ledger, reporter, .. } = self;
        until(
            &*clock,
            wake,
            std::future::poll_fn(|context| {
                while let Poll::Ready(Some(one)) = running.poll_next_unpin(context) {
                    happened.push(one);
                }
                tell_progress(desk, ledger, reporter, context.waker());
                let is_wanted = idle.as_mut().is_some_and(|idle| idle.poll_unpin(context).is_ready());
                if happened.is_empty() && !is_wanted { Poll::Pending } else { Poll::Ready(()) }
            }),
        )
        .await;
        let now = clock.elapsed();
        if waits_for_people {
            self.deadline = self.deadline.saturating_add(now.saturating_sub(before));
        }
        if happened.is_empty() && idle.as_mut().is_some_and(|idle| idle.now_or_never().is_some()) {
            self.make_room().await?;
        }
        drop(idle);
        for one in happened {
            self.take(one).await?;
        }
        self.answers.extend(self.ledger.fire(now));
        if self.answers.is_empty() && now >= self.deadline {
            return Err(timed_out(&self.execution.limits).into());
        }
        Ok(())
    }

    /// What follows from something that happened.
    async fn take(&mut self, happened: Happened) -> Result<(), Failure> {
        let Happened { seq, path, span, what } = happened;
        match what {
            Happening::Prevented(call) => {
                self.beginning.push(Begin::Call { seq, path, call, span });
                Ok(())
            }
            Happening::Decided(approval, call) => {
                self.deciding -= 1;
                let verdict = match approval {
                    Approval::Approved => Verdict::Approve,
                    Approval::Denied(reason) => Verdict::Deny(reason),
                    Approval::Postponed if self.recorder.is_some() => return Ok(()),
                    Approval::Postponed => {
                        return self.refuse_unasked(seq, &path, "whoever was asked left it open", &span);
                    }
                };
                match verdict {
                    verdict if self.recorder.is_some() => self.say_on_the_spot(seq, verdict).await,
                    Verdict::Deny(reason) => self.deny(seq, &path, reason.as_deref(), &span),
                    _ => self.begin_call(seq, path, call, span),
                }
            }
            Happening::Returned(Err(error)) if error.interrupt_payload().is_some() => {
                let payload = error.interrupt_payload().cloned().unwrap_or_default();
                if self.note_question(seq, Question::Interrupt { payload }, None)? {
                    self.tell_question(seq, &path, PendingKind::Interrupt);
                    return Ok(());
                }
                let message = format!("tool `{path}` needs something from outside, and nobody can be asked for it");
                let failure = Failure::new(Code::Tool, message).hint("run the program durably, so that it can wait");
                let reply = Reply::Failed(failure);
                self.reporter.record(&span, &path, &reply);
                self.settle(seq, &path, reply, Some(&error))
            }
            Happening::Returned(result) => {
                let (reply, cause) = self.answering().reply(seq, &path, result);
                self.reporter.record(&span, &path, &reply);
                self.settle(seq, &path, reply, cause.as_ref())
            }
        }
    }

    pub(crate) fn deny(&mut self, seq: u32, path: &str, reason: Option<&str>, span: &Span) -> Result<(), Failure> {
        let reply = self.answering().denied(path, reason);
        self.reporter.record(span, path, &reply);
        self.settle(seq, path, reply, None)
    }

    /// Records what came of a call, and tells of it.
    pub(crate) fn settle(
        &mut self,
        seq: u32,
        path: &str,
        reply: Reply,
        cause: Option<&ToolError>,
    ) -> Result<(), Failure> {
        let answer = Answer { seq, reply };
        let took = self.ledger.settle(&answer, self.host.clock.elapsed());
        self.note_settled(&answer, path, took)?;
        if let Reply::Result(json) = &answer.reply {
            self.details.output(seq, self.host.catalogue.names(path), json.get());
        }
        self.reporter.report(|reporter| {
            let result = match &answer.reply {
                Reply::Failed(failure) => Err(CallFailure { failure, cause }),
                Reply::Result(json) => Ok(reporter.json_content(path, json.get())),
                Reply::Fired => Ok(reporter.json_content(path, "")),
            };
            EventKind::CallSettled { seq, path, took, result }
        });
        self.answers.push(answer);
        Ok(())
    }

    pub(crate) fn answering(&self) -> Answering<'_, 'a> {
        let (host, reporter) = (self.host, self.reporter);
        Answering { host, reporter, bridge: &self.bridge, limit: self.output_limit() }
    }
}

/// Tells what calls told of their way.
fn tell_progress(desk: &Desk, ledger: &Ledger, reporter: &Reporter<'_>, waker: &Waker) {
    for Report { seq, content } in desk.take(waker) {
        let path = ledger.path_of(seq).unwrap_or_default();
        let progress = reporter.redacted(path, content);
        reporter.report(|_| EventKind::CallProgressed { seq, path, progress });
    }
}
