//! What happens to executions that have ended: rollbacks and forks.

use std::collections::BTreeMap;
use std::sync::Arc;

use isobox_core::journal::{Entry, Settlement, Wanted};
use isobox_core::program::Program;
use isobox_core::snippets::{NewSnippet, Shelf, SnippetOptions};
use isobox_core::{
    CallSeq, Clock, ExecutionId, Failure, Fork, ForkAnswer, Inspected, Principal, RollbackRequest, Transcript, fork,
    inspect, roll_back,
};
use serde_json::json;

use super::{CALM, OUTAGE_WAIT, Scene};
use crate::phases::phases;
use crate::process::{beat, tell};
use crate::program::{STEP, Thrown, ToolKind, print_snippet, snippet_name};
use crate::random::Random;
use crate::record::{Called, Record};
use crate::store::{Lies, now};
use crate::subject::{Afterwards, Forked, Subject};
use crate::world::label_of;

/// Returns what is to happen to an execution once it has ended.
pub(super) fn plans(random: &mut Random) -> Vec<Afterwards> {
    match random.below(10) {
        0..2 => Vec::new(),
        2..5 => vec![Afterwards::RollBack; 1 + usize::from(random.percent(60))],
        5..7 => vec![Afterwards::Fork],
        // The last one comes first.
        7..9 => vec![Afterwards::RollBack, Afterwards::RollBack, Afterwards::Fork],
        _ => vec![Afterwards::Fork, Afterwards::RollBack],
    }
}

impl Scene {
    /// Saves the snippets of the world, before anything goes wrong.
    pub(super) fn save_snippets(&self) {
        let (store, clock) = (Arc::new(self.shared.inner.clone()), Arc::new(self.shared.clock.clone()));
        let shelf = Shelf::new(store, clock, SnippetOptions::default());
        for (number, body) in self.snippets.iter().enumerate() {
            let mut source = print_snippet(body);
            if self.shared.lies == Lies::RunsOtherSnippets {
                source = source.replace("\nreturn a;", "\nreturn mix(a, 1);");
            }
            self.trace.line(format_args!("snippet {number}\n{source}"));
            let new = NewSnippet::new(snippet_name(number), Program::single(source));
            if let Err(failure) = now(shelf.save(new, "host")) {
                self.trace.violation(format_args!("the snippet cannot be saved: {failure}"));
            }
        }
    }

    /// Carries out the next plan for an execution that has ended. Things may go wrong again for a while.
    pub(super) fn go_on_after_the_end(&mut self, which: usize, rounds: u32) {
        let Some(plan) = self.subjects[which].plans.pop() else { return };
        let Some(random) = &mut self.afterwards else { return };
        self.calm = rounds + CALM;
        self.mischief += random.below(6);
        let more = random.below(5);
        self.shared.faults.lock().expect("no holder of the lock panics").go_on(more);
        match plan {
            Afterwards::RollBack => self.roll_back(which),
            Afterwards::Fork => self.fork(which),
        }
    }

    /// Picks one of the executions that a plan has to do with, in some worlds.
    pub(super) fn somewhere_else(&mut self, begun: &[usize]) -> Option<usize> {
        let random = self.afterwards.as_mut()?;
        random.percent(30).then(|| *random.pick(begun))
    }

    /// Tells whether an execution is to be rolled back now, whether or not it has ended.
    pub(super) fn rolls_back_untimely(&mut self) -> bool {
        self.afterwards.as_mut().is_some_and(|random| random.percent(8))
    }

    /// Rolls an execution back in one of the processes, sometimes to a step.
    pub(super) fn roll_back(&mut self, which: usize) {
        let place = self.process();
        let (host, cancelled) = (self.processes[place].host.clone(), self.patience());
        let to = self.some_step(which);
        let Subject { id, told, .. } = &self.subjects[which];
        let (id, told) = (id.clone(), Arc::clone(told));
        let (trace, clock) = (self.trace.clone(), self.shared.clock.clone());
        let number = self.processes[place].number;
        self.trace.count("rollback", format_args!("{id} to {to:?} in process {number}"));
        let task = async move {
            if beat(&host).await.is_err() {
                return clock.sleep(OUTAGE_WAIT).await;
            }
            let request = RollbackRequest { to, tools: Vec::new() };
            let outcome = roll_back(&host, &id, &Principal::host(), &request, cancelled).await.map_err(Failure::from);
            if let Err(failure) = &outcome {
                trace.count("rollback refused", failure.code);
            }
            tell(&trace, &told, outcome);
        };
        self.run(which, place, task);
    }

