//! Running an empty snippet, beside a fresh program.

use std::time::Instant;

use isobox::snippets::NewSnippet;
use isobox::{Outcome, Principal, Program, Value, json};
use serde_json::json as figures;

use super::{TestStore, isobox};
use crate::Effort;
use crate::executions::executor;
use crate::measure::{Times, micros};
use crate::programs::RETURN_1;

/// The maximum cost of `codemode.run`, in fresh executions of `return 1`.
const WANTED: f64 = 2.0;

/// The number of snippets that one program runs, so that the cost of the program itself hardly counts.
const RUNS: u32 = 50;

pub(crate) fn snippet(effort: Effort) -> Value {
    let turns = match effort {
        Effort::Full => 200,
        Effort::Quick => 2,
    };
    let executor = executor(1);
    let store = TestStore::in_memory();
    let isobox = isobox(&store.store);
    let new = NewSnippet::new("empty", Program::single(""));
    let saved = executor.block_on(isobox.snippets().expect("there is a store").put(new, Principal::host()));
    saved.expect("it is saved");
    let program =
        |runs: u32| format!("for (let run = 0; run < {runs}; run++) await codemode.run(\"empty\"); return {runs}");
    let (none, many) = (program(0), program(RUNS));
    let (mut fresh, mut without, mut with) = (Times::default(), Times::default(), Times::default());
    let timed = |source: &str, expected: u32, times: &mut Times, is_counted: bool| {
        let start = Instant::now();
        let outcome = executor.block_on(isobox.run(source));
        let took = start.elapsed();
        assert!(matches!(&outcome, Outcome::Completed(done) if done.result == json!(expected)), "{outcome:?}");
        if is_counted {
            times.add(took);
        }
    };
    for turn in 0..=turns {
        timed(RETURN_1, 1, &mut fresh, turn > 0);
        timed(&none, 0, &mut without, turn > 0);
        timed(&many, RUNS, &mut with, turn > 0);
    }
    let each = with.median().saturating_sub(without.median()) / RUNS;
    let ratio = each.as_secs_f64() / fresh.median().as_secs_f64();
    figures!({
        "fresh": fresh.json(),
        "snippetUs": micros(each),
        "ratio": (ratio * 100.0).round() / 100.0,
        "wanted": { "ratio": WANTED },
        "met": ratio < WANTED,
    })
}
