//! What a kept execution does beside running: writing its journal, listening to those outside, pausing for them.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use serde_json::value::to_raw_value;

use crate::driver::{Answer, Call, Reply, Request, Step};
use crate::durable::recorder::Recorder;
use crate::journal::{
    Asked, CallAsked, CallDecided, CallPlace, CallSettled, CallStarted, Decision, Entry, Paused, Progress, Question,
    Remember, Said, Settlement, Standing, StepTaken, Used, Verdict, Wanted, checkpoint,
};
use crate::policy::bridge::Route;
use crate::program::Prepared;
use crate::run::beginning::Begin;
use crate::run::run_loop::{Run, Stop};
use crate::store::{ErrorKind, Expected, Holding, Message, Status};
use crate::{ByteSize, CallSeq, CalledFrom, Catalogue, Code, Failure, PendingKind, Timestamp, Tool};

/// What came of listening to those outside.
pub(crate) enum Pausing {
    /// Nobody is asked anything.
    NobodyIsAsked,
    /// Nobody has said anything, and there is more to wait for.
    NothingDecided,
    /// Something was decided, and follows.
    Decided,
    /// There is nothing else to wait for: the execution is at rest.
    Paused,
}

/// How often a live execution looks for what was decided, while it waits for other things as well.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// How often one that asks nobody looks whether somebody has ended it.
const LOOK_SELDOM: Duration = Duration::from_secs(1);

/// Why somebody is asked again.
const OTHER_TOOL: &str = "the tool is no longer the one that was approved";

