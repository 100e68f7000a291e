//! Search: the quality and the speed of the answers, compared with the plain weighted scheme of other systems.

use std::hint::black_box;
use std::time::Duration;

use isobox::{Value, json};
use isobox_spec::search::{Baseline, Half, Judged, JudgedTool, Query, Score};

use crate::Effort;
use crate::measure::{micros, ratio, round, time, times};

/// The number of tools for which times are promised.
pub(crate) const TOOLS: usize = 2500;
const QUERY: Duration = Duration::from_millis(2);
const BUILD: Duration = Duration::from_millis(100);
/// In megabytes, with all that an index reads.
const MEMORY: f64 = 10.0;

/// Measures recall and mean reciprocal rank on the judged sets.
pub(crate) fn quality(_: Effort) -> Value {
    let mut quality = quality_on(&Judged::load());
    quality["everyday"] = quality_on(&Judged::everyday());
    quality["servers"] = quality_on(&Judged::servers());
    quality
}

fn quality_on(judged: &Judged) -> Value {
    let (index, baseline) = (judged.index(), Baseline::new(&judged.tools));
    let ours = |query: &str| index.search(query, 50).hits.iter().map(|hit| hit.entry).collect();
    let theirs = |query: &str| baseline.search(query, 50);
    let scores = |halves: &[Half]| {
        let (ours, theirs) = (judged.score(halves, ours), judged.score(halves, theirs));
        (json!({ "isobox": score(ours), "plain": score(theirs) }), ours.recall_at_5 / theirs.recall_at_5)
    };
    let mut kinds = json!({});
    for kind in judged.kinds() {
        for (name, half) in [("tuning", Half::Tuning), ("heldOut", Half::HeldOut)] {
            let asks = |query: &Query| query.half == half && query.kind == kind;
            if judged.queries.iter().any(asks) {
                kinds[kind][name] = score(judged.score_where(asks, ours));
            }
        }
    }
    let (all, ratio) = scores(&[Half::Tuning, Half::HeldOut]);
    json!({
        "tools": judged.tools.len(),
        "queries": judged.queries.len(),
        "tuning": scores(&[Half::Tuning]).0,
        "heldOut": scores(&[Half::HeldOut]).0,
        "all": all,
        "kinds": kinds,
        "ratio": round(ratio),
    })
}

/// Measures the time of a query and of building the index, and the memory of the index.
pub(crate) fn speed(effort: Effort) -> Value {
    let runs = match effort {
        Effort::Full => 20,
        Effort::Quick => 1,
    };
    let mut judged = Judged::load();
    judged.tools = enlarged(&judged.tools, TOOLS);
    let before = resident();
    let first = time(&mut || drop(black_box(judged.index().search("brew a picture out of words", 10))));
    let memory = resident().zip(before).map(|(after, before)| after.saturating_sub(before) as f64 / 1e6);
    let build = times(runs, || drop(black_box(judged.index()))).median();
    let (index, baseline) = (judged.index(), Baseline::new(&judged.tools));
    let queries = || judged.queries.iter().map(|query| query.query.as_str());
    let slowest = queries().map(|query| times(runs, || drop(black_box(index.search(query, 10)))).median()).max();
    let mut rounds = queries().cycle();
    let mut asked = || drop(black_box(index.search(rounds.next().unwrap_or_default(), 10)));
    let query = times(runs * judged.queries.len(), &mut asked).median();
    let mut rounds = queries().cycle();
    let plain = times(judged.queries.len(), || drop(black_box(baseline.search(rounds.next().unwrap_or_default(), 10))));
    let long = "find the mispelled customer adress and sendd it to evrybody ".repeat(20);
    let longest = (0..runs).map(|_| time(&mut || drop(black_box(index.search(&long, 10))))).min();
    let slowest = slowest.unwrap_or_default();
    json!({
        "tools": judged.tools.len(),
        "buildMs": round(build.as_secs_f64() * 1e3),
        "startMs": round(first.as_secs_f64() * 1e3),
        "memoryMb": memory.map(round),
        "queryUs": micros(query),
        "slowestQueryUs": micros(slowest),
        "longestQueryUs": micros(longest.unwrap_or_default()),
        "plainQueryUs": micros(plain.median()),
        "ratio": ratio(plain.median(), query),
        "wanted": { "queryUs": micros(QUERY), "buildMs": BUILD.as_millis(), "memoryMb": MEMORY },
        "met": slowest < QUERY && build < BUILD && first < BUILD && memory.is_none_or(|memory| memory < MEMORY),
    })
}

/// Returns the resident memory of this process, where the system tells it.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    text.split(' ').nth(1)?.parse::<u64>().ok().map(|pages| pages * 4096)
}

/// Repeats tools up to a number.
pub(crate) fn enlarged(tools: &[JudgedTool], count: usize) -> Vec<JudgedTool> {
    let again = (1..).flat_map(|round| {
        let root = if round == 1 { "again".to_owned() } else { format!("again{round}") };
        tools.iter().map(move |tool| JudgedTool { path: format!("{root}.{}", tool.path), ..tool.clone() })
    });
    tools.iter().cloned().chain(again).take(count).collect()
}

fn score(score: Score) -> Value {
    json!({
        "recallAt5": (score.recall_at_5 * 1000.0).round() / 1000.0,
        "mrr": (score.reciprocal_rank * 1000.0).round() / 1000.0,
    })
}
