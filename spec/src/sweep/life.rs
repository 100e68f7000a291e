//! Runs one execution of a case from its beginning to its end, in as many processes as needed.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use isobox::journal::Inspected;
use isobox::journal::{Entry, ResumedFrom};
use isobox::store::Store;
use isobox::{Code, Decisions, ExecutionId, Failure, Outcome, Paused};

use super::child::{Ended, Next, Order, run_child};
use super::decisions::{Say, doubts, next};
use super::held_up::{HeldUp, Running};
use crate::durably::{new_session, wait_until};
use crate::saved::save_snippets;
use crate::session::CaseSession;
use crate::{
    Caller, Case, Death, Diary, Fate, Moves, NEVER, Process, StoreKind, World, compare, compare_rollback,
    spoil_checkpoint,
};

/// The time after which a life counts as stuck.
const LONGEST: Duration = Duration::from_secs(60);

/// The maximum number of processes of an execution.
const MOST_PROCESSES: u32 = 1000;

/// Runs of one case in one store. The process that takes over after a death is always the same.
pub struct Lives<'a> {
    case: &'a Case,
    kind: StoreKind,
    folder: PathBuf,
    store: Arc<dyn Store>,
    world: World,
    survivor: Process,
}

/// What happens to a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Harm {
    /// The process dies.
    Crash,
    /// The store acknowledges nothing to the process until others have finished its work.
    HeldBack,
}

/// The summary of a life.
#[derive(Debug, Clone, Copy)]
pub struct Lived {
    /// The number of moments until the process died or was held up, or in total.
    pub moments: u64,
    /// Whether a process died or was held up.
    pub died: bool,
    /// Whether the execution ever paused, so that a snapshot was stored.
    pub rested: bool,
}

/// One run of a case.
struct Life<'a> {
    dies_at: u64,
    harm: Harm,
    session: String,
    lived: Lived,
    /// The process that was held up, until it goes on.
    held_up: Option<HeldUp<'a>>,
}

/// The result of a process.
enum Came {
    Died,
    /// The process ended, with the outcome if it can be asked.
    Ended(Option<Box<Outcome>>),
}

impl<'a> Lives<'a> {
    /// Creates the runs of a case. A store in files is in the given folder.
    pub fn new(case: &'a Case, kind: StoreKind, folder: &Path, store: &Arc<dyn Store>) -> Result<Self, String> {
        let world = World::default();
        let survivor = Process::start(case, store, &world, &Diary::default(), &Fate::endless(), Moves::AsItRests)?;
        Ok(Self { case, kind, folder: folder.to_owned(), store: Arc::clone(store), world, survivor })
    }

    /// Runs the case once. The process is harmed at the nth moment, and others take over. `from` decides whether the stored
    /// snapshot stays usable.
    pub async fn live(&self, dies_at: u64, harm: Harm, from: ResumedFrom) -> Result<Lived, String> {
        let life = tokio::time::timeout(LONGEST, self.live_on(dies_at, harm, from));
        life.await.unwrap_or_else(|_| Err(format!("the execution is stuck: it takes longer than {LONGEST:?}")))
    }

    async fn live_on(&self, dies_at: u64, harm: Harm, from: ResumedFrom) -> Result<Lived, String> {
        save_snippets(self.case, &self.store).await?;
        let session = new_session();
        let used = CaseSession::begin(self.case, &self.store, &session).await?;
        let lived = Lived { moments: 0, died: false, rested: false };
        let mut life = Life { dies_at, harm, session: session.clone(), lived, held_up: None };
        self.world.begin_again();
        let mut came = self.first(&mut life).await?;
        let Some(id) = self.world.execution() else {
            if let Some(used) = &used {
                used.check_untouched().await?;
            }
            return Ok(life.lived);
        };
        for _ in 0..MOST_PROCESSES {
            let journal = match self.survivor.isobox.inspect(&id).await {
                Ok(journal) => journal,
                Err(failure) if failure.code == Code::NotFound => {
                    if let Some(used) = &used {
                        used.check_untouched().await?;
                    }
                    return self.never_begun(&id, came, life.lived);
                }
                Err(failure) => return Err(failure.to_string()),
            };
            if journal.state.ended.is_some() {
                let stored =
                    journal.outcome(&id, self.survivor.isobox.policy()).ok_or("it ended without an outcome")?;
                let told = match came {
                    Came::Ended(Some(told)) => Some(*told),
                    Came::Ended(None) | Came::Died => None,
                };
                self.compare_ends(&journal, told.as_ref(), &stored)?;
                let wrongs = self.world.wrongs(&id, &journal);
                if !wrongs.is_empty() {
                    return Err(wrongs.join("\n"));
                }
                let is_over = self.case.header.rollback.is_none() || journal.state.rollback.is_some();
                if let Some(held_up) = life.held_up.take_if(|held_up| is_over || !held_up.rolls_back()) {
                    self.let_go_on(held_up, &id, (&journal, &stored)).await?;
                }
                if is_over {
                    if let Some(used) = &used {
                        used.check_end().await?;
                    }
                    return Ok(life.lived);
                }
                came = self.another(&mut life, (Next::RollBack, &id)).await?;
                continue;
            }
            self.say(&id, &journal, &mut life.lived).await?;
            if from == ResumedFrom::Journal {
                spoil_checkpoint(&*self.store, &id).await.map_err(|error| error.to_string())?;
            }
            came = self.another(&mut life, (Next::Resume, &id)).await?;
        }
        Err(format!("the execution is stuck: {MOST_PROCESSES} processes did not finish it"))
    }

