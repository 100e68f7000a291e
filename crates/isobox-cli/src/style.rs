//! Printing: colours on terminals, plain text elsewhere, and no terminal control sequences from outside.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use isobox::config::ConfigError;
use isobox::text::{json_without_escapes, marked, without_escapes};
use isobox::{Code, Failure, Value};

use crate::rows::Columns;

/// The look of a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    Strong,
    Error,
    Warning,
    Faint,
    Mark,
}

/// The use of colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colours {
    On,
    Off,
}

impl Colours {
    /// Returns `On` if standard error is a terminal that supports colours and NO_COLOR is not set.
    pub(crate) fn of_standard_error() -> Self {
        Self::of(&io::stderr())
    }

    /// Returns the same for standard output.
    pub(crate) fn of_standard_output() -> Self {
        Self::of(&io::stdout())
    }

    fn of(stream: &impl IsTerminal) -> Self {
        #[expect(clippy::disallowed_methods, reason = "the conventions are environment variables")]
        let variable = |name| std::env::var(name).unwrap_or_default();
        let are_wanted = variable("NO_COLOR").is_empty() && variable("TERM") != "dumb";
        if are_wanted && stream.is_terminal() { Self::On } else { Self::Off }
    }

    pub(crate) fn paint(self, look: Look, text: &str) -> String {
        let code = match look {
            Look::Strong => "1",
            Look::Error => "1;31",
            Look::Warning => "33",
            Look::Faint => "2",
            Look::Mark => "1;34",
        };
        match self {
            Self::On => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            Self::Off => text.to_owned(),
        }
    }
}

/// Returns the width of standard output in characters.
pub(crate) fn width() -> usize {
    const UNKNOWN: usize = 100;
    width_of_terminal().unwrap_or(UNKNOWN)
}

/// Returns the width of standard output, if it is a terminal.
pub(crate) fn width_of_terminal() -> Option<usize> {
    console::Term::stdout().size_checked().map(|(_, columns)| usize::from(columns))
}

/// Prints an error about the request itself.
pub(crate) fn complain(problem: &str) {
    complain_in_our_words(&marked(problem));
}

/// Prints a failure and its hint.
pub(crate) fn complain_of(failure: &Failure) {
    let hint = failure.hint.as_ref().map(|hint| format!("\n  hint: {}", marked(hint))).unwrap_or_default();
    complain_in_our_words(&format!("{}{hint}", marked(&failure.message)));
}

/// Prints an error of any kind.
pub(crate) fn complain_of_error(error: &anyhow::Error) {
    if let Some(failure) = error.downcast_ref::<Failure>() {
        complain_of(failure);
    } else if let Some(error) = error.downcast_ref::<ConfigError>() {
        // The message is a drawing of several lines, and quoted text in it is already escaped.
        complain_in_our_words(&error.to_string());
    } else {
        complain(&format!("{error:#}"));
    }
}

/// Converts any error to a failure, for JSON output.
pub(crate) fn failure_of(error: anyhow::Error) -> Failure {
    let error = match error.downcast::<Failure>() {
        Ok(failure) => return failure,
        Err(error) => error,
    };
    match error.downcast::<ConfigError>() {
        Ok(error) => error.into(),
        Err(error) => Failure::new(Code::Config, format!("{error:#}")),
    }
}

fn complain_in_our_words(problem: &str) {
    print_error(&format!("{}: {problem}", Colours::of_standard_error().paint(Look::Error, "error")));
}

/// Prints lines to standard error, and breaks those that are longer than a row. The caller has escaped all text from
/// outside. Ignores a closed standard error.
pub(crate) fn print_error(lines: &str) {
    print_laid_out(&Columns::of_standard_error().broken(lines));
}

/// Prints lines to standard error as they are. No line with text from outside is longer than a row; a command of ours may
/// be, so that it can be copied.
pub(crate) fn print_laid_out(lines: &str) {
    drop(writeln!(io::stderr(), "{lines}"));
}

/// Prints text to standard output without terminal control sequences, and breaks lines that are longer than a row. Ignores
/// a closed pipe.
pub(crate) fn print_lines(text: &str) -> io::Result<()> {
    let clean: Vec<String> = text.lines().map(|line| without_escapes(line).into_owned()).collect();
    print_drawn(&Columns::of_standard_output().broken(&clean.join("\n")))
}

/// Prints a drawing to standard output, with its colours. The caller has escaped all text from outside, and broken the
/// lines that it is in. Ignores a closed pipe.
pub(crate) fn print_drawn(text: &str) -> io::Result<()> {
    match io::stdout().lock().write_all(format!("{text}\n").as_bytes()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Prints the value of a program or tool: indented on a terminal, on one line elsewhere.
pub(crate) fn print_value(value: &Value) -> io::Result<()> {
    let text = if io::stdout().is_terminal() { format!("{value:#}") } else { value.to_string() };
    print_json(&text)
}

/// Prints JSON to standard output and escapes control sequences and invisible characters. Ignores a closed pipe.
pub(crate) fn print_json(json: &str) -> io::Result<()> {
    let mut text = json_without_escapes(json).into_owned();
    text.push('\n');
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Whether `--quiet` was given: warnings, logs and progress are not printed.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

pub(crate) fn be_quiet() {
    IS_QUIET.store(true, Ordering::Relaxed);
}

pub(crate) fn is_quiet() -> bool {
    IS_QUIET.load(Ordering::Relaxed)
}

/// Prints a warning, unless it was printed before or no warnings are wanted. The text may quote anything; it is escaped
/// here.
pub(crate) fn warn(text: &str) {
    warn_with_hint(text, None);
}

/// Prints a warning and its hint, unless both were printed before or no warnings are wanted.
pub(crate) fn warn_with_hint(text: &str, hint: Option<&str>) {
    /// The warnings that were printed, with their hints. A process that runs for long forgets them now and then.
    static PRINTED: Mutex<BTreeSet<(String, Option<String>)>> = Mutex::new(BTreeSet::new());
    const REMEMBERED: usize = 1000;
    let mut printed = PRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    if printed.len() >= REMEMBERED {
        printed.clear();
    }
    if printed.insert((text.to_owned(), hint.map(str::to_owned))) {
        print_warning(text, hint);
    }
}

/// Prints a warning and its hint, unless no warnings are wanted.
pub(crate) fn print_warning(text: &str, hint: Option<&str>) {
    if is_quiet() {
        return;
    }
    let colours = Colours::of_standard_error();
    let hint = hint.map(|hint| format!("\n  {}", marked(hint))).unwrap_or_default();
    print_error(&format!("{} {}{hint}", colours.paint(Look::Warning, "warn:"), marked(text)));
}
