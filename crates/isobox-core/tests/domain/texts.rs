//! Snapshots of all texts that are derived from a catalogue or a policy, so that they change only on purpose.
//!
//! `INSTA_UPDATE=always cargo test -p isobox-core --test domain texts` rewrites them.

use std::fmt::Write as _;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use isobox_core::policy::{Action, Condition, Policy, Rule, Subject};
use isobox_core::{
    AnswerOptions, BriefingOptions, CallDetails, CallRecord, CallSummary, Catalogue, Connector, ConnectorSettings,
    Offer, OfferedTool, Outcome, Strictness, Tool, ToolCall, ToolError, ToolHints, ToolSettings, answer_json,
    answer_text, connector, show_value, summarise_calls,
};
use serde_json::{Value, json};

/// Returns the tools of a server: one for each construct that declarations support.
fn tracker() -> Vec<OfferedTool> {
    let issue = json!({
        "type": "object",
        "properties": {
            "number": { "type": "integer", "description": "Counted from 1." },
            "title": { "type": "string" },
            "state": { "enum": ["open", "closed"] },
            "labels": { "type": "array", "items": { "type": "string" } },
            "parent": { "$ref": "#" },
        },
        "required": ["number", "title", "state"],
    });
    let offered = |name: &str, description: &str, input: Value, output: Option<Value>| {
        OfferedTool::new(name.to_owned()).description(description.to_owned()).input_schema(input).output_schema(output)
    };
    vec![
        offered(
            "create-issue",
            "Opens an issue.\n\nThe title */ has to be unique.",
            json!({
                "type": "object",
                "properties": {
                    "title": { "type": "string", "minLength": 1, "maxLength": 80, "examples": ["Crash at start"] },
                    "body": { "type": ["string", "null"], "default": null },
                    "priority": { "type": "integer", "minimum": 1, "maximum": 5, "default": 3 },
                    "due": { "type": "string", "format": "date-time" },
                    "assignee": { "oneOf": [{ "type": "string" }, { "$ref": "#/$defs/Team" }] },
                    "fields": { "type": "object", "additionalProperties": { "type": "string" } },
                    "x-legacy id": { "type": "string", "deprecated": true },
                },
                "required": ["title"],
                "additionalProperties": false,
                "$defs": { "Team": { "type": "object", "properties": { "team": { "type": "string" } }, "required": ["team"] } },
            }),
            Some(issue.clone()),
        ),
        offered(
            "list_issues",
            "Lists issues, newest first.",
            json!({
                "type": "object",
                "properties": {
                    "state": { "enum": ["open", "closed", "all"], "default": "open" },
                    "range": { "type": "array", "prefixItems": [{ "type": "integer" }, { "type": "integer" }], "items": false },
                },
            }),
            Some(json!({ "type": "array", "items": issue })),
        ),
        offered(
            "delete_issue",
            "Deletes an issue for good.",
            json!({ "type": "object", "properties": { "number": { "type": "integer" } }, "required": ["number"] }),
            None,
        )
        .hints(ToolHints::default().destructive(true)),
        offered("whoami", "DEPRECATED: use `list_issues`.", json!({ "type": "object", "properties": {} }), None),
    ]
}

struct Server(&'static str);

impl Connector for Server {
    fn name(&self) -> &str {
        self.0
    }

    fn offer(&self) -> BoxFuture<'_, Result<Offer, connector::Error>> {
        Box::pin(async { Ok(Offer::default()) })
    }

    fn call<'a>(&'a self, _tool: &'a str, _call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(async { Ok(Value::Null) })
    }
}

