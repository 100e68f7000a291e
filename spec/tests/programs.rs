//! Every program of `spec/programs`, compared with what Node gives.
//!
//! ```sh
//! cargo test --release --workspace --test programs [FILTER]
//! ```
//!
//! Known differences are in `spec/programs/expected-failures.txt`, which is strict.

use std::num::NonZeroU32;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use isobox::Isobox;
use isobox_spec::expected_failures;
use isobox_spec::programs::{RecordedProgram, load_programs, program_tools};
use libtest_mimic::{Arguments, Failed, Trial};
use tokio::runtime::Runtime;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials() {
        Ok((trials, agreeing)) => {
            let conclusion = libtest_mimic::run(&arguments, trials);
            let run = conclusion.num_passed + conclusion.num_failed;
            let agreeing = agreeing.load(Ordering::Relaxed);
            #[expect(clippy::cast_precision_loss, reason = "there are some hundred programs")]
            let share = 100.0 * agreeing as f64 / run.max(1) as f64;
            println!("{agreeing} of {run} programs give what Node gives ({share:.1}%)");
            conclusion.exit_code()
        }
        Err(problem) => {
            eprintln!("the programs cannot be read: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Returns a trial for each program, and the number of programs that have agreed so far.
fn trials() -> Result<(Vec<Trial>, Arc<AtomicUsize>), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    let mut expected_failures = expected_failures(&root)?;
    let subject = Arc::new(Subject::new(&root)?);
    let agreeing = Arc::new(AtomicUsize::new(0));
    let mut trials = Vec::new();
    for program in load_programs(&root)? {
        let name = format!("library::{}", program.name);
        let is_expected_to_fail = expected_failures.remove(&name);
        let (subject, agreeing) = (Arc::clone(&subject), Arc::clone(&agreeing));
        trials.push(Trial::test(name, move || {
            let result = subject.run(&program);
            agreeing.fetch_add(usize::from(result.is_ok()), Ordering::Relaxed);
            match (result, is_expected_to_fail) {
                (Ok(()), true) => Err(Failed::from("it agrees: take it off the list of expected failures")),
                (Err(_), true) | (Ok(()), false) => Ok(()),
                (Err(problem), false) => Err(Failed::from(problem)),
            }
        }));
    }
    match expected_failures.first() {
        Some(name) => Err(format!("the list of expected failures names `{name}`, which does not exist")),
        None => Ok((trials, agreeing)),
    }
}

struct Subject {
    runtime: Runtime,
    isobox: Isobox,
}

impl Subject {
    fn new(root: &Path) -> Result<Self, String> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build();
        let live = NonZeroU32::new(16).ok_or("16 is zero")?;
        let isobox = Isobox::builder().tools(program_tools(root)?).max_live(live).build();
        Ok(Self {
            runtime: runtime.map_err(|error| error.to_string())?,
            isobox: isobox.map_err(|failure| failure.to_string())?,
        })
    }

    fn run(&self, program: &RecordedProgram) -> Result<(), String> {
        program.compare(&self.runtime.block_on(self.isobox.run(program.program())))
    }
}
