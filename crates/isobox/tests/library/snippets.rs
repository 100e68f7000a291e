//! Snippets: saved, run, trusted.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use isobox::policy::{Action, Policy, Rule};
use isobox::program::{About, Module, Rules, Stance, SyntaxRule};
use isobox::snippets::{Example, Expected, NewSnippet, SaveSnippet, SnippetOptions, Trust};
use isobox::store::{Amended, Collection, DatabaseStore, DocumentDurability, Store, Timing, WhenFull, memory_store};
use isobox::{
    CallSeq, Code, ConflictKind, Decisions, Isobox, Outcome, Paused, Principal, Program, Resume, Run, Tool, Value,
    journal::{Entry, Remember, Verdict},
    json,
};

use super::faulty_store::{Fault, FaultyStore};

pub(crate) fn runtime(store: &Arc<dyn Store>) -> Isobox {
    let double =
        Tool::new("math.double", |input| async move { Ok(json!(input["n"].as_i64().unwrap_or_default() * 2)) });
    let pay = Tool::new("pay", |input| async move { Ok(input) }).expect("a path").with_approval();
    let builder = Isobox::builder().tool(double.expect("a path")).tool(pay).store(Arc::clone(store));
    builder.snippets(SnippetOptions::default().provisional(2).trusted(4)).build().expect("a runtime")
}

pub(crate) async fn put(isobox: &Isobox, name: &str, code: &str) {
    let new = NewSnippet::new(name, Program::single(code)).description("Does something.");
    isobox.snippets().expect("a store").put(new, Principal::host()).await.expect("it is saved");
}

async fn completed(isobox: &Isobox, run: impl Into<Run>) -> Value {
    isobox.run(run).await.into_result().expect("it completes")
}

fn code<T>(result: Result<T, isobox::Failure>) -> Option<Code> {
    result.err().map(|failure| failure.code)
}

#[tokio::test]
async fn the_code_of_a_completed_execution_is_saved_with_its_tools_and_run_in_another_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("isobox.db");
    let open = async || {
        let store: Arc<dyn Store> = Arc::new(DatabaseStore::sqlite(&file).await.expect("a store"));
        store
    };
    let isobox = runtime(&open().await);
    let program = "const n = typeof input === 'undefined' ? 1 : input.n; return tools.math.double({ n })";
    let outcome = isobox.run(Run::from(program).durable()).await;
    let snippets = isobox.snippets().expect("a store");
    let save = SaveSnippet::new("doubled", outcome.execution_id().clone()).description("Doubles a number.");
    let saved = snippets.save(save.clone(), Principal::named("ada")).await.expect("it is saved");
    let version = saved.latest();
    assert_eq!((version.version, version.by.as_str(), version.from.as_ref()), (1, "ada", Some(outcome.execution_id())));
    let definition = isobox.catalogue().get("math.double").expect("it is there").definition_hash();
    assert_eq!(version.tools, [("math.double".to_owned(), definition)].into());

    let other = runtime(&open().await);
    let snippets = other.snippets().expect("a store");
    assert_eq!(completed(&other, snippets.run("doubled", &json!({ "n": 21 }))).await, json!(42));
    assert_eq!(snippets.save(save, Principal::named("ada")).await.expect("it is saved").latest().version, 2);
    assert_eq!(completed(&other, "return codemode.run('doubled@1', { n: 2 })").await, json!(4));
    snippets.delete("doubled", Principal::host()).await.expect("it is deleted");
    assert_eq!(code(snippets.get("doubled").await), Some(Code::NotFound));
    assert!(snippets.list().await.expect("it is read").is_empty());
}

#[tokio::test]
async fn a_snippet_with_a_certain_mistake_is_saved_only_by_force() {
    let isobox = runtime(&memory_store());
    let snippets = isobox.snippets().expect("a store");
    let wrong = NewSnippet::new("mine", Program::single("return await tools.no.such.tool(input)"));
    let failure = snippets.put(wrong.clone(), Principal::host()).await.expect_err("it is refused");
    assert_eq!((failure.code, failure.line), (Code::Check, Some(1)), "{failure}");
    assert_eq!(failure.details["findings"][0]["code"], json!("UNKNOWN_TOOL"));
    assert!(failure.hint.expect("advice").ends_with("`--force`"));
    snippets.put(wrong.is_forced(true), Principal::host()).await.expect("it is forced");
    let perhaps = NewSnippet::new("mine", Program::single("if (input.x) await tools.no.such.tool(input)\nreturn 1"));
    snippets.put(perhaps, Principal::host()).await.expect("the mistake is not certain");
    let rules = Rules::new(vec![SyntaxRule::new(Stance::Deny, About::Syntax, ["while"])]);
    let strict = Isobox::builder().store(memory_store()).rules(rules).build().expect("a runtime");
    let looping = NewSnippet::new("mine", Program::single("while (input) {}")).is_forced(true);
    let refused = strict.snippets().expect("a store").put(looping, Principal::host()).await;
    assert_eq!(code(refused), Some(Code::Check), "rules are not a matter of force");
}

