//! Tests the printed timelines.

use isobox::Value;
use isobox::json;

use super::*;

const BEGIN: u64 = 1_794_749_401_250;

fn entries(all: Value) -> Vec<Entry> {
    serde_json::from_value(all).expect("they are entries")
}

fn drawn(entries: &[Entry], is_held: bool, width: usize) -> String {
    let id = ExecutionId::new(BEGIN, 7);
    let (function, session, owner) = (Some("tour.ts"), None, Some("ada"));
    let created = Timestamp(BEGIN);
    let inputs = crate::executions::record::inputs(entries, &isobox::policy::Policy::default());
    let inputs = &inputs;
    let story = Story { id: &id, created, function, session, owner, entries, inputs, is_held, is_decided: false };
    draw(&story, width, Colours::Off)
}

fn step(at: u64, answers: &[&str], calls: &[(&str, &str)], logs: u32) -> Value {
    let calls: Vec<Value> = calls
        .iter()
        .map(|(seq, path)| json!({ "seq": seq, "what": { "tool": { "path": path, "input": {} } } }))
        .collect();
    let logs: Vec<Value> = (0..logs).map(|number| json!({ "level": "log", "message": number.to_string() })).collect();
    json!({ "step": { "answers": answers, "clock": BEGIN + at, "calls": calls, "logs": logs, "used": { "wall": at, "cpu": 2300 } } })
}

fn started(seq: &str, at: u64) -> Value {
    json!({ "started": { "seq": seq, "at": BEGIN + at } })
}

fn settled(seq: &str, took: u64) -> Value {
    json!({ "settled": { "seq": seq, "settlement": { "result": 1 }, "took": took } })
}

fn asked(seq: &str, at: u64, question: Value) -> Value {
    json!({ "asked": { "seq": seq, "question": question, "at": BEGIN + at } })
}

fn decided(seq: &str, at: u64, asked: u64, by: &str, verdict: Value) -> Value {
    json!({ "decided": { "decision": { "seq": seq, "asked": asked, "verdict": verdict, "by": by }, "at": BEGIN + at } })
}

fn approval() -> Value {
    json!({ "approval": { "why": "rule 1 of the policy asks for it", "definition": "d" } })
}

/// Returns a journal with two concurrent calls, one that waits for a day, and one that fails.
fn long_story() -> Vec<Value> {
    const DAY: u64 = 86_400_000;
    let failure = json!({ "code": "TOOL", "name": "ToolError", "message": "no \u{1b}[31m" });
    vec![
        step(0, &[], &[("0", "mail.list"), ("1", "calendar.events.list_all_of_a_very_long_name")], 1),
        started("0", 2),
        started("1", 2),
        settled("0", 120),
        settled("1", 400),
        step(402, &["0", "1"], &[("2", "mail.send"), ("3", "demo.fail")], 1),
        asked("2", 404, approval()),
        started("3", 405),
        json!({ "settled": { "seq": "3", "settlement": { "failed": failure }, "took": 80 } }),
        json!({ "paused": { "at": BEGIN + 490, "used": { "wall": 490, "cpu": 2300 } } }),
        json!({ "resumed": { "at": BEGIN + DAY, "from": "snapshot" } }),
        decided("2", DAY + 3, 1, "ada\n\u{1b}[2J", json!("approve")),
        started("2", DAY + 4),
        settled("2", 300),
    ]
}

#[test]
fn an_execution_is_drawn_with_its_calls_pauses_and_decisions() {
    const DAY: u64 = 86_400_000;
    let mut all = long_story();
    all.push(step(DAY + 310, &["2", "3"], &[], 0));
    let ended = json!({ "how": { "completed": { "sent": ["ada"] } }, "duration": 800, "at": BEGIN + DAY + 312 });
    all.push(json!({ "ended": ended }));
    let entries = entries(Value::Array(all));
    insta::assert_snapshot!("a_long_story", drawn(&entries, false, 100));
    insta::assert_snapshot!("a_long_story_in_a_narrow_terminal", drawn(&entries, false, 70));
    for width in [0, 60, 70, 100, 200] {
        let text = drawn(&entries, false, width);
        let chart: Vec<&str> = text.lines().skip(4).take(6).collect();
        assert!(chart[..5].iter().all(|line| line.chars().count() <= width.max(60)), "{width}\n{text}");
        assert!(!text.contains('\u{1b}'), "{text}");
    }
}