    /// Compares the outcome that a process reported and the stored one with those that the case expects.
    fn compare_ends(&self, journal: &Inspected, told: Option<&Outcome>, stored: &Outcome) -> Result<(), String> {
        match (&self.case.header.rollback, &journal.state.rollback) {
            (Some(expected), Some(_)) => {
                if let Some(told) = told {
                    compare_rollback(self.case, expected, told)?;
                }
                // A rollback that has reverted nothing leaves the execution as it was.
                match stored {
                    Outcome::RolledBack(_) => compare_rollback(self.case, expected, stored)
                        .map_err(|problem| format!("the stored outcome: {problem}")),
                    _ if expected.error.is_some() => Ok(()),
                    other => Err(format!("the stored outcome is not a rollback: {other:?}")),
                }
            }
            _ => {
                if let Some(told) = told {
                    compare(self.case, told)?;
                }
                compare(self.case, stored).map_err(|problem| format!("the stored outcome: {problem}"))
            }
        }
    }

    /// Checks that an execution that is not stored has not begun and has done nothing.
    fn never_begun(&self, id: &ExecutionId, came: Came, lived: Lived) -> Result<Lived, String> {
        if self.world.has_calls_of(id) {
            return Err("the execution has made calls but is not stored".to_owned());
        }
        match came {
            Came::Ended(Some(outcome)) => compare(self.case, &outcome).map(|()| lived),
            Came::Ended(None) | Came::Died => Ok(lived),
        }
    }

    /// Decides about pending calls, only while the execution is paused: decisions during other events could come before
    /// or after them.
    async fn say(&self, id: &ExecutionId, journal: &Inspected, lived: &mut Lived) -> Result<(), String> {
        let Some(Entry::Paused(pause)) = journal.entries.last() else { return Ok(()) };
        lived.rested = true;
        let isobox = &self.survivor.isobox;
        let paused = Paused::of(id, &journal.state, isobox.policy());
        let said = match next(self.case, &self.world, id, journal, &paused.pending)? {
            Say::Nothing => {
                if let Some(until) = pause.until {
                    wait_until(until).await;
                }
                Ok(())
            }
            Say::End(end, reason) => end.say(isobox, id, reason.as_deref()).await,
            Say::Verdicts(verdicts, remember) => {
                isobox.decide(id, Decisions::new("ada", verdicts).remember(remember)).await
            }
        };
        match said {
            // The instruction was given before, and the process that should have applied it died.
            Err(failure) if failure.code == Code::Conflict => Ok(()),
            other => other.map_err(text),
        }
    }

    /// Settles calls in doubt at once, because the execution may wait for other things and then does not pause.
    async fn settle_doubts(&self, id: &ExecutionId) -> String {
        loop {
            tokio::time::sleep(Duration::from_millis(20)).await;
            // If the execution has ended meanwhile, nothing is pending any more.
            let Ok(paused) = self.survivor.isobox.pending(id).await else { continue };
            let doubts = doubts(&self.world, id, &paused.pending);
            if doubts.is_empty() {
                continue;
            }
            match self.survivor.isobox.decide(id, Decisions::new("ada", doubts)).await {
                Err(failure) if failure.code != Code::Conflict => return failure.to_string(),
                _ => {}
            }
        }
    }

