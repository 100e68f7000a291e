//! Short executions: the time per execution, and executions per second.

use std::cell::Cell;
use std::num::NonZeroU32;
use std::thread;
use std::time::{Duration, Instant};

use isobox::{Isobox, Limits, Outcome, Program, Tool, Value, json};
use serde_json::json as figures;
use tokio::runtime::Runtime;

use crate::measure::{Wanted, compare, round};
use crate::programs::{PARALLEL_100, RETURN_1, ROUNDTRIPS_3, add, unique};
use crate::{Effort, native};

/// Short executions are timed in a row, as on a busy host.
const RUNS_PER_TURN: usize = 10;

pub(crate) fn fresh(effort: Effort) -> Value {
    same_program(effort, 1000, Wanted(8.0), RETURN_1, &json!(1))
}

pub(crate) fn roundtrips3(effort: Effort) -> Value {
    same_program(effort, 500, Wanted(4.0), ROUNDTRIPS_3, &json!(10))
}

pub(crate) fn parallel100(effort: Effort) -> Value {
    same_program(effort, 100, Wanted(1.0), PARALLEL_100, &json!(5050))
}

/// Measures programs that are all different. Isobox prepares them within the measured time. The programs for native
/// QuickJS, which cannot read TypeScript, are prepared before.
pub(crate) fn fresh_unique(effort: Effort) -> Value {
    let (runtime, isobox) = (executor(1), isobox());
    let number = Cell::new(0);
    let next = || {
        number.set(number.get() + 1);
        unique(number.get())
    };
    let prepared: Vec<String> = (0..64).map(|_| javascript(&runtime, &isobox, &next())).collect();
    let mut codes = prepared.iter().cycle();
    compare(
        effort,
        (150, RUNS_PER_TURN),
        Wanted(1.0),
        || {
            let result = completed(runtime.block_on(isobox.run(next())));
            assert_eq!(result["late"], json!(7));
        },
        || {
            let code = codes.next().expect("it goes round");
            assert_eq!(native::run(code)["late"], json!(7));
        },
    )
}

/// Measures a program of 40 lines that comes again beside programs of that kind that are never the same twice. Both run in
/// Isobox.
pub(crate) fn repeated(effort: Effort) -> Value {
    let (runtime, isobox) = (executor(1), isobox());
    let number = Cell::new(0);
    let run = |source: String| assert_eq!(completed(runtime.block_on(isobox.run(source)))["late"], json!(7));
    compare(
        effort,
        (150, RUNS_PER_TURN),
        Wanted(5.0),
        || run(unique(0)),
        || {
            number.set(number.get() + 1);
            run(unique(number.get()));
        },
    )
}

pub(crate) fn throughput1(effort: Effort) -> Value {
    throughput(effort, 1)
}

pub(crate) fn throughput2(effort: Effort) -> Value {
    throughput(effort, 2)
}

fn same_program(effort: Effort, turns: usize, wanted: Wanted, source: &str, expected: &Value) -> Value {
    let (runtime, isobox) = (executor(1), isobox());
    let code = javascript(&runtime, &isobox, source);
    compare(
        effort,
        (turns, RUNS_PER_TURN),
        wanted,
        || assert_eq!(&completed(runtime.block_on(isobox.run(source))), expected),
        || assert_eq!(&native::run(&code), expected),
    )
}

/// Returns the JavaScript that Isobox generates for a program.
pub(crate) fn javascript(runtime: &Runtime, isobox: &Isobox, source: &str) -> String {
    let prepared = runtime.block_on(isobox.prepare(&Program::single(source)));
    prepared.expect("it is a program").to_javascript()
}

/// Measures executions of `return 1` per second.
fn throughput(effort: Effort, threads: usize) -> Value {
    let span = match effort {
        Effort::Full => Duration::from_secs(2),
        Effort::Quick => Duration::from_millis(20),
    };
    let (runtime, isobox) = (executor(threads), isobox());
    let ours = runtime.block_on(async {
        let end = Instant::now() + span;
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                let isobox = isobox.clone();
                tokio::spawn(async move {
                    let mut count = 0_u64;
                    while Instant::now() < end {
                        completed(isobox.run(RETURN_1).await);
                        count += 1;
                    }
                    count
                })
            })
            .collect();
        let mut total = 0;
        for worker in workers {
            total += worker.await.expect("a worker does not panic");
        }
        total
    });
    let code = javascript(&runtime, &isobox, RETURN_1);
    let end = Instant::now() + span;
    let theirs: u64 = thread::scope(|scope| {
        let count = || {
            let mut count = 0;
            while Instant::now() < end {
                native::run(&code);
                count += 1;
            }
            count
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(count)).collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker does not panic")).sum()
    });
    let per_second = |count: u64| round(count as f64 / span.as_secs_f64());
    figures!({
        "threads": threads,
        "isoboxPerSecond": per_second(ours),
        "nativePerSecond": per_second(theirs),
        "ratio": round(ours as f64 / theirs.max(1) as f64),
    })
}

pub(crate) fn add_tool() -> Tool {
    let number = json!({ "type": "integer" });
    Tool::new("add", |input| async move { Ok(add(&input)) })
        .and_then(|tool| {
            tool.input_schema(json!({
                "type": "object",
                "properties": { "a": number, "b": number },
                "required": ["a", "b"],
                "additionalProperties": false,
            }))
        })
        .expect("the tool is well defined")
}

pub(crate) fn isobox() -> Isobox {
    // A computation may take longer here than the default limits allow.
    let limits = Limits::default().timeout(Duration::from_secs(120)).cpu(Duration::from_secs(120));
    let live = NonZeroU32::new(10_050).expect("it is not zero");
    Isobox::builder().tool(add_tool()).limits(limits).max_live(live).build().expect("the runtime is well defined")
}

pub(crate) fn executor(threads: usize) -> Runtime {
    let mut builder = match threads {
        1 => tokio::runtime::Builder::new_current_thread(),
        _ => tokio::runtime::Builder::new_multi_thread(),
    };
    builder.worker_threads(threads).enable_time().build().expect("tokio starts")
}

pub(crate) fn completed(outcome: Outcome) -> Value {
    outcome.into_result().expect("the program completes")
}
