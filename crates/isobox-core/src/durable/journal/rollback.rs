//! Rollbacks in a journal. A rollback follows the end of an execution, and makes calls of its own: the reverts.

use std::collections::{HashMap, HashSet};

use super::{
    CallProgress, Ended, Ending, JournalCall, JournalState, LastRollback, OutOfPlace, Question, RollbackBegun, Used,
};
use crate::log::add_facts;
use crate::store::Status;
use crate::{CallRecord, CallSeq, CallState, Failure};

impl Ending {
    fn status(&self) -> Status {
        match self {
            Self::Completed(_) => Status::Completed,
            Self::Failed(_) => Status::Failed,
            Self::Rejected(_) => Status::Rejected,
            Self::RolledBack(_) => Status::RolledBack,
        }
    }
}

impl JournalState {
    /// Tells whether a rollback has begun and not ended.
    pub fn is_rolling_back(&self) -> bool {
        self.rollback.is_some() && self.ended.is_none()
    }

    /// Returns the status of an execution that has ended.
    pub fn final_status(&self) -> Option<Status> {
        Some(self.ended.as_ref()?.how.status())
    }

    /// Returns the calls of the rollback that is under way, or else those of the program.
    pub(crate) fn current_calls(&self) -> &[JournalCall] {
        let earlier = match &self.rollback {
            Some(rollback) => self.calls.partition_point(|call| call.seq < rollback.plan.first),
            None => 0,
        };
        &self.calls[earlier..]
    }

    /// Tells whether a call belongs to what was before the last rollback. Nothing continues it, and no decision about it counts.
    pub(crate) fn is_closed(&self, seq: CallSeq) -> bool {
        self.rollback.as_ref().is_some_and(|rollback| seq < rollback.plan.first)
    }

    /// Begins a rollback: no call of the program continues.
    pub(super) fn begin_rollback(&mut self, plan: RollbackBegun) -> Result<(), OutOfPlace> {
        if self.calls.last().is_some_and(|last| last.seq >= plan.first) || !plan.is_sound() {
            return Err(OutOfPlace);
        }
        let ended = self.ended.take().ok_or(OutOfPlace)?;
        let before = match self.rollback.take() {
            Some(earlier) => earlier.before,
            None => ended,
        };
        // A checkpoint does not have the calls of earlier rollbacks, and they stay as they are.
        let earlier = self.reverts.keys().copied().filter(|number| self.call(*number).is_some_and(is_unknown));
        let unknown: Vec<CallSeq> = earlier.collect();
        self.unknown_reverts.extend(unknown);
        self.reverts.extend(plan.numbers());
        self.rollback = Some(Box::new(LastRollback { plan, before }));
        self.timers.clear();
        self.undelivered.clear();
        self.open_from = self.calls.len();
        self.has_begun = false;
        self.used = Used::default();
        Ok(())
    }

    /// Ends the program, or the rollback. A rollback that has reverted nothing leaves the execution as it was.
    pub(super) fn end(&mut self, ended: Ended) -> Result<(), OutOfPlace> {
        if self.is_rolling_back() != matches!(ended.how, Ending::RolledBack(_)) {
            return Err(OutOfPlace);
        }
        self.logs.extend_from_slice(&ended.logs);
        add_facts(&mut self.facts, ended.facts.iter().cloned());
        self.ended = Some(match &self.rollback {
            Some(rollback) if self.has_no_effect(rollback, &ended) => rollback.before.clone(),
            Some(_) | None => ended,
        });
        Ok(())
    }

    fn has_no_effect(&self, rollback: &LastRollback, ended: &Ended) -> bool {
        let is_stopped = matches!(ended.how, Ending::RolledBack(Some(_)));
        self.reverted.is_empty() && (is_stopped || !rollback.plan.reverts.is_empty())
    }

    /// Records that a call of a rollback has succeeded.
    pub(super) fn revert(&mut self, number: CallSeq) {
        self.reverted.extend(self.reverts.get(&number));
    }

