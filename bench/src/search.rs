//! Search: the quality and the speed of the answers, compared with the plain weighted scheme of other systems.

use std::hint::black_box;
use std::time::Duration;

use isobox::{Value, json};
use isobox_spec::search::{Baseline, Half, Judged, JudgedTool, Score};

use crate::Effort;
use crate::measure::{micros, ratio, round, time, times};

/// The number of tools for which times are promised.
const TOOLS: usize = 2500;
const QUERY: Duration = Duration::from_millis(2);
const BUILD: Duration = Duration::from_millis(100);

/// Measures recall and mean reciprocal rank on the judged set.
pub(crate) fn quality(_: Effort) -> Value {
    let judged = Judged::load();
    let (index, baseline) = (judged.index(), Baseline::new(&judged.tools));
    let ours = |query: &str| index.search(query, 50).hits.iter().map(|hit| hit.entry).collect();
    let theirs = |query: &str| baseline.search(query, 50);
    let scores = |halves: &[Half]| {
        let (ours, theirs) = (judged.score(halves, ours), judged.score(halves, theirs));
        (json!({ "isobox": score(ours), "plain": score(theirs) }), ours.recall_at_5 / theirs.recall_at_5)
    };
    let (all, ratio) = scores(&[Half::Tuning, Half::HeldOut]);
    json!({
        "tools": judged.tools.len(),
        "queries": judged.queries.len(),
        "tuning": scores(&[Half::Tuning]).0,
        "heldOut": scores(&[Half::HeldOut]).0,
        "all": all,
        "ratio": round(ratio),
    })
}

/// Measures the time of a query and of building the index.
pub(crate) fn speed(effort: Effort) -> Value {
    let runs = match effort {
        Effort::Full => 20,
        Effort::Quick => 1,
    };
    let mut judged = Judged::load();
    judged.tools = enlarged(&judged.tools);
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
        "queryUs": micros(query),
        "slowestQueryUs": micros(slowest),
        "longestQueryUs": micros(longest.unwrap_or_default()),
        "plainQueryUs": micros(plain.median()),
        "ratio": ratio(plain.median(), query),
        "wanted": { "queryUs": micros(QUERY), "buildMs": BUILD.as_millis() },
        "met": slowest < QUERY && build < BUILD,
    })
}

/// Repeats tools up to the number for which times are promised.
pub(crate) fn enlarged(tools: &[JudgedTool]) -> Vec<JudgedTool> {
    let again = tools.iter().map(|tool| JudgedTool { path: format!("again.{}", tool.path), ..tool.clone() });
    tools.iter().cloned().chain(again).take(TOOLS).collect()
}

fn score(score: Score) -> Value {
    json!({
        "recallAt5": (score.recall_at_5 * 1000.0).round() / 1000.0,
        "mrr": (score.reciprocal_rank * 1000.0).round() / 1000.0,
    })
}