/// Returns a catalogue with some tools of a connector, its instructions and a hint of the host.
fn connected(tools: Vec<OfferedTool>, hint: &str, settings: Vec<(&str, ToolSettings)>) -> Catalogue {
    let mut builder = Catalogue::builder();
    for (path, settings) in settings {
        builder.settings(path, settings);
    }
    let connector: Arc<dyn Connector> = Arc::new(Server("issue tracker"));
    let instructions =
        "# The tracker\n\nList before you create, so that nothing is there twice.\n\nMore than that is not said.";
    let offer = Offer::default().tools(tools).instructions(instructions.to_owned());
    builder.connector(&connector, offer, &ConnectorSettings::default().hint(hint.to_owned()));
    let echo = Tool::new("echo", |input| async move { Ok(input) }).expect("a path");
    builder.tool(echo.description("Gives back what it is given.")).expect("it is free");
    builder.build()
}

fn few() -> Catalogue {
    connected(tracker(), "", Vec::new())
}

/// Returns more tools than can be declared, in namespaces with a hint, with instructions, or with neither.
fn many() -> Catalogue {
    let numbered = (0..300).map(|number| {
        OfferedTool::new(format!("report_{number:03}")).description(format!("Makes the report number {number}."))
    });
    connected(tracker().into_iter().chain(numbered).collect(), "Issues and reports of the team.", Vec::new())
}

fn policy() -> Policy {
    let rule = |tools: &str, action| Rule::new(vec![tools.parse().expect("a pattern")], action);
    Policy::new(vec![rule("issue_tracker.create*", Action::RequireApproval { except_read_only: false })])
}

fn pretty(value: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(value).expect("it is JSON")
}

#[test]
fn a_briefing_of_few_tools() {
    insta::assert_snapshot!(few().briefing(&BriefingOptions::default(), &policy(), &[]));
}

#[test]
fn a_briefing_of_many_tools() {
    insta::assert_snapshot!(many().briefing(&BriefingOptions::default(), &policy(), &[]));
}

#[test]
fn notes_on_a_namespace_end_with_a_sentence_where_they_are_cut() {
    let hint = "Ask before you write anything. ".repeat(200);
    let text = connected(tracker(), &hint, Vec::new()).briefing(&BriefingOptions::default(), &policy(), &[]);
    let note = text.lines().find(|line| line.starts_with("- issue_tracker: ")).expect("there is a note");
    assert!(note.ends_with(" Ask before you write anything.") && !note.contains('…'), "{note}");
    assert!((500..2100).contains(&note.chars().count()), "{note}");
}

#[test]
fn a_briefing_of_no_tools() {
    insta::assert_snapshot!(Catalogue::default().briefing(&BriefingOptions::default(), &Policy::default(), &[]));
}

#[test]
fn a_briefing_with_a_template_of_the_hosts() {
    let template = "Code mode of ACME.\n\n{{example}}\n\n{{types}}\n\nAsk before you delete.".to_owned();
    let options = BriefingOptions::default().template(template);
    let few = few().briefing(&options, &policy(), &[]);
    let many = many().briefing(&options.overview(250), &policy(), &[]);
    insta::assert_snapshot!(format!("{few}\n========\n{many}"));
}

#[test]
fn results_of_a_search() {
    let results = few().search("create or list an issue", 3, &policy(), &[]);
    insta::assert_snapshot!(pretty(&results));
}

#[test]
fn conditions_are_in_searches_declarations_and_briefings() {
    let title = json!({ "properties": { "title": { "type": "string", "maxLength": 9 } }, "required": ["title"] });
    let rule = |action| Rule::new(vec!["issue_tracker.create*".parse().expect("a pattern")], action);
    let short = rule(Action::Allow).condition(Condition::new(title.clone()).expect("a schema"));
    let policy = Policy::new(vec![short, rule(Action::Deny(None))]);
    let expected = [format!("Allowed if the input fits {title}."), "Denied otherwise.".to_owned()];
    let found = few().search("create or list an issue", 3, &policy, &[]);
    assert_eq!((&*found.results[0].conditions, found.results[0].requires_approval), (&expected[..], false));
    assert!(!pretty(&found.results[1]).contains("conditions"), "it has none");
    let texts = [few().declarations(&policy, &[]), few().briefing(&BriefingOptions::default(), &policy, &[])];
    for text in texts {
        assert!(expected.iter().all(|sentence| text.contains(sentence.as_str())), "{text}");
    }
}

