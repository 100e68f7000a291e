//! Resumes a durable execution: restores its program, and continues every unfinished call.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::driver::Returned;
use crate::driver::{Answer, Reply};
use crate::durable::journaling::Journaling;
use crate::durable::keeper::Held;
use crate::durable::recorder::Recorder;
use crate::durable::resumption::{Resumption, inspect};
use crate::journal::checkpoint::CheckpointContent;
use crate::journal::{
    Asked, CallProgress, Decision, Entry, ExecutionResumed, Instruction, JournalCall, JournalState, Question,
    ResumedFrom, Settlement,
};
use crate::policy::bridge::{Bridge, NotCounted};
use crate::program::Prepared;
use crate::report::kept_details::KeptDetails;
use crate::report::observer::EventKind;
use crate::run::calls::effects::Effect;
use crate::run::calls::ledger::Ledger;
use crate::run::ending::Closing;
use crate::run::host::setting::Setting;
use crate::run::run_loop::{RunLoop, Stop};
use crate::run::starting::restoration::held_since_restore;
use crate::run::starting::revival::{Restored, Revival, of_last_phase};
use crate::run::waiting::listening::{heeded, stop_of};
use crate::run::waiting::location::Live;
use crate::snippets::RUN;
use crate::store::Message;
use crate::{CallSeq, Code, Failure, Keeper, RequestError, Timestamp};

/// An execution that this process holds and whose program is not restored yet.
pub(in crate::run) struct Resuming<'a> {
    setting: Setting<'a>,
    keeper: &'a Keeper,
    journal: Journaling,
    bridge: Bridge<'a>,
    details: KeptDetails<'a>,
    program: Arc<Prepared>,
    namespaces: Arc<[String]>,
    warnings: Vec<String>,
    kept: Option<CheckpointContent>,
    entries: Vec<Entry>,
    /// The state of its journal, without delivered calls.
    state: JournalState,
    starts: Starts,
    inbox: Vec<Message>,
    /// The time at which the inbox was read, as elapsed time of the clock.
    looked: Duration,
    /// The failure, if a function of its own tools is not available.
    brought: Result<(), Failure>,
    /// The name of the principal that resumes it although its store was restored from a backup.
    released_by: Option<String>,
    created: Timestamp,
}

/// The execution that has started the calls whose results are not recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Starts {
    /// This execution. A repeated call has the same idempotency key.
    Own,
    /// The execution that this one was forked from. A repeated call has another idempotency key.
    OfOriginal,
}

impl Starts {
    /// A fork has the calls of the original until it is resumed for the first time.
    fn of(resumption: &Resumption) -> Self {
        let Resumption { beginning, kept, entries, .. } = resumption;
        let has_gone_on = |entry: &Entry| matches!(entry, Entry::Resumed(_) | Entry::Rollback(_));
        match beginning.forked_from.is_some() && kept.is_none() && !entries.iter().any(has_gone_on) {
            true => Self::OfOriginal,
            false => Self::Own,
        }
    }
}

/// The reason why an execution was not restored.
pub(in crate::run) enum NotBack {
    /// Restoring failed. No call was made, and the execution is unchanged.
    Failed(RequestError),
    /// A person has ended the execution.
    Stopped(Stop),
}

