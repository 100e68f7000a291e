//! Realistic programs, and what Node gives for each.
//!
//! A program is a file in `spec/programs/<topic>/`, as a model would write it. `spec/programs/node.mjs` runs all of them
//! under Node and records the results in `expected.json`. Both sides serve the tools of `tools.json`.

mod tools;

use std::collections::BTreeMap;
use std::path::Path;

use isobox::{Outcome, Program, Value};
use serde::Deserialize;

pub use tools::program_tools;

/// A program with its record.
#[derive(Debug, Clone)]
pub struct RecordedProgram {
    /// `topic/file`.
    pub name: String,
    /// The text of the file.
    pub text: String,
    /// What Node gives.
    pub record: Record,
}

/// The end of a program under Node, and its logs.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The result. Values that `JSON.stringify` would lose keep what they hold.
    #[serde(default, deserialize_with = "present")]
    result: Option<Value>,
    /// The error that ends the program.
    thrown: Option<Thrown>,
    /// `[level, message]` of every log line, or `[level]` where objects were logged: Isobox shows objects in a shorter form.
    #[serde(default)]
    logs: Vec<Vec<String>>,
}

/// How an outcome differs from what Node gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// The program fails, and does not under Node. Its author is told.
    Refused(String),
    /// The program gives another result, another error or other logs. Its author is not told.
    Silent(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Thrown {
    name: String,
    message: String,
}

/// Loads all programs below a folder, by name. Every program must be recorded, and every record must have its program.
pub fn load_programs(root: &Path) -> Result<Vec<RecordedProgram>, String> {
    let record = std::fs::read_to_string(root.join("expected.json")).map_err(|error| error.to_string())?;
    let mut records: BTreeMap<String, Record> = serde_json::from_str(&record).map_err(|error| error.to_string())?;
    let mut programs = Vec::new();
    for topic in names(root)?.into_iter().filter(|name| root.join(name).is_dir()) {
        for file in names(&root.join(&topic))? {
            let name = format!("{topic}/{file}");
            let text = std::fs::read_to_string(root.join(&name)).map_err(|error| format!("{name}: {error}"))?;
            let record = records.remove(&name).ok_or_else(|| format!("{name} is not in expected.json"))?;
            programs.push(RecordedProgram { name, text, record });
        }
    }
    match records.first_key_value() {
        Some((name, _)) => Err(format!("expected.json has {name}, which does not exist")),
        None => Ok(programs),
    }
}

impl RecordedProgram {
    /// Returns the program in the form of the library.
    pub fn program(&self) -> Program {
        Program::single(&self.text)
    }

    /// Compares an outcome with what Node gives.
    pub fn compare(&self, outcome: &Outcome) -> Result<(), Difference> {
        let mut differences = Vec::new();
        let Record { result, thrown, logs } = &self.record;
        if let (Outcome::Failed(failed), None) = (outcome, thrown) {
            return Err(Difference::Refused(serde_json::to_string(&failed.error).unwrap_or_default()));
        }
        match (outcome, result, thrown) {
            // As texts, because the order of keys counts.
            (Outcome::Completed(completed), Some(expected), None) => {
                differ(&mut differences, &completed.result.to_string(), &expected.to_string());
            }
            (Outcome::Failed(failed), None, Some(expected)) => {
                let is = Thrown { name: failed.error.name.clone(), message: failed.error.message.clone() };
                differ(&mut differences, &format!("{is:?}"), &format!("{expected:?}"));
            }
            (Outcome::Completed(completed), ..) => {
                differences.push(format!("it completed with {} and should throw {thrown:?}", completed.result));
            }
            _ => differences.push("it neither completed nor failed".to_owned()),
        }
        let logged: Vec<Vec<String>> = outcome
            .logs()
            .iter()
            .enumerate()
            .map(|(index, log)| {
                let is_text = logs.get(index).is_none_or(|expected| expected.len() > 1);
                let message = is_text.then(|| without_times(&log.message));
                [crate::compare::word(&log.level)].into_iter().chain(message).collect()
            })
            .collect();
        differ(&mut differences, &format!("{logged:?}"), &format!("{logs:?}"));
        if differences.is_empty() { Ok(()) } else { Err(Difference::Silent(differences.join("\n"))) }
    }
}

/// Replaces what `console.time` has measured, as `worker.mjs` does.
fn without_times(message: &str) -> String {
    for (colon, separator) in message.match_indices(": ") {
        let start = colon + separator.len();
        if let Some(length) = time_at(&message[start..]) {
            return format!("{}TIME{}", &message[..start], &message[start + length..]);
        }
    }
    message.to_owned()
}

/// Returns the length of the time that a text begins with, such as `12.3ms`.
fn time_at(text: &str) -> Option<usize> {
    let rest = text.trim_start_matches(|character: char| character.is_ascii_digit() || character == '.');
    let after = rest.strip_prefix("ms").or_else(|| rest.strip_prefix('s'))?;
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let is_time = rest.len() < text.len() && !after.starts_with(is_word);
    is_time.then(|| text.len() - after.len())
}

fn differ(differences: &mut Vec<String>, is: &str, should: &str) {
    if is != should {
        differences.push(format!("  is        {is}\n  should be {should}"));
    }
}

fn names(folder: &Path) -> Result<Vec<String>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| !name.starts_with('.'))
        .collect();
    names.sort();
    Ok(names)
}

/// Keeps a result of `null` apart from no result.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
