//! What a journal says: where an execution stands after its entries. No I/O and no clock.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{
    CallAsked, CallPlace, Decision, Ended, Entry, Question, Remember, Settlement, StepTaken, Used, Verdict, Wanted,
    packed,
};
use crate::json::present;
use crate::policy::ToolNames;
use crate::{CallRecord, CallSeq, CallState, Failure, Log, Timestamp};

/// Where an execution stands. Made of entries one by one, or stored with a snapshot.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct JournalState {
    /// How often what waits for somebody outside has changed.
    pub revision: u64,
    /// What has been used.
    pub used: Used,
    /// What was logged.
    pub logs: Vec<Log>,
    /// The calls, in the order in which the program made them.
    #[serde(with = "packed")]
    pub calls: Vec<JournalCall>,
    /// The program has the answers of all calls before this place: nobody has to look at them again.
    #[serde(skip)]
    pub(crate) open_from: usize,
    /// When the timers that were not cleared are due.
    pub timers: BTreeMap<CallSeq, Timestamp>,
    /// Calls whose answers the program has not got yet, in the order in which they settled.
    pub undelivered: Vec<CallSeq>,
    /// Decisions that hold for further calls of this execution.
    pub remembered: Vec<Remembered>,
    /// How it ended.
    pub ended: Option<Ended>,
    /// Whether the program has made its first step.
    pub has_begun: bool,
    /// Whether a value was delivered that is not in the journal.
    pub is_ephemeral: bool,
}

/// The state of one call. An execution has one for every call that it has made, so that it is small.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct JournalCall {
    /// Its number.
    pub seq: CallSeq,
    /// Of which tool.
    #[serde(with = "packed::shared")]
    pub path: Arc<str>,
    /// The rest of the call, until its answer has been delivered.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub open: Option<Box<OpenCall>>,
    /// How far it came.
    pub progress: CallProgress,
}

/// What matters of a call until its answer has been delivered.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OpenCall {
    /// The other names of its tool.
    #[serde(skip_serializing_if = "<[String]>::is_empty", default)]
    pub names: Box<[String]>,
    /// The input that the program passed.
    pub input: Box<RawValue>,
    /// The input that the tool gets, if defaults were added. They are added once: what rules and people decided about is
    /// what the tool gets, whatever is configured later.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub filled: Option<Value>,
    /// The place of the call in the program, if that is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub at: Option<CallPlace>,
    /// The answer to what its tool asked for.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub resolution: Option<Value>,
    /// A hash of the tool's definition as it was approved, if it needed to be.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub approved: Option<Box<str>>,
    /// How often it was started again, after a crash or an interrupt.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub restarts: u32,
    /// When it was last started, if that is known: a checkpoint does not keep it.
    #[serde(skip)]
    pub started: Option<Timestamp>,
}

/// How far a call came.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum CallProgress {
    /// The program made it.
    Issued,
    /// It waits for somebody outside.
    Pending(Box<Pending>),
    /// Somebody has decided this, and nothing has come of it yet.
    Decided(Box<Verdict>),
    /// It may have taken effect.
    Started,
    /// Something came of it that the program does not have yet.
    Settled {
        /// What.
        settlement: Settlement,
        /// How long it took.
        took: u64,
    },
    /// The program has what came of it.
    Delivered {
        /// How it failed, if it did.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        failure: Option<Box<Failure>>,
        /// How long it took.
        took: u64,
    },
}

/// What a call waits for, and since when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Pending {
    /// For what.
    pub question: Question,
    /// What the tool would get, where that is more than the program passed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input: Option<Value>,
    /// The revision from which on it was shown.
    pub asked: u64,
    /// Since when.
    pub at: Timestamp,
    /// Until when nobody may say that it did not happen, where it is in doubt.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub not_before: Option<Timestamp>,
}

/// A decision that holds for further calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Remembered {
    /// Of this tool.
    pub path: String,
    /// As it was defined.
    pub definition: String,
    /// With this input.
    pub input: Value,
    /// What was decided.
    pub verdict: Verdict,
    /// By whom.
    pub by: String,
}

/// An entry that cannot follow those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfPlace;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl CallProgress {
    /// Whether the tool has been started for this call.
    fn was_started(&self) -> bool {
        match self {
            Self::Issued | Self::Pending(_) => false,
            Self::Decided(verdict) => matches!(**verdict, Verdict::DidNotHappen | Verdict::Answer(_)),
            Self::Started | Self::Settled { .. } | Self::Delivered { .. } => true,
        }
    }
}

impl JournalState {
    /// Returns how often the tool of a call has been started once it is started now.
    pub(crate) fn next_attempt(&self, seq: CallSeq) -> u32 {
        let Some(call) = self.call(seq) else { return 1 };
        let restarts = call.open.as_ref().map_or(0, |open| open.restarts);
        restarts.saturating_add(1 + u32::from(call.progress.was_started()))
    }

