//! `isobox snippets`.

use serde_json::json;

use crate::executions::{Done, Folder, terminal};

/// A program that works by itself, and with an input.
const PROGRAM: &str = "const city = typeof input === 'undefined' ? 'Oslo' : input.city;
const { to } = await tools.demo.echo({ to: city });
return `weather in ${to}`;";

pub(crate) fn saved(name: &str) -> Folder {
    let folder = Folder::with(&format!("snippets-{name}"), "{}");
    folder.file("program.ts", PROGRAM);
    let done = folder.isobox(&["run", "--demo", "--json", "program.ts"]);
    let id = done.json()["executionId"].as_str().expect("it has a name").to_owned();
    let examples = r#"[{ "input": { "city": "Rome" }, "result": "weather in Rome" }, { "input": { "city": "Rome" }, "shape": "" }]"#;
    folder.file("examples.json", examples);
    let done = folder.isobox(&[
        "snippets",
        "save",
        "weather",
        "--from",
        &id,
        "--description",
        "Tells the weather.",
        "--examples",
        "examples.json",
        "--input-schema",
        r#"{"type":"object","required":["city"]}"#,
        "--demo",
        "--json",
    ]);
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!((&done.json()["version"], &done.json()["trust"]), (&json!(1), &json!("untrusted")), "{done:?}");
    assert!(done.json()["tools"]["demo.echo"].is_string(), "{done:?}");
    folder
}

