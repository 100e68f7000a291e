//! Problems of a configuration, with their places and advice.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use isobox_core::{Code, Failure, without_escapes};

use super::Config;
use super::excerpt::excerpt;
use super::findings::Findings;

/// The problems of a configuration, at most ten.
///
/// It is shown in whole lines, with the line of the file of each problem. These contain neither values of the
/// environment nor texts of the file that may be secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConfigError {
    file: Option<PathBuf>,
    problems: Vec<Problem>,
    left_out: usize,
}

/// A problem.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The problem and advice, in one line.
    pub message: String,
    /// The place. None if the problem is about the file itself.
    pub place: Option<ConfigPlace>,
}

/// A place in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConfigPlace {
    /// The line, counted from 1.
    pub line: u32,
    /// The column in that line, in characters, counted from 1.
    pub column: u32,
    /// The line or the part around the place, as it may be shown. `…` replaces the rest.
    pub excerpt: String,
    /// The number of characters in the excerpt before the place.
    pub indent: usize,
}

impl ConfigError {
    /// Returns the problems in the order of the file.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Returns the path of the file, if there is one.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Returns the number of problems that are not listed.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    pub(super) fn new(file: Option<&Path>, text: &str, findings: Findings, secrets: &[Range<usize>]) -> Self {
        const SHOWN: usize = 10;
        let (mut found, dropped) = (findings.found, findings.dropped);
        found.sort_by_key(|(at, _)| *at);
        let left_out = dropped + found.len().saturating_sub(SHOWN);
        let problem = |(at, message): (usize, String)| {
            let (line, column) = position(text, at);
            let (excerpt, indent) = excerpt(text, at, secrets);
            Problem { message, place: Some(ConfigPlace { line, column, excerpt, indent }) }
        };
        let problems = found.into_iter().take(SHOWN).map(problem).collect();
        Self { file: file.map(Path::to_owned), problems, left_out }
    }

    pub(super) fn of_file(path: &Path, error: &io::Error) -> Self {
        let message = match error.kind() {
            io::ErrorKind::NotFound => "there is no such file; write one that says at least `{}`".to_owned(),
            io::ErrorKind::IsADirectory => "this is a folder; name the file in it".to_owned(),
            io::ErrorKind::FileTooLarge => return Self::too_large(Some(path)),
            // The file can be read, and must not be used.
            io::ErrorKind::Other => error.to_string(),
            _ => format!("it cannot be read: {error}"),
        };
        Self { file: Some(path.to_owned()), problems: vec![Problem { message, place: None }], left_out: 0 }
    }

    pub(super) fn too_large(file: Option<&Path>) -> Self {
        let message = format!("this is larger than {}; is it the right file?", Config::MAX_SIZE);
        Self { file: file.map(Path::to_owned), problems: vec![Problem { message, place: None }], left_out: 0 }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            if index > 0 {
                writeln!(formatter)?;
            }
            write!(formatter, "{}", headline(self.file(), problem))?;
            if let Some(place) = &problem.place {
                let number = place.line.to_string();
                write!(formatter, "\n {number} | {}", place.excerpt)?;
                write!(formatter, "\n {:width$} | {:indent$}^", "", "", width = number.len(), indent = place.indent)?;
            }
        }
        match self.left_out {
            0 => Ok(()),
            1 => write!(formatter, "\nand 1 problem more"),
            more => write!(formatter, "\nand {more} problems more"),
        }
    }
}

impl std::error::Error for ConfigError {}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        let lines: Vec<String> = error.problems.iter().map(|problem| headline(error.file(), problem)).collect();
        let more = match lines.len().saturating_sub(1) + error.left_out {
            0 => String::new(),
            1 => " (and 1 problem more)".to_owned(),
            more => format!(" (and {more} problems more)"),
        };
        let first = lines.first().map_or("", String::as_str);
        let mut failure = Self::new(Code::Config, format!("{first}{more}"));
        if let Some(place) = error.problems.first().and_then(|problem| problem.place.as_ref()) {
            failure = failure.at(place.line, place.column).detail("source", place.excerpt.as_str());
        }
        if let Some(file) = error.file() {
            failure = failure.detail("file", file.display().to_string());
        }
        failure.detail("problems", lines)
    }
}

/// Returns findings as lines of text, in the order of their places.
pub(super) fn lines(mut findings: Findings, file: Option<&Path>, text: &str) -> Vec<String> {
    findings.found.sort_by_key(|(at, _)| *at);
    let line = |(at, message): (usize, String)| {
        let (line, column) = position(text, at);
        let place = ConfigPlace { line, column, excerpt: String::new(), indent: 0 };
        headline(file, &Problem { message, place: Some(place) })
    };
    findings.found.into_iter().map(line).collect()
}

fn headline(file: Option<&Path>, problem: &Problem) -> String {
    let file = file.map(|file| format!("{}:", without_escapes(&file.display().to_string()))).unwrap_or_default();
    let place = problem.place.as_ref().map(|place| format!("{}:{}:", place.line, place.column)).unwrap_or_default();
    let space = if file.is_empty() && place.is_empty() { "" } else { " " };
    format!("{file}{place}{space}{}", problem.message)
}

fn position(text: &str, at: usize) -> (u32, u32) {
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}
