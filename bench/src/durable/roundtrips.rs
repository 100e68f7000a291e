//! Three sequential calls, with and without a journal.

use std::time::Instant;

use futures_util::future::join_all;
use isobox::{Isobox, Principal, Run, Value, json};
use serde_json::json as figures;
use tokio::runtime::Runtime;

use super::{TestStore, durable, isobox};
use crate::Effort;
use crate::executions::{completed, executor};
use crate::measure::{Times, micros, ratio, round, times};
use crate::programs::ROUNDTRIPS_3;

/// The limit with the store in memory.
const WANTED: f64 = 1.3;
const RUNS_PER_TURN: usize = 10;
/// The number of executions that share flushes.
const TOGETHER: usize = 50;

pub(crate) fn roundtrips3(effort: Effort) -> Value {
    let turns = match effort {
        Effort::Full => 300,
        Effort::Quick => 1,
    };
    let executor = executor(1);
    let (memory, sqlite) = (TestStore::in_memory(), executor.block_on(TestStore::in_sqlite()));
    let (in_memory, in_sqlite) = (isobox(&memory.store), isobox(&sqlite.store));
    let mut all: [Times; 3] = Default::default();
    for turn in 0..=turns {
        let plain = times(RUNS_PER_TURN, || run(&executor, &in_memory, ROUNDTRIPS_3.into()));
        let store = times(RUNS_PER_TURN, || run(&executor, &in_memory, durable(ROUNDTRIPS_3)));
        let on_disk = times(RUNS_PER_TURN, || run(&executor, &in_sqlite, durable(ROUNDTRIPS_3)));
        if turn > 0 {
            all.iter_mut().zip([plain, store, on_disk]).for_each(|(all, more)| all.extend(more));
        }
        executor.block_on(in_memory.prune(Principal::host(), 0)).expect("what is over can be removed");
    }
    let [plain, in_memory_times, in_sqlite_times] = &all;
    let added = ratio(in_memory_times.median(), plain.median());
    figures!({
        "plain": plain.json(),
        "memory": in_memory_times.json(),
        "sqlite": in_sqlite_times.json(),
        "ratio": added,
        "ratioOfMinimums": ratio(in_memory_times.minimum(), plain.minimum()),
        "sqliteFlushes": flushes_of_one(&executor),
        "together": together(&executor),
        "wanted": WANTED,
        "met": added < WANTED,
    })
}

fn run(executor: &Runtime, isobox: &Isobox, run: Run) {
    assert_eq!(completed(executor.block_on(isobox.run(run))), json!(10));
}

/// Counts the flushes of one execution that has the disk to itself, without leases and heartbeats.
fn flushes_of_one(executor: &Runtime) -> Option<usize> {
    let store = executor.block_on(TestStore::in_sqlite());
    let isobox = isobox(&store.store);
    run(executor, &isobox, durable(ROUNDTRIPS_3));
    let before = store.transactions();
    run(executor, &isobox, durable(ROUNDTRIPS_3));
    store.transactions().since(&before)
}

/// Runs many executions concurrently in one process and one database.
fn together(executor: &Runtime) -> Value {
    let store = executor.block_on(TestStore::in_sqlite());
    let isobox = isobox(&store.store);
    run(executor, &isobox, durable(ROUNDTRIPS_3));
    let before = store.transactions();
    let start = Instant::now();
    let outcomes = executor.block_on(join_all((0..TOGETHER).map(|_| isobox.run(durable(ROUNDTRIPS_3)))));
    let elapsed = start.elapsed();
    // None if the log was restarted meanwhile, as it is when it is long.
    let flushes = store.transactions().since(&before);
    assert!(outcomes.into_iter().all(|outcome| completed(outcome) == json!(10)), "all complete");
    figures!({
        "executions": TOGETHER,
        "flushes": flushes,
        "flushesEach": flushes.map(|flushes| round(flushes as f64 / TOGETHER as f64)),
        "eachUs": micros(elapsed.div_f64(TOGETHER as f64)),
    })
}