#[test]
fn a_snippet_is_saved_listed_shown_run_tested_and_deleted() {
    let folder = saved("all");
    let isobox = |arguments: &[&str]| folder.isobox(&[&["snippets"], arguments].concat());
    let ran = isobox(&["run", "weather", r#"{"city":"Bern"}"#, "--demo"]);
    assert_eq!((ran.status, ran.stdout.trim()), (0, r#""weather in Bern""#), "{ran:?}");
    let tested = isobox(&["test", "weather", "--demo"]);
    assert_eq!(tested.status, 0, "{tested:?}");
    assert!(tested.stderr.contains("2 of 2 examples are as expected"), "{tested:?}");
    let listed = isobox(&["list"]);
    assert!(listed.stdout.starts_with("weather  v1") && listed.stdout.contains("1/0"), "{listed:?}");
    let listed = isobox(&["list", "--json"]).json();
    assert_eq!(listed["snippets"][0]["uses"]["successes"], 1, "{listed}");
    assert_eq!(listed["snippets"][0]["trust"], "untrusted", "{listed}");
    let shown = isobox(&["show", "weather"]);
    assert!(shown.stdout.contains("│ Tells the weather.") && shown.stdout.contains("tools: demo.echo"), "{shown:?}");
    assert!(shown.stdout.contains("return `weather in ${to}`;"), "{shown:?}");
    let wrong = isobox(&["run", "weather", "{}", "--demo", "--json"]);
    assert_eq!((wrong.status, &wrong.json()["error"]["code"]), (1, &json!("INVALID_INPUT")), "{wrong:?}");
    let gone = isobox(&["run", "weather", r#"{"city":"Bern"}"#, "--json"]);
    assert_eq!(gone.json()["error"]["code"], "UNKNOWN_TOOL", "{gone:?}");
    assert_eq!(isobox(&["delete", "weather"]).status, 0);
    let missing = isobox(&["show", "weather"]);
    assert_eq!(missing.status, 4, "{missing:?}");
    let none = isobox(&["list"]);
    assert!(none.status == 1 && none.stderr.contains("there are no snippets"), "{none:?}");
    assert_eq!(isobox(&["list", "--json"]).status, 1);
}

#[test]
fn a_snippet_is_found_and_described_beside_tools_and_says_if_its_tools_are_gone() {
    let folder = Folder::with("snippets-found", "{}");
    folder.file("program.ts", PROGRAM);
    let id = folder.isobox(&["run", "--demo", "--json", "program.ts"]).json()["executionId"].clone();
    let from = ["--from", id.as_str().expect("it has a name"), "--description", "Tells the outlook.", "--demo"];
    let saved = folder.isobox(&[&["snippets", "save", "forecast"], &from[..]].concat());
    assert_eq!(saved.status, 0, "{saved:?}");
    let tools = |arguments: &[&str]| folder.isobox(&[&["tools"], arguments].concat());
    let found = tools(&["search", "outlook", "--demo"]);
    assert_eq!(found.stdout.trim(), "forecast  snippet  Tells the outlook.", "{found:?}");
    let found = tools(&["search", "outlook", "--demo", "--json", "--explain"]).json();
    let hit = &found["results"][0];
    assert_eq!((&hit["path"], &hit["kind"]), (&json!("forecast"), &json!("snippet")), "{found}");
    assert_eq!(hit["why"]["words"], json!(["outlook"]), "{found}");
    let described = tools(&["describe", "forecast", "--demo"]);
    assert!(described.stdout.contains("run(name: \"forecast\", input"), "{described:?}");
    let gone = tools(&["search", "outlook"]);
    assert!(gone.stdout.contains("Warning: it needs `demo.echo`, which is gone"), "{gone:?}");
    let gone = tools(&["describe", "forecast"]);
    assert!(gone.stdout.contains("Warning: it needs `demo.echo`, which is gone"), "{gone:?}");
    assert_eq!(tools(&["describe", "forcast", "--demo"]).status, 4);
    let elsewhere = Folder::with("snippets-nowhere", "{}");
    assert_eq!(elsewhere.isobox(&["tools", "search", "weather", "--demo"]).stderr, "");
    assert!(!elsewhere.0.join(".isobox").exists(), "a search creates no store");
}

#[test]
fn a_failure_of_a_snippet_is_shown_at_its_place_in_the_snippet() {
    let folder = Folder::with("snippets-place", "{}");
    let program = "const total = typeof input === 'undefined' ? 1 : input.total;
if (total > 1) throw new RangeError('too much');
return total;";
    folder.file("program.ts", program);
    let id = folder.isobox(&["run", "--json", "program.ts"]).json()["executionId"].as_str().expect("a name").to_owned();
    assert_eq!(folder.isobox(&["snippets", "save", "sum", "--from", &id]).status, 0);
    let run = |arguments: &[&str]| folder.isobox(&[&["snippets", "run"], arguments].concat());
    for name in ["sum", "sum@1"] {
        let failed = run(&[name, r#"{ "total": 2 }"#]);
        assert_eq!(failed.status, 1, "{failed:?}");
        assert!(failed.stderr.contains("RangeError: snippet `sum`: too much\n  --> sum:2:"), "{failed:?}");
        assert!(failed.stderr.contains(" 2 | if (total > 1) throw new RangeError('too much');\n"), "{failed:?}");
        let error = run(&[name, r#"{ "total": 2 }"#, "--json"]).json()["error"].clone();
        assert_eq!((&error["line"], &error["details"]["file"]), (&json!(2), &json!("sum")), "{error}");
    }
    let error = run(&["nothing", "--json"]).json()["error"].clone();
    assert_eq!((&error["code"], &error["line"]), (&json!("NOT_FOUND"), &json!(null)), "{error}");
}

#[test]
fn no_row_of_a_list_is_wider_than_the_terminal() {
    let folder = Folder::with("snippets-wide", "{}");
    folder.file("program.ts", "return 1");
    let id = folder.isobox(&["run", "--json", "program.ts"]).json()["executionId"].as_str().expect("a name").to_owned();
    let words = format!("{}error[INTERNAL]: forged", "日本語".repeat(9));
    let saved = folder.isobox(&["snippets", "save", "weather", "--from", &id, "--description", &words]);
    assert_eq!(saved.status, 0, "{saved:?}");
    for width in [80, 40, 20] {
        let mut command = terminal(&folder, &["snippets", "list"], &[]);
        command.env("TEST_COLUMNS", width.to_string());
        let listed = Done::of(&command.output().expect("python gives a terminal"));
        assert!(listed.status == 0 && listed.stdout.contains("日本語"), "{listed:?}");
        for row in listed.stdout.lines() {
            // Wide characters take two columns.
            let columns: usize = row.chars().map(|character| if character > '\u{2fff}' { 2 } else { 1 }).sum();
            assert!(columns <= width, "{columns} of {width}: {row}");
        }
    }
}

#[test]
fn the_code_of_a_failed_execution_is_saved_only_by_force() {
    let folder = Folder::with("snippets-failed", "{}");
    folder.file("program.ts", "throw new Error('no')");
    let id = folder.isobox(&["run", "--json", "program.ts"]).json()["executionId"].as_str().expect("a name").to_owned();
    let refused = folder.isobox(&["snippets", "save", "bad", "--from", &id]);
    assert_eq!(refused.status, 4, "{refused:?}");
    assert!(refused.stderr.contains("only the code of a completed execution is saved"), "{refused:?}");
    assert_eq!(folder.isobox(&["snippets", "save", "bad", "--from", &id, "--force"]).status, 0);
    let named = folder.isobox(&["snippets", "save", "a b", "--from", &id, "--force"]);
    assert!(named.status != 0 && named.stderr.contains("cannot be the name of a snippet"), "{named:?}");
}

#[test]
fn a_snippet_with_a_possible_mistake_is_saved_and_one_whose_tool_is_missing_by_force_only() {
    let folder = Folder::with("snippets-mistake", "{}");
    folder.file("fine.ts", "return typeof input === 'object' ? await tools.mail.send({ to: input.to }) : 1");
    let done = folder.isobox(&["run", "--demo", "--json", "fine.ts"]).json();
    let id = done["executionId"].as_str().expect("it has a name").to_owned();
    let saved = folder.isobox(&["snippets", "save", "perhaps", "--from", &id, "--demo"]);
    assert_eq!(saved.status, 0, "the mistake is not certain: {saved:?}");
    folder.file("wrong.ts", "return await tools.demo.echo(1)");
    let done = folder.isobox(&["run", "--demo", "--json", "wrong.ts"]).json();
    let id = done["executionId"].as_str().expect("it has a name").to_owned();
    // Without the demonstration tools, the tool is missing when the snippet is saved.
    let refused = folder.isobox(&["snippets", "save", "echo", "--from", &id]);
    assert_ne!(refused.status, 0, "{refused:?}");
    assert!(refused.stderr.contains("--force"), "{refused:?}");
    let forced = folder.isobox(&["snippets", "save", "echo", "--from", &id, "--force"]);
    assert_eq!(forced.status, 0, "{forced:?}");
}
