//! Types of results that are learned from results.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use isobox::config::Config;
use isobox::connector::{self, Connector, ConnectorSettings, Offer, OfferedTool};
use isobox::experience::ExperienceOptions;
use isobox::policy::{Action, Policy, Rule};
use isobox::store::{Amended, DatabaseStore, LESSONS, Store, memory_store};
use isobox::tools::BriefingOptions;
use isobox::{BoxFuture, Builder, Code, Isobox, Run, Tool, ToolCall, ToolError, Value, json};

use crate::faulty_store::{Fault, FaultyStore};

const UNKNOWN: &str = "declare const tools: { github: {\n  issue(input?: unknown): Promise<unknown>;\n} };\n";

/// A tool that returns its input.
fn issue() -> Tool {
    Tool::new("github.issue", |input| async move { Ok(input) }).expect("a path")
}

fn builder(store: &Arc<dyn Store>) -> Builder {
    Isobox::builder().tool(issue()).store(Arc::clone(store))
}

/// Calls the tool for these results, and waits until they are learned from.
async fn see(isobox: &Isobox, results: &Value) {
    let program = format!("for (const result of {results}) await tools.github.issue(result)");
    isobox.run(program).await.into_result().expect("it completes");
    isobox.learned().await.expect("it is kept");
}

/// The declaration as a program reads it.
async fn described(isobox: &Isobox) -> String {
    let types = isobox.run("return (await codemode.describe('github.issue')).types").await;
    types.into_result().expect("it completes").as_str().expect("a text").to_owned()
}

fn declared(count: &str, results: &str) -> String {
    format!(
        "declare const tools: {{ github: {{\n  /** @returns Observed in {count}, not promised by the tool. */\n  \
         issue(input?: unknown): Promise</* observed */ {results}>;\n}} }};\n"
    )
}

#[tokio::test]
async fn what_was_seen_is_described_from_then_on_and_by_the_next_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("isobox.db");
    let store: Arc<dyn Store> = Arc::new(DatabaseStore::sqlite(&file).await.expect("a store"));
    let isobox = builder(&store).build().expect("a runtime");
    assert_eq!(described(&isobox).await, UNKNOWN);
    see(&isobox, &json!([{ "id": 1, "title": "a" }, { "id": 2 }])).await;
    let expected = declared("at least 2 results", "{ id: number; title?: string }");
    assert_eq!(described(&isobox).await, expected);
    assert_eq!(isobox.describe("github.issue", 1000, &[]).expect("found").types, expected);
    let found = isobox.run("return (await codemode.search('github issue')).results[0].signature").await;
    let signature = "tools.github.issue(input?: unknown): Promise</* observed */ { id: number; title?: string }>";
    assert_eq!(found.into_result().expect("it completes"), json!(signature));
    drop((isobox, store));

    let store: Arc<dyn Store> = Arc::new(DatabaseStore::sqlite(&file).await.expect("a store"));
    let next = builder(&store).build().expect("a runtime").informed().await;
    assert_eq!(next.catalogue().declarations(next.policy(), &[]), expected);
    assert!(next.catalogue().briefing(&BriefingOptions::default(), next.policy(), &[]).contains("/* observed */"));
    see(&next, &json!([{ "id": "x" }])).await;
    let wider = declared("at least 3 results", "{ id: string | number; title?: string }");
    assert_eq!(described(&next).await, wider);
    assert_eq!(next.catalogue().declarations(next.policy(), &[]), expected, "a catalogue never changes");
    assert!(next.forget("github.issue").await.expect("it is forgotten"));
    assert_eq!(described(&next).await, UNKNOWN);
    assert!(!next.forget("github.issue").await.expect("it is forgotten"));
    assert!(store.documents(LESSONS, "", LESSONS.most).await.expect("it is read").is_empty());
}

#[tokio::test]
async fn what_two_processes_learn_is_kept_together() {
    let store = memory_store();
    let (one, other) = (builder(&store).build().expect("a runtime"), builder(&store).build().expect("a runtime"));
    see(&one, &json!([{ "id": 1 }])).await;
    see(&other, &json!([{ "name": "a" }])).await;
    let next = builder(&store).build().expect("a runtime").informed().await;
    assert_eq!(described(&next).await, declared("at least 2 results", "{ id?: number; name?: string }"));
}

#[tokio::test]
async fn a_changed_definition_forgets_and_replaces() {
    let store = memory_store();
    see(&builder(&store).build().expect("a runtime"), &json!([{ "id": 1 }])).await;
    let changed = Isobox::builder().tool(issue().description("Another.")).store(Arc::clone(&store));
    let changed = changed.build().expect("a runtime").informed().await;
    assert!(described(&changed).await.contains("Promise<unknown>"));
    see(&changed, &json!(["text"])).await;
    let types = described(&changed).await;
    assert!(types.contains("Promise</* observed */ string>") && types.contains("one result"), "{types}");
    let first = builder(&store).build().expect("a runtime").informed().await;
    assert_eq!(described(&first).await, UNKNOWN, "one version is kept");
}

