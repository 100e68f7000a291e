//! Runs every workload once.

use std::process::Command;

use serde_json::Value;

#[test]
fn every_workload_runs_and_says_what_it_measured() {
    let workloads = [
        "fresh",
        "fresh-unique",
        "roundtrips3",
        "parallel100",
        "throughput1",
        "throughput2",
        "compute-fib27",
        "compute-loop1e6",
        "compute-json1mb",
        "compute-sort1e5",
        "compute-regex",
        "waiting",
        "snapshot-small",
        "snapshot-5000",
        "durable-roundtrips3",
        "durable-pause",
        "durable-resume1000",
        "durable-paused10000",
        "catalogue",
        // Without `cold-start`, which needs the binary of the command line: this package does not build it.
        "search-quality",
        "search-speed",
    ];
    let output = Command::new(env!("CARGO_BIN_EXE_isobox-bench")).arg("--quick").args(workloads).output();
    let output = output.expect("the benchmark runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let figures = String::from_utf8(output.stdout).expect("figures are text");
    let figures: Vec<Value> = figures.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    let measured: Vec<&Value> = figures.iter().map(|figures| &figures["workload"]).collect();
    assert_eq!(measured, workloads);
    for figures in &figures {
        assert!(
            figures["ratio"].is_number()
                || figures["kibPerInstance"].is_number()
                || figures["bytes"].is_number()
                || figures["met"].is_boolean()
                || figures["briefingTokens"].is_number(),
            "{figures}"
        );
    }
}
