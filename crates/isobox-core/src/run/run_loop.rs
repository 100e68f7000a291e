//! The run loop of one execution, around the pure decisions.

use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use futures_util::FutureExt;
use serde_json::value::to_raw_value;

use crate::driver::{Ability, Answer, Call, CalledFrom, ErrorKind, Origin, ProgramState, Request, Returned, Step};
use crate::durable::journaling::Journaling;
use crate::journal::{
    Asked, CallPlace, Entry, JournalState, SnippetCode, SnippetEnded, StepTaken, Used, Wanted, unwritable,
};
use crate::log::add_facts;
use crate::policy::bridge::Bridge;
use crate::program::{Kind, Prepared};
use crate::report::kept_details::KeptDetails;
use crate::report::observer::EventKind;
use crate::run::calls::effects::Effects;
use crate::run::calls::ledger::Ledger;
use crate::run::calls::reply::Answering;
use crate::run::explain::advice::advise;
use crate::run::explain::{deadlock, exhausted, explain_error, timed_out};
use crate::run::host::Execution;
use crate::run::host::setting::Setting;
use crate::run::snippet_runs::family::{FamilyStep, Start};
use crate::run::snippet_runs::state::SnippetRuns;
use crate::run::starting::revival::Revival;
use crate::run::waiting::location::{Evicted, Live, Location};
use crate::run::waiting::lookout::Lookout;
use crate::run::waiting::{meanwhile, until};
use crate::text::brief;
use crate::tools::progress::Report;
use crate::{CallSeq, Code, Facts, Failure, Log, Snapshot, Timestamp};

/// An execution whose program has started.
pub(crate) struct RunLoop<'a> {
    pub(super) setting: Setting<'a>,
    pub(super) program: Arc<Prepared>,
    /// The namespaces that the program finds as globals. They never change.
    pub(super) namespaces: Arc<[String]>,
    pub(super) location: Location,
    pub(super) journal: Journaling,
    pub(super) bridge: Bridge<'a>,
    pub(super) ledger: Ledger,
    pub(super) effects: Effects,
    /// The answers to deliver next.
    pub(super) answers: Vec<Answer>,
    /// The snippets to start next.
    pub(super) starts: Vec<Start>,
    pub(super) snippets: SnippetRuns,
    pub(super) details: KeptDetails<'a>,
    pub(super) logs: Vec<Log>,
    /// The warnings of the checks before the program ran.
    pub(super) warnings: Vec<String>,
    pub(super) facts: Facts,
    /// The globals that the program left for its session.
    pub(super) left: Option<Snapshot>,
    /// The end of the program's time, as elapsed time of the clock.
    pub(super) deadline: Duration,
    /// The time at which the execution was created.
    pub(super) created: Timestamp,
    /// The time that the clock of the program was last set to, as far as this process knows.
    pub(super) stepped: Timestamp,
    /// The schedule for reading the inbox.
    pub(super) lookout: Lookout,
    /// Whether the program has returned, and the rest of its calls is waited for.
    pub(super) has_returned: bool,
}

