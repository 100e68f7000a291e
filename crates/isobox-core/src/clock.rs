//! Time, which enters the core through one trait.

use std::time::Duration;

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};

/// Tells the time and waits for it. Real in production, controlled in simulation.
pub trait Clock: Send + Sync {
    /// The time of day.
    fn now(&self) -> Timestamp;
    /// Time since some moment in the past; never runs backwards.
    fn elapsed(&self) -> Duration;
    /// Time since some moment in the past, which also passes while the machine sleeps: what leases are measured by.
    fn boot_time(&self) -> Duration;
    /// Waits until [`Clock::elapsed`] has reached a moment.
    fn sleep_until(&self, moment: Duration) -> BoxFuture<'static, ()>;
}

/// Milliseconds since 1970, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub u64);
