//! Kills processes while many executions sleep, and checks that none is lost and none is woken twice.
//!
//! A worker keeps a number of executions asleep, and its scheduler wakes those that are due. After each sleep, a program
//! makes a call that must not be repeated. Leases are real: what a killed worker held is woken once its lease has expired.

use std::collections::HashSet;
use std::fmt;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use isobox::journal::{Ending, Entry, Question};
use isobox::store::{Filter, State, Store};
use isobox::{ExecutionId, Failure, Isobox, Limits, Outcome, Program, Resume, Resumed, Run};
use isobox_core::inspect;
use isobox_sim::random::Random;
use isobox_sim::sleep::wrongs;
use tokio::task::JoinSet;

use crate::effects::{Effects, open as open_effects};
use crate::freeze;
use crate::processes::{finish, start, wait_until_ready};
use crate::settings::{Role, Settings, open};
use crate::worker::{NextStep, decide, tool};

/// The program of every execution. It sleeps for two to five seconds at a time.
const PROGRAM: &str = "
let sum = 0;
for (let n = 0; n < 4; n++) {
  await new Promise((done) => setTimeout(done, 2100 + Math.floor(Math.random() * 2900)));
  sum += await tools.world.put({ n });
}
return sum;";

/// The result of the program.
const RESULT: u64 = 6;
/// The number of its sleeps, and of its calls.
const SLEEPS: usize = 4;
/// The interval for looking for executions that do not sleep and that no process runs.
const LOOK: Duration = Duration::from_millis(100);
/// On a busy machine a step may take longer than a sleep, so that time is not compared. The simulation does.
const SLACK: u64 = u64::MAX;
/// The age that an execution may reach.
const LIFETIME: Duration = Duration::from_hours(24);

/// Kills workers, and checks every execution at the end.
pub(crate) async fn kill(settings: &Settings) -> Result<(), String> {
    let mut random = Random::new(settings.seed);
    for kill in 1..=settings.sleepers {
        let mut worker = start(settings, "sleeper")?;
        wait_until_ready(&mut worker)?;
        tokio::time::sleep(Duration::from_millis(random.below(2_500))).await;
        if let Some(status) = worker.try_wait().map_err(|error| error.to_string())? {
            return Err(format!("a worker ended by itself: {status}"));
        }
        worker.kill().and_then(|()| worker.wait()).map_err(|error| error.to_string())?;
        if kill % 10 == 0 {
            println!("{kill} kills, {} effects", Effects::read(&settings.effects)?.count());
        }
    }
    finish(settings, "waker").await?;
    let store = open(&settings.store).await.map_err(|failure| failure.to_string())?;
    let report = look(&*store, &settings.effects).await?;
    println!("{} kills of workers with {} sleepers; {report}", settings.sleepers, settings.executions);
    Ok(())
}

/// Keeps executions asleep until this process is killed, or finishes those that are left.
pub(crate) async fn work(settings: &Settings) -> Result<(), String> {
    let told = |failure: Failure| failure.to_string();
    let file = Arc::new(open_effects(&settings.effects)?);
    let isobox = Isobox::builder()
        .store(open(&settings.store).await.map_err(told)?)
        .timing(freeze::timing())
        .limits(Limits::default().lifetime(LIFETIME))
        .tool(tool("world.put", &file, settings.role).map_err(told)?)
        .max_live(NonZeroU32::new(64).expect("it is not zero"))
        .build()
        .map_err(told)?;
    let _scheduler = isobox.start_scheduler().map_err(told)?;
    let states = [State::Running, State::Orphaned, State::Paused, State::Decided, State::Sleeping];
    let not_over = states.into_iter().fold(Filter::newest(u32::MAX), Filter::with);
    let (mut going, mut known) = (JoinSet::new(), HashSet::new());
    println!("ready");
    loop {
        let left = isobox.executions(not_over.clone()).await.map_err(told)?.executions;
        let is_last = settings.role == Role::Waker;
        if is_last && left.is_empty() {
            return Ok(());
        }
        let missing = if is_last { 0 } else { settings.executions.saturating_sub(left.len()) };
        for _ in 0..missing {
            let isobox = isobox.clone();
            going.spawn(async move { (None, begin(&isobox).await) });
        }
        // Those that sleep are woken by the scheduler.
        let is_stuck = |state: State| matches!(state, State::Orphaned | State::Paused | State::Decided);
        for listed in left.into_iter().filter(|one| is_stuck(one.state())) {
            if known.insert(listed.id.clone()) {
                let (isobox, settings) = (isobox.clone(), settings.clone());
                going.spawn(async move { (Some(listed.id.clone()), go_on(&isobox, &listed.id, &settings).await) });
            }
        }
        tokio::time::sleep(LOOK).await;
        while let Some(ended) = going.try_join_next() {
            let (id, done) = ended.map_err(|panic| panic.to_string())?;
            done?;
            known.retain(|one| Some(one) != id.as_ref());
        }
    }
}

