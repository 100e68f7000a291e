//! Forks an execution: a new execution with the history of another one up to a call, which goes on from there.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use serde_json::value::to_raw_value;

use crate::checks::prepare_by_rules;
use crate::durable::keeper::Held;
use crate::durable::recorder::{Caption, Existence, JournalPosition, Recorder};
use crate::durable::tenure::TenureNumber;
use crate::durable::transcript::Transcript;
use crate::journal::{
    Asked, Beginning, CallSettled, CallStarted, Entry, ForkedFrom, Settlement, SharedCode, SnippetStarted, StepTaken,
    Wanted, encode_beginning, unwritable,
};
use crate::json::{MAX_DEPTH, is_within_depth};
use crate::program::Program;
use crate::run::host::{Host, keeps_nothing};
use crate::run::replay::diverged;
use crate::run::replay::offline::{Logs, Rehearsal, Rehearsed, RehearsedStep, explained, step_of, within};
use crate::store::{Lease, NewExecution};
use crate::{ByteSize, CallSeq, Code, ConflictKind, ExecutionId, Failure, Limits, Principal, Right};

/// The maximum length of the message of a call that fails in a fork.
const LONGEST_MESSAGE: ByteSize = ByteSize::kib(16);
/// The maximum time to prepare the snippets of a transcript, which may have any number of them.
const PREPARING: Duration = Duration::from_mins(1);

/// A fork of an execution.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Fork {
    /// The call before which the fork begins.
    pub before: CallSeq,
    /// The answer to that call.
    pub answer: ForkAnswer,
    /// The program, if it is another one. It has to make the same calls up to the fork.
    pub program: Option<Program>,
    /// The principal that runs the fork.
    pub principal: Principal,
}

/// The answer to the call before which a fork begins.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum ForkAnswer {
    /// The call is made, if the policy allows it.
    #[default]
    Made,
    /// The call is not made, and has this result.
    Result(Value),
    /// The call is not made, and fails with this message.
    Failed(String),
}

impl Fork {
    /// Creates a fork before a call, in which the call is made.
    pub fn before(before: CallSeq) -> Self {
        Self { before, answer: ForkAnswer::Made, program: None, principal: Principal::host() }
    }

    /// Sets the answer to the call.
    #[must_use]
    pub fn answer(mut self, answer: ForkAnswer) -> Self {
        self.answer = answer;
        self
    }

    /// Sets another program.
    #[must_use]
    pub fn program(mut self, program: Program) -> Self {
        self.program = Some(program);
        self
    }

    /// Sets the principal that runs the fork. It becomes the owner, and its roles decide which tools are available.
    #[must_use]
    pub fn principal(mut self, principal: impl Into<Principal>) -> Self {
        self.principal = principal.into();
        self
    }
}

