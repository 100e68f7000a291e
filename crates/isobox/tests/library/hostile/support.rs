//! Databases that can be altered behind their store, and a runtime that counts its effects.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use isobox::journal::Verdict;
use isobox::store::Store;
use isobox::{Decisions, Isobox, Outcome, Paused, Program, Resumed, Run, Tool, Value, json};
use isobox_store::{DatabaseStore, KeySource};
use tempfile::TempDir;
use tokio::sync::Semaphore;

/// A database for one test.
pub(crate) enum Database {
    Sqlite(TempDir),
    /// The schema, on the server that `scripts/with_postgres.py` started.
    Postgres(String),
}

impl Database {
    pub(crate) fn each() -> [Self; 2] {
        [Self::sqlite(), Self::postgres()]
    }

    pub(crate) fn sqlite() -> Self {
        Self::Sqlite(tempfile::tempdir().expect("a folder"))
    }

    pub(crate) fn postgres() -> Self {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).expect("random numbers");
        let schema = format!("hostile_{:032x}", u128::from_le_bytes(bytes));
        in_postgres(&format!("CREATE SCHEMA {schema}"));
        Self::Postgres(schema)
    }

    /// Returns the address of the schema on the server.
    pub(crate) fn url(&self) -> String {
        let Self::Postgres(schema) = self else { panic!("a file has no address") };
        format!("{}&options=-c%20search_path%3D{schema}&application_name={schema}", server())
    }

    /// Counts the connections of the server to the schema's address.
    pub(crate) fn connections(&self) -> i64 {
        let Self::Postgres(schema) = self else { panic!("a file has no connections") };
        let (address, _) = server().split_once('?').expect("parameters");
        let count = || {
            let mut client = postgres::Client::connect(address, postgres::NoTls).expect("a server");
            let query = "SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = $1";
            client.query_one(query, &[schema]).expect("a count").get(0)
        };
        std::thread::scope(|scope| scope.spawn(count).join().expect("no panic"))
    }

    /// Opens the store, as another process would.
    pub(crate) async fn open(&self) -> Arc<dyn Store> {
        Arc::new(match self {
            Self::Sqlite(folder) => DatabaseStore::sqlite(file(folder)).await.expect("a store"),
            Self::Postgres(schema) => {
                let url = format!("{}&options=-c%20search_path%3D{schema}", server());
                DatabaseStore::postgres(&url, KeySource::Database).await.expect("a store")
            }
        })
    }

    /// Opens the store through another port of this machine.
    pub(crate) async fn open_through(&self, port: u16) -> Arc<dyn Store> {
        let Self::Postgres(schema) = self else { panic!("a file has no port") };
        let url = server().replacen(&format!(":{}/", server_port()), &format!(":{port}/"), 1);
        let url = format!("{url}&options=-c%20search_path%3D{schema}");
        Arc::new(DatabaseStore::postgres(&url, KeySource::Database).await.expect("a store"))
    }

    /// Runs a script of SQL for both databases. Bytes are written as `{x:00ff}`.
    pub(crate) fn alter(&self, script: &str) {
        match self {
            Self::Sqlite(folder) => {
                let connection = rusqlite::Connection::open(file(folder)).expect("a connection");
                connection.execute_batch(&script.replace("{x:", "X'").replace('}', "'")).expect(script);
            }
            Self::Postgres(schema) => {
                let script = script.replace("{x:", "'\\x").replace('}', "'");
                in_postgres(&format!("SET search_path = {schema}; {script}"));
            }
        }
    }
}

/// Returns the port of the server that `scripts/with_postgres.py` started.
pub(crate) fn server_port() -> u16 {
    let (_, address) = server().split_once("@localhost:").expect("it is on this machine");
    let (port, _) = address.split_once('/').expect("it names a database");
    port.parse().expect("a port")
}

fn file(folder: &TempDir) -> PathBuf {
    folder.path().join("isobox.db")
}

#[expect(clippy::disallowed_methods, reason = "the script says through the environment where its server is")]
fn server() -> &'static str {
    static SERVER: OnceLock<String> = OnceLock::new();
    SERVER.get_or_init(|| {
        std::env::var("ISOBOX_TEST_POSTGRES")
            .expect("these tests need a PostgreSQL server: run `scripts/with_postgres.py cargo test …`")
    })
}

/// Runs on another thread, because the client has a runtime of its own.
fn in_postgres(script: &str) {
    let (address, _) = server().split_once('?').expect("parameters");
    let run = || postgres::Client::connect(address, postgres::NoTls).expect("a server").batch_execute(script);
    std::thread::scope(|scope| scope.spawn(run).join().expect("no panic")).expect(script);
}

/// Counts effects, and releases waiting calls.
#[derive(Clone)]
pub(crate) struct Effects {
    count: Arc<AtomicU32>,
    pub(crate) gate: Arc<Semaphore>,
}

impl Default for Effects {
    fn default() -> Self {
        Self { count: Arc::default(), gate: Arc::new(Semaphore::new(0)) }
    }
}

impl Effects {
    pub(crate) fn count(&self) -> u32 {
        self.count.load(Ordering::SeqCst)
    }
}

pub(crate) fn runtime(store: &Arc<dyn Store>, effects: &Effects) -> Isobox {
    let doing = |path| {
        let effects = effects.clone();
        let tool = Tool::new(path, move |input| {
            effects.count.fetch_add(1, Ordering::SeqCst);
            async move { Ok(json!({ "did": input["what"] })) }
        });
        tool.expect("a tool")
    };
    let gate = Arc::clone(&effects.gate);
    let waiting = Tool::new("world.wait", move |input| {
        let gate = Arc::clone(&gate);
        async move {
            gate.acquire().await.expect("it is open").forget();
            Ok(input)
        }
    });
    let live = NonZeroU32::new(4).expect("it is not zero");
    let builder = Isobox::builder().store(Arc::clone(store)).max_live(live).tool(waiting.expect("a tool"));
    builder.tool(doing("world.do")).tool(doing("world.pay").with_approval()).build().expect("a runtime")
}

/// Has an effect, waits for a person, and has another effect.
pub(crate) const PROGRAM: &str = "
const a = await tools.world.do({ what: 'a' });
const b = await tools.world.pay({ what: a.did + 'b' });
const c = await tools.world.do({ what: b.did + 'c' });
return c.did;";

/// Its result, and the number of its effects.
pub(crate) const RESULT: (&str, u32) = ("abc", 3);

pub(crate) fn durable(source: &str) -> Run {
    Run::new(Program::single(source)).durable()
}

pub(crate) fn paused(outcome: Outcome) -> Paused {
    match outcome {
        Outcome::Paused(paused) => paused,
        other => panic!("it did not pause: {other:?}"),
    }
}

pub(crate) fn approval(paused: &Paused) -> Decisions {
    Decisions::about_all("ada", paused.revision, Verdict::Approve)
}

pub(crate) fn here(resumed: Resumed) -> Outcome {
    match resumed {
        Resumed::Here(outcome) => *outcome,
        Resumed::Elsewhere => panic!("no other process runs it"),
    }
}

pub(crate) fn result(outcome: Outcome) -> Value {
    outcome.into_result().expect("it completes")
}
