//! Programs before and after preparation.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};

use crate::Fault;

const MAXIMUM_FILES: usize = 256;
const MAXIMUM_PATH_LENGTH: usize = 200;

/// A program: its files by path, and the path of its entry file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Program {
    files: BTreeMap<String, String>,
    entry: String,
}

impl Program {
    /// Creates a program of one file, `main.ts`.
    pub fn single(source: impl Into<String>) -> Self {
        let entry = "main.ts".to_owned();
        Self { files: BTreeMap::from([(entry.clone(), source.into())]), entry }
    }

    /// Creates a program of several files that may import each other by relative path.
    ///
    /// # Errors
    ///
    /// Returns [`FaultKind::Config`](crate::FaultKind::Config) if the entry is not among the files, if there are more than
    /// 256 files, or if a path is empty, absolute or longer than 200 bytes, or contains a backslash, a control character, or
    /// a part that is empty, `.` or `..`.
    pub fn new(files: BTreeMap<String, String>, entry: impl Into<String>) -> Result<Self, Fault> {
        let entry = entry.into();
        if files.len() > MAXIMUM_FILES {
            let message = format!("a program has at most {MAXIMUM_FILES} files, this one has {}", files.len());
            return Err(Fault::config(message));
        }
        for path in files.keys() {
            if let Some(fault) = fault_of_path(path) {
                return Err(Fault::config(format!("the file path {path:?} {fault}")));
            }
        }
        if !files.contains_key(&entry) {
            return Err(Fault::config(format!("the entry {entry:?} is not among the program's files")));
        }
        Ok(Self { files, entry })
    }

    /// Returns the size of all files in bytes.
    pub fn source_size(&self) -> usize {
        self.files.values().map(String::len).sum()
    }

    /// Returns the path of the entry file.
    pub fn entry(&self) -> &str {
        &self.entry
    }

    /// Returns a copy of the program in which `change` has replaced the text of every file.
    pub fn map_sources(&self, change: impl Fn(&str) -> String) -> Self {
        let changed = |(path, source): (&String, &String)| (path.clone(), change(source));
        Self { files: self.files.iter().map(changed).collect(), entry: self.entry.clone() }
    }

    /// Returns the files by path.
    pub fn files(&self) -> &BTreeMap<String, String> {
        &self.files
    }
}

pub(crate) fn fault_of_path(path: &str) -> Option<&'static str> {
    if path.is_empty() {
        Some("is empty")
    } else if path.len() > MAXIMUM_PATH_LENGTH {
        Some("is longer than 200 bytes")
    } else if path.starts_with('/') {
        Some("is absolute")
    } else if path.contains('\\') {
        Some("holds a backslash")
    } else if path.chars().any(char::is_control) {
        Some("holds a control character")
    } else if path.split('/').any(|part| part == "..") {
        Some("holds `..`")
    } else if path.split('/').any(|part| part.is_empty() || part == ".") {
        Some("holds an empty part or `.`")
    } else {
        None
    }
}

/// How the engine runs the prepared code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// An expression that evaluates to an async function. The engine calls the function without arguments; the promise that
    /// it returns settles with the program's result.
    Script,
    /// A module. Its default export is the program's result; if the default export is a function, the engine calls it and
    /// takes what it returns.
    Module,
}

/// A program that the engine can run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Prepared {
    /// How the engine runs the program.
    pub kind: Kind,
    /// The files that the entry imports, directly or indirectly. The entry is the first.
    pub files: Vec<PreparedFile>,
}

/// One file of a prepared program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PreparedFile {
    /// The path of the file in the program.
    pub path: String,
    /// The JavaScript code of the file.
    pub code: String,
    /// The number of the first line of `code`, in lines of the author's text. An added header line counts as the line before
    /// the author's first.
    pub first_line: i32,
    /// Maps the positions in `code` that differ from the author's text, sorted by line and column.
    pub segments: Vec<Segment>,
    /// The files of the program that this file imports.
    pub imports: Vec<Import>,
}

/// Maps a run of the code to its position in the author's text. The run ends at the next segment or at the end of the line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Segment {
    /// The line in the code, numbered from [`PreparedFile::first_line`].
    pub line: u32,
    /// The column in the code, in characters from 1.
    pub column: u32,
    /// The line in the author's text, from 1.
    pub original_line: u32,
    /// The column in the author's text, in characters from 1.
    pub original_column: u32,
}

/// An import specifier and the file that it resolves to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Import {
    /// The specifier as written in the code.
    pub specifier: String,
    /// The path of the imported file in the program.
    pub path: String,
}

impl Prepared {
    /// Returns the JavaScript of a program of one file, for other engines: an async function in parentheses, or a module.
    pub fn to_javascript(&self) -> String {
        let code = self.files.first().map_or("", |file| file.code.as_str());
        match self.kind {
            Kind::Script => format!("({code})"),
            Kind::Module => code.to_owned(),
        }
    }
}

/// A place in the author's text. It is written as a list, because messages have many places.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Place {
    /// The path of the file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, in characters, from 1.
    pub column: u32,
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.file, self.line, self.column).serialize(serializer)
    }
}
