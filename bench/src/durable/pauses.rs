//! Pausing for a person and resuming.

use std::time::{Duration, Instant};

use isobox::{Isobox, Paused, Value, json};
use isobox_core::store::Part;
use serde_json::json as figures;
use tokio::runtime::Runtime;

use super::{PAID, TestStore, approve, durable, isobox, paused, resume};
use crate::Effort;
use crate::executions::executor;
use crate::measure::{Times, micros, ratio};

/// A small program with live objects while it waits.
pub(crate) const PROGRAM: &str = "
const seen = new Map([['a', 1], ['b', /x+/]]);
const sum = await tools.pay({ a: 1, b: 2 });
return [sum, seen.size];";

/// The time from the call of `run` to the outcome, without the time that the person takes.
const WANTED: Duration = Duration::from_millis(3);
/// The size of the state of a small program, in bytes.
const WANTED_BYTES: usize = 16_000;

pub(crate) fn pause(effort: Effort) -> Value {
    let runs = match effort {
        Effort::Full => 300,
        Effort::Quick => 2,
    };
    let executor = executor(1);
    let (memory, sqlite) = (TestStore::in_memory(), executor.block_on(TestStore::in_sqlite()));
    let (in_memory, in_sqlite) = (Phases::measure(&executor, &memory, runs), Phases::measure(&executor, &sqlite, runs));
    let flush = executor.block_on(flush(&sqlite, runs));
    let (checkpoint, transactions) = executor.block_on(at_rest());
    figures!({
        "memory": in_memory.json(),
        "sqlite": in_sqlite.json(),
        "flush": flush.json(),
        "transactions": transactions,
        "checkpointBytes": checkpoint,
        "wanted": { "sqliteTotalUs": micros(WANTED), "checkpointBytes": WANTED_BYTES },
        "met": in_sqlite.total.median() < WANTED && checkpoint < WANTED_BYTES,
    })
}

/// The duration of each phase.
#[derive(Default)]
struct Phases {
    until_paused: Times,
    decided: Times,
    resumed: Times,
    total: Times,
}

impl Phases {
    fn measure(executor: &Runtime, store: &TestStore, runs: usize) -> Self {
        let isobox = isobox(&store.store);
        let mut phases = Self::default();
        for _ in 0..runs {
            executor.block_on(phases.add(&isobox));
        }
        phases
    }

    async fn add(&mut self, isobox: &Isobox) {
        let start = Instant::now();
        let waiting = paused(isobox.run(durable(PROGRAM)).await);
        let at_rest = Instant::now();
        approve(isobox, &waiting).await;
        let decided = Instant::now();
        assert_eq!(resume(isobox, &waiting).await, json!([3, 2]));
        let end = Instant::now();
        self.until_paused.add(at_rest - start);
        self.decided.add(decided - at_rest);
        self.resumed.add(end - decided);
        self.total.add(end - start);
    }

    fn json(&self) -> Value {
        figures!({
            "runUntilPaused": self.until_paused.json(),
            "decide": self.decided.json(),
            "resume": self.resumed.json(),
            "total": self.total.json(),
        })
    }
}

/// Measures one durable write.
async fn flush(store: &TestStore, runs: usize) -> Times {
    let mut times = Times::default();
    for number in 0..runs {
        let start = Instant::now();
        // The value changes every time, because SQLite writes nothing if nothing changes.
        store.store.remember("bench", "a flush", number.to_be_bytes().to_vec()).await.expect("it can be written");
        times.add(start.elapsed());
    }
    times
}

/// Returns the size of the state of a paused program, and the number of transactions of each phase.
async fn at_rest() -> (usize, Value) {
    let store = TestStore::in_sqlite().await;
    let isobox = isobox(&store.store);
    drop(paused(isobox.run(durable(PROGRAM)).await));
    let mut before = store.transactions();
    let mut since = || {
        let now = store.transactions();
        let count = now.since(&before);
        before = now;
        count
    };
    let waiting = paused(isobox.run(durable(PROGRAM)).await);
    let until_paused = since();
    let stored = store.store.load(&waiting.execution_id, Part::SinceCheckpoint).await.expect("it is there");
    approve(&isobox, &waiting).await;
    let decided = since();
    resume(&isobox, &waiting).await;
    let transactions = figures!({ "runUntilPaused": until_paused, "decide": decided, "resume": since() });
    (stored.checkpoint.map_or(0, |checkpoint| checkpoint.bytes.len()), transactions)
}

/// The time until a program continues, measured at the first call it then makes, must not grow with the number of
/// earlier calls. The outcome lists all calls, so it takes longer the more there are.
const WANTED_RATIO: f64 = 1.5;

pub(crate) fn resume1000(effort: Effort) -> Value {
    let (runs, many) = match effort {
        Effort::Full => (40, 1000),
        Effort::Quick => (2, 20),
    };
    let executor = executor(1);
    let memory = resumes(&executor, &TestStore::in_memory(), runs, many);
    let sqlite = resumes(&executor, &executor.block_on(TestStore::in_sqlite()), runs, many);
    let is_met = |figures: &Value| figures["ratio"].as_f64().is_some_and(|ratio| ratio <= WANTED_RATIO);
    let met = is_met(&memory) && is_met(&sqlite);
    figures!({ "calls": many, "memory": memory, "sqlite": sqlite, "wanted": WANTED_RATIO, "met": met })
}

/// Resumes executions with 10 calls and executions with many calls in turns, after all of them are paused.
fn resumes(executor: &Runtime, store: &TestStore, runs: usize, many: usize) -> Value {
    let isobox = isobox(&store.store);
    let pause = |calls| (0..=runs).map(|_| executor.block_on(pause_after(&isobox, calls))).collect::<Vec<_>>();
    let paused = [pause(10), pause(many)];
    let mut resumed = [Times::default(), Times::default()];
    let mut ended = [Times::default(), Times::default()];
    for turn in 0..=runs {
        for (which, paused) in paused.iter().enumerate() {
            let start = Instant::now();
            executor.block_on(resume(&isobox, &paused[turn]));
            let end = Instant::now();
            let paid = PAID.lock().expect("no holder of the lock panics").take().expect("it was called");
            if turn > 0 {
                resumed[which].add(paid - start);
                ended[which].add(end - start);
            }
        }
    }
    let [few, many] = &resumed;
    let [few_ended, many_ended] = &ended;
    figures!({
        "after10": few.json(),
        "afterMany": many.json(),
        "ratio": ratio(many.median(), few.median()),
        "ratioOfMinimums": ratio(many.minimum(), few.minimum()),
        "endedAfter10": few_ended.json(),
        "endedAfterMany": many_ended.json(),
        "ratioOfEnded": ratio(many_ended.median(), few_ended.median()),
    })
}

async fn pause_after(isobox: &Isobox, calls: usize) -> Paused {
    let source = format!(
        "let sum = 0; for (let i = 0; i < {calls}; i++) sum = await tools.add({{ a: sum, b: 1 }});
         return await tools.pay({{ a: sum, b: 1 }})"
    );
    let waiting = paused(isobox.run(durable(&source)).await);
    approve(isobox, &waiting).await;
    waiting
}
