//! Decides which calls of an execution a rollback reverts, and how. No I/O and no clock.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use crate::journal::{
    Beginning, CallDecided, CallSettled, Entry, LeftApplied, PlannedRevert, Question, RollbackBegun, Settlement,
    Verdict, Wanted, is_answered_by_host,
};
use crate::text::brief;
use crate::tools::revert::{Revert, Reverting};
use crate::{CallSeq, Catalogue, Code, Failure, RevertCall, Tool};

/// The maximum number of step names in a message.
const NAMED: usize = 10;

/// The calls that a program made, from its journal.
pub(super) struct History {
    calls: BTreeMap<CallSeq, Made>,
    /// The steps that the program has named, in order.
    steps: Vec<(CallSeq, String)>,
    /// The number of the next call.
    next: u32,
}

/// A call that a program made.
struct Made {
    /// The place among the calls, in the order in which they were made. A snippet makes calls after later ones of the program.
    order: usize,
    path: String,
    input: Value,
    attempt: Attempt,
    /// Whether another execution made it, from which this one was forked.
    is_inherited: bool,
    end: MadeEnd,
}

/// The stage of the last attempt to make a call, as far as it matters for its effect.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attempt {
    /// The tool was not started, or a person has said that the call did not happen. Calls that the host answers itself
    /// are never started.
    None,
    /// The tool was started.
    Running,
    /// The tool has asked for an answer. It is called again with the answer.
    Asking,
    /// The tool has left a note. It is called again with the note, and knows what has happened.
    Noted,
    /// An attempt has ended without an outcome, and may have taken effect.
    InDoubt,
}

/// The effect of a call.
enum MadeEnd {
    /// The call took effect. The result is none if it was not stored.
    Applied(Option<Value>),
    /// The call had no effect of its own.
    NoEffect,
    /// The call has no outcome, or one that does not say whether it took effect.
    Unknown,
}

impl History {
    /// Reads the calls of a program, without those of earlier rollbacks.
    pub(super) fn of(beginning: &Beginning<'_>, entries: &[Entry]) -> Self {
        let mut history = Self { calls: BTreeMap::new(), steps: Vec::new(), next: 0 };
        let mut is_program = true;
        // A fork begins with the history of another execution, and goes on when it is resumed.
        let mut is_inherited = beginning.forked_from.is_some();
        for entry in entries {
            match entry {
                Entry::Step(step) => {
                    for asked in &step.calls {
                        let top = std::iter::successors(Some(asked.seq), |seq| seq.parent()).last();
                        history.next = history.next.max(top.map_or(0, |top| top.number().saturating_add(1)));
                        if let (true, Wanted::Tool { path, input, .. }) = (is_program, &asked.what) {
                            let input = serde_json::from_str(input.get()).unwrap_or_default();
                            let order = history.calls.len();
                            let (attempt, end) = (Attempt::None, MadeEnd::Unknown);
                            let made = Made { order, path: path.clone(), input, attempt, is_inherited, end };
                            history.calls.insert(asked.seq, made);
                        }
                    }
                }
                Entry::Rollback(plan) => {
                    is_program = false;
                    let reverts = u32::try_from(plan.reverts.len()).unwrap_or(u32::MAX);
                    history.next = history.next.max(plan.first.number().saturating_add(reverts));
                }
                Entry::Started(started) => {
                    if let Some(made) = history.calls.get_mut(&started.seq) {
                        made.is_inherited = is_inherited;
                        made.attempt.start();
                        made.fill(started.input.as_ref());
                    }
                }
                Entry::Asked(question) => {
                    if let Some(made) = history.calls.get_mut(&question.seq) {
                        made.attempt.ask(&question.question);
                        made.fill(question.input.as_ref());
                    }
                }
                Entry::Noted(noted) => {
                    if let Some(made) = history.calls.get_mut(&noted.seq) {
                        made.attempt = Attempt::Noted;
                    }
                }
                Entry::Decided(CallDecided { decision, .. }) => {
                    if let Some(made) = history.calls.get_mut(&decision.seq) {
                        made.attempt.decide(&decision.verdict);
                    }
                }
                Entry::Settled(settled) => history.settle(settled),
                Entry::Resumed(_) => {
                    is_inherited = false;
                    history.calls.values_mut().for_each(|made| made.attempt.cut_off());
                }
                // The original may have made every call that has no outcome in the backup.
                Entry::Paused(pause) if is_program && pause.restored_by.is_some() => {
                    let open = history.calls.values_mut().filter(|made| matches!(made.end, MadeEnd::Unknown));
                    let open = open.filter(|made| !is_answered_by_host(&made.path));
                    open.for_each(|made| made.attempt = Attempt::InDoubt);
                }
                Entry::Paused(_) | Entry::Ended(_) => {}
            }
        }
        history
    }

