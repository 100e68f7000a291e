//! Checks before the run: findings, the settings of a runtime and a run, rules, and modules of the host.

use std::sync::Arc;

use isobox::checks::{Certainty, FindingCode};
use isobox::journal::Verdict;
use isobox::policy::{Action, Policy, Rule};
use isobox::program::{About, Module, Rules, Stance, SyntaxRule};
use isobox::store::{Filter, Store, memory_store};
use isobox::text::{AnswerOptions, answer_text};
use isobox::tools::{OutputChecks, Validation};
use isobox::{Checks, Code, Decisions, Failure, Isobox, Outcome, Program, Resume, Run, Tool, Value, demo, json};

fn runtime() -> isobox::Builder {
    Isobox::builder().tools(demo::tools().expect("the tools are well defined"))
}

async fn failure(isobox: &Isobox, program: impl Into<Run>) -> Failure {
    match isobox.run(program).await {
        Outcome::Failed(failed) => {
            assert!(failed.calls.is_empty(), "nothing was called");
            failed.error
        }
        other => panic!("{other:?}"),
    }
}

const WRONG: &str = "const one = await tools.demo.echo(1);\nawait tools.weather.forecast({ city: 'Oslo' });\n\
    tools.mail.send({ to: 'ada', subject: 'x' });\nawait tools.demo.wait({ ms: `${one}` });\nreturn one;";

#[tokio::test]
async fn all_findings_are_reported_at_once_before_anything_runs() {
    let isobox = runtime().build().unwrap();
    let failure = failure(&isobox, WRONG).await;
    assert_eq!((failure.code, failure.line, failure.column), (Code::Check, Some(2), Some(21)));
    assert_eq!(failure.message, "unknown tool: `weather.forecast`; did you mean `weather.current`? (and 2 more)");
    let findings = failure.details["findings"].as_array().unwrap();
    let listed: Vec<(&str, u64)> =
        findings.iter().map(|one| (one["code"].as_str().unwrap(), one["line"].as_u64().unwrap())).collect();
    assert_eq!(listed, [("UNKNOWN_TOOL", 2), ("DETACHED_CALL", 3), ("INVALID_INPUT", 4)]);
    assert_eq!(findings[1]["source"], "tools.mail.send({ to: 'ada', subject: 'x' });");
    let outcome = isobox.run(WRONG).await;
    let text = answer_text(&outcome, &AnswerOptions::default());
    assert_eq!(text.matches("\n- ").count(), 3, "{text}");
    assert!(text.starts_with("CHECK: the program was not run"), "{text}");
}

#[tokio::test]
async fn a_runtime_and_a_run_choose_what_becomes_of_mistakes() {
    let isobox = runtime().checks(Checks::Warnings).build().unwrap();
    let program = "const x = JSON.parse('null');\nif (x) await tools.nope();\nreturn 1";
    let Outcome::Completed(completed) = isobox.run(program).await else { panic!("it completes") };
    assert_eq!(completed.warnings.len(), 1);
    let failed = "return await tools.nope()";
    assert_eq!(isobox.run(failed).await.into_result().unwrap_err().code, Code::UnknownTool);
    let strict = Run::from(failed).checks(Checks::Errors);
    assert_eq!(isobox.run(strict).await.into_result().unwrap_err().code, Code::Check);
    let off = Run::from(program).checks(Checks::Off);
    let Outcome::Completed(completed) = isobox.run(off).await else { panic!("it completes") };
    assert!(completed.warnings.is_empty());
}

#[tokio::test]
async fn tools_of_one_run_and_namespaces_as_globals_count() {
    let isobox = runtime().namespaces_as_globals().build().unwrap();
    let own = Tool::new("client.show", |input| async { Ok(input) }).unwrap();
    let outcome = isobox.run(Run::from("return await tools.client.show({ a: 1 })").tool(own)).await;
    assert_eq!(outcome.into_result().unwrap(), json!({ "a": 1 }));
    assert_eq!(isobox.run("return await demo.echo(1)").await.into_result().unwrap(), json!(1));
    let failure = failure(&isobox, "return await demo.ecco(1)").await;
    assert!(failure.message.starts_with("unknown tool: `demo.ecco`; did you mean `demo.echo`"), "{failure}");
}