    /// Applies one more entry.
    pub fn apply(&mut self, entry: Entry) -> Result<(), OutOfPlace> {
        if self.ended.is_some() {
            return Err(OutOfPlace);
        }
        match entry {
            Entry::Step(step) => self.step(step)?,
            Entry::Started(started) => {
                let call = self.call_mut(started.seq)?;
                let may_start = match &call.progress {
                    // Once more after a crash: its tool says that twice is once.
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
            Entry::Settled(settled) => {
                let call = self.call_mut(settled.seq)?;
                match &call.progress {
                    // Its value was not stored, and had to be asked for again before the program got it.
                    CallProgress::Settled { settlement: Settlement::Ephemeral, .. } => {}
                    CallProgress::Settled { .. } | CallProgress::Delivered { .. } => return Err(OutOfPlace),
                    CallProgress::Issued
                    | CallProgress::Pending(_)
                    | CallProgress::Decided(_)
                    | CallProgress::Started => {}
                }
                call.progress = CallProgress::Settled { settlement: settled.settlement, took: settled.took };
                self.undelivered.retain(|seq| *seq != settled.seq);
                self.undelivered.push(settled.seq);
            }
            Entry::Asked(CallAsked { seq, question, input, at, not_before }) => {
                self.revision += 1;
                let pending = Pending { question, input, asked: self.revision, at, not_before };
                let call = self.call_mut(seq)?;
                if matches!(call.progress, CallProgress::Settled { .. } | CallProgress::Delivered { .. }) {
                    return Err(OutOfPlace);
                }
                call.progress = CallProgress::Pending(Box::new(pending));
            }
            Entry::Decided(decided) => self.decide(decided.decision)?,
            Entry::Paused(paused) => self.used = paused.used,
            Entry::Resumed(_) => {}
            Entry::Ended(ended) => {
                self.logs.extend_from_slice(&ended.logs);
                self.ended = Some(ended);
            }
        }
        Ok(())
    }

    fn decide(&mut self, decision: Decision) -> Result<(), OutOfPlace> {
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
        if let Verdict::Answer(value) = &verdict {
            open.resolution = Some(value.clone());
        }
        call.progress = CallProgress::Decided(Box::new(verdict));
        self.remembered.extend(remembered);
        self.revision += 1;
        Ok(())
    }

    /// What a decision about a call that waits says about further calls.
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
        let mut is_ephemeral = false;
        for seq in step.answers {
            if self.timers.remove(&seq).is_some() {
                continue;
            }
            self.undelivered.retain(|other| *other != seq);
            let call = self.call_mut(seq)?;
            let (failure, took) = match std::mem::replace(&mut call.progress, CallProgress::Issued) {
                CallProgress::Settled { settlement: Settlement::Failed(failure), took } => (Some(failure), took),
                CallProgress::Settled { settlement: Settlement::Result(_), took } => (None, took),
                CallProgress::Settled { settlement: Settlement::Ephemeral, took } => {
                    is_ephemeral = true;
                    (None, took)
                }
                _ => return Err(OutOfPlace),
            };
            call.progress = CallProgress::Delivered { failure, took };
            call.open = None;
        }
        self.is_ephemeral |= is_ephemeral;
        self.pass_over_what_is_done();
        for asked in step.calls {
            if self.calls.last().is_some_and(|last| last.seq >= asked.seq) {
                return Err(OutOfPlace);
            }
            match asked.what {
                Wanted::Tool { path, names, input } => self.calls.push(JournalCall {
                    seq: asked.seq,
                    path: path.into(),
                    open: Some(Box::new(OpenCall {
                        names: names.into(),
                        input,
                        filled: None,
                        at: asked.at,
                        resolution: None,
                        approved: None,
                        restarts: 0,
                        started: None,
                    })),
                    progress: CallProgress::Issued,
                }),
                Wanted::Timer(delay) => {
                    self.timers.insert(asked.seq, Timestamp(step.clock.0.saturating_add(delay)));
                }
            }
        }
        for seq in step.cleared {
            self.timers.remove(&seq);
        }
        self.logs.extend(step.logs);
        self.used = step.used;
        self.has_begun = true;
        Ok(())
    }

    fn pass_over_what_is_done(&mut self) {
        let is_done = |call: &&JournalCall| matches!(call.progress, CallProgress::Delivered { .. });
        self.open_from += self.calls[self.open_from..].iter().take_while(is_done).count();
    }

    /// The calls whose answers the program may not have yet, in their order.
    pub(crate) fn open_calls(&self) -> &[JournalCall] {
        &self.calls[self.open_from..]
    }

    /// The same without the calls whose answers the program has and without what was logged: what matters for going on.
    pub(crate) fn without_what_is_done(&mut self) -> Self {
        self.pass_over_what_is_done();
        let is_open = |call: &&JournalCall| !matches!(call.progress, CallProgress::Delivered { .. });
        Self {
            revision: self.revision,
            used: self.used,
            logs: Vec::new(),
            calls: self.open_calls().iter().filter(is_open).cloned().collect(),
            open_from: 0,
            timers: self.timers.clone(),
            undelivered: self.undelivered.clone(),
            remembered: self.remembered.clone(),
            ended: self.ended.clone(),
            has_begun: self.has_begun,
            is_ephemeral: self.is_ephemeral,
        }
    }

    /// The call of this number.
    pub fn call(&self, seq: CallSeq) -> Option<&JournalCall> {
        let place = self.calls.binary_search_by_key(&seq, |call| call.seq).ok()?;
        Some(&self.calls[place])
    }

    /// What matters of the call of this number, until its answer has been delivered.
    pub(crate) fn open_call(&self, seq: CallSeq) -> Option<&OpenCall> {
        self.call(seq)?.open.as_deref()
    }

    fn call_mut(&mut self, seq: CallSeq) -> Result<&mut JournalCall, OutOfPlace> {
        let place = self.calls.binary_search_by_key(&seq, |call| call.seq).map_err(|_| OutOfPlace)?;
        Ok(&mut self.calls[place])
    }

    /// The revision at which a call was asked about, where it is pending.
    pub(crate) fn asked(&self, seq: CallSeq) -> Option<u64> {
        self.waiting(seq).map(|pending| pending.asked)
    }

    fn waiting(&self, seq: CallSeq) -> Option<&Pending> {
        match &self.call(seq)?.progress {
            CallProgress::Pending(pending) => Some(pending),
            _ => None,
        }
    }

    /// The tool and the input of a call whose answer the program has not got.
    pub(crate) fn request(&self, seq: CallSeq) -> Option<(&str, Value)> {
        let call = self.call(seq)?;
        Some((&call.path, call.open.as_ref()?.passed()?))
    }

    /// The tool of such a call, and what it gets as far as that is decided: with the defaults that were filled in before.
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

    /// What a call was given from outside.
    pub(crate) fn resolution(&self, seq: CallSeq) -> Option<&Value> {
        self.call(seq)?.open.as_ref()?.resolution.as_ref()
    }

    /// The calls that wait for somebody outside.
    pub fn pending(&self) -> impl Iterator<Item = (&JournalCall, &Pending)> {
        self.open_calls().iter().filter_map(|call| match &call.progress {
            CallProgress::Pending(pending) => Some((call, &**pending)),
            _ => None,
        })
    }

    /// What is told of the calls.
    pub fn records(&self) -> Vec<CallRecord> {
        self.calls.iter().map(|call| call.record(self.ended.is_some())).collect()
    }
}

impl OpenCall {
    /// The input that the program passed.
    fn passed(&self) -> Option<Value> {
        serde_json::from_str(self.input.get()).ok()
    }
}

impl JournalCall {
    /// The names of its tool.
    pub(crate) fn tool_names(&self) -> ToolNames<'_> {
        let others = self.open.as_ref().map_or(&[][..], |open| &open.names);
        ToolNames { path: &self.path, others, shared: &[] }
    }