    async fn first(&self, life: &mut Life<'a>) -> Result<Came, String> {
        if self.is_child(life) {
            return self.child(life.dies_at, None, life).await;
        }
        let fate = life.fate(life.dies_at);
        let (process, case, session) = (self.mortal(&fate)?, self.case, life.session.clone());
        let running: Running<'a> = Box::pin(async move {
            let outcome = process.begin(case, &Caller::default(), &session).await?;
            Ok(outcome.map(Ok))
        });
        self.go(life, &fate, None, running).await
    }

    async fn another(&self, life: &mut Life<'a>, (next, id): (Next, &ExecutionId)) -> Result<Came, String> {
        if life.lived.died {
            let outcome = tokio::select! {
                outcome = next.on(&self.survivor, self.case, id) => match outcome {
                    // A server may still carry out a request of a dead process, so this is tried again.
                    Some(Err(failure)) if failure.code == Code::Conflict => None,
                    outcome => outcome.transpose().map_err(text)?,
                },
                problem = self.settle_doubts(id) => return Err(problem),
            };
            return Ok(Came::Ended(outcome.map(Box::new)));
        }
        let left = if life.dies_at == NEVER { NEVER } else { life.dies_at - life.lived.moments };
        if self.is_child(life) {
            return self.child(left, Some((next, id.clone())), life).await;
        }
        let fate = life.fate(left);
        let (process, case, id) = (self.mortal(&fate)?, self.case, id.clone());
        let running: Running<'a> = Box::pin(async move { Ok(next.on(&process, case, &id).await) });
        self.go(life, &fate, Some(next), running).await
    }

    /// Runs a process until it ends, dies or is held up.
    async fn go(
        &self,
        life: &mut Life<'a>,
        fate: &Arc<Fate>,
        next: Option<Next>,
        mut running: Running<'a>,
    ) -> Result<Came, String> {
        let ended = tokio::select! {
            biased;
            () = fate.waits() => None,
            ended = &mut running => Some(ended?),
        };
        life.lived.moments += fate.passed();
        life.lived.died |= fate.is_dead() || fate.is_held_back();
        match ended {
            None => {
                life.held_up = Some(self.hold_up(fate, next, running).await?);
                Ok(Came::Died)
            }
            Some(_) if fate.is_dead() => Ok(Came::Died),
            Some(Some(Err(failure))) => Err(failure.to_string()),
            Some(outcome) => Ok(Came::Ended(outcome.and_then(Result::ok).map(Box::new))),
        }
    }

    async fn hold_up(&self, fate: &Arc<Fate>, next: Option<Next>, running: Running<'a>) -> Result<HeldUp<'a>, String> {
        let expiry = Box::pin(Fate::expiry());
        let journal = match self.world.execution() {
            Some(id) => match self.survivor.isobox.inspect(&id).await {
                Err(failure) if failure.code == Code::NotFound => None,
                journal => Some(journal.map_err(text)?),
            },
            None => None,
        };
        Ok(HeldUp { fate: Arc::clone(fate), next, journal, expiry, running })
    }

    /// Lets a process go on that was held up, after others have done its work. Checks that it does nothing more, and says no
    /// more than it may.
    async fn let_go_on(
        &self,
        held_up: HeldUp<'a>,
        id: &ExecutionId,
        (journal, stored): (&Inspected, &Outcome),
    ) -> Result<(), String> {
        let (before, was_over) = (held_up.journal.clone(), held_up.was_over());
        let told = held_up.go_on(stored).await.map_err(|problem| format!("the process that was held up: {problem}"))?;
        if let (Some(told), true, Some(before)) = (told, was_over, &before) {
            self.compare_ends(before, Some(&told), stored)?;
        }
        let now = self.survivor.isobox.inspect(id).await.map_err(text)?;
        if now.entries.len() != journal.entries.len() {
            return Err("the process that was held up has written to the journal".to_owned());
        }
        let wrongs = self.world.wrongs(id, &now);
        if wrongs.is_empty() { Ok(()) } else { Err(wrongs.join("\n")) }
    }

    /// Tells whether processes are children. One that is held up is not: nothing of it has to be killed.
    fn is_child(&self, life: &Life<'_>) -> bool {
        self.kind != StoreKind::Memory && life.harm == Harm::Crash
    }

    fn mortal(&self, fate: &Arc<Fate>) -> Result<Process, String> {
        Process::start(self.case, &self.store, &self.world, &Diary::default(), fate, Moves::AsItRests)
    }

    async fn child(
        &self,
        dies_at: u64,
        continues: Option<(Next, ExecutionId)>,
        life: &mut Life<'_>,
    ) -> Result<Came, String> {
        let order = Order {
            store: self.kind,
            folder: self.folder.clone(),
            case: self.case.path.clone(),
            dies_at,
            session: life.session.clone(),
            continues,
        };
        let world = self.world.clone();
        let ended = tokio::task::spawn_blocking(move || run_child(&order, &world)).await;
        match ended.map_err(|error| error.to_string())?? {
            Ended::Died => {
                life.lived.died = true;
                life.lived.moments += dies_at;
                Ok(Came::Died)
            }
            Ended::Survived(passed) => {
                life.lived.moments += passed;
                Ok(Came::Ended(None))
            }
        }
    }
}

impl Life<'_> {
    /// Returns the fate of a process that is harmed at the nth moment of its own.
    fn fate(&self, dies_at: u64) -> Arc<Fate> {
        let death = match self.harm {
            Harm::Crash => Death::Pretended,
            Harm::HeldBack => Death::HeldBack,
        };
        Fate::new(dies_at, death)
    }
}

fn text(failure: Failure) -> String {
    failure.to_string()
}
