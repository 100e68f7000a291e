//! `isobox executions`: looking at what is kept, and deciding about what waits for somebody.

mod axis;
mod bars;
mod decide;
mod find;
mod list;
mod moment;
mod record;
mod timeline;
mod unheard;

use std::num::NonZeroU32;

use anyhow::{Context, Result};
use isobox::store::Filter;
use isobox::{Code, Failure, Isobox, Outcome, Timestamp, Value, Workspace, WorkspaceOptions, demo, json};

use crate::Exit;
use crate::arguments::{ExecutionsCommand, ExecutionsOptions};
use crate::commands::Commands;
use crate::deciding::decider;
use crate::executions::decide::{Deciding, Watch};
use crate::executions::find::find;
use crate::executions::timeline::Story;
use crate::outcome::Form;
use crate::pending::draw_pause;
use crate::setting::{Wanted, look_at_store, open_store, read_config_and_store};
use crate::signals::{EndSignal, EndSignals, Leaves, tell_stopped, until_stopped};
use crate::source::Source;
use crate::style::{Colours, complain_of_error, failure_of, print_error, print_json, print_lines, width};
use crate::trust::Asks;

pub(crate) fn executions(options: &ExecutionsOptions) -> Result<Exit> {
    match try_executions(options) {
        Ok(exit) => Ok(exit),
        Err(error) => {
            if !options.json {
                complain_of_error(&error);
            }
            let failure = failure_of(error);
            if options.json {
                print_json(&json!({ "error": failure }).to_string()).context("cannot write the error")?;
            }
            Ok(if failure.code == Code::Config { Exit::Usage } else { Exit::Failed })
        }
    }
}

fn try_executions(options: &ExecutionsOptions) -> Result<Exit> {
    let wanted = Wanted {
        file: options.config.as_deref(),
        is_trusted: options.trust,
        needs: options.command.needs(),
        asks: Asks::Person,
    };
    let config = read_config_and_store(wanted, options.store.as_deref())?;
    if !config.store.keeps_executions() {
        return Err(Failure::new(Code::Config, "no executions are kept here")
            .hint("name the configuration with --config, or the store with --store")
            .into());
    }
    let own = WorkspaceOptions { max_live: Some(NonZeroU32::MIN), ..WorkspaceOptions::default() };
    let is_demo = options.demo;
    let workspace = Workspace::with_tools(config, own, move || if is_demo { demo::tools() } else { Ok(Vec::new()) })?;
    let executor = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let commands = Commands::new(options.config.as_deref(), options.store.as_deref(), options.demo);
    executor.block_on(async {
        let mut signals = EndSignals::listen()?;
        let watch = Watch::default();
        let work = answer(&workspace, options, &commands, &watch);
        let done = match until_stopped(work, &mut signals, &watch.token, Leaves::Execution).await {
            Ok(Err(error)) if is_given_up(&error) && watch.going_on.get().is_some() => Err(EndSignal::Interrupt),
            done => done,
        };
        let exit = match done {
            Ok(exit) => exit,
            Err(signal) => {
                let form = Form::json_if(options.json);
                tell_stopped(signal, watch.going_on.get(), &workspace, &commands, form).await
            }
        };
        workspace.close().await;
        exit
    })
}

/// Whether the person has stopped watching.
fn is_given_up(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Failure>().is_some_and(|failure| failure.code == Code::Aborted)
}

