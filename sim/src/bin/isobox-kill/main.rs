//! Repeatedly kills a process that runs durable executions, and checks that nothing is lost or done twice.
//!
//! The process is this program itself, started as a worker. It keeps a number of executions running in a database. The
//! effect of a tool call is a line in a file. To settle a call in doubt, the worker looks into that file, as a person
//! would look at the world.

mod effects;
mod freeze;
mod impatient;
mod sleepers;
mod verdict;
mod worker;

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::Duration;

use isobox::store::Store;
use isobox_core::Failure;
use isobox_sim::random::Random;
use isobox_store::{DatabaseStore, KeySource};

const USAGE: &str =
    "usage: isobox-kill --store (sqlite:FILE | postgres://…) --effects FILE [--kills N] [--freezes N] [--executions N] [--seed N]
       isobox-kill --store … --effects FILE --sleepers N [--executions N] [--seed N]
  --kills N         kill the worker N times (default: 500)
  --freezes N       freeze a worker N times, each time until another worker has taken over (default: 20)
  --sleepers N      kill a worker whose executions sleep N times, and nothing else
  --executions N    keep N executions running or asleep at once (default: 50)
  --seed N          choose the times of the kills; what a worker does at that time still varies (default: 1)";

#[derive(Debug, Clone)]
struct Settings {
    store: String,
    effects: PathBuf,
    kills: u32,
    freezes: u32,
    sleepers: u32,
    executions: usize,
    seed: u64,
    role: Role,
}

/// The role of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Kills workers.
    Killer,
    /// Keeps executions running until it is killed.
    Worker,
    /// A worker beside others that may be frozen, with real leases.
    Rival,
    /// Finishes the remaining executions.
    Finisher,
    /// Keeps executions asleep until it is killed.
    Sleeper,
    /// Wakes the remaining executions.
    Waker,
}

fn main() -> ExitCode {
    let Some(settings) = settings(std::env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let done = match settings.role {
        Role::Killer if settings.sleepers > 0 => runtime.block_on(sleepers::kill(&settings)),
        Role::Killer => runtime.block_on(kill(&settings)),
        Role::Worker | Role::Rival | Role::Finisher => runtime.block_on(worker::work(&settings)),
        Role::Sleeper | Role::Waker => runtime.block_on(sleepers::work(&settings)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn settings(mut arguments: impl Iterator<Item = String>) -> Option<Settings> {
    let mut settings = Settings {
        store: String::new(),
        effects: PathBuf::new(),
        kills: 500,
        freezes: 20,
        sleepers: 0,
        executions: 50,
        seed: 1,
        role: Role::Killer,
    };
    while let Some(name) = arguments.next() {
        let value = arguments.next()?;
        match name.as_str() {
            "--store" => settings.store = value,
            "--effects" => settings.effects = value.into(),
            "--kills" => settings.kills = value.parse().ok()?,
            "--executions" => settings.executions = value.parse().ok()?,
            "--seed" => settings.seed = value.parse().ok()?,
            "--freezes" => settings.freezes = value.parse().ok()?,
            "--sleepers" => settings.sleepers = value.parse().ok()?,
            "--role" => {
                settings.role = match value.as_str() {
                    "worker" => Role::Worker,
                    "rival" => Role::Rival,
                    "sleeper" => Role::Sleeper,
                    "waker" => Role::Waker,
                    _ => Role::Finisher,
                };
            }
            _ => return None,
        }
    }
    (!settings.store.is_empty() && !settings.effects.as_os_str().is_empty()).then_some(settings)
}

async fn open(store: &str) -> Result<Arc<dyn Store>, Failure> {
    Ok(match store.strip_prefix("sqlite:") {
        Some(path) => Arc::new(DatabaseStore::sqlite(path).await?),
        None => Arc::new(DatabaseStore::postgres(store, KeySource::Database).await?),
    })
}

/// The time limit of the last worker for the remaining executions.
const PATIENCE: Duration = Duration::from_secs(300);

async fn kill(settings: &Settings) -> Result<(), String> {
    let mut random = Random::new(settings.seed);
    freeze::freeze(settings, &mut random).await?;
    for kill in 1..=settings.kills {
        let mut worker = start(settings, "worker")?;
        // Sometimes before the worker has opened its database, mostly later, independent of the speed of the machine.
        if random.percent(90) {
            wait_until_ready(&mut worker)?;
            wait_for_effects(settings, random.below(40)).await;
        }
        tokio::time::sleep(Duration::from_millis(random.below(20))).await;
        if let Some(status) = worker.try_wait().map_err(|error| error.to_string())? {
            return Err(format!("a worker ended by itself: {status}"));
        }
        worker.kill().and_then(|()| worker.wait()).map_err(|error| error.to_string())?;
        if kill % 50 == 0 {
            println!("{kill} kills, {} effects", effects::Effects::read(&settings.effects)?.count());
        }
    }
    finish(settings, "finisher").await?;
    let store = open(&settings.store).await.map_err(|failure| failure.to_string())?;
    let report = verdict::look(&*store, &settings.effects).await?;
    println!("{} kills, {} freezes; {report}", settings.kills, settings.freezes);
    Ok(())
}

/// Lets a worker that is not killed finish the remaining executions.
async fn finish(settings: &Settings, role: &str) -> Result<(), String> {
    let mut last = start(settings, role)?;
    let mut waited = Duration::ZERO;
    let status = loop {
        if let Some(status) = last.try_wait().map_err(|error| error.to_string())? {
            break status;
        }
        if waited > PATIENCE {
            last.kill().map_err(|error| error.to_string())?;
            return Err(format!("something is stuck: the last worker did not end within {PATIENCE:?}"));
        }
        let pause = Duration::from_millis(50);
        tokio::time::sleep(pause).await;
        waited += pause;
    };
    if !status.success() {
        return Err(format!("the last worker failed: {status}"));
    }
    Ok(())
}

fn wait_until_ready(worker: &mut Child) -> Result<(), String> {
    let output = worker.stdout.take().ok_or("a worker has an output")?;
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line).map_err(|error| error.to_string())?;
    if line.is_empty() { Err("a worker ended before it was ready".to_owned()) } else { Ok(()) }
}

/// Waits until the given number of further effects were recorded, with a time limit.
async fn wait_for_effects(settings: &Settings, more: u64) {
    // The approximate length of a line.
    const LINE: u64 = 53;
    let size = || std::fs::metadata(&settings.effects).map(|file| file.len()).unwrap_or_default();
    let wanted = size() + more * LINE;
    for _ in 0..200 {
        if size() >= wanted {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn start(settings: &Settings, role: &str) -> Result<Child, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    Command::new(program)
        .args(["--store", &settings.store, "--role", role])
        .args(["--executions", &settings.executions.to_string()])
        .arg("--effects")
        .arg(&settings.effects)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("the worker cannot be started: {error}"))
}
