//! The state of an execution after its journal entries. No I/O and no clock.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    CallAsked, CallNoted, CallProgress, Decision, Ended, Entry, JournalCall, OpenCall, Pending, Question, Remember,
    RestoredMark, RollbackBegun, RunningSnippet, Settlement, SharedCode, SnippetEnded, SnippetStarted, StepTaken, Used,
    Verdict, Wanted, packed,
};
use crate::log::add_facts;
use crate::{CallSeq, Facts, Log, Timestamp};

/// The state of an execution. It is derived from entries, or stored with a snapshot.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct JournalState {
    /// Counts changes of the set of pending calls.
    pub revision: u64,
    /// The resources used.
    pub used: Used,
    /// The log messages.
    pub logs: Vec<Log>,
    /// The facts.
    #[serde(skip_serializing_if = "Facts::is_empty", default)]
    pub facts: Facts,
    /// The calls, in the order in which the program made them.
    #[serde(with = "packed")]
    pub calls: Vec<JournalCall>,
    /// The index before which the answers of all calls have been delivered. Searches for open calls start here.
    #[serde(skip)]
    pub(crate) open_from: usize,
    /// The due times of the timers that were not cleared.
    pub timers: BTreeMap<CallSeq, Timestamp>,
    /// The calls whose answers are not delivered yet, in the order in which they settled.
    pub undelivered: Vec<CallSeq>,
    /// Decisions that apply to further calls of this execution.
    pub remembered: Vec<Remembered>,
    /// The end of the execution.
    pub ended: Option<Ended>,
    /// Whether the program has made its first step.
    pub has_begun: bool,
    /// Whether a value was delivered that is not in the journal.
    pub is_ephemeral: bool,
    /// The time at which it is to be woken, from a pause until it is resumed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub wakes: Option<Timestamp>,
    /// The milliseconds by which it was woken later than it was to be, in all. No process ran then, or the clock was set ahead.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub overslept: u64,
    /// The last rollback.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rollback: Option<Box<LastRollback>>,
    /// The reverts of all rollbacks, by number, with the number of the call that each reverts.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub reverts: BTreeMap<CallSeq, CallSeq>,
    /// The calls that rollbacks have reverted, in that order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub reverted: Vec<CallSeq>,
    /// The reverts in doubt that have failed: it is still unknown whether they took effect.
    #[serde(skip_serializing_if = "BTreeSet::is_empty", default)]
    pub unknown_reverts: BTreeSet<CallSeq>,
    /// The mark of an execution whose store was restored from a backup. It is not resumed until a person releases it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub restored: Option<RestoredMark>,
    /// The snippets that have started and not ended, by the calls that started them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub running: BTreeMap<CallSeq, RunningSnippet>,
    /// The code of all snippets that the execution has started, by hash.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub codes: BTreeMap<String, SharedCode>,
    /// The warnings about snippets whose tools have changed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub warnings: Vec<String>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A decision that applies to further calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Remembered {
    /// The path of the tool.
    pub path: String,
    /// The hash of the tool's definition.
    pub definition: String,
    /// The input.
    pub input: Value,
    /// The decision.
    pub verdict: Verdict,
    /// The name of the principal that decided.
    pub by: String,
}

/// The last rollback of an execution.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LastRollback {
    /// Its plan.
    pub plan: RollbackBegun,
    /// The end of the program, before any rollback.
    pub before: Ended,
}

/// An entry that cannot follow the previous ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfPlace;

impl JournalState {
    /// Returns the number of the attempt if the tool of a call is started now.
    pub(crate) fn next_attempt(&self, seq: CallSeq) -> u32 {
        let Some(call) = self.call(seq) else { return 1 };
        let restarts = call.open.as_ref().map_or(0, |open| open.restarts);
        restarts.saturating_add(1 + u32::from(call.progress.was_started()))
    }