/// Returns a runtime with a module `words`, and this rule over the syntax.
fn with_module(store: &Arc<dyn Store>, source: &str, denied: &[&str]) -> Isobox {
    let pay = Tool::new("pay", |input| async move { Ok(input) }).expect("a path").with_approval();
    let rules = denied.iter().map(|kind| SyntaxRule::new(Stance::Deny, About::Syntax, [*kind])).collect();
    let builder = Isobox::builder().tool(pay).store(Arc::clone(store)).rules(Rules::new(rules));
    builder.module(Module::code("words", source).expect("a module")).build().expect("a runtime")
}

#[tokio::test]
async fn the_rules_of_the_host_that_runs_a_snippet_count() {
    let store = memory_store();
    put(&with_module(&store, "", &[]), "loops", "while (input) { return 1 }\nreturn 2").await;
    let strict = with_module(&store, "", &["while"]);
    let program = "return codemode.run('loops').catch(({ code, message }) => [code, message])";
    let refused = json!(["CHECK", "snippet `loops`: `while` is not allowed here"]);
    assert_eq!(completed(&strict, program).await, refused);
    let other = with_module(&store, "", &["for"]);
    assert_eq!(completed(&other, "return codemode.run('loops')").await, json!(2));
    let before = other.run(Run::from("await codemode.run('loops'); return codemode.run('loops', 1)").durable()).await;
    let transcript =
        other.export(before.execution_id(), isobox::transcript::Secrets::Included).await.expect("an export");
    let fork = isobox::transcript::Fork::before("1".parse().expect("a number"));
    assert_eq!(code(strict.fork(&transcript, fork.clone(), Resume::default()).await.map(|_| ())), Some(Code::Check));
    other.fork(&transcript, fork, Resume::default()).await.expect("its rules allow it");
}

#[tokio::test]
async fn an_execution_runs_a_snippet_with_the_modules_that_it_began_with() {
    let store = memory_store();
    let first = with_module(&store, "export const word = 'first'", &[]);
    put(&first, "says", "import { word } from 'words'\nawait tools.pay({ word })\nreturn word").await;
    let paused = paused(&first, "return [await codemode.run('says'), await codemode.run('says')]").await;
    let mut revision = paused.revision;
    let second = with_module(&store, "export const word = 'second'", &[]);
    for expected in [None, Some(json!(["first", "first"]))] {
        let approve = Decisions::about_all("bob", revision, Verdict::Approve);
        second.decide(&paused.execution_id, approve).await.expect("it is decided");
        let resumed = second.resume(&paused.execution_id, Resume::default()).await.expect("it is resumed");
        match (resumed.into_outcome().expect("it runs here"), expected) {
            (Outcome::Paused(paused), None) => revision = paused.revision,
            (outcome, expected) => assert_eq!(outcome.into_result().ok(), expected),
        }
    }
    assert_eq!(
        completed(
            &with_module(&store, "export const word = 'third'", &[]),
            "import { word } from 'words'\nreturn word"
        )
        .await,
        json!("third")
    );
}

