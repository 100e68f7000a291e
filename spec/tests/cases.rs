//! Every case through every subject: the library with each pool setting, the command line, and Node as the oracle.
//!
//! ```sh
//! cargo test --release -p isobox-spec --test cases [FILTER]
//! ```
//!
//! What a subject cannot do is a skip that is printed and counted.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Output, Stdio};
use std::sync::{Arc, Mutex};

use futures_util::stream::{FuturesUnordered, StreamExt};
use isobox::config::Config;
use isobox::program::{Import, Kind, Prepared, PreparedFile};
use isobox::{
    Approver, Builder, CallDetails, CancellationToken, Cleaning, Code, Contents, Failure, Isobox, Outcome, Run, Tool,
    Value, Workspace, WorkspaceOptions, demo, json, program,
};
use isobox_spec::{
    Case, CaseProgram, Diary, SpecCapacity, SpecLimits, ToolSet, compare, load_cases, spec_tools, with_caller,
};
use libtest_mimic::{Arguments, Failed, Trial};
use tokio::runtime::Runtime;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cases = match load_cases(root) {
        Ok(cases) => cases,
        Err(problem) => {
            eprintln!("a case cannot be read: {problem}");
            return ExitCode::FAILURE;
        }
    };
    let mut expected_failures = match expected_failures(root) {
        Ok(list) => list,
        Err(problem) => {
            eprintln!("the list of expected failures cannot be read: {problem}");
            return ExitCode::FAILURE;
        }
    };
    let subjects: Vec<Arc<dyn Subject>> = vec![
        Arc::new(Library::new("library", Cleaning::Overwrite)),
        Arc::new(Library::new("library-give-back", Cleaning::GiveBack)),
        Arc::new(CommandLine { binary: command_line() }),
        Arc::new(Oracle::start(root)),
    ];
    let mut trials = Vec::new();
    for case in cases.into_iter().map(Arc::new) {
        for subject in &subjects {
            let (its_case, its_subject) = (Arc::clone(&case), Arc::clone(subject));
            let reason = subject.cannot(&case);
            let name = format!("{}::{}", subject.name(), case.name);
            let is_expected_to_fail = expected_failures.remove(&name);
            let trial = Trial::test(name, move || match (its_subject.run(&its_case), is_expected_to_fail) {
                (Ok(()), true) => Err(Failed::from("it passes: take it off the list of expected failures")),
                (Err(_), true) | (Ok(()), false) => Ok(()),
                (Err(problem), false) => Err(Failed::from(problem)),
            });
            trials.push(trial.with_ignored_flag(reason.is_some()).with_kind(reason.unwrap_or_default()));
        }
    }
    if let Some(name) = expected_failures.first() {
        eprintln!("the list of expected failures names `{name}`, which does not exist");
        return ExitCode::FAILURE;
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// `subject::case` of every known deviation. Strict: one that starts to pass fails, and so does one that is not there.
fn expected_failures(root: &Path) -> Result<BTreeSet<String>, String> {
    let text = std::fs::read_to_string(root.join("expected-failures.txt")).map_err(|error| error.to_string())?;
    let mut names = BTreeSet::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (subjects, case) = line.split_once("::").ok_or_else(|| format!("`{line}` is not `subject::case`"))?;
        names.extend(subjects.split('+').map(|subject| format!("{subject}::{case}")));
    }
    Ok(names)
}

/// Something that runs cases.
trait Subject: Send + Sync {
    fn name(&self) -> &str;
    /// What it would need to run this case, where it has it not.
    fn cannot(&self, case: &Case) -> Option<&'static str>;
    fn run(&self, case: &Case) -> Result<(), String>;
}

struct Library {
    name: &'static str,
    runtime: Runtime,
    cleaning: Cleaning,
    isobox: Isobox,
}

impl Library {
    fn new(name: &'static str, cleaning: Cleaning) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build();
        let live = NonZeroU32::new(64).expect("it is not zero");
        let isobox = library(cleaning).max_live(live).build().expect("the runtime starts");
        Self { name, runtime: runtime.expect("tokio starts"), cleaning, isobox }
    }

    /// The runtime of a case: the one of all, unless it needs more.
    async fn own_runtime(&self, case: &Case) -> Result<Isobox, String> {
        let (config, approver) = (case.config()?, case.approver()?);
        if config.is_none() && approver.is_none() {
            return Ok(self.isobox.clone());
        }
        let config = Config::parse(config.as_deref().unwrap_or("{}"), &|_| None).map_err(|error| error.to_string())?;
        let approver = approver.map(|person| Arc::new(person) as Arc<dyn Approver>);
        let options = WorkspaceOptions { max_live: Some(NonZeroU32::MIN), approver, ..WorkspaceOptions::default() };
        let workspace = Workspace::with_tools(config, options, tools).map_err(|failure| failure.to_string())?;
        Ok(workspace.ready().await.map_err(|failure| failure.to_string())?.isobox)
    }

