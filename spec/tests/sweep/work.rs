//! Trying it, on several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use isobox::journal::ResumedFrom;
use isobox::store::Store;
use isobox_spec::sweep::{Harm, Lived, Lives};
use isobox_spec::{Case, NEVER, StoreKind};

use crate::plan::{Blow, Plan};
use crate::runtime;

/// Some cases wait more than they work.
const THREADS: usize = 4;

/// What was tried, and what came of it.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) cases: usize,
    pub(crate) lives: usize,
    pub(crate) deaths: usize,
    pub(crate) held_up: usize,
    pub(crate) problems: usize,
}

/// Tries everything, store by store.
pub(crate) fn carry_out(plan: &Plan, cases: &[&Case]) -> Vec<(StoreKind, Tally)> {
    plan.stores.iter().map(|&kind| (kind, with_store(plan, kind, cases))).collect()
}

fn with_store(plan: &Plan, kind: StoreKind, cases: &[&Case]) -> Tally {
    let (next, tally) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            // Futures that are not optimised are large.
            let worker = std::thread::Builder::new().stack_size(16 << 20);
            let work = || {
                let folder = tempfile::tempdir().expect("there is room for a database");
                let result = runtime().block_on(async {
                    let store = kind.open(folder.path()).await?;
                    while let Some(case) = cases.get(next.fetch_add(1, Ordering::SeqCst)) {
                        let tried = Tried { plan, kind, folder: folder.path(), store: &store, case, tally: &tally };
                        tried.all().await;
                    }
                    Ok::<_, String>(())
                });
                if let Err(problem) = result {
                    println!("\n{problem}");
                    tally.lock().unwrap_or_else(PoisonError::into_inner).problems += 1;
                }
            };
            worker.spawn_scoped(scope, work).expect("a thread starts");
        }
    });
    tally.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// One case with one store.
struct Tried<'a> {
    plan: &'a Plan,
    kind: StoreKind,
    folder: &'a std::path::Path,
    store: &'a Arc<dyn Store>,
    case: &'a Case,
    tally: &'a Mutex<Tally>,
}

impl Tried<'_> {
    async fn all(&self) {
        if !self.plan.moments.has(self.case, self.kind) {
            return;
        }
        let unharmed = |problem: String| format!("{}, without a crash: {problem}", self.case.name);
        let blows = match self.undisturbed().await {
            Ok(lived) => self.plan.moments.blows(self.case, self.kind, lived.moments),
            Err(problem) => return self.note(Harm::Crash, Err(unharmed(problem))),
        };
        let lives = match Lives::new(self.case, self.kind, self.folder, self.store) {
            Ok(lives) => lives,
            Err(problem) => return self.note(Harm::Crash, Err(unharmed(problem))),
        };
        self.tally.lock().unwrap_or_else(PoisonError::into_inner).cases += 1;
        for Blow { at, harm, from } in blows {
            let first = self.once(&lives, (at, harm), from.unwrap_or(ResumedFrom::Snapshot)).await;
            // Where nothing was ever stored of the program's memory, there is nothing to be spoilt.
            if from.is_none() && first.is_none_or(|lived| lived.rested) {
                self.once(&lives, (at, harm), ResumedFrom::Journal).await;
            }
        }
    }

    /// How many moments there are does not depend on the store.
    async fn undisturbed(&self) -> Result<Lived, String> {
        let store = StoreKind::Memory.open(self.folder).await?;
        let lives = Lives::new(self.case, StoreKind::Memory, self.folder, &store)?;
        lives.live(NEVER, Harm::Crash, ResumedFrom::Snapshot).await
    }

    async fn once(&self, lives: &Lives<'_>, (at, harm): (u64, Harm), from: ResumedFrom) -> Option<Lived> {
        let lived = lives.live(at, harm, from).await;
        let harmed = match harm {
            Harm::Crash => "crashed",
            Harm::HeldBack => "held up",
        };
        let way = match from {
            ResumedFrom::Snapshot => "snapshot",
            ResumedFrom::Journal => "journal",
        };
        let place =
            format!("{} in {}, {harmed} at moment {at}, resumed from the {way}", self.case.name, self.kind.as_str());
        let told = lived.as_ref().ok().copied();
        self.note(harm, lived.map_err(|problem| format!("{place}: {problem}")));
        told
    }

    fn note(&self, harm: Harm, lived: Result<Lived, String>) {
        let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.lives += 1;
        match (lived, harm) {
            (Ok(lived), Harm::Crash) => tally.deaths += usize::from(lived.died),
            (Ok(lived), Harm::HeldBack) => tally.held_up += usize::from(lived.died),
            (Err(problem), _) => {
                println!("\n{problem}");
                tally.problems += 1;
            }
        }
    }
}