    /// Applies an entry.
    pub fn apply(&mut self, entry: Entry) -> Result<(), OutOfPlace> {
        if self.ended.is_some() {
            return match entry {
                Entry::Rollback(plan) => self.begin_rollback(plan),
                _ => Err(OutOfPlace),
            };
        }
        match entry {
            Entry::Step(step) => self.step(step)?,
            Entry::Started(started) => {
                let call = self.call_mut(started.seq)?;
                let may_start = match &call.progress {
                    // Restarted: its tool is idempotent, or continues it with a note.
                    CallProgress::Issued | CallProgress::Started => true,
                    CallProgress::Decided(verdict) => {
                        matches!(**verdict, Verdict::Approve | Verdict::DidNotHappen | Verdict::Answer(_))
                    }
                    CallProgress::Pending(_) | CallProgress::Settled { .. } | CallProgress::Delivered { .. } => false,
                };
                let restarts = u32::from(call.progress.was_started());
                let (true, Some(open)) = (may_start, &mut call.open) else { return Err(OutOfPlace) };
                open.restarts = open.restarts.saturating_add(restarts);
                if let Some(input) = started.input {
                    open.filled = Some(input);
                }
                if let Some(approved) = started.approved {
                    open.approved = Some(approved.into());
                }
                open.started = Some(started.at);
                call.progress = CallProgress::Started;
            }
            Entry::Settled(mut settled) => {
                if let Settlement::Snippet(started) = &mut settled.settlement {
                    self.keep_start(started);
                }
                let call = self.call_mut(settled.seq)?;
                match &call.progress {
                    // The value was not stored, and was requested again before it was delivered to the program.
                    CallProgress::Settled { settlement: Settlement::Ephemeral, .. } => {}
                    CallProgress::Settled { .. } | CallProgress::Delivered { .. } => return Err(OutOfPlace),
                    CallProgress::Issued
                    | CallProgress::Pending(_)
                    | CallProgress::Decided(_)
                    | CallProgress::Started => {}
                }
                let was_settled = matches!(call.progress, CallProgress::Settled { .. });
                let has_failed = matches!(settled.settlement, Settlement::Failed(_));
                let is_unknown = matches!(&call.progress, CallProgress::Decided(said) if said.may_have_happened());
                call.progress = CallProgress::Settled { settlement: settled.settlement, took: settled.took };
                if was_settled {
                    self.undelivered.retain(|seq| *seq != settled.seq);
                }
                self.undelivered.push(settled.seq);
                if self.rollback.is_some() && !has_failed {
                    self.revert(settled.seq);
                } else if self.rollback.is_some() && is_unknown {
                    self.unknown_reverts.insert(settled.seq);
                }
            }
            Entry::Noted(CallNoted { seq, note }) => {
                let call = self.call_mut(seq)?;
                let (CallProgress::Started, Some(open)) = (&call.progress, &mut call.open) else {
                    return Err(OutOfPlace);
                };
                // The tool has used the answer to its last interrupt.
                (open.note, open.interrupt, open.resolution) = (Some(note), None, None);
            }
            Entry::Asked(CallAsked { seq, question, input, at, not_before, why }) => {
                self.revision += 1;
                let pending = Pending { question, input, asked: self.revision, at, not_before, why };
                let call = self.call_mut(seq)?;
                if matches!(call.progress, CallProgress::Settled { .. } | CallProgress::Delivered { .. }) {
                    return Err(OutOfPlace);
                }
                call.progress = CallProgress::Pending(Box::new(pending));
            }
            Entry::Decided(decided) => self.decide(decided.decision)?,
            Entry::Paused(paused) => self.pause(paused),
            Entry::Resumed(resumed) => self.release(&resumed),
            Entry::Ended(ended) => self.end(ended)?,
            Entry::Rollback(_) => return Err(OutOfPlace),
        }
        Ok(())
    }

    fn decide(&mut self, decision: Decision) -> Result<(), OutOfPlace> {
        if self.is_closed(decision.seq) {
            return Err(OutOfPlace);
        }
        let remembered = self.remembered_by(&decision);
        let Decision { seq, asked, verdict, .. } = decision;
        let call = self.call_mut(seq)?;
        let (CallProgress::Pending(pending), Some(open)) = (&call.progress, &mut call.open) else {
            return Err(OutOfPlace);
        };
        if pending.asked != asked {
            return Err(OutOfPlace);
        }
        if let (Question::Approval { definition, .. }, Verdict::Approve) = (&pending.question, &verdict) {
            open.approved = Some(definition.as_str().into());
        }
        open.filled = pending.input.clone();
        if let (Question::Interrupt { payload }, Verdict::Answer(value)) = (&pending.question, &verdict) {
            open.interrupt = Some(payload.clone());
            open.resolution = Some(value.clone());
        }
        if verdict == Verdict::DidNotHappen {
            open.note = None;
        }
        call.progress = CallProgress::Decided(Box::new(verdict));
        self.remembered.extend(remembered);
        self.revision += 1;
        Ok(())
    }