impl<E: Into<RequestError>> From<E> for NotBack {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// A restored program in the sandbox.
pub(in crate::run) struct Revived {
    live: Live,
    from: ResumedFrom,
    /// The end of the program, if it had returned.
    returned: Option<Returned>,
}

impl<'a> Resuming<'a> {
    /// Takes over the journal.
    pub(in crate::run) fn new(
        setting: Setting<'a>,
        keeper: &'a Keeper,
        held: Held,
        mut resumption: Resumption,
        brought: Result<(), Failure>,
    ) -> Self {
        let Setting { host, execution, .. } = setting;
        let (state, starts) = (resumption.place.state.without_what_is_done(), Starts::of(&resumption));
        let Resumption { beginning, kept, entries, place, inbox, head } = resumption;
        let (clock, caption) = (Arc::clone(&host.clock), execution.caption());
        let mut recorder = Recorder::new(keeper, held, clock, &execution.limits, caption, place);
        recorder.set_due(head.due);
        Self {
            setting,
            keeper,
            journal: Journaling::on(recorder),
            bridge: Bridge::new(&host.catalogue, &host.policy, execution.principal.roles())
                .informed_by(host.learner.as_deref()),
            details: KeptDetails::new(execution.details, &host.policy, &execution.limits),
            program: Arc::new(beginning.prepared.into_owned()),
            namespaces: beginning.namespaces.into_owned().into(),
            warnings: beginning.warnings.into_owned(),
            kept,
            entries,
            state,
            starts,
            inbox,
            looked: host.clock.elapsed(),
            brought,
            released_by: None,
            created: beginning.created,
        }
    }

    /// Resumes the execution even if it is held because its store was restored from a backup.
    pub(in crate::run) fn released_by(mut self, name: Option<String>) -> Self {
        self.released_by = name.filter(|_| self.state.restored.is_some());
        self
    }

    /// Restores the program to the state at the end of its journal.
    pub(in crate::run) async fn revive(&mut self) -> Result<Revived, NotBack> {
        let Setting { host, execution, .. } = self.setting;
        // An execution that cannot be restored can still be ended.
        self.heed_inbox()?;
        if self.state.restored.is_some() && self.released_by.is_none() {
            return Err(held_since_restore(&execution.id).into());
        }
        if !self.details.is_unwanted() {
            let whole = inspect(&*self.keeper.store, &execution.id).await?;
            self.details.learn(&whole.entries);
        }
        match self.kept.as_ref().map_or(Ok(()), |kept| self.bridge.set_counted(&kept.counted)) {
            Ok(()) => count_again(self.setting, &mut self.bridge, self.kept.as_ref(), &self.entries),
            Err(NotCounted) => {
                let whole = inspect(&*self.keeper.store, &execution.id).await?;
                count_again(self.setting, &mut self.bridge, None, &whole.entries);
            }
        }
        let permit = host.admit(execution.limits.timeout).await?;
        let Self { setting, program, namespaces, bridge, journal, kept, entries, .. } = self;
        let mut revival = Revival { setting: *setting, program, namespaces, bridge, journal };
        let Restored { mut instance, from, returned } = revival.revive(&permit, kept.as_ref(), entries).await?;
        instance.set_cpu_used(Duration::from_micros(self.state.used.cpu));
        Ok(Revived { live: Live::new(instance, permit), from, returned })
    }

    /// Stops before the program is restored if a person has ended the execution, if it is rolled back by its owner and
    /// the policy denies that, if one of its own tools is missing, or if a decision cannot be carried out here. Such a
    /// decision waits for a process that can.
    fn heed_inbox(&self) -> Result<(), NotBack> {
        let Setting { host, execution, .. } = self.setting;
        let instructions = self.inbox.iter().filter_map(|message| heeded(self.setting, &self.journal, message));
        let instructions: Vec<Instruction> = instructions.collect();
        if let Some(stop) = instructions.iter().find_map(stop_of) {
            return Err(NotBack::Stopped(stop));
        }
        let state = &self.state;
        if let Some(rollback) = state.rollback.as_ref().filter(|_| state.is_rolling_back()) {
            // A process with another policy may have begun it.
            host.policy.own_decisions().check(&rollback.plan.by, execution.principal.name())?;
        }
        self.brought.clone()?;
        let in_inbox = instructions.iter().filter_map(|instruction| match instruction {
            Instruction::Decision { decision: Decision { seq, asked, verdict, .. }, .. }
                if state.asked(*seq) == Some(*asked) =>
            {
                Some((*seq, verdict))
            }
            Instruction::Decision { .. } | Instruction::Reject { .. } | Instruction::Cancel { .. } => None,
        });
        let in_journal = state.calls.iter().filter_map(|call| match &call.progress {
            CallProgress::Decided(verdict) => Some((call.seq, &**verdict)),
            _ => None,
        });
        for (seq, verdict) in in_inbox.chain(in_journal) {
            let Some(path) = state.call(seq).map(|call| &*call.path).filter(|_| verdict.needs_tool()) else {
                continue;
            };
            if path != RUN && host.catalogue.get(path).is_none() {
                let message = format!("the decision about call {seq} needs the tool `{path}`, which is missing");
                let hint = "the decision is not lost: resume the execution when the server of the tool has started";
                return Err(Failure::new(Code::UnknownTool, message).hint(hint).into());
            }
        }
        let noted = state.calls.iter().filter(|call| matches!(call.progress, CallProgress::Started) && call.is_noted());
        for JournalCall { seq, path, .. } in noted {
            if host.catalogue.get(path).is_none() {
                let message = format!("call {seq} is continued by the tool `{path}`, which is missing");
                let hint = "the call is not lost: resume the execution when the server of the tool has started";
                return Err(Failure::new(Code::UnknownTool, message).hint(hint).into());
            }
        }
        Ok(())
    }

