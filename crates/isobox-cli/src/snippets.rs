//! `isobox snippets`: programs that are saved under a name.

use std::num::NonZeroU32;
use std::path::Path;

use anyhow::{Context, Result};
use isobox::connector::Ready;
use isobox::events::{Contents, Label};
use isobox::snippets::{Example, SaveSnippet, Snippet, SnippetVersion, Snippets};
use isobox::store::owned;
use isobox::text::{brief, excerpt, lines_without_escapes};
use isobox::workspace::Workspace;
use isobox::{Failure, Isobox, Outcome, Principal, Value, demo, json};

use crate::Exit;
use crate::arguments::{SnippetsCommand, SnippetsOptions};
use crate::commands::Commands;
use crate::deciding::user;
use crate::executions::find::find;
use crate::outcome::{Form, tell_outcome};
use crate::progress::Printer;
use crate::rows::Columns;
use crate::setting::{
    Needs, Wanted, freshness, look_at_store, reach_store, read_config_and_store, start_durably, tell_failed_servers,
    workspace_options,
};
use crate::signals::EndSignals;
use crate::source::Source;
use crate::style::{Colours, Look, complain, print_drawn, print_error, print_json, print_lines, width_of_terminal};
use crate::table::{Layout, Row};
use crate::trust::Asks;

/// The maximum size of a schema or of examples in a file, in bytes.
const MAX_FILE: u64 = 1 << 20;

pub(crate) fn snippets(options: &SnippetsOptions) -> Result<Exit> {
    let needs = match &options.command {
        SnippetsCommand::List | SnippetsCommand::Show { .. } | SnippetsCommand::Delete { .. } => Needs::Store,
        SnippetsCommand::Save { .. } | SnippetsCommand::Run { .. } | SnippetsCommand::Test { .. } => Needs::Servers,
    };
    let wanted = Wanted { file: options.config.as_deref(), is_trusted: options.trust, needs, asks: Asks::Person };
    let config = read_config_and_store(wanted, options.store.as_deref())?;
    let own = workspace_options(freshness(options.refresh)).max_live(NonZeroU32::MIN);
    let is_demo = options.demo;
    let workspace = Workspace::with_tools(config, own, move || if is_demo { demo::tools() } else { Ok(Vec::new()) })?;
    let executor = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    executor.block_on(async {
        let mut signals = EndSignals::listen()?;
        let done = tokio::select! {
            done = answer(&workspace, options) => done,
            signal = signals.next() => Ok(signal.end(Form::json_if(options.json))),
        };
        workspace.close().await;
        done
    })
}

async fn answer(workspace: &Workspace, options: &SnippetsOptions) -> Result<Exit> {
    match &options.command {
        SnippetsCommand::List => list(look_at_store(workspace).await?.snippets()?, options).await,
        SnippetsCommand::Show { name, version } => {
            show(look_at_store(workspace).await?.snippets()?, name, *version, options).await
        }
        SnippetsCommand::Delete { name } => {
            reach_store(workspace).await?.snippets()?.delete(name, caller(options)).await?;
            let deleted = json!({ "deleted": name });
            if options.json {
                print_json(&deleted.to_string())?
            } else {
                print_error(&format!("deleted {name}"))
            }
            Ok(Exit::Completed)
        }
        SnippetsCommand::Save { .. } | SnippetsCommand::Run { .. } | SnippetsCommand::Test { .. } => {
            let ready = start_durably(workspace).await?;
            let done = with_tools(&ready, options).await;
            tell_failed_servers(workspace, &ready);
            done
        }
    }
}

