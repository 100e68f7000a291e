//! `isobox tools`: shows the tools that programs find and the texts that models read.

use std::num::NonZeroU32;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use isobox::connector::Ready;
use isobox::events::Contents;
use isobox::policy::{Permission, Preview};
use isobox::search::{Explanation, SearchHit, SearchResults};
use isobox::text::{brief, excerpt, lines_without_escapes, without_escapes};
use isobox::tools::{Catalogue, DescribedKind, Renaming};
use isobox::workspace::Workspace;
use isobox::{Isobox, Outcome, Tool, Value, demo, json};

use crate::Exit;
use crate::arguments::{ToolsCommand, ToolsOptions};
use crate::learning::{forget, learn};
use crate::outcome::Form;
use crate::progress::ProgressPrinter;
use crate::rows::Columns;
use crate::setting::{
    Needs, Wanted, freshness, reach_store, read_config_and_store, start, start_durably, tell_failed_servers,
    workspace_options,
};
use crate::signals::EndSignals;
use crate::style::{
    Colours, Look, complain, print_drawn, print_error, print_json, print_lines, print_value, warn, width_of_terminal,
};
use crate::table::{Layout, Row};
use crate::tool_call::{DESCRIPTION, one_call};
use crate::trust::Asks;

/// The maximum number of characters shown of a path. No path is longer.
const PATH: usize = 1200;

pub(crate) fn tools(options: &ToolsOptions) -> Result<Exit> {
    let wanted = Wanted {
        file: options.config.as_deref(),
        is_trusted: options.trust,
        needs: Needs::Servers,
        asks: Asks::Person,
    };
    let config = read_config_and_store(wanted, None)?;
    let own = workspace_options(freshness(options.refresh)).max_live(NonZeroU32::MIN);
    let is_demo = options.demo;
    let workspace = Workspace::with_tools(config, own, move || if is_demo { demo::tools() } else { Ok(Vec::new()) })?;
    let executor = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    executor.block_on(async {
        let mut signals = EndSignals::listen()?;
        let work = async {
            let ready = match &options.command {
                ToolsCommand::Forget { paths } => return forget(&reach_store(&workspace).await?, paths, options).await,
                ToolsCommand::Learn { .. } => start_durably(&workspace).await?,
                _ => start(&workspace).await?,
            };
            let answered = answer(&workspace, &ready, options).await;
            tell_failed_servers(&workspace, &ready);
            answered
        };
        let done = tokio::select! {
            done = work => done,
            signal = signals.next() => Ok(signal.end(Form::json_if(options.json))),
        };
        workspace.close().await;
        done
    })
}

async fn answer(workspace: &Workspace, ready: &Ready, options: &ToolsOptions) -> Result<Exit> {
    let isobox = &ready.isobox;
    let (catalogue, policy, roles) = (isobox.catalogue(), isobox.policy(), options.roles.as_slice());
    match &options.command {
        ToolsCommand::List => {
            let tools = catalogue.iter().filter(|tool| catalogue.is_visible(tool, policy, roles));
            return list(ready, tools.collect(), options);
        }
        ToolsCommand::Search { query, limit, explain } => {
            let query = query.join(" ");
            let shown = with_snippets(workspace, isobox).await;
            let catalogue = shown.as_deref().unwrap_or(catalogue);
            let found = catalogue.search(&query, *limit, policy, roles);
            let explained = explain.then(|| {
                let explain = |hit: &SearchHit| catalogue.explain(&query, &hit.path, policy, roles);
                found.results.iter().filter_map(explain).collect::<Vec<Explanation>>()
            });
            show_found(ready, &found, explained.as_deref(), options)?;
            if found.results.is_empty() {
                return Ok(Exit::Failed);
            }
        }
        ToolsCommand::Describe { path } => {
            let described = match catalogue.describe(path, DESCRIPTION, policy, roles) {
                Ok(described) => described,
                Err(failure) => {
                    let shown = with_snippets(workspace, isobox).await;
                    shown.and_then(|shown| shown.describe_snippet(path)).ok_or(failure)?
                }
            };
            if options.json {
                print_json(&serde_json::to_string(&described)?)?;
            } else {
                let words = lines_without_escapes(&described.description).map(|line| format!("│ {line}\n"));
                let words =
                    if described.description.is_empty() { String::new() } else { words.collect::<String>() + "\n" };
                print_lines(&format!("{words}{}", described.types)).context("cannot write the declarations")?;
            }
        }
        ToolsCommand::Types { path } => {
            let path = path.as_deref().unwrap_or_default();
            let modules = isobox.modules().declarations();
            let nothing = if path.is_empty() && modules.is_empty() { no_tools(ready, options) } else { None };
            let types = if path.is_empty() {
                format!("{}{modules}", catalogue.declarations(policy, roles))
            } else {
                catalogue.describe(path, DESCRIPTION, policy, roles)?.types
            };
            if options.json {
                let warnings = isobox.warnings().into_iter().chain(nothing);
                let all =
                    json!({ "types": types, "problems": *ready.problems, "warnings": warnings.collect::<Vec<_>>() });
                print_json(&all.to_string()).context("cannot write the declarations")?;
            } else if let Some(why) = nothing {
                print_error(why);
            } else {
                print_lines(&types).context("cannot write the declarations")?;
            }
            if nothing.is_some() {
                return Ok(Exit::Failed);
            }
        }
        ToolsCommand::Call { path, input } => return call(isobox, path, input, options).await,
        ToolsCommand::Learn { paths, input, inputs } => {
            return learn(isobox, paths, input, inputs.as_deref(), options).await;
        }
        ToolsCommand::Forget { paths } => return forget(isobox, paths, options).await,
    }
    Ok(Exit::Completed)
}

