//! Child processes that really die.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::str::FromStr;

use isobox::{ExecutionId, Failure, Outcome};
use serde::{Deserialize, Serialize};

use crate::{Caller, Case, Death, Deed, Diary, Fate, Moves, Process, StoreKind, World, load_case};

/// The order for a child, passed as one argument.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Order {
    pub(crate) store: StoreKind,
    /// The folder of the store, if it is a file.
    pub(crate) folder: PathBuf,
    pub(crate) case: PathBuf,
    pub(crate) dies_at: u64,
    pub(crate) session: String,
    /// The execution to continue. Without it, the case is begun.
    pub(crate) continues: Option<(Next, ExecutionId)>,
}

/// The way in which a process continues an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Next {
    /// It resumes the execution.
    Resume,
    /// It rolls the execution back, which has ended.
    RollBack,
}

impl Next {
    /// Continues an execution. Returns `None` if the process dies.
    pub(crate) async fn on(self, process: &Process, case: &Case, id: &ExecutionId) -> Option<Result<Outcome, Failure>> {
        match self {
            Self::Resume => process.resume(id, &Caller::default()).await,
            Self::RollBack => {
                let to = case.header.rollback.as_ref().and_then(|rollback| rollback.to.as_deref());
                process.roll_back(id, to, &Caller::default()).await
            }
        }
    }
}

impl FromStr for Order {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }
}

/// How a child ended.
pub(crate) enum Ended {
    /// It died at the given moment.
    Died,
    /// The execution paused or ended before that, after this many moments.
    Survived(u64),
}

/// The argument that makes this program a child.
pub(crate) const CHILD: &str = "--child";

/// Starts this program as a child, and adds its events to the world.
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

/// Runs an order as a child: prints the events of the world, and finally the number of moments.
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
    match &order.continues {
        None => drop(process.begin(&case, &Caller::default(), &order.session).await?),
        Some((next, id)) => {
            drop(next.on(&process, &case, id).await.transpose().map_err(|failure| failure.to_string())?)
        }
    }
    Ok(fate.passed())
}