    /// Returns the last revert of an earlier rollback that is of the same call as this one, if it is unknown whether it
    /// took effect. A revert that needs approval, or has got further, was preceded by the decision about earlier ones.
    pub(crate) fn doubtful_revert(&self, number: CallSeq) -> Option<CallSeq> {
        let reverted = self.reverts.get(&number)?;
        let earlier = self.reverts.range(..number).rev().filter(|(_, call)| *call == reverted);
        for (&earlier, _) in earlier {
            if self.unknown_reverts.contains(&earlier) {
                return Some(earlier);
            }
            match self.call(earlier) {
                None => {}
                Some(call) if matches!(call.progress, CallProgress::Issued) => {}
                Some(call) => return is_unknown(call).then_some(earlier),
            }
        }
        None
    }

    /// Returns why it is unknown whether a call was reverted before, if it is. A person decides before its revert is made.
    pub(crate) fn doubt_about_revert(&self, number: CallSeq) -> Option<String> {
        if let Some(earlier) = self.doubtful_revert(number) {
            let why = format!("call {earlier} of an earlier rollback reverts the same call, and may have taken effect");
            return Some(why);
        }
        let is_restored = self.rollback.as_ref().is_some_and(|rollback| rollback.plan.restored);
        let why = "the store was restored from a backup after the execution had ended, and the call may have been reverted \
                   since the backup";
        (is_restored && self.reverts.contains_key(&number)).then(|| why.to_owned())
    }

    /// Returns the calls as outcomes show them.
    pub fn records(&self) -> Vec<CallRecord> {
        let (is_over, rollback) = (self.ended.is_some(), self.rollback.as_deref());
        let reverted = self.reverted_calls();
        let mut records: Vec<CallRecord> = Vec::with_capacity(self.calls.len());
        for call in &self.calls {
            let is_before = rollback.is_some_and(|rollback| call.seq < rollback.plan.first);
            let mut record = call.record(is_over || is_before);
            if self.running.contains_key(&call.seq) {
                record.state = if is_over || is_before { CallState::CancelledUnknown } else { CallState::Started };
                record.duration_ms = None;
            }
            if reverted.contains(&call.seq) {
                record.state = CallState::Reverted;
            }
            record.reverts = self.reverts.get(&call.seq).copied();
            records.push(record);
        }
        records
    }

    /// Returns the calls that rollbacks have reverted.
    pub(crate) fn reverted_calls(&self) -> HashSet<CallSeq> {
        self.reverted.iter().copied().collect()
    }

    /// Returns the reverts of the last rollback that did not succeed, with the reason if there is one.
    pub(crate) fn failed_reverts<'s>(&self, records: &'s [CallRecord]) -> Vec<(CallSeq, Option<&'s Failure>)> {
        let Some(rollback) = &self.rollback else { return Vec::new() };
        let reverted = self.reverted_calls();
        // The last one of each call.
        let attempts: HashMap<CallSeq, &CallRecord> =
            records.iter().filter_map(|record| Some((record.reverts?, record))).collect();
        let left = rollback.plan.reverts.iter().filter(|revert| !reverted.contains(&revert.seq));
        left.map(|revert| (revert.seq, attempts.get(&revert.seq).and_then(|record| record.error.as_ref()))).collect()
    }
}