    fn settle(&mut self, settled: &CallSettled) {
        let CallSettled { seq, settlement, lost, .. } = settled;
        let Some(made) = self.calls.get_mut(seq) else { return };
        made.end = match settlement {
            Settlement::Result(json) => MadeEnd::Applied(serde_json::from_str(json.get()).ok()),
            Settlement::Ephemeral => MadeEnd::Applied(None),
            // A result that was not stored is requested again, which does not undo the first call.
            Settlement::Failed(_) if matches!(made.end, MadeEnd::Applied(_)) => return,
            Settlement::Failed(_) if *lost => MadeEnd::Unknown,
            Settlement::Failed(failure) => match made.attempt {
                Attempt::None => MadeEnd::NoEffect,
                Attempt::Running | Attempt::Asking | Attempt::Noted | Attempt::InDoubt
                    if failure.code.refuses_output() =>
                {
                    MadeEnd::Applied(None)
                }
                Attempt::Running | Attempt::Asking | Attempt::Noted => MadeEnd::NoEffect,
                Attempt::InDoubt => MadeEnd::Unknown,
            },
            // The calls of the snippet are reverted, not the snippet.
            Settlement::Snippet(_) => MadeEnd::NoEffect,
        };
        let name = match &made.input {
            Value::String(name) => Some(name),
            Value::Array(items) => match items.first() {
                Some(Value::String(name)) => Some(name),
                Some(_) | None => None,
            },
            _ => None,
        };
        if let ("codemode.step", MadeEnd::Applied(_), Some(name)) = (made.path.as_str(), &made.end, name) {
            self.steps.push((*seq, name.clone()));
        }
    }

    /// Returns the path of the tool of a call.
    pub(super) fn path(&self, seq: CallSeq) -> String {
        self.calls.get(&seq).map(|made| made.path.clone()).unwrap_or_default()
    }

    /// Returns the number of the first revert.
    pub(super) fn next(&self) -> CallSeq {
        CallSeq::new(self.next)
    }

    /// Decides about every call that may have taken effect, the last one first.
    pub(super) fn plan(
        &self,
        catalogue: &Catalogue,
        reverted: &HashSet<CallSeq>,
        to: Option<&str>,
    ) -> Result<(Vec<PlannedRevert>, Vec<LeftApplied>), Failure> {
        let after = to.map(|name| self.step(name)).transpose()?;
        let after = after.and_then(|step| self.calls.get(&step)).map(|made| made.order);
        let (mut reverts, mut left) = (Vec::new(), Vec::new());
        let mut calls: Vec<(&CallSeq, &Made)> = self.calls.iter().collect();
        calls.sort_by_key(|(_, made)| std::cmp::Reverse(made.order));
        for (&seq, made) in calls {
            let is_kept = after.is_some_and(|after| made.order < after) || reverted.contains(&seq);
            if is_kept || made.attempt == Attempt::None {
                continue;
            }
            match made.revert(seq, catalogue) {
                Fate::Revert(revert) => reverts.push(revert),
                Fate::Leave(reason) => left.push(LeftApplied { seq, path: made.path.clone(), reason }),
                Fate::Nothing => {}
            }
        }
        Ok((reverts, left))
    }

    /// Returns the number of the last step with a name.
    fn step(&self, name: &str) -> Result<CallSeq, Failure> {
        if let Some((seq, _)) = self.steps.iter().rev().find(|(_, other)| other == name) {
            return Ok(*seq);
        }
        let mut names: Vec<String> = Vec::new();
        for (_, name) in &self.steps {
            let name = format!("`{}`", brief(name, 80));
            if !names.contains(&name) {
                names.push(name);
            }
            if names.len() > NAMED {
                break;
            }
        }
        let hint = match names.len() {
            0 => "the program has completed no `codemode.step`: roll back the whole execution".to_owned(),
            known => format!(
                "its steps are {}{}",
                names[..known.min(NAMED)].join(", "),
                if known > NAMED { ", …" } else { "" }
            ),
        };
        let message = format!("the execution has no step `{}`", brief(name, 80));
        Err(Failure::new(Code::NotFound, message).hint(hint))
    }