#[tokio::test]
async fn results_are_known_only_where_outputs_are_checked() {
    let closed = json!({ "type": "object", "properties": { "id": {} }, "additionalProperties": false });
    let tool = Tool::new("a.get", |_| async { Ok(json!({ "id": 1 })) }).unwrap().output_schema(closed).unwrap();
    let program = Program::single("const r = await tools.a.get();\nreturn r.ident");
    let checked = Isobox::builder().tool(tool.clone()).build().unwrap();
    let findings = checked.check(&program, &[]).await.unwrap();
    assert_eq!((findings[0].code, findings[0].line, findings[0].column), (FindingCode::UnknownProperty, 2, 10));
    assert_eq!(findings[0].certainty, Certainty::Certain);
    let validation = Validation::default().outputs(OutputChecks::Warn);
    let unchecked = Isobox::builder().tool(tool).validation(validation).build().unwrap();
    assert_eq!(unchecked.check(&program, &[]).await.unwrap(), []);
}

#[tokio::test]
async fn all_violations_of_rules_are_reported_with_the_message_of_their_rule() {
    let rules = Rules::new(vec![
        SyntaxRule::new(Stance::Deny, About::Syntax, ["for*"]).message("use the methods of arrays"),
        SyntaxRule::new(Stance::Allow, About::Globals, ["tools"]),
    ]);
    let isobox = runtime().rules(rules).checks(Checks::Off).build().unwrap();
    let failure = failure(&isobox, "for (const x of [1]) {}\nreturn JSON.stringify(Math.max(1))").await;
    let messages: Vec<&str> =
        failure.details["findings"].as_array().unwrap().iter().map(|one| one["message"].as_str().unwrap()).collect();
    assert_eq!(
        messages,
        [
            "`for-of` is not allowed here: use the methods of arrays",
            "the global `JSON` is not allowed here",
            "the global `Math` is not allowed here",
        ]
    );
    let wrong = Rules::new(vec![SyntaxRule::new(Stance::Deny, About::Syntax, ["whlie"])]);
    let failure = runtime().rules(wrong).build().err().expect("the rule is wrong");
    assert_eq!(failure.code, Code::Config);
}

fn module(specifier: &str, source: &str) -> Module {
    Module::code(specifier, source).expect("a module")
}

#[tokio::test]
async fn programs_import_and_require_modules_of_the_host_from_several_files() {
    let isobox = runtime()
        .module(module("csv", "let loads = 0; loads += 1;\nexport const parse = (text: string) => text.split(',');\nexport const loaded = () => loads;"))
        .module(module("rows", "import { parse } from 'csv';\nexport default (text: string): string[] => parse(text).map((it) => it.trim());"))
        .module(Module::json("config", json!({ "limit": 3, "names": ["a"] })).unwrap())
        .build()
        .unwrap();
    for (source, expected) in [
        ("import { parse } from 'csv'\nreturn parse('a,b')", json!(["a", "b"])),
        ("const { parse } = require('csv')\nreturn parse('a,b')", json!(["a", "b"])),
        ("import rows from 'rows'\nreturn rows('a, b')", json!(["a", "b"])),
        ("const rows = require('rows')\nreturn rows('a, b')", json!(["a", "b"])),
        ("import config, { limit } from 'config'\nreturn [config.names, limit]", json!([["a"], 3])),
        ("const { parse } = await import('csv')\nreturn parse('a')", json!(["a"])),
        (
            "import { loaded } from 'csv'\nimport 'rows'\nimport rows from 'rows'\nreturn [loaded(), rows('a').length]",
            json!([1, 1]),
        ),
    ] {
        assert_eq!(isobox.run(source).await.into_result(), Ok(expected), "{source}");
    }
    let files = [
        ("main.ts", "import { one } from './one'\nimport { parse } from 'csv'\nexport default () => [one, parse('c')]"),
        ("one.ts", "import { parse } from 'csv'\nexport const one = parse('a,b')"),
    ];
    let files = files.map(|(path, source)| (path.to_owned(), source.to_owned())).into();
    let outcome = isobox.run(Program::new(files, "main.ts").unwrap()).await;
    assert_eq!(outcome.into_result(), Ok(json!([["a", "b"], ["c"]])));
    let failure = isobox.run("import x from 'yaml'\nreturn x").await.into_result().unwrap_err();
    assert_eq!((failure.code, failure.line), (Code::Syntax, Some(1)));
    assert!(failure.hint.unwrap().ends_with("the modules here are `csv`, `rows`, `config`"));
    assert!(
        isobox
            .modules()
            .declarations()
            .contains("declare module \"csv\" {\n  export function parse(text: string): unknown;")
    );
}

