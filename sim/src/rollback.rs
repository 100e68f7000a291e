//! The reference for rollbacks: which calls a rollback reverts, in which order, and how it may end.

use std::collections::{BTreeMap, BTreeSet};

use isobox_core::journal::{
    CallDecided, CallSettled, Ended, Ending, Entry, JournalState, PlannedRevert, Question, RollbackBegun, Settlement,
    StepTaken, Verdict, Wanted,
};
use isobox_core::{CallSeq, Code, Failure, Inspected};

use crate::people::What;
use crate::phases::{end_of, phases};
use crate::program::{STEP, Thrown, ToolKind};
use crate::verify::Evidence;
use crate::world::label_of;

/// The calls of a program, as far as a rollback has to know them.
#[derive(Default)]
struct Made {
    /// The calls in the order in which they were made, with the paths of their tools.
    calls: Vec<(CallSeq, String)>,
    /// The labels of the steps that have a result.
    steps: BTreeMap<String, CallSeq>,
    /// The calls whose tool was started, unless a person has said that they did not happen.
    started: BTreeSet<CallSeq>,
    /// The calls whose last attempt is running.
    running: BTreeSet<CallSeq>,
    /// The calls whose tool has left a note, and knows what has happened when it is called again.
    noted: BTreeSet<CallSeq>,
    /// The calls of which an attempt has ended without an outcome.
    doubtful: BTreeSet<CallSeq>,
    settled: BTreeMap<CallSeq, Came>,
    /// The number after those of all calls and timers.
    next: u32,
}

/// What the outcome of a call says about its effect.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Came {
    /// It took effect.
    Done,
    /// It had no effect.
    Nothing,
    /// It failed, after an attempt that may have taken effect.
    Unknown,
}

impl Made {
    fn of(program: &[Entry]) -> Self {
        let mut made = Self::default();
        let mut labels = BTreeMap::new();
        for entry in program {
            match entry {
                Entry::Step(step) => {
                    for asked in &step.calls {
                        let top = std::iter::successors(Some(asked.seq), |seq| seq.parent()).last();
                        made.next = made.next.max(top.map_or(0, |top| top.number() + 1));
                        let Wanted::Tool { path, input, .. } = &asked.what else { continue };
                        made.calls.push((asked.seq, path.clone()));
                        let input = serde_json::from_str(input.get()).unwrap_or_default();
                        if let (STEP, Some((label, _))) = (path.as_str(), label_of(&input)) {
                            labels.insert(asked.seq, label);
                        }
                    }
                }
                Entry::Started(one) => {
                    made.started.insert(one.seq);
                    if !made.noted.contains(&one.seq) {
                        made.running.insert(one.seq);
                    }
                }
                Entry::Noted(one) => {
                    made.running.remove(&one.seq);
                    made.doubtful.remove(&one.seq);
                    made.noted.insert(one.seq);
                }
                Entry::Asked(one) => match one.question {
                    Question::InDoubt => drop(made.doubtful.insert(one.seq)),
                    Question::Interrupt { .. } => drop(made.running.remove(&one.seq)),
                    Question::Approval { .. } => {}
                },
                Entry::Decided(CallDecided { decision, .. }) => match decision.verdict {
                    Verdict::DidNotHappen => {
                        for calls in [&mut made.started, &mut made.running, &mut made.noted, &mut made.doubtful] {
                            calls.remove(&decision.seq);
                        }
                    }
                    Verdict::Happened(_) => drop(made.doubtful.remove(&decision.seq)),
                    Verdict::Approve | Verdict::Deny(_) | Verdict::Answer(_) | Verdict::Fail(_) => {}
                },
                // The process of what was running has ended.
                Entry::Resumed(_) => made.doubtful.append(&mut made.running),
                Entry::Settled(settled) => {
                    made.running.remove(&settled.seq);
                    let was_done = made.settled.get(&settled.seq) == Some(&Came::Done);
                    let came = match settled.settlement {
                        Settlement::Result(_) | Settlement::Ephemeral => Came::Done,
                        // A result that is not stored is requested again, which does not undo the first call.
                        Settlement::Failed(_) if was_done => Came::Done,
                        Settlement::Failed(_) if made.doubtful.contains(&settled.seq) => Came::Unknown,
                        Settlement::Failed(_) => Came::Nothing,
                        Settlement::Snippet(_) => continue,
                    };
                    made.settled.insert(settled.seq, came);
                    if let (Came::Done, Some(label)) = (came, labels.get(&settled.seq)) {
                        made.steps.insert(label.clone(), settled.seq);
                    }
                }
                Entry::Paused(_) | Entry::Ended(_) | Entry::Rollback(_) => {}
            }
        }
        made
    }

