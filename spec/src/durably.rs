//! Runs a case as a stored execution through all its passes, each pass in another runtime.

use std::sync::Arc;
use std::time::Duration;

use isobox::journal::{Entry, ResumedFrom};
use isobox::store::Store;
use isobox::{
    CallSeq, CancellationToken, Code, Decisions, ExecutionId, Failure, Isobox, Outcome, Paused, PendingCall, Timestamp,
    Value,
};

use crate::compare::{differ, word};
use crate::process::{Moves, Process, run_kept_among_others};
use crate::runtime::{compare_refusal, keeping_runtime};
use crate::saved::save_snippets;
use crate::session::CaseSession;
use crate::transcripts::check_transcript;
use crate::{Caller, Case, Diary, Fate, Pass, SpecRollback, World, compare, compare_rollback, spoil_checkpoint};

/// Runs a case to its end or to the first difference. `from` is the state that the program is resumed from.
pub async fn run_durably(case: &Case, store: &Arc<dyn Store>, from: ResumedFrom, moves: Moves) -> Result<(), String> {
    if let Some(capacity) = &case.header.capacity {
        return compare(case, &run_kept_among_others(case, capacity, store).await?);
    }
    if case.has_no_runtime() {
        let built = keeping_runtime(case, Arc::clone(store), &World::default())?.build();
        return compare_refusal(case, built.map(drop));
    }
    save_snippets(case, store).await?;
    let (world, diary, session) = (World::default(), Diary::default(), new_session());
    let used = CaseSession::begin(case, store, &session).await?;
    let start = |fate: &Arc<Fate>| Process::start(case, store, &world, &diary, fate, moves);
    let caller = |number: usize, fate: &Arc<Fate>| Caller {
        gives_up: CancellationToken::new(),
        dies: case.header.passes.get(number).filter(|pass| pass.crash).map(|_| Arc::clone(fate)),
    };
    let fate = Fate::endless();
    let mut process = start(&fate)?;
    let mut outcome = process.begin(case, &caller(0, &fate), &session).await?;
    let id = world.execution();
    for (number, pass) in case.header.passes.iter().enumerate() {
        let id = id.as_ref().ok_or("the execution was never stored")?;
        let one = async {
            rest(&process.isobox, pass, outcome.take()).await?;
            if from == ResumedFrom::Journal {
                spoil_checkpoint(&**store, id).await.map_err(|error| error.to_string())?;
            }
            let fate = Fate::endless();
            process = start(&fate)?;
            outcome = match process.resume(id, &caller(number + 1, &fate)).await {
                Some(Err(failure)) => Some(Outcome::refused(id.clone(), failure)),
                resumed => {
                    if pass.end.is_none() {
                        check_way(&process.isobox, id, pass, from).await?;
                    }
                    resumed.transpose().map_err(text)?
                }
            };
            Ok::<_, String>(())
        };
        one.await.map_err(|problem| format!("{}\npass {}: {problem}", case.header.title, number + 1))?;
    }
    let outcome = outcome.ok_or("the process died")?;
    compare(case, &outcome)?;
    diary.compare(case)?;
    let wrongs = match process.isobox.inspect(outcome.execution_id()).await {
        // A program that cannot be prepared is not stored.
        Err(failure) if failure.code == Code::NotFound && outcome.calls().is_empty() => return Ok(()),
        journal => world.wrongs(outcome.execution_id(), &journal.map_err(text)?),
    };
    if !wrongs.is_empty() {
        return Err(wrongs.join("\n"));
    }
    check_transcript(&process.isobox, outcome.execution_id()).await?;
    if let Some(used) = used {
        used.check_end().await?;
    }
    let Some(rollback) = &case.header.rollback else { return Ok(()) };
    let id = outcome.execution_id();
    let rolling = case.in_rollback();
    let start = |fate: &Arc<Fate>| Process::start(&rolling, store, &world, &diary, fate, moves);
    let rolled = roll_back(rollback, store, id, start).await.map_err(|problem| format!("rollback: {problem}"))?;
    compare_rollback(case, rollback, &rolled)?;
    let journal = process.isobox.inspect(id).await.map_err(text)?;
    let wrongs = world.wrongs(id, &journal);
    if wrongs.is_empty() { Ok(()) } else { Err(wrongs.join("\n")) }
}

/// Rolls an execution back to its end, every pass in another process.
async fn roll_back(
    rollback: &SpecRollback,
    store: &Arc<dyn Store>,
    id: &ExecutionId,
    start: impl Fn(&Arc<Fate>) -> Result<Process, String>,
) -> Result<Outcome, String> {
    let caller = |number: usize, fate: &Arc<Fate>| Caller {
        gives_up: CancellationToken::new(),
        dies: rollback.passes.get(number).filter(|pass| pass.crash).map(|_| Arc::clone(fate)),
    };
    let fate = Fate::endless();
    let mut process = start(&fate)?;
    let rolled = process.roll_back(id, rollback.to.as_deref(), &caller(0, &fate)).await;
    let mut outcome = rolled.transpose().map_err(text)?;
    for (number, pass) in rollback.passes.iter().enumerate() {
        rest(&process.isobox, pass, outcome.take())
            .await
            .map_err(|problem| format!("pass {}: {problem}", number + 1))?;
        spoil_checkpoint(&**store, id).await.map_err(|error| error.to_string())?;
        let fate = Fate::endless();
        process = start(&fate)?;
        outcome = process.resume(id, &caller(number + 1, &fate)).await.transpose().map_err(text)?;
    }
    outcome.ok_or_else(|| "the process died".to_owned())
}

