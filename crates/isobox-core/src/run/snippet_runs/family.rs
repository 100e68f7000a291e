//! A program together with the snippets that it runs. Each snippet is an instance of its own, and its calls are numbered
//! under the call that started it. The run loop sees one program.
//!
//! Everything that happens here follows from the answers that are delivered, so that a replay does the same. A snippet ends
//! when it has returned and its calls have settled.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::driver::{
    Answer, Call, CalledFrom, Driver, Error, Exhausted, Instance, ProgramState, Reply, Request, Returned, StartOptions,
    Step,
};
use crate::journal::{SharedCode, SnippetBudget};
use crate::program::Prepared;
use crate::run::explain::{FailedCall, exhausted, explain_error};
use crate::snippets::with_input;
use crate::text::brief;
use crate::{BookUse, ByteSize, CallSeq, Code, Fact, Failure, Limits, Log, Snapshot, Timestamp};

/// A program and its running snippets.
pub(crate) struct Family {
    driver: Arc<dyn Driver>,
    options: StartOptions,
    root: Box<dyn Instance>,
    /// The running snippets, by the calls that started them.
    snippets: BTreeMap<CallSeq, Running>,
    /// The CPU time that the whole family has used.
    cpu_used: Duration,
    /// The part of the log and of the facts that the whole family has used.
    written: BookUse,
    /// The program that took the last step. None for the root.
    stepped: Option<CallSeq>,
}

/// A snippet to start: the answer to a call of `codemode.run`.
#[derive(Debug, Clone)]
pub(crate) struct Start {
    pub(crate) seq: CallSeq,
    pub(crate) name: String,
    pub(crate) code: SharedCode,
    /// The input, as JSON.
    pub(crate) input: String,
    pub(crate) budget: SnippetBudget,
}

/// A running snippet.
struct Running {
    name: String,
    instance: Box<dyn Instance>,
    prepared: Arc<Prepared>,
    limits: Limits,
    /// The paths of its calls that have not been answered, by number.
    open: BTreeMap<u32, String>,
    /// Its timers.
    timers: Vec<u32>,
    /// Its calls that failed.
    failed: BTreeMap<u32, (String, Failure)>,
    /// Its end, while it waits for its calls.
    end: Option<Result<Value, Failure>>,
}

/// The step of a family until all of its programs wait, or the root has ended.
pub(crate) struct FamilyStep {
    pub(crate) step: Step,
    /// The snippets that ended, in order.
    pub(crate) ended: Vec<EndedSnippet>,
}

/// A snippet that has ended.
pub(crate) struct EndedSnippet {
    pub(crate) seq: CallSeq,
    pub(crate) result: Result<Value, Failure>,
}

/// The programs that have answers, in the order in which they take their steps.
type Batches = VecDeque<(Option<CallSeq>, Vec<Answer>)>;

impl Family {
    pub(crate) fn new(driver: &Arc<dyn Driver>, root: Box<dyn Instance>, options: StartOptions) -> Self {
        let (driver, cpu_used, written) = (Arc::clone(driver), root.cpu_used(), root.written());
        Self { driver, options, root, snippets: BTreeMap::new(), cpu_used, written, stepped: None }
    }