    /// What the tool would get, as whoever is asked is shown it.
    pub(crate) fn shown_input(&self, pending: &Pending) -> Value {
        let passed = || self.open.as_ref()?.passed();
        pending.input.clone().or_else(passed).unwrap_or_default()
    }

    /// How far it came, in words.
    pub(crate) fn how_far(&self) -> &'static str {
        match &self.progress {
            CallProgress::Issued => "it has not started",
            CallProgress::Pending(_) => "it is pending",
            CallProgress::Decided(_) => "it has been decided",
            CallProgress::Started => "it is under way",
            CallProgress::Settled { .. } | CallProgress::Delivered { .. } => "it is done",
        }
    }

    fn record(&self, is_over: bool) -> CallRecord {
        let failure = match &self.progress {
            CallProgress::Settled { settlement: Settlement::Failed(failure), .. } => Some(&**failure),
            CallProgress::Delivered { failure, .. } => failure.as_deref(),
            _ => None,
        };
        let (state, took) = match &self.progress {
            CallProgress::Issued => (CallState::Issued, None),
            CallProgress::Pending(pending) if pending.question == Question::InDoubt => {
                (if is_over { CallState::CancelledUnknown } else { CallState::InDoubt }, None)
            }
            CallProgress::Pending(_) | CallProgress::Decided(_) if is_over => (CallState::Issued, None),
            CallProgress::Pending(_) | CallProgress::Decided(_) => (CallState::Pending, None),
            CallProgress::Started if is_over => (CallState::CancelledUnknown, None),
            CallProgress::Started => (CallState::Started, None),
            CallProgress::Settled { took, .. } | CallProgress::Delivered { took, .. } => {
                (failure.map_or(CallState::Applied, CallState::of_failure), Some(*took))
            }
        };
        CallRecord {
            seq: self.seq,
            path: self.path.to_string(),
            state,
            duration_ms: took,
            input: None,
            output: None,
            error: failure.cloned(),
        }
    }
}
