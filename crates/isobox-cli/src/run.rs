//! `isobox run`.

use std::convert::Infallible;
use std::io::{IsTerminal, Read};
use std::num::NonZeroU32;
use std::path::Path;

use anyhow::{Context, Result, bail};
use isobox::{CancellationToken, Isobox, Level, Log, Outcome, Program, Run, demo, without_escapes};

use crate::Exit;
use crate::arguments::RunOptions;
use crate::diagram::draw;
use crate::style::{Colours, Look, print_error, print_json};

pub(crate) fn run(options: &RunOptions) -> Result<Exit> {
    let limits = options.limits.limits();
    let (name, source) = read_program(options.file.as_deref(), limits.source.get())?;
    let tools = if options.demo { demo::tools()? } else { Vec::new() };
    let isobox = Isobox::builder().tools(tools).limits(limits).max_live(NonZeroU32::MIN).build()?;
    let executor = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let outcome = executor.block_on(async {
        let token = CancellationToken::new();
        let mut run = Run::new(Program::single(source.clone())).cancelled_by(token.clone());
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
        show(&outcome, &name, &source)?;
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

/// The name and the text of the program; no more of it than it takes to see that it is too large.
fn read_program(file: Option<&Path>, limit: u64) -> Result<(String, String)> {
    let (name, reader): (String, Box<dyn Read>) = match file {
        Some(path) if path != Path::new("-") => {
            let name = path.display().to_string();
            let file = std::fs::File::open(path).with_context(|| format!("cannot read {name}"))?;
            (name, Box::new(file))
        }
        None if std::io::stdin().is_terminal() => {
            bail!("no program: name a file, or pipe one in. Try `isobox run --help`.")
        }
        _ => ("<stdin>".to_owned(), Box::new(std::io::stdin())),
    };
    let mut bytes = Vec::new();
    let name_of = || without_escapes(&name).into_owned();
    reader
        .take(limit.saturating_add(1))
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot read {}", name_of()))?;
    // One that is cut in the middle of a character is too large anyway.
    match String::from_utf8(bytes) {
        Ok(source) => Ok((name, source)),
        Err(error) if error.as_bytes().len() as u64 > limit => {
            Ok((name, String::from_utf8_lossy(error.as_bytes()).into_owned()))
        }
        Err(error) => {
            bail!("{} is not text: byte {} is not UTF-8", name_of(), error.utf8_error().valid_up_to() + 1)
        }
    }
}

fn show(outcome: &Outcome, file: &str, source: &str) -> Result<()> {
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
            print_error(&draw(&failed.error, file, source, colours));
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
