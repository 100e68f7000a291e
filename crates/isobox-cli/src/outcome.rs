//! Prints the outcome of an execution.

use anyhow::{Context, Result, bail};
use isobox::text::{brief, marked, show_value, without_escapes};
use isobox::{ExecutionId, Facts, Interrupted, Outcome, Sleeping, Timestamp, Value, json};

use crate::Exit;
use crate::commands::Commands;
use crate::diagram::draw;
use crate::executions::moment::{duration, now};
use crate::pending::{Extent, draw_pause};
use crate::rows::Columns;
use crate::source::{Source, is_at_unnamed_file};
use crate::style::{
    Colours, Look, complain_of, complain_of_error, failure_of, is_quiet, print_error, print_json, print_laid_out,
    print_value, warn,
};

/// The output format of outcomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The whole outcome on one line.
    Json,
    /// The result alone. Everything else goes to standard error.
    Text,
}

impl Form {
    pub(crate) fn json_if(is_json: bool) -> Self {
        if is_json { Self::Json } else { Self::Text }
    }
}

/// Prints an outcome and returns the exit status.
pub(crate) fn tell_outcome(outcome: &Outcome, source: &Source, commands: &Commands, form: Form) -> Result<Exit> {
    match form {
        Form::Json => print_json(&with_files(outcome, source)?.to_string()).context("cannot write the outcome")?,
        Form::Text => show(outcome, source, commands)?,
    }
    Ok(Exit::of_outcome(outcome))
}

/// Returns the outcome as JSON. Every position names the file as the author named it.
pub(crate) fn with_files(outcome: &Outcome, source: &Source) -> Result<Value> {
    let mut json = serde_json::to_value(outcome)?;
    name_files(&mut json, source);
    Ok(json)
}

/// Names the file in every position of an outcome or a plan as the author named it.
pub(crate) fn name_files(outcome: &mut Value, source: &Source) {
    if source.name() == Source::STANDARD_INPUT {
        return;
    }
    let name = |file: &Value| Value::from(source.file(file.as_str()).0);
    if outcome["error"]["line"].is_number() {
        let details = &mut outcome["error"]["details"];
        if !details.is_object() {
            *details = json!({});
        }
        details["file"] = name(&details["file"]);
    }
    if let Some(findings) = outcome.pointer_mut("/error/details/findings").and_then(Value::as_array_mut) {
        for finding in findings.iter_mut().filter(|finding| finding["line"].is_number()) {
            finding["file"] = name(&finding["file"]);
        }
    }
    for call in outcome.get_mut("pending").and_then(Value::as_array_mut).into_iter().flatten() {
        name_file_of_call(call, source);
    }
}

/// Names the file in the position of a call as the author named it, if the call has a position.
pub(crate) fn name_file_of_call(call: &mut Value, source: &Source) {
    let place = call.get_mut("at").filter(|at| at.is_object() && source.name() != Source::STANDARD_INPUT);
    if let Some(at) = place {
        at["file"] = Value::from(source.file(at["file"].as_str()).0);
    }
}

/// Prints the error that ended a command, in the form that was asked for. Returns the exit status.
pub(crate) fn tell_error(error: anyhow::Error, form: Form) -> Exit {
    if form == Form::Text {
        complain_of_error(&error);
    }
    let failure = failure_of(error);
    if form == Form::Json && print_json(&json!({ "error": failure }).to_string()).is_err() {
        complain_of(&failure);
    }
    Exit::of_failure(&failure)
}

/// Formats the facts of a program. Every line starts with a mark, as those of the log do.
fn fact_lines(facts: &Facts, colours: Colours) -> Vec<String> {
    const FACTS: usize = 50;
    let mark = colours.paint(Look::Faint, "fact │");
    let line = |text: &str| format!("{mark} {}", without_escapes(text));
    let mut lines = Vec::new();
    for (name, value) in facts.iter().take(FACTS) {
        let text = format!("{}: {}", brief(name, 200), show_value(value, 200).text);
        lines.extend(text.lines().map(line));
    }
    if facts.len() > FACTS {
        lines.push(line(&format!("… {} more; --json shows all", facts.len() - FACTS)));
    }
    lines
}