async fn answer(
    workspace: &Workspace,
    options: &ExecutionsOptions,
    commands: &Commands,
    watch: &Watch,
) -> Result<Exit> {
    let archive =
        if options.command.only_looks() { look_at_store(workspace).await? } else { open_store(workspace).await? };
    let deciding = Deciding { workspace, archive: &archive, commands, options, watch };
    match &options.command {
        ExecutionsCommand::List { statuses, limit } => {
            let filter = Filter { statuses: statuses.clone(), ..Filter::newest(limit.saturating_add(1)) };
            let mut listed = archive.executions(filter).await?;
            let is_truncated = listed.len() > *limit as usize;
            listed.truncate(*limit as usize);
            if options.json {
                let all = json!({ "executions": listed, "truncated": is_truncated });
                print_json(&all.to_string()).context("cannot write the list")?;
            } else if listed.is_empty() {
                print_error("there are no such executions");
            } else {
                let decided = unheard::decided(&archive, &listed).await?;
                print_lines(&list::draw(&listed, &decided, now())).context("cannot write the list")?;
                if is_truncated {
                    print_error("there are more; --limit shows more of them");
                }
            }
        }
        ExecutionsCommand::Show { id } => show(&archive, id, commands, options).await?,
        ExecutionsCommand::Approve { id, calls, all, decision } => {
            return deciding.approve(id, calls, *all, decision).await;
        }
        ExecutionsCommand::Deny { id, call, decision } => return deciding.deny(id, *call, decision).await,
        ExecutionsCommand::Resolve { id, call, resolution, decision } => {
            return deciding.resolve(id, *call, resolution, decision).await;
        }
        ExecutionsCommand::Reject { id, reason } => return deciding.reject(id, reason.as_deref()).await,
        ExecutionsCommand::Resume { id } => return deciding.resume(id).await,
        ExecutionsCommand::Delete { id } => {
            let id = find(&archive, id).await?;
            archive.delete(&id, decider()?).await?;
            tell_done("deleted", &[id.to_string()], options)?;
        }
        ExecutionsCommand::Prune { keep } => {
            let keep = keep.unwrap_or(workspace.config().retention.keep);
            let removed: Vec<String> = archive.prune(keep).await?.iter().map(ToString::to_string).collect();
            tell_done("deleted", &removed, options)?;
        }
        ExecutionsCommand::Expire { older_than } => {
            let older_than = older_than.unwrap_or(workspace.config().retention.expire_after);
            let ended: Vec<String> = archive.expire(older_than).await?.iter().map(ToString::to_string).collect();
            tell_done("expired", &ended, options)?;
        }
    }
    Ok(Exit::Completed)
}

async fn show(archive: &Isobox, id: &str, commands: &Commands, options: &ExecutionsOptions) -> Result<()> {
    let id = find(archive, id).await?;
    let inspected = archive.inspect(&id).await?;
    // Whoever holds it hears it by themselves.
    let said = if inspected.is_held { Vec::new() } else { archive.said(&id).await? };
    if options.json {
        let program = archive.shown(&inspected.beginning.program).await;
        let record = record::record(&id, &inspected, &program, &said, archive.policy());
        return print_json(&record.to_string()).context("cannot write the execution");
    }
    let story = Story {
        id: &id,
        created: inspected.beginning.created,
        function: inspected.beginning.function.as_deref(),
        session: inspected.beginning.session.as_deref(),
        owner: inspected.beginning.owner.as_deref(),
        entries: &inspected.entries,
        is_held: inspected.is_held,
    };
    let mut text = timeline::draw(&story, width());
    let paused = match inspected.outcome(&id, archive.policy()) {
        Some(Outcome::Paused(paused)) => Some(unheard::still_open(paused, &said)),
        _ => None,
    };
    if !said.is_empty() {
        text.push_str(&format!("\n\n{}", unheard::draw(&id, &said, commands)));
    }
    if let Some(paused) = paused.filter(|paused| !paused.pending.is_empty()) {
        let source = Source::kept(inspected.beginning);
        source.show_under(archive).await;
        text.push_str(&format!("\n\n{}", draw_pause(&paused, &source, commands, Colours::Off)));
    }
    print_lines(&text).context("cannot write the execution")
}

fn tell_done(what: &str, ids: &[String], options: &ExecutionsOptions) -> Result<()> {
    if options.json {
        let done: Value = json!({ what: ids });
        return print_json(&done.to_string()).context("cannot write what was done");
    }
    if ids.is_empty() {
        print_error(&format!("nothing was {what}"));
        return Ok(());
    }
    let lines: Vec<String> = ids.iter().map(|id| format!("{what} {id}")).collect();
    print_lines(&lines.join("\n")).context("cannot write what was done")
}

#[expect(clippy::disallowed_methods, reason = "people want to know how long ago something was")]
pub(crate) fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
