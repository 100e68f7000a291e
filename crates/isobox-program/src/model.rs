//! What a program is before and after it is prepared.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Fault;

const MAXIMUM_FILES: usize = 256;
const MAXIMUM_PATH_LENGTH: usize = 200;

/// A program: its files by path, and the one that it starts with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Program {
    files: BTreeMap<String, String>,
    entry: String,
}

impl Program {
    /// A program of one file, `main.ts`.
    pub fn single(source: impl Into<String>) -> Self {
        let entry = "main.ts".to_owned();
        Self { files: BTreeMap::from([(entry.clone(), source.into())]), entry }
    }

    /// A program of several files that may import each other by relative path.
    ///
    /// # Errors
    ///
    /// [`FaultKind::Config`](crate::FaultKind::Config) if the entry is not among the files, if there are more than 256, or if a path is empty, absolute, longer
    /// than 200 bytes, or holds `..`, a backslash or a control character.
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

    /// How many bytes of source there are in all files.
    pub fn source_size(&self) -> usize {
        self.files.values().map(String::len).sum()
    }

    /// The path of the file that the program starts with.
    pub fn entry(&self) -> &str {
        &self.entry
    }

    /// The same program with the text of every file replaced.
    pub fn map_sources(&self, change: impl Fn(&str) -> String) -> Self {
        let changed = |(path, source): (&String, &String)| (path.clone(), change(source));
        Self { files: self.files.iter().map(changed).collect(), entry: self.entry.clone() }
    }

    /// The files by path.
    pub fn files(&self) -> &BTreeMap<String, String> {
        &self.files
    }
}

fn fault_of_path(path: &str) -> Option<&'static str> {
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
    /// An expression that evaluates to an async function of no arguments, whose promise is the program.
    Script,
    /// A module whose default export is the result, or is called for it if it is a function.
    Module,
}

/// A program that the engine can run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Prepared {
    /// How it is run.
    pub kind: Kind,
    /// The files that the program reaches; the first is the entry.
    pub files: Vec<PreparedFile>,
}

/// One file as the engine gets it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PreparedFile {
    /// Its path in the program.
    pub path: String,
    /// Plain JavaScript.
    pub code: String,
    /// The number of the first line of `code`; 0 where a line was put before the author's first.
    pub first_line: i32,
    /// Where positions come from that are not the author's own, in order.
    pub segments: Vec<Segment>,
    /// The files of the program that this one imports.
    pub imports: Vec<Import>,
}

/// From this place to the end of its line, or to the next segment, the code comes from another place.
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

/// One specifier of an import, and the file that it means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Import {
    /// As it stands in the code.
    pub specifier: String,
    /// The path of the file in the program.
    pub path: String,
}

impl Prepared {
    /// The JavaScript of a program of one file, for other engines: an async function in parentheses, or a module.
    pub fn to_javascript(&self) -> String {
        let code = self.files.first().map_or("", |file| file.code.as_str());
        match self.kind {
            Kind::Script => format!("({code})"),
            Kind::Module => code.to_owned(),
        }
    }
}