    /// Runs in a runtime of its own that others use already.
    async fn run_among_others(&self, run: impl Into<Run>, capacity: &SpecCapacity) -> Outcome {
        let isobox = library(self.cleaning).max_live(capacity.live).queue(capacity.queue);
        let isobox = isobox.build().expect("the runtime starts");
        let mut others: FuturesUnordered<_> =
            (0..capacity.occupants).map(|_| isobox.run(capacity.occupant.as_str())).collect();
        // An execution has or has not its place when it was polled once.
        assert!(futures_util::poll!(others.next()).is_pending(), "an occupant ended before the case came");
        let usage = isobox.capacity().usage();
        assert_eq!(usage.live + usage.queued, capacity.occupants, "an occupant found no place");
        let mut run = std::pin::pin!(isobox.run(run));
        loop {
            tokio::select! {
                outcome = &mut run => return outcome,
                Some(_) = others.next() => {}
            }
        }
    }
}

fn library(cleaning: Cleaning) -> Builder {
    Isobox::builder().tools(tools().expect("the tools are well defined")).cleaning(cleaning)
}

fn tools() -> Result<Vec<Tool>, Failure> {
    Ok(demo::tools()?.into_iter().chain(spec_tools()?).collect())
}

impl Subject for Library {
    fn name(&self) -> &str {
        self.name
    }

    fn cannot(&self, _case: &Case) -> Option<&'static str> {
        None
    }

    fn run(&self, case: &Case) -> Result<(), String> {
        let token = CancellationToken::new();
        let details = CallDetails { inputs: case.header.inputs, ..CallDetails::default() };
        let run = Run::new(case.program()?).limits(case.header.limits.lowered()?).cancelled_by(token.clone());
        let mut run = run.details(details).roles(case.header.roles.iter().cloned());
        if let Some(seed) = case.header.seed {
            run = run.seed(seed);
        }
        let diary = Diary::default();
        let execution = async {
            let isobox = match &case.header.capacity {
                Some(capacity) => return Ok(self.run_among_others(run, capacity).await),
                None => self.own_runtime(case).await?,
            };
            Ok(isobox.observed_by(diary.clone(), Contents::Progress).run(run).await)
        };
        let cancelled = cancel_after_polls(case.header.cancel_after_polls, &token, execution);
        let outcome: Result<Outcome, String> = self.runtime.block_on(with_caller(token.clone(), cancelled));
        compare(case, &outcome?).and_then(|()| diary.compare(case))
    }
}

/// Cancels when the execution was polled so often, if at all.
async fn cancel_after_polls<T>(polls: Option<u32>, token: &CancellationToken, execution: impl Future<Output = T>) -> T {
    let mut execution = std::pin::pin!(execution);
    let mut polled = 0;
    std::future::poll_fn(|context| {
        if polls == Some(polled) {
            token.cancel();
        }
        let poll = execution.as_mut().poll(context);
        polled += 1;
        if polls == Some(polled) {
            token.cancel();
        }
        poll
    })
    .await
}

struct CommandLine {
    binary: PathBuf,
}

fn command_line() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows where it is");
    let folder = test.parent().and_then(Path::parent).expect("a test is in target/PROFILE/deps");
    folder.join("isobox")
}

impl Subject for CommandLine {
    fn name(&self) -> &str {
        "cli"
    }

    fn cannot(&self, case: &Case) -> Option<&'static str> {
        match &case.header {
            header if header.capacity.is_some() => Some("needs a runtime that others use"),
            header if header.cancel_after_polls.is_some() => Some("needs a caller that gives up"),
            header if header.approver.is_some() => Some("needs somebody to ask"),
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

/// Node runs what is plain JavaScript, and has to give the same.
struct Oracle {
    process: Mutex<Option<OracleProcess>>,
}

struct OracleProcess {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Oracle {
    fn start(root: &Path) -> Self {
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
        Self { process: Mutex::new(process) }
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
            ToolSet::None if header.config.is_some() => Some("needs configuration"),
            ToolSet::None if header.limits != SpecLimits::default() => Some("needs limits"),
            ToolSet::None => error.is_some_and(|error| error.code != Code::Thrown).then_some("needs codes"),
        }
    }

    fn run(&self, case: &Case) -> Result<(), String> {
        let prepared = program::prepare(&case.program()?).map_err(|failure| failure.to_string())?;
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
