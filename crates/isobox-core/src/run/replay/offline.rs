//! Replays a transcript without tools, and tells whether the program does the same again.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::driver::{ProgramState, Reply, StartOptions};
use crate::durable::transcript::{Transcript, fold};
use crate::journal::{Asked, Beginning, CallPlace, Ending, Entry, JournalState, Wanted};
use crate::log::add_facts;
use crate::program::Prepared;
use crate::run::calls::ledger::Ledger;
use crate::run::explain::{exhausted, explain_error, timed_out};
use crate::run::host::Host;
use crate::run::replay::{CallAgain, Known, diverged, end_difference, request_difference};
use crate::run::run_loop::{known_place, snippet_place};
use crate::run::snippet_runs::family::FamilyStep;
use crate::run::waiting::until;
use crate::text::{brief, shorten};
use crate::{CallRecord, CallSeq, Code, Fact, Facts, Failure, Limits, Log, RequestError, Timestamp};

/// The end of a replay that did what the transcript records.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Replayed {
    /// The point that the replay reached.
    pub end: ReplayEnd,
    /// The calls until then, as the transcript records them.
    pub calls: Vec<CallRecord>,
    /// The log messages of the program until then.
    pub logs: Vec<Log>,
    /// The facts that the program recorded until then.
    pub facts: Facts,
    /// The calls and timers that the program waits for.
    pub open: Vec<OpenRequest>,
    /// Whether this sandbox has another image than the one that the program ran on.
    pub is_other_image: bool,
}

/// The point at which a replay stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReplayUntil {
    /// The end of the transcript.
    #[default]
    End,
    /// The moment before this call is made.
    Before(CallSeq),
}

/// The point that a replay reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayEnd {
    /// The program ended with the recorded outcome.
    Same,
    /// The program came to the state in which it was ended from outside: by a person, the time-out, or a failure of its host.
    EndedFromOutside,
    /// The program came to the end of a transcript that was exported before the execution ended.
    NotOver,
    /// The program stopped before this call, as requested.
    Before(CallSeq),
}

/// A call or a timer that a replayed program waits for.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct OpenRequest {
    /// Its number.
    pub seq: CallSeq,
    /// The request.
    pub what: Wanted,
    /// Its place in the program, if that is known.
    pub at: Option<CallPlace>,
}

/// Replays a transcript without tools: up to its end, or up to the point before a call. `ceiling` are the limits of this
/// runtime. A transcript cannot raise them.
///
/// # Errors
///
/// `DIVERGED` if the program does something else than the transcript records, or needs a result that is not recorded.
/// `NOT_FOUND` if the program never made the call. `CONFIG` if the transcript is redacted. `TIMEOUT` if the replay takes longer
/// than the time-out. `BUSY`.
pub async fn replay_transcript(
    host: &Host,
    transcript: &Transcript,
    ceiling: &Limits,
    until: ReplayUntil,
) -> Result<Replayed, Failure> {
    transcript.check_complete()?;
    let entries = match until {
        ReplayUntil::End => transcript.of_program(),
        ReplayUntil::Before(seq) => &transcript.of_program()[..=step_of(transcript.of_program(), seq)?],
    };
    let beginning = &transcript.beginning;
    let is_other_image = *beginning.image != *host.driver.image();
    let rehearsal = Rehearsal {
        host,
        beginning,
        prepared: Arc::new(beginning.prepared.clone().into_owned()),
        limits: within(&beginning.limits, ceiling),
        logs: Logs::Compared,
    };
    let state = fold(entries)?;
    let replayed = async {
        let Rehearsed { steps, finished } = rehearsal.run(entries).await?;
        let end = match until {
            ReplayUntil::Before(seq) => ReplayEnd::Before(seq),
            ReplayUntil::End => rehearsal.compare_end(&state, finished, was_returned(entries))?,
        };
        let (mut logs, mut facts) = (Vec::new(), Facts::new());
        for step in steps {
            logs.extend(step.logs);
            add_facts(&mut facts, step.facts);
        }
        let open = open_requests(entries, &state);
        Ok(Replayed { end, calls: state.records(), logs, facts, open, is_other_image })
    };
    replayed.await.map_err(|failure| explained(failure, is_other_image))
}

