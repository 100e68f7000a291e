//! `isobox executions`: inspects stored executions and decides about pending calls.

mod across;
mod axis;
mod bars;
mod decide;
pub(crate) mod decisions;
pub(crate) mod find;
mod held;
mod input;
mod list;
pub(crate) mod moment;
mod record;
mod report;
mod rollback;
mod timeline;
mod transcripts;
mod unheard;
mod wake;

use std::io::{self, IsTerminal};
use std::num::NonZeroU32;

use anyhow::{Context, Result};
use isobox::store::{Expired, Filter, Page, Restoration};
use isobox::text::marked;
use isobox::transcript::Secrets;
use isobox::workspace::{Freshness, Workspace};
use isobox::{Code, ConflictKind, Failure, Isobox, Outcome, Value, demo, json};

use crate::Exit;
use crate::arguments::{ExecutionsCommand, ExecutionsOptions, ExportFormat};
use crate::commands::Commands;
use crate::deciding::decider;
use crate::executions::across::Resumes;
use crate::executions::decide::{Deciding, End, Watch};
use crate::executions::find::find_or_last;
use crate::executions::held::advise_held;
use crate::executions::list::Detail;
use crate::executions::rollback::Mode;
use crate::executions::timeline::Story;
use crate::executions::transcripts::ForkEnd;
use crate::outcome::Form;
use crate::pending::{Extent, draw_pause};
use crate::retention::tell_postponed;
use crate::rows::Columns;
use crate::setting::{Needs, Wanted, look_at_store, reach_store, read_config_and_store, workspace_options};
use crate::signals::{EndSignal, EndSignals, Leaves, tell_stopped, until_stopped};
use crate::source::Source;
use crate::style::{Colours, print_drawn, print_error, print_json, print_laid_out, print_lines, warn, width};
use crate::trust::Asks;

