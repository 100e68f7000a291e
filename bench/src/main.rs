//! Prints one JSON line per workload: Isobox, through its public API, beside native QuickJS on the same work.
//!
//! ```sh
//! cargo run --release -p isobox-bench [--quick] [--check] [WORKLOAD…]
//! cargo run --release -p isobox-bench -- --list
//! ```
//!
//! Only ratios within one run mean anything: machines are shared and noisy. `wanted` is what the project promises. With
//! `--check`, the exit status is 1 if a workload that was run misses it.

#![expect(clippy::disallowed_methods, reason = "it measures real time")]

mod catalogue;
mod checking;
mod cold_start;
mod compute;
mod durable;
mod effort;
mod executions;
mod mcp_calls;
mod measure;
mod native;
mod openapi;
mod programs;
mod search;
mod snapshots;
mod waiting;

use std::process::ExitCode;

use effort::Effort;

type Workload = fn(Effort) -> serde_json::Value;

const WORKLOADS: [(&str, Workload); 30] = [
    ("fresh", executions::fresh),
    ("fresh-unique", executions::fresh_unique),
    ("repeated", executions::repeated),
    ("roundtrips3", executions::roundtrips3),
    ("parallel100", executions::parallel100),
    ("throughput1", executions::throughput1),
    ("throughput2", executions::throughput2),
    ("compute-fib27", compute::fib),
    ("compute-loop1e6", compute::counting),
    ("compute-json1mb", compute::json),
    ("compute-sort1e5", compute::sort),
    ("compute-regex", compute::regex),
    ("waiting", waiting::waiting),
    ("snapshot-small", snapshots::small),
    ("snapshot-5000", snapshots::objects5000),
    ("durable-roundtrips3", durable::roundtrips::roundtrips3),
    ("durable-pause", durable::pauses::pause),
    ("durable-resume1000", durable::pauses::resume1000),
    ("durable-paused10000", durable::many::paused10000),
    ("sleeping", durable::sleeping::sleeping),
    ("continuation", durable::continuations::continuation),
    ("snippet", durable::snippets::snippet),
    ("catalogue", catalogue::catalogue),
    ("catalogue-20000", catalogue::catalogue20000),
    ("check", checking::check),
    ("openapi", openapi::openapi),
    ("mcp-call", mcp_calls::mcp_calls),
    ("cold-start", cold_start::cold_start),
    ("search-quality", search::quality),
    ("search-speed", search::speed),
];

fn main() -> ExitCode {
    let (mut effort, mut checks) = (Effort::Full, false);
    let mut wanted = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--quick" => effort = Effort::Quick,
            "--check" => checks = true,
            // The server of a workload.
            mcp_calls::SERVER => {
                mcp_calls::serve();
                return ExitCode::SUCCESS;
            }
            "--list" => {
                for (name, _) in WORKLOADS {
                    println!("{name}");
                }
                return ExitCode::SUCCESS;
            }
            name if WORKLOADS.iter().any(|(known, _)| *known == name) => wanted.push(argument),
            other => {
                let known: Vec<&str> = WORKLOADS.iter().map(|(name, _)| *name).collect();
                eprintln!("There is no workload `{other}`. There are: {}.", known.join(", "));
                return ExitCode::from(2);
            }
        }
    }
    let mut missed = Vec::new();
    for (name, workload) in WORKLOADS {
        if wanted.is_empty() || wanted.iter().any(|one| one == name) {
            let mut line = serde_json::json!({ "workload": name });
            if let (Some(line), serde_json::Value::Object(figures)) = (line.as_object_mut(), workload(effort)) {
                line.extend(figures);
            }
            println!("{line}");
            if line["met"] == false {
                missed.push(name);
            }
        }
    }
    if !checks || missed.is_empty() {
        return ExitCode::SUCCESS;
    }
    eprintln!("These workloads missed what is wanted: {}.", missed.join(", "));
    ExitCode::FAILURE
}
