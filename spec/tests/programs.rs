//! Every program of `spec/programs`, compared with what Node gives: in the library, and with programs that are moved to
//! another instance at every await.
//!
//! ```sh
//! cargo test --release --workspace --test programs [FILTER]
//! ```
//!
//! Known differences are in `spec/programs/expected-failures.txt`, which is strict.

use std::fmt;
use std::num::NonZeroU32;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use isobox::{Builder, Isobox};
use isobox_spec::programs::{Difference, RecordedProgram, load_programs, program_tools};
use isobox_spec::{expected_failures, restless_sandbox};
use libtest_mimic::{Arguments, Failed, Trial};
use tokio::runtime::Runtime;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let counts = Arc::new(Counts::default());
    match trials(&counts) {
        Ok(trials) => {
            let conclusion = libtest_mimic::run(&arguments, trials);
            println!("{counts}");
            conclusion.exit_code()
        }
        Err(problem) => {
            eprintln!("the programs cannot be read: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn trials(counts: &Arc<Counts>) -> Result<Vec<Trial>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    let mut expected_failures = expected_failures(&root)?;
    let subjects = [Subject::library(&root)?, Subject::moved(&root)?].map(Arc::new);
    let mut trials = Vec::new();
    for program in load_programs(&root)?.into_iter().map(Arc::new) {
        for subject in &subjects {
            let name = format!("{}::{}", subject.name, program.name);
            let is_expected_to_fail = expected_failures.remove(&name);
            let (program, subject, counts) = (Arc::clone(&program), Arc::clone(subject), Arc::clone(counts));
            trials.push(Trial::test(name, move || {
                let result = subject.run(&program);
                counts.add(&result);
                match (result, is_expected_to_fail) {
                    (Ok(()), true) => Err(Failed::from("it agrees: take it off the list of expected failures")),
                    (Err(_), true) | (Ok(()), false) => Ok(()),
                    (Err(Difference::Refused(problem)), false) => Err(Failed::from(format!("it failed: {problem}"))),
                    (Err(Difference::Silent(problem)), false) => Err(Failed::from(problem)),
                }
            }));
        }
    }
    match expected_failures.first() {
        Some(name) => Err(format!("the list of expected failures names `{name}`, which does not exist")),
        None => Ok(trials),
    }
}

/// Counts runs of programs by what came out.
#[derive(Default)]
struct Counts {
    agreeing: AtomicUsize,
    refused: AtomicUsize,
    silent: AtomicUsize,
}

impl Counts {
    fn add(&self, result: &Result<(), Difference>) {
        let counter = match result {
            Ok(()) => &self.agreeing,
            Err(Difference::Refused(_)) => &self.refused,
            Err(Difference::Silent(_)) => &self.silent,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

impl fmt::Display for Counts {
    #[expect(clippy::cast_precision_loss, reason = "there are some hundred runs")]
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [agreeing, refused, silent] =
            [&self.agreeing, &self.refused, &self.silent].map(|count| count.load(Ordering::Relaxed));
        let all = agreeing + refused + silent;
        let share = 100.0 * agreeing as f64 / all.max(1) as f64;
        write!(formatter, "{agreeing} of {all} runs give what Node gives ({share:.1}%), ")?;
        write!(formatter, "{refused} fail with an error, {silent} give something else")
    }
}

struct Subject {
    name: &'static str,
    runtime: Runtime,
    isobox: Isobox,
}

impl Subject {
    fn library(root: &Path) -> Result<Self, String> {
        Self::new("library", Isobox::builder().tools(program_tools(root)?))
    }

    fn moved(root: &Path) -> Result<Self, String> {
        let sandbox = restless_sandbox(NonZeroU32::new(256).ok_or("256 is zero")?)?;
        Self::new("moved", Isobox::builder().tools(program_tools(root)?).driver(sandbox))
    }

    fn new(name: &'static str, builder: Builder) -> Result<Self, String> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build();
        let isobox = builder.max_live(NonZeroU32::new(16).ok_or("16 is zero")?).build();
        Ok(Self {
            name,
            runtime: runtime.map_err(|error| error.to_string())?,
            isobox: isobox.map_err(|failure| failure.to_string())?,
        })
    }

    fn run(&self, program: &RecordedProgram) -> Result<(), Difference> {
        program.compare(&self.runtime.block_on(self.isobox.run(program.program())))
    }
}
