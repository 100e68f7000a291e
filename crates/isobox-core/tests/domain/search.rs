//! The results of searches, and their order.

use isobox_core::search::{Found, Index, IndexEntry};

const TOOLS: &[(&str, &str, &[&str])] = &[
    ("github.issues.list", "Lists the issues of a repository", &["owner", "repo", "state"]),
    ("github.issues.create", "Opens an issue in a repository", &["owner", "repo", "title", "body"]),
    ("github.issues.delete", "Deletes an issue for good", &["owner", "repo", "issueNumber"]),
    ("github.pulls.merge", "Merges a pull request", &["owner", "repo", "pullNumber"]),
    ("mail.send", "Sends a message to somebody", &["recipient", "subject"]),
    ("mail.listFolders", "All folders of the mailbox", &[]),
    ("storage.file_systems.resize", "Makes a volume larger", &["gigabytes"]),
    ("weather.getForecast", "The weather of the next days", &["latitude", "longitude"]),
    ("servicebus.queues.updateSettings", "Changes how long messages are kept", &["queueName"]),
    ("pay.rotateAPIKeys", "Makes new keys and revokes the old ones", &["keyId"]),
    ("cloud.VirtualMachines_PowerOff", "Stops one", &["name"]),
    ("cloud.NetworkSecurityGroups_Get", "Gets one", &["name"]),
];

#[test]
fn an_exact_path_comes_first_however_it_is_written() {
    for query in [
        "github.issues.create",
        "GitHub.Issues.Create",
        "tools.github.issues.create",
        "tools.github.issues.create({ title })",
        "`github.issues.create`",
        "how do I call github.issues.create?",
        "issues.create",
    ] {
        assert_eq!(first(query), "github.issues.create", "{query}");
    }
}

#[test]
fn a_namespace_lists_what_is_in_it_in_order_before_anything_else() {
    let issues = ["github.issues.create", "github.issues.delete", "github.issues.list"];
    for query in ["github.issues", "github.issues.", "github.issues.*", "github.issues*", "github.iss*", "github.iss"] {
        assert_eq!(paths(query)[..3], issues, "{query}");
    }
    assert_eq!(paths("github")[..4], [&issues[..], &["github.pulls.merge"]].concat());
    assert_eq!(paths("github.*.delete*"), ["github.issues.delete"]);
    assert_eq!(paths("*").len(), TOOLS.len());
    assert_eq!(paths("githb.issues.dele*")[0], "github.issues.delete", "a pattern that nothing fits is read as words");
}

#[test]
fn tools_of_a_namespace_that_is_named_come_before_tools_that_have_more_of_the_other_words() {
    let index = Index::new([
        IndexEntry { path: "memory.create_entities", description: "Create new entities in the graph", parameters: &[] },
        IndexEntry { path: "memory.read_graph", description: "Read the entire graph", parameters: &[] },
        IndexEntry { path: "files.write", description: "Stores a file about a person", parameters: &[] },
        IndexEntry { path: "file_cabinet.list", description: "What there is", parameters: &[] },
    ]);
    let first = |query: &str| index.search(query, 1).hits.first().map(|hit| hit.entry);
    assert_eq!(first("store a person"), Some(2));
    assert!(first("store a person in memory").is_some_and(|entry| entry < 2));
    assert!(first("store a person in MEMORY, please").is_some_and(|entry| entry < 2));
    assert_eq!(first("the list of a person in the file cabinet"), Some(3));
    assert_eq!(first("store memories of a person"), Some(2), "that is not its name");
}

#[test]
fn of_two_that_fit_alike_the_deprecated_one_comes_later() {
    let index = Index::new([
        IndexEntry { path: "a.read_file", description: "Reads a file. DEPRECATED: use b", parameters: &[] },
        IndexEntry { path: "b.read_file", description: "Reads a file, whatever it is", parameters: &[] },
    ]);
    let order: Vec<usize> = index.search("read file", 2).hits.iter().map(|hit| hit.entry).collect();
    assert_eq!(order, [1, 0]);
}

#[test]
fn an_empty_query_lists_everything_in_the_order_of_paths() {
    let mut all: Vec<&str> = TOOLS.iter().map(|(path, ..)| *path).collect();
    all.sort_by_key(|path| path.to_lowercase());
    assert_eq!(paths(""), all);
    assert_eq!(paths(" \t\n"), all);
}

#[test]
fn names_are_split_into_words() {
    assert_eq!(first("folders"), "mail.listFolders");
    assert_eq!(first("file system"), "storage.file_systems.resize");
    assert_eq!(first("forecast"), "weather.getForecast");
    assert_eq!(first("api keys"), "pay.rotateAPIKeys");
    assert_eq!(first("power off"), "cloud.VirtualMachines_PowerOff");
}

#[test]
fn parameter_names_are_found() {
    assert_eq!(first("latitude"), "weather.getForecast");
    assert_eq!(first("pull number"), "github.pulls.merge");
}

