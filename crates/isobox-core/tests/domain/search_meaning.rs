//! Searches by what words mean, and the reasons for the order.

use isobox_core::search::{Index, IndexEntry};

const TOOLS: &[(&str, &str)] = &[
    ("files.create_directory", "Create a new directory"),
    ("files.list_directory", "List the files and directories at a path"),
    ("shop.track_shipment", "Get the tracking status of a shipment"),
    ("calendar.create_event", "Create a calendar event"),
    ("media.generate_image", "Generate an image from a prompt"),
    ("weather.forecast", "Get the weather forecast for several days"),
    ("mail.send_email", "Send an email"),
    ("git.log", "Show the commit logs"),
];

#[test]
fn a_query_that_shares_no_word_with_a_tool_finds_it() {
    for (query, path) in [
        ("locate my parcel", "shop.track_shipment"),
        ("is it going to rain tomorrow", "weather.forecast"),
        ("arrange an appointment", "calendar.create_event"),
        ("draw a picture", "media.generate_image"),
        ("write to a colleague", "mail.send_email"),
    ] {
        let found = paths(query);
        assert!(found.iter().take(2).any(|found| *found == path), "{query}: {found:?}");
    }
}

#[test]
fn commands_and_abbreviations_are_spelt_out() {
    assert_eq!(paths("mkdir")[0], "files.create_directory");
    assert_eq!(paths("how do I mkdir")[0], "files.create_directory");
    assert_eq!(paths("ls -la")[0], "files.list_directory");
}

#[test]
fn a_tool_with_the_word_comes_before_tools_that_only_mean_the_same() {
    let index = index_of(&[
        ("a.image", "Something with an image"),
        ("b.photo", "Something with a photograph"),
        ("c.parcel", "Something with a parcel"),
    ]);
    for (place, query) in ["image", "photograph", "parcel"].into_iter().enumerate() {
        assert_eq!(index.search(query, 1).hits[0].entry, place, "{query}");
    }
    for (place, (path, _)) in TOOLS.iter().enumerate() {
        assert_eq!(index_of(TOOLS).search(path, 1).hits[0].entry, place, "{path}");
        let name = path.rsplit('.').next().unwrap_or_default();
        assert_eq!(index_of(TOOLS).search(name, 1).hits[0].entry, place, "{name}");
    }
}

#[test]
fn the_order_is_explained() {
    let index = index_of(TOOLS);
    let score = |query: &str, entry: usize| {
        index.search(query, 10).hits.iter().find(|hit| hit.entry == entry).map_or(0.0, |hit| hit.score)
    };
    let why = index.explain("create a folder", 0);
    assert_eq!(why.words, ["create"]);
    assert_eq!(why.other_words.len(), 1);
    assert_eq!((why.other_words[0].word.as_str(), why.other_words[0].found.as_str()), ("folder", "directory"));
    assert!(why.meaning > 0.3 && !why.is_path);
    assert_eq!(why.score.to_bits(), score("create a folder", 0).to_bits());

    let why = index.explain("locate my parcel", 2);
    assert!(why.words.is_empty() && why.other_words.is_empty() && why.meaning > 0.2, "{why:?}");
    assert_eq!(why.score.to_bits(), score("locate my parcel", 2).to_bits());

    assert!(index.explain("git.log", 7).is_path);
    for (query, entry) in [("", 0), ("???", 1), ("weather", TOOLS.len()), ("weather", usize::MAX)] {
        let why = index.explain(query, entry);
        assert!(why.score == 0.0 && why.words.is_empty() && why.meaning == 0.0, "{query}: {why:?}");
    }
}

#[test]
fn hostile_queries_stay_bounded() {
    let index = index_of(TOOLS);
    for query in [
        "picture ".repeat(10_000),
        "ls ".repeat(10_000),
        "tar systemctl crud rsvp ".repeat(1_000),
        "ä".repeat(1_000_000),
        format!("{}s", "weather".repeat(100_000)),
        "\u{0}\u{301}\u{feff} ".repeat(5_000),
    ] {
        let found = index.search(&query, 10);
        assert!(found.hits.iter().all(|hit| hit.score.is_finite() && hit.score < 10_000.0));
        assert_eq!(found, index.search(&query, 10));
        assert!(index.explain(&query, 0).words.len() <= 32);
    }
}

fn index_of(tools: &[(&str, &str)]) -> Index {
    Index::new(tools.iter().map(|&(path, description)| IndexEntry { path, description, parameters: &[] }))
}

fn paths(query: &str) -> Vec<&'static str> {
    index_of(TOOLS).search(query, 10).hits.iter().map(|hit| TOOLS[hit.entry].0).collect()
}

#[test]
fn a_tool_with_the_name_of_a_command_comes_before_what_the_command_stands_for() {
    let index = index_of(&[
        ("demo.text", "Print and write a text"),
        ("demo.echo", "Gives back what it is given"),
        ("shell.ls", "Runs it"),
        ("files.list_directory", "List the files of a directory"),
    ]);
    assert_eq!(index.search("echo", 1).hits[0].entry, 1);
    let ls: Vec<usize> = index.search("ls", 2).hits.iter().map(|hit| hit.entry).collect();
    assert_eq!(ls, [2, 3]);
}