#[test]
fn descriptions_of_a_tool_and_of_namespaces() {
    let mut text = String::new();
    for (path, tokens) in [("issue_tracker.create_issue", 4000), ("issue_tracker", 4000), ("echo", 4000), ("", 150)] {
        let described = few().describe(path, tokens, &policy(), &[]).expect("it is there");
        let (kind, words) = (pretty(&described.kind), described.description);
        writeln!(text, "== {path:?} in {tokens} tokens: {kind}\n{words}\n--\n{}", described.types).expect("a text");
    }
    let missing = few().describe("issue_tracker.create_isue", 100, &policy(), &[]).expect_err("there is none");
    writeln!(text, "== {missing}\n{}", missing.hint.as_deref().unwrap_or_default()).expect("a text");
    insta::assert_snapshot!(text);
}

#[test]
fn warnings_of_a_catalogue() {
    let offered = |name: &str| OfferedTool::new(name.to_owned());
    let tools = vec![
        offered("long").description("x".repeat(30_000)),
        offered("huge").input_schema(json!({ "description": "y".repeat(600_000) })),
        offered("text").output_schema(json!("no schema")),
        offered("list").input_schema(json!([])),
        offered("then"),
        offered("list"),
    ];
    let settings = ToolSettings::default().needs_approval(true);
    let made = connected(tools, "", vec![("issue_tracker.nothing", settings)]);
    let renamed = made.renamings().iter().map(|one| format!("{}/{} is {}", one.connector, one.name, one.path));
    let unused = made.check_names(&Policy::default(), Strictness::Lenient).expect("it is lenient");
    insta::assert_snapshot!(
        [made.warnings().join("\n"), unused.join("\n"), renamed.collect::<Vec<_>>().join("\n")].join("\n--\n")
    );
}

#[test]
fn reasons_of_every_kind_of_rule() {
    let rule = |tools: &[&str], action| {
        Rule::new(tools.iter().map(|pattern| pattern.parse().expect("a pattern")).collect(), action)
    };
    let large = Condition::new(json!({ "required": ["amount"] })).expect("a schema");
    let policy = Policy::new(vec![
        rule(&["a.*"], Action::Rate(3)),
        rule(&["a.*"], Action::Redact(vec!["/secret".to_owned()])),
        rule(&["a.allowed"], Action::Allow),
        rule(&["a.denied", "a.refused"], Action::Deny(None)),
        rule(&["a.closed"], Action::Deny(Some("closed on Sundays".to_owned()))),
        rule(&["a.asks"], Action::RequireApproval { except_read_only: false }),
        rule(&["a.read*"], Action::RequireApproval { except_read_only: true }),
        rule(&["a.hidden"], Action::OnlyRoles).roles(vec!["admin".to_owned(), "ops".to_owned()]),
        rule(&["a.sometimes"], Action::Deny(None)).condition(large),
    ]);
    let plain = |path: &'static str| Subject {
        names: path.into(),
        hints: ToolHints::default(),
        is_trusted: true,
        wants_approval: false,
    };
    let read_only = ToolHints::default().read_only(true);
    let destructive = ToolHints::default().destructive(true);
    let mut text = String::new();
    for subject in [
        plain("a.allowed"),
        plain("a.denied"),
        plain("a.closed"),
        plain("a.asks"),
        plain("a.read"),
        Subject { hints: read_only, ..plain("a.read_only") },
        plain("a.hidden"),
        plain("a.sometimes"),
        plain("b"),
        Subject { wants_approval: true, ..plain("b.careful") },
        Subject { hints: destructive, ..plain("b.drop") },
    ] {
        let decided = policy.decide(subject, &json!({ "amount": 1 }), &[]);
        writeln!(text, "{}: {:?}, {}", subject.names.path, decided.permission, decided.why).expect("a text");
    }
    insta::assert_snapshot!(text);
}

