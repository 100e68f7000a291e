//! Freezes processes for longer than their leases last, then lets them continue.
//!
//! One worker is frozen at a random moment. Another worker takes over its executions, checks which of the calls in
//! doubt took effect, and repeats the others. Then the first worker thaws. It must not carry out what it was about to
//! do.

use std::process::{Child, Command};
use std::time::Duration;

use isobox::store::Timing;
use isobox_sim::random::Random;

use crate::processes::{start, wait_for_effects, wait_until_ready};
use crate::settings::Settings;

/// Returns timing with short leases. Calls of the worker take less than 30 ms, so that calls in doubt are soon settled.
pub(crate) fn timing() -> Timing {
    Timing::default()
        .lease(Duration::from_secs(2))
        .heartbeat(Duration::from_millis(400))
        .margin(Duration::from_millis(400))
        .outage(Duration::from_secs(10))
        .doubt(Duration::from_millis(2_500))
}

pub(crate) async fn freeze(settings: &Settings, random: &mut Random) -> Result<(), String> {
    let mut worker: Option<Child> = None;
    for freeze in 1..=settings.freezes {
        let mut frozen = match worker.take() {
            Some(worker) => worker,
            None => ready(settings)?,
        };
        wait_for_effects(settings, random.below(60)).await;
        tokio::time::sleep(Duration::from_millis(random.below(20))).await;
        stop(&frozen).await?;
        let successor = ready(settings)?;
        // Until leases have expired, calls in doubt can be decided, and most of them have been.
        tokio::time::sleep(timing().lease + Duration::from_millis(1_200 + random.below(1_500))).await;
        signal(&frozen, "-CONT")?;
        tokio::time::sleep(Duration::from_millis(200 + random.below(600))).await;
        frozen.kill().and_then(|()| frozen.wait()).map_err(|error| error.to_string())?;
        worker = Some(successor);
        if freeze % 10 == 0 {
            println!("{freeze} freezes");
        }
    }
    if let Some(mut last) = worker {
        last.kill().and_then(|()| last.wait()).map_err(|error| error.to_string())?;
        // The next worker must be alone.
        tokio::time::sleep(timing().lease).await;
    }
    Ok(())
}

/// Freezes a process, but not while it locks an SQLite file, because no other process could take over then.
async fn stop(process: &Child) -> Result<(), String> {
    loop {
        signal(process, "-STOP")?;
        while !is_stopped(process.id())? {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        if !holds_lock(process.id())? {
            return Ok(());
        }
        signal(process, "-CONT")?;
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// Tells whether all threads of a process are stopped. A thread inside a system call stops after it.
fn is_stopped(process: u32) -> Result<bool, String> {
    let told = |error: std::io::Error| format!("process {process}: {error}");
    for thread in std::fs::read_dir(format!("/proc/{process}/task")).map_err(told)? {
        let state = std::fs::read_to_string(thread.map_err(told)?.path().join("stat")).map_err(told)?;
        // The name before the state is in parentheses and may contain any character.
        if !state.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('T')) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Tells whether a process has locked a file for writing. The kernel may skip some locks while others come and go.
fn holds_lock(process: u32) -> Result<bool, String> {
    for _ in 0..20 {
        if is_listed(process)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_listed(process: u32) -> Result<bool, String> {
    let locks = std::fs::read_to_string("/proc/locks").map_err(|error| format!("/proc/locks: {error}"))?;
    let process = process.to_string();
    let is_its = |line: &str| {
        let mut words = line.split_whitespace().skip(3);
        words.next() == Some("WRITE") && words.next() == Some(&process)
    };
    Ok(locks.lines().any(is_its))
}

/// Starts a worker beside others, and waits until it is ready.
pub(crate) fn ready(settings: &Settings) -> Result<Child, String> {
    let mut worker = start(settings, "rival")?;
    wait_until_ready(&mut worker)?;
    Ok(worker)
}

fn signal(process: &Child, signal: &str) -> Result<(), String> {
    let sent = Command::new("kill").args([signal, &process.id().to_string()]).status();
    match sent.map_err(|error| error.to_string())? {
        status if status.success() => Ok(()),
        status => Err(format!("a worker ended by itself: kill {signal} says {status}")),
    }
}
