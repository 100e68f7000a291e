//! Time enters the core through one trait.

use std::time::Duration;

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};

/// Reads the time and waits for it. Real in production, controlled in simulation.
pub trait Clock: Send + Sync {
    /// Returns the time of day.
    fn now(&self) -> Timestamp;
    /// Returns the time since some moment in the past. Never goes back.
    fn elapsed(&self) -> Duration;
    /// Returns the time since some moment in the past, including the time that the machine sleeps. Leases use it.
    fn boot_time(&self) -> Duration;
    /// Waits until [`Clock::elapsed`] has reached `moment`.
    fn sleep_until(&self, moment: Duration) -> BoxFuture<'static, ()>;
}

/// Milliseconds since 1970, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub u64);
