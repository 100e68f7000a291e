//! The Rust code of the README and of the guide to embedding, as it is there.

use std::error::Error;
use std::path::Path;

use isobox::store::memory_store;
use isobox::{Isobox, Run, Tool, json};

#[test]
fn the_code_of_the_pages_is_the_code_that_is_tested_here() {
    let tested = words(include_str!("embedding.rs")).replace("folder.join(\"isobox.db\")", "\"isobox.db\"");
    let mut count = 0;
    for page in ["README.md", "crates/isobox/README.md", "docs/guides/embedding.md"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
        let text = std::fs::read_to_string(path).expect("the page is there");
        for block in text.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()) {
            assert!(tested.contains(&words(block)), "{page} has code that is not tested here:\n{block}");
            count += 1;
        }
    }
    assert_eq!(count, 7);
}

/// Returns a text with one space between its words.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn the_code_of_the_readme_runs() -> Result<(), Box<dyn Error>> {
    use isobox::{Isobox, Tool};
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    /// Returns the weather of a city, today.
    #[derive(Deserialize, JsonSchema)]
    struct Today {
        city: String,
    }

    #[derive(Serialize, JsonSchema)]
    struct Weather {
        city: String,
        celsius: i32,
    }

    let weather =
        Tool::typed("weather.today", |today: Today| async move { Ok(Weather { city: today.city, celsius: 21 }) })?;

    let isobox = Isobox::builder().tool(weather).build()?;
    let outcome = isobox.run("return await tools.weather.today({ city: 'Rome' })").await;
    println!("{}", serde_json::to_string_pretty(&outcome)?);
    assert_eq!(outcome.into_result()?, json!({ "city": "Rome", "celsius": 21 }));
    Ok(())
}

#[tokio::test]
async fn a_model_is_told_of_typed_tools_and_gets_the_answer() -> Result<(), Box<dyn Error>> {
    use isobox::text::{AnswerOptions, answer_text};
    use isobox::tools::BriefingOptions;
    use isobox::{Isobox, Tool};
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    /// Sends a mail.
    #[derive(Deserialize, JsonSchema)]
    struct Send {
        to: String,
        subject: String,
    }

    #[derive(Serialize, JsonSchema)]
    struct Sent {
        id: String,
    }

    let send =
        Tool::typed("mail.send", |mail: Send| async move { Ok(Sent { id: format!("{} {}", mail.to, mail.subject) }) })?;
    let isobox = Isobox::builder().tool(send).build()?;

    // What a model needs to know: the rules of programs, and the declarations of the tools.
    let briefing = isobox.catalogue().briefing(&BriefingOptions::default(), isobox.policy(), &[]);

    // What the model wrote, and the text that it gets back.
    let outcome = isobox.run("return await tools.mail.send({ to: 'ada', subject: 'Tea?' })").await;
    println!("{}", answer_text(&outcome, &AnswerOptions::default())); // {"id":"ada Tea?"}
    assert!(briefing.contains("send("), "{briefing}");
    assert_eq!(answer_text(&outcome, &AnswerOptions::default()), r#"{"id":"ada Tea?"}"#);
    Ok(())
}

/// A tool that returns its input.
fn echo(path: &str) -> Tool {
    Tool::new(path, |input| async move { Ok(input) }).expect("a tool")
}

#[tokio::test]
async fn a_durable_run_waits_for_a_decision() -> Result<(), Box<dyn Error>> {
    let temporary = tempfile::tempdir()?;
    let folder = temporary.path();
    let (send, program) = (echo("mail.send"), "return await tools.mail.send({ to: 'ada', subject: 'Tea?' })");
    use isobox::journal::Verdict;
    use isobox::policy::Right;
    use isobox::store::DatabaseStore;
    use isobox::{Decisions, Isobox, Outcome, Principal, Resume, Resumed, Run};
    use std::sync::Arc;

    let store = Arc::new(DatabaseStore::sqlite(folder.join("isobox.db")).await?);
    let isobox = Isobox::builder().store(store).tool(send.with_approval()).build()?;

    let agent = Principal::named("agent").with_rights(Right::Run);
    let outcome = isobox.run(Run::from(program).durable().principal(agent)).await;
    let Outcome::Paused(paused) = outcome else { panic!("{outcome:?}") };
    for call in &paused.pending {
        println!("{} {} {}", call.seq, call.path, call.input); // 0 mail.send {"to":"ada","subject":"Tea?"}
    }

    // Later, in this process or in another one that has the store and the tools.
    let ada = Principal::named("ada").with_rights(Right::Decide);
    let decisions = Decisions::about_all(ada, paused.revision, Verdict::Approve);
    isobox.decide(&paused.execution_id, decisions).await?;
    match isobox.resume(&paused.execution_id, Resume::default()).await? {
        Resumed::Here(outcome) => println!("{}", outcome.into_result()?),
        Resumed::Elsewhere => println!("another process runs it"),
    }
    Ok(())
}

#[tokio::test]
async fn an_execution_with_a_handle_tells_its_events() -> Result<(), Box<dyn Error>> {
    let isobox = Isobox::builder().store(memory_store()).build()?;
    let handle = isobox.start(Run::from("console.log('hello'); return 1 + 1").durable());
    println!("{} is running", handle.id());
    let mut events = handle.events();
    while let Some(event) = events.next().await {
        println!("{}", serde_json::to_string(&event)?);
    }
    let outcome = handle.outcome().await;
    assert_eq!(outcome.into_result()?, json!(2));
    Ok(())
}

#[tokio::test]
async fn a_loop_of_the_host_answers_calls() -> Result<(), Box<dyn Error>> {
    let program = "return await tools.shop.price({ item: 'tea' })";
    use isobox::stepwise::{CallQueue, Stepped};
    use isobox::{Isobox, Run, json};

    let queue = CallQueue::new();
    let price = queue.tool("shop.price")?.description("Returns the price of an item.");
    let isobox = Isobox::builder().build()?;

    let mut execution = Box::pin(isobox.run(Run::from(program).tool(price)));
    let outcome = loop {
        match queue.next(&mut execution).await {
            Stepped::Calls(calls) => {
                for queued in calls {
                    queued.answer(Ok(json!(3)));
                }
            }
            Stepped::Done(outcome) => break outcome,
        }
    };
    assert_eq!(outcome.into_result()?, json!(3));
    Ok(())
}

#[tokio::test]
async fn a_runtime_over_a_configuration_needs_its_file() {
    let error = over_a_configuration("return 1").await.expect_err("there is no such file");
    assert!(error.to_string().contains("isobox.json"), "{error}");
}

#[expect(clippy::disallowed_methods, reason = "a host reads the environment as it likes")]
async fn over_a_configuration(program: &str) -> Result<(), Box<dyn Error>> {
    use isobox::Run;
    use isobox::config::ConfigFile;
    use isobox::workspace::{Workspace, WorkspaceOptions};
    use std::path::Path;

    let config = ConfigFile::read(Path::new("isobox.json"))?.parse(&|name| std::env::var(name).ok())?;
    let workspace = Workspace::new(config, WorkspaceOptions::default())?;
    let ready = workspace.durable().await?;
    for problem in ready.problems.iter() {
        eprintln!("{problem}");
    }
    let outcome = ready.isobox.run(Run::from(program).durable()).await;
    workspace.let_go().await;
    workspace.close().await;
    drop(outcome);
    Ok(())
}