/// Creates a fork in the store, under this ID. It has not gone on yet: resume it. `ceiling` are the limits of this runtime.
///
/// The results of earlier calls are those of the transcript, and none of these calls is made again. An earlier call that had
/// started and whose result is not recorded is in doubt, also if its tool is idempotent: the fork has idempotency keys of its
/// own. The fork makes such a call again if its tool only reads, or if its results are not stored ([`Tool::ephemeral`](crate::Tool::ephemeral)).
/// Decisions of the original do not count: the policy is asked about every call that the fork makes.
///
/// # Errors
///
/// `FORBIDDEN` if the principal does not have [`Right::Run`]. `NOT_FOUND` if the program never made the call. `CONFLICT` if it
/// cannot be answered, because it is a timer or the program had returned. `DIVERGED` if the program does something else than
/// the transcript records before the call, or has used a result there that is not stored. `TIMEOUT`, `SYNTAX`, `SOURCE_TOO_LARGE`, `OUTPUT_TOO_LARGE`, `SERIALIZATION`, `JOURNAL_LIMIT`,
/// `BUSY`, `STORE`, and `CONFIG` if the transcript is redacted or this host has no store. After an error nothing is stored. The
/// exception is `STORE` with `details.executionId`: the store did not answer, and may have the fork.
pub async fn fork(
    host: &Host,
    id: &ExecutionId,
    transcript: &Transcript,
    fork: Fork,
    ceiling: &Limits,
) -> Result<(), Failure> {
    let Fork { before, answer, program, principal } = fork;
    principal.require(Right::Run)?;
    if host.keeper.is_none() {
        return Err(keeps_nothing());
    }
    transcript.check_complete()?;
    let original = &transcript.beginning;
    let limits = within(&original.limits, ceiling);
    let place = step_of(transcript.of_program(), before)?;
    let entries = prepare_snippets(host, transcript.of_program(), limits.timeout).await?;
    let prefix = &entries[..=place];
    let settlement = settlement(prefix, before, answer, &limits)?;
    let logs = if program.is_some() { Logs::Free } else { Logs::Compared };
    let program = program.map_or_else(|| Cow::Borrowed(&*original.program), Cow::Owned);
    if !limits.source.holds(program.source_size()) {
        let message = format!("the program is {} bytes, and the limit is {}", program.source_size(), limits.source);
        return Err(Failure::new(Code::SourceTooLarge, message));
    }
    // Prepared again, because a transcript may pair a program with the code of another.
    let prepared = Arc::new(prepare_by_rules(host, &program, limits.timeout).await?);
    let rehearsal = Rehearsal { host, beginning: original, prepared: Arc::clone(&prepared), limits, logs };
    let rehearsed = rehearsal.run(prefix).await;
    let is_other_image = *original.image != *host.driver.image();
    let Rehearsed { steps, finished } = rehearsed.map_err(|failure| explained(failure, is_other_image))?;
    if finished.is_some() {
        return Err(explained(diverged("it ended instead of waiting"), is_other_image));
    }
    let mut history = history(&entries, place, before);
    retell(&mut history, steps);
    history.extend(
        settlement.map(|settlement| Entry::Settled(CallSettled { seq: before, settlement, took: 0, lost: false })),
    );
    let beginning = Beginning {
        owner: Some(principal.name().to_owned()),
        roles: principal.roles().into(),
        session: None,
        function: original.function.clone(),
        details: original.details,
        program: Cow::Borrowed(&program),
        prepared: Cow::Borrowed(&prepared),
        image: host.driver.image().into(),
        limits: Cow::Borrowed(&rehearsal.limits),
        seed: original.seed,
        namespaces: Cow::Borrowed(&original.namespaces),
        tools: Cow::Borrowed(&original.tools),
        region: original.region.clone(),
        created: host.clock.now(),
        node: None,
        forked_from: Some(ForkedFrom { execution: transcript.execution_id.clone(), before }),
        warnings: Cow::Borrowed(&[]),
        // It starts from the same globals, and leaves none.
        globals: original.globals.clone(),
    };
    create(host, id, &beginning, history).await
}

/// Returns what is recorded as the outcome of the call.
fn settlement(
    prefix: &[Entry],
    before: CallSeq,
    answer: ForkAnswer,
    limits: &Limits,
) -> Result<Option<Settlement>, Failure> {
    let Some(Entry::Step(StepTaken { calls, returned, .. })) = prefix.last() else { return Ok(None) };
    let conflict = |what: &str| {
        Err(Failure::conflict(ConflictKind::WrongDecision, format!("{before} cannot be answered: {what}")))
    };
    if *returned {
        return conflict("the program had returned, and no answer changes its result");
    }
    let is_timer = |asked: &Asked| asked.seq == before && matches!(asked.what, Wanted::Timer(_));
    let settlement = match answer {
        ForkAnswer::Made => return Ok(None),
        _ if calls.iter().any(is_timer) => return conflict("it is a timer"),
        ForkAnswer::Result(value) => {
            if !is_within_depth(&value) {
                let message = format!("the answer is nested deeper than {MAX_DEPTH} levels");
                return Err(Failure::new(Code::Serialization, message));
            }
            let (json, limit) = (to_raw_value(&value).map_err(unwritable)?, limits.durable_value.min(limits.output));
            check_size("answer", json.get(), limit)?;
            Settlement::Result(json)
        }
        ForkAnswer::Failed(message) => {
            check_size("message", &message, LONGEST_MESSAGE)?;
            Settlement::Failed(Box::new(Failure::new(Code::Tool, message)))
        }
    };
    Ok(Some(settlement))
}

fn check_size(what: &str, text: &str, limit: ByteSize) -> Result<(), Failure> {
    if limit.holds(text.len()) {
        return Ok(());
    }
    let message = format!("the {what} is {} bytes, and the limit is {limit}", text.len());
    Err(Failure::new(Code::OutputTooLarge, message).detail("limit", limit.get()).detail("size", text.len()))
}

/// Returns the history before a call that was made in the step at `place`: the steps until then, and everything that is known
/// about earlier calls, also where it became known later. Questions and decisions are left out, so that no approval of the
/// original, or of the author of a transcript, counts for the fork.
fn history(entries: &[Entry], place: usize, before: CallSeq) -> Vec<Entry> {
    let mut kept = Vec::new();
    let earlier = earlier_calls(&entries[..=place], before);
    for (position, entry) in entries.iter().enumerate() {
        match entry {
            Entry::Step(_) if position <= place => kept.push(entry.clone()),
            Entry::Started(CallStarted { seq, at, .. }) if earlier.contains(seq) => {
                kept.push(Entry::Started(CallStarted {
                    seq: *seq,
                    at: *at,
                    approved: None,
                    approved_by: None,
                    input: None,
                }));
            }
            Entry::Settled(settled) if earlier.contains(&settled.seq) => kept.push(entry.clone()),
            _ => {}
        }
    }
    complete_starts(&mut kept, entries);
    kept
}