    /// Delivers answers, starts snippets, and lets every program that has an answer continue.
    pub(crate) async fn step(
        &mut self,
        answers: Vec<Answer>,
        starts: Vec<Start>,
        clock: Timestamp,
    ) -> Result<FamilyStep, Error> {
        let (calls, cleared, logs, facts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut step = Step { calls, cleared, logs, facts, state: ProgramState::Waiting };
        let mut ended = Vec::new();
        let mut batches = Batches::new();
        for answer in answers {
            deliver(&mut batches, answer);
        }
        for start in starts {
            let seq = start.seq;
            self.start(start).await?;
            batches.push_back((Some(seq), Vec::new()));
        }
        if batches.is_empty() {
            batches.push_back((None, Vec::new()));
        }
        while let Some((program, answers)) = batches.pop_front() {
            match program {
                None => {
                    let done = self.step_root(answers, clock).await?;
                    step.calls.extend(done.calls);
                    step.cleared.extend(done.cleared);
                    step.logs.extend(done.logs);
                    step.facts.extend(done.facts);
                    if !matches!(done.state, ProgramState::Waiting) {
                        step.state = done.state;
                        break;
                    }
                }
                Some(seq) => {
                    if let Some(limit) = self.step_snippet(seq, answers, clock, &mut step).await? {
                        step.state = ProgramState::Exhausted(limit);
                        break;
                    }
                    if let Some(end) = self.end(seq, &mut step) {
                        let reply = match &end {
                            Ok(value) => Reply::result(value),
                            Err(failure) => Reply::Failed(failure.clone()),
                        };
                        deliver(&mut batches, Answer { seq, reply });
                        ended.push(EndedSnippet { seq, result: end });
                    }
                }
            }
        }
        Ok(FamilyStep { step, ended })
    }

    async fn start(&mut self, start: Start) -> Result<(), Error> {
        let Start { seq, name, code, input, budget } = start;
        let prepared = Arc::new(with_input(&code.prepared, &input));
        let root = &self.options.limits;
        let limits = Limits { calls: budget.calls.min(root.calls), ..root.clone() };
        let seed = seed_of(self.options.seed, seq);
        let options = StartOptions { limits: limits.clone(), seed, globals: None, ..self.options.clone() };
        let instance = self.driver.start(Arc::clone(&prepared), options).await?;
        let running = Running {
            name,
            instance,
            prepared,
            limits,
            open: BTreeMap::new(),
            timers: Vec::new(),
            failed: BTreeMap::new(),
            end: None,
        };
        self.snippets.insert(seq, running);
        Ok(())
    }

    async fn step_root(&mut self, answers: Vec<Answer>, clock: Timestamp) -> Result<Step, Error> {
        self.stepped = None;
        self.root.set_cpu_used(self.cpu_used);
        self.root.set_written(self.written);
        let step = self.root.step(answers, clock).await?;
        (self.cpu_used, self.written) = (self.root.cpu_used(), self.root.written());
        Ok(step)
    }

    /// Lets a snippet continue. Returns the limit that it has exhausted, if that ends the execution.
    async fn step_snippet(
        &mut self,
        seq: CallSeq,
        answers: Vec<Answer>,
        clock: Timestamp,
        all: &mut Step,
    ) -> Result<Option<Exhausted>, Error> {
        self.stepped = Some(seq);
        let Some(running) = self.snippets.get_mut(&seq) else { return Ok(None) };
        running.take(&answers);
        if running.end.is_some() {
            // It has returned. Its calls are waited for, and their answers are not needed.
            return Ok(None);
        }
        let local = |answer: Answer| Answer { seq: CallSeq::new(answer.seq.number()), ..answer };
        running.instance.set_cpu_used(self.cpu_used);
        running.instance.set_written(self.written);
        let step = running.instance.step(answers.into_iter().map(local).collect(), clock).await?;
        (self.cpu_used, self.written) = (running.instance.cpu_used(), running.instance.written());
        all.logs.extend(step.logs);
        all.facts.extend(step.facts);
        for call in step.calls {
            running.made(&call);
            let nested = seq.child(call.seq.number()).ok_or_else(too_deep)?;
            all.calls.push(Call { seq: nested, ..call });
        }
        for timer in step.cleared {
            running.timers.retain(|number| *number != timer.number());
            all.cleared.push(seq.child(timer.number()).ok_or_else(too_deep)?);
        }
        match running.ended(step.state) {
            Ok(end) => running.end = end,
            Err(limit) => return Ok(Some(limit)),
        }
        Ok(None)
    }

    /// Returns how a snippet ended, once its calls have settled, and removes it.
    fn end(&mut self, seq: CallSeq, all: &mut Step) -> Option<Result<Value, Failure>> {
        self.snippets.get(&seq).filter(|running| running.end.is_some() && running.open.is_empty())?;
        let running = self.snippets.remove(&seq)?;
        all.cleared.extend(running.timers.iter().filter_map(|number| seq.child(*number)));
        running.end
    }

    /// Returns the place at which the program was stopped inside a step. None if a snippet was stopped.
    pub(crate) async fn stopped_at(&mut self) -> Option<CalledFrom> {
        match self.stepped {
            None => self.root.stopped_at().await,
            Some(_) => None,
        }
    }

    /// Returns the log lines of a step that was dropped before it ended.
    pub(crate) fn take_logs(&mut self) -> Vec<Log> {
        let mut logs = self.root.take_logs();
        logs.extend(self.snippets.values_mut().flat_map(|running| running.instance.take_logs()));
        logs
    }

    /// Returns the facts of a step that was dropped before it ended.
    pub(crate) fn take_facts(&mut self) -> Vec<Fact> {
        let mut facts = self.root.take_facts();
        facts.extend(self.snippets.values_mut().flat_map(|running| running.instance.take_facts()));
        facts
    }

    /// Ends a program that has returned, and returns its globals.
    pub(crate) async fn globals(&mut self, limit: ByteSize) -> Option<Snapshot> {
        self.root.globals(limit).await
    }

    /// Returns a snapshot of the program. None while a snippet runs: the execution then resumes by a replay.
    pub(crate) async fn snapshot(&mut self, limit: ByteSize) -> Option<Snapshot> {
        if !self.snippets.is_empty() {
            return None;
        }
        self.root.set_written(self.written);
        self.root.snapshot(limit).await
    }

    /// Returns the CPU time used so far.
    pub(crate) fn cpu_used(&self) -> Duration {
        // A step that was dropped has used more than is counted.
        let last = match self.stepped {
            None => self.root.cpu_used(),
            Some(seq) => self.snippets.get(&seq).map_or(self.cpu_used, |running| running.instance.cpu_used()),
        };
        self.cpu_used.max(last)
    }

    /// Sets the CPU time used so far.
    pub(crate) fn set_cpu_used(&mut self, used: Duration) {
        self.cpu_used = used;
        self.root.set_cpu_used(used);
        self.snippets.values_mut().for_each(|running| running.instance.set_cpu_used(used));
    }
}

impl Running {
    /// Notes which calls are answered, and how.
    fn take(&mut self, answers: &[Answer]) {
        for Answer { seq, reply } in answers {
            let number = seq.number();
            self.timers.retain(|timer| *timer != number);
            let Some(path) = self.open.remove(&number) else { continue };
            if let Reply::Failed(failure) = reply {
                self.failed.insert(number, (path, failure.clone()));
            }
        }
    }