    /// Returns the calls to revert with the tools that do it, and the calls that stay as they are.
    fn plan(
        &self,
        reverted: &[CallSeq],
        inherited: &[CallSeq],
        to: Option<&str>,
    ) -> (Vec<(CallSeq, &'static str)>, Vec<CallSeq>) {
        let place = |step: &CallSeq| self.calls.iter().position(|(seq, _)| seq == step);
        let from = to.and_then(|name| self.steps.get(name)).and_then(place).unwrap_or_default();
        let (mut reverts, mut left) = (Vec::new(), Vec::new());
        for (seq, path) in self.calls[from..].iter().rev() {
            if !self.started.contains(seq) || reverted.contains(seq) {
                continue;
            }
            let by = ToolKind::at(path).and_then(ToolKind::reverted_by);
            match (self.settled.get(seq), by) {
                (Some(Came::Nothing), _) => {}
                (Some(Came::Done), Some(by)) if !inherited.contains(seq) => reverts.push((*seq, by.path())),
                (Some(Came::Done | Came::Unknown) | None, _) => left.push(*seq),
            }
        }
        (reverts, left)
    }
}

impl Evidence<'_> {
    /// Checks that every rollback makes the reverts that are due, one after the other, and none that succeeded before.
    pub(crate) fn check_rollbacks(&self, inspected: &Inspected) {
        let (program, rollbacks) = phases(&inspected.entries);
        let made = Made::of(program);
        let inherited = self.inherited_calls(program);
        let (mut next, mut reverted) = (made.next, Vec::new());
        let (mut has_effect, mut open) = (false, BTreeMap::new());
        for (earlier, phase) in rollbacks.iter().enumerate() {
            let Some((Entry::Rollback(plan), rest)) = phase.split_first() else { continue };
            let (reverts, left) = made.plan(&reverted, &inherited, plan.to.as_deref());
            let planned: Vec<(CallSeq, &str)> = plan.reverts.iter().map(|one| (one.seq, one.path.as_str())).collect();
            if planned != reverts {
                self.complain(format_args!("a rollback plans {planned:?}, but {reverts:?} are to be reverted"));
            }
            let stays: Vec<CallSeq> = plan.left.iter().map(|one| one.seq).collect();
            if stays != left {
                self.complain(format_args!("a rollback leaves {stays:?}, but {left:?} cannot be reverted"));
            }
            if plan.first.number() != next {
                self.complain(format_args!("the first revert is {}, and {next} is the next number", plan.first));
            }
            next = next.saturating_add(u32::try_from(plan.reverts.len()).unwrap_or(u32::MAX));
            self.check_doubts(plan, rest, &mut open);
            // The program has ended before, and every earlier rollback.
            self.check_rollback((plan, earlier + 1), rest, inspected, &mut reverted);
            has_effect = !reverted.is_empty() || plan.reverts.is_empty() && !is_stopped(rest);
        }
        if inspected.state.reverted != reverted {
            self.complain(format_args!("{:?} count as reverted, but {reverted:?} are", inspected.state.reverted));
        }
        if let (Some(last), Some(ended)) = (rollbacks.last().and_then(|last| end_of(last)), &inspected.state.ended) {
            let expected = if has_effect { Some(last) } else { end_of(program) };
            if expected.is_none_or(|expected| expected.how != ended.how) {
                self.complain(format_args!("after its rollbacks the execution has ended with {:?}", ended.how));
            }
        }
    }

    /// Returns the calls that another execution made, if this one is a fork and has not made them itself.
    fn inherited_calls(&self, program: &[Entry]) -> Vec<CallSeq> {
        let Some(forked) = self.forked else { return Vec::new() };
        let own = program.iter().skip_while(|entry| !matches!(entry, Entry::Resumed(_)));
        let own: BTreeSet<CallSeq> = own
            .filter_map(|entry| match entry {
                Entry::Started(started) => Some(started.seq),
                _ => None,
            })
            .collect();
        forked.started.iter().copied().filter(|seq| !own.contains(seq)).collect()
    }