    /// Returns the execution with its program, and the work that comes first.
    pub(in crate::run) fn into_run(self, revived: Revived) -> (RunLoop<'a>, TakeUp) {
        let Setting { host, execution, .. } = self.setting;
        let limits = &execution.limits;
        // Nothing was written since the lease was acquired: the permission counts from before that.
        let liveness = self.journal.permission();
        let mut run = RunLoop::new(self.setting, (self.program, self.namespaces), revived.live, self.journal);
        run.lookout.count_from(self.looked, liveness);
        run.bridge = self.bridge;
        run.details = self.details;
        run.warnings = self.warnings;
        run.created = self.created;
        let running = run.journal.state().running.iter();
        run.snippets.running = running.map(|(seq, one)| (*seq, (one.name.clone(), one.version))).collect();
        let (now, at) = (host.clock.elapsed(), host.clock.now());
        let used = Duration::from_millis(self.state.used.wall);
        run.deadline = now.saturating_add(limits.timeout.saturating_sub(used));
        run.ledger = Ledger::resumed(limits.in_flight, run.journal.state(), now, at);
        let Self { state, starts, inbox, released_by, .. } = self;
        (
            run,
            TakeUp {
                resumed: ExecutionResumed { at, from: revived.from, released_by, lease: None },
                state,
                starts,
                inbox,
                returned: revived.returned,
            },
        )
    }

    /// Ends the execution without its program.
    pub(in crate::run) fn into_closing(self) -> Closing<'a> {
        Closing { journal: self.journal, details: self.details, ..Closing::of_nothing(self.setting) }
    }
}

/// The work of a resumed execution before it continues.
pub(in crate::run) struct TakeUp {
    resumed: ExecutionResumed,
    state: JournalState,
    starts: Starts,
    inbox: Vec<Message>,
    /// The end of the program, if it had returned.
    returned: Option<Returned>,
}

