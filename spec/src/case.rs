//! Reads cases.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use isobox::limits::parse_duration;
use isobox::program::Module;
use isobox::{Code, Program, Value};

use crate::header::Header;
use crate::{Pass, Person};

/// A conformance case.
#[derive(Debug, Clone)]
pub struct Case {
    /// `topic/name`.
    pub name: String,
    /// The file of the case.
    pub path: PathBuf,
    /// Everything except the program of a `.ts` file.
    pub header: Header,
    /// The program.
    pub program: CaseProgram,
    /// The tools that are missing now.
    pub missing: Vec<String>,
}

/// The program of a case.
#[derive(Debug, Clone)]
pub enum CaseProgram {
    /// The file of the case itself.
    Itself(String),
    /// One text.
    Source(String),
    /// Several files.
    Files {
        /// The files by path.
        files: BTreeMap<String, String>,
        /// The entry file.
        entry: String,
    },
}

/// The folders beside those of cases.
const OTHER_FOLDERS: [&str; 8] =
    ["src", "tests", "search", "counterparts", "programs", "intl", "test262", "typescript"];

/// Loads all cases below a folder, by name.
pub fn load_cases(root: &Path) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    let mut topics: Vec<PathBuf> = read_folder(root)?.into_iter().filter(|path| path.is_dir()).collect();
    topics.retain(|topic| OTHER_FOLDERS.iter().all(|other| !topic.ends_with(other)));
    for topic in topics {
        for path in read_folder(&topic)? {
            cases.push(load_case(root, &path)?);
        }
    }
    Ok(cases)
}

fn read_folder(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.sort();
    Ok(paths)
}

/// Loads the case in one file below that folder.
pub fn load_case(root: &Path, path: &Path) -> Result<Case, String> {
    load(root, path).map_err(|problem| format!("{}: {problem}", path.display()))
}

fn load(root: &Path, path: &Path) -> Result<Case, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let is_program = match path.extension().and_then(|extension| extension.to_str()) {
        Some("ts") => true,
        Some("toml") => false,
        _ => return Err("a case is a .ts or a .toml file".to_owned()),
    };
    let header_text = if is_program {
        let lines = text.lines().filter_map(|line| line.strip_prefix("//# ").or(line.strip_prefix("//#")));
        lines.collect::<Vec<_>>().join("\n")
    } else {
        text.clone()
    };
    let header: Header = toml::from_str(&header_text).map_err(|error| error.to_string())?;
    let program = match (is_program, header.source.clone(), header.files.clone()) {
        (true, None, None) => CaseProgram::Itself(text),
        (false, Some(source), None) => CaseProgram::Source(source),
        (false, None, Some(files)) => {
            CaseProgram::Files { files, entry: header.entry.clone().ok_or("`files` needs an `entry`")? }
        }
        _ => return Err("the program is the .ts file itself, or `source`, or `files` with `entry`".to_owned()),
    };
    if header.expect.result.is_some() == header.expect.error.is_some() {
        return Err("expect either a result or an error".to_owned());
    }
    header.passes.iter().try_for_each(Pass::check)?;
    header.rollback.iter().flat_map(|rollback| &rollback.passes).try_for_each(Pass::check)?;
    let name = path.strip_prefix(root).map_err(|error| error.to_string())?.with_extension("");
    Ok(Case { name: name.display().to_string(), path: path.to_owned(), header, program, missing: Vec::new() })
}

impl Case {
    /// Returns the case of the corrected program, if this is a case of a mistake.
    pub fn corrected(&self) -> Option<Self> {
        let correction = self.header.correction.as_ref()?;
        let header = Header { expect: correction.expect.clone(), correction: None, ..self.header.clone() };
        let program = CaseProgram::Source(correction.program.clone());
        let name = format!("{}.corrected", self.name);
        Some(Self { name, path: self.path.clone(), header, program, missing: Vec::new() })
    }

    /// Returns the case as it is during its rollback: without the tools that are missing then.
    pub(crate) fn in_rollback(&self) -> Self {
        let missing = self.header.rollback.iter().flat_map(|rollback| rollback.missing.iter().cloned());
        Self { missing: missing.collect(), ..self.clone() }
    }

    /// Returns the passes of the program, followed by those of its rollback.
    pub fn all_passes(&self) -> Vec<Pass> {
        let of_rollback = self.header.rollback.iter().flat_map(|rollback| rollback.passes.iter());
        self.header.passes.iter().chain(of_rollback).cloned().collect()
    }

    /// Returns the program in the form of the library.
    pub fn program(&self) -> Result<Program, String> {
        match &self.program {
            CaseProgram::Itself(source) | CaseProgram::Source(source) => Ok(Program::single(source)),
            CaseProgram::Files { files, entry } => {
                Program::new(files.clone(), entry).map_err(|failure| failure.to_string())
            }
        }
    }

    /// Returns the text of the `isobox.json` of the case, if it needs one.
    pub fn config(&self) -> Result<Option<String>, String> {
        let Header { config, policy, checks, modules, .. } = &self.header;
        if config.is_none() && policy.is_empty() && checks.is_none() && modules.is_empty() {
            return Ok(None);
        }
        let mut whole = serde_json::to_value(config.clone().unwrap_or_default()).map_err(|error| error.to_string())?;
        if !policy.is_empty() {
            whole["policy"] = serde_json::json!(policy);
        }
        if let Some(checks) = checks {
            whole["checks"] = serde_json::json!(checks);
        }
        Ok(Some(whole.to_string()))
    }

    /// Returns the modules of the host in the form of the library.
    pub fn modules(&self) -> Result<Vec<Module>, String> {
        let modules = self.header.modules.iter();
        let module = |(specifier, source): (&String, &String)| Module::code(specifier, source);
        modules.map(module).collect::<Result<_, _>>().map_err(|fault| fault.message)
    }

    /// Tells whether the case is about a runtime that cannot be built.
    pub fn has_no_runtime(&self) -> bool {
        self.header.expect.error.as_ref().is_some_and(|error| error.code == Code::Config)
            && !self.header.modules.is_empty()
    }

    /// Returns the approver of the case.
    pub fn approver(&self) -> Result<Option<Person>, String> {
        let Header { approver, approver_takes, .. } = &self.header;
        let takes = approver_takes.as_deref().map_or(Ok(Duration::ZERO), parse_duration);
        let takes = takes.map_err(|error| error.to_string())?;
        match approver {
            Some(says) => Ok(Some(Person { says: *says, takes })),
            None if approver_takes.is_some() => Err("`approverTakes` needs an `approver`".to_owned()),
            None => Ok(None),
        }
    }

    /// Returns the expected result.
    pub fn expected_result(&self) -> Result<Option<Value>, String> {
        let Some(json) = &self.header.expect.result else { return Ok(None) };
        serde_json::from_str(json).map(Some).map_err(|error| format!("the expected result is not JSON: {error}"))
    }
}
