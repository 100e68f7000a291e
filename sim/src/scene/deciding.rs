//! Sends instructions of people to the executions of a world.

use std::sync::Arc;

use futures_util::FutureExt;
use isobox_core::journal::{Remember, Verdict};
use isobox_core::{CallSeq, Clock, inspect};

use super::Scene;
use crate::executor::Group;
use crate::people::{Person, verdict};
use crate::rollback::earlier_reverts;
use crate::store::now;
use crate::subject::Subject;

impl Scene {
    /// Returns the pending calls from the journal.
    pub(super) fn pending(&self, which: usize) -> Vec<(CallSeq, u64)> {
        let Ok(inspected) = now(inspect(&self.shared.inner, &self.subjects[which].id)) else { return Vec::new() };
        inspected.state.pending().map(|(call, _)| (call.seq, inspected.state.revision)).collect()
    }

    /// Lets several people decide about the same call, and some of them about all others as well.
    pub(super) fn decide_one(&mut self, which: usize, people: u32) {
        let pending = self.pending(which);
        if pending.is_empty() {
            return;
        }
        let (seq, _) = *self.random.pick(&pending);
        if people > 1 {
            self.trace.count("decisions race", seq);
        }
        for _ in 0..people {
            if people > 1 && pending.len() > 1 && self.several.percent(50) {
                let all: Vec<_> = pending.iter().map(|(seq, _)| *seq).collect();
                self.trace.count("several decided at once", all.len());
                self.decide(which, &all);
            } else {
                self.decide(which, &[seq]);
            }
        }
    }

    pub(super) fn decide(&mut self, which: usize, calls: &[CallSeq]) {
        let id = self.subjects[which].id.clone();
        let Ok(inspected) = now(inspect(&self.shared.inner, &id)) else { return };
        let state = inspected.state;
        let (mut verdicts, mut too_early) = (Vec::new(), None);
        let today = self.shared.clock.now();
        for (call, waits) in state.pending().filter(|(call, _)| calls.contains(&call.seq)) {
            let attempts: Vec<CallSeq> = earlier_reverts(&state, call.seq).chain([call.seq]).collect();
            let Some(verdict) = verdict(&mut self.random, &self.world, &id, &attempts, waits) else { continue };
            let left = waits.not_before.and_then(|moment| moment.0.checked_sub(today.0)).filter(|left| *left > 0);
            if let (Verdict::DidNotHappen, Some(left)) = (&verdict, left) {
                self.trace.count("too early", call.seq);
                // A person either waits and looks again, or decides too early and is refused.
                if self.slow.percent(75) {
                    too_early = Some(left);
                    continue;
                }
            }
            verdicts.push((call.seq, verdict));
        }
        if verdicts.is_empty() {
            if let Some(left) = too_early {
                let wait = self.shared.clock.sleep(left);
                self.speak(which, wait);
            }
            return;
        }
        let shown = self.random.percent(50).then_some(state.revision);
        let (person, remember) = (self.person(which), self.remember());
        self.speak(which, person.decide(verdicts, remember, shown));
    }

    /// Returns the scope in which a decision is remembered.
    fn remember(&mut self) -> Remember {
        let Some(memory) = &mut self.memory else { return Remember::Nothing };
        match memory.below(10) {
            0..2 => Remember::Nothing,
            2..4 => Remember::Execution,
            _ => Remember::Session,
        }
    }

    /// Sends a decision based on an outdated revision, or about a question that was not asked.
    pub(super) fn decide_wrongly(&mut self, which: usize) {
        let Some(&(seq, revision)) = self.pending(which).first() else { return };
        let (person, remember) = (self.person(which), self.remember());
        self.trace.count("wrong decision", &person.name);
        let verdict = Verdict::Approve;
        match self.random.below(2) {
            0 => self.speak(which, person.decide(vec![(seq, verdict)], remember, Some(revision + 5))),
            _ => self.speak(which, person.decide(vec![(CallSeq::new(seq.number() + 100), verdict)], remember, None)),
        }
    }

    pub(super) fn reject(&mut self, which: usize) {
        let person = self.person(which);
        self.trace.count("reject", &person.name);
        self.speak(which, person.reject());
    }

    pub(super) fn cancel(&mut self, which: usize) {
        let person = self.person(which);
        self.trace.count("cancel", &person.name);
        self.speak(which, person.cancel());
    }

    fn person(&mut self, which: usize) -> Person {
        self.people += 1;
        let Subject { id, sayings, .. } = &self.subjects[which];
        Person {
            name: format!("person{}", self.people),
            id: id.clone(),
            store: self.outside.clone(),
            truth: self.shared.inner.clone(),
            sayings: Arc::clone(sayings),
            clock: self.shared.clock.clone(),
            timeline: self.shared.timeline.clone(),
            trace: self.trace.clone(),
        }
    }

    pub(super) fn speak(&mut self, which: usize, task: impl Future<Output = ()> + Send + 'static) {
        let task = self.executor.spawn(Group::Outside, task.boxed());
        self.subjects[which].talks.push(task);
    }
}
