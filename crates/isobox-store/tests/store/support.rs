//! Stores to test, and what is put into them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use futures_util::{FutureExt, TryFutureExt};
use isobox_core::journal::{Batch, StoreKey};
use isobox_core::store::{
    Append, Change, Checkpoint, Error, ErrorKind, Head, Holding, Lease, MemoryStore, Message, NewExecution, Node, Part,
    PendingSummary, Release, Status, Store, Stored, Written,
};
use isobox_core::{CallSeq, Clock, Code, ExecutionId, PendingKind, Timestamp};
use isobox_store::{DatabaseStore, KeySource};
use tempfile::TempDir;

/// A store as two processes see it.
pub(crate) struct Fixture {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) other: Arc<dyn Store>,
    _folder: Option<TempDir>,
}

pub(crate) async fn memory() -> Fixture {
    let store = MemoryStore::new(StoreKey::new([7; 32]), Arc::new(RealClock::new()));
    Fixture { other: Arc::new(store.clone()), store: Arc::new(store), _folder: None }
}

pub(crate) async fn sqlite() -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    let open = async || Arc::new(DatabaseStore::sqlite(folder.path().join("isobox.db")).await.unwrap());
    Fixture { store: open().await, other: open().await, _folder: Some(folder) }
}

pub(crate) async fn postgres() -> Fixture {
    let url = postgres_url(&new_schema());
    let open = async || Arc::new(DatabaseStore::postgres(&url, KeySource::Database).await.unwrap());
    Fixture { store: open().await, other: open().await, _folder: None }
}

/// The server that `scripts/with_postgres.py` started.
#[expect(clippy::disallowed_methods, reason = "the script says through the environment where its server is")]
pub(crate) fn postgres_server() -> String {
    std::env::var("ISOBOX_TEST_POSTGRES").unwrap_or_else(|_| {
        panic!(
            "these tests need a PostgreSQL server: run `scripts/with_postgres.py cargo test --release -p isobox-store`"
        )
    })
}

/// The server, with tables in this schema.
pub(crate) fn postgres_url(schema: &str) -> String {
    format!("{}&options=-c%20search_path%3D{schema}", postgres_server())
}

/// Every test has a schema of its own.
pub(crate) fn new_schema() -> String {
    let schema = format!("test_{:032x}", random());
    in_postgres(&format!("CREATE SCHEMA {schema}"));
    schema
}

/// Does something to the server behind the store's back. On another thread: the client has a runtime of its own.
pub(crate) fn in_postgres(script: &str) {
    let server = postgres_server();
    let (address, _) = server.split_once('?').unwrap();
    std::thread::scope(|scope| {
        let run = || postgres::Client::connect(address, postgres::NoTls).unwrap().batch_execute(script).unwrap();
        scope.spawn(run).join().unwrap();
    });
}

pub(crate) fn random() -> u128 {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).unwrap();
    u128::from_le_bytes(bytes)
}

pub(crate) fn id(number: u64) -> ExecutionId {
    ExecutionId::new(number, 0xABC)
}

pub(crate) fn node(name: &str) -> Node {
    Node(name.into())
}

/// Writes one part of a change.
pub(crate) trait WriteParts {
    fn create(&self, new: Change) -> Written<Lease>;
    fn append(&self, lease: &Lease, position: u64, batch: Batch, head: Head, heard: Vec<String>) -> Written<Holding>;
    fn save_checkpoint(&self, lease: &Lease, checkpoint: Checkpoint) -> Written<Holding>;
    fn release(&self, lease: &Lease, when: Release) -> Written<Holding>;
}

impl<S: Store + ?Sized> WriteParts for S {
    fn create(&self, new: Change) -> Written<Lease> {
        let lease = Lease::clone(&new.lease);
        self.write(Arc::new(new)).map_ok(|_| lease).boxed()
    }

    fn append(&self, lease: &Lease, position: u64, batch: Batch, head: Head, heard: Vec<String>) -> Written<Holding> {
        self.write(Arc::new(Change::append(lease.clone(), Append { position, batch, head, heard })))
    }

    fn save_checkpoint(&self, lease: &Lease, checkpoint: Checkpoint) -> Written<Holding> {
        self.write(Arc::new(Change::checkpoint(lease.clone(), checkpoint)))
    }

    fn release(&self, lease: &Lease, when: Release) -> Written<Holding> {
        self.write(Arc::new(Change::release(lease.clone(), when)))
    }
}

/// Bytes that no text could hold.
pub(crate) fn batch(text: &str) -> Batch {
    let mut seal = [0xFF; 32];
    for (byte, place) in text.bytes().zip(&mut seal) {
        *place = byte;
    }
    Batch { bytes: [&[0, 0xFF], text.as_bytes()].concat().into(), seal }
}

pub(crate) fn head(status: Status, updated: u64) -> Head {
    let (function, owner, code) = (Some("f\u{0}ü".into()), Some("ada\u{0}".into()), Some(Code::Timeout));
    let pending_calls =
        vec![PendingSummary { seq: CallSeq::new(7), path: "ü.b".to_owned(), kind: PendingKind::InDoubt }];
    let updated = Timestamp(updated);
    Head { status, revision: 3, pending: 1, pending_calls, calls: 2, updated, function, owner, code, due: None }
}

/// Creates an execution.
pub(crate) fn new(number: u64, holder: &str) -> Change {
    let new = NewExecution {
        created: Timestamp(number),
        beginning: batch(&format!("beginning of {number}")),
        head: head(Status::Running, number),
    };
    Change::create(Lease::first(&id(number), &node(holder)), new)
}

pub(crate) async fn whole(store: &dyn Store, number: u64) -> Stored {
    store.load(&id(number), Part::Whole).await.unwrap()
}

pub(crate) fn kind<T: std::fmt::Debug>(result: Result<T, Error>) -> ErrorKind {
    result.unwrap_err().kind()
}

struct RealClock(Instant);

impl RealClock {
    #[expect(clippy::disallowed_methods, reason = "the other stores are about real time too")]
    fn new() -> Self {
        Self(Instant::now())
    }
}

impl Clock for RealClock {
    fn now(&self) -> Timestamp {
        Timestamp(0)
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    fn boot_time(&self) -> Duration {
        self.elapsed()
    }

    fn sleep_until(&self, moment: Duration) -> BoxFuture<'static, ()> {
        tokio::time::sleep(moment.saturating_sub(self.elapsed())).boxed()
    }
}

pub(crate) fn message(key: &str, text: &str) -> Message {
    Message { key: key.to_owned(), bytes: text.as_bytes().to_vec() }
}

pub(crate) fn checkpoint(position: u64, text: &str) -> Checkpoint {
    Checkpoint { position, seal: batch(text).seal, bytes: batch(text).bytes.into() }
}
