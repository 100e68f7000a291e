//! The command line.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use isobox::Outcome;
use isobox_spec::{Case, CaseProgram, ToolSet, compare};

use crate::Subject;

pub(crate) struct CommandLine {
    binary: PathBuf,
}

impl CommandLine {
    /// The one that was built with the tests.
    pub(crate) fn built() -> Self {
        let test = std::env::current_exe().expect("a test knows where it is");
        let folder = test.parent().and_then(Path::parent).expect("a test is in target/PROFILE/deps");
        Self { binary: folder.join("isobox") }
    }
}

impl Subject for CommandLine {
    fn name(&self) -> &str {
        "cli"
    }

    fn cannot(&self, case: &Case) -> Option<&'static str> {
        match &case.header {
            header if header.capacity.is_some() => Some("needs a runtime that others use"),
            header if header.cancel_after_polls.is_some() => Some("needs a caller that gives up"),
            header if header.approver.is_some() => Some("needs an approver"),
            header if !header.passes.is_empty() || !header.snippets.is_empty() => Some("needs to be kept"),
            header => (header.tools == ToolSet::Spec).then_some("needs configuration"),
        }
    }

    fn run(&self, case: &Case) -> Result<(), String> {
        if !self.binary.exists() {
            return Err("the command line is not built: run `cargo build -p isobox-cli` first".to_owned());
        }
        let mut command = Command::new(&self.binary);
        command.args(["run", "--json", "--demo", "--store", "none"]).args(case.header.limits.flags());
        command.args(case.header.seed.map(|seed| format!("--seed={seed}")));
        command.args(case.header.roles.iter().map(|role| format!("--role={role}")));
        command.args(case.header.inputs.then_some("--inputs"));
        let config_of = |config| BTreeMap::from([("isobox.json".to_owned(), config)]);
        let folder =
            case.config()?.map(|config| Folder::with(&format!("{}-configuration", case.name), &config_of(config)));
        let folder = folder.transpose().map_err(|error| error.to_string())?;
        command.args(folder.iter().flat_map(|folder| ["--config".into(), folder.0.join("isobox.json")]));
        let output = match &case.program {
            CaseProgram::Itself(_) => communicate(command.arg(&case.path), "")?,
            CaseProgram::Source(source) => communicate(command.arg("-"), source)?,
            CaseProgram::Files { files, entry } => {
                let folder = Folder::with(&format!("{}-files", case.name), files).map_err(|error| error.to_string())?;
                let others = files.keys().filter(|path| *path != entry);
                communicate(command.current_dir(&folder.0).arg(entry).args(others), "")?
            }
        };
        let (status, stdout, stderr) = (output.status.code(), output.stdout, output.stderr);
        let outcome: Outcome = serde_json::from_slice(&stdout).map_err(|error| {
            format!(
                "not an outcome ({error}): {}\n{}",
                String::from_utf8_lossy(&stdout),
                String::from_utf8_lossy(&stderr)
            )
        })?;
        let expected_status = if case.header.expect.error.is_some() { 1 } else { 0 };
        if status != Some(expected_status) {
            return Err(format!("exit status is {status:?} and should be {expected_status}"));
        }
        compare(case, &outcome)
    }
}

/// A folder with the files of one program, as long as it is needed.
struct Folder(PathBuf);

impl Folder {
    fn with(name: &str, files: &BTreeMap<String, String>) -> std::io::Result<Self> {
        let process = std::process::id();
        let folder = Self(std::env::temp_dir().join(format!("isobox-spec-{process}-{}", name.replace('/', "-"))));
        for (path, text) in files {
            let path = folder.0.join(path);
            std::fs::create_dir_all(path.parent().unwrap_or(&folder.0))?;
            std::fs::write(path, text)?;
        }
        Ok(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

fn communicate(command: &mut Command, input: &str) -> Result<Output, String> {
    let text = |error: std::io::Error| error.to_string();
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(text)?;
    let mut stdin = child.stdin.take().ok_or("there is no standard input")?;
    // A program that is not read to its end is a broken pipe, and no matter here.
    drop(stdin.write_all(input.as_bytes()));
    drop(stdin);
    child.wait_with_output().map_err(text)
}
