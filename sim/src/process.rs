//! A simulated process: what it needs to run executions, and what it does beside.

use std::sync::{Arc, Mutex};

use isobox_core::{Capacity, Code, Failure, Host, Outcome};

use crate::clock::SimClock;
use crate::random::Random;
use crate::store::Life;
use crate::trace::Trace;

/// A process that lives.
pub struct Process {
    /// Its number.
    pub number: u32,
    /// Whether it still does.
    pub life: Arc<Life>,
    /// What runs executions in it.
    pub host: Host,
    /// The task that says that it is alive.
    pub heart: u64,
}

/// So often it says so, in milliseconds.
pub const BEAT: u64 = 10_000;

/// Says that a process is alive.
pub async fn beat(host: &Host) -> Result<(), Failure> {
    match &host.keeper {
        Some(keeper) => Ok(keeper.keep_alive().await?),
        None => Err(Failure::new(Code::Config, "it has a store")),
    }
}

/// Takes a place now and then, so that programs which wait for long have to give theirs up.
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

/// Keeps what somebody was told who ran an execution.
pub fn tell(trace: &Trace, told: &Mutex<Vec<Result<Outcome, Failure>>>, outcome: Result<Outcome, Failure>) {
    let (what, code) = match &outcome {
        Ok(Outcome::Completed(_)) => ("told: completed", ""),
        Ok(Outcome::Paused(_)) => ("told: paused", ""),
        Ok(Outcome::Failed(failed)) => ("told: failed", failed.error.code.as_str()),
        Ok(Outcome::Interrupted(interrupted)) => ("told: interrupted", interrupted.error.code.as_str()),
        Ok(_) => ("told: something else", ""),
        Err(failure) => ("told: not resumed", failure.code.as_str()),
    };
    trace.count(what, code);
    told.lock().expect("nobody panics while holding it").push(outcome);
}
