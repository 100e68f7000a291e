//! The text of an outcome for a model.

use serde_json::Value;

use super::value::more;
use super::{CallSummary, show_value, summarise_calls};
use crate::text::{brief, json_without_escapes, lines_without_escapes, marked, without_escapes};
use crate::{Failure, Interrupted, Level, Log, Outcome, Paused, PendingKind};

/// The options for the text of an outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnswerOptions {
    /// The maximum number of tokens of a result.
    pub result: usize,
    /// The maximum number of lines of the log.
    pub log_lines: usize,
    /// The options for the summary of calls. None leaves it out.
    pub calls: Option<CallSummary>,
}

impl AnswerOptions {
    setters! {
        result: usize,
        log_lines: usize,
        calls: impl Into<Option<CallSummary>>,
    }
}

impl Default for AnswerOptions {
    fn default() -> Self {
        Self { result: 6000, log_lines: 50, calls: None }
    }
}

/// Returns the text of an outcome for a model: the result or the error, then the calls if requested, then the log.
///
/// ```
/// use isobox_core::{AnswerOptions, Code, ExecutionId, Failure, Outcome, answer_text};
///
/// let failure = Failure::new(Code::UnknownTool, "unknown tool: `mail.sent`; did you mean `mail.send`?").at(3, 7);
/// let outcome = Outcome::refused(ExecutionId::new(0, 1), failure);
/// assert_eq!(
///     answer_text(&outcome, &AnswerOptions::default()),
///     "UNKNOWN_TOOL: UnknownToolError: unknown tool: `mail.sent`; did you mean `mail.send`? (line 3, column 7)"
/// );
/// ```
pub fn answer_text(outcome: &Outcome, options: &AnswerOptions) -> String {
    let result = match outcome {
        Outcome::Completed(completed) => show_value(&completed.result, options.result).text,
        Outcome::Paused(paused) => pause_text(paused),
        Outcome::Failed(failed) => error_text(&failed.error),
        Outcome::Interrupted(interrupted) => interruption_text(interrupted),
    };
    let calls = options.calls.as_ref().map(|summary| summarise_calls(outcome.calls(), summary));
    let parts = [Some(result), calls, Some(log_text(outcome.logs(), options.log_lines))];
    let said: Vec<String> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    said.join("\n\n")
}

fn pause_text(paused: &Paused) -> String {
    /// The maximum number of tokens of one input.
    const INPUT: usize = 100;
    let id = &paused.execution_id;
    let mut text = format!("The program is paused: execution {id} is waiting for the decision of a person.");
    for call in &paused.pending {
        let what = match call.kind {
            PendingKind::Approval => "needs approval",
            PendingKind::Interrupt => "needs an answer from outside",
            PendingKind::InDoubt => "may or may not have happened",
        };
        let why = call.why.as_ref().map(|why| format!(" ({})", without_escapes(why))).unwrap_or_default();
        let input = show_value(&call.input, INPUT).text;
        let (path, input) = (brief(&call.path, 200), json_without_escapes(&input));
        text.push_str(&format!("\ncall {} of `{path}` {what}{why}: {input}", call.seq));
    }
    text
}

fn interruption_text(interrupted: &Interrupted) -> String {
    let Interrupted { execution_id: id, error, .. } = interrupted;
    format!(
        "The program was interrupted, and is not over: {}: {}\nNothing that it did is lost. Do not run it again: \
         resume execution {id}.",
        error.code, error.message
    )
}

fn error_text(error: &Failure) -> String {
    let place = match (error.line, error.column) {
        (Some(line), Some(column)) => format!(" (line {line}, column {column})"),
        _ => String::new(),
    };
    let source = error.details.get("source").and_then(Value::as_str);
    let source = source.map(|line| format!("\n  {}", without_escapes(line))).unwrap_or_default();
    let hint = error.hint.as_ref().map(|hint| format!("\nhint: {}", marked(hint))).unwrap_or_default();
    let (name, message) = (without_escapes(&error.name), marked(&error.message));
    format!("{}: {name}: {message}{place}{source}{hint}", error.code)
}

/// Returns the log with a mark before each line, so that no line passes for another part of the answer.
fn log_text(logs: &[Log], lines: usize) -> String {
    /// The maximum number of characters of one line.
    const MAX_LINE: usize = 1000;
    if logs.is_empty() {
        return String::new();
    }
    let mut text = "log:".to_owned();
    for log in logs.iter().take(lines) {
        let level = match log.level {
            Level::Log | Level::Info => "",
            Level::Debug => "debug: ",
            Level::Warn => "warn: ",
            Level::Error => "error: ",
        };
        let message: String = log.message.chars().take(MAX_LINE).collect();
        for line in lines_without_escapes(&message) {
            text.push_str(&format!("\n| {level}{line}"));
        }
    }
    if logs.len() > lines {
        text.push_str(&format!("\n… {}", more(logs.len() - lines, "line")));
    }
    text
}
