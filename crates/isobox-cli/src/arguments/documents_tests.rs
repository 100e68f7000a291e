//! Compares the commands that the documents name with the definitions of the arguments.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory};

use super::Arguments;

/// The commands that answer in another form than text or JSON.
const OF_THEIR_OWN_FORM: [&str; 2] = ["completions", "mcp"];

#[test]
fn every_command_and_option_that_the_documents_name_exists() {
    let mut root = Arguments::command();
    // Gives every command the options of the commands above it.
    root.build();
    let (mut count, mut problems) = (0, Vec::new());
    for path in documents() {
        let text = fs::read_to_string(&path).expect("a document is text");
        for (number, line) in text.lines().enumerate() {
            for named in named_in(line) {
                count += 1;
                let problem = problem(&root, named);
                problems.extend(problem.map(|what| format!("{}:{}: {what}", path.display(), number + 1)));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(count > 200, "only {count} commands were found in the documents");
}

#[test]
fn an_unknown_command_or_option_in_a_document_is_found() {
    let mut root = Arguments::command();
    root.build();
    let found = |line: &str| named_in(line).iter().filter_map(|named| problem(&root, named)).collect::<Vec<_>>();
    assert_eq!(found("$ isobox runn a.ts"), ["there is no command `runn`"]);
    assert_eq!(found("Use `isobox tools lst` for it."), ["there is no command `tools lst`"]);
    assert_eq!(found("  approve: isobox executions approve ID --al"), ["`executions approve` has no `--al`"]);
    assert_eq!(found("cargo run --release --bin isobox -- run --dem a.ts"), ["`run` has no `--dem`"]);
    for line in [
        "$ isobox run --demo --json a.ts | grep --count x",
        "isobox add files -- npx --yes package",
        "`isobox executions …`, or `isobox run --timeout=5s`. Isobox runs it.",
        "The crate isobox is for hosts.",
    ] {
        assert!(found(line).is_empty(), "{line}: {:?}", found(line));
    }
}

#[test]
fn every_command_that_answers_can_answer_in_json() {
    let mut root = Arguments::command();
    root.build();
    let mut without = Vec::new();
    let mut left = vec![&root];
    while let Some(command) = left.pop() {
        let has_json = command.get_arguments().any(|arg| arg.get_long() == Some("json"));
        if !command.has_subcommands() && !has_json {
            without.push(command.get_name());
        }
        left.extend(command.get_subcommands().filter(|below| below.get_name() != "help"));
    }
    without.sort_unstable();
    assert_eq!(without, OF_THEIR_OWN_FORM);
}

/// Returns the Markdown files that users read.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found =
        ["README.md", "LIMITATIONS.md", "ARCHITECTURE.md", "examples/README.md"].map(|name| root.join(name)).to_vec();
    let mut folders = vec![root.join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found
}

/// Returns the arguments of the commands that a line names in code: after a prompt, at its beginning, or in a code span.
fn named_in(line: &str) -> Vec<&str> {
    const NAME: &str = "isobox ";
    let is_command = line.trim_start().trim_start_matches("$ ").starts_with(NAME);
    let mut named = Vec::new();
    for (at, _) in line.match_indices(NAME) {
        let before = &line[..at];
        let is_code = is_command || before.matches('`').count() % 2 == 1;
        let is_printed = before.ends_with(": ") || before.ends_with("--bin ");
        if (before.is_empty() || before.ends_with([' ', '`'])) && (is_code || is_printed) {
            let rest = &line[at + NAME.len()..];
            let rest = rest.split('`').next().unwrap_or_default();
            named.push(rest.strip_prefix("-- ").unwrap_or(rest));
        }
    }
    named
}

/// Says what a command line names that does not exist.
fn problem(root: &Command, named: &str) -> Option<String> {
    let redirects = |word: &str| word.starts_with(['<', '>']) || word.starts_with("2>");
    let goes_on = |word: &&str| !matches!(*word, "--" | "|" | "#" | "&&" | "&" | ";") && !redirects(word);
    let words: Vec<&str> = named.split_whitespace().take_while(goes_on).collect();
    let is_name = |word: &&&str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let (mut command, mut path) = (root, Vec::new());
    for word in words.iter().take_while(is_name) {
        if !command.has_subcommands() {
            break;
        }
        path.push(*word);
        match command.find_subcommand(word) {
            Some(below) => command = below,
            None => return Some(format!("there is no command `{}`", path.join(" "))),
        }
    }
    // The name of the package alone, or the beginning of a sentence.
    if path.is_empty() {
        return None;
    }
    let is_part = |character: &char| character.is_ascii_lowercase() || *character == '-';
    let options = words.iter().filter_map(|word| word.trim_start_matches(['[', '(']).strip_prefix("--"));
    let names = options.map(|word| word.chars().take_while(is_part).collect::<String>());
    let mut unknown = names.filter(|name| {
        let is_known = command.get_arguments().any(|arg| arg.get_long() == Some(name.as_str()));
        !is_known && !matches!(name.as_str(), "help" | "version")
    });
    unknown.next().map(|name| format!("`{}` has no `--{name}`", path.join(" ")))
}
