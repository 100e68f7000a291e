//! Executions are rolled back, with reverts of the configuration.

use serde_json::{Value, json};

use super::{Done, Folder};

const FAKE_SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../isobox-connect/tests/mcp/fake_server.py");

/// The file in which the server writes what it receives.
const JOURNAL: &str = "journal.jsonl";

/// Makes two calls that can be undone, and one that cannot.
const PROGRAM: &str = "
await codemode.step('first', () => tools.fake.echo({ name: 'a' }));
await tools.fake.process({});
return (await tools.fake.echo({ name: 'b' })).name;";

fn folder(name: &str, policy: &Value) -> Folder {
    let undone = json!({ "result": { "structuredContent": { "undone": "$result.name" } } });
    folder_with(name, policy, &json!({ "fake.echo": { "revert": { "call": "fake.raw", "input": undone } } }))
}

/// Returns a folder with these settings of tools.
fn folder_with(name: &str, policy: &Value, tools: &Value) -> Folder {
    let folder = Folder::with(&format!("rollback-{name}"), "{}");
    let tool = |name: &str| json!({ "name": name, "inputSchema": { "type": "object" } });
    folder.file("tools.json", &json!([tool("echo"), tool("raw"), tool("process")]).to_string());
    let arguments = json!([FAKE_SERVER, "--tools", "tools.json", "--journal", folder.0.join(JOURNAL)]);
    let config = json!({
        "mcpServers": { "fake": { "command": "python3", "args": arguments, "cwd": folder.0 } },
        "tools": tools,
        "policy": policy,
        "store": "sqlite:.isobox/isobox.db",
    });
    folder.file("isobox.json", &config.to_string());
    folder
}

fn run(folder: &Folder) -> String {
    run_program(folder, PROGRAM)
}

fn run_program(folder: &Folder, program: &str) -> String {
    folder.file("program.ts", program);
    let done = folder.isobox(&["run", "--trust", "--json", "program.ts"]);
    assert_eq!(done.status, 0, "{done:?}");
    done.json()["executionId"].as_str().expect("it has a name").to_owned()
}

fn rollback(folder: &Folder, id: &str, more: &[&str]) -> Done {
    folder.isobox(&[&["executions", "rollback", id, "--trust"], more].concat())
}

