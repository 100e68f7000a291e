//! Transcripts are read strictly, and leave no secret behind.

use serde_json::{Value, json};

use super::redaction::redacted_entries;
use super::{FORMAT, Transcript, reading};
use crate::journal::Entry;
use crate::policy::{Action, Policy, Rule};
use crate::{Code, Limits};

fn entries() -> Value {
    json!([
        { "step": { "clock": 1, "used": { "wall": 1, "cpu": 1 }, "logs": [{ "level": "log", "message": "pin hunter22" }],
            "calls": [
                { "seq": "0", "what": { "tool": { "path": "bank.pay", "input": { "pin": "hunter22", "to": "ada" } } } },
                { "seq": "1", "what": { "tool": { "path": "mail.send", "input": { "text": "use hunter22" } } } },
            ] } },
        { "asked": { "seq": "0", "question": { "interrupt": { "payload": { "note": "hunter22?" } } }, "at": 2 } },
        { "decided": { "decision": { "seq": "0", "asked": 1, "verdict": { "answer": { "login": "token" } }, "by": "ada",
            "reason": "for hunter22" }, "at": 3 } },
        { "settled": { "seq": "0", "settlement": { "result": { "account": 123_456_789 } }, "took": 1 } },
        { "asked": { "seq": "1", "question": "inDoubt", "at": 3, "why": "the server said hunter22 and stopped" } },
        { "decided": { "decision": { "seq": "1", "asked": 3, "verdict": { "fail": "not hunter22" }, "by": "ada" },
            "at": 3 } },
        { "settled": { "seq": "1", "settlement": { "failed": { "code": "TOOL", "name": "ToolError",
            "message": "no hunter22", "details": { "a": ["hunter22"], "hunter22": 1 } } }, "took": 1 } },
        { "step": { "answers": ["0", "1"], "clock": 4, "used": { "wall": 2, "cpu": 2 } } },
        { "ended": { "how": { "completed": { "hunter22": [123_456_789, "ada"] } }, "duration": 5, "at": 6 } },
    ])
}

fn document() -> Value {
    let limits = serde_json::to_value(Limits::default()).unwrap();
    let program = json!({ "files": { "main.ts": "return 1" }, "entry": "main.ts" });
    let file = json!({ "path": "main.ts", "code": "", "firstLine": 0, "segments": [], "imports": [] });
    json!({
        "isobox": FORMAT,
        "executionId": format!("exec_{}", "0".repeat(44)),
        "exported": 7,
        "status": "completed",
        "revision": 4,
        "entryCount": 9,
        "beginning": {
            "roles": [], "details": { "inputs": false, "outputs": false }, "program": program,
            "prepared": { "kind": "script", "files": [file] }, "image": "x", "limits": limits, "seed": "18446744073709551615", "namespaces": [],
            "created": 0,
        },
        "entries": entries(),
    })
}

fn read(document: &Value) -> Result<Transcript, Code> {
    Transcript::read(document.to_string().as_bytes()).map_err(|failure| failure.code)
}

#[test]
fn what_is_written_is_read_again() {
    let transcript = read(&document()).unwrap();
    let json = transcript.to_json().unwrap();
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), document());
    assert_eq!(Transcript::read(json.as_bytes()).unwrap().to_json().unwrap(), json);
}

#[test]
fn the_seed_is_a_text_and_one_that_is_a_number_is_read_too() {
    let mut document = document();
    assert_eq!(read(&document).unwrap().beginning.seed, u64::MAX);
    document["beginning"]["seed"] = json!(u64::MAX - 1);
    assert_eq!(read(&document).unwrap().beginning.seed, u64::MAX - 1);
    document["beginning"]["seed"] = json!("7x");
    assert_eq!(read(&document).err(), Some(Code::Serialization));
}