/// Returns the catalogue with the snippets of the store, as programs find them. Searching creates no store.
async fn with_snippets(workspace: &Workspace, isobox: &Isobox) -> Option<Arc<Catalogue>> {
    let shown = async { workspace.look().await?.snippets()?.beside(isobox).await };
    match shown.await {
        Ok(shown) => shown,
        Err(failure) => {
            warn(&format!("the snippets cannot be read, and are not found: {}", failure.message));
            None
        }
    }
}

/// Says why there are no tools, if there are none.
fn no_tools(ready: &Ready, options: &ToolsOptions) -> Option<&'static str> {
    let isobox = &ready.isobox;
    let (catalogue, policy) = (isobox.catalogue(), isobox.policy());
    if catalogue.iter().any(|tool| catalogue.is_visible(tool, policy, &options.roles)) {
        return None;
    }
    Some(match (ready.problems.is_empty(), catalogue.is_empty()) {
        (false, _) => "no tools are available, because servers have not started",
        (true, false) => "the policy allows no tool for these roles",
        (true, true) => "there are no tools: add MCP servers under `mcpServers` in isobox.json, or try --demo",
    })
}

fn list(ready: &Ready, tools: Vec<&Tool>, options: &ToolsOptions) -> Result<Exit> {
    let isobox = &ready.isobox;
    let nothing = no_tools(ready, options);
    let exit = if nothing.is_some() { Exit::Failed } else { Exit::Completed };
    let preview = |tool: &Tool| isobox.policy().preview(tool.subject(), &options.roles);
    if options.json {
        let one = |tool: &&Tool| {
            let preview = preview(tool);
            json!({ "path": tool.path().as_str(), "description": tool.description_text(),
                    "requiresApproval": preview.permission == Permission::RequireApproval, "conditions": preview.in_words(),
                    "inputSchema": tool.input_schema_text(), "outputSchema": tool.output_schema_text() })
        };
        let listed: Vec<Value> = tools.iter().map(one).collect();
        let is_shown = |renaming: &&Renaming| tools.iter().any(|tool| tool.path().as_str() == renaming.path);
        let renamed = |renaming: &Renaming| json!({ "connector": renaming.connector, "name": renaming.name, "path": renaming.path });
        let renamed: Vec<Value> = isobox.catalogue().renamings().iter().filter(is_shown).map(renamed).collect();
        let warnings: Vec<&str> = isobox.warnings().into_iter().chain(nothing).collect();
        let all = json!({ "tools": listed, "renamed": renamed, "problems": *ready.problems, "warnings": warnings });
        print_json(&serde_json::to_string(&all)?).context("cannot write the list")?;
        return Ok(exit);
    }
    let row = |tool: &&Tool| {
        let preview = preview(tool);
        let cells = [brief(tool.path().as_str(), PATH), mark(&preview).to_owned(), first_line(tool.description_text())];
        Row { cells, note: note(&preview.in_words()) }
    };
    print_table(&tools.iter().map(row).collect::<Vec<_>>())?;
    if let Some(why) = nothing {
        print_error(why);
    }
    Ok(exit)
}