pub(crate) fn executions(options: &ExecutionsOptions) -> Result<Exit> {
    let is_about_file = transcripts::is_about_file(&options.command);
    let wanted = Wanted {
        file: options.config.as_deref(),
        is_trusted: options.trust,
        needs: if is_about_file { Needs::Nothing } else { options.command.needs() },
        asks: Asks::Person,
    };
    let config = read_config_and_store(wanted, options.store.as_deref())?;
    if !is_about_file && !config.store.keeps_executions() {
        return Err(Failure::new(Code::Config, "no execution store is configured")
            .hint("name the configuration with --config, or the store with --store")
            .into());
    }
    let mut own = workspace_options(Freshness::Kept);
    if !matches!(options.command, ExecutionsCommand::Wake) {
        own = own.max_live(NonZeroU32::MIN);
    }
    let is_demo = options.demo;
    let workspace = Workspace::with_tools(config, own, move || if is_demo { demo::tools() } else { Ok(Vec::new()) })?;
    let executor = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let commands = Commands::new(options.config.as_deref(), options.store.as_deref(), options.demo);
    executor.block_on(async {
        let mut signals = EndSignals::listen()?;
        let watch = Watch::default();
        let work = async {
            answer(&workspace, options, &commands, &watch)
                .await
                .map_err(|error| advise(error, options, &commands, &watch))
        };
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

/// Tells whether the person stopped watching.
fn is_given_up(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Failure>().is_some_and(|failure| failure.code == Code::Aborted)
}

/// Adds how to resume if the store failed or if a recorded decision was not applied.
fn advise(error: anyhow::Error, options: &ExecutionsOptions, commands: &Commands, watch: &Watch) -> anyhow::Error {
    let Some(id) = options.command.goes_on_with() else { return error };
    match error.downcast::<Failure>() {
        Ok(failure) if failure.code == Code::Store => advise_failed_store(failure, id, commands, watch).into(),
        Ok(failure) if failure.details.contains_key("decidedBy") => {
            failure.hint(format!("the decision is recorded; resume: {}", commands.named("resume", id))).into()
        }
        Ok(failure) if failure.conflict_kind() == Some(ConflictKind::Held) => advise_held(failure, id, commands).into(),
        Ok(failure) => failure.into(),
        Err(error) => error,
    }
}

/// Adds what a store that failed has recorded, and how to go on.
fn advise_failed_store(failure: Failure, id: &str, commands: &Commands, watch: &Watch) -> Failure {
    let hint = failure.hint.as_ref().map(|hint| format!("{hint}; ")).unwrap_or_default();
    let resume = commands.named("resume", id);
    if failure.is_unconfirmed() {
        let show = commands.named("show", id);
        return failure.hint(format!(
            "{hint}the execution is not lost; when the store works again, look: {show}; then resume: {resume}"
        ));
    }
    let what = if watch.is_recorded.get() { "the decision is recorded" } else { "nothing was changed" };
    failure.hint(format!("{hint}{what}, and the execution is not lost; when the store works again, resume: {resume}"))
}

async fn answer(
    workspace: &Workspace,
    options: &ExecutionsOptions,
    commands: &Commands,
    watch: &Watch,
) -> Result<Exit> {
    let archive =
        if options.command.only_looks() { look_at_store(workspace).await? } else { reach_store(workspace).await? };
    let deciding = Deciding { workspace, archive: &archive, commands, options, watch };
    match &options.command {
        ExecutionsCommand::List { states, limit, after, wide } => {
            let filter = Filter { states: states.clone(), after: after.clone(), ..Filter::newest(*limit) };
            let page = archive.executions(filter.clone()).await?;
            tell_list(&page, &filter, *wide, commands, options)?;
            if page.executions.is_empty() && page.unreadable.is_empty() {
                return Ok(Exit::Failed);
            }
        }
        ExecutionsCommand::Pending { limit, after } => {
            return deciding.pending(*limit as usize, after.as_deref()).await;
        }
        ExecutionsCommand::Decide { from, no_resume } => {
            let resumes = if *no_resume { Resumes::Nothing } else { Resumes::Decided };
            return deciding.decide_across(from.as_deref(), resumes).await;
        }
        ExecutionsCommand::Show { id, whole } => {
            let extent = if *whole { Extent::Whole } else { Extent::Beginning };
            show(&archive, id, extent, commands, options).await?;
        }
        ExecutionsCommand::Approve { id, calls, all, decision } => {
            return deciding.approve(id, calls, *all, decision).await;
        }
        ExecutionsCommand::Deny { id, call, decision } => return deciding.deny(id, *call, decision).await,
        ExecutionsCommand::Resolve { id, call, resolution, decision } => {
            return deciding.resolve(id, *call, resolution, decision).await;
        }
        ExecutionsCommand::Reject { id, reason } => return deciding.end(id, End::Reject, reason.as_deref()).await,
        ExecutionsCommand::Cancel { id, reason } => return deciding.end(id, End::Cancel, reason.as_deref()).await,
        ExecutionsCommand::Rollback { id, to, dry_run } => {
            let mode = if *dry_run { Mode::DryRun } else { Mode::Revert };
            return deciding.rollback(id, to.as_deref(), mode).await;
        }
        ExecutionsCommand::Resume { id, restored: false } => return deciding.resume(id).await,
        ExecutionsCommand::Resume { id, restored: true } => return deciding.resume_restored(id).await,
        ExecutionsCommand::Export { id, format, output, with_secrets } => {
            let secrets = if *with_secrets { Secrets::Included } else { Secrets::Hidden };
            let format = if options.json { ExportFormat::Json } else { *format };
            let form = Form::json_if(options.json);
            transcripts::export(&archive, id, secrets, (format, form), output.as_deref()).await?;
        }
        ExecutionsCommand::Replay { source, until } => {
            transcripts::replay(&archive, source, *until, options.json).await?;
        }
        ExecutionsCommand::Fork { source, before, answer, fail, program, roles } => {
            let end = ForkEnd { before: *before, answer: answer.as_deref(), fail: fail.as_deref(), program, roles };
            return deciding.fork(source, end).await;
        }
        ExecutionsCommand::Wake => return deciding.wake().await,
        ExecutionsCommand::Restored => return tell_restored(&archive.mark_restored(decider()?).await?, options),
        ExecutionsCommand::Delete { id } => {
            let id = deciding.delete(id).await?;
            tell_done("deleted", &[id.to_string()], options)?;
        }
        ExecutionsCommand::Prune { keep } => {
            let keep = keep.unwrap_or(workspace.config().retention.keep);
            let removed: Vec<String> = archive.prune(decider()?, keep).await?.iter().map(ToString::to_string).collect();
            tell_done("deleted", &removed, options)?;
        }
        ExecutionsCommand::Expire { older_than } => {
            let older_than = older_than.unwrap_or(workspace.config().retention.expire_after);
            archive.end_stopped().await?;
            tell_expired(&archive.expire(decider()?, older_than).await?, options)?;
        }
    }
    Ok(Exit::Completed)
}

async fn show(
    archive: &Isobox,
    id: &str,
    extent: Extent,
    commands: &Commands,
    options: &ExecutionsOptions,
) -> Result<()> {
    let id = find_or_last(archive, id).await?;
    let inspected = archive.inspect(&id).await?;
    // A live process reads its inbox itself. What came too late for an execution that has ended is not applied any more.
    let is_heard = inspected.is_held || inspected.state.ended.is_some();
    let said = if is_heard { Vec::new() } else { archive.inbox(&id).await? };
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
        inputs: &record::inputs(&inspected.entries, archive.policy()),
        is_held: inspected.is_held,
        is_decided: !said.is_empty(),
    };
    let (colours, columns) = (Colours::of_standard_output(), Columns::of_standard_output());
    let mut text = columns.broken(&timeline::draw(&story, width(), colours));
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
        text.push_str(&format!("\n\n{}", draw_pause(&paused, &source, commands, extent, (colours, columns))));
    }
    print_drawn(&text).context("cannot write the execution")
}

fn tell_list(
    page: &Page,
    filter: &Filter,
    is_wide: bool,
    commands: &Commands,
    options: &ExecutionsOptions,
) -> Result<()> {
    if options.json {
        return print_json(&list::record(page).to_string()).context("cannot write the list");
    }
    if page.executions.is_empty() && page.unreadable.is_empty() {
        print_error("no executions found");
        return Ok(());
    }
    let width = if io::stdout().is_terminal() { width() } else { usize::MAX };
    let detail = if is_wide { Detail::Wide } else { Detail::Fitting { width } };
    let table = list::draw(page, moment::now(), detail, Colours::of_standard_output());
    print_drawn(&Columns::of_standard_output().broken(&table)).context("cannot write the list")?;
    for row in &page.unreadable {
        print_error(&marked(&format!("{} cannot be read: {}", row.id, row.reason)));
    }
    let to_resume = list::to_resume(page);
    if let Some((id, state)) = to_resume.first() {
        let more = to_resume.len() - 1;
        let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
        print_laid_out(&format!("{state}, resume: {}{more}", commands.resume(id)));
    }
    if let Some(next) = &page.next {
        let states: String = filter.states.iter().map(|state| format!(" --status {state}")).collect();
        let wide = if is_wide { " --wide" } else { "" };
        let flags = format!("{states}{wide} --limit {} --after {next}", filter.limit);
        print_laid_out(&marked(&format!("next page: {}", commands.of_many("list", &flags))));
    }
    Ok(())
}

fn tell_expired(expired: &Expired, options: &ExecutionsOptions) -> Result<()> {
    if options.json {
        let postponed = expired.postponed.as_ref().map(|postponed| {
            let ahead = u64::try_from(postponed.ahead.as_millis()).unwrap_or(u64::MAX);
            json!({ "executions": postponed.executions, "clockAheadMs": ahead })
        });
        let told = json!({ "expired": expired.executions, "postponed": postponed });
        return print_json(&told.to_string()).context("cannot write the result");
    }
    if let Some(postponed) = &expired.postponed {
        warn(&tell_postponed(postponed));
    }
    tell_done("expired", &expired.executions.iter().map(ToString::to_string).collect::<Vec<_>>(), options)
}

fn tell_restored(restoration: &Restoration, options: &ExecutionsOptions) -> Result<Exit> {
    let Restoration { held, held_before, running, unreadable, .. } = restoration;
    if options.json {
        let unreadable: Vec<Value> =
            unreadable.iter().map(|(id, error)| json!({ "executionId": id, "error": error })).collect();
        let told = json!({ "held": held, "heldBefore": held_before, "running": running, "unreadable": unreadable });
        print_json(&told.to_string()).context("cannot write the result")?;
    } else {
        tell_done("held", &held.iter().map(ToString::to_string).collect::<Vec<_>>(), options)?;
        if !held_before.is_empty() {
            print_error(&format!("{} executions were held before", held_before.len()));
        }
        for (id, error) in unreadable {
            print_error(&marked(&format!("{id} cannot be read, and cannot be resumed: {}", error.message)));
        }
        if !running.is_empty() {
            warn(&format!(
                "{} executions are not held, because a process runs them or ran them less than 30 s ago: stop all processes \
                 that use the store, and run this again",
                running.len()
            ));
        }
    }
    Ok(if running.is_empty() { Exit::Completed } else { Exit::NotOver })
}

fn tell_done(what: &str, ids: &[String], options: &ExecutionsOptions) -> Result<()> {
    if options.json {
        let done: Value = json!({ what: ids });
        return print_json(&done.to_string()).context("cannot write the result");
    }
    if ids.is_empty() {
        print_error(&format!("nothing was {what}"));
        return Ok(());
    }
    let lines: Vec<String> = ids.iter().map(|id| format!("{what} {id}")).collect();
    print_lines(&lines.join("\n")).context("cannot write the result")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_that_failed_has_changed_nothing_only_where_that_is_known() {
        let (commands, watch) = (Commands::new(None, None, false), Watch::default());
        let advice =
            |failure: Failure| advise_failed_store(failure, "exec_1", &commands, &watch).hint.expect("there is advice");
        let failed = || Failure::new(Code::Store, "the connection broke").hint("start it");
        assert!(advice(failed()).starts_with("start it; nothing was changed, and"));
        let unknown = advice(failed().detail("unconfirmed", true));
        assert!(!unknown.contains("nothing was changed"), "{unknown}");
        assert!(unknown.contains("look: isobox executions show exec_1; then resume: isobox"), "{unknown}");
        watch.is_recorded.set(true);
        assert!(advice(failed()).contains("the decision is recorded, and"));
    }
}
