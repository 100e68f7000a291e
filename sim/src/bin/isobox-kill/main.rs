//! Repeatedly kills a process that runs durable executions, and checks that nothing is lost or done twice.
//!
//! The process is this program itself, started as a worker. It keeps a number of executions running in a database. The
//! effect of a tool call is a line in a file. To settle a call in doubt, the worker looks into that file, as a person
//! would look at the world.

mod effects;
mod freeze;
mod held_back;
mod impatient;
mod processes;
mod settings;
mod sleepers;
mod verdict;
mod worker;

use std::process::ExitCode;
use std::time::Duration;

use isobox_sim::random::Random;

use processes::{finish, start, wait_for_effects, wait_until_ready};
use settings::{Role, Settings, USAGE, open, settings};

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

async fn kill(settings: &Settings) -> Result<(), String> {
    let mut random = Random::new(settings.seed);
    freeze::freeze(settings, &mut random).await?;
    held_back::hold_back(settings, &mut random).await?;
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
    let Settings { kills, freezes, held_back, .. } = settings;
    println!("{kills} kills, {freezes} freezes, {held_back} held back; {report}");
    Ok(())
}
