//! test262, the conformance tests of ECMAScript, through the library.
//!
//! ```sh
//! scripts/with_corpora.py cargo test --release --workspace --test test262 [-- --whole]
//! ```
//!
//! The tests are read from the folder that `ISOBOX_TEST262` names; without it, this is a skip that is printed. Without
//! `--whole` only some are run, by a seed: the same ones every time, unless another is given.

mod plan;
mod summary;
mod work;

use std::path::Path;
use std::process::ExitCode;

use isobox_spec::test262::{Corpus, ExpectedFailures};

use plan::{Plan, Tests};
use summary::Summary;
use work::carry_out;

fn main() -> ExitCode {
    let plan = match Plan::parse(std::env::args().skip(1)) {
        Ok(plan) => plan,
        Err(problem) => {
            eprintln!("{problem}");
            return ExitCode::from(2);
        }
    };
    let Some(folder) = std::env::var_os("ISOBOX_TEST262") else {
        println!(
            "1 step is skipped: ISOBOX_TEST262 does not name a checkout of test262 (scripts/with_corpora.py sets it)"
        );
        return ExitCode::SUCCESS;
    };
    match run(&plan, Path::new(&folder)) {
        Ok(summary) if summary.is_as_expected() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(plan: &Plan, folder: &Path) -> Result<Summary, String> {
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("test262/expected-failures.txt");
    let text = std::fs::read_to_string(&list).map_err(|error| format!("{}: {error}", list.display()))?;
    let expected = ExpectedFailures::parse(&text)?;
    let corpus = Corpus::open(folder)?;
    let all = corpus.names()?;
    let count = all.len();
    let names = plan.tests.select(all);
    println!("test262: {} of {count} tests: {}", names.len(), plan.tests);
    let results = carry_out(&corpus, plan.unpatched.as_deref(), &names)?;
    let mut summary = Summary::new(&names, &results, &expected);
    if let Some(file) = &plan.report {
        std::fs::write(file, summary::table(&names, &results))
            .map_err(|error| format!("{}: {error}", file.display()))?;
    }
    if matches!(plan.tests, Tests::All) {
        summary.check_list(&expected);
    }
    if plan.prunes {
        let passing = summary.take_passing();
        write_without(&list, &text, &passing)?;
    }
    print!("{summary}");
    Ok(summary)
}

fn write_without(list: &Path, text: &str, passing: &[String]) -> Result<(), String> {
    let lines = text.lines().filter(|line| !passing.iter().any(|name| name == line));
    let text = lines.map(|line| format!("{line}\n")).collect::<String>();
    std::fs::write(list, text).map_err(|error| format!("{}: {error}", list.display()))
}
