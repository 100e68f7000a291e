//! A whole process: `isobox run` of `return 1`, compared with `node -e 0`.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use isobox::Value;
use serde_json::json;

use crate::Effort;
use crate::measure::{micros, ratio, times};

/// At most half of the time.
const WANTED: f64 = 2.0;

pub(crate) fn cold_start(effort: Effort) -> Value {
    let runs = match effort {
        Effort::Full => 40,
        Effort::Quick => 2,
    };
    let Some(isobox) = binary() else {
        return json!({ "skipped": "build the binary first: cargo build --release -p isobox-cli" });
    };
    let program = std::env::temp_dir().join(format!("isobox-bench-{}.js", std::process::id()));
    if let Err(error) = std::fs::write(&program, "return 1") {
        return json!({ "skipped": format!("cannot write a program: {error}") });
    }
    let ours = times(runs, || run(Command::new(&isobox).arg("run").arg(&program)));
    let has_node = Command::new("node").arg("--version").stdout(Stdio::null()).status().is_ok();
    let theirs = has_node.then(|| times(runs, || run(Command::new("node").args(["-e", "0"]))));
    // A failure does not matter: the system cleans its temporary files.
    drop(std::fs::remove_file(&program));
    let Some(theirs) = theirs else {
        return json!({ "isoboxMedianUs": micros(ours.median()), "skipped": "node is not installed" });
    };
    let ratio = ratio(theirs.median(), ours.median());
    json!({
        "isoboxMedianUs": micros(ours.median()),
        "nodeMedianUs": micros(theirs.median()),
        "ratio": ratio,
        "wanted": WANTED,
        "met": ratio >= WANTED,
    })
}

fn run(command: &mut Command) {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status().expect("the program starts");
    assert!(status.success(), "{command:?} ended with {status}");
}

fn binary() -> Option<PathBuf> {
    let beside = std::env::current_exe().ok()?.parent()?.join("isobox");
    beside.exists().then_some(beside)
}
