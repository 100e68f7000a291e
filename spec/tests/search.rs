//! Search over the judged set.

use isobox_spec::search::{Baseline, Half, Judged, Score};

#[test]
fn search_beats_the_plain_weighted_scheme_on_the_judged_set() {
    let judged = Judged::load();
    for halves in [&[Half::Tuning][..], &[Half::HeldOut], &[Half::Tuning, Half::HeldOut]] {
        let (ours, theirs) = (ours(&judged, halves), theirs(&judged, halves));
        assert!(ours.recall_at_5 > theirs.recall_at_5 + 0.2, "{halves:?}: {ours:?} beside {theirs:?}");
        assert!(ours.reciprocal_rank > theirs.reciprocal_rank + 0.2, "{halves:?}: {ours:?} beside {theirs:?}");
    }
}

#[test]
fn everyday_tools_are_found_also_by_queries_that_share_no_word_with_them() {
    let judged = Judged::everyday();
    let index = judged.index();
    let search = |query: &str| index.search(query, 50).hits.iter().map(|hit| hit.entry).collect();
    for half in [Half::Tuning, Half::HeldOut] {
        let all = judged.score(&[half], search);
        assert!(all.recall_at_5 > 0.75 && all.reciprocal_rank > 0.65, "{half:?}: {all:?}");
        let wanted = [("paraphrase", 0.6), ("jargon", 0.8), ("verb-object", 0.95), ("misspelling", 0.95)];
        for (kind, least) in wanted {
            let score = judged.score_where(|query| query.half == half && query.kind == kind, search);
            assert!(score.recall_at_5 > least, "{half:?} {kind}: {score:?}");
        }
    }
}

#[test]
fn tools_of_well_known_servers_are_found() {
    let judged = Judged::servers();
    let index = judged.index();
    let search = |query: &str| index.search(query, 50).hits.iter().map(|hit| hit.entry).collect();
    for half in [Half::Tuning, Half::HeldOut] {
        let all = judged.score(&[half], search);
        assert!(all.recall_at_5 > 0.78 && all.reciprocal_rank > 0.68, "{half:?}: {all:?}");
    }
    let paraphrases = judged.score_where(|query| query.kind == "paraphrase", search);
    assert!(paraphrases.recall_at_5 > 0.45, "{paraphrases:?}");
}

#[test]
fn the_judged_set_is_large_and_every_query_has_one_to_three_answers() {
    let judged = Judged::load();
    assert!(judged.tools.len() >= 2000);
    assert!(judged.queries.len() >= 80);
    assert!(judged.queries.iter().all(|query| (1..=3).contains(&query.relevant.len())));
    let tuning = judged.queries.iter().filter(|query| query.half == Half::Tuning).count();
    assert!((tuning * 2).abs_diff(judged.queries.len()) <= 2);
}

#[test]
fn the_answers_are_the_same_every_time() {
    for judged in [Judged::load(), Judged::everyday(), Judged::servers()] {
        let (one, other) = (judged.index(), judged.index());
        for query in &judged.queries {
            assert_eq!(one.search(&query.query, 20), other.search(&query.query, 20), "{}", query.query);
        }
    }
}

fn ours(judged: &Judged, halves: &[Half]) -> Score {
    let index = judged.index();
    judged.score(halves, |query| index.search(query, 50).hits.iter().map(|hit| hit.entry).collect())
}

fn theirs(judged: &Judged, halves: &[Half]) -> Score {
    let baseline = Baseline::new(&judged.tools);
    judged.score(halves, |query| baseline.search(query, 50))
}