#[test]
fn a_document_that_another_tool_has_indented_is_read_and_its_values_fit_into_one_line() {
    let indented = format!("{:#}", document());
    let transcript = Transcript::read(indented.as_bytes()).unwrap();
    let json = transcript.to_json().unwrap();
    assert!(!json.contains('\n') && json.contains(r#""input":{"text":"use hunter22"}"#), "{json}");
}

#[test]
fn no_document_with_an_unknown_member_is_read() {
    for place in
        ["", "/beginning", "/beginning/program", "/entries/0/step", "/entries/0/step/calls/0", "/entries/2/decided"]
    {
        let mut document = document();
        document.pointer_mut(place).unwrap()["surprise"] = json!(1);
        assert_eq!(read(&document).unwrap_err(), Code::Serialization, "{place}");
    }
}

#[test]
fn a_document_of_another_version_is_named_as_such() {
    let mut document = document();
    document["isobox"] = json!("transcript/2");
    document["more"] = json!(true);
    let failure = Transcript::read(document.to_string().as_bytes()).unwrap_err();
    assert!(failure.message.contains("`transcript/2`") && failure.message.contains("`transcript/1`"), "{failure}");
}

#[test]
fn nothing_that_was_cut_swapped_or_contradicts_itself_is_read() {
    let text = document().to_string();
    for length in (0..text.len()).step_by(97) {
        assert!(Transcript::read(&text.as_bytes()[..length]).is_err(), "{length}");
    }
    let changes: [fn(&mut Value); 8] = [
        |document| drop(document["entries"].as_array_mut().unwrap().pop()),
        |document| document["entries"].as_array_mut().unwrap().swap(0, 3),
        |document| document["entries"].as_array_mut().unwrap().swap(6, 7),
        |document| document["entries"][0]["step"]["calls"].as_array_mut().unwrap().swap(0, 1),
        |document| document["status"] = json!("failed"),
        |document| document["revision"] = json!(1),
        |document| document["beginning"]["program"]["entry"] = json!("other.ts"),
        |document| document["beginning"]["limits"]["memory"] = json!(1),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut document = document();
        change(&mut document);
        assert_eq!(read(&document).unwrap_err(), Code::Serialization, "{number}");
    }
}

#[test]
fn size_depth_and_the_number_of_values_are_bounded_before_anything_is_built() {
    let code = |text: &[u8]| reading::survey(text).unwrap_err().code;
    assert_eq!(code(&vec![b' '; 64 * 1024 * 1024 + 1]), Code::InputTooLarge);
    assert_eq!(code("[1,".repeat(4_000_001).as_bytes()), Code::Serialization, "it is nested too deeply");
    assert_eq!(code("1,".repeat(4_000_001).as_bytes()), Code::InputTooLarge);
    assert_eq!(code("[".repeat(113).as_bytes()), Code::Serialization);
    assert!(reading::survey(br#"["[[[[\"[[[["]"#).is_ok());
}

#[test]
fn redacted_values_are_gone_wherever_they_occur_and_answers_are_hidden() {
    let pointers = vec!["/pin".to_owned(), "/account".to_owned()];
    let rule = Rule::new(vec!["bank.*".parse().unwrap()], Action::Redact(pointers));
    let rollback = json!({ "rollback": { "by": "ada", "at": 7, "to": "hunter22", "first": "2", "reverts": [
        { "seq": "1", "path": "mail.recall", "input": { "pin": "hunter22", "id": "$result.id" } },
    ], "left": [{ "seq": "0", "path": "bank.pay", "reason": "`$input.hunter22` has no value" }] } });
    let mut entries = entries();
    entries.as_array_mut().unwrap().push(rollback);
    let parsed: Vec<Entry> = serde_json::from_value(entries).unwrap();
    let redacted = serde_json::to_string(&redacted_entries(&parsed, &Policy::new(vec![rule])).unwrap()).unwrap();
    for secret in ["hunter22", "123456789", "token"] {
        assert!(!redacted.contains(secret), "{secret}: {redacted}");
    }
    for kept in [
        r#""input":{"pin":"[redacted]","id":"$result.id"}"#,
        r#"{"pin":"[redacted]","to":"ada"}"#,
        r#""use [redacted]""#,
        r#"{"[redacted]":["[redacted]","ada"]}"#,
    ] {
        assert!(redacted.contains(kept), "{kept}: {redacted}");
    }
    let without_rules = redacted_entries(&parsed, &Policy::new(Vec::new())).unwrap();
    let without_rules = serde_json::to_string(&without_rules).unwrap();
    assert!(without_rules.contains("hunter22") && !without_rules.contains("token"), "{without_rules}");
}

#[test]
fn redacted_values_that_are_parts_of_their_replacement_do_not_multiply() {
    let shown = "[redacted]";
    let parts: Vec<&str> = (0..7).flat_map(|from| (from + 4..=10).map(move |to| &shown[from..to])).collect();
    let message = "[reda".repeat(10_000);
    let entries = json!([
        { "step": { "clock": 1, "used": { "wall": 1, "cpu": 1 }, "logs": [{ "level": "log", "message": message }],
            "calls": [{ "seq": "0", "what": { "tool": { "path": "a", "input": { "all": parts } } } }] } },
    ]);
    let parsed: Vec<Entry> = serde_json::from_value(entries).unwrap();
    let rule = Rule::new(vec!["a".parse().unwrap()], Action::Redact(vec!["/all".to_owned()]));
    let redacted = serde_json::to_string(&redacted_entries(&parsed, &Policy::new(vec![rule])).unwrap()).unwrap();
    assert_eq!(redacted.matches(shown).count(), 10_001);
}

#[test]
fn with_more_secrets_than_can_be_searched_for_all_texts_go() {
    let many: Vec<String> = (0..300).map(|number| format!("secret-{number}")).collect();
    let entries = json!([
        { "step": { "clock": 1, "used": { "wall": 1, "cpu": 1 }, "logs": [{ "level": "log", "message": "harmless" }],
            "calls": [{ "seq": "0", "what": { "tool": { "path": "a", "input": { "all": many } } } }] } },
    ]);
    let parsed: Vec<Entry> = serde_json::from_value(entries).unwrap();
    let rule = Rule::new(vec!["a".parse().unwrap()], Action::Redact(vec!["/all".to_owned()]));
    let redacted = serde_json::to_string(&redacted_entries(&parsed, &Policy::new(vec![rule])).unwrap()).unwrap();
    assert!(!redacted.contains("secret") && !redacted.contains("harmless"), "{redacted}");
}
