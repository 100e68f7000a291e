//! `isobox run`: runs one program.

use std::io::{self, IsTerminal};
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::Result;
use isobox::calls::CallDetails;
use isobox::events::{Contents, Event, Label, Observer};
use isobox::policy::OwnDecisions;
use isobox::store::memory_store;
use isobox::workspace::Workspace;
use isobox::{ByteSize, CancellationToken, Code, ExecutionId, Failure, Isobox, Principal, Resume, Resumed, Run, demo};

use crate::Exit;
use crate::approver::{approver, check_approved};
use crate::arguments::RunOptions;
use crate::ask::{Asker, Interrupt, Right};
use crate::commands::Commands;
use crate::deciding::user;
use crate::outcome::{Form, tell_elsewhere, tell_error, tell_outcome, tell_sleep};
use crate::progress::Printer;
use crate::retention::keep_house;
use crate::setting::{
    Needs, Wanted, freshness, read_config_and_store, start_durably, tell_failed_servers, workspace_options,
};
use crate::signals::{EndSignals, Leaves, tell_stopped, until_stopped};
use crate::source::Source;
use crate::style::print_error;
use crate::trust::Asks;

pub(crate) fn run(options: &RunOptions) -> Result<Exit> {
    let wanted = Wanted {
        file: options.config.as_deref(),
        is_trusted: options.trust,
        needs: Needs::Servers,
        asks: Asks::Person,
    };
    let mut config = read_config_and_store(wanted, options.store.as_deref())?;
    config.limits = options.limits.limits(config.limits);
    let source = Source::read(&options.files, config.limits.source.get())?;
    let is_demo = options.demo;
    let tools = move || if is_demo { demo::tools() } else { Ok(Vec::new()) };
    let mut own = workspace_options(freshness(options.refresh)).max_live(NonZeroU32::MIN).approver(approver(options));
    let is_kept = config.store.keeps_executions();
    if options.globals.is_some() && !is_kept {
        return Err(Failure::new(Code::Config, "--globals needs a store, in which the session is kept")
            .hint("name one with --store sqlite:PATH, or in isobox.json")
            .into());
    }
    if !is_kept {
        // Nothing could wake it after this process.
        config.limits.lifetime = Duration::ZERO;
    }
    let right = if is_kept { Right::Credential } else { Right::OwnProcess };
    let may_decide = config.policy.own_decisions() == OwnDecisions::Allow;
    let mut asker = (is_watched(options) && may_decide).then(|| Asker::new(right, Interrupt::EndsIt));
    if asker.is_some() && !is_kept {
        // The program can wait for the person at the terminal, and nothing of it is stored.
        own.store = Some(memory_store());
        config.limits.durable_value = config.limits.durable_value.max(config.limits.output);
        config.limits.journal = ByteSize::bytes(u64::MAX);
    }
    let workspace = Workspace::with_tools(config, own, tools)?;
    let commands = Commands::new(options.config.as_deref(), options.store.as_deref(), options.demo);
    let executor = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    executor.block_on(async {
        let token = CancellationToken::new();
        let mut signals = EndSignals::listen()?;
        let name = Arc::new(OnceLock::new());
        let work = async {
            let ready = tokio::select! {
                started = start_durably(&workspace) => started?,
                () = token.cancelled() => return Ok(None),
            };
            let isobox = ready.isobox.clone();
            source.show_under(&isobox).await;
            check_approved(options, &isobox, workspace.config())?;
            let watcher = Watcher { name: Arc::clone(&name), printer: (!options.json).then(Printer::new) };
            let contents = if options.json { Contents::Nothing } else { Contents::Progress };
            let isobox = isobox.observed_by(watcher, contents);
            let run = run_of(&isobox, &source, options).cancelled_by(token.clone());
            let mut ended = Resumed::Here(Box::new(isobox.run(run).await));
            let resume = Resume::default().cancelled_by(token.clone());
            ended = isobox.sleep_through(ended, resume, Duration::MAX, &token, tell_sleep).await?;
            if let Some(asker) = &mut asker {
                ended = asker.ask_until_over(&isobox, ended, &source, &token).await?;
            }
            tell_failed_servers(&workspace, &ready);
            anyhow::Ok(Some((ended, isobox)))
        };
        let leaves = if is_kept { Leaves::Execution } else { Leaves::Nothing };
        let done = match until_stopped(work, &mut signals, &token, leaves).await {
            Ok(done) => done,
            Err(signal) => {
                let left = name.get().filter(|_| is_kept);
                let told = tell_stopped(signal, left, &workspace, &commands, Form::json_if(options.json)).await;
                workspace.close().await;
                return told;
            }
        };
        let exit = match &done {
            Ok(Some((Resumed::Here(outcome), _))) => {
                let exit = tell_outcome(outcome, &source, &commands, Form::json_if(options.json));
                if matches!(exit, Ok(Exit::NotOver)) && !is_kept {
                    print_error("This execution ends with this process; use --store sqlite:PATH to store executions.");
                }
                exit
            }
            Ok(Some((Resumed::Elsewhere, _))) => {
                let tell = |id| tell_elsewhere(id, &commands, Form::json_if(options.json));
                name.get().map_or(Ok(Exit::NotOver), tell)
            }
            Ok(None) => {
                let failure = Failure::new(Code::Aborted, "interrupted");
                Ok(tell_error(failure.into(), Form::json_if(options.json)))
            }
            Err(error) => Ok(Exit::of_error(error)),
        };
        if let Ok(Some((_, isobox))) = &done {
            keep_house(isobox, &workspace.config().retention).await;
        }
        workspace.close().await;
        done.and(exit)
    })
}

/// Records the id of the running execution, and prints its logs and progress in text mode.
struct Watcher {
    name: Arc<OnceLock<ExecutionId>>,
    printer: Option<Printer>,
}

impl Observer for Watcher {
    fn observe(&self, event: &Event) {
        self.name.get_or_init(|| event.execution.clone());
        if let Some(printer) = &self.printer {
            printer.observe(event);
        }
    }
}

/// Builds the run. It is durable if there is a store.
pub(crate) fn run_of(isobox: &Isobox, source: &Source, options: &RunOptions) -> Run {
    let details = CallDetails::default().inputs(options.inputs);
    let function = Path::new(source.name()).file_name().map(|name| name.to_string_lossy().into_owned());
    let principal = Principal::named(user()).with_roles(options.roles.iter().cloned());
    let mut run = Run::new(source.program.clone()).details(details).principal(principal);
    run = run.label(Label::default().function(function));
    if isobox.keeps_executions() {
        run = run.durable();
    }
    if let Some(session) = &options.session {
        run = run.session(session);
    }
    if let Some(busy) = options.globals {
        run = run.globals(busy.into());
    }
    if let Some(effect) = options.checks {
        run = run.checks(effect.into());
    }
    match options.seed {
        Some(seed) => run.seed(seed),
        None => run,
    }
}

/// Tells whether there is a person to ask.
fn is_watched(options: &RunOptions) -> bool {
    let is_from_input = options.files.is_empty() || options.files.iter().any(|file| file == Path::new("-"));
    !options.json && !is_from_input && io::stdin().is_terminal() && io::stderr().is_terminal()
}