    /// Returns the calls of a rollback: the tools, and their inputs.
    pub(super) fn requests(&self, reverts: &[PlannedRevert]) -> Vec<(String, Value)> {
        let request = |revert: &PlannedRevert| {
            let nothing = Value::Null;
            let (input, result) = match self.calls.get(&revert.seq) {
                Some(Made { input, end: MadeEnd::Applied(result), .. }) => (input, result.as_ref()),
                Some(_) | None => (&nothing, None),
            };
            let input = match &revert.input {
                // The plan has only templates that can be filled.
                Some(template) => RevertCall::new("", template.clone()).input_for(input, result).unwrap_or_default(),
                None => Reverting::input(input, result),
            };
            (revert.path.clone(), input)
        };
        reverts.iter().map(request).collect()
    }

    /// Returns the tools whose calls are reverted with a function of the host, each once.
    pub(super) fn own_reverts<'c>(&self, plan: &RollbackBegun, catalogue: &'c Catalogue) -> Vec<&'c Tool> {
        let mut tools: BTreeMap<&str, &Tool> = BTreeMap::new();
        for revert in plan.reverts.iter().filter(|revert| revert.input.is_none()) {
            let tool = self.calls.get(&revert.seq).and_then(|made| catalogue.get(&made.path));
            tools.extend(tool.map(|tool| (tool.path().as_str(), tool)));
        }
        tools.into_values().collect()
    }
}

/// The decision about a call.
enum Fate {
    Revert(PlannedRevert),
    /// The call stays as it is, for this reason.
    Leave(String),
    /// The call had no effect.
    Nothing,
}

impl Attempt {
    /// Records that the tool is called.
    fn start(&mut self) {
        if let Self::None | Self::Asking = self {
            *self = Self::Running;
        }
    }

    /// Records that the call waits for a person.
    fn ask(&mut self, question: &Question) {
        match question {
            Question::InDoubt => *self = Self::InDoubt,
            Question::Interrupt { .. } if *self == Self::Running => *self = Self::Asking,
            Question::Interrupt { .. } | Question::Approval { .. } => {}
        }
    }

    /// Records what a person has said.
    fn decide(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::DidNotHappen => *self = Self::None,
            Verdict::Happened(_) => *self = Self::Running,
            Verdict::Approve | Verdict::Deny(_) | Verdict::Answer(_) | Verdict::Fail(_) => {}
        }
    }

    /// Records that the process of a running tool has ended.
    fn cut_off(&mut self) {
        if *self == Self::Running {
            *self = Self::InDoubt;
        }
    }
}

impl Made {
    /// Sets the input that the tool gets, if defaults were added.
    fn fill(&mut self, filled: Option<&Value>) {
        if let Some(filled) = filled {
            self.input = filled.clone();
        }
    }

    fn revert(&self, seq: CallSeq, catalogue: &Catalogue) -> Fate {
        let tool = catalogue.get(&self.path);
        if tool.is_some_and(Tool::only_reads) {
            return Fate::Nothing;
        }
        let result = match &self.end {
            MadeEnd::NoEffect => return Fate::Nothing,
            _ if self.is_inherited => {
                return Fate::Leave("it was made before the fork, by another execution".to_owned());
            }
            MadeEnd::Unknown => return Fate::Leave("it is unknown whether the call took effect".to_owned()),
            MadeEnd::Applied(result) => result.as_ref(),
        };
        let Some(tool) = tool else { return Fate::Leave("its tool is missing".to_owned()) };
        match tool.reverting() {
            None => Fate::Leave("its tool has no revert".to_owned()),
            Some(Revert::Own(_)) => {
                Fate::Revert(PlannedRevert { seq, path: tool.revert_path().to_string(), input: None })
            }
            Some(Revert::Call(call)) => match (catalogue.named(&call.call), call.input_for(&self.input, result)) {
                (None, _) => Fate::Leave(format!("the tool `{}`, which reverts it, is missing", brief(&call.call, 80))),
                (_, Err(why)) => Fate::Leave(format!("the input of its revert cannot be made: {why}")),
                (Some(other), Ok(_)) => {
                    Fate::Revert(PlannedRevert { seq, path: other.path().to_string(), input: Some(call.input.clone()) })
                }
            },
        }
    }
}
