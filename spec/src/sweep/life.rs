//! One execution of a case from its beginning to its end, in as many processes as it takes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use isobox::journal::Inspected;
use isobox::journal::{Entry, ResumedFrom};
use isobox::store::Store;
use isobox::{Code, Decisions, ExecutionId, Failure, Outcome, Paused};

use super::child::{Ended, Order, run_child};
use super::decisions::{Say, doubts, next};
use crate::durably::new_session;
use crate::{Caller, Case, Death, Diary, Fate, Moves, NEVER, Process, StoreKind, World, compare, spoil_checkpoint};

/// A life that takes longer is stuck.
const LONGEST: Duration = Duration::from_secs(60);

/// In how many processes an execution has to come to its end.
const MOST_PROCESSES: u32 = 1000;

/// Lives of one case, in one store. Whoever goes on after a death is the same process every time.
pub struct Lives<'a> {
    case: &'a Case,
    kind: StoreKind,
    folder: PathBuf,
    store: Arc<dyn Store>,
    world: World,
    survivor: Process,
}

/// How a life went.
#[derive(Debug, Clone, Copy)]
pub struct Lived {
    /// How many moments passed until the process died, or in all.
    pub moments: u64,
    /// Whether one died.
    pub died: bool,
    /// Whether the execution ever rested, so that the memory of its program was stored.
    pub rested: bool,
}

/// What came of a process.
enum Came {
    Died,
    /// What it told, if it can be asked.
    Ended(Option<Box<Outcome>>),
}

impl<'a> Lives<'a> {
    /// Lives of this case; a store in files is in that folder.
    pub fn new(case: &'a Case, kind: StoreKind, folder: &Path, store: &Arc<dyn Store>) -> Result<Self, String> {
        let world = World::default();
        let survivor = Process::start(case, store, &world, &Diary::default(), &Fate::endless(), Moves::AsItRests)?;
        Ok(Self { case, kind, folder: folder.to_owned(), store: Arc::clone(store), world, survivor })
    }

    /// Lives once. The process dies at the nth moment, and others go on; what is stored of the program's memory is usable,
    /// or is not.
    pub async fn live(&self, dies_at: u64, from: ResumedFrom) -> Result<Lived, String> {
        let life = tokio::time::timeout(LONGEST, self.live_on(dies_at, from));
        life.await.unwrap_or_else(|_| Err(format!("it is stuck: it takes longer than {LONGEST:?}")))
    }

    async fn live_on(&self, dies_at: u64, from: ResumedFrom) -> Result<Lived, String> {
        let session = new_session();
        let mut lived = Lived { moments: 0, died: false, rested: false };
        let mut came = self.first(dies_at, &session, &mut lived).await?;
        let Some(id) = self.world.execution() else { return Ok(lived) };
        for _ in 0..MOST_PROCESSES {
            let journal = match self.survivor.isobox.inspect(&id).await {
                Ok(journal) => journal,
                Err(failure) if failure.code == Code::NotFound => return self.never_begun(&id, came, lived),
                Err(failure) => return Err(failure.to_string()),
            };
            if journal.state.ended.is_some() {
                let stored =
                    journal.outcome(&id, self.survivor.isobox.policy()).ok_or("it ended without an outcome")?;
                if let Came::Ended(Some(told)) = came {
                    compare(self.case, &told)?;
                }
                compare(self.case, &stored).map_err(|problem| format!("what is stored: {problem}"))?;
                let wrongs = self.world.wrongs(&id, &journal);
                return if wrongs.is_empty() { Ok(lived) } else { Err(wrongs.join("\n")) };
            }
            self.say(&id, &journal, &mut lived).await?;
            if from == ResumedFrom::Journal {
                spoil_checkpoint(&*self.store, &id).await.map_err(text)?;
            }
            came = self.another(dies_at, &session, &id, &mut lived).await?;
        }
        Err(format!("it is stuck: {MOST_PROCESSES} processes did not bring it to its end"))
    }

    /// What is not in the store has not begun, and has done nothing.
    fn never_begun(&self, id: &ExecutionId, came: Came, lived: Lived) -> Result<Lived, String> {
        if self.world.has_calls_of(id) {
            return Err("it has made calls, and nothing is known of it".to_owned());
        }
        match came {
            Came::Ended(Some(outcome)) => compare(self.case, &outcome).map(|()| lived),
            Came::Ended(None) | Came::Died => Ok(lived),
        }
    }