/// Gives the first kept start of every snippet its code. A journal has it in the first start alone, which may be left out.
/// Leaves out who approved it.
fn complete_starts(kept: &mut [Entry], entries: &[Entry]) {
    let mut codes: HashMap<&str, &SharedCode> = HashMap::new();
    for started in entries.iter().filter_map(snippet_start) {
        if let Some(code) = &started.code {
            codes.entry(&started.hash).or_insert(code);
        }
    }
    for entry in kept {
        let Entry::Settled(CallSettled { settlement: Settlement::Snippet(started), .. }) = entry else { continue };
        started.approved_by = None;
        let code = codes.remove(started.hash.as_str());
        if started.code.is_none() {
            started.code = code.cloned();
        }
    }
}

/// Returns the calls that were made before another one. Those of snippets are not made in the order of their numbers.
fn earlier_calls(entries: &[Entry], before: CallSeq) -> HashSet<CallSeq> {
    let steps = entries.iter().filter_map(|entry| match entry {
        Entry::Step(step) => Some(step),
        _ => None,
    });
    steps.flat_map(|step| &step.calls).map(|asked| asked.seq).take_while(|seq| *seq != before).collect()
}

/// Returns the entries with the code of snippets prepared again, because a transcript may pair a program with the code of
/// another.
async fn prepare_snippets<'e>(
    host: &Host,
    entries: &'e [Entry],
    timeout: Duration,
) -> Result<Cow<'e, [Entry]>, Failure> {
    let end = host.clock.elapsed().saturating_add(PREPARING);
    let mut entries = Cow::Borrowed(entries);
    for index in 0..entries.len() {
        let Some(code) = snippet_start(&entries[index]).and_then(|started| started.code.as_ref()) else { continue };
        if host.clock.elapsed() > end {
            let message = format!("the snippets of the transcript were not prepared within {PREPARING:?}");
            return Err(Failure::new(Code::Timeout, message));
        }
        let prepared = prepare_by_rules(host, &code.program, timeout).await?;
        let code = SharedCode::new(code.program.clone(), prepared);
        if let Entry::Settled(CallSettled { settlement: Settlement::Snippet(started), .. }) =
            &mut entries.to_mut()[index]
        {
            started.code = Some(code);
        }
    }
    Ok(entries)
}

/// Returns the start of a snippet, if the entry is one.
fn snippet_start(entry: &Entry) -> Option<&SnippetStarted> {
    match entry {
        Entry::Settled(CallSettled { settlement: Settlement::Snippet(started), .. }) => Some(started),
        _ => None,
    }
}

/// Replaces the log messages, the facts and the places of calls by those of the program of the fork.
fn retell(history: &mut [Entry], steps: Vec<RehearsedStep>) {
    let recorded = history.iter_mut().filter_map(|entry| match entry {
        Entry::Step(step) => Some(step),
        _ => None,
    });
    for (step, RehearsedStep { logs, facts, places }) in recorded.zip(steps) {
        (step.logs, step.facts) = (logs, facts);
        for (asked, at) in step.calls.iter_mut().zip(places) {
            asked.at = at;
        }
    }
}

async fn create(host: &Host, id: &ExecutionId, beginning: &Beginning<'_>, history: Vec<Entry>) -> Result<(), Failure> {
    let Some(keeper) = &host.keeper else { return Err(keeps_nothing()) };
    let encoded = encode_beginning(keeper.store.key(), id, beginning)?;
    let (lease, presence) = (Lease::first(id, &keeper.node), keeper.enter(id)?);
    let held = Held { lease, presence, proved: TenureNumber::default() };
    let place = JournalPosition::first(&encoded);
    let owner = beginning.owner.clone().unwrap_or_default();
    let caption = Caption { function: beginning.function.as_deref().map(Arc::from), owner: owner.into() };
    let mut recorder = Recorder::new(keeper, held, Arc::clone(&host.clock), &beginning.limits, caption, place);
    for entry in history {
        recorder.note(entry)?;
    }
    // The head counts the calls of the history.
    let head = recorder.head();
    recorder.create(NewExecution { created: beginning.created, beginning: encoded, head });
    let Err(error) = recorder.confirm().await else { return Ok(()) };
    match recorder.existence().await {
        Existence::Stored => Ok(()),
        Existence::Missing => Err(error.into()),
        Existence::Unknown => {
            let hint = "the store may have the fork: resume it, and fork again only if that fails with `NOT_FOUND`";
            Err(Failure::from(error).hint(hint).detail("executionId", id.as_str()))
        }
    }
}
