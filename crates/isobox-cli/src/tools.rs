//! `isobox tools`: shows the tools that programs find and the texts that models read.

use std::num::NonZeroU32;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use isobox::connector::Ready;
use isobox::events::Contents;
use isobox::policy::Permission;
use isobox::search::{Explanation, SearchHit, SearchResults};
use isobox::text::{brief, excerpt, lines_without_escapes};
use isobox::tools::{Catalogue, Kind, Renaming};
use isobox::workspace::Workspace;
use isobox::{Isobox, Outcome, Tool, Value, demo, json};

use crate::Exit;
use crate::arguments::{ToolsCommand, ToolsOptions};
use crate::learning::{forget, learn};
use crate::progress::ProgressPrinter;
use crate::setting::{
    Needs, Wanted, freshness, reach_store, read_config_and_store, start, start_durably, tell_failed_servers,
    workspace_options,
};
use crate::signals::EndSignals;
use crate::style::{complain, print_error, print_json, print_lines, print_value, warn};
use crate::tool_call::{DESCRIPTION, one_call};
use crate::trust::Asks;

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
            signal = signals.next() => Ok(signal.exit()),
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
            show_found(&found, explained.as_deref(), options)?;
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
            let types = if path.is_empty() {
                format!("{}{}", catalogue.declarations(policy, roles), isobox.modules().declarations())
            } else {
                match catalogue.describe(path, DESCRIPTION, policy, roles) {
                    Ok(described) => described.types,
                    Err(failure) => return Err(failure.into()),
                }
            };
            print_lines(&types).context("cannot write the declarations")?;
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

fn list(ready: &Ready, tools: Vec<&Tool>, options: &ToolsOptions) -> Result<Exit> {
    let isobox = &ready.isobox;
    let exit = if tools.is_empty() { Exit::Failed } else { Exit::Completed };
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
        let all = json!({ "tools": listed, "renamed": renamed, "problems": *ready.problems,
                          "warnings": isobox.warnings() });
        print_json(&serde_json::to_string(&all)?).context("cannot write the list")?;
        return Ok(exit);
    }
    let rows: Vec<[String; 3]> = tools
        .iter()
        .map(|tool| {
            let preview = preview(tool);
            let asks = |permission: Permission| permission == Permission::RequireApproval;
            let mark = match () {
                () if asks(preview.permission) => "asks",
                () if asks(preview.otherwise) || preview.conditional.iter().any(|(_, one)| asks(*one)) => "may ask",
                () => "",
            };
            [tool.path().to_string(), mark.to_owned(), first_line(tool.description_text())]
        })
        .collect();
    print_table(&rows)?;
    if rows.is_empty() && ready.problems.is_empty() {
        print_error("there are no tools: add MCP servers under `mcpServers` in isobox.json, or try --demo");
    } else if rows.is_empty() {
        print_error("no tools are available, because servers have not started");
    }
    Ok(exit)
}

/// Shows the results: with their descriptions, or with the reasons for their order.
fn show_found(found: &SearchResults, why: Option<&[Explanation]>, options: &ToolsOptions) -> Result<()> {
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
    let row = |(at, hit): (usize, &SearchHit)| match why {
        Some(why) => [hit.path.clone(), format!("{:.2}", hit.score), why.get(at).map(reasons).unwrap_or_default()],
        None => {
            let mark = match () {
                () if hit.requires_approval => "asks",
                () if hit.kind == Kind::Snippet => "snippet",
                () => "",
            };
            [hit.path.clone(), mark.to_owned(), first_line(&hit.description)]
        }
    };
    let rows: Vec<[String; 3]> = found.results.iter().enumerate().map(row).collect();
    print_table(&rows)?;
    if rows.is_empty() {
        print_error("no tool matches: use other words, or see all with `isobox tools list`");
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
    let outcome = if options.json {
        isobox.run(run).await
    } else {
        isobox.observed_by(ProgressPrinter::new(), Contents::Progress).run(run).await
    };
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

/// Prints a table. Each column is as wide as its widest cell.
fn print_table(rows: &[[String; 3]]) -> Result<()> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let (path, mark) = (width(0), width(1));
    let gap = if mark > 0 { 2 } else { 0 };
    let lines: Vec<String> = rows
        .iter()
        .map(|row| format!("{:path$}  {:mark$}{:gap$}{}", row[0], row[1], "", row[2]).trim_end().to_owned())
        .collect();
    if !lines.is_empty() {
        print_lines(&lines.join("\n")).context("cannot write the list")?;
    }
    Ok(())
}