#[tokio::test]
async fn a_host_switches_it_off() {
    let store = memory_store();
    see(&builder(&store).build().expect("a runtime"), &json!([{ "id": 1 }])).await;
    let off = builder(&store).experience(ExperienceOptions::default().is_enabled(false));
    let off = off.build().expect("a runtime").informed().await;
    let kept = store.documents(LESSONS, "", LESSONS.most).await.expect("it is read");
    see(&off, &json!([{ "name": 1 }])).await;
    assert_eq!(described(&off).await, UNKNOWN);
    assert_eq!(store.documents(LESSONS, "", LESSONS.most).await.expect("it is read"), kept);
}

#[tokio::test]
async fn a_redacted_field_is_never_learned() {
    let store = memory_store();
    let redact = Rule::new(
        vec!["github.*".parse().expect("a pattern")],
        Action::Redact(vec!["/password".to_owned(), "/users/0/token".to_owned()]),
    );
    let isobox = builder(&store).policy(Policy::new(vec![redact])).build().expect("a runtime");
    let secret = json!([{ "id": 1, "password": "x", "users": [{ "token": "a", "id": 1 }, { "token": "b", "id": 2 }] }]);
    see(&isobox, &secret).await;
    assert_eq!(described(&isobox).await, declared("one result", "{ id: number; users: { id: number }[] }"));
    let kept = store.documents(LESSONS, "", LESSONS.most).await.expect("it is read");
    let kept = String::from_utf8_lossy(&kept[0].bytes);
    assert!(!kept.contains("password") && !kept.contains("token"), "{kept}");
}