impl Run<'_> {
    /// How large what a tool gives may be.
    pub(crate) fn output_limit(&self) -> ByteSize {
        let limits = &self.execution.limits;
        if self.recorder.is_some() { limits.output.min(limits.durable_value) } else { limits.output }
    }

    /// What was used until now.
    pub(crate) fn used(&self) -> Used {
        let left = self.deadline.saturating_sub(self.host.clock.elapsed());
        let wall = self.execution.limits.timeout.saturating_sub(left);
        let cpu = match (&self.instance, &self.away) {
            (Some(instance), _) => instance.cpu_used(),
            (None, Some(away)) => away.cpu_used,
            (None, None) => Duration::ZERO,
        };
        Used {
            wall: u64::try_from(wall.as_millis()).unwrap_or(u64::MAX),
            cpu: u64::try_from(cpu.as_micros()).unwrap_or(u64::MAX),
        }
    }

    pub(crate) fn note_step(
        &mut self,
        program: &Prepared,
        delivered: &[u32],
        clock: Timestamp,
        step: &Step,
    ) -> Result<(), Failure> {
        let (used, catalogue) = (self.used(), &*self.host.catalogue);
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        recorder.note(Entry::Step(StepTaken {
            answers: delivered.iter().copied().map(CallSeq).collect(),
            clock,
            calls: step.calls.iter().map(|call| asked(call, program, catalogue)).collect::<Result<_, _>>()?,
            cleared: step.cleared.iter().copied().map(CallSeq).collect(),
            logs: step.logs.clone(),
            used,
        }))
    }

    /// Notes that a call begins with this input, approved as its tool is defined where it needed to be.
    pub(crate) fn note_started(
        &mut self,
        seq: u32,
        path: &str,
        input: &Value,
        approved: Option<String>,
    ) -> Result<(), Failure> {
        let (seq, at) = (CallSeq(seq), self.host.clock.now());
        let fills = self.host.fills_defaults(path);
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        let passed = if fills { recorder.standing().given(seq) } else { None };
        let input = passed.filter(|(_, passed)| passed != input).map(|_| input.clone());
        recorder.note(Entry::Started(CallStarted { seq, at, approved, input }))
    }

    /// Whether the question is kept, so that the execution can wait for an answer. It shows what the tool would get: this, or
    /// else what was decided before.
    pub(crate) fn note_question(
        &mut self,
        seq: u32,
        question: Question,
        input: Option<&Value>,
    ) -> Result<bool, Failure> {
        let (seq, at) = (CallSeq(seq), self.host.clock.now());
        let not_before = match &question {
            Question::InDoubt => self.doubtful_until(seq, at),
            Question::Approval { .. } | Question::Interrupt { .. } => None,
        };
        let Some(recorder) = &mut self.recorder else { return Ok(false) };
        let shown = match input {
            Some(input) => Some(input.clone()),
            None => recorder.standing().given(seq).map(|(_, given)| given),
        };
        let passed = recorder.standing().request(seq).map(|(_, passed)| passed);
        let input = shown.filter(|shown| Some(shown) != passed.as_ref());
        recorder.note(Entry::Asked(CallAsked { seq, question, input, at, not_before }))?;
        Ok(true)
    }

    /// Until when a call whose process is gone may still take effect. That process may be frozen or cut off rather than dead: it
    /// starts no call once its lease has run out, and gives up what it had started when its time is up.
    fn doubtful_until(&self, seq: CallSeq, now: Timestamp) -> Option<Timestamp> {
        let (recorder, keeper) = (self.recorder.as_ref()?, self.host.keeper.as_ref()?);
        let standing = recorder.standing();
        let left = self.execution.limits.timeout.saturating_sub(Duration::from_millis(standing.used.wall));
        let doubt = keeper.timing.doubt.unwrap_or_else(|| keeper.timing.lease.saturating_add(left));
        // Where the clock was set back since, it counts from now.
        let started = standing.open_call(seq).and_then(|call| call.started).map_or(now, |started| started.min(now));
        let until = started.0.saturating_add(u64::try_from(doubt.as_millis()).unwrap_or(u64::MAX));
        (until > now.0).then_some(Timestamp(until))
    }

    /// Says what was decided on the spot as everybody else would: of several who decide, the first one counts, and the
    /// others are told so.
    pub(crate) async fn say_on_the_spot(&mut self, seq: u32, verdict: Verdict) -> Result<(), Failure> {
        let seq = CallSeq(seq);
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        let Some(asked) = recorder.standing().asked(seq) else { return Ok(()) };
        let by = self.host.approver.as_ref().map(|approver| approver.name().to_owned()).unwrap_or_default();
        let decision = Decision { seq, asked, verdict, by, reason: None, remember: Remember::Nothing };
        let said = Said::Decision { decision, at: self.host.clock.now() };
        let message = said.message(recorder.store.key(), &self.execution.id)?;
        let (id, said) = (&self.execution.id, &[message]);
        let posted = recorder.ask(|store| async move { store.post(id, said.to_vec(), Expected::Anyhow).await }).await;
        match posted {
            // Somebody was faster, or this was posted though that had failed: it is in the inbox.
            Err(failure) if failure.code == Code::Conflict => Ok(()),
            posted => recorder.heed(posted),
        }
    }

    pub(crate) fn note_settled(&mut self, answer: &Answer, path: &str, took: Duration) -> Result<(), Failure> {
        let is_ephemeral = || self.host.catalogue.get(path).is_some_and(Tool::is_ephemeral);
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        let settlement = match &answer.reply {
            Reply::Failed(failure) => Settlement::Failed(Box::new(failure.clone())),
            Reply::Result(_) if is_ephemeral() => Settlement::Ephemeral,
            Reply::Result(json) => Settlement::Result(json.clone()),
            Reply::Fired => return Ok(()),
        };
        let took = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        recorder.note(Entry::Settled(CallSettled { seq: CallSeq(answer.seq), settlement, took }))
    }

    /// Sees to it that what was noted is on its way.
    pub(crate) fn hand_over(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.send();
        }
    }

    /// When to look for decisions next.
    pub(crate) fn next_look(&self, now: Duration) -> Duration {
        match &self.recorder {
            Some(_) if self.is_asking() => now.saturating_add(LOOK_EVERY),
            Some(_) => self.looked.saturating_add(LOOK_SELDOM).max(now),
            None => Duration::MAX,
        }
    }

    fn is_asking(&self) -> bool {
        self.recorder.as_ref().is_some_and(|recorder| recorder.standing().pending().next().is_some())
    }

    /// Looks for what was decided, and pauses where there is nothing else to wait for.
    pub(crate) async fn listen(&mut self, is_alone: bool) -> Result<Pausing, Stop> {
        if !self.is_asking() {
            return Ok(Pausing::NobodyIsAsked);
        }
        if self.read_inbox().await? {
            return Ok(Pausing::Decided);
        }
        if !is_alone {
            return Ok(Pausing::NothingDecided);
        }
        match self.pause().await? {
            Holding::Free => Ok(Pausing::Paused),
            // Somebody has decided in this very moment.
            Holding::HasMessages | Holding::Held => Ok(Pausing::Decided),
        }
    }

    /// Looks, now and then, whether somebody has ended an execution that asks nobody, before it does more. A store that cannot
    /// say so is no reason to stop.
    pub(crate) async fn heed_rejection(&mut self) -> Result<(), Stop> {
        let Some(recorder) = self.recorder.as_ref().filter(|recorder| !recorder.is_new()) else { return Ok(()) };
        let now = self.host.clock.elapsed();
        if now.saturating_sub(self.looked) < LOOK_SELDOM || self.is_asking() {
            return Ok(());
        }
        let store = Arc::clone(&recorder.store);
        self.looked = now;
        match store.inbox(&self.execution.id).await {
            Ok(messages) => self.said(&messages).iter().find_map(rejection).map_or(Ok(()), Err),
            Err(failure) => {
                tracing::warn!(execution = %self.execution.id, %failure, "whether somebody has ended it is not known");
                Ok(())
            }
        }
    }

    /// What messages say to the execution.
    fn said(&self, messages: &[Message]) -> Vec<Said> {
        let Some(recorder) = &self.recorder else { return Vec::new() };
        messages.iter().filter_map(|message| Said::of(message, recorder.store.key(), &self.execution.id)).collect()
    }

    /// Stops, before anything is brought back, where somebody has ended the execution, and where what was decided cannot be
    /// carried out here: the decision waits for a process that can.
    pub(crate) fn heed_inbox(&self, inbox: &[Message], standing: &Standing) -> Result<(), Stop> {
        let said = self.said(inbox);
        if let Some(stop) = said.iter().find_map(rejection) {
            return Err(stop);
        }
        let in_inbox = said.iter().filter_map(|said| match said {
            Said::Decision { decision: Decision { seq, asked, verdict, .. }, .. }
                if standing.asked(*seq) == Some(*asked) =>
            {
                Some((*seq, verdict))
            }
            Said::Decision { .. } | Said::Reject { .. } => None,
        });
        let in_journal = standing.calls.iter().filter_map(|call| match &call.progress {
            Progress::Decided(verdict) => Some((call.seq, &**verdict)),
            _ => None,
        });
        for (seq, verdict) in in_inbox.chain(in_journal) {
            let Some(path) = standing.call(seq).map(|call| &*call.path).filter(|_| verdict.needs_tool()) else {
                continue;
            };
            if self.host.catalogue.get(path).is_none() {
                let message = format!("what was decided about call {seq} needs the tool `{path}`, which is not there");
                let hint = "the decision is kept: resume the execution when its server has started";
                return Err(Stop::NotResumed(Failure::new(Code::UnknownTool, message).hint(hint)));
            }
        }
        Ok(())
    }

    /// Whether there was something in it that matters.
    async fn read_inbox(&mut self) -> Result<bool, Stop> {
        let Some(recorder) = self.recorder.as_mut().filter(|recorder| !recorder.is_new()) else { return Ok(false) };
        let store = Arc::clone(&recorder.store);
        let messages = match store.inbox(&self.execution.id).await {
            // It is looked at again soon. Calls that are under way must not wait for it.
            Err(failure) if ErrorKind::of(&failure) == ErrorKind::Transient => return Ok(false),
            messages => recorder.heed(messages)?,
        };
        self.hear(messages).await
    }

    /// Whether there was something among messages that matters.
    pub(crate) async fn hear(&mut self, messages: Vec<Message>) -> Result<bool, Stop> {
        let Some(recorder) = &self.recorder else { return Ok(false) };
        let (key, id) = (recorder.store.key(), &self.execution.id);
        let new = messages.into_iter().filter(|message| !recorder.knows(&message.key));
        let heard: Vec<_> = new.map(|message| (Said::of(&message, key, id), message.key)).collect();
        // Before anything that was decided takes effect.
        if let Some(stop) = heard.iter().find_map(|(said, _)| rejection(said.as_ref()?)) {
            return Err(stop);
        }
        let mut changed = false;
        for (said, key) in heard {
            match said {
                Some(Said::Decision { decision, .. }) => changed |= self.take_decision(decision).await?,
                Some(Said::Reject { .. }) => {}
                None => tracing::warn!(execution = %self.execution.id, "a message that says nothing was left out"),
            }
            if let Some(recorder) = &mut self.recorder {
                recorder.has_heard(key);
            }
        }
        Ok(changed)
    }

    /// Whether the decision is about something that still waits for it.
    async fn take_decision(&mut self, decision: Decision) -> Result<bool, Stop> {
        let at = self.host.clock.now();
        let Some(recorder) = &mut self.recorder else { return Ok(false) };
        if recorder.standing().asked(decision.seq) != Some(decision.asked) {
            return Ok(false);
        }
        let (seq, verdict) = (decision.seq, decision.verdict.clone());
        let remembered = recorder.standing().remembered_by(&decision);
        if let (Remember::Session, Some(remembered)) = (decision.remember, remembered) {
            // A process that has lost its lease may have asked about another definition of the tool than the one that was decided
            // about: the question is in the journal, or nothing is remembered.
            recorder.confirm().await?;
            // Before the journal has the decision: one that is there is never looked at again.
            self.keep_for_session(&remembered).await?;
        }
        let Some(recorder) = &mut self.recorder else { return Ok(false) };
        recorder.note(Entry::Decided(CallDecided { decision, at }))?;
        self.stop_asking(seq.0);
        self.carry_out(seq, verdict)?;
        Ok(true)
    }

    /// Does what was decided about a call.
    pub(crate) fn carry_out(&mut self, seq: CallSeq, verdict: Verdict) -> Result<(), Failure> {
        let Some((path, input)) = self.recorder.as_ref().and_then(|recorder| recorder.standing().given(seq)) else {
            return Ok(());
        };
        let path = path.to_owned();
        match verdict {
            Verdict::Approve | Verdict::DidNotHappen | Verdict::Answer(_) => self.begin_again(seq),
            Verdict::Deny(reason) => {
                let span = self.reporter.call_span(seq.0, &path, &input);
                self.deny(seq.0, &path, reason.as_deref(), &span)
            }
            Verdict::Happened(value) => {
                // Whoever says so, it is the output of the tool, and has to fit as any other.
                let (reply, _) = self.answering().reply(seq.0, &path, Ok(value));
                self.settle(seq.0, &path, reply, None)
            }
            Verdict::Fail(reason) => {
                let reason = reason.unwrap_or_else(|| "its process ended while it was under way".to_owned());
                let message = format!("whether the call of `{path}` took effect is not known: {reason}");
                self.settle(seq.0, &path, Reply::Failed(Failure::new(Code::Tool, message)), None)
            }
        }
    }

    /// Starts a deferred call with the input that was decided about. Checks the policy again, and asks for approval again where
    /// the tool's definition has changed, or where the policy asks for one that nobody has given.
    pub(crate) fn begin_again(&mut self, seq: CallSeq) -> Result<(), Failure> {
        let Some(standing) = self.recorder.as_ref().map(Recorder::standing) else { return Ok(()) };
        let is_other = self.is_another_than_approved(seq);
        let wanted = if is_other { standing.request(seq) } else { standing.given(seq) };
        let Some((path, input)) = wanted.map(|(path, input)| (path.to_owned(), input)) else { return Ok(()) };
        let is_approved = standing.open_call(seq).is_some_and(|call| call.approved.is_some());
        let resolution = standing.resolution(seq).cloned();
        let input = if is_other { self.host.with_defaults(&path, input) } else { input };
        match self.bridge.recheck(&path, &input) {
            Err(failure) => return self.settle(seq.0, &path, Reply::Failed(failure), None),
            Ok(_) if is_other => return self.ask_again(seq.0, path, input, OTHER_TOOL.to_owned()),
            Ok(Route::Ask(why)) if !is_approved => return self.ask_again(seq.0, path, input, why),
            Ok(Route::Ask(_) | Route::Call | Route::Answered(_)) => {}
        }
        let span = self.reporter.call_span(seq.0, &path, &input);
        let mut call = self.call(seq.0, input);
        call.resolution = resolution;
        self.begin_call(seq.0, path, call, span)
    }

    /// Whether a call was approved while its tool was defined otherwise.
    pub(crate) fn is_another_than_approved(&self, seq: CallSeq) -> bool {
        let Some(standing) = self.recorder.as_ref().map(Recorder::standing) else { return false };
        let approved = standing.open_call(seq).and_then(|open| open.approved.as_deref());
        let path = standing.call(seq).map(|call| &*call.path);
        approved.zip(path).is_some_and(|(approved, path)| *approved != *self.host.definition(path))
    }

    fn ask_again(&mut self, seq: u32, path: String, input: Value, why: String) -> Result<(), Failure> {
        let definition = self.host.definition(&path);
        self.note_question(seq, Question::Approval { why: why.clone(), definition }, Some(&input))?;
        self.tell_question(seq, &path, PendingKind::Approval);
        self.ask_on_the_spot(seq, path, input, why);
        Ok(())
    }

    /// Puts a question that is kept to the host's approver as well, where there is one.
    pub(crate) fn ask_on_the_spot(&mut self, seq: u32, path: String, input: Value, why: String) {
        if self.host.approver.is_some() {
            let span = self.reporter.call_span(seq, &path, &input);
            let call = self.call(seq, input);
            self.beginning.push(Begin::Ask { seq, path, call, why, span });
        }
    }

    /// Puts the execution to rest.
    async fn pause(&mut self) -> Result<Holding, Failure> {
        let (at, used) = (self.host.clock.now(), self.used());
        let counted = self.bridge.counted();
        let Some(recorder) = &mut self.recorder else { return Ok(Holding::Held) };
        recorder.note(Entry::Paused(Paused { at, used }))?;
        recorder.set_status(Status::Paused);
        let snapshot = match &mut self.instance {
            Some(instance) if !recorder.standing().is_ephemeral => instance.snapshot(self.execution.limits.snapshot),
            // A value that must not be stored would be in it.
            _ => None,
        };
        let id = &self.execution.id;
        let keep = |recorder: &Recorder| {
            let (key, place, standing) = (recorder.store.key(), recorder.place(), recorder.standing());
            checkpoint::encode(key, id, place, (standing, counted), &snapshot?)
        };
        let holding = recorder.rest(keep).await?;
        if holding != Holding::Free {
            recorder.set_status(Status::Running);
        }
        Ok(holding)
    }
}