#[test]
fn a_dry_run_shows_what_a_rollback_does_then() {
    let folder = folder("plain", &json!([]));
    let id = run(&folder);
    let plan = rollback(&folder, &id, &["--dry-run"]);
    assert_eq!(plan.status, 0, "{plan:?}");
    let lines: Vec<&str> = plan.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{plan:?}");
    assert!(lines[0].starts_with("would revert call 3 (fake.echo) with fake.raw"), "{plan:?}");
    assert!(lines[0].contains(r#"{"undone":"b"}"#), "{plan:?}");
    assert_eq!(lines[2], "would leave call 2 (fake.process): its tool has no revert");
    let json = rollback(&folder, &id, &["--dry-run", "--json"]).json();
    assert_eq!((&json["reverts"][1]["seq"], &json["left"][0]["seq"]), (&json!("0"), &json!("2")), "{json}");

    let missing = rollback(&folder, &id, &["--to", "second"]);
    assert_eq!(missing.status, 4, "{missing:?}");
    assert!(missing.stderr.contains("its steps are `first`"), "{missing:?}");
    let part = rollback(&folder, &id, &["--to", "first"]);
    assert_eq!((part.status, part.stdout.as_str()), (0, ""), "{part:?}");
    assert!(part.stderr.contains("1 call was reverted after step `first`"), "{part:?}");
    let whole = rollback(&folder, &id, &["--json"]).json();
    assert_eq!((&whole["status"], &whole["reverted"]), (&json!("rolled_back"), &json!(["0", "3"])), "{whole}");
    let listed = folder.isobox(&["executions", "list", "--json", "--status", "rolled_back"]).json();
    assert_eq!(listed["executions"].as_array().map(Vec::len), Some(1), "{listed}");
    let shown = folder.isobox(&["executions", "show", &id]);
    assert!(shown.stdout.contains("began to roll it back to step first"), "{shown:?}");
    assert!(shown.stdout.contains("reverted: 2 calls"), "{shown:?}");
    let pruned = folder.isobox(&["executions", "prune", "--keep", "0"]);
    assert_eq!((pruned.status, pruned.stdout), (0, format!("deleted {id}\n")), "what was rolled back has ended");
    assert!(folder.listed().is_empty());
}

#[test]
fn a_revert_gets_parts_of_the_input_and_of_the_result() {
    let input =
        json!({ "id": "$result.id", "name": "$input.name", "all": "$input", "first": "$input.tags.0", "kept": 3 });
    let tools = json!({ "fake.raw": { "revert": { "call": "fake.echo", "input": input } } });
    let folder = folder_with("input", &json!([]), &tools);
    let passed = json!({ "name": "a", "tags": ["x", "y"], "result": { "structuredContent": { "id": 7 } } });
    let id = run_program(&folder, &format!("return (await tools.fake.raw({passed})).id;"));
    let expected = json!({ "id": 7, "name": "a", "all": passed, "first": "x", "kept": 3 });
    let plan = rollback(&folder, &id, &["--dry-run", "--json"]).json();
    assert_eq!((&plan["reverts"][0]["by"], &plan["reverts"][0]["input"]), (&json!("fake.echo"), &expected), "{plan}");
    let whole = rollback(&folder, &id, &["--json"]).json();
    assert_eq!((&whole["status"], &whole["reverted"]), (&json!("rolled_back"), &json!(["0"])), "{whole}");
    let journal = std::fs::read_to_string(folder.0.join(JOURNAL)).expect("the server writes it");
    let received = journal.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let calls = received.filter(|entry| entry["message"]["method"] == "tools/call");
    let calls: Vec<(Value, Value)> = calls
        .map(|entry| (entry["message"]["params"]["name"].clone(), entry["message"]["params"]["arguments"].clone()))
        .collect();
    assert_eq!(calls, [(json!("raw"), passed), (json!("echo"), expected)]);
}

#[test]
fn a_revert_that_needs_approval_is_approved_in_another_process() {
    let folder = folder("asks", &json!([{ "tools": "fake.raw", "require": "approval" }]));
    let id = run(&folder);
    let paused = rollback(&folder, &id, &["--json"]);
    assert_eq!((paused.status, &paused.json()["status"]), (3, &json!("paused")), "{paused:?}");
    let again = rollback(&folder, &id, &[]);
    assert_eq!(again.status, 4, "a rollback is under way: {again:?}");
    let revision = paused.json()["revision"].to_string();
    let approve = ["executions", "approve", &id, "--revision", &revision, "--trust", "--json"];
    let next = folder.isobox(&approve);
    assert_eq!((next.status, &next.json()["status"]), (3, &json!("paused")), "{next:?}");
    let seq = next.json()["pending"][0]["seq"].as_str().expect("a number").to_owned();
    let denied = folder.isobox(&["executions", "deny", &id, &seq, "--trust", "--json"]);
    assert_eq!(denied.status, 1, "a revert was not made: {denied:?}");
    let json = denied.json();
    assert_eq!((&json["reverted"], &json["failed"][0]["seq"]), (&json!(["3"]), &json!("0")), "{json}");
}

#[test]
fn wrong_names_and_what_has_not_ended_are_refused() {
    let folder = folder("wrong", &json!([{ "tools": "fake.process", "require": "approval" }]));
    folder.file("program.ts", PROGRAM);
    let paused = folder.isobox(&["run", "--trust", "--json", "program.ts"]);
    let id = paused.json()["executionId"].as_str().expect("it has a name").to_owned();
    let refused = rollback(&folder, &id, &[]);
    assert_eq!(refused.status, 4, "{refused:?}");
    assert!(refused.stderr.contains("has not ended") && refused.stderr.contains("reject"), "{refused:?}");
    assert_eq!(rollback(&folder, "ffffffff", &[]).status, 4);
}