#[tokio::test]
async fn texts_are_kept_only_where_the_host_allows_it() {
    let results: Vec<Value> =
        (0..12).map(|at| json!({ "state": if at % 3 == 0 { "open" } else { "closed" } })).collect();
    let store = memory_store();
    let isobox = builder(&store).build().expect("a runtime");
    see(&isobox, &json!(results)).await;
    assert!(described(&isobox).await.contains("{ state: string }"));
    let enums = vec!["github.*".parse().expect("a pattern")];
    let allowed = builder(&store).experience(ExperienceOptions::default().enums(enums)).build().expect("a runtime");
    see(&allowed, &json!(results)).await;
    let types = described(&allowed).await;
    assert!(types.contains(r#"{ state: "closed" | "open" }"#), "{types}");
}

#[tokio::test]
async fn failed_calls_and_tools_of_one_run_teach_nothing_and_results_are_never_checked() {
    let store = memory_store();
    let fail = Tool::new("github.fail", |_| async { Err(ToolError::new("no")) }).expect("a path");
    let isobox = builder(&store).tool(fail).build().expect("a runtime");
    let own = Tool::new("own.tool", |_| async { Ok(json!({ "a": 1 })) }).expect("a path");
    let run = Run::from("await tools.github.fail({}).catch(() => {}); return tools.own.tool({})").tool(own);
    isobox.run(run).await.into_result().expect("it completes");
    isobox.learned().await.expect("it is kept");
    assert!(store.documents(LESSONS, "", LESSONS.most).await.expect("it is read").is_empty());
    see(&isobox, &json!([{ "id": 1 }])).await;
    let other = isobox.run("return tools.github.issue({ name: ['x'] })").await;
    assert_eq!(other.into_result().expect("it is not checked"), json!({ "name": ["x"] }));
}

#[tokio::test]
async fn what_was_altered_in_the_store_is_not_shown_and_is_replaced() {
    let store = memory_store();
    see(&builder(&store).build().expect("a runtime"), &json!([{ "id": 1 }])).await;
    let alter = |kept: Option<&[u8]>| {
        let text = String::from_utf8_lossy(&kept.unwrap_or_default()[32..]).replace("id", "do_this");
        Amended::Replaced([&kept.unwrap_or_default()[..32], text.as_bytes()].concat())
    };
    store.amend_document(LESSONS, "github.issue", Arc::new(alter)).await.expect("it is altered");
    let isobox = builder(&store).build().expect("a runtime").informed().await;
    assert_eq!(described(&isobox).await, UNKNOWN);
    see(&isobox, &json!([{ "id": 1 }])).await;
    assert_eq!(described(&isobox).await, declared("one result", "{ id: number }"));
}

#[tokio::test]
async fn a_store_that_fails_or_hangs_holds_nothing_up_and_is_written_only_with_news() {
    let store = FaultyStore::new(&memory_store());
    let shared: Arc<dyn Store> = Arc::new(store.clone());
    let isobox = builder(&shared).build().expect("a runtime");
    for fault in [Fault::Outage, Fault::HeldBack] {
        store.has(fault);
        let outcome = isobox.run("return tools.github.issue({ id: 1 })").await;
        assert_eq!(outcome.into_result().expect("it completes"), json!({ "id": 1 }));
        let other = builder(&shared).build().expect("a runtime").informed().await;
        assert_eq!(described(&other).await, UNKNOWN);
        if fault == Fault::Outage {
            assert_eq!(isobox.learned().await.expect_err("it fails").code, Code::Store);
        }
    }
    store.has(Fault::No);
    see(&isobox, &json!([{ "id": 1 }])).await;
    let next = builder(&shared).build().expect("a runtime").informed().await;
    assert_eq!(described(&next).await, declared("at least 3 results", "{ id: number }"), "nothing is lost");

    see(&isobox, &json!(vec![json!({ "id": 1 }); 100])).await;
    store.has(Fault::Damage);
    see(&isobox, &json!([{ "id": 2 }])).await;
    isobox.run("return tools.github.issue({ id: '2' })").await.into_result().expect("it completes");
    assert_eq!(isobox.learned().await.expect_err("there is news to write").code, Code::Store);
}

#[tokio::test]
async fn learning_happens_in_the_background() {
    let store = memory_store();
    let isobox = builder(&store).build().expect("a runtime");
    isobox.run("return tools.github.issue({ id: 1 })").await.into_result().expect("it completes");
    assert!(
        store.documents(LESSONS, "", LESSONS.most).await.expect("it is read").is_empty(),
        "the run did not wait for it"
    );
    for _ in 0..100 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        if !store.documents(LESSONS, "", LESSONS.most).await.expect("it is read").is_empty() {
            return;
        }
    }
    panic!("nothing was learned");
}

#[test]
fn a_configuration_says_what_is_learned() {
    let parse = |text: &str| Config::parse(text, &|_| None);
    assert_eq!(parse("{}").expect("it is one").experience, ExperienceOptions::default());
    let text = r#"{ "experience": { "enabled": false, "enums": "a.*", "readOnly": ["b", "c"] } }"#;
    let pattern = |text: &str| text.parse().expect("a pattern");
    let expected = ExperienceOptions::default()
        .is_enabled(false)
        .enums(vec![pattern("a.*")])
        .read_only(vec![pattern("b"), pattern("c")]);
    assert_eq!(parse(text).expect("it is one").experience, expected);
    for (wrong, message) in [
        (r#"{ "experience": { "enable": true } }"#, "did you mean `enabled`?"),
        (r#"{ "experience": { "enums": ["a?"] } }"#, "`*` is the only wildcard"),
        (r#"{ "experience": { "enums": "${A}" } }"#, "A"),
        (r#"{ "experience": true }"#, "`experience`"),
    ] {
        let error = parse(wrong).expect_err("it is wrong").to_string();
        assert!(error.contains(message), "{wrong}: {error}");
    }
}

/// A connector whose offer can change.
#[derive(Default)]
struct Changing(AtomicU64);

impl Connector for Changing {
    fn name(&self) -> &str {
        "github"
    }

    fn offer(&self) -> BoxFuture<'_, Result<Offer, connector::Error>> {
        let tools = (0..=self.generation()).map(|number| OfferedTool::new(if number == 0 { "issue" } else { "other" }));
        Box::pin(std::future::ready(Ok(Offer::default().tools(tools.collect()))))
    }

    fn call<'a>(&'a self, _: &'a str, call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(async move { Ok(call.input) })
    }

    fn generation(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

#[tokio::test]
async fn the_text_for_models_stays_the_same_while_a_process_runs() {
    let store = memory_store();
    let connected = |connector: &Arc<Changing>| {
        let connector: Arc<dyn Connector> = Arc::clone(connector) as Arc<dyn Connector>;
        let builder = Isobox::builder().store(Arc::clone(&store)).connector(connector, ConnectorSettings::default());
        builder.build_connected().expect("a runtime")
    };
    let changing = Arc::<Changing>::default();
    let first = connected(&changing);
    let isobox = first.ready().await.expect("it is ready").isobox;
    see(&isobox, &json!([{ "id": 1 }])).await;
    changing.0.store(1, Ordering::Relaxed);
    let later = first.ready().await.expect("it is ready").isobox;
    let types = later.catalogue().declarations(later.policy(), &[]);
    assert!(types.contains("other(") && !types.contains("observed"), "{types}");
    assert!(described(&later).await.contains("{ id: number }"), "programs find what is known now");
    let next = connected(&Arc::default()).ready().await.expect("it is ready").isobox;
    assert!(next.catalogue().declarations(next.policy(), &[]).contains("/* observed */ { id: number }"));
}
