//! Going on with a kept execution: reading where it stands, and bringing its program back.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use serde_json::Value;

use crate::driver::{Answer, Reply};
use crate::durable::recorder::{Held, Permission, Place, Recorder};
use crate::durable::replay::{CallAgain, replay};
use crate::journal::checkpoint::{self, Kept};
use crate::journal::{
    Asked, Beginning, Ending, Entry, Progress, Question, Resumed, ResumedFrom, Seal, Settlement, Standing, damaged,
    decode_batch, decode_beginning,
};
use crate::policy::Policy;
use crate::policy::bridge::NotCounted;
use crate::report::call_details::KeptDetails;
use crate::report::observer::{EventKind, Label};
use crate::run::beginning::Begin;
use crate::run::execution::{Execution, Keeping, admit, ended};
use crate::run::ledger::Ledger;
use crate::run::reply::Answering;
use crate::run::run_loop::{Run, Stop};
use crate::run::running_call::panicked;
use crate::run::waiting::until;
use crate::store::failures::lease_lost;
use crate::store::{Batch, Head, Lease, Message, Part, State, Status, Store, Stored};
use crate::{CallSeq, Code, ExecutionId, Failure, Keeper, Outcome, Paused, PendingKind, Permit, ToolCall};

/// An execution as its journal has it.
pub(crate) struct Resumption {
    pub(crate) beginning: Beginning<'static>,
    /// The memory of the program, and where it stood then.
    kept: Option<Kept>,
    /// What came after that, or else everything.
    entries: Vec<Entry>,
    pub(crate) place: Place,
    pub(crate) head: Head,
    /// What was said to it and is not in its journal.
    pub(crate) inbox: Vec<Message>,
}

impl Resumption {
    pub(crate) async fn load(store: &dyn Store, id: &ExecutionId) -> Result<Self, Failure> {
        Self::read(store, id, store.load(id, Part::SinceCheckpoint).await?).await
    }

    /// Reads what was loaded since the checkpoint, or the whole journal where that cannot be used.
    pub(crate) async fn read(store: &dyn Store, id: &ExecutionId, stored: Stored) -> Result<Self, Failure> {
        let beginning = decode_beginning(store.key(), id, &stored.beginning)?;
        let beginning_size = stored.beginning.bytes.len() as u64;
        if let Some(checkpoint) = &stored.checkpoint {
            match checkpoint::decode(store.key(), id, checkpoint) {
                Some(mut kept) => {
                    let open = kept.standing.without_what_is_done();
                    let place = Place {
                        position: checkpoint.position,
                        seal: checkpoint.seal,
                        size: kept.journal_size,
                        standing: std::mem::replace(&mut kept.standing, open),
                    };
                    let (entries, place) = read(store, id, place, &stored.batches)?;
                    let Stored { head, inbox, .. } = stored;
                    return Ok(Self { beginning, kept: Some(kept), entries, place, head, inbox });
                }
                None => tracing::warn!(execution = %id, "a stored state cannot be used: the journal is replayed"),
            }
        }
        let stored = match stored.checkpoint {
            Some(_) => store.load(id, Part::Whole).await?,
            None => stored,
        };
        let place = Place { size: beginning_size, ..Place::first(&stored.beginning) };
        let (entries, place) = read(store, id, place, &stored.batches)?;
        let Stored { head, inbox, .. } = stored;
        Ok(Self { beginning, kept: None, entries, place, head, inbox })
    }

    /// What its program is brought back from.
    pub(crate) fn into_state(self) -> (Option<Kept>, Vec<Entry>) {
        (self.kept, self.entries)
    }

    /// What runs, as it was asked for.
    pub(crate) fn execution(&self, id: &ExecutionId) -> Execution {
        let beginning = self.beginning.clone();
        Execution {
            id: id.clone(),
            seed: beginning.seed,
            program: beginning.program.into_owned(),
            limits: beginning.limits.into_owned(),
            owner: beginning.owner,
            roles: beginning.roles.into_owned(),
            label: Label { function: beginning.function, ..Label::default() },
            details: beginning.details,
            keeping: Keeping::Journal,
            session: beginning.session,
        }
    }
}

