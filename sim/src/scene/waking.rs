//! Sleeping executions: any process may find in the store what is due, and wake it.

use std::sync::Arc;

use isobox_core::{Clock, Failure, Means, Outcome, resume};

use super::{OUTAGE_WAIT, Scene};
use crate::process::{beat, tell};

/// The maximum number of executions that are read at once. There are more in some worlds.
const PAGE: u32 = 2;
/// The maximum time until a process looks again, in milliseconds.
const LOOK: u64 = 8_000;

impl Scene {
    /// Wakes everything that is due, in one of the processes. Waits if nothing is.
    pub(super) fn wake(&mut self, which: usize) {
        let place = self.process();
        let (host, trace, clock) = (self.processes[place].host.clone(), self.trace.clone(), self.shared.clock.clone());
        let told: Vec<_> = self.subjects.iter().map(|one| (one.id.clone(), Arc::clone(&one.told))).collect();
        self.trace.count("looks for what is due", format_args!("in process {}", self.processes[place].number));
        let task = async move {
            if beat(&host).await.is_err() {
                return clock.sleep(OUTAGE_WAIT).await;
            }
            let Some(keeper) = &host.keeper else { return };
            let Ok(agenda) = keeper.store.due(clock.now(), None, PAGE).await else {
                return clock.sleep(LOOK).await;
            };
            let mut has_failed = false;
            for due in &agenda.due {
                let outcome =
                    resume(&host, &due.id, Means::default(), std::future::pending()).await.map_err(Failure::from);
                has_failed |= outcome.is_err();
                trace.count(if outcome.is_ok() { "woken" } else { "not woken" }, &due.id);
                if let Some((_, told)) = told.iter().find(|(id, _)| *id == due.id) {
                    tell(&trace, told, outcome);
                }
            }
            if has_failed {
                clock.sleep(LOOK).await;
            } else if agenda.due.is_empty() {
                let left = agenda.next.map_or(LOOK, |next| next.0.saturating_sub(clock.now().0));
                clock.sleep(left.clamp(1, LOOK)).await;
            }
        };
        self.run(which, place, task);
    }

    /// Tells whether what is due is to be woken now, instead of resuming one execution.
    pub(super) fn looks_for_due(&mut self) -> bool {
        self.sleepy.as_mut().is_some_and(|random| random.percent(50))
    }
}

/// Returns for how long a caller waits before it tries again, in milliseconds.
pub(super) fn pause_after(outcome: &Result<Outcome, Failure>, now: u64) -> Option<u64> {
    match outcome {
        Err(_) => Some(LOOK),
        Ok(Outcome::Sleeping(sleeping)) => Some(sleeping.until.0.saturating_sub(now)),
        Ok(_) => None,
    }
}