/// Says in a word what happens to calls of a tool.
fn mark(preview: &Preview<'_>) -> &'static str {
    let asks = |permission: Permission| permission == Permission::RequireApproval;
    match () {
        () if asks(preview.permission) => "asks",
        () if asks(preview.otherwise) || preview.conditional.iter().any(|(_, one)| asks(*one)) => "may ask",
        () if preview.in_words().is_empty() => "",
        () => "may deny",
    }
}

/// Formats the conditions of a tool, to be shown below it.
fn note(conditions: &[String]) -> String {
    without_escapes(&conditions.join(" ")).into_owned()
}

/// Shows the results: with their descriptions, or with the reasons for their order.
fn show_found(ready: &Ready, found: &SearchResults, why: Option<&[Explanation]>, options: &ToolsOptions) -> Result<()> {
    if options.json {
        let Some(why) = why else {
            return print_json(&serde_json::to_string(found)?).context("cannot write the results");
        };
        let mut answer = serde_json::to_value(found)?;
        for (at, why) in why.iter().enumerate() {
            answer["results"][at]["why"] = serde_json::to_value(why)?;
        }
        return print_json(&answer.to_string()).context("cannot write the results");
    }
    let isobox = &ready.isobox;
    let marked = |hit: &SearchHit| match isobox.catalogue().get(&hit.path).filter(|_| hit.kind == DescribedKind::Tool) {
        Some(tool) => mark(&isobox.policy().preview(tool.subject(), &options.roles)),
        None if hit.requires_approval => "asks",
        None => "snippet",
    };
    let row = |(at, hit): (usize, &SearchHit)| match why {
        Some(why) => {
            let why = why.get(at).map(reasons).unwrap_or_default();
            Row::from([brief(&hit.path, PATH), format!("{:.2}", hit.score), brief(&why, 1000)])
        }
        None => {
            let cells = [brief(&hit.path, PATH), marked(hit).to_owned(), first_line(&hit.description)];
            Row { cells, note: note(&hit.conditions) }
        }
    };
    let rows: Vec<Row<3>> = found.results.iter().enumerate().map(row).collect();
    print_table(&rows)?;
    if rows.is_empty() {
        let no_match = "no tool matches: use other words, or see all with `isobox tools list`";
        print_error(no_tools(ready, options).unwrap_or(no_match));
    }
    if found.truncated {
        print_error(&format!("{} more match; raise --limit to see them", found.total - found.results.len()));
    }
    Ok(())
}

/// Says in one line why a tool was found.
fn reasons(why: &Explanation) -> String {
    let mut reasons = Vec::new();
    if why.is_path {
        reasons.push("its path".to_owned());
    }
    if !why.words.is_empty() {
        reasons.push(format!("words: {}", why.words.join(", ")));
    }
    if !why.other_words.is_empty() {
        let words = why.other_words.iter().map(|other| format!("{} as {}…", other.word, other.found));
        reasons.push(format!("other words: {}", words.collect::<Vec<_>>().join(", ")));
    }
    reasons.push(format!("meaning: {:.2}", why.meaning));
    reasons.join("; ")
}

/// Calls one tool.
async fn call(isobox: &Isobox, path: &str, input: &str, options: &ToolsOptions) -> Result<Exit> {
    let run = one_call(path, input, options)?;
    let mut outcome = if options.json {
        isobox.run(run).await
    } else {
        isobox.observed_by(ProgressPrinter::new(), Contents::Progress).run(run).await
    };
    if let Outcome::Failed(failed) = &mut outcome {
        // Its place is in the program around the call, which nobody has written.
        (failed.error.line, failed.error.column) = (None, None);
    }
    match &outcome {
        _ if options.json => print_json(&serde_json::to_string(&outcome)?)?,
        Outcome::Completed(completed) => {
            print_value(&completed.result).context("cannot write the result")?;
        }
        Outcome::Failed(failed) => complain(&failed.error.to_string()),
        _ => bail!("this version cannot show an outcome of this kind; use --json"),
    }
    Ok(Exit::of_outcome(&outcome))
}

fn first_line(text: &str) -> String {
    brief(&excerpt(text.trim().lines().next().unwrap_or_default(), 120), 121)
}

/// Prints a table of tools, if there are some.
fn print_table(rows: &[Row<3>]) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let layout = Layout {
        header: None,
        looks: [Some(Look::Strong), Some(Look::Warning), None],
        cut: 2,
        width: width_of_terminal(),
        colours: Colours::of_standard_output(),
    };
    print_drawn(&Columns::of_standard_output().broken(&layout.draw(rows))).context("cannot write the list")
}
