//! `isobox run`.

use std::num::NonZeroU32;

use anyhow::{Context, Result, bail};
use isobox::{
    CallDetails, CancellationToken, Contents, Event, EventKind, Level, Log, Observer, Outcome, Run, Workspace,
    WorkspaceOptions, demo, without_escapes,
};

use crate::Exit;
use crate::arguments::RunOptions;
use crate::diagram::draw;
use crate::progress::ProgressPrinter;
use crate::setting::{EndSignals, read_config, start};
use crate::source::{Source, is_at_unnamed_file};
use crate::style::{Colours, Look, complain, print_error, print_json, print_value};

pub(crate) fn run(options: &RunOptions) -> Result<Exit> {
    let mut config = read_config(options.config.as_deref())?;
    config.limits = options.limits.limits(config.limits);
    let source = Source::read(&options.files, config.limits.source.get())?;
    let is_demo = options.demo;
    let tools = move || if is_demo { demo::tools() } else { Ok(Vec::new()) };
    let own = WorkspaceOptions { max_live: Some(NonZeroU32::MIN), ..WorkspaceOptions::default() };
    let workspace = Workspace::with_tools(config, own, tools)?;
    let executor = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let outcome = executor.block_on(async {
        let token = CancellationToken::new();
        let mut signals = EndSignals::listen()?;
        let work = async {
            let mut isobox = tokio::select! {
                started = start(&workspace) => started?.isobox,
                () = token.cancelled() => return Ok(None),
            };
            if !options.json {
                isobox = isobox.observed_by(Printer(ProgressPrinter::new()), Contents::Progress);
            }
            let details = CallDetails { inputs: options.inputs, ..CallDetails::default() };
            let run = Run::new(source.program.clone()).cancelled_by(token.clone());
            let mut run = run.details(details).roles(options.roles.iter().cloned());
            if let Some(seed) = options.seed {
                run = run.seed(seed);
            }
            anyhow::Ok(Some(isobox.run(run).await))
        };
        let outcome = until_asked_twice(work, &mut signals, &token).await.unwrap_or(Ok(None));
        workspace.close().await;
        outcome
    })?;
    let Some(outcome) = outcome else {
        complain("interrupted");
        return Ok(Exit::Interrupted);
    };
    if options.json {
        print_json(&serde_json::to_string(&outcome)?).context("cannot write the outcome")?;
    } else {
        show(&outcome, &source)?;
    }
    Ok(match outcome {
        Outcome::Completed(_) => Exit::Completed,
        _ => Exit::Failed,
    })
}

/// Does the work. The first signal asks it to stop, the second one gives it up.
async fn until_asked_twice<T>(
    work: impl Future<Output = T>,
    signals: &mut EndSignals,
    token: &CancellationToken,
) -> Option<T> {
    let mut work = std::pin::pin!(work);
    tokio::select! {
        done = &mut work => return Some(done),
        () = signals.next() => token.cancel(),
    }
    tokio::select! {
        done = work => Some(done),
        () = signals.next() => None,
    }
}

/// Prints what a program logs, when it does, and on a terminal what its calls tell of their way.
struct Printer(ProgressPrinter);

impl Observer for Printer {
    fn observe(&self, event: &Event<'_>) {
        if let EventKind::Logged(log) = &event.kind {
            print_error(&line(log, Colours::of_standard_error()));
        }
        self.0.observe(event);
    }
}

fn show(outcome: &Outcome, source: &Source) -> Result<()> {
    let colours = Colours::of_standard_error();
    match outcome {
        Outcome::Completed(completed) => print_value(&completed.result).context("cannot write the result"),
        Outcome::Failed(failed) => {
            let (file, text) = source.file_of(&failed.error);
            print_error(&draw(&failed.error, file, text, colours));
            if is_at_unnamed_file(&failed.error, text) {
                let hint = "name every file of the program on the command line, the one it starts with first";
                print_error(&format!("  {} {hint}", colours.paint(Look::Mark, "hint:")));
            }
            Ok(())
        }
        _ => bail!("the outcome is of a kind that this version cannot show; use --json"),
    }
}

fn line(log: &Log, colours: Colours) -> String {
    let text = without_escapes(&log.message);
    match log.level {
        Level::Debug => colours.paint(Look::Faint, &text),
        Level::Log | Level::Info => text.into_owned(),
        Level::Warn => format!("{} {text}", colours.paint(Look::Warning, "warn:")),
        Level::Error => format!("{} {text}", colours.paint(Look::Error, "error:")),
    }
}