/// The reason why an execution stops.
pub(crate) enum Stop {
    /// The execution failed or was cancelled.
    Failed(Failure),
    /// A person rejected the execution.
    Rejected(Failure),
    /// The execution is waiting for a decision or a timer. Its lease is free.
    Paused,
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// The result of reading the inbox.
pub(super) enum Listened {
    /// No call is pending.
    NoQuestion,
    /// No decision has arrived, and there is more to wait for.
    NothingDecided,
    /// A decision has taken effect.
    Decided,
    /// The execution has paused, because there is nothing else to wait for.
    Paused,
}

impl<'a> RunLoop<'a> {
    pub(crate) fn new(
        setting: Setting<'a>,
        (program, namespaces): (Arc<Prepared>, Arc<[String]>),
        live: Live,
        journal: Journaling,
    ) -> Self {
        let Setting { host, execution, .. } = setting;
        let (now, created) = (host.clock.elapsed(), host.clock.now());
        let lookout = Lookout::new(journal.subscribe(&execution.id), now, journal.liveness());
        Self {
            setting,
            program,
            namespaces,
            location: Location::Live(live),
            journal,
            bridge: Bridge::new(&host.catalogue, &host.policy, execution.principal.roles())
                .informed_by(host.learner.as_deref()),
            ledger: Ledger::new(execution.limits.in_flight),
            effects: Effects::default(),
            answers: Vec::new(),
            starts: Vec::new(),
            snippets: SnippetRuns::default(),
            details: KeptDetails::new(execution.details, &host.policy, &execution.limits),
            logs: Vec::new(),
            warnings: Vec::new(),
            facts: Facts::new(),
            left: None,
            deadline: now.saturating_add(execution.limits.timeout),
            created,
            stepped: created,
            lookout,
            has_returned: false,
        }
    }

    /// Runs the program from its first step to its end.
    pub(crate) async fn drive(&mut self) -> Result<Returned, Stop> {
        match self.step().await? {
            Some(returned) => Ok(returned),
            None => self.go_on().await,
        }
    }

    /// Continues the program until its end.
    pub(crate) async fn go_on(&mut self) -> Result<Returned, Stop> {
        loop {
            self.start_calls().await?;
            self.wait_for_answers().await?;
            if let Some(returned) = self.step().await? {
                return Ok(returned);
            }
        }
    }

    /// Delivers the available answers. Returns the end of the program, if it returned.
    async fn step(&mut self) -> Result<Option<Returned>, Stop> {
        let Setting { host, execution, .. } = self.setting;
        let clock = &*host.clock;
        let Self { setting, program, namespaces, bridge, journal, location, .. } = self;
        let revival = Revival { setting: *setting, program, namespaces, bridge, journal };
        let live = location.live(revival, self.deadline).await?;
        live.goes_on();
        let (answers, starts) = (std::mem::take(&mut self.answers), std::mem::take(&mut self.starts));
        self.ledger.deliver(&answers);
        starts.iter().for_each(|start| self.ledger.start_snippet(start.seq, clock.elapsed()));
        let delivered: Vec<CallSeq> = match self.journal.is_on() {
            true => answers.iter().map(|answer| answer.seq).chain(starts.iter().map(|start| start.seq)).collect(),
            false => Vec::new(),
        };
        self.deadline = self.deadline.saturating_add(self.journal.take_lost());
        let now = clock.now();
        self.stepped = now;
        // A short step is written together with its cause. For a long one, the entries so far are sent at once.
        let hand_over = || self.journal.send();
        let step = until(clock, self.deadline, meanwhile(hand_over, live.instance.step(answers, starts, now))).await;
        let Some(step) = step else { return Err(self.stopped(timed_out(&execution.limits)).await.into()) };
        let step = match step {
            // There is no instance for a snippet. A durable execution is resumed later, and tries again.
            Err(error) if error.kind == ErrorKind::Busy => self.heed(Err(error)),
            step => step,
        };
        let FamilyStep { step, ended } = step.map_err(Failure::from)?;
        self.tell(&step);
        let ended = self.end_snippets(ended);
        self.note_step(delivered, now, &step, ended)?;
        self.logs.extend(step.logs);
        add_facts(&mut self.facts, step.facts);
        self.ledger.issue(step.calls, clock.elapsed());
        self.ledger.clear(&step.cleared);
        match step.state {
            ProgramState::Waiting => {}
            ProgramState::Done(mut returned) => {
                self.take_globals().await;
                self.add_warnings(&mut returned);
                self.refuse_unawaited(&returned.unawaited).await?;
                if self.ledger.pending().next().is_some() {
                    // Boxed, because it is rare and large.
                    Box::pin(self.settle_rest()).await?;
                }
                return Ok(Some(returned));
            }
            ProgramState::Failed(error) => {
                let Execution { program: source, limits, .. } = execution;
                let failure = match error.origin {
                    Origin::Engine(Code::Syntax) => self.explain_refusal(&error).await,
                    Origin::Engine(_) | Origin::Program | Origin::Call(_) => {
                        let failure = explain_error(&error, &self.program, |seq| self.ledger.failed(seq), limits);
                        advise(failure, source, &self.bridge)
                    }
                };
                return Err(failure.into());
            }
            ProgramState::Exhausted(limit) => {
                return Err(self.stopped(exhausted(limit, &execution.limits)).await.into());
            }
        }
        self.check_time()?;
        Ok(None)
    }