async fn with_tools(ready: &Ready, options: &SnippetsOptions) -> Result<Exit> {
    let isobox = &ready.isobox;
    let snippets = isobox.snippets()?;
    match &options.command {
        SnippetsCommand::Save { name, from, description, input_schema, examples, force } => {
            let mut save = SaveSnippet::new(name, find(isobox, from).await?).description(description);
            if let Some(schema) = input_schema {
                save = save.input_schema(read_json(schema, "the input schema")?);
            }
            if let Some(examples) = examples {
                let examples = read_json(examples, "the list of examples")?;
                let read: Vec<Example> = serde_json::from_value(examples)
                    .context("an example is an object with `input`, and `result` or `shape`")?;
                save = save.examples(read);
            }
            let save = if *force { save.forced() } else { save };
            let saved = snippets.save(save, caller(options)).await?;
            let version = saved.latest();
            if options.json {
                print_json(&record(snippets, &saved, version).to_string())?;
            } else {
                print_error(&format!("saved {name} version {}", version.version));
            }
            Ok(Exit::Completed)
        }
        SnippetsCommand::Run { name, input } => run(isobox, name, input, options).await,
        SnippetsCommand::Test { name } => test(snippets, name, options).await,
        SnippetsCommand::List | SnippetsCommand::Show { .. } | SnippetsCommand::Delete { .. } => Ok(Exit::Completed),
    }
}

fn caller(options: &SnippetsOptions) -> Principal {
    Principal::named(user()).with_roles(options.roles.iter().cloned())
}

async fn list(snippets: Snippets<'_>, options: &SnippetsOptions) -> Result<Exit> {
    let all = snippets.list().await?;
    if options.json {
        let listed: Vec<Value> = all.iter().map(|one| record(snippets, one, one.latest())).collect();
        print_json(&json!({ "snippets": listed }).to_string()).context("cannot write the list")?;
    } else if all.is_empty() {
        print_error("there are no snippets: save one with `isobox snippets save NAME --from ID`");
    } else {
        let row = |one: &Snippet| {
            let version = one.latest();
            let uses = format!("{}/{}", version.uses.successes, version.uses.failures);
            let words = brief(&excerpt(version.description.lines().next().unwrap_or_default(), 120), 121);
            let number = format!("v{}", version.version);
            Row::from([brief(&one.name, 200), number, snippets.trust(version).to_string(), uses, words])
        };
        let rows: Vec<Row<5>> = all.iter().map(row).collect();
        let looks = [Some(Look::Strong), None, Some(Look::Faint), None, None];
        let (width, colours) = (width_of_terminal(), Colours::of_standard_output());
        let table = Layout { header: None, looks, cut: 4, width, colours }.draw(&rows);
        print_drawn(&Columns::of_standard_output().broken(&table)).context("cannot write the list")?;
    }
    Ok(if all.is_empty() { Exit::Failed } else { Exit::Completed })
}

async fn show(snippets: Snippets<'_>, name: &str, version: Option<u32>, options: &SnippetsOptions) -> Result<Exit> {
    let snippet = snippets.get(name).await?;
    let version = snippet.version(version)?;
    if options.json {
        let mut shown = record(snippets, &snippet, version);
        shown["code"] = json!(version.program);
        shown["versions"] = json!(snippet.versions.iter().map(|kept| kept.version).collect::<Vec<_>>());
        print_json(&shown.to_string()).context("cannot write the snippet")?;
        return Ok(Exit::Completed);
    }
    let mut text = format!("{name} version {} ({})\n", version.version, snippets.trust(version));
    lines_without_escapes(&version.description).for_each(|line| text.push_str(&format!("│ {line}\n")));
    let uses = &version.uses;
    text.push_str(&format!("succeeded {} times, failed {} times\n", uses.successes, uses.failures));
    if !version.tools.is_empty() {
        let tools: Vec<&str> = version.tools.keys().map(String::as_str).collect();
        text.push_str(&format!("tools: {}\n", tools.join(", ")));
    }
    if let Some(schema) = &version.input_schema {
        text.push_str(&format!("input: {schema}\n"));
    }
    for (path, source) in version.program.files() {
        if version.program.files().len() > 1 {
            text.push_str(&format!("\n// {path}"));
        }
        text.push('\n');
        lines_without_escapes(source).for_each(|line| text.push_str(&format!("{line}\n")));
    }
    print_lines(text.trim_end()).context("cannot write the snippet")?;
    Ok(Exit::Completed)
}

