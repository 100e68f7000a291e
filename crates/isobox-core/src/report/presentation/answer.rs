//! The text of an outcome for a model.

use serde_json::Value;

use super::value::more;
use super::{CallSummary, error_parts, show_value, summarise_calls};
use crate::text::{brief, json_without_escapes, lines_without_escapes, marked, shorten, without_escapes};
use crate::{
    Code, Completed, Facts, Failure, Interrupted, Level, Log, Outcome, Paused, PendingCall, PendingKind, Sleeping,
};

/// The maximum number of characters of one log line.
const MAX_LINE: usize = 1000;
/// The maximum number of tokens of one input.
const INPUT: usize = 100;
/// The maximum number of pending calls that are described one by one, and of tools that are named with their numbers.
const PENDING: usize = 5;
/// The maximum number of facts.
const FACTS: usize = 50;
/// The maximum number of warnings.
const WARNINGS: usize = 5;

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

/// Returns the text of an outcome for a model: the result or the error, then warnings, then facts, then the calls if
/// requested, then the log.
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
        Outcome::Sleeping(sleeping) => sleep_text(sleeping),
        Outcome::Failed(failed) => error_text(&failed.error),
        Outcome::Interrupted(interrupted) => interruption_text(interrupted),
        Outcome::RolledBack(rolled_back) => rolled_back.in_words(),
    };
    let calls = options.calls.as_ref().map(|summary| summarise_calls(outcome.calls(), summary));
    let (facts, log) = (fact_text(outcome.facts()), log_text(outcome.logs(), options.log_lines));
    let parts = [Some(result), warning_text(outcome), Some(facts), calls, Some(log)];
    let said: Vec<String> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    said.join("\n\n")
}

/// Returns the outcome as JSON for a model, within the same budget as [`answer_text`]: a large value is replaced by the
/// text of its outline, and log lines and calls that do not fit are left out. If anything was left out, `truncated` is true. If pending
/// calls were, `pendingCount` is their number.
pub fn answer_json(outcome: &Outcome, options: &AnswerOptions) -> Value {
    /// The maximum number of calls without a summary.
    const CALLS: usize = 50;
    let mut json = serde_json::to_value(outcome).unwrap_or_default();
    let mut is_cut = false;
    if let Outcome::Completed(completed) = outcome {
        let shown = show_value(&completed.result, options.result);
        if shown.is_cut {
            json["result"] = Value::String(shown.text);
            is_cut = true;
        }
    }
    is_cut |= cut_error(&mut json, INPUT);
    if let Some(Value::Array(logs)) = json.get_mut("logs") {
        is_cut |= logs.len() > options.log_lines;
        logs.truncate(options.log_lines);
        for (log, line) in logs.iter_mut().zip(outcome.logs()) {
            if line.message.chars().nth(MAX_LINE).is_some() {
                log["message"] = Value::String(shorten(&line.message, MAX_LINE));
                is_cut = true;
            }
        }
    }
    if let Some(Value::Object(facts)) = json.get_mut("facts") {
        is_cut |= facts.len() > FACTS;
        *facts = std::mem::take(facts).into_iter().take(FACTS).collect();
    }
    if let Some(facts) = json.get_mut("facts") {
        let names: Vec<String> = facts.as_object().into_iter().flat_map(|facts| facts.keys().cloned()).collect();
        is_cut |= cut_parts(facts, &names.iter().map(String::as_str).collect::<Vec<_>>(), INPUT);
    }
    if let Some(Value::Array(calls)) = json.get_mut("calls") {
        let most = options.calls.as_ref().map_or(CALLS, |summary| summary.entries);
        is_cut |= calls.len() > most;
        calls.truncate(most);
        let details = options.calls.as_ref().map_or(INPUT, |summary| summary.tokens / most.max(1));
        for call in calls {
            is_cut |= cut_parts(call, &["input", "output"], details) | cut_error(call, details);
            if let Some(message) = call.pointer_mut("/error/message") {
                let short = message.as_str().map(|message| shorten(message, MAX_LINE)).unwrap_or_default();
                is_cut |= *message != short;
                *message = Value::String(short);
            }
        }
    }
    let mut pending_count = None;
    if let Some(Value::Array(pending)) = json.get_mut("pending") {
        pending_count = Some(pending.len()).filter(|count| *count > PENDING);
        pending.truncate(PENDING);
        for call in pending {
            is_cut |= cut_parts(call, &["input", "payload"], INPUT);
            is_cut |= call.get_mut("snippet").is_some_and(|snippet| cut_parts(snippet, &["code"], INPUT));
        }
    }
    if let Some(count) = pending_count {
        json["pendingCount"] = count.into();
        is_cut = true;
    }
    if let Some(Value::Array(warnings)) = json.get_mut("warnings") {
        is_cut |= warnings.len() > WARNINGS;
        warnings.truncate(WARNINGS);
    }
    if is_cut {
        json["truncated"] = Value::Bool(true);
    }
    json
}

