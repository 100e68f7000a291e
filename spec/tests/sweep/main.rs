//! Crashes every case at every moment, in every store: before and after every write, and at every event that the host
//! receives. With the memory store, the engine is dropped. With the other stores, a child process dies.
//!
//! In other runs the process lives, and from that moment on nothing that it writes is acknowledged until others have finished
//! its work. Then it may do nothing more, and has to say that it cannot continue.
//!
//! ```sh
//! scripts/with_postgres.py cargo test --release --workspace --test sweep [-- --whole]
//! ```
//!
//! Without `--whole`, a seed selects some of the moments. The default seed is always the same.

mod plan;
mod work;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use isobox_spec::sweep::{be_a_child, not_swept};
use isobox_spec::{Case, expected_failures, load_cases};
use tokio::runtime::Runtime;

use plan::{Command, Plan};
use work::{Tally, carry_out};

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    match Command::parse(std::env::args().skip(1)) {
        Ok(Command::Child(order)) => runtime().block_on(be_a_child(root, &order)),
        Ok(Command::Sweep(plan)) => sweep(root, &plan),
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(2)
        }
    }
}

fn runtime() -> Runtime {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    runtime.expect("tokio starts")
}

fn sweep(root: &Path, plan: &Plan) -> ExitCode {
    let (cases, failing) = match (load_cases(root), expected_failures(root)) {
        (Ok(cases), Ok(failing)) => (cases, failing),
        (Err(problem), _) | (_, Err(problem)) => {
            eprintln!("the cases cannot be read: {problem}");
            return ExitCode::FAILURE;
        }
    };
    let mut skipped: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut swept: Vec<&Case> = Vec::new();
    for case in cases.iter().filter(|case| case.name.contains(&plan.filter)) {
        let is_failing = failing.contains(&format!("durable-memory::{}", case.name));
        match not_swept(case).or(is_failing.then_some("it is known to fail")) {
            Some(reason) => skipped.entry(reason).or_default().push(&case.name),
            None => swept.push(case),
        }
    }
    for (reason, names) in &skipped {
        println!("{} cases are skipped: {reason} ({})", names.len(), names.join(", "));
    }
    println!("{} cases, {plan}", swept.len());
    let mut failed = false;
    for (store, Tally { cases, lives, deaths, held_up, problems }) in carry_out(plan, &swept) {
        let store = store.as_str();
        println!(
            "{store}: {cases} cases, {lives} runs, {held_up} held up, {deaths} crashes; {problems} runs ended otherwise than \
             the case says"
        );
        failed |= problems > 0;
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