    /// Returns the decision to remember for further calls, if any, from a decision about a pending call.
    pub(crate) fn remembered_by(&self, decision: &Decision) -> Option<Remembered> {
        let Decision { seq, verdict, by, remember, .. } = decision;
        let (call, pending) = (self.call(*seq)?, self.waiting(*seq)?);
        match &pending.question {
            Question::Approval { definition, .. } if *remember != Remember::Nothing => Some(Remembered {
                path: call.path.to_string(),
                definition: definition.clone(),
                input: call.shown_input(pending),
                verdict: verdict.clone(),
                by: by.clone(),
            }),
            _ => None,
        }
    }

    fn step(&mut self, step: StepTaken) -> Result<(), OutOfPlace> {
        // The process that paused it has gone on, because there was a message.
        self.wakes = None;
        let mut is_ephemeral = false;
        let mut started_snippets = Vec::new();
        // All at once: a transcript may have any number of both.
        let answered: HashSet<CallSeq> = step.answers.iter().copied().collect();
        self.undelivered.retain(|seq| !answered.contains(seq));
        for seq in step.answers {
            if self.timers.remove(&seq).is_some() {
                continue;
            }
            let call = self.call_mut(seq)?;
            let (failure, took) = match std::mem::replace(&mut call.progress, CallProgress::Issued) {
                CallProgress::Settled { settlement: Settlement::Failed(failure), took } => (Some(failure), took),
                CallProgress::Settled { settlement: Settlement::Result(_), took } => (None, took),
                CallProgress::Settled { settlement: Settlement::Ephemeral, took } => {
                    is_ephemeral = true;
                    (None, took)
                }
                CallProgress::Settled { settlement: Settlement::Snippet(started), took } => {
                    let at = call.open.as_ref().and_then(|open| open.at.clone());
                    started_snippets.push((seq, at, *started));
                    (None, took)
                }
                _ => return Err(OutOfPlace),
            };
            call.progress = CallProgress::Delivered { failure, took };
            call.open = None;
        }
        self.is_ephemeral |= is_ephemeral;
        let started = started_snippets.into_iter().map(|(seq, at, started)| {
            let SnippetStarted { name, version, hash, is_repeated, .. } = started;
            (seq, RunningSnippet { name, version, hash, is_repeated, at })
        });
        self.running.extend(started);
        self.pass_over_what_is_done();
        for asked in step.calls {
            let place = self.place_of(asked.seq)?;
            match asked.what {
                Wanted::Tool { path, names, hidden, input } => self.calls.insert(
                    place,
                    JournalCall {
                        seq: asked.seq,
                        path: path.into(),
                        open: Some(Box::new(OpenCall {
                            names: names.into(),
                            hidden: hidden.into(),
                            input,
                            filled: None,
                            at: asked.at,
                            resolution: None,
                            interrupt: None,
                            note: None,
                            approved: None,
                            restarts: 0,
                            started: None,
                        })),
                        progress: CallProgress::Issued,
                    },
                ),
                Wanted::Timer(delay) => {
                    self.timers.insert(asked.seq, Timestamp(step.clock.0.saturating_add(delay)));
                }
            }
        }
        for seq in step.cleared {
            self.timers.remove(&seq);
        }
        for SnippetEnded { seq, failure, took } in step.ended {
            self.running.remove(&seq).ok_or(OutOfPlace)?;
            self.call_mut(seq)?.progress = CallProgress::Delivered { failure, took };
        }
        self.logs.extend(step.logs);
        add_facts(&mut self.facts, step.facts);
        self.used = step.used;
        self.has_begun = true;
        Ok(())
    }

    /// Returns where a new call belongs among the calls, which are in the order of their numbers. A program numbers its calls
    /// in order, and a snippet makes calls only while it runs.
    fn place_of(&mut self, seq: CallSeq) -> Result<usize, OutOfPlace> {
        let place = self.calls.partition_point(|call| call.seq < seq);
        let is_in_order = match (seq.parent(), self.calls.get(place)) {
            (None, next) => next.is_none(),
            (Some(parent), next) => {
                self.running.contains_key(&parent) && next.is_none_or(|next| !next.seq.is_below(parent))
            }
        };
        if !is_in_order {
            return Err(OutOfPlace);
        }
        self.open_from = self.open_from.min(place);
        Ok(place)
    }

