//! Runs simulated worlds by their seeds.

use std::num::NonZeroU32;
use std::process::ExitCode;
use std::sync::Arc;

use isobox_core::Driver;
use isobox_sandbox::{Sandbox, SandboxOptions};
use isobox_sim::scene::live;
use isobox_sim::store::Lies;
use isobox_sim::trace::Counts;

const USAGE: &str = "usage: isobox-sim --seeds A..B [--twice-every N] | --trace SEED
  --seeds A..B        lives through the worlds of these seeds, and says which break their promises
  --twice-every N     every Nth world is lived through twice, and has to be the same to the byte (10)
  --trace SEED        prints everything that happens in one world";

/// The maximum number of printed seeds that failed in the same way.
const SHOWN: u64 = 3;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let request = match arguments.as_slice() {
        ["--seeds", range] => seeds(range).map(|(from, to)| Request::Many { from, to, twice_every: 10 }),
        ["--seeds", range, "--twice-every", every] => seeds(range)
            .zip(every.parse().ok())
            .map(|((from, to), twice_every)| Request::Many { from, to, twice_every }),
        ["--trace", seed] => seed.parse().ok().map(Request::Trace),
        _ => None,
    };
    let instances = NonZeroU32::new(64).expect("it is not zero");
    let sandbox: Arc<dyn Driver> = match Sandbox::new(SandboxOptions::default().instances(instances)) {
        Ok(sandbox) => Arc::new(sandbox),
        Err(failure) => {
            eprintln!("{failure}");
            return ExitCode::FAILURE;
        }
    };
    match request {
        Some(Request::Many { from, to, twice_every }) => many(&sandbox, from, to, twice_every),
        Some(Request::Trace(seed)) => {
            let report = live(&sandbox, seed, Lies::Never);
            print!("{}", report.trace);
            if report.violations.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        None => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

enum Request {
    Many { from: u64, to: u64, twice_every: u64 },
    Trace(u64),
}

fn seeds(range: &str) -> Option<(u64, u64)> {
    let (from, to) = range.split_once("..")?;
    Some((from.parse().ok()?, to.parse().ok()?))
}

fn many(sandbox: &Arc<dyn Driver>, from: u64, to: u64, twice_every: u64) -> ExitCode {
    let mut counts = Counts::new();
    let mut failed = Vec::new();
    let mut kinds = std::collections::BTreeMap::<String, u64>::new();
    let mut twice = 0_u64;
    for seed in from..to {
        let report = live(sandbox, seed, Lies::Never);
        let mut violations = report.violations;
        if twice_every > 0 && seed.is_multiple_of(twice_every) {
            twice += 1;
            if live(sandbox, seed, Lies::Never).trace != report.trace {
                violations.push("the second run differs from the first".to_owned());
            }
        }
        for (what, count) in report.counts {
            *counts.entry(what).or_default() += count;
        }
        if let Some(first) = violations.first() {
            // The same failure in many worlds is reported once.
            let kind = first.chars().filter(|character| !character.is_ascii_digit()).take(60).collect();
            let seen = kinds.entry(kind).or_default();
            *seen += 1;
            if *seen <= SHOWN {
                println!("seed {seed}: {first}");
            }
            failed.push(seed);
        }
        let done = seed - from + 1;
        if done.is_multiple_of(1000) {
            println!("{done} of {} seeds, {} failed", to - from, failed.len());
        }
    }
    for (what, count) in &counts {
        println!("{count:>10}  {what}");
    }
    println!("{} seeds, {twice} of them twice; {} failed", to.saturating_sub(from), failed.len());
    match failed.first() {
        None => ExitCode::SUCCESS,
        Some(seed) => {
            println!("to see one of them: isobox-sim --trace {seed}; keep it in sim/regressions.txt");
            ExitCode::FAILURE
        }
    }
}