#[tokio::test]
async fn modules_that_cannot_be_linked_are_found_when_the_runtime_is_built() {
    for (modules, message, file, line) in [
        (vec![module("bad", "export const x = 1;\nexport const y = ;")], "the module `bad` cannot be linked", "bad", 2),
        (
            vec![module("a", "import 'b'"), module("b", "\nimport 'a'")],
            "the module `b` cannot be linked: modules import each other in a circle: a → b → a",
            "b",
            2,
        ),
        (vec![module("a", "import x from 'nope'\nexport default x")], "the module `a` cannot be linked", "a", 1),
    ] {
        let failure = runtime().modules(modules).build().err().expect(message);
        assert_eq!((failure.code, failure.line), (Code::Config, Some(line)), "{failure}");
        assert!(failure.message.starts_with(message), "{failure}");
        assert_eq!(failure.details["file"], file);
    }
    let twice = runtime().modules([module("a", ""), module("a", "")]).build().err().expect("it is there twice");
    assert_eq!(twice.message, "the module `a` is there twice");
}

#[tokio::test]
async fn a_module_that_throws_has_its_own_place() {
    let isobox = runtime()
        .module(module("late", "export const f = () => {\n  throw new TypeError('bad');\n};"))
        .module(module("early", "\n\nthrow new Error('not today');\nexport const x = 1;"))
        .module(module("twice", "export let a = 1;\nlet b = 1;\nlet b = 2;"))
        .build()
        .unwrap();
    let failure = isobox.run("import { f } from 'late'\nreturn f()").await.into_result().unwrap_err();
    assert_eq!((failure.code, failure.line, &failure.details["file"]), (Code::Thrown, Some(2), &json!("late")));
    let failure = isobox.run("import { x } from 'early'\nreturn x").await.into_result().unwrap_err();
    assert_eq!((failure.code, failure.line, &failure.details["file"]), (Code::Thrown, Some(3), &json!("early")));
    let failure = isobox.run("import { a } from 'twice'\nreturn a").await.into_result().unwrap_err();
    assert_eq!((failure.code, failure.line, &failure.details["file"]), (Code::Syntax, Some(3), &json!("twice")));
    assert_eq!(isobox.run("return 1").await.into_result(), Ok(Value::from(1)));
}

#[tokio::test]
async fn a_journal_goes_on_without_the_modules_of_its_host_and_keeps_its_warnings() {
    let store: Arc<dyn Store> = memory_store();
    let pay = || Tool::new("shop.pay", |_| async { Ok(json!("paid")) }).unwrap().with_approval();
    let first = Isobox::builder()
        .tool(pay())
        .store(Arc::clone(&store))
        .module(module("csv", "export const parse = (text: string) => text.split(',');"))
        .build()
        .unwrap();
    let program = "import { parse } from 'csv'\nconst done = await tools.shop.pay({});\n\
        if (done === 'no') await tools.shop.repay({});\nreturn [done, parse('a,b')]";
    let Outcome::Paused(paused) = first.run(Run::from(program).durable()).await else { panic!("it pauses") };
    drop(first);
    // Nothing is checked again: neither are the rules of this host.
    let rules = Rules::new(vec![SyntaxRule::new(Stance::Deny, About::Syntax, ["await"])]);
    let second = Isobox::builder().tool(pay()).store(store).rules(rules).build().unwrap();
    let decisions = Decisions::about_all("ada", paused.revision, Verdict::Approve);
    second.decide(&paused.execution_id, decisions).await.unwrap();
    let resumed = second.resume(&paused.execution_id, Resume::default()).await.unwrap();
    let Some(Outcome::Completed(completed)) = resumed.into_outcome() else { panic!("it completes") };
    assert_eq!(completed.result, json!(["paid", ["a", "b"]]));
    assert_eq!(completed.warnings.len(), 1, "{:?}", completed.warnings);
    assert!(completed.warnings[0].message.starts_with("line 3, column 37: unknown tool: `shop.repay`"));
}