    fn pass_over_what_is_done(&mut self) {
        let is_done = |call: &&JournalCall| matches!(call.progress, CallProgress::Delivered { .. });
        self.open_from += self.calls[self.open_from..].iter().take_while(is_done).count();
    }

    /// Returns the calls whose answers may not have been delivered yet, in order.
    pub(crate) fn open_calls(&self) -> &[JournalCall] {
        &self.calls[self.open_from..]
    }

    /// Returns the state without delivered calls, logs and facts: the part that is needed to continue.
    pub(crate) fn without_what_is_done(&mut self) -> Self {
        self.pass_over_what_is_done();
        let is_open = |call: &&JournalCall| !matches!(call.progress, CallProgress::Delivered { .. });
        Self {
            revision: self.revision,
            used: self.used,
            logs: Vec::new(),
            facts: Facts::new(),
            calls: self.open_calls().iter().filter(is_open).cloned().collect(),
            open_from: 0,
            timers: self.timers.clone(),
            undelivered: self.undelivered.clone(),
            remembered: self.remembered.clone(),
            ended: self.ended.clone(),
            has_begun: self.has_begun,
            is_ephemeral: self.is_ephemeral,
            wakes: self.wakes,
            overslept: self.overslept,
            rollback: self.rollback.clone(),
            reverts: self.reverts.clone(),
            reverted: self.reverted.clone(),
            unknown_reverts: self.unknown_reverts.clone(),
            restored: self.restored.clone(),
            running: self.running.clone(),
            codes: self.codes.clone(),
            warnings: self.warnings.clone(),
        }
    }

    /// Returns the call with this number.
    pub fn call(&self, seq: CallSeq) -> Option<&JournalCall> {
        let place = self.calls.binary_search_by_key(&seq, |call| call.seq).ok()?;
        Some(&self.calls[place])
    }

    /// Returns the details of the call with this number, until its answer has been delivered.
    pub(crate) fn open_call(&self, seq: CallSeq) -> Option<&OpenCall> {
        self.call(seq)?.open.as_deref()
    }

    fn call_mut(&mut self, seq: CallSeq) -> Result<&mut JournalCall, OutOfPlace> {
        let place = self.calls.binary_search_by_key(&seq, |call| call.seq).map_err(|_| OutOfPlace)?;
        Ok(&mut self.calls[place])
    }

    /// Returns the revision at which a call became pending, if it is pending.
    pub(crate) fn asked(&self, seq: CallSeq) -> Option<u64> {
        self.waiting(seq).map(|pending| pending.asked)
    }

    fn waiting(&self, seq: CallSeq) -> Option<&Pending> {
        match &self.call(seq)?.progress {
            CallProgress::Pending(pending) if !self.is_closed(seq) => Some(pending),
            _ => None,
        }
    }

    /// Returns the tool and the input of a call whose answer has not been delivered.
    pub(crate) fn request(&self, seq: CallSeq) -> Option<(&str, Value)> {
        let call = self.call(seq)?;
        Some((&call.path, call.open.as_ref()?.passed()?))
    }

    /// Returns the tool of such a call and the input for it, with defaults if they have been added already.
    pub(crate) fn given(&self, seq: CallSeq) -> Option<(&str, Value)> {
        let call = self.call(seq)?;
        let filled = match &call.progress {
            CallProgress::Pending(pending) => pending.input.as_ref(),
            _ => call.open.as_ref().and_then(|open| open.filled.as_ref()),
        };
        match filled {
            Some(filled) => Some((&call.path, filled.clone())),
            None => self.request(seq),
        }
    }

    /// Returns the last interrupt of the tool that was answered, and the answer.
    pub(crate) fn resolution(&self, seq: CallSeq) -> Option<(&Value, &Value)> {
        let open = self.call(seq)?.open.as_ref()?;
        open.interrupt.as_ref().zip(open.resolution.as_ref())
    }

    /// Returns the pending calls.
    pub fn pending(&self) -> impl Iterator<Item = (&JournalCall, &Pending)> {
        self.open_calls().iter().filter_map(|call| match &call.progress {
            CallProgress::Pending(pending) => Some((call, &**pending)),
            _ => None,
        })
    }
}