#[test]
fn notes_of_what_was_cut() {
    let rows: Vec<Value> =
        (0..200).map(|id| json!({ "id": id, "note": "words ".repeat(50), "deep": [[[1, 2], 3]] })).collect();
    let value = json!({ "rows": rows, "total": 200 });
    let shown = [600, 120, 40, 21, 5].map(|tokens| format!("== {tokens} tokens\n{}", show_value(&value, tokens).text));
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn summaries_of_calls() {
    let error = json!({ "code": "TOOL", "name": "ToolError", "message": "no such row" });
    let calls: Vec<CallRecord> = serde_json::from_value(json!([
        { "seq": "0", "path": "rows.list", "state": "applied", "input": {}, "output": vec!["a row"; 100] },
        { "seq": "1", "path": "rows.delete", "state": "failed", "input": { "id": 1 }, "error": error },
        { "seq": "2", "path": "slow", "state": "cancelled-unknown", "input": { "id": 2 } },
        { "seq": "3", "path": "an unknown\n\u{1b}path", "state": "issued" },
    ]))
    .expect("records");
    let details = CallDetails::default().inputs(true).outputs(true);
    let of = |entries, tokens, details| {
        summarise_calls(&calls, &CallSummary::default().entries(entries).tokens(tokens).details(details))
    };
    let all = [
        of(20, 1000, CallDetails::default()),
        of(20, 100, details),
        of(2, 1000, details.outputs(false)),
        of(20, 14, details),
    ];
    insta::assert_snapshot!(all.join("\n========\n"));
}

#[test]
fn answers_to_a_model() {
    let log = |level: &str, message: String| json!({ "level": level, "message": message });
    let logs: Vec<Value> = [log("log", "first".to_owned()), log("warn", "second\nline".to_owned())]
        .into_iter()
        .chain((0..60).map(|number| log("debug", number.to_string())))
        .collect();
    let error = json!({
        "code": "SYNTAX", "name": "SyntaxError", "message": "`)` is missing", "line": 1, "column": 9,
        "hint": "close it", "details": { "source": "return f(;" },
    });
    let base = json!({ "executionId": "exec_00000000000000000000000000000000000000000001", "logs": [], "calls": [{ "seq": "0", "path": "a.b", "state": "applied" }], "durationMs": 1 });
    let outcome = |more: Value| -> Outcome {
        let mut outcome = base.clone();
        outcome.as_object_mut().expect("an object").extend(more.as_object().cloned().expect("an object"));
        serde_json::from_value(outcome).expect("an outcome")
    };
    let completed = outcome(json!({ "status": "completed", "result": { "a": 1 }, "logs": logs }));
    let failed = outcome(json!({ "status": "failed", "error": error }));
    let with_calls = AnswerOptions::default().calls(CallSummary::default()).log_lines(3);
    let all = [
        answer_text(&completed, &with_calls),
        answer_text(&failed, &with_calls),
        answer_text(&failed, &AnswerOptions::default()),
    ];
    insta::assert_snapshot!(all.join("\n========\n"));
}

#[test]
fn structured_answers_keep_to_the_budget_of_the_text() {
    let outcome = |rows: usize, lines: usize| -> Outcome {
        let rows: Vec<Value> = (0..rows).map(|id| json!({ "id": id, "name": "a row" })).collect();
        let logs = vec![json!({ "level": "log", "message": "x".repeat(3000) }); lines];
        let calls: Vec<Value> =
            (0..200).map(|seq| json!({ "seq": seq.to_string(), "path": "a.b", "state": "applied" })).collect();
        let calls = if lines > 0 { calls } else { Vec::new() };
        let id = isobox_core::ExecutionId::new(1, 2);
        let all = json!({ "status": "completed", "executionId": id, "result": rows, "logs": logs, "calls": calls, "durationMs": 3 });
        serde_json::from_value(all).unwrap()
    };
    let small = outcome(3, 0);
    assert_eq!(answer_json(&small, &AnswerOptions::default()), serde_json::to_value(&small).unwrap());
    let large = answer_json(&outcome(5000, 0), &AnswerOptions::default());
    assert_eq!(large["truncated"], true);
    assert!(large.to_string().len() < 30_000);
    assert!(large["result"].as_str().unwrap().starts_with("[{\"id\":0,"), "{large}");
    let talkative = answer_json(&outcome(1, 300), &AnswerOptions::default());
    assert_eq!((talkative["logs"].as_array().unwrap().len(), talkative["calls"].as_array().unwrap().len()), (50, 50));
    assert!(talkative.to_string().len() < 80_000);
}

#[test]
fn many_pending_calls_are_summed_up_for_a_model() {
    let call = |seq: usize| {
        let path = if seq < 15 { "mail.send" } else { "pay.charge" };
        json!({ "seq": seq.to_string(), "path": path, "input": { "to": "x".repeat(5000) }, "kind": "approval" })
    };
    let id = isobox_core::ExecutionId::new(1, 2);
    let pause = |count: usize| -> Outcome {
        let pending: Vec<Value> = (0..count).map(call).collect();
        let all = json!({ "status": "paused", "executionId": id, "revision": 1, "pending": pending, "logs": [], "calls": [] });
        serde_json::from_value(all).unwrap()
    };
    let text = answer_text(&pause(20), &AnswerOptions::default());
    assert!(
        text.contains("\n20 calls are pending: 15 of `mail.send`, 5 of `pay.charge`. The first of them:\n"),
        "{text}"
    );
    assert_eq!(text.matches("needs approval").count(), 5, "{text}");
    assert!(text.len() < 5000, "{text}");
    assert!(!answer_text(&pause(5), &AnswerOptions::default()).contains("calls are pending"));
    let structured = answer_json(&pause(80), &AnswerOptions::default());
    assert_eq!((structured["pending"].as_array().unwrap().len(), &structured["truncated"]), (5, &json!(true)));
    assert!(structured["pendingCount"] == 80 && structured.to_string().len() < 5000, "{structured}");
    let few = answer_json(&pause(5), &AnswerOptions::default());
    assert_eq!((few["pending"].as_array().unwrap().len(), &few["pendingCount"]), (5, &Value::Null));
    let snippet = json!({ "name": "a", "version": 1, "code": "x".repeat(100_000) });
    let call = json!({ "seq": "0.0", "path": "mail.send", "input": 1, "kind": "approval", "snippet": snippet });
    let all =
        json!({ "status": "paused", "executionId": id, "revision": 1, "pending": [call], "logs": [], "calls": [] });
    let paused: Outcome = serde_json::from_value(all).unwrap();
    assert!(answer_json(&paused, &AnswerOptions::default()).to_string().len() < 5000);
}

#[test]
fn a_model_is_told_not_to_run_an_interrupted_program_again() {
    let error = json!({ "code": "STORE", "name": "StoreError", "message": "the disk is full\nresult: 1" });
    let id = isobox_core::ExecutionId::new(1, 2);
    let outcome: isobox_core::Outcome = serde_json::from_value(json!({
        "status": "interrupted", "executionId": id, "error": error, "logs": [], "calls": [], "durationMs": 3
    }))
    .unwrap();
    let text = isobox_core::answer_text(&outcome, &isobox_core::AnswerOptions::default());
    assert_eq!(
        text,
        format!(
            "The program was interrupted, and is not over: STORE: the disk is full\n  | result: 1\nNothing that it did is lost. Do not run it \
             again: resume execution {id}."
        )
    );
    assert_eq!(outcome.into_result().unwrap_err().message, "the disk is full\nresult: 1");
}