    /// Decides, where somebody is asked. Only while the execution rests: what is decided while other things happen may
    /// come before or after them.
    async fn say(&self, id: &ExecutionId, journal: &Inspected, lived: &mut Lived) -> Result<(), String> {
        if !matches!(journal.entries.last(), Some(Entry::Paused(_))) {
            return Ok(());
        }
        lived.rested = true;
        let isobox = &self.survivor.isobox;
        let paused = Paused::of(id, &journal.state, isobox.policy());
        let said = match next(self.case, &self.world, id, journal, &paused.pending)? {
            Say::Nothing => Ok(()),
            Say::End(end, reason) => end.say(isobox, id, reason.as_deref()).await,
            Say::Verdicts(verdicts, remember) => {
                isobox.decide(id, Decisions::new("ada", verdicts).remember(remember)).await
            }
        };
        match said {
            // It was said before, and the process that should have heard it died.
            Err(failure) if failure.code == Code::Conflict => Ok(()),
            other => other.map_err(text),
        }
    }

    /// Says what is known of calls in doubt as soon as they are: the execution may have other things to wait for, and does
    /// not rest then.
    async fn settle_doubts(&self, id: &ExecutionId) -> String {
        loop {
            tokio::time::sleep(Duration::from_millis(20)).await;
            // Where the execution is over meanwhile, nobody is asked any more.
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

    async fn first(&self, dies_at: u64, session: &str, lived: &mut Lived) -> Result<Came, String> {
        if self.kind != StoreKind::Memory {
            return self.child(dies_at, session, None, lived).await;
        }
        let fate = Fate::new(dies_at, Death::Pretended);
        let process = self.mortal(&fate)?;
        let outcome = process.begin(self.case, &Caller::default(), session).await?;
        Ok(lived.after(&fate, outcome))
    }

    async fn another(&self, dies_at: u64, session: &str, id: &ExecutionId, lived: &mut Lived) -> Result<Came, String> {
        if lived.died {
            let caller = Caller::default();
            let outcome = tokio::select! {
                outcome = self.survivor.resume(id, &caller) => match outcome {
                    // A server may still do what a dead process had asked it for: it is looked at again.
                    Some(Err(failure)) if failure.code == Code::Conflict => None,
                    outcome => outcome.transpose().map_err(text)?,
                },
                problem = self.settle_doubts(id) => return Err(problem),
            };
            return Ok(Came::Ended(outcome.map(Box::new)));
        }
        let left = if dies_at == NEVER { NEVER } else { dies_at - lived.moments };
        if self.kind != StoreKind::Memory {
            return self.child(left, session, Some(id), lived).await;
        }
        let fate = Fate::new(left, Death::Pretended);
        match self.mortal(&fate)?.resume(id, &Caller::default()).await {
            Some(Err(failure)) if !fate.is_dead() => Err(failure.to_string()),
            resumed => Ok(lived.after(&fate, resumed.and_then(Result::ok))),
        }
    }

    fn mortal(&self, fate: &Arc<Fate>) -> Result<Process, String> {
        Process::start(self.case, &self.store, &self.world, &Diary::default(), fate, Moves::AsItRests)
    }

    async fn child(
        &self,
        dies_at: u64,
        session: &str,
        resumes: Option<&ExecutionId>,
        lived: &mut Lived,
    ) -> Result<Came, String> {
        let order = Order {
            store: self.kind,
            folder: self.folder.clone(),
            case: self.case.path.clone(),
            dies_at,
            session: session.to_owned(),
            resumes: resumes.cloned(),
        };
        let world = self.world.clone();
        let ended = tokio::task::spawn_blocking(move || run_child(&order, &world)).await;
        match ended.map_err(|error| error.to_string())?? {
            Ended::Died => {
                lived.died = true;
                lived.moments += dies_at;
                Ok(Came::Died)
            }
            Ended::Survived(passed) => {
                lived.moments += passed;
                Ok(Came::Ended(None))
            }
        }
    }
}

impl Lived {
    fn after(&mut self, fate: &Fate, outcome: Option<Outcome>) -> Came {
        self.moments += fate.passed();
        self.died |= fate.is_dead();
        if fate.is_dead() { Came::Died } else { Came::Ended(outcome.map(Box::new)) }
    }
}

fn text(failure: Failure) -> String {
    failure.to_string()
}
