//! Compares outcomes with the expectations of a case.

use std::sync::{Arc, Mutex, PoisonError};

use isobox::events::{Event, EventKind, Observer};
use isobox::{Failure, Outcome, Value};

use crate::{Case, ExpectedError, SpecRollback};

/// The events that a host observes while a case runs and that are not in the outcome.
#[derive(Debug, Clone, Default)]
pub struct Diary(Arc<Mutex<Told>>);

#[derive(Debug, Default)]
struct Told {
    mismatches: Vec<String>,
    progress: Vec<(String, Value)>,
}

impl Observer for Diary {
    fn observe(&self, event: &Event) {
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &event.kind {
            EventKind::OutputMismatched { failure, .. } => told.mismatches.push(failure.message.clone()),
            EventKind::CallProgressed { path, progress, .. } => {
                told.progress.push((path.clone(), progress.value.clone().unwrap_or_default()));
            }
            _ => {}
        }
    }
}

impl Diary {
    /// Compares the events with the expectations. The error lists all differences, one per line.
    pub fn compare(&self, case: &Case) -> Result<(), String> {
        let told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut differences = Vec::new();
        let mut progress = Vec::new();
        for (path, json) in &case.header.expect.progress {
            let value = serde_json::from_str(json).map_err(|error| format!("`{json}` is not JSON: {error}"))?;
            progress.push((path.clone(), value));
        }
        differ(&mut differences, "progress", &told.progress, &progress);
        differ(&mut differences, "mismatches", &told.mismatches, &case.header.expect.mismatches);
        if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
    }
}

/// Compares an outcome with the expectations. The error lists all differences, one per line.
pub fn compare(case: &Case, outcome: &Outcome) -> Result<(), String> {
    let mut differences = Vec::new();
    let expect = &case.header.expect;
    match (outcome, case.expected_result()?, &expect.error) {
        (Outcome::Completed(completed), Some(expected), _) => {
            differ(&mut differences, "result", &completed.result, &expected);
            let warnings: Vec<String> = completed.warnings.iter().map(|warning| warning.message.clone()).collect();
            differ(&mut differences, "warnings", &warnings, &expect.warnings);
        }
        (Outcome::Failed(failed), None, Some(expected)) => compare_error(&mut differences, &failed.error, expected),
        (Outcome::Completed(completed), None, _) => {
            differences.push(format!("it completed with {}", completed.result));
        }
        (Outcome::Failed(failed), ..) => {
            let error = serde_json::to_string(&failed.error).map_err(|error| error.to_string())?;
            differences.push(format!("it failed with {error}"));
        }
        (Outcome::Paused(paused), ..) => differences.push(format!("it paused with {:?} pending", paused.pending)),
        _ => differences.push("no case expects an outcome of this kind".to_owned()),
    }
    let logs: Vec<(String, String)> =
        outcome.logs().iter().map(|log| (word(&log.level), log.message.clone())).collect();
    differ(&mut differences, "logs", &logs, &expect.logs);
    let facts = expect.facts.as_deref().unwrap_or("{}");
    let facts = serde_json::from_str(facts).map_err(|error| format!("the expected facts are not JSON: {error}"))?;
    differ(&mut differences, "facts", &Value::Object(outcome.facts().clone()), &facts);
    let calls: Vec<(String, String)> =
        outcome.calls().iter().map(|call| (call.path.clone(), word(&call.state))).collect();
    differ(&mut differences, "calls", &calls, &expect.calls);
    let inputs: Vec<String> =
        outcome.calls().iter().filter_map(|call| call.input.as_ref()).map(Value::to_string).collect();
    differ(&mut differences, "inputs", &inputs, &expect.inputs);
    if differences.is_empty() { Ok(()) } else { Err(format!("{}\n{}", case.header.title, differences.join("\n"))) }
}

/// Compares the outcome of a rollback with the expectations.
pub fn compare_rollback(case: &Case, expect: &SpecRollback, outcome: &Outcome) -> Result<(), String> {
    let mut differences = Vec::new();
    let calls: Vec<(String, String)> =
        outcome.calls().iter().map(|call| (call.path.clone(), word(&call.state))).collect();
    differ(&mut differences, "calls", &calls, &expect.calls);
    let (failed, left, error) = match outcome {
        Outcome::RolledBack(done) => (
            done.failed.iter().map(|failed| failed.seq).collect(),
            done.left.iter().map(|left| (left.seq, left.reason.clone())).collect(),
            done.error.as_ref().map(|error| error.code),
        ),
        Outcome::Failed(failed) => (expect.failed.clone(), expect.left.clone(), Some(failed.error.code)),
        other => return Err(format!("{}\nit was not rolled back: {other:?}", case.header.title)),
    };
    differ(&mut differences, "failed", &failed, &expect.failed);
    differ(&mut differences, "left", &left, &expect.left);
    differ(&mut differences, "error", &error, &expect.error);
    if differences.is_empty() { Ok(()) } else { Err(format!("{}\n{}", case.header.title, differences.join("\n"))) }
}

fn compare_error(differences: &mut Vec<String>, error: &Failure, expected: &ExpectedError) {
    differ(differences, "code", &error.code, &expected.code);
    differ(differences, "name", &error.name, &expected.name);
    differ(differences, "message", &error.message, &expected.message);
    match expected.stopped_in {
        Some((first, last)) if error.line.is_none_or(|line| (first..=last).contains(&line)) => {}
        Some(lines) => differ(differences, "line", &error.line.map(|line| (line, line)), &Some(lines)),
        None => {
            differ(differences, "line", &error.line, &expected.line);
            differ(differences, "column", &error.column, &expected.column);
        }
    }
    if expected.hint.is_some() {
        differ(differences, "hint", &error.hint, &expected.hint);
    }
    for (key, value) in &expected.details {
        let value = serde_json::to_value(value).unwrap_or_default();
        differ(differences, &format!("details.{key}"), error.details.get(key).unwrap_or(&Value::Null), &value);
    }
}

pub(crate) fn differ<T: PartialEq + std::fmt::Debug>(differences: &mut Vec<String>, what: &str, is: &T, should: &T) {
    if is != should {
        differences.push(format!("  {what}\n    is        {is:?}\n    should be {should:?}"));
    }
}

pub(crate) fn word(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(text)) => text,
        other => format!("{other:?}"),
    }
}
