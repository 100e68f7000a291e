//! Reads cases.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use isobox::limits::{InFlightExcess, Unsettled, parse_duration};
use isobox::program::Module;
use isobox::{ByteSize, CallSeq, Code, LoweredLimits, Program, Value};
use serde::Deserialize;

use crate::{Pass, Person, Says};

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

/// The header of a case.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Header {
    /// The promised behaviour, as a sentence.
    pub title: String,
    /// The tools of the program.
    #[serde(default)]
    pub tools: ToolSet,
    /// Why Node gives another result. Without a reason, Node must give the same result if it can run the case.
    pub differs_from_node: Option<String>,
    /// Why Node cannot run the case: its result varies, or it does not survive the case.
    pub not_under_node: Option<String>,
    /// Why a stored execution gives another result.
    pub differs_kept: Option<String>,
    /// The seed of the random numbers.
    pub seed: Option<u64>,
    /// The program, if the file is not the program itself.
    pub source: Option<String>,
    /// The program, if it has several files.
    pub files: Option<BTreeMap<String, String>>,
    /// The entry file.
    pub entry: Option<String>,
    /// The rules of the policy, as in `isobox.json`.
    #[serde(default)]
    pub policy: Vec<toml::Table>,
    /// The roles of the caller.
    #[serde(default)]
    pub roles: Vec<String>,
    /// The answer of the approver. Without it there is no approver.
    pub approver: Option<Says>,
    /// How long the approver takes; zero by default.
    pub approver_takes: Option<String>,
    /// Whether the records of calls include their inputs.
    #[serde(default)]
    pub inputs: bool,
    /// The lowered limits.
    #[serde(default)]
    pub limits: SpecLimits,
    /// Whether the program is checked before it runs, as in `isobox.json`.
    pub checks: Option<String>,
    /// The snippets in the store, by name.
    #[serde(default)]
    pub snippets: BTreeMap<String, SpecSnippet>,
    /// The modules of the host, by specifier.
    #[serde(default)]
    pub modules: BTreeMap<String, String>,
    /// The content of `isobox.json`. Without it there is no configuration.
    pub config: Option<toml::Table>,
    /// The capacity of the runtime, if other executions use it.
    pub capacity: Option<SpecCapacity>,
    /// The number of polls after which the caller cancels. A computing program is polled about every millisecond, a
    /// queued or waiting one once. (`tools.spec.cancel` is for a waiting program.)
    pub cancel_after_polls: Option<u32>,
    /// What happens at each pause of a stored execution. Without passes it never pauses.
    #[serde(default)]
    pub passes: Vec<Pass>,
    /// The rollback of a stored execution after its end.
    pub rollback: Option<SpecRollback>,
    /// The session whose globals a stored execution uses.
    pub session: Option<SpecSession>,
    /// Why a crash may change the result.
    pub crash_changes: Option<String>,
    /// The expected result.
    pub expect: Expectation,
    /// What a reader needs to know about a common mistake, with a program that does not make it.
    pub correction: Option<Correction>,
}

/// A snippet in the store.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum SpecSnippet {
    /// The code.
    Code(String),
    /// A snippet with more than its code.
    Whole(WholeSnippet),
}

/// A snippet with more than its code.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct WholeSnippet {
    /// The code.
    pub code: String,
    /// The description.
    #[serde(default)]
    pub description: String,
    /// The schema of the input, as JSON.
    pub input_schema: Option<String>,
    /// The tools that it needs, with the hashes of their definitions.
    #[serde(default)]
    pub tools: BTreeMap<String, String>,
}

/// A session, and what is expected of it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecSession {
    /// The programs of the session before that of the case.
    #[serde(default)]
    pub before: Vec<String>,
    /// The program of the session after that of the case.
    pub after: String,
    /// The result of the program after that of the case, as JSON.
    pub expect: String,
}

/// A rollback, and its expected result.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SpecRollback {
    /// The step that it goes back to.
    pub to: Option<String>,
    /// The tools that are missing during the rollback.
    #[serde(default)]
    pub missing: Vec<String>,
    /// What happens at each pause of the rollback.
    #[serde(default)]
    pub passes: Vec<Pass>,
    /// `[path, state]` of every call, of the program and of the rollback.
    #[serde(default)]
    pub calls: Vec<(String, String)>,
    /// The numbers of the calls whose revert failed.
    #[serde(default)]
    pub failed: Vec<CallSeq>,
    /// `[seq, reason]` of the calls that are left as they are.
    #[serde(default)]
    pub left: Vec<(CallSeq, String)>,
    /// The code of the error if nothing was reverted, or if the rollback stopped.
    pub error: Option<Code>,
}

/// The explanation of a common mistake.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// The section of `docs/mistakes.md`.
    pub group: String,
    /// Why the mistake happens, and what to do instead.
    pub why: String,
    /// The corrected program.
    pub program: String,
    /// The expected result of the corrected program.
    pub expect: Expectation,
}

/// The tools of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolSet {
    /// No tools.
    #[default]
    None,
    /// The tools that every interface can offer.
    Demo,
    /// Also the tools of [`crate::spec_tools`].
    Spec,
}

