//! The JSON of an outcome. Its keys are a promise, so they are written out here.

use std::num::NonZeroU32;

use isobox::{Checks, Isobox, Outcome, Run, Value, demo, json};

async fn run(source: &str) -> Value {
    let tools = demo::tools().expect("the tools are well defined");
    let isobox = Isobox::builder().max_live(NonZeroU32::MIN).tools(tools).build().expect("the runtime starts");
    let outcome = isobox.run(Run::from(source).checks(Checks::Off)).await;
    let json = serde_json::to_value(&outcome).expect("an outcome is JSON");
    let read: Outcome = serde_json::from_value(json.clone()).expect("what was written can be read");
    assert_eq!(read, outcome);
    json
}

/// Replaces values that differ every time, if they are present.
fn settled(mut outcome: Value) -> Value {
    let id = outcome["executionId"].as_str().expect("an execution has a name").to_owned();
    let hexadecimal = id.strip_prefix("exec_").expect("its kind is in its name");
    assert!(hexadecimal.len() == 44 && hexadecimal.chars().all(|digit| digit.is_ascii_hexdigit()), "{id}");
    outcome["executionId"] = json!("exec_…");
    assert!(outcome["durationMs"].is_u64());
    outcome["durationMs"] = json!(0);
    for call in outcome["calls"].as_array_mut().expect("calls are a list") {
        if let Some(duration) = call.get_mut("durationMs") {
            assert!(duration.is_u64());
            *duration = json!(0);
        }
    }
    outcome
}

#[tokio::test]
async fn a_completed_execution() {
    let outcome = run("console.log('a'); console.warn('b');
        await tools.demo.echo(1);
        await new Promise((resolve) => setTimeout(resolve, 1));
        await tools.demo.fail({ message: 'no' }).catch(() => {});
        return { deep: [1, null] };")
    .await;
    let expected = json!({
        "status": "completed",
        "executionId": "exec_…",
        "result": { "deep": [1, null] },
        "logs": [{ "level": "log", "message": "a" }, { "level": "warn", "message": "b" }],
        "calls": [
            { "seq": "0", "path": "demo.echo", "state": "applied", "durationMs": 0 },
            { "seq": "2", "path": "demo.fail", "state": "failed", "durationMs": 0 },
        ],
        "durationMs": 0,
    });
    assert_eq!(settled(outcome), expected);
}

#[tokio::test]
async fn a_failed_execution() {
    let outcome = run("console.error('last words');\nawait tools.weather.curent({});").await;
    let expected = json!({
        "status": "failed",
        "executionId": "exec_…",
        "error": {
            "code": "UNKNOWN_TOOL",
            "name": "UnknownToolError",
            "message": "unknown tool: `weather.curent`; did you mean `weather.current`?",
            "line": 2,
            "column": 21,
            "details": { "tool": "weather.curent", "seq": "0", "stack": "at <anonymous> (main.ts:2:21)" },
        },
        "logs": [{ "level": "error", "message": "last words" }],
        "calls": [{ "seq": "0", "path": "weather.curent", "state": "failed", "durationMs": 0 }],
        "durationMs": 0,
    });
    assert_eq!(settled(outcome), expected);
}

#[tokio::test]
async fn a_failure_has_the_keys_that_apply_and_no_others() {
    let outcome = run("return 1 +;").await;
    let expected = json!({
        "code": "SYNTAX",
        "name": "SyntaxError",
        "message": "unexpected `;`",
        "line": 1,
        "column": 11,
        "details": { "file": "main.ts", "source": "return 1 +;" },
    });
    assert_eq!(outcome["error"], expected);
    let outcome = run("await new Promise(() => {})").await;
    let expected = json!({
        "code": "DEADLOCK",
        "name": "DeadlockError",
        "message": "the program awaits a promise that can never resolve",
        "hint": "no tool call and no timer is active that could resolve it",
    });
    assert_eq!(outcome["error"], expected);
}

#[tokio::test]
async fn a_call_that_never_started_has_no_duration() {
    let outcome = run("tools.demo.echo(1); return 1").await;
    assert_eq!(outcome["calls"], json!([{ "seq": "0", "path": "demo.echo", "state": "issued" }]));
}
