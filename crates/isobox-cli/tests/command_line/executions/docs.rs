//! Pages about executions do what they say: their files are written, their commands run, their output comes out.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use super::{Done, Folder};

/// Stands in for the program of this name: it copies a database that is in use.
const SQLITE: &str = r#"#!/usr/bin/env python3
import re, sqlite3, sys
copy = re.fullmatch(r"\.backup '(.*)'", sys.argv[2])[1]
sqlite3.connect(sys.argv[1]).backup(sqlite3.connect(copy))
"#;

fn page(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    fs::read_to_string(path).expect("the page is there")
}

/// Runs lines of a page in a folder. What they print is together, and the first line that fails ends them.
fn shell(folder: &Folder, lines: &str, store: &str) -> Done {
    let binary = Path::new(env!("CARGO_BIN_EXE_isobox")).parent().expect("it is in a folder").display();
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec 2>&1; set -e; {lines}")]).current_dir(&folder.0);
    let own = folder.0.join("bin").display().to_string();
    shell.env("PATH", format!("{binary}:{own}:/usr/local/bin:/usr/bin:/bin")).env("NO_COLOR", "1");
    shell.env("ISOBOX_DECIDE_KEY_FILE", folder.0.join("ada.key")).env("XDG_STATE_HOME", folder.0.join("state"));
    shell.env("DATABASE_URL", store).env_remove("ISOBOX_STORE_KEY");
    Done::of(&shell.output().expect("a shell starts"))
}

/// Tells whether a page shows what was printed. A line `…` stands for any lines, and times may be others.
fn is_shown(printed: &str, page: &str) -> bool {
    let line = |line: &str| {
        let is_time = |word: &str| word.strip_suffix('s').is_some_and(|number| number.parse::<u32>().is_ok());
        let word = |word| if is_time(word) { "0s" } else { word };
        line.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
    };
    let mut printed = printed.lines().map(line);
    let mut skips = false;
    for expected in page.lines() {
        if expected == "…" {
            skips = true;
            continue;
        }
        let expected = line(expected);
        let is_there = if skips { printed.any(|one| one == expected) } else { printed.next() == Some(expected) };
        if !is_there {
            return false;
        }
        skips = false;
    }
    skips || printed.next().is_none()
}

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
    let page = page("executions.md");
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

#[test]
fn the_guide_about_another_machine_does_what_it_says() {
    // The execution of the guide, and the end of its name.
    const ID: &str = "exec_01a1e797be6c407e43eb20fb77d164d41a9c7e9e62a5";
    const SHORT: &str = "exec_7e9e62a5";
    let (first, second) = (Folder::new("docs-first"), Folder::new("docs-second"));
    fs::remove_file(second.0.join("isobox.json")).expect("it is there");
    // PostgreSQL needs a server, and nothing else in the guide depends on it.
    let store = format!("sqlite:{}", first.0.join("shared.db").display());
    let mut id = String::new();
    let mut ran = 0;
    for (language, text) in blocks(&page("guides/approve-from-another-machine.md")) {
        match language.as_str() {
            "jsonc" => {
                let postgres = r#"{ "url": "${DATABASE_URL}", "key": "${ISOBOX_STORE_KEY}" }"#;
                assert!(text.contains(postgres), "{text}");
                first.file("isobox.json", &text.replace(postgres, &json!(store).to_string()));
            }
            "sh" if text.contains("isobox executions") => {
                let done = shell(&first, &text, &store);
                assert_eq!((done.status, done.stdout.as_str()), (0, ""), "{text}");
            }
            "console" => {
                for (command, expected) in commands(&text) {
                    let named = |text: &str| match id.get(id.len().saturating_sub(8)..) {
                        Some(end) if !id.is_empty() => text.replace(ID, &id).replace(SHORT, &format!("exec_{end}")),
                        _ => text.to_owned(),
                    };
                    if let Some(file) = command.strip_prefix("cat ") {
                        [&first, &second].iter().for_each(|folder| folder.file(file, &(named(expected) + "\n")));
                        continue;
                    }
                    // Asks a person. The decisions in the file are the same.
                    if command.starts_with("isobox executions decide --no-resume") {
                        continue;
                    }
                    let folder = if command.contains("--config isobox.json") { &first } else { &second };
                    let done = shell(folder, &named(command), &store);
                    let is_paused = command.starts_with("isobox run");
                    assert_eq!(done.status, if is_paused { 3 } else { 0 }, "{command}: {done:?}");
                    if is_paused {
                        let listed = first.isobox(&["executions", "list", "--json", "--config", "isobox.json"]).json();
                        id = listed["executions"][0]["executionId"].as_str().expect("a name").to_owned();
                    }
                    let printed = done.stdout.replace(&id, ID).replace(&format!("exec_{}", &id[id.len() - 8..]), SHORT);
                    assert!(is_shown(&printed, expected), "{command}\n{printed}");
                    ran += 1;
                }
            }
            _ => {}
        }
    }
    assert_eq!(ran, 5, "commands ran");
}

#[test]
fn the_commands_of_the_guide_about_operating_run() {
    let folder = Folder::new("docs-operating");
    fs::create_dir(folder.0.join("bin")).expect("a folder");
    folder.file("bin/sqlite3", SQLITE);
    fs::set_permissions(folder.0.join("bin/sqlite3"), fs::Permissions::from_mode(0o755)).expect("a program");
    folder.file("program.ts", "return 1");
    assert_eq!(folder.isobox(&["run", "program.ts"]).status, 0);
    let mut ran = 0;
    for (language, text) in blocks(&page("guides/operating.md")) {
        match language.as_str() {
            "jsonc" if text.contains("retention") => folder.file("isobox.json", &text),
            "sh" => {
                let done = shell(&folder, &text, "");
                assert_eq!(done.status, 0, "{text}\n{done:?}");
                ran += 1;
            }
            // The others are about processes that were stopped or died.
            "console" if text.starts_with("$ isobox executions prune") => {
                for (command, expected) in commands(&text) {
                    let done = shell(&folder, command, "");
                    assert!(done.status == 0 && is_shown(&done.stdout, expected), "{command}\n{done:?}");
                    ran += 1;
                }
            }
            _ => {}
        }
    }
    assert_eq!(ran, 6, "commands ran");
}