fn rejection(said: &Said) -> Option<Stop> {
    match said {
        Said::Reject { by, reason, .. } => Some(Stop::Rejected(rejected(by, reason.as_deref()))),
        Said::Decision { .. } => None,
    }
}

pub(crate) fn rejected(by: &str, reason: Option<&str>) -> Failure {
    let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
    Failure::new(Code::Rejected, format!("{by} rejected the execution{reason}"))
}

fn asked(call: &Call, program: &Prepared, catalogue: &Catalogue) -> Result<Asked, Failure> {
    let what = match &call.request {
        Request::Tool { path, input } => Wanted::Tool {
            path: path.clone(),
            names: catalogue.names(path).all().skip(1).map(str::to_owned).collect(),
            input: to_raw_value(input).map_err(unwritable)?,
        },
        Request::Timer(delay) => Wanted::Timer(u64::try_from(delay.as_millis()).unwrap_or(u64::MAX)),
    };
    let at = call.place.and_then(|place| known_place(place, program));
    Ok(Asked { seq: CallSeq(call.seq), what, at })
}

/// A place in one of the program's files.
fn known_place(from: CalledFrom, program: &Prepared) -> Option<CallPlace> {
    let CalledFrom { file, line, column } = from;
    let file = program.files.get(usize::try_from(file).ok()?)?;
    Some(CallPlace { file: (program.files.len() > 1).then(|| file.path.clone()), line, column })
}

pub(crate) fn unwritable(error: serde_json::Error) -> Failure {
    Failure::new(Code::Internal, format!("a value cannot be recorded: {error}"))
}