    /// Checks that no revert is made while it is unknown whether an earlier one of the same call took effect. `open` has the
    /// reverts of which it is unknown, by the calls that they revert.
    fn check_doubts(&self, plan: &RollbackBegun, rest: &[Entry], open: &mut BTreeMap<CallSeq, CallSeq>) {
        let reverts = plan.reverts.iter().zip(plan.first.number()..);
        let reverts: BTreeMap<CallSeq, CallSeq> =
            reverts.map(|(revert, number)| (CallSeq::new(number), revert.seq)).collect();
        // The reverts of which a person has said that they happened, or may have.
        let mut perhaps_made = BTreeSet::new();
        for entry in rest {
            match entry {
                Entry::Started(started) => {
                    let Some(call) = reverts.get(&started.seq) else { continue };
                    if let Some(earlier) = open.insert(*call, started.seq).filter(|earlier| *earlier != started.seq) {
                        let seq = started.seq;
                        self.complain(format_args!("revert {seq} is made, and revert {earlier} may have taken effect"));
                    }
                }
                Entry::Asked(asked) => match (&asked.question, reverts.get(&asked.seq)) {
                    (Question::Interrupt { .. }, Some(call)) => drop(open.remove(call)),
                    (Question::InDoubt, Some(call)) if !open.contains_key(call) => {
                        self.complain(format_args!("revert {} is in doubt without a reason", asked.seq));
                    }
                    (Question::InDoubt, Some(call)) if open.get(call) != Some(&asked.seq) => {
                        self.trace.count("revert of an earlier rollback in doubt", asked.seq);
                    }
                    (Question::InDoubt | Question::Interrupt { .. } | Question::Approval { .. }, _) => {}
                },
                Entry::Decided(CallDecided { decision, .. }) => match decision.verdict {
                    Verdict::DidNotHappen => {
                        reverts.get(&decision.seq).and_then(|call| open.remove(call));
                    }
                    Verdict::Happened(_) | Verdict::Fail(_) => drop(perhaps_made.insert(decision.seq)),
                    Verdict::Approve | Verdict::Deny(_) | Verdict::Answer(_) => {}
                },
                Entry::Settled(CallSettled { seq, settlement: Settlement::Failed(_), .. })
                    if perhaps_made.contains(seq) =>
                {
                    self.trace.count("revert in doubt fails", seq);
                }
                Entry::Settled(settled) => {
                    reverts.get(&settled.seq).and_then(|call| open.remove(call));
                }
                Entry::Step(_)
                | Entry::Noted(_)
                | Entry::Paused(_)
                | Entry::Resumed(_)
                | Entry::Ended(_)
                | Entry::Rollback(_) => {}
            }
        }
    }

    /// Checks a rollback that began after so many ends.
    fn check_rollback(
        &self,
        (plan, ends): (&RollbackBegun, usize),
        rest: &[Entry],
        inspected: &Inspected,
        reverted: &mut Vec<CallSeq>,
    ) {
        let number = |made: usize| CallSeq::new(plan.first.number() + u32::try_from(made).unwrap_or(u32::MAX));
        let mut steps = 0_usize;
        for entry in rest {
            match entry {
                Entry::Step(StepTaken { answers, calls, .. }) => {
                    let answered = steps.checked_sub(1).map(number);
                    let wanted = plan.reverts.get(steps).map(|revert| (number(steps), revert.path.as_str()));
                    let is = |asked: &isobox_core::journal::Asked| match &asked.what {
                        Wanted::Tool { path, .. } => Some((asked.seq, path.as_str())) == wanted,
                        Wanted::Timer(_) => false,
                    };
                    let fits = calls.len() == usize::from(wanted.is_some()) && calls.iter().all(is);
                    if !fits || answers.iter().copied().ne(answered) {
                        self.complain(format_args!("step {steps} of a rollback gets {answers:?} and makes {calls:?}"));
                    }
                    steps += 1;
                }
                Entry::Settled(CallSettled { seq, settlement, .. }) => {
                    let revert = (0..plan.reverts.len()).find(|made| number(*made) == *seq);
                    let Some(PlannedRevert { seq: call, path, .. }) = revert.and_then(|made| plan.reverts.get(made))
                    else {
                        self.complain(format_args!("call {seq} is not one of the rollback"));
                        continue;
                    };
                    if self.check_revert(*seq, path, settlement, inspected) {
                        self.trace.count("call reverted", "");
                        reverted.push(*call);
                    }
                }
                Entry::Ended(ended) => self.check_rolled_back((plan, ends), ended, steps, inspected),
                Entry::Started(_)
                | Entry::Noted(_)
                | Entry::Asked(_)
                | Entry::Decided(_)
                | Entry::Paused(_)
                | Entry::Resumed(_)
                | Entry::Rollback(_) => {}
            }
        }
    }

