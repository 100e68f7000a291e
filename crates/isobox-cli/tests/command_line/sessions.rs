//! `isobox run --session NAME --globals`, and `isobox sessions`.

use serde_json::json;

use crate::executions::{Done, Folder, ONE};

fn isobox(folder: &Folder, arguments: &[&str]) -> Done {
    Done::of(&folder.command(arguments).output().expect("the binary starts"))
}

const STORE: [&str; 2] = ["--store", "sqlite:sessions.db"];

fn cell(folder: &Folder, source: &str, more: &[&str]) -> Done {
    folder.file("cell.ts", source);
    isobox(folder, &[&["run", "cell.ts", "--session", "work", "--globals"], &STORE[..], more].concat())
}

fn sessions(folder: &Folder, arguments: &[&str]) -> Done {
    isobox(folder, &[&["sessions"], arguments, &STORE[..]].concat())
}

#[test]
fn programs_of_a_session_find_globals_in_another_process_and_sessions_are_managed() {
    let folder = Folder::new("sessions");
    for expected in 1..=3 {
        let done = cell(&folder, "globalThis.n = (globalThis.n ?? 0) + 1; return n", &[]);
        assert_eq!((done.status, done.stdout.trim()), (0, expected.to_string().as_str()), "{done:?}");
    }
    let listed = sessions(&folder, &["list", "--json"]).json();
    assert_eq!(
        (&listed["sessions"][0]["name"], listed["sessions"].as_array().map(Vec::len)),
        (&json!("work"), Some(1))
    );
    let drawn = sessions(&folder, &["list"]);
    assert!(drawn.status == 0 && drawn.stdout.starts_with("SESSION  VERSION  SIZE"), "{drawn:?}");
    let shown = sessions(&folder, &["show", "work"]);
    assert!(shown.stdout.contains("LEFT BY") && shown.stdout.lines().count() == 5, "{shown:?}");
    let forked = sessions(&folder, &["fork", "work", "what-if", "--version", "2", "--json"]).json();
    assert_eq!((&forked["name"], &forked["versions"][0]["number"]), (&json!("what-if"), &json!(2)));
    let rewound = sessions(&folder, &["rewind", "work", "1"]);
    assert_eq!(rewound.status, 0, "{rewound:?}");
    assert_eq!(cell(&folder, "return n", &[]).stdout.trim(), "1");
    for (arguments, status, code) in [
        (&["show", "none", "--json"][..], 4, "NOT_FOUND"),
        (&["rewind", "work", "99", "--json"], 4, "NOT_FOUND"),
        (&["fork", "work", "what-if", "--json"], 4, "CONFLICT"),
        (&["fork", "work", "", "--json"], 2, "CONFIG"),
    ] {
        let done = sessions(&folder, arguments);
        assert_eq!((done.status, &done.json()["error"]["code"]), (status, &json!(code)), "{done:?}");
    }
    for name in ["work", "what-if"] {
        assert_eq!(sessions(&folder, &["delete", name]).status, 0);
    }
    assert_eq!(sessions(&folder, &["list"]).status, 1, "there are none");
}

#[test]
fn the_file_may_follow_the_option_for_globals() {
    let folder = Folder::new("sessions-order");
    folder.file("first.ts", "globalThis.rows = 2; return 1");
    let run = ["run", "--store", "sqlite:work.db", "--session", "analysis", "--globals", "first.ts"];
    let done = isobox(&folder, &run);
    assert_eq!((done.status, done.stdout.trim()), (0, "1"), "{done:?}");
}

#[test]
fn globals_need_a_session_and_a_store() {
    let folder = Folder::new("sessions-wrong");
    folder.file("cell.ts", "return 1");
    let done = isobox(&folder, &["run", "cell.ts", "--globals"]);
    assert!(done.status == 2 && done.stderr.contains("--session"), "{done:?}");
    let done = isobox(&folder, &["run", "cell.ts", "--session", "work", "--globals", "--store", "none"]);
    assert!(done.status == 2 && done.stderr.contains("--globals needs a store"), "{done:?}");
    let done = isobox(&folder, &["sessions", "list", "--store", "none"]);
    assert!(done.status == 2 && done.stderr.contains("sessions need a store"), "{done:?}");
}

#[test]
fn a_program_whose_session_is_in_use_is_refused() {
    let folder = Folder::new("sessions-busy");
    let paused = cell(&folder, ONE, &["--demo"]);
    assert_eq!(paused.status, 3, "{paused:?}");
    folder.file("cell.ts", "return 1");
    let refuse = ["run", "cell.ts", "--session", "work", "--globals=refuse", "--json"];
    let busy = isobox(&folder, &[&refuse[..], &STORE[..]].concat());
    assert_eq!((busy.status, &busy.json()["error"]["code"]), (4, &json!("CONFLICT")), "{busy:?}");
}

#[test]
fn a_program_tells_its_facts() {
    let folder = Folder::new("facts");
    folder
        .file("program.ts", "codemode.fact('rows', [1, 2]); codemode.fact('a\u{1b}[1m\\nb', 1); throw new Error('no')");
    let done = isobox(&folder, &["run", "program.ts"]);
    assert!(done.stderr.contains("fact │ rows: [1,2]\n") && !done.stderr.contains('\u{1b}'), "{done:?}");
    let done = isobox(&folder, &["run", "program.ts", "--json"]);
    assert_eq!(done.json()["facts"]["rows"], json!([1, 2]), "{done:?}");
}
