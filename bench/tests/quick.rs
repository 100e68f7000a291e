//! Runs every workload once.

use std::process::Command;

use serde_json::Value;

/// Returns what the benchmark prints.
fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_isobox-bench")).args(arguments).output();
    let output = output.expect("the benchmark runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the output is text")
}

#[test]
fn every_workload_runs_and_says_what_it_measured() {
    let listed = printed(&["--list"]);
    // `cold-start` needs the binary of the command line: this package does not build it.
    let workloads: Vec<&str> = listed.lines().filter(|name| *name != "cold-start").collect();
    assert!(!workloads.is_empty());
    let figures = printed(&[&["--quick"], &workloads[..]].concat());
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
