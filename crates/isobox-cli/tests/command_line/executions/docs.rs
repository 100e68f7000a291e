//! The page about executions does what it says: its files are written, its commands run, its output comes out.

use std::path::Path;
use std::process::Command;

use super::{Done, Folder};

/// The fenced blocks of a page, with their languages.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push((language.to_owned(), text.join("\n")));
        }
    }
    blocks
}

/// The commands of a block, each with the output that follows it.
fn commands(block: &str) -> Vec<(&str, &str)> {
    let parts = block.strip_prefix("$ ").expect("it begins with a command").split("\n$ ");
    parts.map(|part| part.split_once('\n').unwrap_or((part, ""))).collect()
}

#[test]
fn the_page_about_executions_does_what_it_says() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/executions.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let folder = Folder::new("docs");
    let binary = Path::new(env!("CARGO_BIN_EXE_isobox")).parent().expect("it is in a folder").display();
    let mut id = String::new();
    let mut ran = 0;
    for (language, text) in blocks(&page) {
        match language.as_str() {
            "jsonc" => folder.file("isobox.json", &text),
            "ts" => {
                let name = text.lines().next().and_then(|line| line.strip_prefix("// ")).expect("it names its file");
                folder.file(name, &text);
            }
            "console" => {
                for (command, expected) in commands(&text) {
                    let last = folder.listed().first().and_then(|one| Some(one["id"].as_str()?.to_owned()));
                    let mut shell = Command::new("sh");
                    shell.args(["-c", &format!("exec 2>&1; {command}")]).current_dir(&folder.0);
                    shell.env("PATH", format!("{binary}:/usr/bin:/bin")).env("NO_COLOR", "1");
                    shell.env("ISOBOX_DECIDE_KEY_FILE", folder.0.join("ada.key"));
                    shell.env("ID", &id).env("LAST", last.unwrap_or_default());
                    let done = Done::of(&shell.output().expect("a shell starts"));
                    if id.is_empty() {
                        id = folder.listed()[0]["id"].as_str().expect("a name").to_owned();
                    }
                    assert_eq!(done.stdout.trim_end().replace(&id, "$ID"), expected, "{command}");
                    ran += 1;
                }
            }
            _ => {}
        }
    }
    assert!(ran >= 8, "{ran} commands ran");
}