/// Reads batches that follow a place, and where the journal stands after them.
fn read(
    store: &dyn Store,
    id: &ExecutionId,
    mut place: Place,
    batches: &[Batch],
) -> Result<(Vec<Entry>, Place), Failure> {
    let mut entries = Vec::new();
    for batch in batches {
        for entry in decode_batch(store.key(), id, &place.seal, batch)? {
            place.standing.apply(entry.clone()).map_err(|_| damaged(id))?;
            entries.push(entry);
        }
        place.seal = batch.seal;
        place.position += 1;
        place.size += batch.bytes.len() as u64;
    }
    Ok((entries, place))
}

/// Where an execution stands, without looking at more of its journal than needed.
pub async fn standing(store: &dyn Store, id: &ExecutionId) -> Result<Standing, Failure> {
    Ok(Resumption::load(store, id).await?.place.standing)
}

/// All that is known of an execution, by its whole journal.
pub async fn inspect(store: &dyn Store, id: &ExecutionId) -> Result<Inspected, Failure> {
    let stored = store.load(id, Part::Whole).await?;
    let beginning = decode_beginning(store.key(), id, &stored.beginning)?;
    let (entries, place) = read(store, id, Place::first(&stored.beginning), &stored.batches)?;
    Ok(Inspected { beginning, entries, standing: place.standing, is_held: stored.is_held, seal: place.seal })
}

/// All that is known of an execution.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Inspected {
    /// What was known before it began.
    pub beginning: Beginning<'static>,
    /// Everything that happened.
    pub entries: Vec<Entry>,
    /// What follows from that.
    pub standing: Standing,
    /// Whether a process that is alive runs it.
    pub is_held: bool,
    /// The seal of its last batch.
    seal: Seal,
}

impl Inspected {
    /// What is told of it now: how it ended, or what it waits for; none where a process runs it, or did when it died.
    pub fn outcome(&self, id: &ExecutionId, policy: &Policy) -> Option<Outcome> {
        let mut outcome = match &self.standing.ended {
            Some(over) => {
                ended(id, over.how.clone(), self.standing.logs.clone(), self.standing.records(), over.duration)
            }
            None if self.is_paused() => Outcome::Paused(Paused::of(id, &self.standing, policy)),
            None => return None,
        };
        let Beginning { details, limits, .. } = &self.beginning;
        let mut known = KeptDetails::new(*details, policy, limits);
        if !known.is_unwanted() {
            known.learn(&self.entries);
        }
        outcome.complete_calls(&mut known);
        Some(outcome)
    }

    /// Derives the state that lists show for it, where its inbox holds this many messages.
    pub fn state(&self, messages: usize) -> State {
        let status = match self.standing.ended.as_ref().map(|ended| &ended.how) {
            Some(Ending::Completed(_)) => Status::Completed,
            Some(Ending::Failed(_)) => Status::Failed,
            Some(Ending::Rejected(_)) => Status::Rejected,
            None if self.is_paused() => Status::Paused,
            None => Status::Running,
        };
        State::of(status, self.is_held, u32::try_from(messages).unwrap_or(u32::MAX))
    }

    fn is_paused(&self) -> bool {
        matches!(self.entries.last(), Some(Entry::Paused(_)))
    }
}