#[tokio::test]
async fn only_completed_executions_are_saved_unless_it_is_forced() {
    let isobox = runtime(&memory_store());
    let failed = isobox.run(Run::from("throw new Error('no')").durable()).await;
    let snippets = isobox.snippets().expect("a store");
    let save = SaveSnippet::new("bad", failed.execution_id().clone());
    let refused =
        snippets.save(save.clone(), Principal::host()).await.err().and_then(|failure| failure.conflict_kind());
    assert_eq!(refused, Some(ConflictKind::Over), "it has failed");
    snippets.save(save.forced(), Principal::host()).await.expect("it is forced");
    let reader = Principal::named("eve").with_rights(isobox::policy::Right::Run);
    let new = NewSnippet::new("mine", Program::single("return 1"));
    assert_eq!(code(snippets.put(new.clone(), reader.clone()).await), Some(Code::Forbidden));
    assert_eq!(code(snippets.delete("bad", reader).await), Some(Code::Forbidden));
    let broken = NewSnippet::new("mine", Program::single("return ("));
    assert_eq!(code(snippets.put(broken, Principal::host()).await), Some(Code::Syntax));
    let nowhere = Isobox::builder().build().expect("a runtime");
    assert_eq!(code(nowhere.snippets().map(|_| ())), Some(Code::Config));
    let outcome = nowhere.run("return codemode.run('x').catch((error) => error.code)").await;
    assert_eq!(outcome.into_result().expect("it completes"), json!("NOT_FOUND"));
}

#[tokio::test]
async fn trust_and_types_follow_from_uses() {
    let store = memory_store();
    let isobox = runtime(&store);
    put(&isobox, "check", "if (input < 0) throw new Error('no'); return { ok: true, value: input }").await;
    let snippets = isobox.snippets().expect("a store");
    let trust = async || snippets.trust(snippets.get("check").await.expect("it is there").latest());
    assert_eq!(trust().await, Trust::Untrusted);
    for expected in [Trust::Untrusted, Trust::Provisional] {
        completed(&isobox, "return [await codemode.run('check', 1), await codemode.run('check', 2)]").await;
        assert_eq!(trust().await, expected, "an execution counts once");
    }
    completed(&isobox, "return codemode.run('check', -1).catch((error) => error.code)").await;
    let uses = snippets.get("check").await.expect("it is there").latest().uses.clone();
    assert_eq!((uses.successes, uses.failures, uses.last.is_some()), (2, 1, true));
    assert_eq!(trust().await, Trust::Untrusted, "a failure takes back a success");
    for _ in 0..3 {
        completed(&isobox, "return codemode.run('check', 1)").await;
    }
    assert_eq!(trust().await, Trust::Trusted);
    tokio::time::sleep(Duration::from_millis(2100)).await;
    let types = completed(&isobox, "return (await codemode.describe('check')).types").await;
    let types = types.as_str().expect("a text");
    assert!(types.contains("ok: boolean") && types.contains("observed"), "{types}");
    put(&isobox, "check", "return 1").await;
    assert_eq!(trust().await, Trust::Untrusted, "every version starts anew");
}