#[test]
fn an_execution_that_is_not_over_says_what_it_waits_for() {
    let story = long_story();
    insta::assert_snapshot!("paused", drawn(&entries(Value::Array(story[..10].to_vec())), false, 100));
    insta::assert_snapshot!("running", drawn(&entries(Value::Array(story[..8].to_vec())), true, 100));
    let mut doubtful = story[..7].to_vec();
    doubtful.push(started("3", 405));
    insta::assert_snapshot!("orphaned", drawn(&entries(Value::Array(doubtful.clone())), false, 100));
    doubtful.extend([
        json!({ "resumed": { "at": BEGIN + 60_000, "from": "journal" } }),
        asked("3", 60_001, json!("inDoubt")),
        decided("3", 90_000, 2, "bob", json!({ "fail": "better so" })),
        decided("2", 90_000, 1, "bob", json!({ "deny": "not today" })),
    ]);
    let failure = json!({ "code": "REJECTED", "name": "RejectedError", "message": "bob rejected the execution" });
    doubtful.push(json!({ "ended": { "how": { "rejected": failure }, "duration": 500, "at": BEGIN + 90_010 } }));
    insta::assert_snapshot!("rejected", drawn(&entries(Value::Array(doubtful)), false, 100));
}

#[test]
fn the_reason_of_a_decision_is_shown_in_one_line() {
    let mut story = long_story();
    story[11]["decided"]["decision"]["remember"] = json!("session");
    story[11]["decided"]["decision"]["reason"] = json!("she\nasked");
    let text = drawn(&entries(Value::Array(story)), true, 100);
    assert!(text.contains("approved call 2, also for the session: she\\nasked"), "{text}");
}

#[test]
fn a_call_that_an_earlier_decision_was_about_names_who_made_it() {
    let mut story = long_story();
    story[1]["started"]["approved"] = json!("d");
    story[1]["started"]["approvedBy"] = json!("ada\n");
    let denied = json!({ "code": "APPROVAL_DENIED", "name": "ApprovalDeniedError", "message": "no", "details": { "by": "bob" } });
    story[8]["settled"]["settlement"]["failed"] = denied;
    let text = drawn(&entries(Value::Array(story)), true, 100);
    assert!(text.contains("call 0 was approved by an earlier decision of ada\\n"), "{text}");
    assert!(text.contains("APPROVAL_DENIED: no (an earlier decision of bob)"), "{text}");
}

#[test]
fn what_has_not_begun_is_drawn_too_and_long_stories_are_cut() {
    assert!(drawn(&[], false, 100).contains("orphaned"));
    let mut all = Vec::new();
    for number in 0..300 {
        let seq = number.to_string();
        all.push(step(number, &[], &[(&seq, "a.b")], 0));
        all.push(asked(&seq, number, json!({ "interrupt": { "payload": null } })));
    }
    let text = drawn(&entries(Value::Array(all)), true, 100);
    assert!(text.contains("… 200 more calls") && text.contains("… 200 more lines"), "{text}");
}

#[test]
fn a_pause_with_an_immediate_decision_is_not_shown() {
    const DAY: u64 = 86_400_000;
    let mut all = long_story();
    all.retain(|entry| entry.get("resumed").is_none());
    all.push(step(DAY + 310, &["2", "3"], &[], 0));
    let bars = Bars::of(Timestamp(BEGIN), &entries(Value::Array(all)));
    assert_eq!((bars.pauses.as_slice(), bars.end), (&[][..], BEGIN + DAY + 310));
}

#[test]
fn what_ended_while_it_was_at_rest_has_rested_until_then() {
    const DAY: u64 = 86_400_000;
    let mut all = long_story()[..10].to_vec();
    let failure = json!({ "code": "REJECTED", "name": "RejectedError", "message": "bob rejected the execution" });
    all.push(json!({ "ended": { "how": { "rejected": failure }, "duration": 500, "at": BEGIN + DAY } }));
    let bars = Bars::of(Timestamp(BEGIN), &entries(Value::Array(all)));
    assert_eq!((bars.pauses.as_slice(), bars.end), (&[(BEGIN + 490, BEGIN + DAY)][..], BEGIN + DAY));
}