/// Replaces parts of a call that are larger than this many tokens by the texts of their outlines. Returns whether one was.
fn cut_parts(call: &mut Value, parts: &[&str], tokens: usize) -> bool {
    let mut is_cut = false;
    for part in parts {
        let shown = call.get(part).map(|value| show_value(value, tokens));
        if let Some(shown) = shown.filter(|shown| shown.is_cut) {
            call[part] = Value::String(shown.text);
            is_cut = true;
        }
    }
    is_cut
}

/// Replaces details of an error that are larger than this many tokens by the texts of their outlines. Returns whether one
/// was.
fn cut_error(failed: &mut Value, tokens: usize) -> bool {
    let Some(details) = failed.pointer_mut("/error/details") else { return false };
    let keys: Vec<String> = details.as_object().into_iter().flat_map(|details| details.keys().cloned()).collect();
    let keys: Vec<&str> =
        keys.iter().map(String::as_str).filter(|key| !matches!(*key, "stack" | "source" | "findings")).collect();
    cut_parts(details, &keys, tokens)
}

fn warning_text(outcome: &Outcome) -> Option<String> {
    let Outcome::Completed(Completed { warnings, .. }) = outcome else { return None };
    let mut lines: Vec<String> = warnings
        .iter()
        .take(WARNINGS)
        .map(|warning| format!("warning: {}", without_escapes(&warning.message)))
        .collect();
    if let Some(more) = warnings.len().checked_sub(WARNINGS).filter(|more| *more > 0) {
        lines.push(format!("… and {more} more warnings"));
    }
    Some(lines.join("\n"))
}

fn pause_text(paused: &Paused) -> String {
    let id = &paused.execution_id;
    let mut text = format!("The program is paused: execution {id} is waiting for the decision of a person.");
    let count = paused.pending.len();
    if count > PENDING {
        text.push_str(&format!("\n{count} calls are pending: {}. The first of them:", counted(paused)));
    }
    for call in paused.pending.iter().take(PENDING) {
        let what = match call.kind {
            PendingKind::Approval => "needs approval",
            PendingKind::Interrupt => "needs an answer from outside",
            PendingKind::InDoubt => "may or may not have happened",
        };
        let why = call.why.as_ref().map(|why| format!(" ({})", without_escapes(why))).unwrap_or_default();
        let input = show_value(&call.input, INPUT).text;
        let (path, input) = (brief(&call.path, 200), json_without_escapes(&input));
        let of = format!("call {} of `{path}`{}", call.seq, undoes(call));
        text.push_str(&format!("\n{of} {what}{why}: {input}"));
    }
    if let Some(until) = paused.until {
        text.push_str(&format!("\nWithout a decision, the program continues at {until}, when its timer is due."));
    }
    text
}

