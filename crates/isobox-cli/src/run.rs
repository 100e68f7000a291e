//! `isobox run`.

use std::convert::Infallible;
use std::io::IsTerminal;
use std::num::NonZeroU32;

use anyhow::{Context, Result, bail};
use isobox::{CancellationToken, Isobox, Level, Log, Outcome, Run, demo, without_escapes};

use crate::Exit;
use crate::arguments::RunOptions;
use crate::diagram::draw;
use crate::source::{Source, is_at_unnamed_file};
use crate::style::{Colours, Look, print_error, print_json};

pub(crate) fn run(options: &RunOptions) -> Result<Exit> {
    let limits = options.limits.limits();
    let source = Source::read(&options.files, limits.source.get())?;
    let tools = if options.demo { demo::tools()? } else { Vec::new() };
    let isobox = Isobox::builder().tools(tools).limits(limits).max_live(NonZeroU32::MIN).build()?;
    let executor = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let outcome = executor.block_on(async {
        let token = CancellationToken::new();
        let mut run = Run::new(source.program.clone()).cancelled_by(token.clone());
        if let Some(seed) = options.seed {
            run = run.seed(seed);
        }
        let execution = isobox.run(run);
        tokio::select! {
            outcome = execution => outcome,
            never = cancel_at_interrupt(token) => match never {},
        }
    });
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

/// The first interrupt stops the program; the second one the process.
async fn cancel_at_interrupt(token: CancellationToken) -> Infallible {
    const INTERRUPTED: i32 = 130;
    if tokio::signal::ctrl_c().await.is_ok() {
        token.cancel();
        if tokio::signal::ctrl_c().await.is_ok() {
            std::process::exit(INTERRUPTED);
        }
    }
    std::future::pending().await
}

fn show(outcome: &Outcome, source: &Source) -> Result<()> {
    let colours = Colours::of_standard_error();
    for log in outcome.logs() {
        print_error(&line(log, colours));
    }
    match outcome {
        Outcome::Completed(completed) => {
            let json = if std::io::stdout().is_terminal() {
                serde_json::to_string_pretty(&completed.result)
            } else {
                serde_json::to_string(&completed.result)
            };
            print_json(&json?).context("cannot write the result")
        }
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
