//! Restores a program by delivering the answers of its journal again, and checks that it makes the same calls.

pub(crate) mod fork;
pub(crate) mod offline;

use std::collections::HashMap;
use std::time::Duration;

use serde_json::Value;

use crate::driver::{Answer, Call, ProgramState, Reply, Request, Returned, Step};
use crate::journal::{
    Asked, CallProgress, CallSettled, Entry, JournalState, Settlement, SharedCode, SnippetStarted, StepTaken, Wanted,
};
use crate::policy::bridge::hidden_parts;
use crate::policy::{Policy, ToolNames};
use crate::run::snippet_runs::family::{EndedSnippet, Family, FamilyStep, Start};
use crate::text::{brief, shorten};
use crate::{CallSeq, Catalogue, Code, Failure, RequestError};

/// Repeats calls whose results are not in the journal.
pub(crate) trait CallAgain {
    /// Makes the call again.
    fn call_again(
        &self,
        seq: CallSeq,
        path: &str,
        input: &Value,
    ) -> impl Future<Output = Result<Reply, RequestError>> + Send;
}

/// Quotes inputs of calls without the parts that the policy redacts.
#[derive(Clone, Copy)]
pub(crate) struct Quotes<'q> {
    pub(crate) catalogue: &'q Catalogue,
    pub(crate) policy: &'q Policy,
}

/// Replays entries on an instance whose state is `before`. Returns the end of the program if it returned in the last
/// step: the execution was then waiting for the rest of its calls.
pub(crate) async fn replay(
    instance: &mut Family,
    entries: &[Entry],
    before: &JournalState,
    caller: &impl CallAgain,
    quotes: Quotes<'_>,
) -> Result<Option<Returned>, RequestError> {
    let mut known = Known::before(before);
    let mut returned = None;
    for entry in entries {
        match entry {
            Entry::Settled(settled) => known.settle(settled),
            Entry::Step(_) if returned.is_some() => {
                return Err(diverged("it returned instead of waiting").into());
            }
            Entry::Step(step) => {
                let (answers, starts) = known.answers(step, caller).await?;
                // The CPU time is in the journal, and is not counted again.
                instance.set_cpu_used(Duration::ZERO);
                let FamilyStep { step: done, ended } = instance.step(answers, starts, step.clock).await?;
                instance.take_logs();
                let difference = difference(&done, step, quotes).or_else(|| end_difference(&ended, step));
                if let Some(difference) = difference {
                    return Err(diverged(&difference).into());
                }
                known.ask(step);
                returned = match done.state {
                    ProgramState::Done(returned) => Some(returned),
                    ProgramState::Waiting | ProgramState::Failed(_) | ProgramState::Exhausted(_) => None,
                };
            }
            Entry::Started(_)
            | Entry::Noted(_)
            | Entry::Asked(_)
            | Entry::Decided(_)
            | Entry::Paused(_)
            | Entry::Resumed(_)
            | Entry::Ended(_)
            | Entry::Rollback(_) => {}
        }
    }
    Ok(returned)
}

/// The calls of the entries so far.
pub(crate) struct Known<'e> {
    settled: HashMap<CallSeq, &'e Settlement>,
    asked: HashMap<CallSeq, Wish<'e>>,
    /// The code of snippets, by hash.
    codes: HashMap<&'e str, &'e SharedCode>,
}

#[derive(Clone, Copy)]
enum Wish<'e> {
    Timer,
    Tool { path: &'e str, input: &'e str },
}

impl<'e> Wish<'e> {
    fn of(wanted: &'e Wanted) -> Self {
        match wanted {
            Wanted::Tool { path, input, .. } => Self::Tool { path, input: input.get() },
            Wanted::Timer(_) => Self::Timer,
        }
    }
}

