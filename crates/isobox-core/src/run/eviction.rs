//! Giving up the place of a program that waits, for others that have none, and coming back when it goes on.

use std::sync::Arc;
use std::time::Duration;

use crate::durable::resumption::Resumption;
use crate::journal::checkpoint;
use crate::program::Prepared;
use crate::run::capacity::{Evicted, Idle};
use crate::run::explain::timed_out;
use crate::run::run_loop::{Run, Stop};
use crate::run::waiting::until;
use crate::store::failures::lease_lost;
use crate::{Failure, Snapshot};

/// So long a program has to wait before its place can be asked for: what answers sooner is not worth the way.
const IDLE_AFTER: Duration = Duration::from_millis(100);

/// A program that waits, outside the sandbox.
pub(crate) struct Away {
    state: Kept,
    /// The processor time that it had used.
    pub(crate) cpu_used: Duration,
    _counted: Evicted,
}

enum Kept {
    /// In memory: the execution is not kept, or has seen a value that must not be.
    Here(Snapshot),
    /// With its journal.
    Stored,
}

impl Run<'_> {
    /// What asks for the place, once the program has waited for long enough; and when that will be, otherwise.
    pub(crate) fn idle(&mut self, now: Duration) -> (Option<Idle>, Duration) {
        let since = *self.waiting_since.get_or_insert(now);
        let idle_at = since.saturating_add(IDLE_AFTER);
        match &self.permit {
            None => (None, Duration::MAX),
            Some(_) if !self.is_movable => (None, Duration::MAX),
            Some(_) if now < idle_at => (None, idle_at),
            Some(permit) => (Some(permit.idle()), Duration::MAX),
        }
    }

    /// Gives up the place. Where the state of the program is too large to be kept, it stays where it is.
    pub(crate) async fn make_room(&mut self) -> Result<(), Failure> {
        let Some(instance) = &mut self.instance else { return Ok(()) };
        let Some(snapshot) = instance.snapshot(self.execution.limits.snapshot) else {
            // Nor is it asked again before it has gone on.
            self.is_movable = false;
            return Ok(());
        };
        let cpu_used = instance.cpu_used();
        let is_stored = self.store_away(&snapshot).await?;
        let size = if is_stored { 0 } else { snapshot.bytes.len() as u64 };
        let state = if is_stored { Kept::Stored } else { Kept::Here(snapshot) };
        self.away = Some(Away { state, cpu_used, _counted: self.host.capacity.evicted(size) });
        self.instance = None;
        self.permit = None;
        Ok(())
    }

    /// Whether the state of the program is in the store now.
    async fn store_away(&mut self, snapshot: &Snapshot) -> Result<bool, Failure> {
        let counted = self.bridge.counted();
        let Some(recorder) = self.recorder.as_mut().filter(|recorder| !recorder.standing().is_ephemeral) else {
            return Ok(false);
        };
        recorder.confirm().await?;
        let (key, place, standing) = (recorder.store.key(), recorder.place(), recorder.standing());
        let Some(made) = checkpoint::encode(key, &self.execution.id, place, (standing, counted), snapshot) else {
            return Ok(false);
        };
        let saved = recorder.keep_checkpoint(made).await;
        if let Err(failure) = &saved {
            tracing::warn!(execution = %self.execution.id, %failure, "its state is kept in memory");
        }
        Ok(saved.is_ok())
    }

    /// Where the program cannot come back, this process does not go on; an execution that is kept is not over.
    fn heed<T>(&mut self, answer: Result<T, Failure>) -> Result<T, Failure> {
        match &mut self.recorder {
            Some(recorder) => recorder.heed(answer),
            None => answer,
        }
    }

    /// Takes a place again, where it was given up.
    pub(crate) async fn come_back(&mut self, program: &Arc<Prepared>) -> Result<(), Stop> {
        let Some(away) = self.away.take() else { return Ok(()) };
        // What came of calls is not lost with a program that cannot come back.
        self.hand_over();
        let admitted = until(&*self.host.clock, self.deadline, self.host.capacity.readmit()).await;
        let permit = self.heed(admitted.ok_or_else(|| timed_out(&self.execution.limits))?)?;
        match &away.state {
            Kept::Here(snapshot) => {
                let restored = self.host.driver.restore(snapshot, self.start_options(&permit));
                self.instance = Some(self.heed(restored)?);
            }
            Kept::Stored => {
                let Some(recorder) = &mut self.recorder else { return Ok(()) };
                let id = &self.execution.id;
                recorder.confirm().await?;
                let (_, seal, _) = recorder.place();
                let loaded = recorder.ask(|store| async move { Resumption::load(&*store, id).await }).await;
                // Another process may have gone on with it: its journal says nothing about the program of this one.
                let is_ours = |loaded: &Resumption| loaded.place.seal == seal;
                let loaded = loaded.and_then(|loaded| if is_ours(&loaded) { Ok(loaded) } else { Err(lease_lost(id)) });
                self.excuse_store();
                let (kept, entries) = self.heed(loaded)?.into_state();
                let back = self.bring_back(&permit, program, kept, &entries).await;
                self.heed(back)?;
            }
        }
        if let Some(instance) = &mut self.instance {
            instance.set_cpu_used(away.cpu_used);
        }
        self.permit = Some(permit);
        Ok(())
    }
}
