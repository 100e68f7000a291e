//! A process that runs a case until it pauses, ends or dies.

use std::num::NonZeroU32;
use std::sync::Arc;

use isobox::driver::Driver;
use isobox::driver::{Sandbox, SandboxOptions};
use isobox::events::{Contents, Event, EventKind, Observer};
use isobox::rollback::Rollback;
use isobox::sessions::BusySession;
use isobox::store::Store;
use isobox::{CancellationToken, ExecutionId, Failure, Isobox, Outcome};
use isobox::{Code, Resume, Resumed};

use crate::restless::Restless;
use crate::runtime::{cancel_after_polls, keeping_runtime, run_among_others, run_of};
use crate::{Caller, Case, Deed, Diary, Fate, Mortal, SpecCapacity, World, with_caller};

/// A runtime that may die, with its fate.
pub struct Process {
    /// The runtime.
    pub isobox: Isobox,
    fate: Arc<Fate>,
}

/// Observes the events of the process.
struct Watcher {
    world: World,
    fate: Arc<Fate>,
    diary: Diary,
}

impl Observer for Watcher {
    fn observe(&self, event: &Event) {
        if let EventKind::Started { .. } = event.kind {
            self.world.note(Deed::Execution(event.execution.clone()));
        }
        self.fate.observe(event);
        self.diary.observe(event);
    }
}

/// When programs are moved through a snapshot to another instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moves {
    /// When an execution pauses.
    AsItRests,
    /// Whenever a program waits.
    AtEveryAwait,
}

/// Creates a sandbox whose programs are moved to another instance at every await. It needs places for the instances that
/// its programs leave behind, too.
pub fn restless_sandbox(instances: NonZeroU32) -> Result<Arc<dyn Driver>, String> {
    let sandbox = Sandbox::shared(SandboxOptions::default().instances(instances));
    Ok(Arc::new(Restless(Arc::new(sandbox.map_err(|failure| failure.to_string())?))))
}

impl Process {
    /// Starts a process for a case, beside others with the same store and the same world.
    pub fn start(
        case: &Case,
        store: &Arc<dyn Store>,
        world: &World,
        diary: &Diary,
        fate: &Arc<Fate>,
        moves: Moves,
    ) -> Result<Self, String> {
        let (store, world) = (Mortal::new(store, fate), world.of(fate));
        let builder = keeping_runtime(case, store, &world)?.timing(fate.timing());
        let watcher = Watcher { world, fate: Arc::clone(fate), diary: diary.clone() };
        let builder = builder.observer(watcher).contents(Contents::Progress);
        let builder = match moves {
            Moves::AtEveryAwait => builder.driver(restless_sandbox(NonZeroU32::new(9).expect("it is not zero"))?),
            Moves::AsItRests => builder,
        };
        let isobox = builder.build().map_err(|failure| failure.to_string())?;
        Ok(Self { isobox, fate: Arc::clone(fate) })
    }

    /// Begins the case. Returns `None` if the process dies. `session` is the key for remembered decisions.
    pub async fn begin(&self, case: &Case, caller: &Caller, session: &str) -> Result<Option<Outcome>, String> {
        let run = run_of(case, &caller.gives_up)?.durable().session(session);
        let run = if case.header.session.is_some() { run.globals(BusySession::Wait) } else { run };
        let execution = self.fate.or_dies(Box::pin(self.isobox.run(run)));
        let cancelled = cancel_after_polls(case.header.cancel_after_polls, &caller.gives_up, execution);
        Ok(with_caller(caller.clone(), cancelled).await)
    }

    /// Resumes an execution. Returns `None` if the process dies.
    pub async fn resume(&self, id: &ExecutionId, caller: &Caller) -> Option<Result<Outcome, Failure>> {
        let resumed = self.fate.or_dies(Box::pin(self.isobox.resume(id, Resume::default())));
        let elsewhere = || Failure::new(Code::Conflict, "another process runs it");
        let outcome = |resumed: Result<Resumed, Failure>| resumed?.into_outcome().ok_or_else(elsewhere);
        with_caller(caller.clone(), resumed).await.map(outcome)
    }

    /// Rolls an execution back. Returns `None` if the process dies.
    pub async fn roll_back(
        &self,
        id: &ExecutionId,
        to: Option<&str>,
        caller: &Caller,
    ) -> Option<Result<Outcome, Failure>> {
        let options = match to {
            Some(step) => Rollback::default().to(step),
            None => Rollback::default(),
        };
        let rolled = self.fate.or_dies(Box::pin(self.isobox.rollback(id, "ada", options)));
        with_caller(caller.clone(), rolled).await
    }
}

/// Runs a case as a stored execution in a runtime that other executions already use.
pub(crate) async fn run_kept_among_others(
    case: &Case,
    capacity: &SpecCapacity,
    store: &Arc<dyn Store>,
) -> Result<Outcome, String> {
    let caller = CancellationToken::new();
    let builder = keeping_runtime(case, Arc::clone(store), &World::default())?;
    let execution = run_among_others(builder, run_of(case, &caller)?.durable(), capacity);
    cancel_after_polls(case.header.cancel_after_polls, &caller, execution).await
}