async fn begin(isobox: &Isobox) -> Result<(), String> {
    is_right(&isobox.run(Run::new(Program::single(PROGRAM)).durable()).await)
}

/// Settles the calls in doubt of an execution, and resumes it until it sleeps or has ended.
async fn go_on(isobox: &Isobox, id: &ExecutionId, settings: &Settings) -> Result<(), String> {
    match decide(isobox, id, settings).await? {
        NextStep::Over | NextStep::Waits => return Ok(()),
        NextStep::GoesOn => {}
    }
    match isobox.resume(id, Resume::default()).await {
        Ok(Resumed::Here(outcome)) => is_right(&outcome),
        // The scheduler was faster, or the lease of a killed process has not expired.
        Ok(Resumed::Elsewhere) => Ok(()),
        Err(failure) if failure.code == isobox::Code::Conflict => Ok(()),
        Err(failure) => Err(format!("{id}: {failure}")),
    }
}

fn is_right(outcome: &Outcome) -> Result<(), String> {
    match outcome {
        Outcome::Sleeping(_) | Outcome::Paused(_) => Ok(()),
        Outcome::Completed(completed) if completed.result == RESULT => Ok(()),
        outcome => Err(format!("unexpected outcome: {outcome:?}")),
    }
}

/// The totals of all executions.
#[derive(Default)]
struct Report {
    executions: usize,
    sleeps: usize,
    resumed: usize,
    in_doubt: usize,
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { executions, sleeps, resumed, in_doubt } = self;
        write!(
            formatter,
            "{executions} executions completed, {sleeps} sleeps, {resumed} resumes, {in_doubt} in doubt; none lost, none woken \
             twice"
        )
    }
}

/// Checks that every execution has ended, that every timer fired once and in time, and that every call was made once.
async fn look(store: &dyn Store, effects: &Path) -> Result<Report, String> {
    let effects = Effects::read(effects)?;
    let mut report = Report::default();
    let mut page = Filter::newest(500);
    loop {
        let listed = store.list(page.clone()).await.map_err(|failure| failure.to_string())?;
        if let Some(row) = listed.unreadable.first() {
            return Err(format!("{}: {}", row.id, row.reason));
        }
        for one in &listed.executions {
            let id = &one.id;
            let inspected = inspect(store, id).await.map_err(|failure| format!("{id}: {failure}"))?;
            if let Some(wrong) = wrongs(&inspected.entries, false, SLACK).first() {
                return Err(format!("{id}: {wrong}"));
            }
            match inspected.state.ended.map(|ended| ended.how) {
                Some(Ending::Completed(result)) if result == RESULT => report.executions += 1,
                other => return Err(format!("{id} is not what it should be: {other:?}")),
            }
            let once = |seq: &isobox::CallSeq| effects.times(&format!("{id}:{seq}")) == 1;
            let done = inspected.state.calls.iter().filter(|call| once(&call.seq)).count();
            if done != SLEEPS || inspected.state.calls.len() != SLEEPS {
                return Err(format!("{id} did {done} things of {SLEEPS}"));
            }
            for entry in &inspected.entries {
                match entry {
                    Entry::Asked(asked) => report.in_doubt += usize::from(asked.question == Question::InDoubt),
                    Entry::Paused(pause) => report.sleeps += usize::from(pause.until.is_some()),
                    Entry::Resumed(_) => report.resumed += 1,
                    _ => {}
                }
            }
        }
        match listed.next {
            Some(next) => page = page.after(next),
            None => break,
        }
    }
    // A call of an execution that the store has lost would be left.
    if effects.count() != report.executions * SLEEPS {
        return Err(format!("{} calls took effect, in {} executions", effects.count(), report.executions));
    }
    Ok(report)
}
