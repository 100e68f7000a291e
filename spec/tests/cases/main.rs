//! Every case through every subject: the library with each pool setting and, kept, with each store or as texts, the command
//! line, and Node as the oracle.
//!
//! ```sh
//! scripts/with_postgres.py cargo test --release --workspace --test cases [FILTER]
//! ```
//!
//! What a subject cannot do is a skip that is printed and counted.

mod command_line;
mod durable;
mod library;
mod oracle;
mod stateless;

use std::num::NonZeroU32;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use isobox::driver::{Cleaning, Sandbox, SandboxOptions};
use isobox_spec::{Case, StoreKind, expected_failures, load_cases};
use libtest_mimic::{Arguments, Failed, Trial};

use command_line::CommandLine;
use durable::Durable;
use library::Library;
use oracle::Oracle;
use stateless::Stateless;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    // What prepares programs is made once, instead of for every case.
    let shared = |cleaning| Sandbox::shared(SandboxOptions::default().instances(NonZeroU32::MIN).cleaning(cleaning));
    let _kept = [Cleaning::Overwrite, Cleaning::GiveBack].map(shared);
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
    let mut subjects: Vec<Arc<dyn Subject>> = vec![
        Arc::new(Library::new("library", Cleaning::Overwrite)),
        Arc::new(Library::new("library-give-back", Cleaning::GiveBack)),
        Arc::new(CommandLine::built()),
        Arc::new(Oracle::start(root)),
        Arc::new(Stateless::new()),
    ];
    for kind in StoreKind::ALL {
        subjects.push(Arc::new(Durable::new(kind)));
    }
    let mut trials = Vec::new();
    let corrected: Vec<Case> = cases.iter().filter_map(Case::corrected).collect();
    for case in cases.into_iter().chain(corrected).map(Arc::new) {
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

/// Something that runs cases.
trait Subject: Send + Sync {
    fn name(&self) -> &str;
    /// What it would need to run this case, where it has it not.
    fn cannot(&self, case: &Case) -> Option<&'static str>;
    fn run(&self, case: &Case) -> Result<(), String>;
}
