//! Plans: a program runs with its effects held back, and its calls are told.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use isobox::planning::{PlannedCall, PlannedDone, PlannedEnd};
use isobox::policy::{Action, Policy, Rule};
use isobox::snippets::{NewSnippet, SnippetOptions};
use isobox::store::memory_store;
use isobox::{Builder, Code, Isobox, Plan, Principal, Program, Run, Tool, json};

/// Counts the calls that a plan really makes.
#[derive(Clone, Default)]
struct Effects(Arc<AtomicU32>);

impl Effects {
    fn tool(&self, path: &str, output: isobox::Value) -> Tool {
        let effects = self.clone();
        let handler = move |_| {
            effects.0.fetch_add(1, Ordering::Relaxed);
            let output = output.clone();
            async move { Ok(output) }
        };
        Tool::new(path, handler).expect("the path is valid")
    }

    fn count(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

fn builder(effects: &Effects) -> Builder {
    let item = json!({ "type": "object", "properties": { "id": { "type": "string" } }, "required": ["id"] });
    let created =
        json!({ "type": "object", "properties": { "id": { "type": "string" }, "size": { "type": "integer" } } });
    Isobox::builder().max_live(NonZeroU32::MIN).tools([
        effects.tool("items.list", json!([{ "id": "a" }, { "id": "b" }])).read_only(true),
        effects.tool("items.create", json!({ "id": "c", "size": 3 })).output_schema(created).expect("a schema"),
        effects.tool("items.delete", json!({})).input_schema(item).expect("a schema"),
        effects.tool("items.secret", json!("hunter2")).read_only(true).with_approval(),
    ])
}

fn calls(plan: &Plan) -> Vec<(&str, PlannedDone, bool)> {
    plan.calls.iter().map(|PlannedCall { path, done, certain, .. }| (path.as_str(), *done, *certain)).collect()
}

#[tokio::test]
async fn tools_that_read_are_called_and_all_others_are_held_back() {
    let effects = Effects::default();
    let isobox = builder(&effects).build().expect("a runtime");
    let plan = isobox
        .plan(
            "const items = await tools.items.list();
             await Promise.all(items.map((item) => tools.items.delete({ id: item.id })));
             const created = await tools.items.create({ name: 'x' });
             await tools.items.delete({ id: created.id });
             return created.size + 1;",
        )
        .await;
    let (made, held) = (PlannedDone::Made, PlannedDone::Held);
    let expected = [
        ("items.list", made, true),
        ("items.delete", held, true),
        ("items.delete", held, true),
        ("items.create", held, false),
        ("items.delete", held, false),
    ];
    assert_eq!(calls(&plan), expected);
    assert_eq!(plan.calls[2].input, json!({ "id": "b" }));
    assert_eq!(plan.calls[4].input, json!({ "id": "‹3.id›" }), "the input says what it is made of");
    assert_eq!(plan.end, PlannedEnd::Result(json!(2)));
    assert_eq!(effects.count(), 1, "only the list was called");
    let words = plan.in_words(10_000);
    for part in [
        "The program would make 5 calls:",
        "  1    items.delete {\"id\":\"a\"}  [held back]",
        " ~4    items.delete {\"id\":\"‹3.id›\"}  [held back]",
        "calls after the first stand-in may depend on it",
        "`items.delete` (call 1) has no declared type",
    ] {
        assert!(words.contains(part), "{part} is missing in:\n{words}");
    }
}

#[tokio::test]
async fn a_call_that_needs_approval_is_never_made_and_says_why() {
    let effects = Effects::default();
    let isobox = builder(&effects).build().expect("a runtime");
    let plan = isobox.plan("return await tools.items.secret()").await;
    assert_eq!(calls(&plan), [("items.secret", PlannedDone::Held, true)]);
    assert!(plan.calls[0].approval.is_some());
    assert!(plan.uncertain.iter().any(|sentence| sentence.contains("every call is approved")));
    assert_eq!(effects.count(), 0);
}

#[tokio::test]
async fn a_plan_refuses_what_a_run_refuses() {
    let effects = Effects::default();
    let deny = Rule::new(vec!["items.create".parse().expect("a pattern")], Action::Deny(None));
    let isobox = builder(&effects).policy(Policy::new(vec![deny])).build().expect("a runtime");
    let refused = |code: Code, plan: &Plan| {
        assert_eq!(plan.calls[0].done, PlannedDone::Refused);
        assert_eq!(plan.calls[0].error.as_ref().map(|error| error.code), Some(code));
        let PlannedEnd::Error(error) = &plan.end else { panic!("it fails: {plan:?}") };
        assert_eq!(error.code, code);
    };
    let path = "const path = 'crete'; return tools.items[path]()";
    refused(Code::UnknownTool, &isobox.plan(path).await);
    refused(Code::InvalidInput, &isobox.plan("const id = 7; return tools.items.delete({ id })").await);
    let denied = isobox.plan("const name = 'create'; return tools.items[name]({})").await;
    assert_eq!(denied.calls[0].done, PlannedDone::Refused);
    let wrong = isobox.plan("return (").await;
    assert!(matches!(&wrong.end, PlannedEnd::Error(error) if error.code == Code::Syntax));
    assert_eq!(effects.count(), 0);
}

#[tokio::test]
async fn a_program_that_fails_after_a_stand_in_is_told_apart() {
    let effects = Effects::default();
    let isobox = builder(&effects).build().expect("a runtime");
    let plan = isobox.plan("const gone = await tools.items.delete({ id: 'a' }); return gone.list.length").await;
    assert!(plan.is_failed());
    assert!(plan.uncertain.iter().any(|sentence| sentence.contains("with real results it may go on")), "{plan:?}");
}

#[tokio::test]
async fn the_json_of_a_plan_names_calls_inputs_and_approvals() {
    let effects = Effects::default();
    let redact = Rule::new(vec!["*".parse().expect("a pattern")], Action::Redact(vec!["/id".to_owned()]));
    let isobox = builder(&effects).policy(Policy::new(vec![redact])).build().expect("a runtime");
    let plan = isobox.plan(Run::from("await tools.items.delete({ id: 'a' }); return 1")).await;
    let mut json = serde_json::to_value(&plan).expect("it is JSON");
    json["durationMs"] = json!(0);
    json["uncertain"] = json!([]);
    let expected = json!({
        "status": "planned",
        "calls": [{ "seq": "0", "path": "items.delete", "input": { "id": "[redacted]" }, "done": "held", "certain": true }],
        "result": 1, "uncertain": [], "logs": [], "durationMs": 0,
    });
    assert_eq!(json, expected);
}

#[tokio::test]
async fn tools_of_the_run_are_held_back_too() {
    let effects = Effects::default();
    let isobox = builder(&effects).build().expect("a runtime");
    let run = Run::from("return await tools.own.send({})").tool(effects.tool("own.send", json!(1)));
    assert_eq!(calls(&isobox.plan(run).await), [("own.send", PlannedDone::Held, true)]);
    assert_eq!(effects.count(), 0);
}

async fn put(isobox: &Isobox, name: &str, code: &str) {
    let new = NewSnippet::new(name, Program::single(code));
    isobox.snippets().expect("a store").put(new, Principal::host()).await.expect("it is saved");
}

#[tokio::test]
async fn the_calls_of_snippets_are_planned_and_their_runs_do_not_count() {
    let effects = Effects::default();
    let options = SnippetOptions::default().provisional(1).trusted(2);
    let isobox = builder(&effects).store(memory_store()).snippets(options).build().expect("a runtime");
    let clear = "for (const { id } of await tools.items.list()) await tools.items.delete({ id }); return 'cleared'";
    put(&isobox, "clear", clear).await;
    put(&isobox, "both", "return [await codemode.run('clear'), (await tools.items.create({ name: input })).size]")
        .await;
    put(&isobox, "throws", "throw new Error('no')").await;
    let plan = isobox
        .plan(
            "const both = await codemode.run('both', 'x');
             const none = await codemode.run('throws').catch((error) => error.code);
             const missing = await codemode.run('missing').catch((error) => error.code);
             return [both, none, missing];",
        )
        .await;
    let planned: Vec<_> = plan.calls.iter().map(|call| (call.seq.to_string(), call.path.as_str(), call.done)).collect();
    let planned: Vec<_> = planned.iter().map(|(seq, path, done)| (seq.as_str(), *path, *done)).collect();
    let expected = [
        ("0", "codemode.run", PlannedDone::Ran),
        ("0.0", "codemode.run", PlannedDone::Ran),
        ("0.0.0", "items.list", PlannedDone::Made),
        ("0.0.1", "items.delete", PlannedDone::Held),
        ("0.0.2", "items.delete", PlannedDone::Held),
        ("0.1", "items.create", PlannedDone::Held),
        ("1", "codemode.run", PlannedDone::Ran),
        ("2", "codemode.run", PlannedDone::Refused),
    ];
    assert_eq!(planned, expected);
    assert_eq!(plan.calls[4].input, json!({ "id": "b" }));
    assert_eq!((plan.calls[3].certain, plan.calls[4].certain), (true, false));
    assert_eq!(plan.end, PlannedEnd::Result(json!([["cleared", 1], "THROWN", "NOT_FOUND"])));
    assert!(plan.in_words(10_000).contains("  0    codemode.run [\"both\",\"x\"]  [run with its effects held back]"));
    assert_eq!(effects.count(), 1, "only the list was called");

    let clear = || async { isobox.snippets().expect("a store").get("clear").await.expect("it is there") };
    assert_eq!(clear().await.latest().uses.successes, 0, "a plan is no run");
    isobox.run("return codemode.run('clear')").await.into_result().expect("it completes");
    assert_eq!(clear().await.latest().uses.successes, 1, "a run counts");
}

#[tokio::test]
async fn a_snippet_that_needs_approval_says_so_in_a_plan() {
    let effects = Effects::default();
    let below = Rule::new(
        vec!["codemode.run".parse().expect("a pattern")],
        Action::RequireApproval { except_read_only: false },
    );
    let policy = Policy::new(vec![below]);
    let isobox = builder(&effects).store(memory_store()).policy(policy).build().expect("a runtime");
    put(&isobox, "clear", "return tools.items.delete({ id: input })").await;
    let plan = isobox.plan("return codemode.run('clear', 'a')").await;
    assert_eq!(calls(&plan), [("codemode.run", PlannedDone::Ran, true), ("items.delete", PlannedDone::Held, true),]);
    assert!(plan.calls[0].approval.is_some(), "{plan:?}");
    assert_eq!(effects.count(), 0);
}