#[test]
fn a_name_counts_more_than_a_description_and_that_more_than_a_parameter() {
    let index = Index::new([
        IndexEntry { path: "a.one", description: "Something", parameters: &["invoice"] },
        IndexEntry { path: "b.two", description: "Something with an invoice", parameters: &[] },
        IndexEntry { path: "c.invoice", description: "Something", parameters: &[] },
    ]);
    assert_eq!(entries(&index.search("invoice", 10)), [2, 1, 0]);
}

#[test]
fn forms_of_a_word_are_the_same_word() {
    for query in ["merge", "merges", "merging", "merged"] {
        assert_eq!(first(query), "github.pulls.merge", "{query}");
    }
    assert_eq!(first("resizing"), "storage.file_systems.resize");
    assert_eq!(first("sending messages"), "mail.send");
}

#[test]
fn synonyms_are_found_after_the_word_itself() {
    for query in ["remove an issue", "destroy issue", "erase the issue"] {
        assert_eq!(first(query), "github.issues.delete", "{query}");
    }
    assert_eq!(first("make a new issue"), "github.issues.create");
    assert_eq!(first("fetch weather"), "weather.getForecast");
    assert_eq!(first("modify queue config"), "servicebus.queues.updateSettings");
    let index = Index::new([
        IndexEntry { path: "a.remove", description: "", parameters: &[] },
        IndexEntry { path: "b.delete", description: "", parameters: &[] },
    ]);
    assert_eq!(entries(&index.search("delete", 10)), [1, 0]);
}

#[test]
fn typing_errors_in_unknown_words_are_forgiven() {
    assert_eq!(first("foreacst"), "weather.getForecast");
    assert_eq!(first("delte isue"), "github.issues.delete");
    assert_eq!(first("longitdue"), "weather.getForecast");
    assert_eq!(first("repositroy isues lsit"), "github.issues.list");
    assert_eq!(paths("xq"), [""; 0], "short words are close to everything");
}

#[test]
fn a_known_word_is_not_taken_for_an_error() {
    let index = Index::new([
        IndexEntry { path: "a.slack", description: "", parameters: &[] },
        IndexEntry { path: "b.stack", description: "", parameters: &[] },
    ]);
    assert_eq!(entries(&index.search("slack", 10)), [0]);
    assert_eq!(entries(&index.search("slakc", 10)), [0]);
}

#[test]
fn a_rare_word_that_is_an_error_in_a_description_also_finds_the_common_one() {
    let names =
        (0..200).map(|number| if number % 5 == 0 { "address" } else { "thing" }.to_owned() + &number.to_string());
    let paths: Vec<String> = names.map(|name| format!("book.{name}")).collect();
    let with_error = IndexEntry { path: "book.other", description: "Takes an adress", parameters: &[] };
    let entries = paths.iter().map(|path| IndexEntry { path, description: "", parameters: &[] });
    assert_eq!(Index::new(entries.chain([with_error])).search("adress", 5).total, 41);
}

#[test]
fn words_written_together_or_apart_are_found() {
    assert_eq!(first("service bus"), "servicebus.queues.updateSettings");
    assert_eq!(first("filesystem"), "storage.file_systems.resize");
}

#[test]
fn initials_stand_for_words_and_words_for_initials() {
    assert_eq!(first("nsg"), "cloud.NetworkSecurityGroups_Get");
    assert_eq!(first("turn off a vm"), "cloud.VirtualMachines_PowerOff");
    let index = Index::new([
        IndexEntry { path: "scan.exportSBOM", description: "", parameters: &[] },
        IndexEntry { path: "scan.exportBill", description: "", parameters: &[] },
    ]);
    assert_eq!(entries(&index.search("software bill of materials", 1)).len(), 1);
    assert!(entries(&index.search("software bill of materials", 5)).contains(&0));
}

#[test]
fn words_that_say_nothing_do_not_count_unless_there_are_no_others() {
    assert_eq!(paths("please what is the weather for my next days"), paths("weather next days"));
    let index = Index::new([IndexEntry { path: "who.am_i", description: "", parameters: &[] }]);
    assert_eq!(index.search("who am I", 5).total, 1);
}

#[test]
fn equal_fits_are_in_the_order_of_paths() {
    let index =
        Index::new(["c.run", "a.run", "b.run"].map(|path| IndexEntry { path, description: "", parameters: &[] }));
    assert_eq!(entries(&index.search("run", 10)), [1, 2, 0]);
}

#[test]
fn a_stop_word_in_a_sentence_does_not_name_a_namespace() {
    let index = Index::new([
        IndexEntry { path: "everything.get_tiny_image", description: "Returns a big image", parameters: &[] },
        IndexEntry { path: "files.sizes", description: "How big each file is", parameters: &[] },
    ]);
    let first = |query: &str| index.search(query, 1).hits[0].entry;
    assert_eq!(first("how big is each file of everything"), 1);
    assert_eq!(first("everything"), 0);
}