/// Tells whether it is unknown if a call took effect.
fn is_unknown(call: &JournalCall) -> bool {
    match &call.progress {
        CallProgress::Started => true,
        CallProgress::Pending(pending) => pending.question == Question::InDoubt,
        CallProgress::Decided(verdict) => verdict.may_have_happened(),
        CallProgress::Issued | CallProgress::Settled { .. } | CallProgress::Delivered { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use serde_json::value::to_raw_value;

    use super::*;
    use crate::journal::{
        Asked, CallAsked, CallDecided, CallSettled, CallStarted, Decision, Entry, PlannedRevert, Remember, Settlement,
        StepTaken, Verdict, Wanted,
    };
    use crate::{Code, Log, Timestamp};

    fn seq(number: u32) -> CallSeq {
        CallSeq::new(number)
    }

    fn step(answers: &[u32], calls: &[(u32, &str)]) -> Entry {
        let asked = |(number, path): &(u32, &str)| {
            let input = to_raw_value(&json!({})).unwrap();
            let what = Wanted::Tool { path: (*path).to_owned(), names: vec![], hidden: vec![], input };
            Asked { seq: seq(*number), what, at: None }
        };
        Entry::Step(StepTaken {
            answers: answers.iter().copied().map(seq).collect(),
            clock: Timestamp(1),
            calls: calls.iter().map(asked).collect(),
            cleared: vec![],
            logs: vec![],
            facts: vec![],
            used: Used { wall: 5, cpu: 6 },
            returned: false,
            ended: vec![],
        })
    }

    fn started(number: u32) -> Entry {
        Entry::Started(CallStarted {
            seq: seq(number),
            at: Timestamp(1),
            approved: None,
            approved_by: None,
            input: None,
        })
    }

    fn settled(number: u32, settlement: Settlement) -> Entry {
        Entry::Settled(CallSettled { seq: seq(number), settlement, took: 1, lost: false })
    }

    fn done(number: u32) -> Entry {
        settled(number, Settlement::Result(to_raw_value(&json!(1)).unwrap()))
    }

    fn failed(number: u32) -> Entry {
        settled(number, Settlement::Failed(Box::new(Failure::new(Code::Tool, "no"))))
    }

    fn ended(how: Ending) -> Entry {
        Entry::Ended(Ended {
            how,
            logs: Vec::<Log>::new(),
            facts: vec![],
            hints: vec![],
            duration: 1,
            at: Timestamp(2),
        })
    }

    fn rollback(first: u32, reverts: &[u32]) -> Entry {
        let revert = |number: &u32| PlannedRevert { seq: seq(*number), path: "undo".to_owned(), input: None };
        Entry::Rollback(RollbackBegun {
            by: "ada".to_owned(),
            at: Timestamp(3),
            lease: None,
            to: None,
            first: seq(first),
            reverts: reverts.iter().map(revert).collect(),
            left: vec![],
            restored: false,
        })
    }

    fn after(entries: impl IntoIterator<Item = Entry>) -> JournalState {
        let mut state = JournalState::default();
        for entry in entries {
            state.apply(entry.clone()).unwrap_or_else(|_| panic!("{entry:?} is out of place"));
        }
        state
    }

    /// Returns the entries of a program that made two calls, left one running, and completed.
    fn program() -> Vec<Entry> {
        vec![
            step(&[], &[(0, "a"), (1, "b"), (2, "c")]),
            started(0),
            started(1),
            started(2),
            done(0),
            done(1),
            step(&[0, 1], &[]),
            ended(Ending::Completed(json!(1))),
        ]
    }

    fn states(state: &JournalState) -> Vec<&'static str> {
        state.records().iter().map(|record| record.state.as_str()).collect()
    }

    #[test]
    fn calls_of_the_program_do_not_continue_in_a_rollback() {
        let state = after([program(), vec![rollback(3, &[1, 0])]].concat());
        assert!(state.is_rolling_back());
        assert_eq!((state.open_calls().len(), state.current_calls().len(), state.used), (0, 0, Used::default()));
        assert_eq!(states(&state), ["applied", "applied", "cancelled-unknown"]);
    }

    #[test]
    fn a_revert_that_succeeded_makes_its_call_reverted() {
        let rolled = vec![
            rollback(3, &[1, 0]),
            step(&[], &[(3, "undo")]),
            started(3),
            done(3),
            step(&[3], &[(4, "undo")]),
            started(4),
            failed(4),
            step(&[4], &[]),
            ended(Ending::RolledBack(None)),
        ];
        let state = after([program(), rolled].concat());
        assert_eq!(state.final_status(), Some(Status::RolledBack));
        assert_eq!(states(&state), ["applied", "reverted", "cancelled-unknown", "applied", "failed"]);
        let records = state.records();
        assert_eq!(records[3].reverts, Some(seq(1)));
        let failed: Vec<_> =
            state.failed_reverts(&records).into_iter().map(|(seq, why)| (seq, why.is_some())).collect();
        assert_eq!(failed, [(seq(0), true)]);
        let again = vec![rollback(5, &[0]), step(&[], &[(5, "undo")]), started(5), done(5), step(&[5], &[])];
        let mut state = after([program(), vec![rollback(3, &[0]), ended(Ending::RolledBack(None))], again].concat());
        state.apply(ended(Ending::RolledBack(None))).unwrap();
        assert_eq!((state.reverted.clone(), state.final_status()), (vec![seq(0)], Some(Status::RolledBack)));
    }

    #[test]
    fn no_decision_about_a_call_of_the_program_counts_in_a_rollback() {
        let question = Question::Approval { why: String::new(), definition: String::new() };
        let asked = CallAsked { seq: seq(2), question, input: None, at: Timestamp(1), not_before: None, why: None };
        let program = vec![step(&[], &[(2, "pay")]), Entry::Asked(asked), ended(Ending::Completed(json!(1)))];
        let mut state = after([program, vec![rollback(3, &[])]].concat());
        assert_eq!((state.asked(seq(2)), state.pending().count()), (None, 0));
        let refused = state.check_verdict(seq(2), 1, &Verdict::Approve, Timestamp(2)).unwrap_err();
        assert_eq!(refused.code, Code::Conflict);
        let decision = Decision {
            seq: seq(2),
            asked: 1,
            verdict: Verdict::Approve,
            by: "ada".to_owned(),
            reason: None,
            remember: Remember::Nothing,
        };
        let decided = Entry::Decided(CallDecided { decision, at: Timestamp(2) });
        assert_eq!(state.apply(decided), Err(OutOfPlace));
    }

    #[test]
    fn a_revert_whose_effect_is_unknown_is_in_doubt_until_its_call_is_tried_again() {
        let stopped = || ended(Ending::RolledBack(Some(Box::new(Failure::new(Code::Aborted, "no")))));
        let first = [program(), vec![rollback(3, &[1]), step(&[], &[(3, "undo")]), started(3), stopped()]].concat();
        let second = [first, vec![rollback(4, &[1]), step(&[], &[(4, "undo")])]].concat();
        assert_eq!(after(second.clone()).doubtful_revert(seq(4)), Some(seq(3)));
        // The second one is stopped before anyone has decided.
        let third = [second.clone(), vec![stopped(), rollback(5, &[1, 0]), step(&[], &[(5, "undo")])]].concat();
        let state = after(third);
        assert_eq!((state.doubtful_revert(seq(5)), state.doubtful_revert(seq(6))), (Some(seq(3)), None));
        // Once it is made, only its own outcome counts.
        let made = [second, vec![started(4), failed(4), step(&[4], &[]), ended(Ending::RolledBack(None))]].concat();
        let state = after([made, vec![rollback(5, &[1]), step(&[], &[(5, "undo")])]].concat());
        assert_eq!(state.doubtful_revert(seq(5)), None);
    }

    #[test]
    fn a_revert_in_doubt_that_a_person_lets_fail_stays_in_doubt() {
        let stopped = || ended(Ending::RolledBack(Some(Box::new(Failure::new(Code::Aborted, "no")))));
        let asked = || {
            let (question, input) = (Question::InDoubt, None);
            Entry::Asked(CallAsked { seq: seq(3), question, input, at: Timestamp(1), not_before: None, why: None })
        };
        let decided = |verdict| {
            let (by, remember) = ("ada".to_owned(), Remember::Nothing);
            let decision = Decision { seq: seq(3), asked: 1, verdict, by, reason: None, remember };
            Entry::Decided(CallDecided { decision, at: Timestamp(2) })
        };
        let fail = || Verdict::Fail(None);
        for (verdict, rest, doubtful) in [
            (fail(), vec![], Some(seq(3))),
            (fail(), vec![failed(3)], Some(seq(3))),
            (fail(), vec![failed(3), step(&[3], &[])], Some(seq(3))),
            (Verdict::DidNotHappen, vec![], None),
            (Verdict::DidNotHappen, vec![started(3), failed(3), step(&[3], &[])], None),
        ] {
            let first = vec![rollback(3, &[1]), step(&[], &[(3, "undo")]), started(3), asked(), decided(verdict)];
            let next = vec![stopped(), rollback(4, &[1]), step(&[], &[(4, "undo")])];
            let mut state = after([program(), first, rest, next].concat());
            assert_eq!(state.doubtful_revert(seq(4)), doubtful);
            assert_eq!(state.without_what_is_done().doubtful_revert(seq(4)), doubtful, "it is kept in checkpoints");
        }
    }

    #[test]
    fn a_rollback_that_reverted_nothing_leaves_the_execution_as_it_was() {
        let stopped = || ended(Ending::RolledBack(Some(Box::new(Failure::new(Code::Rejected, "no")))));
        for reverts in [&[1_u32, 0][..], &[]] {
            let state = after([program(), vec![rollback(3, reverts), stopped()]].concat());
            assert_eq!(state.final_status(), Some(Status::Completed), "{reverts:?}");
        }
        let state = after([program(), vec![rollback(3, &[]), ended(Ending::RolledBack(None))]].concat());
        assert_eq!(state.final_status(), Some(Status::RolledBack), "there was nothing to revert");
    }

    #[test]
    fn a_rollback_after_ones_without_effect_follows_the_end_of_the_program() {
        let stopped = || ended(Ending::RolledBack(Some(Box::new(Failure::new(Code::Rejected, "no")))));
        let without_effect = [vec![rollback(3, &[1]), stopped()], vec![rollback(4, &[1]), stopped()]].concat();
        let again = vec![rollback(5, &[1]), step(&[], &[(5, "undo")]), started(5), done(5), step(&[5], &[])];
        let mut state = after([program(), without_effect, again].concat());
        let before = state.rollback.as_ref().map(|rollback| rollback.before.how.clone());
        assert!(matches!(before, Some(Ending::Completed(_))), "{before:?}");
        state.apply(ended(Ending::RolledBack(None))).unwrap();
        assert_eq!((state.reverted.clone(), state.final_status()), (vec![seq(1)], Some(Status::RolledBack)));
    }

    #[test]
    fn a_rollback_reverts_no_call_twice_and_has_a_number_for_every_revert() {
        for (first, reverts) in [(3, &[1, 0, 1][..]), (u32::MAX, &[1]), (u32::MAX - 1, &[1, 0])] {
            assert_eq!(after(program()).apply(rollback(first, reverts)), Err(OutOfPlace), "{first} {reverts:?}");
        }
        after(program()).apply(rollback(u32::MAX - 2, &[1, 0])).unwrap();
    }

    #[test]
    fn a_rollback_follows_an_end_and_ends_as_one() {
        let mut state = after(program()[..7].to_vec());
        assert_eq!(state.apply(rollback(3, &[0])), Err(OutOfPlace), "the program has not ended");
        assert_eq!(state.apply(ended(Ending::RolledBack(None))), Err(OutOfPlace), "there is no rollback");
        let mut state = after(program());
        assert_eq!(state.apply(rollback(2, &[0])), Err(OutOfPlace), "the number is taken");
        assert_eq!(state.apply(step(&[], &[])), Err(OutOfPlace), "the program has ended");
        state.apply(rollback(3, &[0])).unwrap();
        assert_eq!(state.apply(rollback(4, &[0])), Err(OutOfPlace), "a rollback is under way");
        assert_eq!(state.apply(ended(Ending::Completed(json!(1)))), Err(OutOfPlace), "the program has ended before");
    }
}