impl<'e> Known<'e> {
    pub(crate) fn before(state: &'e JournalState) -> Self {
        let codes = state.codes.iter().map(|(hash, code)| (hash.as_str(), code)).collect();
        let mut known = Self { settled: HashMap::new(), asked: HashMap::new(), codes };
        known.asked.extend(state.timers.keys().map(|seq| (*seq, Wish::Timer)));
        for call in &state.calls {
            let input = call.open.as_ref().map_or("null", |open| open.input.get());
            known.asked.insert(call.seq, Wish::Tool { path: &call.path, input });
            if let CallProgress::Settled { settlement, .. } = &call.progress {
                known.settled.insert(call.seq, settlement);
            }
        }
        known
    }

    pub(crate) fn settle(&mut self, settled: &'e CallSettled) {
        self.settled.insert(settled.seq, &settled.settlement);
        if let Settlement::Snippet(started) = &settled.settlement
            && let Some(code) = &started.code
        {
            self.codes.insert(&started.hash, code);
        }
    }

    pub(crate) fn ask(&mut self, step: &'e StepTaken) {
        self.asked.extend(step.calls.iter().map(|asked| (asked.seq, Wish::of(&asked.what))));
    }

    /// Returns the code of the snippet that makes a call.
    pub(crate) fn snippet_of(&self, call: CallSeq) -> Option<&'e SharedCode> {
        match self.settled.get(&call.parent()?)? {
            Settlement::Snippet(started) => self.codes.get(started.hash.as_str()).copied(),
            Settlement::Result(_) | Settlement::Ephemeral | Settlement::Failed(_) => None,
        }
    }

    fn start(&self, seq: CallSeq, started: &SnippetStarted) -> Result<Start, RequestError> {
        let SnippetStarted { name, hash, input, budget, .. } = started;
        let Some(code) = self.codes.get(hash.as_str()) else {
            return Err(diverged(&format!("the journal does not have the code that call {seq} runs")).into());
        };
        let (name, code) = (name.clone(), SharedCode::clone(code));
        Ok(Start { seq, name, code, input: input.get().to_owned(), budget: *budget })
    }

    /// Returns the answers that were delivered in a step, and the snippets that were started.
    pub(crate) async fn answers(
        &self,
        step: &StepTaken,
        caller: &impl CallAgain,
    ) -> Result<(Vec<Answer>, Vec<Start>), RequestError> {
        let mut answers = Vec::with_capacity(step.answers.len());
        let mut starts = Vec::new();
        for &seq in &step.answers {
            let reply = match (self.asked.get(&seq), self.settled.get(&seq)) {
                (Some(Wish::Timer), _) => Reply::Fired,
                (Some(Wish::Tool { .. }), Some(Settlement::Result(json))) => Reply::Result(json.clone()),
                (Some(Wish::Tool { .. }), Some(Settlement::Failed(failure))) => Reply::Failed((**failure).clone()),
                (Some(Wish::Tool { path, input }), Some(Settlement::Ephemeral)) => {
                    let input = serde_json::from_str(input).unwrap_or_default();
                    caller.call_again(seq, path, &input).await?
                }
                (Some(Wish::Tool { .. }), Some(Settlement::Snippet(started))) => {
                    starts.push(self.start(seq, started)?);
                    continue;
                }
                _ => {
                    let difference = format!("the journal delivers an answer to call {seq}, which has none");
                    return Err(diverged(&difference).into());
                }
            };
            answers.push(Answer { seq, reply });
        }
        Ok((answers, starts))
    }
}

/// Returns the first difference between a step and its journal entry.
fn difference(done: &Step, step: &StepTaken, quotes: Quotes<'_>) -> Option<String> {
    if let Some(difference) = request_difference(done, step, quotes) {
        return Some(difference);
    }
    match &done.state {
        ProgramState::Waiting if step.returned => Some("it waited instead of returning".to_owned()),
        ProgramState::Done(_) if !step.returned => Some("it returned instead of waiting".to_owned()),
        ProgramState::Waiting | ProgramState::Done(_) => None,
        ProgramState::Failed(error) => Some(format!("it failed instead of waiting: {}", brief(&error.message, 200))),
        ProgramState::Exhausted(_) => Some("it exceeded a limit instead of waiting".to_owned()),
    }
}