    /// Takes the globals that a program has left, if its session wants them.
    pub(super) async fn take_globals(&mut self) {
        let execution = self.setting.execution;
        if let (Some(_), Location::Live(live)) = (execution.used_globals(), &mut self.location) {
            self.left = live.instance.globals(execution.limits.snapshot).await;
        }
    }

    pub(super) fn check_time(&self) -> Result<(), Failure> {
        if self.is_late() { Err(self.timed_out()) } else { Ok(()) }
    }

    /// Returns the failure of a program whose time is up, with the first call that it is waiting for.
    fn timed_out(&self) -> Failure {
        let failure = self.advise_sleep(timed_out(&self.setting.execution.limits));
        let mut waiting = self.ledger.running();
        let Some(first) = waiting.next() else { return failure };
        let (path, more) = (brief(self.ledger.path_of(first).unwrap_or_default(), 80), waiting.count());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let message = format!("{}: it was waiting for its call of `{path}`{more}", failure.message);
        let failure = Failure { message, ..failure }.detail("tool", path).detail("seq", first.to_string());
        let is_own = first.parent().is_none();
        let place = self.ledger.place_of(first).filter(|_| is_own).and_then(|place| known_place(place, &self.program));
        // The program may have made the call before it was resumed.
        match place.or_else(|| self.journal.state().open_call(first).filter(|_| is_own)?.at.clone()) {
            Some(place) => placed(failure, place),
            None => failure,
        }
    }

    /// Adds the place at which a program was stopped inside a step, if it is known.
    async fn stopped(&mut self, failure: Failure) -> Failure {
        let Location::Live(live) = &mut self.location else { return failure };
        match live.instance.stopped_at().await.and_then(|place| known_place(place, &self.program)) {
            Some(place) => placed(failure, place),
            None => failure,
        }
    }

    /// Returns the time that the program has left.
    pub(super) fn time_left(&self) -> Duration {
        self.deadline.saturating_sub(self.setting.host.clock.elapsed())
    }

    /// Tells whether the time of the program is up.
    pub(super) fn is_late(&self) -> bool {
        self.setting.host.clock.elapsed() >= self.deadline
    }

    /// Reports what the program did in a step.
    fn tell(&mut self, step: &Step) {
        let reporter = self.setting.reporter;
        reporter.tell(&step.logs, &step.facts);
        for Call { seq, request, .. } in &step.calls {
            if let Request::Tool { path, input } = request {
                reporter.issued(*seq, path, input);
                reporter.with_names(*seq, path, |names| self.details.input(*seq, names, input));
            }
        }
    }

    fn note_step(
        &mut self,
        answers: Vec<CallSeq>,
        clock: Timestamp,
        step: &Step,
        ended: Vec<SnippetEnded>,
    ) -> Result<(), Failure> {
        if !self.journal.is_on() {
            return Ok(());
        }
        let (used, setting, program) = (self.used(), self.setting, &*self.program);
        // The globals that a program left are kept between its last step and its end.
        let is_last = !self.is_leaving_calls(step) && self.setting.execution.used_globals().is_none();
        let returned = matches!(step.state, ProgramState::Done(_)) && !is_last;
        self.journal.note(|recorder| {
            let mut calls = Vec::with_capacity(step.calls.len());
            for call in &step.calls {
                calls.push(asked(call, (program, recorder.state()), setting)?);
            }
            Ok(Entry::Step(StepTaken {
                answers,
                clock,
                calls,
                cleared: step.cleared.clone(),
                logs: step.logs.clone(),
                facts: step.facts.clone(),
                used,
                returned,
                ended,
            }))
        })
    }

