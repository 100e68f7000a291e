//! The invariants of a finished simulated execution.

use std::collections::{BTreeMap, BTreeSet};

use isobox_core::journal::{Decision, Ending, Entry, Question, ResumedFrom, Settlement, Verdict};
use isobox_core::store::{ErrorKind, MemoryStore};
use isobox_core::{CallSeq, Code, ExecutionId, Failure, Inspected, Outcome, inspect};

use crate::model::{Expected, expect};
use crate::people::{Held, ON_THE_SPOT, Spoken, Told, What};
use crate::phases::{end_of, phases};
use crate::program::{Body, STEP, Thrown, ToolKind};
use crate::record::{Called, Record};
use crate::sleep::{SLACK, wrongs};
use crate::store::{Lies, now};
use crate::subject::Forked;
use crate::timeline::{Moment, Timeline, Written};
use crate::trace::Trace;
use crate::world::World;

/// Everything that is known of a finished execution.
pub struct Evidence<'a> {
    /// The id of the execution.
    pub id: &'a ExecutionId,
    /// The program.
    pub program: &'a Body,
    /// The snippets of the world.
    pub snippets: &'a [Body],
    /// The last result in the globals that the program found, if it is one of a session.
    pub found: Option<u64>,
    /// The history that the execution continues, if it is a fork.
    pub forked: Option<&'a Forked>,
    /// The time limit in milliseconds.
    pub timeout: u64,
    /// The real store.
    pub store: &'a MemoryStore,
    /// The timeline, including all writes.
    pub timeline: &'a Timeline,
    /// The world with the effects of all calls.
    pub world: &'a World,
    /// The instructions of people.
    pub sayings: &'a [Spoken],
    /// The outcomes that callers got.
    pub told: &'a [Result<Outcome, Failure>],
    /// The trace that gets the violations.
    pub trace: &'a Trace,
    /// Whether the time of day was set.
    pub has_jumped: bool,
    /// The defect that was introduced.
    pub lies: Lies,
}