/// Returns the first difference between the snippets that ended in a step and those of its journal entry.
pub(crate) fn end_difference(ended: &[EndedSnippet], step: &StepTaken) -> Option<String> {
    let found = ended.iter().map(|ended| (ended.seq, ended.result.is_err()));
    let is_same = found.eq(step.ended.iter().map(|ended| (ended.seq, ended.failure.is_some())));
    (!is_same).then(|| "its snippets ended differently".to_owned())
}

/// Returns the first difference between the requests of a step and those of its journal entry.
pub(crate) fn request_difference(done: &Step, step: &StepTaken, quotes: Quotes<'_>) -> Option<String> {
    for (place, expected) in step.calls.iter().enumerate() {
        let Some(call) = done.calls.get(place) else {
            return Some(format!("it did not make {}", quotes.asked(expected)));
        };
        if !is_same(call, expected) {
            let (found, expected) = (quotes.call(call, Some(expected)), quotes.asked(expected));
            return Some(match found == expected {
                true => format!("it made {found}, and a part of the input that is not shown is different"),
                false => format!("it made {found} instead of {expected}"),
            });
        }
    }
    if let Some(more) = done.calls.get(step.calls.len()) {
        return Some(format!("it also made {}", quotes.call(more, None)));
    }
    if !done.cleared.iter().eq(&step.cleared) {
        return Some("it cleared different timers".to_owned());
    }
    None
}

fn is_same(call: &Call, expected: &Asked) -> bool {
    call.seq == expected.seq
        && match (&call.request, &expected.what) {
            (Request::Tool { path, input }, Wanted::Tool { path: other, input: json, .. }) => {
                path == other && serde_json::from_str::<Value>(json.get()).is_ok_and(|other| other == *input)
            }
            (Request::Timer(delay), Wanted::Timer(milliseconds)) => delay.as_millis() == u128::from(*milliseconds),
            (Request::Tool { .. }, Wanted::Timer(_)) | (Request::Timer(_), Wanted::Tool { .. }) => false,
        }
}

impl Quotes<'_> {
    fn asked(self, asked: &Asked) -> String {
        match &asked.what {
            Wanted::Tool { path, input, .. } => {
                let input = serde_json::from_str(input.get()).unwrap_or_default();
                self.tool_call(asked.seq, path, &input, asked.names())
            }
            Wanted::Timer(delay) => format!("timer {} of {delay} ms", asked.seq),
        }
    }

    /// Quotes a call. Redacts also what was hidden in the call that is in its place in the journal.
    fn call(self, call: &Call, in_its_place: Option<&Asked>) -> String {
        match &call.request {
            Request::Tool { path, input } => self.tool_call(call.seq, path, input, in_its_place.and_then(Asked::names)),
            Request::Timer(delay) => format!("timer {} of {} ms", call.seq, delay.as_millis()),
        }
    }

    fn tool_call(self, seq: CallSeq, path: &str, input: &Value, recorded: Option<ToolNames<'_>>) -> String {
        /// The maximum number of characters of an input.
        const SHOWN: usize = 200;
        let hidden = hidden_parts(self.catalogue, self.policy, path, input);
        let mut shown = self.policy.redacted(self.catalogue.names(path).hiding(&hidden), input);
        if let Some(names) = recorded {
            shown = self.policy.redacted(names, &shown);
        }
        format!("call {seq} of `{}` with {}", brief(path, 80), shorten(&shown.to_string(), SHOWN))
    }
}

pub(crate) fn diverged(difference: &str) -> Failure {
    Failure::new(Code::Diverged, format!("the program does not match its journal: {difference}"))
        .hint("no call was made; resume the execution with the version of Isobox that started it")
}
