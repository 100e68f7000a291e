//! A simulated process: what it needs to run executions, and its background work.

use std::sync::{Arc, Mutex};

use isobox_core::{Capacity, Code, Failure, Host, Outcome};

use crate::clock::SimClock;
use crate::random::Random;
use crate::store::Life;
use crate::trace::Trace;

/// A live process.
pub struct Process {
    /// The number of the process.
    pub number: u32,
    /// Whether the process is alive.
    pub life: Arc<Life>,
    /// The host that runs executions.
    pub host: Host,
    /// The heartbeat task.
    pub heart: u64,
}

/// The heartbeat interval in milliseconds.
pub const BEAT: u64 = 10_000;

/// Sends the heartbeat of a process.
pub async fn beat(host: &Host) -> Result<(), Failure> {
    match &host.keeper {
        Some(keeper) => Ok(keeper.keep_alive().await?),
        None => Err(Failure::new(Code::Config, "it has a store")),
    }
}

/// Takes capacity now and then, so that programs that wait for long have to give theirs up.
pub async fn compete(capacity: Capacity, mut random: Random, clock: SimClock, trace: Trace) {
    for _ in 0..12 {
        clock.sleep(random.below(400)).await;
        if let Ok(permit) = capacity.admit().await {
            trace.count("place taken by another", "");
            clock.sleep(random.below(150)).await;
            drop(permit);
        }
    }
}

/// Records the outcome that a caller got.
pub fn tell(trace: &Trace, told: &Mutex<Vec<Result<Outcome, Failure>>>, outcome: Result<Outcome, Failure>) {
    let (what, code) = match &outcome {
        Ok(Outcome::Completed(_)) => ("told: completed", ""),
        Ok(Outcome::Paused(_)) => ("told: paused", ""),
        Ok(Outcome::Sleeping(_)) => ("told: sleeping", ""),
        Ok(Outcome::Failed(failed)) => ("told: failed", failed.error.code.as_str()),
        Ok(Outcome::RolledBack(rolled_back)) if rolled_back.failed.is_empty() => ("told: rolled back", ""),
        Ok(Outcome::RolledBack(_)) => ("told: rolled back in part", ""),
        Ok(Outcome::Interrupted(interrupted)) => ("told: interrupted", interrupted.error.code.as_str()),
        Ok(_) => ("told: something else", ""),
        Err(failure) => ("told: not resumed", failure.code.as_str()),
    };
    trace.count(what, code);
    told.lock().expect("no holder of the lock panics").push(outcome);
}

/// Waits until a caller has waited for so many milliseconds and cancels; never ends where the caller waits for ever.
pub async fn cancel_after(patience: Option<u64>, clock: SimClock, trace: Trace) {
    match patience {
        Some(patience) => clock.sleep(patience).await,
        None => std::future::pending().await,
    }
    trace.count("cancelled", "");
}