#[tokio::test]
async fn a_refused_program_is_not_recorded() {
    let store: Arc<dyn Store> = memory_store();
    let isobox = runtime().store(Arc::clone(&store)).build().unwrap();
    let outcome = isobox.run(Run::from(WRONG).durable()).await;
    assert_eq!(outcome.into_result().unwrap_err().code, Code::Check);
    assert!(isobox.executions(Filter::newest(10)).await.unwrap().executions.is_empty());
}

/// Returns a runtime with a tool whose schema tries two alternatives at every level, and a costly call that fits.
fn costly() -> (Isobox, String) {
    let branch = json!({ "properties": { "a": { "$ref": "#/$defs/t" } } });
    let schema = json!({
        "$defs": { "t": { "type": "object", "anyOf": [branch.clone(), branch] } }, "$ref": "#/$defs/t",
    });
    let tool = Tool::new("deep.take", |_| async { Ok(Value::Null) })
        .and_then(|tool| tool.input_schema(schema))
        .expect("a tool");
    let call = format!("await tools.deep.take({}{{}}{});\n", "{ a: ".repeat(15), " }".repeat(15));
    (Isobox::builder().tool(tool).build().expect("a runtime"), call)
}

#[tokio::test]
async fn the_checks_of_a_program_have_one_budget_whatever_the_number_of_its_calls() {
    let (isobox, call) = costly();
    let (wrong, no_roles): (_, Vec<String>) = ("await tools.deep.take(7);\n", Vec::new());
    let alone = isobox.check(&Program::single(wrong), &no_roles).await.unwrap();
    assert_eq!(alone.len(), 1);
    assert_eq!((alone[0].code, alone[0].message.contains("the check ends")), (FindingCode::InvalidInput, false));
    let few = isobox.check(&Program::single(format!("{call}{wrong}")), &no_roles).await.unwrap();
    assert_eq!(few.len(), 1, "one costly call is within the budget");
    let many = call.repeat(100);
    let before = isobox.check(&Program::single(format!("{wrong}{many}")), &no_roles).await.unwrap();
    assert_eq!(before.len(), 1);
    assert!(before[0].message.contains("; the check ends here (calls that were not checked: "), "{before:?}");
    let after = isobox.check(&Program::single(format!("{many}{wrong}")), &no_roles).await.unwrap();
    assert!(after.is_empty(), "what is not judged passes: {after:?}");
}

#[tokio::test]
async fn a_finding_quotes_nothing_that_the_policy_redacts_also_of_a_partly_known_argument() {
    let pin = json!({ "type": "object", "properties": { "pin": { "type": "integer" }, "to": { "enum": ["a", "b"] } } });
    let tool = || Tool::new("bank.pay", |_| async { Ok(Value::Null) }).unwrap().input_schema(pin.clone()).unwrap();
    let redact = Rule::new(vec!["bank.*".parse().unwrap()], Action::Redact(vec!["/pin".to_owned()]));
    let isobox = Isobox::builder().tool(tool()).policy(Policy::new(vec![redact])).build().unwrap();
    for (argument, expected) in [
        ("{ pin: 'hunter2', to: 'a' }", "[redacted]"),
        ("{ pin: 'hunter2', to: JSON.parse('1') }", "[redacted]"),
        ("{ to: 'c', pin: JSON.parse('1') }", "is not one of"),
    ] {
        let program = Program::single(format!("await tools.bank.pay({argument})"));
        let findings = isobox.check(&program, &[]).await.unwrap();
        assert_eq!(findings.len(), 1, "{argument}");
        let message = &findings[0].message;
        assert!(message.contains(expected) && !message.contains("hunter2"), "{argument}: {message}");
    }
}
