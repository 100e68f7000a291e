//! The memory of a live execution that waits for a tool.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use isobox::{Isobox, Tool, Value};
use serde_json::json;

use crate::measure::round;
use crate::{Effort, executions};

/// A small program that waits with a map, a generator and a regular expression alive.
pub(crate) const PROGRAM: &str = "
const seen = new Map([['a', 1], ['b', /x+/]]);
function* numbers() { yield 1; yield 2; }
const waiting = numbers(); waiting.next();
const answer = await tools.wait({ for: 'a person' });
return [answer, seen.size, waiting.next().value];";

pub(crate) fn waiting(effort: Effort) -> Value {
    let count = match effort {
        Effort::Full => 10_000,
        Effort::Quick => 20,
    };
    executions::executor(2).block_on(measure(count))
}

async fn measure(count: usize) -> Value {
    let arrived = Arc::new(AtomicUsize::new(0));
    let here = Arc::clone(&arrived);
    let wait = Tool::new("wait", move |_| {
        here.fetch_add(1, Ordering::Relaxed);
        std::future::pending()
    })
    .expect("the tool is well defined");
    let live = u32::try_from(count + 50).ok().and_then(NonZeroU32::new).expect("it fits");
    let isobox = Isobox::builder().tool(wait).max_live(live).build().expect("the runtime is well defined");
    let before = private_kib();
    let runs: Vec<_> = (0..count)
        .map(|_| {
            let isobox = isobox.clone();
            tokio::spawn(async move { isobox.run(PROGRAM).await })
        })
        .collect();
    // A stuck measurement is a finding as well: every execution ends by its own time-out.
    while arrived.load(Ordering::Relaxed) < count && !runs.iter().any(tokio::task::JoinHandle::is_finished) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let live = arrived.load(Ordering::Relaxed);
    let per_instance = (private_kib() - before) / live.max(1) as f64;
    for run in &runs {
        run.abort();
    }
    json!({ "instances": live, "kibPerInstance": round(per_instance), "wanted": 256, "met": live == count && per_instance < 256.0 })
}

/// Returns the private memory of this process in KiB.
pub(crate) fn private_kib() -> f64 {
    let text = std::fs::read_to_string("/proc/self/smaps_rollup").expect("the kernel tells");
    let field = |name: &str| -> f64 {
        let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        line.trim().trim_end_matches("kB").trim().parse().unwrap_or_default()
    };
    field("Private_Clean:") + field("Private_Dirty:")
}
