//! The configurations in the documents can be read, and their rules allow no more than they seem to.

use std::path::{Path, PathBuf};

use isobox::config::Config;

#[test]
fn no_rule_in_a_document_allows_more_than_it_seems_to() {
    let mut count = 0;
    for path in documents() {
        let text = std::fs::read_to_string(&path).expect("a document is text");
        let blocks: Vec<&str> = match path.extension().is_some_and(|extension| extension == "md") {
            true => text.split("```jsonc\n").skip(1).filter_map(|rest| rest.split("```").next()).collect(),
            false => vec![text.as_str()],
        };
        for block in blocks.into_iter().filter(|block| block.contains("\"policy\"")) {
            let config = Config::parse(block, &variable).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert_eq!(config.policy.warnings(), Vec::<String>::new(), "{}:\n{block}", path.display());
            count += 1;
        }
    }
    assert!(count > 10, "only {count} configurations have a policy");
}

/// Returns a value for every variable that a document names.
fn variable(name: &str) -> Option<String> {
    Some(match name {
        "DATABASE_URL" => "postgres://isobox@localhost/isobox".to_owned(),
        "ISOBOX_STORE_KEY" => "7f".repeat(32),
        _ => format!("value of {name}"),
    })
}

/// Returns the pages that users read, and the configuration of the examples.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = vec![root.join("README.md"), root.join("examples/isobox.json")];
    for folder in ["docs", "docs/guides"] {
        let pages = std::fs::read_dir(root.join(folder)).expect("a folder").flatten().map(|entry| entry.path());
        found.extend(pages.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    found
}
