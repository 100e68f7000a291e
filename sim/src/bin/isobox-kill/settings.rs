//! The settings of this process, and its store.

use std::path::PathBuf;
use std::sync::Arc;

use isobox::store::Store;
use isobox_core::Failure;
use isobox_store::{DatabaseStore, KeySource};

pub(crate) const USAGE: &str =
    "usage: isobox-kill --store (sqlite:FILE | postgres://…) --effects FILE [--kills N] [--freezes N] [--held-back N] [--executions N]
         [--seed N]
       isobox-kill --store … --effects FILE --sleepers N [--executions N] [--seed N]
  --kills N         kill the worker N times (default: 500)
  --freezes N       freeze a worker N times, each time until another worker has taken over (default: 20)
  --held-back N     withhold the answers of a PostgreSQL server from a worker N times, each time until another worker has taken over
                    (default: 0)
  --sleepers N      kill a worker whose executions sleep N times, and nothing else
  --executions N    keep N executions running or asleep at once (default: 50)
  --seed N          choose the times of the kills; what a worker does at that time still varies (default: 1)";

#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) store: String,
    pub(crate) effects: PathBuf,
    pub(crate) kills: u32,
    pub(crate) freezes: u32,
    pub(crate) held_back: u32,
    pub(crate) sleepers: u32,
    pub(crate) executions: usize,
    pub(crate) seed: u64,
    pub(crate) role: Role,
}

/// The role of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Kills workers.
    Killer,
    /// Keeps executions running until it is killed.
    Worker,
    /// A worker beside others that may be frozen, with real leases.
    Rival,
    /// Finishes the remaining executions.
    Finisher,
    /// Keeps executions asleep until it is killed.
    Sleeper,
    /// Wakes the remaining executions.
    Waker,
}

pub(crate) fn settings(mut arguments: impl Iterator<Item = String>) -> Option<Settings> {
    let mut settings = Settings {
        store: String::new(),
        effects: PathBuf::new(),
        kills: 500,
        freezes: 20,
        held_back: 0,
        sleepers: 0,
        executions: 50,
        seed: 1,
        role: Role::Killer,
    };
    while let Some(name) = arguments.next() {
        let value = arguments.next()?;
        match name.as_str() {
            "--store" => settings.store = value,
            "--effects" => settings.effects = value.into(),
            "--kills" => settings.kills = value.parse().ok()?,
            "--executions" => settings.executions = value.parse().ok()?,
            "--seed" => settings.seed = value.parse().ok()?,
            "--freezes" => settings.freezes = value.parse().ok()?,
            "--held-back" => settings.held_back = value.parse().ok()?,
            "--sleepers" => settings.sleepers = value.parse().ok()?,
            "--role" => {
                settings.role = match value.as_str() {
                    "worker" => Role::Worker,
                    "rival" => Role::Rival,
                    "sleeper" => Role::Sleeper,
                    "waker" => Role::Waker,
                    _ => Role::Finisher,
                };
            }
            _ => return None,
        }
    }
    (!settings.store.is_empty() && !settings.effects.as_os_str().is_empty()).then_some(settings)
}

pub(crate) async fn open(store: &str) -> Result<Arc<dyn Store>, Failure> {
    Ok(match store.strip_prefix("sqlite:") {
        Some(path) => Arc::new(DatabaseStore::sqlite(path).await?),
        None => Arc::new(DatabaseStore::postgres(store, KeySource::Database).await?),
    })
}
