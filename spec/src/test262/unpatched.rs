//! Runs tests with the engine as it is released.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::wrapper::harness;
use super::{Ending, Form, Test, Wrapped};

/// A process of `unpatched.c`, which states the protocol.
pub struct Unpatched {
    child: Child,
    requests: ChildStdin,
    answers: ChildStdout,
}

const FUNCTION: u32 = 0;
const MODULE: u32 = 1;
const SCRIPTS: u32 = 2;

impl Unpatched {
    /// Starts the program.
    pub fn start(program: &Path) -> io::Result<Self> {
        let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (requests, answers) = pipes.ok_or_else(|| io::Error::other("the process has no pipes"))?;
        Ok(Self { child, requests, answers })
    }

    /// Runs a test in the wrapper in which the library runs it: what the front end makes of a program without types.
    pub fn run(&mut self, wrapped: &Wrapped) -> io::Result<Ending> {
        let text = &wrapped.files[&wrapped.entry];
        let (kind, entry) = match wrapped.form {
            Form::Body => (FUNCTION, format!("(async()=>{{\n{text}\n}})")),
            Form::BodyWithFiles => {
                let (import, body) = text.split_once('\n').unwrap_or_default();
                (MODULE, format!("{import}export default(0,async()=>{{\n{body}\n}})"))
            }
            Form::Module => (MODULE, text.clone()),
        };
        let others = wrapped.files.iter().filter(|(path, _)| **path != wrapped.entry);
        let files: Vec<_> = others.map(|(path, text)| (path.as_str(), text.as_str())).collect();
        self.ask(kind, &[(&wrapped.entry, &entry)], &files)
    }

    /// Runs a test that is no module as test262 means it: as strict scripts that share their global scope.
    pub fn run_scripts(&mut self, test: &Test) -> io::Result<Ending> {
        let harness = harness(test);
        let directive = if test.metadata.has_flag("raw") { "" } else { "\"use strict\";\n" };
        let text = format!("{directive}{}", test.text);
        let others: Vec<_> = test.files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        self.ask(SCRIPTS, &[("harness", &harness), (&test.name, &text)], &others)
    }

    fn ask(&mut self, kind: u32, run: &[(&str, &str)], others: &[(&str, &str)]) -> io::Result<Ending> {
        let mut request = Vec::new();
        let number = |value: usize| u32::try_from(value).map_err(io::Error::other);
        request.extend((kind | number(run.len())? << 8).to_ne_bytes());
        request.extend(number(run.len() + others.len())?.to_ne_bytes());
        for (name, text) in run.iter().chain(others) {
            for part in [name, text] {
                request.extend(number(part.len())?.to_ne_bytes());
                request.extend(part.as_bytes());
            }
        }
        self.requests.write_all(&request)?;
        let mut size = [0; 4];
        self.answers.read_exact(&mut size)?;
        let mut answer = vec![0; u32::from_ne_bytes(size) as usize];
        self.answers.read_exact(&mut answer)?;
        let answer = String::from_utf8_lossy(&answer);
        let mut fields = answer.split('\0').map(str::to_owned);
        let mut next = || fields.next().unwrap_or_default();
        let (how, name, message) = (next(), next(), next());
        Ok(match how.as_str() {
            "completed" => Ending::Completed { lines: fields.collect() },
            "refused" => Ending::Refused { message: format!("{name}: {message}") },
            "thrown" => Ending::Threw { name, message },
            _ => Ending::Stopped { message },
        })
    }
}

impl Drop for Unpatched {
    fn drop(&mut self) {
        // It only waits for requests; how it ends does not matter.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
