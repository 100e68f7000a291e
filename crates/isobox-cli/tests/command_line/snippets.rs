//! `isobox snippets`.

use serde_json::json;

use crate::executions::Folder;

/// A program that works by itself, and with an input.
const PROGRAM: &str = "const city = typeof input === 'undefined' ? 'Oslo' : input.city;
const { to } = await tools.demo.echo({ to: city });
return `weather in ${to}`;";

fn saved(name: &str) -> Folder {
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
    assert!(listed.stdout.starts_with("weather  v1") && listed.stdout.contains("3/0"), "{listed:?}");
    let listed = isobox(&["list", "--json"]).json();
    assert_eq!(listed["snippets"][0]["uses"]["successes"], 3, "{listed}");
    assert_eq!(listed["snippets"][0]["trust"], "provisional", "{listed}");
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
    assert!(isobox(&["list"]).stderr.contains("there are no snippets"));
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
fn a_snippet_with_a_mistake_is_saved_by_force_only() {
    let folder = Folder::with("snippets-mistake", "{}");
    folder.file("fine.ts", "return typeof input === 'object' ? await tools.mail.send({ to: input.to }) : 1");
    let done = folder.isobox(&["run", "--demo", "--json", "fine.ts"]).json();
    let id = done["executionId"].as_str().expect("it has a name").to_owned();
    let saved = folder.isobox(&["snippets", "save", "perhaps", "--from", &id, "--demo"]);
    assert_eq!(saved.status, 0, "the mistake is not certain: {saved:?}");
    folder.file("wrong.ts", "return await tools.mail.send({ to: 'ada', subject: 'x' })");
    let done = folder.isobox(&["run", "--demo", "--json", "wrong.ts"]).json();
    let id = done["executionId"].as_str().expect("it has a name").to_owned();
    // Without the demonstration tools, the tool is missing when the snippet is saved.
    let refused = folder.isobox(&["snippets", "save", "mail", "--from", &id]);
    assert_eq!(refused.status, 1, "{refused:?}");
    assert!(refused.stderr.contains("--force"), "{refused:?}");
    let forced = folder.isobox(&["snippets", "save", "mail", "--from", &id, "--force"]);
    assert_eq!(forced.status, 0, "{forced:?}");
}