    /// Tells whether calls are pending after a step, before its own calls are issued.
    fn is_leaving_calls(&self, step: &Step) -> bool {
        let is_tool = |call: &Call| matches!(call.request, Request::Tool { .. });
        self.ledger.pending().next().is_some() || step.calls.iter().any(is_tool)
    }

    /// Returns the resources that the program has used so far.
    pub(super) fn used(&self) -> Used {
        let wall = self.setting.execution.limits.timeout.saturating_sub(self.time_left());
        Used {
            wall: u64::try_from(wall.as_millis()).unwrap_or(u64::MAX),
            cpu: u64::try_from(self.location.cpu_used().as_micros()).unwrap_or(u64::MAX),
        }
    }

    /// Extends the deadline by the time that the program has spent waiting for the store.
    pub(super) fn excuse_store(&mut self) {
        self.deadline = self.deadline.saturating_add(self.journal.take_lost());
    }

    /// Waits until there are answers for the program.
    async fn wait_for_answers(&mut self) -> Result<(), Stop> {
        loop {
            self.excuse_store();
            self.heed_end().await?;
            self.start_calls().await?;
            self.start_effects().await?;
            if !self.answers.is_empty() || !self.starts.is_empty() {
                return Ok(());
            }
            if self.ledger.is_idle() {
                return Err(deadlock().into());
            }
            let until = if self.effects.is_idle() { self.sleeps_until()? } else { None };
            let is_alone = self.effects.is_idle() && (until.is_some() || self.ledger.next_timer().is_none());
            match self.listen(is_alone, until).await? {
                Listened::Decided => {}
                Listened::Paused => return Err(Stop::Paused),
                Listened::NoQuestion | Listened::NothingDecided => {
                    self.journal.send();
                    self.wait().await?;
                    if self.answers.is_empty() && self.starts.is_empty() {
                        self.excuse_store();
                        self.check_time()?;
                        self.check_lifetime()?;
                    }
                }
            }
        }
    }

    /// Starts the planned effects once their journal entries are durable and while this process holds the lease.
    async fn start_effects(&mut self) -> Result<(), Stop> {
        if !self.effects.is_any_planned() {
            return Ok(());
        }
        if self.journal.is_on() {
            self.confirm_effects().await?;
            self.check_time()?;
        }
        let left = self.time_left();
        self.effects.start(self.setting, left, || self.journal.permission());
        Ok(())
    }

    /// Waits until the journal entries of the planned effects are durable, and ensures that this process holds the
    /// lease, and that no person has ended the execution while it was silent.
    pub(super) async fn confirm_effects(&mut self) -> Result<(), Stop> {
        self.journal.confirm().await?;
        if self.effects.has_planned_calls() {
            self.journal.hold().await?;
            self.heed_after_silence().await?;
        }
        self.excuse_store();
        Ok(())
    }