/// Formats warnings: the same words once, with their number. Further ones are counted.
fn warning_lines(messages: &[&str]) -> Vec<String> {
    const WARNINGS: usize = 5;
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for message in messages {
        match counted.iter_mut().find(|(known, _)| known == message) {
            Some((_, count)) => *count += 1,
            None => counted.push((*message, 1)),
        }
    }
    let line = |(message, count): &(&str, usize)| match count {
        1 => (*message).to_owned(),
        _ => format!("{message} ({count} times)"),
    };
    let mut lines: Vec<String> = counted.iter().take(WARNINGS).map(line).collect();
    match counted.iter().skip(WARNINGS).map(|(_, count)| count).sum::<usize>() {
        0 => {}
        1 => lines.push("1 more warning; --json shows all".to_owned()),
        more => lines.push(format!("{more} more warnings; --json shows all")),
    }
    lines
}

fn show(outcome: &Outcome, source: &Source, commands: &Commands) -> Result<()> {
    let colours = Colours::of_standard_error();
    if !is_quiet() {
        fact_lines(outcome.facts(), colours).iter().for_each(|line| print_error(line));
    }
    match outcome {
        Outcome::Completed(completed) => {
            let messages: Vec<&str> = completed.warnings.iter().map(|warning| &*warning.message).collect();
            warning_lines(&messages).iter().for_each(|line| warn(line));
            print_value(&completed.result).context("cannot write the result")
        }
        Outcome::Paused(paused) => {
            let columns = Columns::of_standard_error();
            print_laid_out(&draw_pause(paused, source, commands, Extent::Beginning, (colours, columns)));
            Ok(())
        }
        Outcome::Sleeping(sleeping) => {
            print_laid_out(&draw_sleep(sleeping, commands, colours));
            Ok(())
        }
        Outcome::Failed(failed) => {
            let (file, text) = source.file_of(&failed.error);
            print_error(&draw(&failed.error, file, text, colours));
            if is_at_unnamed_file(&failed.error, source) {
                let hint = "name every file of the program on the command line, the entry file first";
                print_error(&format!("  {} {hint}", colours.paint(Look::Mark, "hint:")));
            }
            Ok(())
        }
        Outcome::Interrupted(interrupted) => {
            let columns = Columns::of_standard_error();
            print_laid_out(&draw_interruption(interrupted, commands, (colours, columns)));
            Ok(())
        }
        Outcome::RolledBack(rolled_back) => {
            print_error(&marked(&rolled_back.in_words()));
            if !rolled_back.failed.is_empty() {
                let again = commands.rollback(&rolled_back.execution_id);
                print_laid_out(&format!("  {} try again: {again}", colours.paint(Look::Mark, "hint:")));
            }
            Ok(())
        }
        _ => bail!("this version cannot show an outcome of this kind; use --json"),
    }
}

/// Draws a sleep: until when the program sleeps, and the commands that wake it then.
fn draw_sleep(sleeping: &Sleeping, commands: &Commands, colours: Colours) -> String {
    let (id, until) = (&sleeping.execution_id, in_words(sleeping.until));
    format!(
        "{}: {id} waits for a timer until {until}\nwait for it: {}\nwake everything that is due: {}\nend the execution: {}",
        colours.paint(Look::Warning, "sleeping"),
        commands.resume(id),
        commands.of_many("wake", ""),
        commands.cancel(id)
    )
}

/// Tells a person that this process waits for a timer of the program.
pub(crate) fn tell_sleep(sleeping: &Sleeping) {
    if is_quiet() {
        return;
    }
    let text = format!("sleeping until {} …", in_words(sleeping.until));
    print_error(&Colours::of_standard_error().paint(Look::Faint, &text));
}

/// Formats a time in the future, with the time that is left.
fn in_words(moment: Timestamp) -> String {
    format!("{moment} (in {})", duration(moment.0.saturating_sub(now().0)))
}

/// Draws an interruption: the error, that nothing is lost, and the command that resumes.
fn draw_interruption(interrupted: &Interrupted, commands: &Commands, (colours, columns): (Colours, Columns)) -> String {
    let Interrupted { execution_id: id, error, .. } = interrupted;
    let what = colours.paint(Look::Error, &format!("interrupted[{}]:", error.code));
    let message = without_escapes(&error.message);
    let hint = error
        .hint
        .as_deref()
        .map(|hint| format!("  {} {}\n", colours.paint(Look::Mark, "hint:"), without_escapes(hint)));
    let told = format!(
        "{what} {message}\n{}Execution {id} has not ended, and nothing is lost. Do not run the program again.",
        hint.unwrap_or_default()
    );
    format!("{}\nresume: {}", columns.broken(&told), commands.resume(id))
}