/// Returns the place of the step in which a program made a call.
pub(super) fn step_of(entries: &[Entry], seq: CallSeq) -> Result<usize, Failure> {
    let makes = |entry: &Entry| matches!(entry, Entry::Step(step) if step.calls.iter().any(|asked| asked.seq == seq));
    entries
        .iter()
        .position(makes)
        .ok_or_else(|| Failure::new(Code::NotFound, format!("the program has not made call {seq}")))
}

fn was_returned(entries: &[Entry]) -> bool {
    let last = entries.iter().rev().find_map(|entry| match entry {
        Entry::Step(step) => Some(step.returned),
        _ => None,
    });
    last.unwrap_or_default()
}

/// Returns the requests whose answers have not been delivered.
fn open_requests(entries: &[Entry], state: &JournalState) -> Vec<OpenRequest> {
    let steps = entries.iter().filter_map(|entry| match entry {
        Entry::Step(step) => Some(step),
        _ => None,
    });
    let is_open = |asked: &&Asked| state.timers.contains_key(&asked.seq) || state.open_call(asked.seq).is_some();
    steps
        .flat_map(|step| &step.calls)
        .filter(is_open)
        .map(|Asked { seq, what, at }| OpenRequest { seq: *seq, what: what.clone(), at: at.clone() })
        .collect()
}

/// Returns the limits of a transcript, none of them above those of this runtime.
pub(super) fn within(limits: &Limits, ceiling: &Limits) -> Limits {
    Limits {
        timeout: limits.timeout.min(ceiling.timeout),
        cpu: limits.cpu.min(ceiling.cpu),
        memory: limits.memory.min(ceiling.memory),
        stack: limits.stack.min(ceiling.stack),
        source: limits.source.min(ceiling.source),
        result: limits.result.min(ceiling.result),
        input: limits.input.min(ceiling.input),
        output: limits.output.min(ceiling.output),
        logs: limits.logs.min(ceiling.logs),
        facts: limits.facts.min(ceiling.facts),
        calls: limits.calls.min(ceiling.calls),
        in_flight: limits.in_flight.min(ceiling.in_flight),
        in_flight_excess: limits.in_flight_excess.min(ceiling.in_flight_excess),
        durable_value: limits.durable_value.min(ceiling.durable_value),
        journal: limits.journal.min(ceiling.journal),
        snapshot: limits.snapshot.min(ceiling.snapshot),
        settle: limits.settle.min(ceiling.settle),
        unsettled: limits.unsettled.min(ceiling.unsettled),
        lifetime: limits.lifetime.min(ceiling.lifetime),
    }
}

/// Adds what a person can do about a divergence.
pub(super) fn explained(failure: Failure, is_other_image: bool) -> Failure {
    if failure.code != Code::Diverged {
        return failure;
    }
    let hint = if is_other_image {
        "the transcript is from another version of the sandbox: replay it with the version of Isobox that ran it"
    } else {
        "the transcript was changed, or this runtime has lower limits than the one that ran it"
    };
    failure.hint(format!("no call was made; {hint}"))
}

/// The treatment of log messages and facts that are not those of the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Logs {
    Compared,
    Free,
}

/// A program that is run with recorded answers only.
pub(super) struct Rehearsal<'r> {
    pub(super) host: &'r Host,
    pub(super) beginning: &'r Beginning<'r>,
    pub(super) prepared: Arc<Prepared>,
    pub(super) limits: Limits,
    pub(super) logs: Logs,
}

pub(super) struct Rehearsed {
    pub(super) steps: Vec<RehearsedStep>,
    /// The end of the program, if it ended.
    pub(super) finished: Option<ProgramState>,
}

