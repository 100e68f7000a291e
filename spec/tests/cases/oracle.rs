//! Node.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;

use isobox::program::{Import, Kind, Prepared, PreparedFile};
use isobox::{Code, Isobox, Value, json};
use isobox_spec::{Case, SpecLimits, ToolSet};

use crate::Subject;

/// Node runs what is plain JavaScript, and has to give the same.
pub(crate) struct Oracle {
    /// Prepares what Node runs.
    isobox: Isobox,
    runtime: tokio::runtime::Runtime,
    process: Mutex<Option<OracleProcess>>,
}

struct OracleProcess {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Oracle {
    pub(crate) fn start(root: &Path) -> Self {
        #[expect(clippy::disallowed_methods, reason = "the script `test` says where it installed node")]
        let node = std::env::var("ISOBOX_NODE").ok();
        let spawned = Command::new(node.as_deref().unwrap_or("node"))
            .args(["--no-warnings", "--experimental-vm-modules"])
            .arg(root.join("oracle.mjs"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let process = spawned.ok().and_then(|mut child| {
            let (input, output) = (child.stdin.take()?, BufReader::new(child.stdout.take()?));
            Some(OracleProcess { child, input, output })
        });
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("there is a runtime");
        let isobox = Isobox::builder().build().expect("there is a sandbox");
        Self { isobox, runtime, process: Mutex::new(process) }
    }

    fn ask(&self, prepared: &Prepared) -> Result<Value, String> {
        let mut process = self.process.lock().map_err(|error| error.to_string())?;
        let process = process.as_mut().ok_or("node is not installed: the script `test` installs it")?;
        let import = |import: &Import| json!({ "specifier": import.specifier, "path": import.path });
        let file = |file: &PreparedFile| {
            let imports: Vec<Value> = file.imports.iter().map(import).collect();
            json!({ "path": file.path, "code": file.code, "imports": imports })
        };
        let kind = match prepared.kind {
            Kind::Script => "script",
            Kind::Module => "module",
        };
        let question = json!({ "kind": kind, "files": prepared.files.iter().map(file).collect::<Vec<Value>>() });
        writeln!(process.input, "{question}").map_err(|error| error.to_string())?;
        let mut line = String::new();
        process.output.read_line(&mut line).map_err(|error| error.to_string())?;
        serde_json::from_str(&line).map_err(|error| format!("node answered `{line}`: {error}"))
    }
}

impl Drop for OracleProcess {
    fn drop(&mut self) {
        // It ends by itself when its input does; this is for one that hangs.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Subject for Oracle {
    fn name(&self) -> &str {
        "node"
    }

    fn cannot(&self, case: &Case) -> Option<&'static str> {
        let (header, error) = (&case.header, case.header.expect.error.as_ref());
        match header.tools {
            _ if header.not_under_node.is_some() => Some("needs not to be Node"),
            ToolSet::Demo | ToolSet::Spec => Some("needs tools"),
            ToolSet::None if !header.snippets.is_empty() => Some("needs snippets"),
            ToolSet::None if header.config.is_some() => Some("needs configuration"),
            ToolSet::None if header.limits != SpecLimits::default() => Some("needs limits"),
            ToolSet::None => error.is_some_and(|error| error.code != Code::Thrown).then_some("needs codes"),
        }
    }

    fn run(&self, case: &Case) -> Result<(), String> {
        let prepared = self.runtime.block_on(self.isobox.prepare(&case.program()?));
        let prepared = prepared.map_err(|failure| failure.to_string())?;
        let answer = self.ask(&prepared)?;
        let expected = match (case.expected_result()?, &case.header.expect.error) {
            (Some(result), _) => json!({ "result": result }),
            (None, Some(error)) => json!({ "thrown": error.name }),
            (None, None) => return Err("the case expects nothing".to_owned()),
        };
        match (&case.header.differs_from_node, answer == expected) {
            (None, true) | (Some(_), false) => Ok(()),
            (None, false) => Err(format!("node gives {answer}, and the case expects {expected}")),
            (Some(reason), true) => Err(format!("node gives the same, though the case says it would not: {reason}")),
        }
    }
}