    /// Waits until an event occurs, or the time of the program is up.
    pub(super) async fn wait(&mut self) -> Result<(), Stop> {
        let Setting { host, reporter, .. } = self.setting;
        let clock = &*host.clock;
        let before = clock.elapsed();
        let timer = self.ledger.next_timer();
        // Time counts unless the execution is waiting only for people, or for people and timers if it may sleep.
        let asks_only = self.effects.wait_for_people();
        let waits_for_people = asks_only && (timer.is_none() || (self.may_sleep() && !self.effects.is_idle()));
        let due = match (waits_for_people, timer) {
            (true, None) => Duration::MAX,
            (true, Some(timer)) => timer.min(self.end_of_life()),
            (false, timer) => timer.map_or(self.deadline, |timer| timer.min(self.deadline)),
        };
        let (mut idle, idle_at) = match host.driver.can(Ability::Snapshots) {
            true => self.location.idle(before),
            false => (None, Duration::MAX),
        };
        let look = if self.journal.has_inbox() { self.lookout.due() } else { Duration::MAX };
        let wake = due.min(look).min(idle_at);
        // Most often it is one event. They are large, and a growing list starts with room for four.
        let mut happened = Vec::with_capacity(1);
        let Self { effects, ledger, lookout, .. } = self;
        let something = std::future::poll_fn(|context| {
            while let Poll::Ready(one) = effects.poll_next(context) {
                happened.push(one);
            }
            for Report { seq, content } in effects.take_progress(context.waker()) {
                let path = ledger.path_of(seq).unwrap_or_default();
                let progress = reporter.redacted(seq, path, content);
                reporter.report(|_| EventKind::CallProgressed { seq, path: path.to_owned(), progress });
            }
            let is_wanted = idle.as_mut().is_some_and(|idle| idle.poll_unpin(context).is_ready());
            let is_told = lookout.poll_told(context).is_ready();
            if happened.is_empty() && !is_wanted && !is_told { Poll::Pending } else { Poll::Ready(()) }
        });
        until(clock, wake, something).await;
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
        Ok(())
    }

    /// Evicts a waiting program. If its state is too large to store, it stays in the sandbox.
    async fn make_room(&mut self) -> Result<(), Failure> {
        let Setting { host, execution, .. } = self.setting;
        let Some((snapshot, cpu_used)) = self.location.snapshot(execution.limits.snapshot).await else { return Ok(()) };
        let is_stored = self.journal.keep_state(&execution.id, self.bridge.counted(), &snapshot).await?;
        self.location = Location::Evicted(if is_stored {
            Evicted::in_store(cpu_used, &host.capacity)
        } else {
            Evicted::in_memory(snapshot, cpu_used, &host.capacity)
        });
        Ok(())
    }

    pub(super) fn answering(&self) -> Answering<'_, 'a> {
        Answering::new(self.setting, &self.bridge, &self.journal)
    }
}

fn asked(call: &Call, (program, state): (&Prepared, &JournalState), setting: Setting<'_>) -> Result<Asked, Failure> {
    let what = match &call.request {
        Request::Tool { path, input } => Wanted::Tool {
            path: path.clone(),
            names: setting.host.catalogue.names(path).all().skip(1).map(str::to_owned).collect(),
            hidden: setting.reporter.hidden(call.seq).to_vec(),
            input: to_raw_value(input).map_err(unwritable)?,
        },
        Request::Timer(delay) => Wanted::Timer(u64::try_from(delay.as_millis()).unwrap_or(u64::MAX)),
    };
    let at = call.place.and_then(|place| match call.seq.parent() {
        None => known_place(place, program),
        Some(_) => snippet_place(place, state.snippet_of(call.seq)?.2),
    });
    Ok(Asked { seq: call.seq, what, at })
}

/// Adds a position to a failure.
fn placed(failure: Failure, CallPlace { file, line, column }: CallPlace) -> Failure {
    let failure = failure.at(line, column);
    match file {
        Some(file) => failure.detail("file", file),
        None => failure,
    }
}

/// Returns a position in one of the program's files.
pub(super) fn known_place(from: CalledFrom, program: &Prepared) -> Option<CallPlace> {
    let CalledFrom { file, line, column } = from;
    let file = program.files.get(usize::try_from(file).ok()?)?;
    Some(CallPlace { file: (program.files.len() > 1).then(|| file.path.clone()), line, column })
}

/// Returns a position in one of the files of a snippet.
pub(super) fn snippet_place(from: CalledFrom, code: &SnippetCode) -> Option<CallPlace> {
    // A module is preceded by the file that passes the input to it.
    let added = u32::from(code.prepared.kind == Kind::Module);
    known_place(CalledFrom { file: from.file.checked_sub(added)?, ..from }, &code.prepared)
}