#[test]
fn a_typing_error_in_an_ending_is_corrected() {
    let index = Index::new([
        IndexEntry { path: "maps.directions", description: "Directions between two places", parameters: &[] },
        IndexEntry { path: "tracker.list_issues", description: "All issues", parameters: &[] },
        IndexEntry { path: "store.drive", description: "Files in a cloud", parameters: &[] },
    ]);
    let first = |query: &str| index.search(query, 1).hits[0].entry;
    assert_eq!(first("direcions"), 0);
    assert_eq!(first("isues"), 1);
}

#[test]
fn an_abbreviation_that_is_spelt_out_is_not_read_as_initials() {
    let paths = ["policy.policy_reset", "hub.merge_pull_request"];
    let index = Index::new(paths.map(|path| IndexEntry { path, description: "", parameters: &[] }));
    assert_eq!(index.search("PR", 1).hits[0].entry, 1);
    assert!(index.explain("PR", 0).other_words.is_empty(), "{:?}", index.explain("PR", 0));
    assert!(!index.explain("mpr", 1).other_words.is_empty(), "other initials are");
}

#[test]
fn a_word_with_the_stem_of_a_command_is_not_that_command() {
    let index = Index::new([
        IndexEntry { path: "tasks.list", description: "Lists tasks", parameters: &["state"] },
        IndexEntry { path: "files.info", description: "Metadata of a file", parameters: &["path"] },
    ]);
    assert_eq!(index.search("stat", 1).hits[0].entry, 1);
}

#[test]
fn what_is_cut_off_is_said() {
    let found = index().search("repository", 1);
    assert_eq!((found.hits.len(), found.total, found.truncated), (1, 2, true));
    let found = index().search("repository", 2);
    assert_eq!((found.hits.len(), found.total, found.truncated), (2, 2, false));
    let found = index().search("", 3);
    assert_eq!((found.hits.len(), found.total, found.truncated), (3, TOOLS.len(), true));
    let found = index().search("repository", 0);
    assert_eq!((found.hits.len(), found.total, found.truncated), (0, 2, true));
}

#[test]
fn nothing_is_found_where_nothing_fits() {
    for query in ["zzzzzzzzzz", "???", "...", "😀", "\u{0}\u{301}"] {
        assert_eq!(index().search(query, 10), Found { hits: vec![], total: 0, truncated: false }, "{query:?}");
    }
    assert_eq!(Index::new([]).search("anything", 10).total, 0);
}

#[test]
fn every_script_is_accepted() {
    let index = Index::new([
        IndexEntry { path: "a.one", description: "Отправить письмо", parameters: &[] },
        IndexEntry { path: "b.two", description: "天気予報を取得する", parameters: &[] },
        IndexEntry { path: "c.three", description: "Überweisung ausführen", parameters: &[] },
    ]);
    assert_eq!(entries(&index.search("ПИСЬМО", 10)), [0]);
    assert_eq!(entries(&index.search("予報", 10)), [1]);
    assert_eq!(entries(&index.search("überweisung", 10)), [2]);
}

#[test]
fn a_query_of_any_length_is_read_up_to_a_bound() {
    let filler = "weather ".repeat(200);
    assert_eq!(first(&format!("{filler} merge")), "weather.getForecast");
    assert_eq!(index().search(&"x".repeat(10_000_000), 10).total, 0);
}

#[test]
fn long_descriptions_are_read_up_to_a_bound() {
    let long = format!("{} invoice", "hay ".repeat(3_000_000));
    let index = Index::new([IndexEntry { path: "a.b", description: &long, parameters: &[] }]);
    assert_eq!(index.search("hay", 10).total, 1);
    assert_eq!(index.search("invoice", 10).total, 0);
}

#[test]
fn ten_thousand_entries_are_all_found() {
    let paths: Vec<String> = (0..10_000).map(|number| format!("space{}.tool{number}", number % 100)).collect();
    let index = Index::new(paths.iter().map(|path| IndexEntry { path, description: "Does it", parameters: &["id"] }));
    assert_eq!(index.search("", 1).total, 10_000);
    assert_eq!(index.search("space7", 1000).total, 100);
    assert_eq!(entries(&index.search("space7.tool107", 1)), [107]);
}

fn index() -> Index {
    Index::new(TOOLS.iter().map(|&(path, description, parameters)| IndexEntry { path, description, parameters }))
}

fn paths(query: &str) -> Vec<&'static str> {
    index().search(query, 100).hits.iter().map(|hit| TOOLS[hit.entry].0).collect()
}

fn first(query: &str) -> &'static str {
    paths(query).first().copied().unwrap_or_default()
}

fn entries(found: &Found) -> Vec<usize> {
    found.hits.iter().map(|hit| hit.entry).collect()
}