impl Run<'_> {
    /// Goes on with an execution. Its journal is taken over when this is called, and not when the future is first polled: whatever
    /// comes in between ends up there.
    pub(crate) fn resume(
        &mut self,
        keeper: &Keeper,
        held: Held,
        mut resumption: Resumption,
    ) -> impl Future<Output = Result<Value, Stop>> + Send {
        let standing = resumption.place.standing.without_what_is_done();
        let Resumption { beginning, kept, entries, place, inbox, .. } = resumption;
        let clock = Arc::clone(&self.host.clock);
        let function = self.execution.label.function.clone();
        self.recorder = Some(Recorder::new(keeper, held, clock, &self.execution.limits, function, place));
        self.go_on_from(keeper, Past { beginning, kept, entries, standing }, inbox)
    }

    async fn go_on_from(&mut self, keeper: &Keeper, past: Past, inbox: Vec<Message>) -> Result<Value, Stop> {
        let Past { beginning, kept, entries, standing } = past;
        let clock = Arc::clone(&self.host.clock);
        // One that cannot be brought back can still be ended.
        self.heed_inbox(&inbox, &standing)?;
        if !self.details.is_unwanted() {
            let whole = inspect(&*keeper.store, &self.execution.id).await.map_err(Stop::NotResumed)?;
            self.details.learn(&whole.entries);
        }
        match kept.as_ref().map_or(Ok(()), |kept| self.bridge.set_counted(&kept.counted)) {
            Ok(()) => self.count_again(kept.as_ref(), &entries),
            Err(NotCounted) => {
                let whole = inspect(&*keeper.store, &self.execution.id).await.map_err(Stop::NotResumed)?;
                self.count_again(None, &whole.entries);
            }
        }
        let permit = admit(self.host, self.execution.limits.timeout).await.map_err(Stop::NotResumed)?;
        let program = Arc::new(beginning.prepared.into_owned());
        self.namespaces = beginning.namespaces.into_owned().into();
        let from = self.bring_back(&permit, &program, kept, &entries).await.map_err(Stop::NotResumed)?;
        self.permit = Some(permit);
        self.reporter.report(|_| EventKind::Resumed);
        if let Some(instance) = &mut self.instance {
            instance.set_cpu_used(Duration::from_micros(standing.used.cpu));
        }
        let now = clock.elapsed();
        let used = Duration::from_millis(standing.used.wall);
        self.deadline = now.saturating_add(self.execution.limits.timeout.saturating_sub(used));
        let at = clock.now();
        if let Some(recorder) = &mut self.recorder {
            self.ledger = Ledger::resumed(self.execution.limits.in_flight, recorder.standing(), now, at);
            recorder.note(Entry::Resumed(Resumed { at, from }))?;
        }
        self.take_up(&standing)?;
        self.hear(inbox).await?;
        if standing.has_begun { self.go_on(&program).await } else { self.drive(&program).await }
    }

    /// Makes the instance stand where the journal ends.
    pub(crate) async fn bring_back(
        &mut self,
        permit: &Permit,
        program: &Arc<crate::program::Prepared>,
        kept: Option<Kept>,
        entries: &[Entry],
    ) -> Result<ResumedFrom, Failure> {
        if let Some(kept) = kept {
            match self.host.driver.restore(&kept.snapshot, self.start_options(permit)) {
                Ok(mut instance) => {
                    let done = replay(&mut *instance, entries, &kept.standing, &self.ephemeral()).await;
                    self.instance = Some(instance);
                    return done.map(|()| ResumedFrom::Snapshot);
                }
                Err(failure) if failure.code == Code::Busy => return Err(failure),
                Err(failure) => {
                    tracing::warn!(execution = %self.execution.id, %failure, "the journal is replayed instead");
                }
            }
        }
        let Some(recorder) = &mut self.recorder else {
            return Err(Failure::new(Code::Internal, "an execution is resumed without a journal"));
        };
        let id = &self.execution.id;
        let whole = recorder.ask(|store| async move { inspect(&*store, id).await }).await?;
        let (_, seal, _) = recorder.place();
        if whole.seal != seal {
            // Another process has gone on with it since it was looked at.
            return Err(lease_lost(id));
        }
        let whole = whole.entries;
        let mut instance = self.host.driver.start(Arc::clone(program), self.start_options(permit))?;
        let done = replay(&mut *instance, &whole, &Standing::default(), &self.ephemeral()).await;
        self.instance = Some(instance);
        done.map(|()| ResumedFrom::Journal)
    }

    /// Counts the calls since a checkpoint, or all of the past, against the rates of the policy.
    fn count_again(&mut self, kept: Option<&Kept>, entries: &[Entry]) {
        let mut asked: HashMap<CallSeq, (&str, Value)> = HashMap::new();
        if let Some(Kept { standing, .. }) = kept {
            let issued = standing.calls.iter().filter(|call| matches!(call.progress, Progress::Issued));
            asked.extend(issued.filter_map(|call| Some((call.seq, standing.request(call.seq)?))));
        }
        for entry in entries {
            let (seq, given) = match entry {
                Entry::Step(step) => {
                    asked.extend(step.calls.iter().filter_map(Asked::tool));
                    continue;
                }
                Entry::Started(started) => (started.seq, Some(&started.input)),
                Entry::Asked(question) => (question.seq, Some(&question.input)),
                // By what is remembered: nobody was asked.
                Entry::Settled(settled) if settled.is_denied() => (settled.seq, None),
                Entry::Settled(_) | Entry::Decided(_) | Entry::Paused(_) | Entry::Resumed(_) | Entry::Ended(_) => {
                    continue;
                }
            };
            if let Some((path, input)) = asked.remove(&seq) {
                let input = match given {
                    Some(Some(filled)) => filled.clone(),
                    Some(None) => input,
                    None => self.host.with_defaults(path, input),
                };
                self.bridge.count_past(path, &input);
            }
        }
    }

    /// Goes on with every call from where it was left.
    fn take_up(&mut self, standing: &Standing) -> Result<(), Failure> {
        for &seq in &standing.undelivered {
            let Some(Progress::Settled { settlement, .. }) = standing.call(seq).map(|call| &call.progress) else {
                continue;
            };
            let reply = match settlement {
                Settlement::Result(json) => Reply::Result(json.clone()),
                Settlement::Failed(failure) => Reply::Failed((**failure).clone()),
                Settlement::Ephemeral => continue,
            };
            self.answers.push(Answer { seq: seq.0, reply });
        }
        for call in &standing.calls {
            let Some((path, input)) = standing.given(call.seq) else { continue };
            let (seq, path) = (call.seq, path.to_owned());
            match &call.progress {
                Progress::Issued | Progress::Delivered { .. } => {}
                Progress::Settled { settlement: Settlement::Ephemeral, .. } => {
                    if let Err(failure) = self.bridge.recheck(&path, &input) {
                        self.settle(seq.0, &path, Reply::Failed(failure), None)?;
                        continue;
                    }
                    let span = self.reporter.call_span(seq.0, &path, &input);
                    let call = self.call(seq.0, input);
                    self.beginning.push(Begin::Call { seq: seq.0, path, call, span });
                }
                Progress::Settled { .. } => {}
                Progress::Started if self.may_run_twice(&path) && !self.is_another_than_approved(seq) => {
                    self.begin_again(seq)?;
                }
                Progress::Started => {
                    self.note_question(seq.0, Question::InDoubt, None)?;
                    self.tell_question(seq.0, &path, PendingKind::InDoubt);
                }
                Progress::Decided(verdict) => self.carry_out(seq, (**verdict).clone())?,
                Progress::Pending(pending) => {
                    if let Question::Approval { why, .. } = &pending.question {
                        self.ask_on_the_spot(seq.0, path, input, why.clone());
                    }
                }
            }
        }
        Ok(())
    }

    fn ephemeral(&self) -> Ephemeral<'_, '_> {
        let Execution { id, limits, .. } = self.execution;
        let lease = self.recorder.as_ref().map(|recorder| (recorder.permission(), recorder.lease.clone()));
        Ephemeral { answering: self.answering(), execution: id, timeout: limits.timeout, lease }
    }

    fn may_run_twice(&self, path: &str) -> bool {
        self.host.catalogue.get(path).is_some_and(|tool| tool.is_idempotent() || tool.is_ephemeral())
    }
}

