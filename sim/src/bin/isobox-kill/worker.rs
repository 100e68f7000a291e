//! The process that is killed.

use std::fs::File;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use isobox::journal::Verdict;
use isobox::store::Timing;
use isobox::store::{Filter, State, Store};
use isobox::{
    Code, Decisions, ExecutionId, Failure, Interrupted, Isobox, Outcome, PendingKind, Program, Run, Tool, ToolError,
    json,
};
use isobox::{Resume, Resumed};
use isobox_sim::random::hash;
use tokio::task::JoinSet;

use crate::effects::{Effects, open as open_effects, take_effect};
use crate::freeze;
use crate::impatient::Impatient;
use crate::settings::{Role, Settings, open};

/// The program of every execution: sequential and concurrent calls, some of which need approval.
pub(crate) const PROGRAM: &str = "
let sum = 0;
for (let n = 0; n < 12; n++) {
  const [one, two] = await Promise.all([tools.world.put({ n }), tools.world.get({ n })]);
  sum += one + two;
  if (n % 4 === 3) sum += await tools.world.pay({ n });
}
return sum;";

/// The result of the program.
pub(crate) const RESULT: u64 = 66 + 78 + 3 * 7;

/// The number of its calls that must not be repeated.
pub(crate) const PUTS_AND_PAYS: usize = 12 + 3;

/// The interval for checking whether the lease of another worker has expired.
const AGAIN: Duration = Duration::from_millis(50);

/// Returns the result of a call.
fn gives(path: &str, n: u64) -> u64 {
    match path {
        "world.put" => n,
        "world.get" => n + 1,
        _ => 7,
    }
}

pub(crate) async fn work(settings: &Settings) -> Result<(), String> {
    let told = |failure: Failure| failure.to_string();
    let store = open(&settings.store).await.map_err(told)?;
    let is_alone = settings.role != Role::Rival;
    let store: Arc<dyn Store> = if is_alone { Arc::new(Impatient(store)) } else { store };
    // A single worker knows that all others are dead.
    let timing = if is_alone { Timing::default().doubt(Duration::ZERO) } else { freeze::timing() };
    let file = Arc::new(open_effects(&settings.effects)?);
    let isobox = Isobox::builder()
        .store(store)
        .timing(timing)
        .tool(tool("world.put", &file, settings.role).map_err(told)?)
        .tool(tool("world.get", &file, settings.role).map_err(told)?.idempotent(true))
        .tool(tool("world.pay", &file, settings.role).map_err(told)?.with_approval())
        .max_live(NonZeroU32::new(64).expect("it is not zero"))
        .build()
        .map_err(told)?;
    let not_over = [State::Running, State::Orphaned, State::Paused, State::Decided].into_iter();
    let left = isobox.executions(not_over.fold(Filter::newest(u32::MAX), Filter::with)).await.map_err(told)?.executions;
    println!("{} executions are left", left.len());
    let mut going = JoinSet::new();
    for listed in left {
        going.spawn(finish(isobox.clone(), listed.id, settings.clone()));
    }
    loop {
        while settings.role != Role::Finisher && going.len() < settings.executions {
            let (isobox, settings) = (isobox.clone(), settings.clone());
            going.spawn(async move {
                let outcome = isobox.run(Run::new(Program::single(PROGRAM)).durable()).await;
                match outcome {
                    Outcome::Paused(paused) => finish(isobox, paused.execution_id, settings).await,
                    outcome => is_right(&outcome, settings.role),
                }
            });
        }
        match going.join_next().await {
            None => return Ok(()),
            Some(Ok(done)) => done?,
            Some(Err(panic)) => return Err(panic.to_string()),
        }
    }
}

pub(crate) fn tool(path: &'static str, file: &Arc<File>, role: Role) -> Result<Tool, Failure> {
    let (file, is_rival) = (Arc::clone(file), matches!(role, Role::Rival | Role::Sleeper | Role::Waker));
    Tool::with_call(path, move |call| {
        let file = Arc::clone(&file);
        async move {
            // Long enough to be killed during the call, before or after it took effect.
            let chance = hash(u64::from(std::process::id()), &call.context.key());
            if !is_rival {
                // A worker that is only frozen would carry it out when it thaws, so such a tool needs the fencing
                // token.
                tokio::time::sleep(Duration::from_millis(chance % 12)).await;
            }
            take_effect(&file, &call.context.key()).map_err(ToolError::internal)?;
            tokio::time::sleep(Duration::from_millis(chance / 12 % 12)).await;
            Ok(json!(gives(path, call.input["n"].as_u64().unwrap_or_default())))
        }
    })
}

/// Resumes an execution and decides about its calls until it has ended.
async fn finish(isobox: Isobox, id: ExecutionId, settings: Settings) -> Result<(), String> {
    loop {
        let resumed = match decide(&isobox, &id, &settings).await? {
            NextStep::Over => return Ok(()),
            NextStep::Waits => {
                tokio::time::sleep(AGAIN).await;
                continue;
            }
            NextStep::GoesOn => {
                isobox.resume(&id, Resume::default()).await.map_err(|failure| format!("{id}: {failure}"))?
            }
        };
        match resumed {
            Resumed::Here(outcome) if matches!(*outcome, Outcome::Paused(_)) => {}
            Resumed::Here(outcome) => return is_right(&outcome, settings.role),
            // Its process may be frozen; then its lease expires.
            Resumed::Elsewhere if settings.role == Role::Rival => tokio::time::sleep(AGAIN).await,
            Resumed::Elsewhere => {
                return Err(format!("{id}: another process holds it, although this is the only worker"));
            }
        }
    }
}

pub(crate) enum NextStep {
    GoesOn,
    /// A call in doubt may still happen.
    Waits,
    Over,
}

pub(crate) async fn decide(isobox: &Isobox, id: &ExecutionId, settings: &Settings) -> Result<NextStep, String> {
    let paused = match isobox.pending(id).await {
        Ok(paused) => paused,
        Err(failure) if failure.code == Code::Conflict => return Ok(NextStep::Over),
        Err(failure) => return Err(format!("{id}: {failure}")),
    };
    let effects = Effects::read(&settings.effects)?;
    let mut verdicts = Vec::new();
    for call in &paused.pending {
        let verdict = match call.kind {
            PendingKind::InDoubt if effects.times(&format!("{id}:{}", call.seq)) > 0 => {
                Verdict::Happened(json!(gives(&call.path, call.input["n"].as_u64().unwrap_or_default())))
            }
            PendingKind::InDoubt => Verdict::DidNotHappen,
            _ => Verdict::Approve,
        };
        verdicts.push((call.seq, verdict));
    }
    if verdicts.is_empty() {
        return Ok(NextStep::GoesOn);
    }
    match isobox.decide(id, Decisions::new("ada", verdicts)).await {
        Ok(()) => Ok(NextStep::GoesOn),
        Err(failure) if failure.details.contains_key("notBefore") => Ok(NextStep::Waits),
        // It was decided before the process was killed.
        Err(failure) if failure.code == Code::Conflict => Ok(NextStep::GoesOn),
        Err(failure) => Err(format!("{id}: {failure}")),
    }
}

fn is_right(outcome: &Outcome, role: Role) -> Result<(), String> {
    match outcome {
        // Another worker has taken over.
        Outcome::Interrupted(Interrupted { error, .. }) if role == Role::Rival && error.code == Code::Conflict => {
            Ok(())
        }
        Outcome::Completed(completed) if completed.result == RESULT => Ok(()),
        outcome => Err(format!("unexpected outcome: {outcome:?}")),
    }
}