#[tokio::test]
async fn examples_are_run_and_compared() {
    let isobox = runtime(&memory_store());
    let example = |input: Value, expected: Expected| Example { input, expected };
    let new = NewSnippet::new("half", Program::single("return { half: input / 2 }")).examples(vec![
        example(json!(4), Expected::Result(json!({ "half": 2 }))),
        example(json!(4), Expected::Shape(json!({ "half": 7 }))),
        example(json!(4), Expected::Result(json!({ "half": 3 }))),
        example(json!(4), Expected::Shape(json!({ "half": "x" }))),
    ]);
    let snippets = isobox.snippets().expect("a store");
    snippets.put(new, Principal::host()).await.expect("it is saved");
    let tested = snippets.test("half", Principal::host()).await.expect("it is there");
    let passed: Vec<bool> = tested.iter().map(|one| one.difference.is_none()).collect();
    assert_eq!(passed, [true, true, false, false]);
    assert_eq!(tested[2].difference.as_deref(), Some(r#"it gave {"half":2} instead of {"half":3}"#));
    let uses = snippets.get("half").await.expect("it is there").latest().uses.clone();
    assert_eq!((uses.successes, uses.failures), (0, 0), "examples earn no trust");
}

/// Runs a program until it pauses.
async fn paused(isobox: &Isobox, program: &str) -> Paused {
    match isobox.run(Run::from(program).durable()).await {
        Outcome::Paused(paused) => paused,
        other => panic!("it should pause: {other:?}"),
    }
}

#[tokio::test]
async fn an_approval_inside_a_snippet_is_shown_with_the_code_of_both_and_outlives_the_snippet() {
    let store = memory_store();
    let isobox = runtime(&store);
    put(&isobox, "pays", "const amount = input\nreturn tools.pay({ amount })").await;
    let paused = paused(&isobox, "const seven = 7\n\nreturn codemode.run('pays', seven)").await;
    let call = &paused.pending[0];
    assert_eq!((call.seq.to_string().as_str(), call.at.as_ref().map(|at| at.line)), ("0.0", Some(3)));
    let snippet = call.snippet.as_ref().expect("a snippet makes the call");
    assert_eq!((snippet.name.as_str(), snippet.version, snippet.at.as_ref().map(|at| at.line)), ("pays", 1, Some(2)));
    assert!(snippet.code.as_deref().is_some_and(|code| code.starts_with("const amount")));
    put(&isobox, "pays", "return 'another'").await;
    isobox.snippets().expect("a store").delete("pays", Principal::host()).await.expect("it is deleted");
    let other = runtime(&store);
    let approve = Decisions::about_all("bob", paused.revision, Verdict::Approve);
    other.decide(&paused.execution_id, approve).await.expect("it is decided");
    let resumed = other.resume(&paused.execution_id, Resume::default()).await.expect("it is resumed");
    let outcome = resumed.into_outcome().expect("it runs here");
    assert_eq!(outcome.into_result().expect("it completes"), json!({ "amount": 7 }), "the same code is run");
}

#[tokio::test]
async fn a_run_of_a_deleted_snippet_earns_no_trust_for_another_one_of_its_name() {
    let store = memory_store();
    let isobox = runtime(&store);
    put(&isobox, "pays", "return tools.pay({ amount: input })").await;
    let paused = paused(&isobox, "return codemode.run('pays', 7)").await;
    let snippets = isobox.snippets().expect("a store");
    snippets.delete("pays", Principal::host()).await.expect("it is deleted");
    put(&isobox, "pays", "return 'another'").await;
    let successes = async || {
        let snippet = snippets.get("pays").await.expect("it is there");
        (snippet.latest().version, snippet.latest().uses.successes)
    };
    let outcome = approved(&isobox, &paused).await;
    assert_eq!(outcome.into_result().expect("it completes"), json!({ "amount": 7 }));
    assert_eq!(successes().await, (1, 0));
    completed(&isobox, "return codemode.run('pays', 7)").await;
    assert_eq!(successes().await, (1, 1));
}

#[tokio::test]
async fn the_warning_about_a_changed_tool_is_told_by_the_process_that_ends_the_execution() {
    let store = memory_store();
    let isobox = runtime(&store);
    let new = NewSnippet::new("doubled", Program::single("return tools.math.double({ n: input })"));
    let new = new.tools([("math.double".to_owned(), "another".to_owned())].into());
    isobox.snippets().expect("a store").put(new, Principal::host()).await.expect("it is saved");
    let program = "const two = await codemode.run('doubled', 1); await tools.pay({ two }); return two";
    let paused = paused(&isobox, program).await;
    drop(isobox);
    let other = runtime(&store);
    let approve = Decisions::about_all("bob", paused.revision, Verdict::Approve);
    other.decide(&paused.execution_id, approve).await.expect("it is decided");
    let resumed = other.resume(&paused.execution_id, Resume::default()).await.expect("it is resumed");
    let Some(Outcome::Completed(completed)) = resumed.into_outcome() else { panic!("it completes") };
    let warnings: Vec<String> = completed.warnings.iter().map(|warning| warning.message.clone()).collect();
    assert_eq!(warnings, ["snippet `doubled` was saved with another definition of `math.double`"]);
}

#[tokio::test]
async fn the_code_of_a_snippet_is_in_the_journal_once() {
    let isobox = runtime(&memory_store());
    put(&isobox, "long", &format!("return 1 // {}", "x".repeat(5000))).await;
    let size = async |runs: usize| {
        let program = format!("for (let n = 0; n < {runs}; n++) await codemode.run('long'); return 1");
        let outcome = isobox.run(Run::from(program.as_str()).durable()).await;
        let transcript = isobox.export(outcome.execution_id(), isobox::transcript::Secrets::Included).await;
        transcript.and_then(|transcript| transcript.to_json()).expect("it is exported").len()
    };
    let (one, many) = (size(1).await, size(20).await);
    assert!(many < one + 19 * 1000, "{one} {many}");
}

/// Returns a runtime that asks for approval of every snippet.
fn asking(store: &Arc<dyn Store>, tools: Vec<Tool>) -> Isobox {
    asking_with(store, tools, Timing::default())
}

fn asking_with(store: &Arc<dyn Store>, tools: Vec<Tool>, timing: Timing) -> Isobox {
    let pattern = "codemode.run".parse().expect("a pattern");
    let rule = Rule::new(vec![pattern], Action::RequireApproval { except_read_only: false });
    let builder = Isobox::builder().tools(tools).policy(Policy::new(vec![rule]));
    builder.store(Arc::clone(store)).timing(timing).build().expect("a runtime")
}

/// Approves everything that an execution waits for, and resumes it.
async fn approved(isobox: &Isobox, paused: &Paused) -> Outcome {
    let approve = Decisions::about_all("bob", paused.revision, Verdict::Approve);
    isobox.decide(&paused.execution_id, approve).await.expect("it is decided");
    let resumed = isobox.resume(&paused.execution_id, Resume::default()).await.expect("it is resumed");
    resumed.into_outcome().expect("it runs here")
}

#[tokio::test]
async fn the_start_of_a_snippet_names_whose_remembered_decision_approved_it() {
    let isobox = asking(&memory_store(), Vec::new());
    put(&isobox, "same", "return input").await;
    let run = || isobox.run(Run::from("return codemode.run('same', 1)").durable().session("s"));
    let Outcome::Paused(first) = run().await else { panic!("the snippet needs approval") };
    let approve = Decisions::about_all("bob", first.revision, Verdict::Approve).remember(Remember::Session);
    isobox.decide(&first.execution_id, approve).await.expect("it is decided");
    isobox.resume(&first.execution_id, Resume::default()).await.expect("it is resumed");
    let again = run().await;
    let journal = isobox.inspect(again.execution_id()).await.expect("it is kept");
    let approved_by = journal.entries.iter().find_map(|entry| match entry {
        Entry::Settled(settled) => Some(json!(settled)["settlement"]["snippet"]["approvedBy"].clone()),
        _ => None,
    });
    assert_eq!((again.into_result().ok(), approved_by), (Some(json!(1)), Some(json!("bob"))));
}

#[tokio::test]
async fn approved_snippets_wait_for_their_turn_as_others_do() {
    let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let seen = Arc::clone(&most);
    let work = Tool::new("work", move |_| {
        let (running, seen) = (Arc::clone(&running), Arc::clone(&seen));
        async move {
            seen.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(20)).await;
            running.fetch_sub(1, Ordering::SeqCst);
            Ok(Value::Null)
        }
    });
    let isobox = asking(&memory_store(), vec![work.expect("a path")]);
    put(&isobox, "works", "await tools.work(); return input").await;
    let program = "return Promise.all([...Array(12).keys()].map((number) => codemode.run('works', number)))";
    let paused = paused(&isobox, program).await;
    assert_eq!(paused.pending.len(), 12);
    let outcome = approved(&isobox, &paused).await;
    assert_eq!(outcome.into_result().expect("it completes"), json!((0..12).collect::<Vec<_>>()));
    assert_eq!(most.load(Ordering::SeqCst), 8);
}

#[tokio::test]
async fn a_fork_runs_a_snippet_that_the_original_first_started_for_a_later_call() {
    let isobox = asking(&memory_store(), Vec::new());
    put(&isobox, "same", "return input").await;
    let program = "return Promise.all([codemode.run('same', 'first'), codemode.run('same', 'second')])";
    let both = paused(&isobox, program).await;
    let second = Decisions::new("bob", [(CallSeq::new(1), Verdict::Approve)]);
    isobox.decide(&both.execution_id, second).await.expect("it is decided");
    let resumed = isobox.resume(&both.execution_id, Resume::default()).await.expect("it is resumed");
    let Some(Outcome::Paused(first)) = resumed.into_outcome() else { panic!("the first call is pending") };
    let expected = json!(["first", "second"]);
    assert_eq!(approved(&isobox, &first).await.into_result().expect("it completes"), expected);
    let transcript = isobox.export(&both.execution_id, isobox::transcript::Secrets::Included).await;
    let fork = isobox::transcript::Fork::before(CallSeq::new(1));
    let forked = isobox.fork(&transcript.expect("an export"), fork, Resume::default()).await.expect("it forks");
    let Some(Outcome::Paused(forked)) = forked.into_outcome() else { panic!("the second call is pending") };
    assert_eq!(approved(&isobox, &forked).await.into_result().expect("it completes"), expected);
}

#[tokio::test]
async fn the_tools_of_a_snippet_are_checked_again_when_it_is_approved() {
    let fact =
        |description: &str| Tool::new("fact", |_| async { Ok(Value::Null) }).expect("a path").description(description);
    for (tools, expected, warnings) in [
        (vec![], json!(["UNKNOWN_TOOL", "snippet `mine` needs `fact`, which is gone"]), vec![]),
        (vec![fact("Another.")], json!("ran"), vec!["snippet `mine` was saved with another definition of `fact`"]),
        (vec![fact("A fact.")], json!("ran"), vec![]),
    ] {
        let store = memory_store();
        let isobox = asking(&store, vec![fact("A fact.")]);
        let definition = isobox.catalogue().get("fact").expect("it is there").definition_hash();
        let new = NewSnippet::new("mine", Program::single("return 'ran'"));
        let new = new.tools([("fact".to_owned(), definition)].into());
        isobox.snippets().expect("a store").put(new, Principal::host()).await.expect("it is saved");
        let program = "return codemode.run('mine').catch(({ code, message }) => [code, message])";
        let paused = paused(&isobox, program).await;
        drop(isobox);
        let outcome = approved(&asking(&store, tools), &paused).await;
        let Outcome::Completed(completed) = outcome else { panic!("it completes: {outcome:?}") };
        let told: Vec<String> = completed.warnings.iter().map(|warning| warning.message.clone()).collect();
        assert_eq!(completed.result, expected);
        assert_eq!(told, warnings);
    }
}

#[tokio::test]
async fn an_approval_is_not_used_up_while_the_snippets_cannot_be_read() {
    const OUTAGE: Duration = Duration::from_millis(400);
    for (patience, is_short) in [(Duration::from_secs(30), true), (OUTAGE, false)] {
        let store = memory_store();
        let isobox = asking(&store, Vec::new());
        put(&isobox, "mine", "return 'ran'").await;
        let paused = paused(&isobox, "return codemode.run('mine')").await;
        drop(isobox);
        let faulty = FaultyStore::new(&store);
        let seen: Arc<dyn Store> = Arc::new(faulty.clone());
        let other = asking_with(&seen, Vec::new(), Timing::default().outage(patience));
        match is_short {
            true => faulty.has_for(Fault::NoSnippets, OUTAGE),
            false => faulty.has(Fault::NoSnippets),
        }
        let mut outcome = approved(&other, &paused).await;
        if !is_short {
            let Outcome::Interrupted(interrupted) = outcome else { panic!("it cannot go on: {outcome:?}") };
            assert_eq!(interrupted.error.code, Code::Store);
            faulty.has(Fault::No);
            let resumed = other.resume(&paused.execution_id, Resume::default()).await.expect("the store is back");
            outcome = resumed.into_outcome().expect("it runs here");
        }
        assert_eq!(outcome.into_result().expect("it completes"), json!("ran"));
    }
}

#[tokio::test]
async fn a_snippet_that_was_altered_in_the_store_is_not_run() {
    let store = memory_store();
    let isobox = runtime(&store);
    put(&isobox, "kind", "return 'kind'").await;
    let snippets =
        Collection { name: "snippet", most: 500, when_full: WhenFull::Refuse, durability: DocumentDurability::Durable };
    let alter = |kept: Option<&[u8]>| {
        let text = String::from_utf8_lossy(&kept.unwrap_or_default()[32..]).replace("'kind'", "'evil'");
        Amended::Replaced([&kept.unwrap_or_default()[..32], text.as_bytes()].concat())
    };
    store.amend_document(snippets, "kind", Arc::new(alter)).await.expect("it is altered");
    let other = runtime(&store);
    let outcome = other.run("return codemode.run('kind').catch((error) => error.code)").await;
    assert_eq!(outcome.into_result().expect("it completes"), json!("NOT_FOUND"));
}

#[tokio::test]
async fn a_snippet_is_found_with_the_tools() {
    let isobox = runtime(&memory_store());
    put(&isobox, "quarterlyReport", "return 1").await;
    let found = isobox.find("quarterly report", 5, &[]).await;
    assert_eq!(found.results[0].path, "quarterlyReport");
    let briefing = isobox.briefing(&isobox::tools::BriefingOptions::default(), &[]).await;
    assert!(briefing.contains("where the name is quarterlyReport."), "{briefing}");
}
