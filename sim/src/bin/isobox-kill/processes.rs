//! The workers, as processes.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::settings::Settings;

/// The time limit of the last worker for the remaining executions.
const PATIENCE: Duration = Duration::from_secs(300);

/// Lets a worker that is not killed finish the remaining executions.
pub(crate) async fn finish(settings: &Settings, role: &str) -> Result<(), String> {
    let mut last = start(settings, role)?;
    let mut waited = Duration::ZERO;
    let status = loop {
        if let Some(status) = last.try_wait().map_err(|error| error.to_string())? {
            break status;
        }
        if waited > PATIENCE {
            last.kill().map_err(|error| error.to_string())?;
            return Err(format!("something is stuck: the last worker did not end within {PATIENCE:?}"));
        }
        let pause = Duration::from_millis(50);
        tokio::time::sleep(pause).await;
        waited += pause;
    };
    if !status.success() {
        return Err(format!("the last worker failed: {status}"));
    }
    Ok(())
}

pub(crate) fn wait_until_ready(worker: &mut Child) -> Result<(), String> {
    let output = worker.stdout.take().ok_or("a worker has an output")?;
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line).map_err(|error| error.to_string())?;
    if line.is_empty() { Err("a worker ended before it was ready".to_owned()) } else { Ok(()) }
}

/// Waits until the given number of further effects were recorded, with a time limit.
pub(crate) async fn wait_for_effects(settings: &Settings, more: u64) {
    // The approximate length of a line.
    const LINE: u64 = 53;
    let size = || std::fs::metadata(&settings.effects).map(|file| file.len()).unwrap_or_default();
    let wanted = size() + more * LINE;
    for _ in 0..200 {
        if size() >= wanted {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

pub(crate) fn start(settings: &Settings, role: &str) -> Result<Child, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    Command::new(program)
        .args(["--store", &settings.store, "--role", role])
        .args(["--executions", &settings.executions.to_string()])
        .arg("--effects")
        .arg(&settings.effects)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("the worker cannot be started: {error}"))
}