fn text(failure: Failure) -> String {
    failure.to_string()
}

/// Returns a unique session key.
pub(crate) fn new_session() -> String {
    use std::hash::{BuildHasher, RandomState};
    format!("session-{:x}", RandomState::new().hash_one(()))
}

/// Compares a paused execution with a pass, and decides.
async fn rest(isobox: &Isobox, pass: &Pass, outcome: Option<Outcome>) -> Result<(), String> {
    let paused = match outcome {
        None if pass.crash => return Ok(()),
        None => return Err("the process died".to_owned()),
        Some(Outcome::Sleeping(sleeping)) if pass.sleeps && pass.pending.is_empty() => {
            return match pass.end {
                Some(end) => end.say(isobox, &sleeping.execution_id, pass.reason.as_deref()).await.map_err(text),
                None => {
                    wait_until(sleeping.until).await;
                    Ok(())
                }
            };
        }
        Some(Outcome::Paused(paused)) if !pass.crash => paused,
        Some(other) => return Err(format!("expected a pause or a crash, not {other:?}")),
    };
    compare_rest(pass, &paused)?;
    let seen = isobox.pending(&paused.execution_id).await.map_err(text)?;
    if seen.pending != paused.pending {
        return Err(format!("the store lists other pending calls: {:?}", seen.pending));
    }
    tokio::time::sleep(pass.takes()?).await;
    if !pass.sleeps {
        return decide(isobox, pass, &paused).await.map_err(text);
    }
    let until = paused.until.ok_or("it does not wait for a timer")?;
    if pass.decides(&paused.pending) {
        return decide(isobox, pass, &paused).await.map_err(text);
    }
    wait_until(until).await;
    Ok(())
}

/// Waits until the clock of this machine has come to a time.
#[expect(clippy::disallowed_methods, reason = "cases are run in real time")]
pub(crate) async fn wait_until(moment: Timestamp) {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    tokio::time::sleep(Duration::from_millis(moment.0).saturating_sub(since)).await;
}

pub(crate) fn compare_rest(pass: &Pass, paused: &Paused) -> Result<(), String> {
    let mut differences = Vec::new();
    let pending = |call: &PendingCall| (call.seq, call.path.clone(), word(&call.kind));
    differ(&mut differences, "pending", &paused.pending.iter().map(pending).collect(), &pass.pending);
    let payloads = paused.pending.iter().filter_map(|call| call.payload.as_ref());
    differ(&mut differences, "payloads", &payloads.map(Value::to_string).collect(), &pass.payloads);
    if let Some(expected) = &pass.inputs {
        let inputs = paused.pending.iter().map(|call| call.input.to_string());
        differ(&mut differences, "inputs", &inputs.collect(), expected);
    }
    if let Some(expected) = &pass.calls {
        let calls = paused.calls.iter().map(|call| (call.path.clone(), word(&call.state)));
        differ(&mut differences, "calls", &calls.collect(), expected);
    }
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
}

async fn decide(isobox: &Isobox, pass: &Pass, paused: &Paused) -> Result<(), Failure> {
    let id = &paused.execution_id;
    match pass.end {
        Some(end) => end.say(isobox, id, pass.reason.as_deref()).await,
        None => isobox.decide(id, decisions(pass, paused)).await,
    }
}

/// Returns the decisions of a pass about what was shown.
pub(crate) fn decisions(pass: &Pass, paused: &Paused) -> Decisions {
    let decisions = match pass.verdict_about_all() {
        Some(verdict) => Decisions::about_all("ada", paused.revision, verdict),
        None => Decisions::new("ada", verdicts(pass, &paused.pending)).shown_at(paused.revision),
    };
    decisions.remember(pass.remember)
}

fn verdicts(pass: &Pass, pending: &[PendingCall]) -> Vec<(CallSeq, isobox::journal::Verdict)> {
    let verdict = |call: &PendingCall| Some((call.seq, pass.verdict(call.seq).ok()??));
    pending.iter().filter_map(verdict).collect()
}

/// Checks that the program was resumed from the intended state.
async fn check_way(isobox: &Isobox, id: &ExecutionId, pass: &Pass, from: ResumedFrom) -> Result<(), String> {
    let usual = if pass.crash { ResumedFrom::Journal } else { ResumedFrom::Snapshot };
    let expected = match from {
        ResumedFrom::Journal => ResumedFrom::Journal,
        ResumedFrom::Snapshot => pass.resumes_from.unwrap_or(usual),
    };
    let journal = isobox.inspect(id).await.map_err(text)?;
    let mut ways = journal.entries.iter().rev().filter_map(|entry| match entry {
        Entry::Resumed(resumed) => Some(resumed.from),
        _ => None,
    });
    match ways.next() {
        Some(way) if way == expected => Ok(()),
        other => Err(format!("the execution was resumed from {other:?}, not from {expected:?}")),
    }
}
