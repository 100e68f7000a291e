//! Pausing and continuing without a store, beside a store in memory, and the work that sealing and opening are.

use std::time::{Duration, Instant};

use isobox::journal::Verdict;
use isobox::{Continuations, Continue, Decisions, Outcome, Value, json};
use serde_json::json as figures;

use super::pauses::PROGRAM;
use super::{TestStore, approve, durable, isobox, paused, resume};
use crate::Effort;
use crate::executions::executor;
use crate::measure::{Times, micros};

/// The size of the continuation of a small program, in bytes.
const WANTED_BYTES: usize = 24_000;
/// The time for opening and sealing.
const WANTED: Duration = Duration::from_millis(1);

pub(crate) fn continuation(effort: Effort) -> Value {
    let runs = match effort {
        Effort::Full => 300,
        Effort::Quick => 2,
    };
    let executor = executor(1);
    let store = TestStore::in_memory();
    let isobox = isobox(&store.store);
    let keys = Continuations::new(&[7; 32]).expect("the secret is long enough");
    let (mut carried, mut kept, mut sealing, mut bytes) = (Times::default(), Times::default(), Times::default(), 0);
    for turn in 0..=runs {
        let start = Instant::now();
        let waiting = paused(executor.block_on(isobox.run_stateless(PROGRAM, &keys)));
        let approved = Decisions::about_all("ada", waiting.revision, Verdict::Approve);
        let approved = Continue::decided(&waiting.execution_id, approved);
        let continuation = waiting.continuation.expect("there is no store");
        let outcome = executor.block_on(isobox.resume_stateless(&continuation, &keys, approved));
        let carried_for = start.elapsed();
        assert!(matches!(&outcome, Ok(Outcome::Completed(done)) if done.result == json!([3, 2])), "{outcome:?}");
        let start = Instant::now();
        bytes = executor.block_on(keys.rehearse(&continuation)).expect("it can be opened and sealed");
        let sealed_for = start.elapsed();
        let start = Instant::now();
        let waiting = paused(executor.block_on(isobox.run(durable(PROGRAM))));
        executor.block_on(approve(&isobox, &waiting));
        assert_eq!(executor.block_on(resume(&isobox, &waiting)), json!([3, 2]));
        let kept_for = start.elapsed();
        if turn > 0 {
            carried.add(carried_for);
            kept.add(kept_for);
            sealing.add(sealed_for);
        }
    }
    let added = sealing.median();
    figures!({
        "stateless": carried.json(),
        "memoryStore": kept.json(),
        "added": sealing.json(),
        "bytes": bytes,
        "wanted": { "addedUs": micros(WANTED), "bytes": WANTED_BYTES },
        "met": added < WANTED && bytes < WANTED_BYTES,
    })
}
