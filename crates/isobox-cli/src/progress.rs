//! Prints the logs of a running program and the progress of its calls.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use isobox::Value;
use isobox::events::{Content, Event, EventKind, Level, Log, Observer};
use isobox::text::{brief, lines_without_escapes};

use crate::style::{Colours, Look, is_quiet, print_error};

/// Prints log entries as they arrive. On a terminal, also prints the progress of calls.
pub(crate) struct Printer(ProgressPrinter);

impl Printer {
    pub(crate) fn new() -> Self {
        Self(ProgressPrinter::new())
    }
}

impl Observer for Printer {
    fn observe(&self, event: &Event) {
        if is_quiet() {
            return;
        }
        if let EventKind::Logged(log) = &event.kind {
            print_error(&log_lines(log, Colours::of_standard_error()));
        }
        self.0.observe(event);
    }
}

/// Formats a log entry. Every line starts with a mark that no line of this command has, so a program cannot imitate a
/// message or a question of the command. Rows of a long line are marked where it is printed.
fn log_lines(log: &Log, colours: Colours) -> String {
    let (level, look) = match log.level {
        Level::Debug => ("debug", Look::Faint),
        Level::Log => ("log", Look::Faint),
        Level::Info => ("info", Look::Faint),
        Level::Warn => ("warn", Look::Warning),
        Level::Error => ("error", Look::Error),
    };
    let mark = colours.paint(look, &format!("{level} {BAR}"));
    let line = |line: isobox::text::OneLine<'_>| format!("{mark} {line}").trim_end().to_owned();
    lines_without_escapes(&log.message).map(line).collect::<Vec<_>>().join("\n")
}

/// Separates the log level from the text of the program.
const BAR: char = '│';

/// Prints the progress of calls to standard error if it is a terminal. Limits the rate to one line per `INTERVAL`.
pub(crate) struct ProgressPrinter {
    is_watched: bool,
    printed: Mutex<Option<Instant>>,
}

/// The minimum time between two progress lines.
const INTERVAL: Duration = Duration::from_millis(100);

impl ProgressPrinter {
    pub(crate) fn new() -> Self {
        Self { is_watched: io::stderr().is_terminal() && !is_quiet(), printed: Mutex::new(None) }
    }

    #[expect(clippy::disallowed_methods, reason = "people read in real time")]
    fn is_due(&self) -> bool {
        let mut printed = self.printed.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = printed.is_none_or(|printed| printed.elapsed() >= INTERVAL);
        if is_due {
            *printed = Some(Instant::now());
        }
        is_due
    }
}

impl Observer for ProgressPrinter {
    fn observe(&self, event: &Event) {
        if let EventKind::CallProgressed { path, progress, .. } = &event.kind
            && self.is_watched
            && self.is_due()
        {
            let line = format!("call {BAR} {}", progress_line(path, progress));
            print_error(&Colours::of_standard_error().paint(Look::Faint, &line));
        }
    }
}

/// Formats the progress of a call as one line: a count with a message if the value has that form, JSON otherwise.
pub(crate) fn progress_line(path: &str, progress: &Content) -> String {
    const MAX_LENGTH: usize = 160;
    let text = match &progress.value {
        None => progress.bytes.map(|bytes| format!("{bytes} bytes")).unwrap_or_default(),
        Some(value) => counted(value).unwrap_or_else(|| value.to_string()),
    };
    format!("{}: {}", brief(path, MAX_LENGTH), brief(&text, MAX_LENGTH))
}

/// Formats the progress value of an MCP server: `progress`, optionally `total` and `message`, and no other field.
fn counted(value: &Value) -> Option<String> {
    let fields = value.as_object()?;
    if !fields.keys().all(|key| matches!(key.as_str(), "progress" | "total" | "message")) {
        return None;
    }
    let number = |key: &str| fields.get(key).and_then(Value::as_f64);
    let total = number("total").map(|total| format!("/{total}")).unwrap_or_default();
    let message = fields.get("message").and_then(Value::as_str).map(|text| format!(" {text}")).unwrap_or_default();
    Some(format!("{}{total}{message}", number("progress")?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobox::json;

    #[test]
    fn every_line_of_a_log_is_marked_as_the_programs() {
        let drawn = |level, message: &str| log_lines(&Log { level, message: message.to_owned() }, Colours::Off);
        assert_eq!(drawn(Level::Log, "one"), "log │ one");
        assert_eq!(
            drawn(Level::Error, "x\nerror[INTERNAL]: gone\r\n\nApprove call 0?\u{2028}y\rz\u{200b}"),
            "error │ x\nerror │ error[INTERNAL]: gone\nerror │\nerror │ Approve call 0?\\u{2028}y\\rz\\u{200b}"
        );
    }

    #[test]
    fn progress_is_a_line_that_steers_no_terminal() {
        let line = |value: Option<Value>| progress_line("a.b", &Content { bytes: Some(7), value });
        assert_eq!(line(None), "a.b: 7 bytes");
        assert_eq!(
            line(Some(json!({ "progress": 3, "total": 10, "message": "half\n\u{1b}[31m" }))),
            "a.b: 3/10 half\\n\\u{1b}[31m"
        );
        assert_eq!(line(Some(json!({ "progress": 0.5 }))), "a.b: 0.5");
        assert_eq!(line(Some(json!({ "progress": 1, "rows": [] }))), r#"a.b: {"progress":1,"rows":[]}"#);
        assert_eq!(line(Some(json!("x".repeat(1_000)))).chars().count(), "a.b: ".len() + 160 + 1);
    }
}
