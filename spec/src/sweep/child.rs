//! Processes of their own, which really die.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::str::FromStr;

use isobox::ExecutionId;
use serde::{Deserialize, Serialize};

use crate::{Caller, Case, Death, Deed, Diary, Fate, Moves, Process, StoreKind, World, load_case};

/// What a child is to do, as one argument.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Order {
    pub(crate) store: StoreKind,
    /// Where the store is, if it is a file.
    pub(crate) folder: PathBuf,
    pub(crate) case: PathBuf,
    pub(crate) dies_at: u64,
    pub(crate) session: String,
    /// The execution to go on with; otherwise the case is begun.
    pub(crate) resumes: Option<ExecutionId>,
}

impl FromStr for Order {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }
}

/// How a child ended.
pub(crate) enum Ended {
    /// As it was told to.
    Died,
    /// Before that: the execution rests or is over. So many moments had passed.
    Survived(u64),
}

/// The argument that makes a child of this program.
pub(crate) const CHILD: &str = "--child";

/// Starts this program once more to do something, and puts what it does into the world.
pub(crate) fn run_child(order: &Order, world: &World) -> Result<Ended, String> {
    let text = |error: std::io::Error| error.to_string();
    let order = serde_json::to_string(order).map_err(|error| error.to_string())?;
    let program = std::env::current_exe().map_err(text)?;
    let output = Command::new(program).args([CHILD, &order]).output().map_err(text)?;
    let mut passed = None;
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        match serde_json::from_str::<Deed>(line) {
            Ok(deed) => world.note(deed),
            Err(_) => passed = line.parse::<u64>().ok(),
        }
    }
    match (output.status.code(), passed) {
        (Some(0), Some(passed)) => Ok(Ended::Survived(passed)),
        (None, None) => Ok(Ended::Died),
        _ => Err(format!("a child ended with {}: {}", output.status, String::from_utf8_lossy(&output.stderr))),
    }
}

/// What a child does: it tells what happens in the world, and in the end how many moments it has passed.
pub async fn be_a_child(root: &Path, order: &Order) -> ExitCode {
    match obey(root, order).await {
        Ok(passed) => {
            println!("{passed}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

async fn obey(root: &Path, order: &Order) -> Result<u64, String> {
    let case: Case = load_case(root, &order.case)?;
    let store = order.store.open(&order.folder).await?;
    let fate = Fate::new(order.dies_at, Death::Real);
    let process = Process::start(&case, &store, &World::telling(), &Diary::default(), &fate, Moves::AsItRests)?;
    match &order.resumes {
        None => drop(process.begin(&case, &Caller::default(), &order.session).await?),
        Some(id) => {
            drop(process.resume(id, &Caller::default()).await.transpose().map_err(|failure| failure.to_string())?)
        }
    }
    Ok(fate.passed())
}