    fn made(&mut self, call: &Call) {
        match &call.request {
            Request::Tool { path, .. } => drop(self.open.insert(call.seq.number(), path.clone())),
            Request::Timer(_) => self.timers.push(call.seq.number()),
        }
    }

    /// Returns how the snippet ended, or the limit that ends the whole execution.
    fn ended(&self, state: ProgramState) -> Result<Option<Result<Value, Failure>>, Exhausted> {
        Ok(Some(match state {
            ProgramState::Waiting => return Ok(None),
            ProgramState::Done(Returned { result, unawaited, .. }) => match unawaited.iter().min() {
                None => Ok(result),
                Some(first) => Err(self.failure(self.detached(*first))),
            },
            ProgramState::Failed(error) => {
                let known = |seq: CallSeq| {
                    let (path, failure) = self.failed.get(&seq.number())?;
                    Some(FailedCall { path: Some(path), failure })
                };
                Err(self.failure(explain_error(&error, &self.prepared, known, &self.limits)))
            }
            // The time of the processor is that of the whole execution.
            ProgramState::Exhausted(limit @ Exhausted::Cpu) => return Err(limit),
            ProgramState::Exhausted(limit) => Err(self.failure(exhausted(limit, &self.limits))),
        }))
    }

    fn detached(&self, first: CallSeq) -> Failure {
        let path = self.open.get(&first.number()).map_or("a tool", String::as_str);
        Failure::new(
            Code::DetachedCall,
            format!("it returned while its call of `{}` was never awaited", brief(path, 80)),
        )
    }

    /// Returns the failure as the program gets it that runs the snippet. The place is one of the snippet.
    fn failure(&self, mut failure: Failure) -> Failure {
        failure.message = format!("snippet `{}`: {}", self.name, failure.message);
        let place = failure.line.take().zip(failure.column.take());
        // The program that runs the snippet may handle the failure, which is then the error of a call.
        for detail in ["stack", "seq", "cause", "errors", "properties"] {
            failure.details.remove(detail);
        }
        let failure = failure.detail("snippet", self.name.clone());
        match place {
            Some((line, column)) => failure.detail("snippetLine", line).detail("snippetColumn", column),
            None => failure,
        }
    }
}

/// Adds an answer to those that its program gets.
fn deliver(batches: &mut Batches, answer: Answer) {
    let program = answer.seq.parent();
    match batches.iter_mut().find(|(other, _)| *other == program) {
        Some((_, answers)) => answers.push(answer),
        None => batches.push_back((program, vec![answer])),
    }
}

/// Returns the seed of a snippet: another one for every call of the execution, and the same in a replay.
fn seed_of(seed: u64, seq: CallSeq) -> u64 {
    use sha2::{Digest, Sha256};
    let digest = Sha256::new_with_prefix(seed.to_le_bytes()).chain_update(seq.to_string()).finalize();
    let (first, _) = digest.split_first_chunk().expect("a digest has 32 bytes");
    u64::from_le_bytes(*first)
}

fn too_deep() -> Error {
    Error::new(crate::driver::ErrorKind::Broken, "calls are nested deeper than call numbers allow")
}