/// Names the call that a call of a rollback reverts, as a clause.
fn undoes(call: &PendingCall) -> String {
    let Some(reverts) = call.reverts else { return String::new() };
    let path = call.reverts_path.as_ref().map(|path| format!(" of `{}`", brief(path, 200))).unwrap_or_default();
    format!(", which undoes call {reverts}{path},")
}

fn sleep_text(sleeping: &Sleeping) -> String {
    let Sleeping { execution_id: id, until, .. } = sleeping;
    format!("The program sleeps: execution {id} continues at {until}, when its timer is due. Do not run it again.")
}

/// Names the tools of pending calls with the numbers of their calls.
fn counted(paused: &Paused) -> String {
    let counts = paused.pending_by_tool();
    let mut parts: Vec<String> =
        counts.iter().take(PENDING).map(|(path, count)| format!("{count} of `{}`", brief(path, 200))).collect();
    if counts.len() > PENDING {
        parts.push(format!("the rest of {} other tools", counts.len() - PENDING));
    }
    parts.join(", ")
}

fn interruption_text(interrupted: &Interrupted) -> String {
    let Interrupted { execution_id: id, error, .. } = interrupted;
    format!(
        "The program was interrupted, and is not over: {}: {}\nNothing that it did is lost. Do not run it again: \
         resume execution {id}.",
        error.code,
        marked(&error.message)
    )
}

fn error_text(error: &Failure) -> String {
    let place = match (error.line, error.column) {
        (Some(line), Some(column)) => format!(" (line {line}, column {column})"),
        _ => String::new(),
    };
    let findings = error.details.get("findings").and_then(Value::as_array).filter(|_| error.code == Code::Check);
    if let Some(findings) = findings.filter(|findings| findings.len() > 1) {
        return findings_text(error, findings);
    }
    let source = error.details.get("source").and_then(Value::as_str);
    let source = source.map(|line| format!("\n  {}", without_escapes(line))).unwrap_or_default();
    let hint = error.hint.as_ref().map(|hint| format!("\nhint: {}", marked(hint))).unwrap_or_default();
    let (name, message) = (without_escapes(&error.name), marked(&error.message));
    let parts: String = error_parts(error).iter().map(|part| format!("\n{part}")).collect();
    format!("{}: {name}: {message}{place}{source}{parts}{hint}", error.code)
}

/// Returns the text of everything that is wrong with a program.
fn findings_text(error: &Failure, findings: &[Value]) -> String {
    let mut text = format!("{}: the program was not run, because it has mistakes:", error.code);
    for finding in findings {
        let part = |key: &str| finding.get(key).and_then(Value::as_str).unwrap_or_default();
        let number = |key: &str| finding.get(key).and_then(Value::as_u64).unwrap_or_default();
        let file = Some(part("file")).filter(|file| !file.is_empty());
        let file = file.map(|file| format!("{}, ", brief(file, 80))).unwrap_or_default();
        let (code, message) = (without_escapes(part("code")), marked(part("message")));
        text.push_str(&format!("\n- {code}: {message} ({file}line {}, column {})", number("line"), number("column")));
        text.push_str(&format!("\n  {}", without_escapes(part("source"))));
        if !part("hint").is_empty() {
            text.push_str(&format!("\n  hint: {}", marked(part("hint"))));
        }
    }
    text
}

/// Returns the facts with a mark before each, so that no line passes for another part of the answer.
fn fact_text(facts: &Facts) -> String {
    if facts.is_empty() {
        return String::new();
    }
    let mut text = "facts:".to_owned();
    for (name, value) in facts.iter().take(FACTS) {
        let (name, value) = (brief(name, 200), show_value(value, INPUT).text);
        let value = json_without_escapes(&value).replace('\n', "\n| ");
        text.push_str(&format!("\n| {}: {value}", without_escapes(&name)));
    }
    if facts.len() > FACTS {
        text.push_str(&format!("\n… {}", more(facts.len() - FACTS, "fact")));
    }
    text
}

/// Returns the log with a mark before each line, so that no line passes for another part of the answer.
fn log_text(logs: &[Log], lines: usize) -> String {
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