/// Lowered limits, as written in the case.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[expect(missing_docs, reason = "each field is the one of the same name in `isobox::Limits`")]
pub struct SpecLimits {
    pub timeout: Option<String>,
    pub cpu: Option<String>,
    pub memory: Option<ByteSize>,
    pub stack: Option<ByteSize>,
    pub source: Option<ByteSize>,
    pub result: Option<ByteSize>,
    pub input: Option<ByteSize>,
    pub output: Option<ByteSize>,
    pub logs: Option<ByteSize>,
    pub facts: Option<ByteSize>,
    pub calls: Option<u32>,
    pub in_flight: Option<u32>,
    pub in_flight_excess: Option<String>,
    pub durable_value: Option<ByteSize>,
    pub journal: Option<ByteSize>,
    pub snapshot: Option<ByteSize>,
    pub settle: Option<String>,
    pub unsettled: Option<String>,
}

/// A runtime that other executions already use.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SpecCapacity {
    /// The maximum number of live executions.
    pub live: NonZeroU32,
    /// The maximum number of queued executions.
    pub queue: u32,
    /// The number of earlier executions.
    pub occupants: u32,
    /// The program of the earlier executions; by default one that never ends.
    #[serde(default = "endless")]
    pub occupant: String,
}

fn endless() -> String {
    "await tools.spec.hang()".to_owned()
}

/// The expected result. Fields that are absent must be absent or empty.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// The result as JSON.
    pub result: Option<String>,
    /// The error.
    pub error: Option<ExpectedError>,
    /// `[level, message]` of every log line.
    #[serde(default)]
    pub logs: Vec<(String, String)>,
    /// The facts as a JSON object.
    pub facts: Option<String>,
    /// `[path, state]` of every call.
    #[serde(default)]
    pub calls: Vec<(String, String)>,
    /// The message of every warning.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// The input of every call as JSON, where the case asks for inputs.
    #[serde(default)]
    pub inputs: Vec<String>,
    /// `[path, JSON]` of the progress of calls.
    #[serde(default)]
    pub progress: Vec<(String, String)>,
    /// The mismatched outputs that are reported to the host and let through.
    #[serde(default)]
    pub mismatches: Vec<String>,
}

/// An expected error.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each field is the one of the same name in `isobox::Failure`")]
pub struct ExpectedError {
    pub code: Code,
    pub name: String,
    pub message: String,
    pub line: Option<u32>,
    pub column: Option<u32>,
    /// The first and the last line in which a computing program may have been stopped. Its position is not compared
    /// otherwise, and may be missing if it was stopped between two jobs.
    #[serde(rename = "stoppedIn")]
    pub stopped_in: Option<(u32, u32)>,
    /// Compared only if given: most hints are advice, not behaviour.
    pub hint: Option<String>,
    /// Details that must be present, as JSON. Others may be present too.
    #[serde(default)]
    pub details: BTreeMap<String, toml::Value>,
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

impl SpecLimits {
    /// Returns the limits in the form of the library.
    pub fn lowered(&self) -> Result<LoweredLimits, String> {
        let duration = |text: &Option<String>| -> Result<Option<Duration>, String> {
            text.as_deref().map(parse_duration).transpose().map_err(|error| error.to_string())
        };
        Ok(LoweredLimits::default()
            .timeout(duration(&self.timeout)?)
            .cpu(duration(&self.cpu)?)
            .memory(self.memory)
            .stack(self.stack)
            .source(self.source)
            .result(self.result)
            .input(self.input)
            .output(self.output)
            .logs(self.logs)
            .facts(self.facts)
            .calls(self.calls)
            .in_flight(self.in_flight)
            .in_flight_excess(match self.in_flight_excess.as_deref() {
                None => None,
                Some("fail") => Some(InFlightExcess::Fail),
                Some("wait") => Some(InFlightExcess::Wait),
                Some(other) => return Err(format!("`inFlightExcess` is `wait` or `fail`, not `{other}`")),
            })
            .durable_value(self.durable_value)
            .journal(self.journal)
            .snapshot(self.snapshot)
            .settle(duration(&self.settle)?)
            .unsettled(match self.unsettled.as_deref() {
                None => None,
                Some("fail") => Some(Unsettled::Fail),
                Some("cancel") => Some(Unsettled::Cancel),
                Some(other) => return Err(format!("`unsettled` is `cancel` or `fail`, not `{other}`")),
            }))
    }

    /// Returns the limits as flags of the command line.
    pub fn flags(&self) -> Vec<String> {
        let mut flags = Vec::new();
        let size = |size: Option<ByteSize>| size.map(|size| size.get().to_string());
        let count = |count: Option<u32>| count.map(|count| count.to_string());
        for (flag, value) in [
            ("--timeout", self.timeout.clone()),
            ("--cpu", self.cpu.clone()),
            ("--memory", size(self.memory)),
            ("--stack", size(self.stack)),
            ("--max-source", size(self.source)),
            ("--max-result", size(self.result)),
            ("--max-input", size(self.input)),
            ("--max-output", size(self.output)),
            ("--max-logs", size(self.logs)),
            ("--max-facts", size(self.facts)),
            ("--max-calls", count(self.calls)),
            ("--max-in-flight", count(self.in_flight)),
            ("--max-durable-value", size(self.durable_value)),
            ("--max-journal", size(self.journal)),
            ("--max-snapshot", size(self.snapshot)),
            ("--settle", self.settle.clone()),
        ] {
            flags.extend(value.map(|value| format!("{flag}={value}")));
        }
        if self.in_flight_excess.as_deref() == Some("fail") {
            flags.push("--fail-in-flight".to_owned());
        }
        if self.unsettled.as_deref() == Some("fail") {
            flags.push("--fail-unsettled".to_owned());
        }
        flags
    }
}
