//! Properties of any query over any entries.

use isobox_core::search::{Index, IndexEntry};
use proptest::prelude::*;

const WORDS: &[&str] = &[
    "get",
    "list",
    "issue",
    "issues",
    "User",
    "HTTPServer",
    "s3",
    "ß",
    "İ",
    "é",
    "天気",
    "😀",
    ".",
    "*",
    "_",
    "-",
    " ",
    "(",
    "a",
    "\u{301}",
    "deleting",
    "xyzzy",
    "tools.",
    "99",
    "ies",
    "s",
    "eed",
    "ing",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::collection::vec(proptest::sample::select(WORDS), 0..12).prop_map(|words| words.concat()),
        proptest::collection::vec(any::<char>(), 0..40).prop_map(|characters| characters.into_iter().collect()),
        proptest::collection::vec(proptest::sample::select(WORDS), 0..60).prop_map(|words| words.join(" ")),
    ]
}

fn tool() -> impl Strategy<Value = (String, String, Vec<String>)> {
    (text(), text(), proptest::collection::vec(text(), 0..4))
}

proptest! {
    #[test]
    fn any_query_over_any_entries_gives_the_best_first_and_no_more_than_asked_for(
        tools in proptest::collection::vec(tool(), 0..12), query in text(), limit in 0usize..15,
    ) {
        let parameters: Vec<Vec<&str>> =
            tools.iter().map(|(_, _, names)| names.iter().map(String::as_str).collect()).collect();
        let entries = || tools.iter().zip(&parameters).map(|((path, description, _), parameters)| IndexEntry {
            path, description, parameters,
        });
        let index = Index::new(entries());
        let found = index.search(&query, limit);

        prop_assert_eq!(found.hits.len(), found.total.min(limit));
        prop_assert_eq!(found.truncated, found.total > limit);
        prop_assert!(found.total <= tools.len());
        prop_assert!(found.hits.iter().all(|hit| hit.score.is_finite() && hit.entry < tools.len()));
        for pair in found.hits.windows(2) {
            prop_assert!(pair[0].score >= pair[1].score);
            prop_assert!(pair[0].entry != pair[1].entry);
        }
        let all = index.search(&query, usize::MAX);
        prop_assert_eq!(&all.hits[..found.hits.len()], &found.hits[..]);
        prop_assert_eq!(Index::new(entries()).search(&query, limit), found);
    }

    #[test]
    fn the_path_of_an_entry_finds_it_first(tools in proptest::collection::btree_set("[a-z]{1,6}(\\.[a-z]{1,6}){1,3}", 1..12)) {
        let tools: Vec<String> = tools.into_iter().collect();
        let index = Index::new(tools.iter().map(|path| IndexEntry { path, description: "", parameters: &[] }));
        for (place, path) in tools.iter().enumerate() {
            prop_assert_eq!(index.search(path, 1).hits[0].entry, place);
        }
    }
}