    /// Checks the result of a revert. Returns whether it succeeded.
    fn check_revert(&self, seq: CallSeq, path: &str, settlement: &Settlement, inspected: &Inspected) -> bool {
        let settled = match settlement {
            Settlement::Result(json) => json.get().parse::<u64>().map_err(|_| Thrown::Tool),
            Settlement::Failed(failure) => match failure.code {
                Code::ApprovalDenied => Err(Thrown::Denied),
                Code::Tool => Err(Thrown::Tool),
                Code::Timeout => {
                    self.trace.count("revert takes too long", "");
                    return false;
                }
                other => {
                    self.complain(format_args!("revert {seq} failed with {other}"));
                    return false;
                }
            },
            Settlement::Ephemeral | Settlement::Snippet(_) => {
                self.complain(format_args!("revert {seq} has no result"));
                return false;
            }
        };
        match ToolKind::at(path).filter(|kind| kind.reverts()) {
            Some(kind) if self.is_of_an_earlier_revert(kind, seq, settled, inspected) => {
                self.trace.count("revert happened in an earlier rollback", kind.path());
            }
            Some(kind) => self.check_answer(kind, seq, (&format!("{}:{seq}", self.id), 0), settled, inspected),
            None => self.complain(format_args!("`{path}` reverts nothing")),
        }
        settled.is_ok()
    }

    /// Tells whether a person has said that an earlier revert of the same call happened, and it did with this result.
    fn is_of_an_earlier_revert(
        &self,
        kind: ToolKind,
        seq: CallSeq,
        settled: Result<u64, Thrown>,
        inspected: &Inspected,
    ) -> bool {
        let is_said = |entry: &Entry| match entry {
            Entry::Decided(CallDecided { decision, .. }) => {
                decision.seq == seq && matches!(decision.verdict, Verdict::Happened(_))
            }
            _ => false,
        };
        let mut earlier = earlier_reverts(&inspected.state, seq).map(|earlier| format!("{}:{earlier}", self.id));
        settled.is_ok()
            && inspected.entries.iter().any(is_said)
            && earlier.any(|key| self.world.seen(&key).effects > 0 && self.world.gives(kind, &key, 0) == settled)
    }

    fn check_rolled_back(
        &self,
        (plan, ends): (&RollbackBegun, usize),
        ended: &Ended,
        steps: usize,
        inspected: &Inspected,
    ) {
        let fits = match &ended.how {
            Ending::RolledBack(None) => steps == plan.reverts.len() + 1,
            Ending::RolledBack(Some(failure)) => self.may_stop((failure, ends), ended, steps, inspected),
            Ending::Completed(_) | Ending::Failed(_) | Ending::Rejected(_) => false,
        };
        if !fits {
            self.complain(format_args!("a rollback ended with {:?} in step {steps}", ended.how));
        }
    }

    /// Tells whether a rollback may have stopped for this reason.
    fn may_stop(&self, (failure, ends): (&Failure, usize), ended: &Ended, steps: usize, inspected: &Inspected) -> bool {
        match failure.code {
            Code::Timeout => ended.duration >= self.timeout || self.has_expired(failure, ends, inspected),
            Code::Aborted => self.may_be_cancelled(failure),
            Code::Rejected => self.sayings.iter().any(|spoken| spoken.what == What::Reject),
            Code::Busy => steps == 0,
            _ => false,
        }
    }
}

/// Returns the reverts of earlier rollbacks that are of the same call as this one.
pub fn earlier_reverts(state: &JournalState, seq: CallSeq) -> impl Iterator<Item = CallSeq> {
    let call = state.reverts.get(&seq);
    state.reverts.range(..seq).filter(move |(_, other)| Some(*other) == call).map(|(earlier, _)| *earlier)
}

fn is_stopped(phase: &[Entry]) -> bool {
    end_of(phase).is_some_and(|ended| matches!(ended.how, Ending::RolledBack(Some(_))))
}