/// The log messages and facts of a step, and the places of its requests.
pub(super) struct RehearsedStep {
    pub(super) logs: Vec<Log>,
    pub(super) facts: Vec<Fact>,
    /// The places of its requests, in order.
    pub(super) places: Vec<Option<CallPlace>>,
}

/// Refuses to repeat calls.
struct NoTools;

impl CallAgain for NoTools {
    async fn call_again(&self, seq: CallSeq, path: &str, _input: &Value) -> Result<Reply, RequestError> {
        let path = brief(path, 80);
        let message = format!("the result of call {seq} (`{path}`) is not recorded, so that the program cannot go on");
        Err(Failure::new(Code::Diverged, message).into())
    }
}

impl Rehearsal<'_> {
    /// Runs the program through the steps of a journal.
    pub(super) async fn run(&self, entries: &[Entry]) -> Result<Rehearsed, Failure> {
        let Self { host, beginning, limits, .. } = self;
        host.driver.check_region(&beginning.region)?;
        let permit = host.admit(limits.timeout).await?;
        let options = StartOptions {
            limits: limits.clone(),
            seed: beginning.seed,
            meter: permit.meter(),
            namespaces: beginning.namespaces.to_vec().into(),
            region: beginning.region.clone(),
            globals: beginning.globals.as_ref().and_then(|used| used.snapshot.clone()),
        };
        let mut instance = host.start(Arc::clone(&self.prepared), options).await?;
        let deadline = host.clock.elapsed().saturating_add(limits.timeout);
        let empty = JournalState::default();
        let mut known = Known::before(&empty);
        let mut rehearsed = Rehearsed { steps: Vec::new(), finished: None };
        for entry in entries {
            let step = match entry {
                Entry::Settled(settled) => {
                    known.settle(settled);
                    continue;
                }
                Entry::Step(step) => step,
                _ => continue,
            };
            if rehearsed.finished.is_some() {
                return Err(diverged("it ended instead of waiting"));
            }
            let (answers, starts) = known.answers(step, &NoTools).await.map_err(Failure::from)?;
            // Every step has the whole CPU time: the journal says how much the program used.
            instance.set_cpu_used(Duration::ZERO);
            let done = until(&*host.clock, deadline, instance.step(answers, starts, step.clock)).await;
            let FamilyStep { step: done, ended } = done.ok_or_else(|| timed_out(limits))??;
            if let Some(difference) =
                request_difference(&done, step, host.quotes()).or_else(|| end_difference(&ended, step))
            {
                return Err(diverged(&difference).detail("step", rehearsed.steps.len()));
            }
            if self.logs == Logs::Compared && done.logs != step.logs {
                let difference = log_difference(&done.logs, &step.logs);
                return Err(diverged(&difference).detail("step", rehearsed.steps.len()));
            }
            if self.logs == Logs::Compared && done.facts != step.facts {
                return Err(diverged("it recorded other facts").detail("step", rehearsed.steps.len()));
            }
            known.ask(step);
            let places = done.calls.iter().map(|call| match call.seq.parent() {
                None => known_place(call.place?, &self.prepared),
                Some(_) => snippet_place(call.place?, known.snippet_of(call.seq)?),
            });
            let places = places.collect();
            rehearsed.steps.push(RehearsedStep { logs: done.logs, facts: done.facts, places });
            rehearsed.finished = match done.state {
                ProgramState::Waiting if step.returned => return Err(diverged("it waited instead of returning")),
                ProgramState::Waiting => None,
                state @ (ProgramState::Done(_) | ProgramState::Failed(_) | ProgramState::Exhausted(_)) => Some(state),
            };
        }
        Ok(rehearsed)
    }

    /// Compares the end of the program with the recorded one.
    fn compare_end(
        &self,
        state: &JournalState,
        finished: Option<ProgramState>,
        returned: bool,
    ) -> Result<ReplayEnd, Failure> {
        let Some(ended) = &state.ended else {
            return match finished {
                None => Ok(ReplayEnd::NotOver),
                Some(ProgramState::Done(_)) if returned => Ok(ReplayEnd::NotOver),
                Some(_) => Err(diverged("it ended instead of waiting")),
            };
        };
        let expected = match &ended.how {
            Ending::Completed(expected) => {
                return match finished {
                    Some(ProgramState::Done(done)) if done.result == *expected && done.unawaited.is_empty() => {
                        Ok(ReplayEnd::Same)
                    }
                    Some(ProgramState::Done(done)) => {
                        let (found, expected) = (shown(&done.result), shown(expected));
                        Err(diverged(&format!("it returned {found} instead of {expected}")))
                    }
                    Some(ProgramState::Failed(error)) => {
                        Err(diverged(&format!("it failed instead of returning: {}", brief(&error.message, 200))))
                    }
                    Some(ProgramState::Exhausted(_)) => Err(diverged("it exceeded a limit instead of returning")),
                    Some(ProgramState::Waiting) | None => Err(diverged("it waited instead of returning")),
                };
            }
            Ending::Failed(expected) | Ending::Rejected(expected) => expected,
            Ending::RolledBack(_) => return Ok(ReplayEnd::EndedFromOutside),
        };
        if is_from_outside(expected.code) && !matches!(finished, Some(ProgramState::Exhausted(_))) {
            return Ok(ReplayEnd::EndedFromOutside);
        }
        let found = match finished {
            Some(ProgramState::Failed(error)) => {
                let ledger = Ledger::resumed(self.limits.in_flight, state, Duration::ZERO, Timestamp(0));
                let found = explain_error(&error, &self.prepared, |seq| ledger.failed(seq), &self.limits);
                // The front end explains what the engine refused in other words.
                let is_same = found.code == expected.code
                    && (found.code == Code::Syntax
                        || (found.message == expected.message
                            && (found.line, found.column) == (expected.line, expected.column)));
                if is_same {
                    return Ok(ReplayEnd::Same);
                }
                format!("{}: {}", found.code, brief(&found.message, 200))
            }
            Some(ProgramState::Exhausted(limit)) => {
                let found = exhausted(limit, &self.limits);
                if found.code == expected.code {
                    return Ok(ReplayEnd::Same);
                }
                format!("{}: {}", found.code, found.message)
            }
            Some(ProgramState::Done(_)) if expected.code == Code::DetachedCall => return Ok(ReplayEnd::Same),
            Some(ProgramState::Done(done)) => format!("the result {}", shown(&done.result)),
            Some(ProgramState::Waiting) | None => "a program that waits".to_owned(),
        };
        let expected = format!("{}: {}", expected.code, brief(&expected.message, 200));
        Err(diverged(&format!("it ended with {found} instead of {expected}")))
    }
}

/// Tells whether an execution with this code was ended by its host or a person, not by its program.
fn is_from_outside(code: Code) -> bool {
    matches!(
        code,
        Code::Timeout
            | Code::Aborted
            | Code::Rejected
            | Code::Deadlock
            | Code::JournalLimit
            | Code::Store
            | Code::Busy
            | Code::Conflict
            | Code::Diverged
            | Code::Config
            | Code::Internal
    )
}

fn log_difference(found: &[Log], expected: &[Log]) -> String {
    let place = found.iter().zip(expected).position(|(found, expected)| found != expected);
    let place = place.unwrap_or(found.len().min(expected.len()));
    let quoted = |logs: &[Log]| match logs.get(place) {
        Some(log) => format!("`{}`", brief(&log.message, 100)),
        None => "nothing".to_owned(),
    };
    format!("it logged {} instead of {}", quoted(found), quoted(expected))
}

fn shown(value: &Value) -> String {
    shorten(&value.to_string(), 200)
}