    /// Returns the label of a step that the program has completed, now and then.
    fn some_step(&mut self, which: usize) -> Option<String> {
        let random = self.afterwards.as_mut()?;
        if !random.percent(40) {
            return None;
        }
        let inspected = now(inspect(&self.shared.inner, &self.subjects[which].id)).ok()?;
        let (program, _) = phases(&inspected.entries);
        let settled: Vec<CallSeq> = program
            .iter()
            .filter_map(|entry| match entry {
                Entry::Settled(settled) if matches!(settled.settlement, Settlement::Result(_)) => Some(settled.seq),
                _ => None,
            })
            .collect();
        let steps: Vec<String> = made(program)
            .filter(|(seq, path, _)| *path == STEP && settled.contains(seq))
            .filter_map(|(_, _, input)| Some(label_of(&input)?.0))
            .collect();
        if steps.is_empty() { None } else { Some(random.pick(&steps).clone()) }
    }

    /// Forks an execution before one of its calls. The fork goes on like every other execution.
    fn fork(&mut self, which: usize) {
        let Ok(inspected) = now(inspect(&self.shared.inner, &self.subjects[which].id)) else { return };
        let Some(random) = &mut self.afterwards else { return };
        let (program, _) = phases(&inspected.entries);
        let calls: Vec<CallSeq> = made(program).map(|(seq, _, _)| seq).collect();
        if calls.is_empty() {
            return;
        }
        let before = *random.pick(&calls);
        let answer = match random.below(10) {
            0..5 => None,
            5..8 => Some(Ok(random.below(1000))),
            _ => Some(Err(Thrown::Tool)),
        };
        let history = self.history(&inspected, before, answer);
        let number = self.subjects.len() as u64;
        let id = ExecutionId::new(self.seed, (1000 + number).into());
        let mut subject = Subject::new(id.clone(), self.subjects[which].program.clone(), None);
        (subject.has_begun, subject.forked) = (true, Some(history));
        if self.afterwards.as_mut().is_some_and(|random| random.percent(40)) {
            subject.plans.push(Afterwards::RollBack);
        }
        self.subjects.push(subject);
        let transcript = Transcript::of(self.subjects[which].id.clone(), inspected, self.shared.clock.now());
        let forked = Fork::before(before).answer(match answer {
            _ if self.shared.lies == Lies::ForksAnother => ForkAnswer::Result(json!(1001)),
            None => ForkAnswer::Made,
            Some(Ok(value)) => ForkAnswer::Result(json!(value)),
            Some(Err(_)) => ForkAnswer::Failed("it breaks".to_owned()),
        });
        let place = self.process();
        let (host, limits) = (self.processes[place].host.clone(), self.limits.clone());
        let (trace, clock) = (self.trace.clone(), self.shared.clock.clone());
        self.trace.count("fork", format_args!("{} before {before} with {answer:?}: {id}", transcript.execution_id));
        let task = async move {
            if beat(&host).await.is_err() {
                return clock.sleep(OUTAGE_WAIT).await;
            }
            match fork(&host, &id, &transcript, forked, &limits).await {
                Ok(()) => trace.count("forked", &id),
                Err(failure) => trace.count("fork refused", failure.code),
            }
        };
        self.run(number_of(number), place, task);
    }

    /// Returns what a fork takes over: the results that are recorded of the calls made before its call.
    fn history(&self, inspected: &Inspected, before: CallSeq, answer: Option<Result<u64, Thrown>>) -> Forked {
        let (program, _) = phases(&inspected.entries);
        let earlier: Vec<CallSeq> = made(program).map(|(seq, _, _)| seq).take_while(|seq| *seq != before).collect();
        let record = Record::of(program, |_, _, _| Err(Thrown::Unknown));
        // The result of an ephemeral call is not recorded, but its failure is.
        let is_kept = |call: &Called, settled: Result<u64, Thrown>| {
            let is_ephemeral = ToolKind::at(&call.path).is_some_and(ToolKind::is_ephemeral);
            !is_ephemeral || settled != Err(Thrown::Unknown)
        };
        let mut inherited: BTreeMap<CallSeq, Result<u64, Thrown>> = record
            .calls
            .values()
            .filter(|call| earlier.contains(&call.seq))
            .filter_map(|call| Some((call.seq, call.settled.filter(|settled| is_kept(call, *settled))?)))
            .collect();
        inherited.extend(answer.map(|answer| (before, answer)));
        let started = program.iter().filter_map(|entry| match entry {
            Entry::Started(started) if earlier.contains(&started.seq) => Some(started.seq),
            _ => None,
        });
        Forked { inherited, started: started.collect() }
    }
}

fn number_of(number: u64) -> usize {
    usize::try_from(number).expect("there are few executions")
}

/// Returns the calls of a program in the order in which it made them: number, path and input.
fn made(program: &[Entry]) -> impl Iterator<Item = (CallSeq, &str, serde_json::Value)> {
    let steps = program.iter().filter_map(|entry| match entry {
        Entry::Step(step) => Some(step),
        _ => None,
    });
    steps.flat_map(|step| &step.calls).filter_map(|asked| match &asked.what {
        Wanted::Tool { path, input, .. } => {
            Some((asked.seq, path.as_str(), serde_json::from_str(input.get()).unwrap_or_default()))
        }
        Wanted::Timer(_) => None,
    })
}
