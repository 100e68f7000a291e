//! The cost of durable executions.

pub(crate) mod continuations;
pub(crate) mod many;
pub(crate) mod pauses;
pub(crate) mod roundtrips;
pub(crate) mod sleeping;
pub(crate) mod snippets;

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use isobox::journal::Verdict;
use isobox::store::Store;
use isobox::store::memory_store;
use isobox::{Decisions, Isobox, Limits, Outcome, Paused, Program, Run, Tool, Value};
use isobox::{Resume, Resumed};
use isobox_store::DatabaseStore;
use tempfile::TempDir;

use crate::executions::add_tool;
use crate::programs::add;

/// The store for the measured executions.
pub(crate) struct TestStore {
    pub(crate) store: Arc<dyn Store>,
    folder: Option<TempDir>,
}

impl TestStore {
    pub(crate) fn in_memory() -> Self {
        Self { store: memory_store(), folder: None }
    }

    /// Creates a store on the disk of the temporary folder.
    pub(crate) async fn in_sqlite() -> Self {
        let folder = tempfile::tempdir().expect("there is a temporary folder");
        let store = DatabaseStore::sqlite(file(&folder)).await.expect("a store can be made");
        Self { store: Arc::new(store), folder: Some(folder) }
    }

    /// Returns the transactions in the write-ahead log. Each was one flush, unless it has only leases and checkpoints.
    pub(crate) fn transactions(&self) -> Transactions {
        self.folder.as_ref().map_or_else(Transactions::default, |folder| transactions(&beside(&file(folder), "-wal")))
    }

    /// Returns the size of the database and its log in bytes.
    pub(crate) fn bytes_on_disk(&self) -> u64 {
        let size = |path: PathBuf| std::fs::metadata(path).map_or(0, |data| data.len());
        self.folder.as_ref().map_or(0, |folder| size(file(folder)) + size(beside(&file(folder), "-wal")))
    }
}

fn file(folder: &TempDir) -> PathBuf {
    folder.path().join("isobox.db")
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// The transactions in a write-ahead log.
#[derive(Default)]
pub(crate) struct Transactions {
    /// Differs each time that the log is restarted.
    salt: [u8; 8],
    count: usize,
}

impl Transactions {
    /// Returns the number of transactions since an earlier moment, unless the log was restarted since.
    pub(crate) fn since(&self, before: &Self) -> Option<usize> {
        (self.salt == before.salt).then(|| self.count.saturating_sub(before.count))
    }
}

/// Counts transactions. The last page of every transaction in a log records the size of the database. Pages from before
/// the log was restarted have another salt.
fn transactions(log: &Path) -> Transactions {
    const HEADER: usize = 32;
    let bytes = std::fs::read(log).unwrap_or_default();
    let Some((header, frames)) = bytes.split_at_checked(HEADER) else { return Transactions::default() };
    let page = u32::from_be_bytes([header[8], header[9], header[10], header[11]]) as usize;
    let mut salt = [0; 8];
    salt.copy_from_slice(&header[16..24]);
    let is_current = |frame: &&[u8]| frame[8..16] == salt;
    let count = frames.chunks_exact(24 + page).take_while(is_current).filter(|frame| frame[4..8] != [0; 4]).count();
    Transactions { salt, count }
}

/// The time of the last call of `tools.pay`.
pub(crate) static PAID: Mutex<Option<Instant>> = Mutex::new(None);

/// Returns a runtime whose executions wait for a person at `tools.pay`.
pub(crate) fn isobox(store: &Arc<dyn Store>) -> Isobox {
    let pay = Tool::new("pay", |input| async move {
        *PAID.lock().expect("no holder of the lock panics") = Some(Instant::now());
        Ok(add(&input))
    })
    .expect("the tool is well defined");
    let limits = Limits::default().calls(2000);
    let live = NonZeroU32::new(64).expect("it is not zero");
    let builder = Isobox::builder().tool(add_tool()).tool(pay.with_approval()).limits(limits).max_live(live);
    builder.store(Arc::clone(store)).build().expect("the runtime is well defined")
}

pub(crate) fn durable(source: &str) -> Run {
    Run::new(Program::single(source)).durable()
}

pub(crate) fn paused(outcome: Outcome) -> Paused {
    match outcome {
        Outcome::Paused(paused) => paused,
        other => panic!("the program did not pause: {other:?}"),
    }
}

/// Approves all pending calls.
pub(crate) async fn approve(isobox: &Isobox, paused: &Paused) {
    let decisions = Decisions::about_all("ada", paused.revision, Verdict::Approve);
    isobox.decide(&paused.execution_id, decisions).await.expect("it waits for that");
}

pub(crate) async fn resume(isobox: &Isobox, paused: &Paused) -> Value {
    match isobox.resume(&paused.execution_id, Resume::default()).await.expect("it can be resumed") {
        Resumed::Here(outcome) => outcome.into_result().expect("the program completes"),
        Resumed::Elsewhere => panic!("no other process runs it"),
    }
}
