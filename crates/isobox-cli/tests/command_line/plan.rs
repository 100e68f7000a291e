//! `isobox run --plan`: the calls that a program would make.

use serde_json::json;

use crate::executions::{Done, Folder, ONE};
use crate::snippets;

fn plan(folder: &Folder, more: &[&str]) -> Done {
    folder.file("program.ts", ONE);
    let arguments = [&["run", "--demo", "--plan", "program.ts"], more].concat();
    Done::of(&folder.command(&arguments).output().expect("the binary starts"))
}

#[test]
fn a_plan_lists_calls_and_what_is_not_certain_and_makes_none() {
    let folder = Folder::new("plan");
    let done = plan(&folder, &[]);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(done.stdout.starts_with("The program would make 1 call:\n  0    mail.send {"), "{done:?}");
    assert!(done.stdout.contains("[held back; needs approval: "), "{done:?}");
    assert!(done.stdout.contains("Not certain:\n"), "{done:?}");
    assert!(!folder.0.join(".isobox").exists(), "nothing is stored");
}

#[test]
fn a_plan_is_one_line_of_json_on_request() {
    let folder = Folder::new("plan-json");
    let done = plan(&folder, &["--json"]);
    assert_eq!(done.stdout.lines().count(), 1, "{done:?}");
    let json = done.json();
    assert_eq!((&json["status"], &json["calls"][0]["done"]), (&json!("planned"), &json!("held")));
}

#[test]
fn a_program_that_would_fail_fails_its_plan() {
    let folder = Folder::new("plan-failed");
    folder.file("wrong.ts", "const name = 'x'; return tools[name].y()");
    let done = Done::of(&folder.command(&["run", "--demo", "--plan", "wrong.ts"]).output().expect("the binary starts"));
    assert_eq!(done.status, 1, "{done:?}");
    assert!(done.stdout.contains("It would fail: UNKNOWN_TOOL"), "{done:?}");
}

#[test]
fn a_plan_takes_no_approval() {
    let done = plan(&Folder::new("plan-approved"), &["--approve-all"]);
    assert_eq!(done.status, 2, "{done:?}");
}

#[test]
fn a_plan_runs_the_snippets_of_the_store_and_writes_nothing_to_it() {
    let folder = snippets::saved("plan");
    folder.file("uses.ts", "return codemode.run('weather', { city: 'Bern' })");
    let listed = || folder.isobox(&["snippets", "list", "--json"]).json();
    let before = listed();
    let done = folder.isobox(&["run", "--demo", "--plan", "--json", "uses.ts"]);
    let planned: Vec<_> = done.json()["calls"].as_array().expect("a list").clone();
    let shown: Vec<_> = planned.iter().map(|call| (&call["seq"], &call["path"], &call["done"])).collect();
    let ran = (&json!("0"), &json!("codemode.run"), &json!("ran"));
    assert_eq!((done.status, shown[0], shown[1].1), (0, ran, &json!("demo.echo")), "{done:?}");
    assert_eq!(planned[1]["seq"], "0.0");
    assert_eq!(listed(), before);
    let elsewhere = folder.isobox(&["run", "--demo", "--plan", "--json", "--store", "none", "uses.ts"]);
    assert_eq!((elsewhere.status, &elsewhere.json()["error"]["code"]), (1, &json!("NOT_FOUND")), "{elsewhere:?}");
}