/// Reports that another process runs the execution. A killed process counts as alive until its lease expires.
pub(crate) fn tell_elsewhere(id: &ExecutionId, commands: &Commands, form: Form) -> Result<Exit> {
    match form {
        Form::Json => print_running(id)?,
        Form::Text => print_laid_out(&format!(
            "Another process runs this execution, or was killed less than 30 s ago.\ncollect the outcome or resume: {}",
            commands.resume(id)
        )),
    }
    Ok(Exit::NotOver)
}

/// Prints the JSON status of an execution that has no outcome yet.
pub(crate) fn print_running(id: &ExecutionId) -> Result<()> {
    print_json(&json!({ "executionId": id, "status": "running" }).to_string()).context("cannot write the status")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_in_json_name_the_file_of_the_author() {
        let source = Source::single("jobs/report.ts".to_owned(), "x".to_owned());
        let id = ExecutionId::new(1, 2);
        let error = json!({ "code": "THROWN", "name": "Error", "message": "x", "line": 1, "column": 1 });
        let rest = json!({ "executionId": id, "logs": [], "calls": [], "durationMs": 3 });
        let with = |status: &str, key: &str, value: &Value| {
            let mut all = rest.clone();
            (all["status"], all[key]) = (json!(status), value.clone());
            let outcome: Outcome = serde_json::from_value(all).expect("an outcome");
            with_files(&outcome, &source).expect("JSON")
        };
        assert_eq!(with("failed", "error", &error)["error"]["details"]["file"], "jobs/report.ts");
        let error = json!({ "code": "THROWN", "name": "Error", "message": "x", "line": 1, "column": 1,
                            "details": { "file": "csv" } });
        assert_eq!(with("failed", "error", &error)["error"]["details"]["file"], "csv", "a module of the host");
        let error = json!({ "code": "TIMEOUT", "name": "TimeoutError", "message": "x" });
        assert_eq!(with("failed", "error", &error)["error"], error);
        let finding = json!({ "code": "UNKNOWN_TOOL", "message": "x", "line": 2, "column": 1, "source": "y" });
        let error = json!({ "code": "CHECK", "name": "CheckError", "message": "x", "line": 2, "column": 1,
                            "details": { "findings": [finding] } });
        let shown = with("failed", "error", &error);
        assert_eq!(shown["error"]["details"]["findings"][0]["file"], "jobs/report.ts");
        let mut call = json!({ "seq": "0", "at": { "line": 1, "column": 7 } });
        name_file_of_call(&mut call, &source);
        assert_eq!(call["at"], json!({ "line": 1, "column": 7, "file": "jobs/report.ts" }));
        for unchanged in [json!(null), json!({ "seq": "0", "at": null }), json!({ "status": "planned", "result": 1 })] {
            let mut shown = unchanged.clone();
            name_files(&mut shown, &source);
            name_file_of_call(&mut shown, &source);
            assert_eq!(shown, unchanged);
        }
    }

    #[test]
    fn repeated_warnings_are_told_once_with_their_number_and_further_ones_are_counted() {
        let pending = "the call of `a` was still pending";
        assert_eq!(warning_lines(&[pending, "b", pending]), [format!("{pending} (2 times)"), "b".to_owned()]);
        let many = ["a", "b", "c", "d", "e", "f", "f", "g"];
        assert_eq!(warning_lines(&many).last().map(String::as_str), Some("3 more warnings; --json shows all"));
        assert_eq!(warning_lines(&many[..6]).last().map(String::as_str), Some("1 more warning; --json shows all"));
    }

    #[test]
    fn what_was_interrupted_is_not_to_be_run_again() {
        let id = ExecutionId::new(1, 2);
        let error =
            json!({ "code": "STORE", "name": "StoreError", "message": "the disk\u{1b} is full", "hint": "make room" });
        let all = json!({ "executionId": id, "error": error, "logs": [], "calls": [], "durationMs": 3 });
        let interrupted: Interrupted = serde_json::from_value(all).expect("an interruption");
        let commands = Commands::new(None, None, false);
        let text = draw_interruption(&interrupted, &commands, (Colours::Off, Columns::Unlimited))
            .replace(id.as_str(), "exec_1");
        insta::assert_snapshot!(text, @r"
        interrupted[STORE]: the disk\u{1b} is full
          hint: make room
        Execution exec_1 has not ended, and nothing is lost. Do not run the program again.
        resume: isobox executions resume exec_1
        ");
    }
}