impl Evidence<'_> {
    /// Reports all violations.
    pub fn check(&self) {
        self.check_effects();
        let mut inspected = match now(inspect(self.store, self.id)) {
            Ok(inspected) => inspected,
            Err(error) if error.kind() == ErrorKind::NotFound => return self.check_nothing_told(),
            Err(error) => return self.complain(format_args!("the journal cannot be read: {error}")),
        };
        let inherited: Vec<CallSeq> = self.forked.iter().flat_map(|forked| forked.inherited.keys().copied()).collect();
        if let Lies::Misreports(what) = self.lies
            && what.falsify(&mut inspected.entries, &inherited, self.has_jumped)
        {
            self.trace.count("misreported", self.id);
        }
        self.count(&inspected);
        self.check_batches(inspected.state.revision);
        self.check_decisions(&inspected);
        self.check_notes(&inspected);
        for wrong in wrongs(&inspected.entries, self.has_jumped, SLACK) {
            self.complain(wrong);
        }
        self.check_told(&inspected);
        self.check_program(&inspected);
        self.check_rollbacks(&inspected);
    }

    pub(crate) fn complain(&self, what: impl std::fmt::Display) {
        self.trace.violation(what);
    }

    /// Counts the events.
    fn count(&self, inspected: &Inspected) {
        for entry in &inspected.entries {
            let what = match entry {
                Entry::Step(_) => "entry: step",
                Entry::Started(_) => "entry: started",
                Entry::Noted(_) => "entry: noted",
                Entry::Settled(settled) => match &settled.settlement {
                    Settlement::Snippet(_) => "entry: snippet started",
                    Settlement::Result(_) | Settlement::Ephemeral | Settlement::Failed(_) => "entry: settled",
                },
                Entry::Asked(asked) => match &asked.question {
                    Question::Approval { .. } => "entry: asked for approval",
                    Question::Interrupt { .. } => "entry: asked for something",
                    Question::InDoubt => "entry: in doubt",
                },
                Entry::Decided(_) => "entry: decided",
                Entry::Paused(pause) if pause.until.is_some() => "entry: left memory until a timer",
                Entry::Paused(_) => "entry: paused",
                Entry::Resumed(resumed) => match resumed.from {
                    ResumedFrom::Snapshot => "entry: resumed from snapshot",
                    ResumedFrom::Journal => "entry: resumed from journal",
                },
                Entry::Ended(ended) => match &ended.how {
                    Ending::Completed(_) => "entry: completed",
                    Ending::Failed(_) => "entry: failed",
                    Ending::Rejected(_) => "entry: rejected",
                    Ending::RolledBack(_) => "entry: rolled back",
                },
                Entry::Rollback(_) => "entry: rollback",
            };
            self.trace.count(what, "");
        }
    }

    /// Checks that no call took effect twice that must not.
    fn check_effects(&self) {
        for (key, seen) in self.world.all_seen() {
            if !key.starts_with(self.id.as_str()) {
                continue;
            }
            let may_be_repeated = seen.kind.is_some_and(|kind| kind.is_idempotent() || kind.is_ephemeral());
            if seen.effects > 1 && !may_be_repeated {
                self.complain(format_args!("call {key} took effect {} times", seen.effects));
            }
        }
    }

    /// Checks that no call is in doubt whose tool has left a note.
    fn check_notes(&self, inspected: &Inspected) {
        let mut noted = BTreeSet::new();
        for entry in &inspected.entries {
            match entry {
                Entry::Noted(one) => drop(noted.insert(one.seq)),
                Entry::Asked(asked) if asked.question == Question::InDoubt && noted.contains(&asked.seq) => {
                    self.complain(format_args!("call {} is in doubt, although its tool has left a note", asked.seq));
                }
                _ => {}
            }
        }
    }

    /// Checks that no caller was told of effects of an execution that does not exist.
    fn check_nothing_told(&self) {
        for told in self.told.iter().flatten() {
            if let Outcome::Completed(_) = told {
                self.complain("a caller was told of an execution that does not exist");
            }
        }
    }

    /// Checks that acknowledged batches are stored, and that revisions only grow.
    fn check_batches(&self, revision: u64) {
        let load = isobox_core::store::Part::Whole;
        let Ok(stored) = now(isobox_core::store::Store::load(self.store, self.id, load)) else { return };
        let mut before = 0;
        for moment in self.timeline.moments() {
            let Moment::Written(Written { execution, position, seal, revision, .. }) = moment else { continue };
            if execution != *self.id {
                continue;
            }
            let place = usize::try_from(position).expect("a small number");
            if stored.batches.get(place).is_none_or(|batch| batch.seal != seal) {
                self.complain(format_args!("batch {position} was acknowledged and is missing"));
            }
            if revision < before {
                self.complain(format_args!("the revision went from {before} to {revision}"));
            }
            before = revision;
        }
        if revision != stored.head.revision {
            self.complain("the revision of the head differs from the journal");
        }
    }

    /// Checks that each call is decided once, and that accepted decisions apply.
    fn check_decisions(&self, inspected: &Inspected) {
        let mut decided: BTreeMap<(CallSeq, u64), &Decision> = BTreeMap::new();
        for entry in &inspected.entries {
            let Entry::Decided(entry) = entry else { continue };
            let decision = &entry.decision;
            if decided.insert((decision.seq, decision.asked), decision).is_some() {
                self.complain(format_args!("call {} was decided about twice", decision.seq));
            }
            if decision.by == ON_THE_SPOT {
                continue;
            }
            let Some(spoken) = self.sayings.iter().find(|spoken| spoken.is(decision)) else {
                self.complain(format_args!("{} did not make this decision: {decision:?}", decision.by));
                continue;
            };
            if let Told::Refused(code) = spoken.told {
                self.complain(format_args!("{} was refused with {code}, but the decision applies", decision.by));
            }
        }
        for spoken in self.sayings {
            match (&spoken.what, spoken.told) {
                (What::Decision { seq, asked, .. }, Told::Accepted(_)) => {
                    if let Some(other) = decided.get(&(*seq, *asked)).filter(|other| other.by != spoken.by) {
                        self.complain(format_args!(
                            "{} was accepted, but the decision of {} applies",
                            spoken.by, other.by
                        ));
                    }
                }
                (What::Reject | What::Cancel, Told::Accepted(Held::Nowhere { epoch, ends })) => {
                    self.check_stopped(spoken, (epoch, ends), inspected);
                }
                (What::Decision { .. }, Told::Refused(_) | Told::Unknown) | (What::Reject | What::Cancel, _) => {}
            }
        }
    }

    /// Checks that the outcomes told to callers match the journal.
    fn check_told(&self, inspected: &Inspected) {
        let (program, rollbacks) = phases(&inspected.entries);
        let end = end_of(program).map(|ended| &ended.how);
        let was_rolled_back = rollbacks.iter().any(|rollback| end_of(rollback).is_some());
        for told in self.told.iter().flatten() {
            let fits = match (told, end) {
                (Outcome::Completed(completed), Some(Ending::Completed(result))) => completed.result == *result,
                (Outcome::Completed(_), _) => false,
                (Outcome::Failed(failed), Some(Ending::Failed(failure) | Ending::Rejected(failure)))
                    if failed.error.code == failure.code =>
                {
                    true
                }
                // A caller whose process lost the store or the lease does not know the end, and reports that there is
                // none yet.
                (Outcome::Interrupted(interrupted), _) => {
                    matches!(interrupted.error.code, Code::Store | Code::Conflict | Code::Busy | Code::NotFound)
                }
                // A rollback that has reverted nothing.
                (Outcome::Failed(_), Some(_)) if was_rolled_back => true,
                // A caller that is told of a failure runs the program again: only an execution that was not stored has failed
                // without an end.
                (Outcome::Failed(_), _) => false,
                (Outcome::RolledBack(rolled_back), _) => {
                    was_rolled_back && rolled_back.reverted.iter().all(|seq| inspected.state.reverted.contains(seq))
                }
                (Outcome::Paused(paused), _) => !paused.pending.is_empty(),
                (Outcome::Sleeping(sleeping), _) => inspected
                    .entries
                    .iter()
                    .any(|entry| matches!(entry, Entry::Paused(pause) if pause.until == Some(sleeping.until))),
                (_, _) => false,
            };
            if !fits {
                self.complain(format_args!("a caller was told {told:?}, but the journal ends with {end:?}"));
            }
        }
    }

    /// Checks that the program behaved as the model.
    fn check_program(&self, inspected: &Inspected) {
        let gives = |path: &str, label: &str, a: u64| match ToolKind::at(path) {
            Some(kind) => self.world.gives(kind, label, a),
            None => Err(Thrown::Unknown),
        };
        let (program, _) = phases(&inspected.entries);
        let record = Record::of(program, gives);
        let expected = expect(self.program, self.snippets, &record, self.found);
        for oddity in record.oddities.iter().chain(&expected.oddities) {
            self.complain(oddity);
        }
        self.check_answers(&record, inspected);
        // In its last step, an ended program may leave undone what its other functions would still do.
        let last = expected.end.map(|(step, _)| step);
        let calls = record.calls.iter().map(|(label, call)| (call.made, format!("{} {label} {}", call.path, call.a)));
        let made = expected.calls.iter().map(|(step, label, path, a)| (*step, format!("{path} {label} {a}")));
        self.compare("call", calls.collect(), made.collect(), last);
        self.compare("line", record.logs.clone(), expected.logs.clone(), last);
        self.compare("end of a snippet", record.ends.clone(), expected.ends.clone(), last);
        if let Some(step) = last
            && step + 1 != record.steps
        {
            self.complain(format_args!("the program ended in step {step}, and there are {}", record.steps));
        }
        self.check_end(&record, &expected, inspected);
    }

    /// Checks that the results of calls come from the world, a person, or the history of a fork.
    fn check_answers(&self, record: &Record, inspected: &Inspected) {
        self.check_inherited(record, inspected);
        for (label, call) in &record.calls {
            let Some(settled) = call.settled else { continue };
            if let Some(inherited) = self.forked.and_then(|forked| forked.inherited.get(&call.seq)) {
                let effects = self.world.seen(&format!("{}:{}", self.id, call.seq)).effects;
                if settled != *inherited || effects > 0 {
                    self.complain(format_args!(
                        "{label} is {settled:?} instead of {inherited:?}, with {effects} effects"
                    ));
                }
            } else if call.path == STEP {
                if settled != Ok(call.a) {
                    self.complain(format_args!("step {label} gives {settled:?} instead of {}", call.a));
                }
            } else if let Some(kind) = ToolKind::at(&call.path)
                && !self.has_to_make_again(kind, call)
            {
                self.check_answer(kind, call.seq, (&call.id, call.a), settled, inspected);
            }
        }
    }

    /// Tells whether a fork takes over that an ephemeral call has a result, but not the result, and has not made the call again.
    fn has_to_make_again(&self, kind: ToolKind, call: &Called) -> bool {
        let is_taken_over = self.forked.is_some_and(|forked| forked.started.contains(&call.seq));
        is_taken_over && kind.is_ephemeral() && call.delivered.is_none()
    }

    /// Checks that a fork has all results that it takes over, and makes none of their calls.
    fn check_inherited(&self, record: &Record, inspected: &Inspected) {
        let Some(forked) = self.forked else { return };
        for (seq, result) in &forked.inherited {
            if !record.calls.values().any(|call| call.seq == *seq && call.settled == Some(*result)) {
                self.complain(format_args!("the fork does not take over that {seq} is {result:?}"));
            }
        }
        let mut settled = BTreeSet::new();
        for entry in &inspected.entries {
            match entry {
                Entry::Settled(one) => {
                    settled.insert(one.seq);
                }
                // The history of a fork has every start of a call, all of them before its result.
                Entry::Started(one) if forked.inherited.contains_key(&one.seq) && settled.contains(&one.seq) => {
                    self.complain(format_args!("the fork makes call {}, although it takes over its result", one.seq));
                }
                _ => {}
            }
        }
    }

    /// Checks that the result of a call comes from the world or a person.
    pub(crate) fn check_answer(
        &self,
        kind: ToolKind,
        seq: CallSeq,
        (label, a): (&str, u64),
        settled: Result<u64, Thrown>,
        inspected: &Inspected,
    ) {
        let verdicts: Vec<&Verdict> = inspected
            .entries
            .iter()
            .filter_map(|entry| match entry {
                Entry::Decided(decided) if decided.decision.seq == seq => Some(&decided.decision.verdict),
                _ => None,
            })
            .collect();
        let seen = self.world.seen(&format!("{}:{seq}", self.id));
        let gave = self.world.gives(kind, label, a);
        let fits = match settled {
            Ok(value) => seen.effects > 0 && gave == Ok(value),
            // Approval and denial are checked together with remembered decisions.
            Err(Thrown::Denied) => {
                let is_denied = verdicts.iter().any(|one| matches!(one, Verdict::Deny(_)));
                seen.effects == 0 && (is_denied || kind.wants_approval())
            }
            Err(Thrown::Unknown) => kind == ToolKind::Nowhere,
            Err(Thrown::Tool) => {
                (seen.effects > 0 && gave.is_err()) || verdicts.iter().any(|one| matches!(one, Verdict::Fail(_)))
            }
            Err(Thrown::Boom | Thrown::Aggregate | Thrown::Child | Thrown::Late) => false,
        };
        if !fits {
            self.complain(format_args!("the result of {seq} is {settled:?}, but {seen:?} and {verdicts:?}"));
        }
    }

    fn compare(&self, what: &str, mut is: Vec<(usize, String)>, mut must: Vec<(usize, String)>, last: Option<usize>) {
        is.sort();
        must.sort();
        for one in is.iter().filter(|one| must.binary_search(one).is_err()) {
            self.complain(format_args!("unexpected {what}: {one:?}"));
        }
        for one in must.iter().filter(|one| last != Some(one.0) && is.binary_search(one).is_err()) {
            self.complain(format_args!("missing {what}: {one:?}"));
        }
    }

    fn check_end(&self, record: &Record, expected: &Expected, inspected: &Inspected) {
        let (program, _) = phases(&inspected.entries);
        let Some(ended) = end_of(program) else { return };
        let left = record.calls.values().any(|call| call.delivered.is_none());
        let code = match &ended.how {
            Ending::Completed(_) | Ending::RolledBack(_) => None,
            Ending::Failed(failure) | Ending::Rejected(failure) => Some(failure.code),
        };
        let keeps_globals = inspected.beginning.globals.is_some();
        let end = match expected.end {
            // While it waits for the calls that it left, and while its globals are kept, it can end like one that has not
            // returned.
            Some((_, Ok(_))) if (left || keeps_globals) && !matches!(ended.how, Ending::Completed(_)) => None,
            end => end,
        };
        let fits = match (end, &ended.how, code) {
            (Some((_, Ok(value))), Ending::Completed(result), _) => *result == value,
            (Some((_, Err(thrown))), Ending::Failed(_), Some(code)) => code == thrown.code(),
            (None, Ending::Failed(failure), Some(Code::Timeout)) => {
                ended.duration >= self.timeout || self.has_expired(failure, 0, inspected)
            }
            // Either the caller cancelled, or a person did.
            (None, Ending::Failed(failure), Some(Code::Aborted)) => self.may_be_cancelled(failure),
            // It never began.
            (None, Ending::Failed(_), Some(Code::Busy)) => record.steps == 0,
            (None, Ending::Rejected(_), Some(Code::Rejected)) => {
                self.sayings.iter().any(|spoken| spoken.what == What::Reject)
            }
            (_, _, _) => false,
        };
        if !fits {
            let (end, how) = (&expected.end, &ended.how);
            self.complain(format_args!(
                "the program must end with {end:?} (calls left: {left}), but ended with {how:?}"
            ));
        }
    }
}