/// Returns a version as JSON, without its code.
fn record(snippets: Snippets<'_>, snippet: &Snippet, version: &SnippetVersion) -> Value {
    let SnippetVersion { description, input_schema, from, by, saved, tools, examples, uses, .. } = version;
    json!({ "name": snippet.name, "version": version.version, "description": description, "inputSchema": input_schema,
            "from": from, "by": by, "saved": saved, "tools": tools, "examples": examples, "uses": uses,
            "trust": snippets.trust(version), "hash": version.hash() })
}

async fn run(isobox: &Isobox, name: &str, input: &str, options: &SnippetsOptions) -> Result<Exit> {
    let input: Value = serde_json::from_str(input).context("the input is not JSON")?;
    let run = isobox.snippets()?.run(name, &input).principal(caller(options)).durable();
    let run = run.label(Label::default().function(Some(format!("snippet {name}"))));
    let mut outcome = if options.json {
        isobox.run(run).await
    } else {
        isobox.observed_by(Printer::new(), Contents::Progress).run(run).await
    };
    let mut source = Source::single("snippet".to_owned(), String::new());
    if let Outcome::Failed(failed) = &mut outcome {
        move_into_snippet(&mut failed.error);
        source = source_of(isobox, name).await;
    }
    let commands = Commands::new(options.config.as_deref(), options.store.as_deref(), options.demo);
    tell_outcome(&outcome, &source, &commands, Form::json_if(options.json))
}

/// Gives a failure its place in the snippet. It has the one in the program around the snippet, which nobody has written.
fn move_into_snippet(failure: &mut Failure) {
    let number = |key: &str| failure.details.get(key).and_then(Value::as_u64).and_then(|at| u32::try_from(at).ok());
    let (line, column) = (number("snippetLine"), number("snippetColumn"));
    (failure.line, failure.column) = (line, column);
    failure.details.remove("stack");
}

/// Returns the code of a snippet, as far as the policy shows it. It is empty if there is no such snippet.
async fn source_of(isobox: &Isobox, named: &str) -> Source {
    let (name, version) = named.split_once('@').unwrap_or((named, ""));
    let snippet = match isobox.snippets() {
        Ok(snippets) => snippets.get(name).await.ok(),
        Err(_) => None,
    };
    let kept = snippet.as_ref().and_then(|snippet| snippet.version(version.parse().ok()).ok());
    let Some(kept) = kept else { return Source::single(name.to_owned(), String::new()) };
    let source = Source::of(kept.program.clone(), Some(name.to_owned()));
    source.show_under(isobox).await;
    source
}

async fn test(snippets: Snippets<'_>, name: &str, options: &SnippetsOptions) -> Result<Exit> {
    let tested = snippets.test(name, caller(options)).await?;
    let failed = tested.iter().filter(|one| one.difference.is_some()).count();
    if options.json {
        let shown: Vec<Value> = tested
            .iter()
            .map(|one| {
                json!({ "input": one.example.input, "passed": one.difference.is_none(), "difference": one.difference,
                               "outcome": one.outcome })
            })
            .collect();
        print_json(&json!({ "name": name, "examples": shown, "failed": failed }).to_string())?;
    } else {
        for (number, one) in tested.iter().enumerate() {
            if let Some(difference) = &one.difference {
                complain(&format!("example {}: {}", number + 1, brief(difference, 700)));
            }
        }
        print_error(&format!("{name}: {} of {} examples are as expected", tested.len() - failed, tested.len()));
    }
    Ok(if failed == 0 { Exit::Completed } else { Exit::Failed })
}

/// Reads JSON that is given as text, or in a file.
fn read_json(text: &str, what: &str) -> Result<Value> {
    use std::io::Read;
    if text.trim_start().starts_with(['{', '[']) {
        return serde_json::from_str(text).with_context(|| format!("{what} is not JSON"));
    }
    let mut content = Vec::new();
    let opened = owned::open_stream(Path::new(text)).with_context(|| format!("cannot read {text}"))?;
    opened.take(MAX_FILE).read_to_end(&mut content).with_context(|| format!("cannot read {text}"))?;
    serde_json::from_slice(&content).with_context(|| format!("{what} in {text} is not JSON"))
}
