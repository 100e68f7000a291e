//! The pauses of an execution, their release, and the status of an execution that rests.

use super::{
    CallProgress, Entry, ExecutionResumed, JournalState, Pause, Pending, Question, RestoredMark, is_answered_by_host,
};
use crate::Timestamp;
use crate::store::Status;

impl JournalState {
    /// Applies a pause.
    pub(super) fn pause(&mut self, pause: Pause) {
        self.used = pause.used;
        let Some(by) = pause.restored_by else {
            self.wakes = pause.until;
            return;
        };
        self.revision += 1;
        for call in &mut self.calls[self.open_from..] {
            call.withdraw_decision();
            let (input, why) = match &call.progress {
                CallProgress::Settled { .. } | CallProgress::Delivered { .. } => continue,
                CallProgress::Issued if is_answered_by_host(&call.path) => continue,
                CallProgress::Pending(pending) => (pending.input.clone(), pending.why.clone()),
                CallProgress::Issued | CallProgress::Decided(_) | CallProgress::Started => {
                    (call.open.as_ref().and_then(|open| open.filled.clone()), None)
                }
            };
            self.revision += 1;
            let (question, asked, at) = (Question::InDoubt, self.revision, pause.at);
            call.progress =
                CallProgress::Pending(Box::new(Pending { question, input, asked, at, not_before: None, why }));
        }
        self.restored = Some(RestoredMark { by, at: pause.at });
    }

    /// Applies a resume.
    pub(super) fn release(&mut self, resumed: &ExecutionResumed) {
        if let Some(due) = self.wakes.take() {
            self.overslept = self.overslept.saturating_add(resumed.at.0.saturating_sub(due.0));
        }
        if resumed.released_by.is_some() {
            self.restored = None;
        }
    }

    /// Returns the status of an execution whose last entry this is.
    pub fn status(&self, last: Option<&Entry>) -> Status {
        match (self.final_status(), last) {
            (Some(status), _) => status,
            (None, Some(Entry::Paused(pause))) => self.resting_status(pause.until),
            (None, Some(_) | None) => Status::Running,
        }
    }

    /// Returns the status of an execution that rests: it sleeps if only a timer can wake it.
    pub(crate) fn resting_status(&self, until: Option<Timestamp>) -> Status {
        let needs_person = self.restored.is_some() || self.pending().next().is_some();
        if until.is_some() && !needs_person { Status::Sleeping } else { Status::Paused }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use serde_json::value::to_raw_value;

    use super::super::{
        Asked, CallAsked, CallDecided, CallStarted, Decision, OpenCall, Remember, StepTaken, Used, Verdict, Wanted,
    };
    use super::*;
    use crate::CallSeq;

    const SEQ: CallSeq = CallSeq::new(0);

    fn asked(question: Question) -> Entry {
        Entry::Asked(CallAsked { seq: SEQ, question, input: None, at: Timestamp(2), not_before: None, why: None })
    }

    fn approval() -> Entry {
        asked(Question::Approval { why: "a rule".to_owned(), definition: "hash".to_owned() })
    }

    /// Returns the call of an execution with this history, after its store was restored from a backup.
    fn restored(history: &[(Entry, Option<Verdict>)]) -> OpenCall {
        state_restored(history).open_call(SEQ).cloned().expect("it is open")
    }

    fn state_restored(history: &[(Entry, Option<Verdict>)]) -> JournalState {
        let input = to_raw_value(&json!({})).unwrap();
        let what = Wanted::Tool { path: "pay".to_owned(), names: vec![], hidden: vec![], input };
        let step = Entry::Step(StepTaken {
            answers: vec![],
            clock: Timestamp(1),
            calls: vec![Asked { seq: SEQ, what, at: None }],
            cleared: vec![],
            logs: vec![],
            facts: vec![],
            used: Used::default(),
            returned: false,
            ended: vec![],
        });
        let mut state = JournalState::default();
        let mut apply = |entry: Entry| {
            state.apply(entry.clone()).unwrap_or_else(|_| panic!("{entry:?} is out of place"));
            state.revision
        };
        apply(step);
        for (entry, verdict) in history {
            let asked = apply(entry.clone());
            if let Some(verdict) = verdict.clone() {
                let (by, remember) = ("ada".to_owned(), Remember::Nothing);
                let decision = Decision { seq: SEQ, asked, verdict, by, reason: None, remember };
                apply(Entry::Decided(CallDecided { decision, at: Timestamp(3) }));
            }
        }
        let restored_by = Some("root".to_owned());
        apply(Entry::Paused(Pause { at: Timestamp(4), used: Used::default(), restored_by, until: None }));
        state
    }

    #[test]
    fn decisions_that_were_not_carried_out_no_longer_count_in_a_restored_store() {
        let started = || {
            Entry::Started(CallStarted { seq: SEQ, at: Timestamp(3), approved: None, approved_by: None, input: None })
        };
        let approved = || (approval(), Some(Verdict::Approve));
        assert_eq!(restored(&[approved()]).approved, None);
        assert_eq!(restored(&[approved(), (approval(), None)]).approved, None, "it was to be approved again");
        let interrupt = asked(Question::Interrupt { payload: json!("who?") });
        let answered = (interrupt, Some(Verdict::Answer(json!("ada"))));
        let open = restored(&[approved(), (started(), None), answered.clone()]);
        assert_eq!((open.approved.as_deref(), open.interrupt, open.resolution), (Some("hash"), None, None));
        // These were carried out: the call has started with them.
        assert_eq!(restored(&[approved(), (started(), None)]).approved.as_deref(), Some("hash"));
        let open = restored(&[(started(), None), answered, (started(), None)]);
        assert_eq!(open.resolution, Some(json!("ada")));
        let not_made = (asked(Question::InDoubt), Some(Verdict::DidNotHappen));
        assert_eq!(restored(&[approved(), (started(), None), not_made]).approved.as_deref(), Some("hash"));
    }

    #[test]
    fn a_call_that_was_in_doubt_keeps_the_reason_in_a_restored_store() {
        let started =
            Entry::Started(CallStarted { seq: SEQ, at: Timestamp(3), approved: None, approved_by: None, input: None });
        let why = Some("the server lost its record".to_owned());
        let (question, at) = (Question::InDoubt, Timestamp(3));
        let doubt = Entry::Asked(CallAsked { seq: SEQ, question, input: None, at, not_before: None, why: why.clone() });
        let state = state_restored(&[(started, None), (doubt, None)]);
        let pending = state.pending().map(|(_, pending)| pending.why.clone());
        assert_eq!(pending.collect::<Vec<_>>(), [why]);
    }
}