impl RunLoop<'_> {
    /// Continues from the end of the journal.
    pub(in crate::run) async fn resume(&mut self, take_up: TakeUp) -> Result<Returned, Stop> {
        let TakeUp { resumed, state, starts, inbox, returned } = take_up;
        self.setting.reporter.report(|_| EventKind::Resumed);
        self.journal.note(|recorder| {
            let lease = Some(recorder.lease.epoch);
            Ok(Entry::Resumed(ExecutionResumed { lease, ..resumed }))
        })?;
        self.heed_after_silence().await?;
        if let Some(returned) = returned {
            self.take_globals().await;
            return self.complete_returned(returned).await;
        }
        self.take_up(&state, starts)?;
        self.hear(inbox).await?;
        if state.has_begun { self.go_on().await } else { self.drive().await }
    }

    /// Continues every unfinished call.
    fn take_up(&mut self, state: &JournalState, starts: Starts) -> Result<(), Failure> {
        for &seq in &state.undelivered {
            let Some(CallProgress::Settled { settlement, .. }) = state.call(seq).map(|call| &call.progress) else {
                continue;
            };
            let reply = match settlement {
                Settlement::Snippet(started) => {
                    self.start_recorded(seq, started)?;
                    continue;
                }
                Settlement::Result(json) => Reply::Result(json.clone()),
                Settlement::Failed(failure) => Reply::Failed((**failure).clone()),
                Settlement::Ephemeral => continue,
            };
            self.answers.push(Answer { seq, reply });
        }
        for call in &state.calls {
            let Some((path, input)) = state.given(call.seq) else { continue };
            let (seq, path) = (call.seq, path.to_owned());
            match &call.progress {
                CallProgress::Issued | CallProgress::Delivered { .. } => {}
                CallProgress::Settled { settlement: Settlement::Ephemeral, .. } => {
                    if let Err(failure) = self.bridge.recheck(&path, &input) {
                        self.settle(seq, &path, Reply::Failed(failure), None)?;
                        continue;
                    }
                    let span = self.setting.reporter.call_span(seq, &path, &input);
                    let call = self.call(seq, input);
                    self.effects.plan(Effect::Call { seq, path, call, span });
                }
                CallProgress::Settled { .. } => {}
                CallProgress::Started if call.is_noted() => self.continue_noted(seq)?,
                CallProgress::Started if self.may_run_twice(&path, starts) && !self.is_another_than_approved(seq) => {
                    self.begin_again(seq)?;
                }
                CallProgress::Started => self.doubt(seq, &path, None)?,
                CallProgress::Decided(verdict) => self.carry_out(seq, (**verdict).clone())?,
                CallProgress::Pending(pending) => {
                    if let Question::Approval { why, .. } = &pending.question {
                        let span = self.setting.reporter.call_span(seq, &path, &input);
                        self.ask_approver(seq, path, input, why.clone(), span);
                    }
                }
            }
        }
        Ok(())
    }

    /// Tells whether a call that has started may be made again. Another execution may have done what the call does, for a
    /// service that knows it by its idempotency key.
    fn may_run_twice(&self, path: &str, starts: Starts) -> bool {
        let tool = self.setting.host.catalogue.get(path);
        tool.is_some_and(|tool| match starts {
            Starts::Own => tool.is_idempotent() || tool.is_ephemeral(),
            Starts::OfOriginal => tool.only_reads() || tool.is_ephemeral(),
        })
    }
}

/// Counts the calls since a checkpoint, or all earlier calls, against the rate limits of the policy. A rollback begins with no
/// calls, so that only its own count.
fn count_again(setting: Setting<'_>, bridge: &mut Bridge<'_>, kept: Option<&CheckpointContent>, entries: &[Entry]) {
    let mut asked: HashMap<CallSeq, (&str, Value)> = HashMap::new();
    if let Some(CheckpointContent { state, .. }) = kept {
        let issued = state.calls.iter().filter(|call| matches!(call.progress, CallProgress::Issued));
        asked.extend(issued.filter_map(|call| Some((call.seq, state.request(call.seq)?))));
    }
    for entry in of_last_phase(entries) {
        let (seq, given) = match entry {
            Entry::Step(step) => {
                asked.extend(step.calls.iter().filter_map(Asked::tool));
                continue;
            }
            Entry::Started(started) => (started.seq, Some(&started.input)),
            Entry::Asked(question) => (question.seq, Some(&question.input)),
            // Denied by a remembered decision, without a question.
            Entry::Settled(settled) if settled.is_denied() => (settled.seq, None),
            Entry::Noted(_)
            | Entry::Settled(_)
            | Entry::Decided(_)
            | Entry::Paused(_)
            | Entry::Resumed(_)
            | Entry::Ended(_)
            | Entry::Rollback(_) => continue,
        };
        if let Some((path, input)) = asked.remove(&seq) {
            let input = match given {
                Some(Some(filled)) => filled.clone(),
                Some(None) => input,
                None => setting.host.with_defaults(path, input),
            };
            bridge.count_past(path, &input);
        }
    }
}