/// What a program is brought back from, and where it stands then.
struct Past {
    beginning: Beginning<'static>,
    kept: Option<Kept>,
    entries: Vec<Entry>,
    standing: Standing,
}

/// Calls tools again whose results are not stored.
struct Ephemeral<'r, 'a> {
    answering: Answering<'r, 'a>,
    execution: &'a ExecutionId,
    /// So long each of them may take.
    timeout: Duration,
    /// What says that this process may call them.
    lease: Option<(Permission, Arc<Lease>)>,
}

impl CallAgain for Ephemeral<'_, '_> {
    async fn call_again(&self, seq: CallSeq, path: &str, input: &Value) -> Result<Reply, Failure> {
        let Some(tool) = self.answering.host.catalogue.get(path).filter(|tool| tool.is_ephemeral()) else {
            let message = format!("tool `{path}`, whose results are not stored, is gone or stores them now");
            return Err(Failure::new(Code::Diverged, message));
        };
        let input = tool.with_defaults(input.clone(), self.answering.host.validation.defaults);
        self.answering.bridge.recheck(path, &input)?;
        let host = self.answering.host;
        if let (Some((permission, lease)), Some(keeper)) = (&self.lease, &host.keeper)
            && !permission.holds()
        {
            keeper.renew(lease).await?;
        }
        let call = ToolCall::new(self.execution, seq, input, self.lease.as_ref().map(|(_, lease)| &**lease));
        let made = AssertUnwindSafe(async { tool.invoke(call).await }).catch_unwind();
        let limit = host.clock.elapsed().saturating_add(self.timeout);
        let Some(made) = until(&*host.clock, limit, made).await else {
            let message = format!("tool `{path}`, whose results are not stored, gave none within {:?}", self.timeout);
            return Err(Failure::new(Code::Timeout, message).hint("nothing else was run; try to resume it again"));
        };
        let result = made.unwrap_or_else(|panic| Err(panicked(&*panic)));
        Ok(self.answering.reply(seq.0, path, result).0)
    }
}
