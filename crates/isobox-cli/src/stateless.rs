//! `isobox run --stateless`: a pause is a text that the caller keeps.

use std::io::Read;
use std::num::NonZeroU32;
use std::path::Path;

use anyhow::{Context, Result, bail};
use isobox::config::ContinuationConfig;
use isobox::events::Contents;
use isobox::store::owned;
use isobox::workspace::{Freshness, Workspace};
use isobox::{CancellationToken, Continuations, Continue, Decisions, Outcome, Paused, demo};

use crate::Exit;
use crate::approver::{approver, check_approved};
use crate::arguments::RunOptions;
use crate::commands::Commands;
use crate::deciding::user;
use crate::executions::decisions::{Group, read_decisions};
use crate::outcome::{Form, tell_outcome};
use crate::pending::{Drawn, draw_calls};
use crate::progress::Printer;
use crate::run::run_of;
use crate::setting::{
    Needs, Wanted, environment, freshness, read_config_and_store, start_durably, tell_failed_servers, workspace_options,
};
use crate::signals::{EndSignals, Leaves, tell_stopped, until_stopped};
use crate::source::Source;
use crate::style::{Colours, Look, print_drawn, print_error, warn};
use crate::trust::Asks;

/// The variable with the secret that seals continuations.
const KEY: &str = "ISOBOX_CONTINUATION_KEY";
/// The maximum number of bytes that are read of decisions, and of a continuation unless its limit is higher.
const READABLE: u64 = 8 << 20;

/// Runs a program without a store, or continues one.
pub(crate) fn run_stateless(options: &RunOptions) -> Result<Exit> {
    let wanted = Wanted {
        file: options.config.as_deref(),
        is_trusted: options.trust,
        needs: Needs::Servers,
        asks: Asks::Person,
    };
    let mut config = read_config_and_store(wanted, Some(options.store.as_deref().unwrap_or("none")))?;
    config.limits = options.limits.limits(config.limits);
    let keys = keys(options, &config.continuations)?;
    let readable = config.continuations.limit.get().max(READABLE);
    let begun = match &options.continues {
        Some(file) => Begun::Before(read(file, readable)?, Box::new(answer(options)?)),
        None => Begun::Now,
    };
    let source = match &begun {
        Begun::Before(continuation, _) => Source::kept(keys.look(continuation)?),
        Begun::Now => Source::read(&options.files, config.limits.source.get())?,
    };
    let is_demo = options.demo;
    let tools = move || if is_demo { demo::tools() } else { Ok(Vec::new()) };
    let freshness = match &begun {
        Begun::Before(..) if !options.refresh => Freshness::Kept,
        Begun::Before(..) | Begun::Now => freshness(options.refresh),
    };
    let own = workspace_options(freshness).max_live(NonZeroU32::MIN).approver(approver(options));
    let workspace = Workspace::with_tools(config, own, tools)?;
    let commands = Commands::new(options.config.as_deref(), None, options.demo);
    let executor = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let form = Form::json_if(options.json);
    executor.block_on(async {
        let token = CancellationToken::new();
        let mut signals = EndSignals::listen()?;
        let work = async {
            let ready = start_durably(&workspace).await?;
            let isobox = ready.isobox.clone();
            source.show_under(&isobox).await;
            check_approved(options, &isobox, workspace.config())?;
            let isobox = if options.json { isobox } else { isobox.observed_by(Printer::new(), Contents::Progress) };
            let outcome = match begun {
                Begun::Now => {
                    let run = run_of(&isobox, &source, options).cancelled_by(token.clone());
                    isobox.run_stateless(run, &keys).await
                }
                Begun::Before(continuation, answer) => isobox.resume_stateless(&continuation, &keys, *answer).await?,
            };
            tell_failed_servers(&workspace, &ready);
            anyhow::Ok(outcome)
        };
        let exit = match until_stopped(work, &mut signals, &token, Leaves::Nothing).await {
            Ok(Ok(Outcome::Paused(paused))) if form == Form::Text => tell_pause(&paused, &source),
            Ok(Ok(outcome)) => tell_outcome(&outcome, &source, &commands, form),
            Ok(Err(error)) => Err(error),
            Err(signal) => tell_stopped(signal, None, &workspace, &commands, form).await,
        };
        workspace.close().await;
        exit
    })
}

/// The origin of an execution.
enum Begun {
    /// The execution begins in this process.
    Now,
    /// The execution is continued from this text, with this answer.
    Before(String, Box<Continue>),
}

fn keys(options: &RunOptions, config: &ContinuationConfig) -> Result<Continuations> {
    let secret = environment(KEY);
    let keys = Continuations::configured(config, secret.as_deref().map(str::as_bytes)).context(KEY)?;
    if let Some(warning) = keys.warning() {
        warn(&format!("{warning}; set {KEY}, or `continuations.key` in isobox.json, to a secret of at least 32 bytes"));
    }
    Ok(keys.audience(options.audience.clone().unwrap_or_default()))
}

/// Reads the decisions that a program is continued with. Without them, the options about approvals decide.
fn answer(options: &RunOptions) -> Result<Continue> {
    let Some(file) = &options.decisions else { return Ok(Continue::undecided()) };
    let groups = read_decisions(&read(file, READABLE)?)?;
    let [Group { id, calls }] = groups.as_slice() else {
        bail!("the decisions are about {} executions, and a continuation has one", groups.len())
    };
    Ok(Continue::decided(id, Decisions::of(user(), calls.iter().cloned())))
}

fn read(file: &Path, most: u64) -> Result<String> {
    let mut text = String::new();
    let name = file.display();
    let read = match file == Path::new("-") {
        true => std::io::stdin().take(most).read_to_string(&mut text),
        false => owned::open_stream(file).and_then(|file| file.take(most).read_to_string(&mut text)),
    };
    read.with_context(|| format!("cannot read {name}"))?;
    Ok(text.trim().to_owned())
}

/// Prints the pending calls with the code around them, and the continuation to standard output.
fn tell_pause(paused: &Paused, source: &Source) -> Result<Exit> {
    let Paused { execution_id: id, revision, pending, continuation, .. } = paused;
    let colours = Colours::of_standard_error();
    let waits =
        format!("{}: {id} is waiting for a decision (revision {revision})", colours.paint(Look::Warning, "paused"));
    let Drawn { text, is_whole } = draw_calls(pending, source, colours);
    // A person approves all only after all was shown.
    let more = if is_whole { " (or --approve-all)" } else { "; --json shows the calls in full" };
    let next = format!("continue: isobox run --stateless --continue FILE --decisions FILE{more}");
    print_error(&format!("{waits}{text}\n\n{next}"));
    print_drawn(continuation.as_deref().unwrap_or_default()).context("cannot write the continuation")?;
    Ok(Exit::NotOver)
}
