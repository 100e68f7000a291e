//! The trace of a simulated world, and counts of events across worlds.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use isobox_core::Clock;

use crate::clock::SimClock;

/// All events in order. Clones write to the same trace.
#[derive(Clone)]
pub struct Trace {
    clock: SimClock,
    written: Arc<Mutex<Written>>,
}

#[derive(Default)]
struct Written {
    text: String,
    counts: Counts,
    violations: Vec<String>,
}

/// The number of events by kind.
pub type Counts = BTreeMap<&'static str, u64>;

impl Trace {
    /// Creates an empty trace.
    pub fn new(clock: SimClock) -> Self {
        Self { clock, written: Arc::default() }
    }

    /// Adds a line.
    pub fn line(&self, line: impl std::fmt::Display) {
        let at = self.clock.elapsed().as_millis();
        let mut written = self.lock();
        writeln!(written.text, "{at:>8} {line}").expect("a string takes everything");
    }

    /// Adds a line and counts the event.
    pub fn count(&self, what: &'static str, line: impl std::fmt::Display) {
        *self.lock().counts.entry(what).or_default() += 1;
        self.line(format_args!("{what}: {line}"));
    }

    /// Records a violated invariant.
    pub fn violation(&self, what: impl std::fmt::Display) {
        self.line(format_args!("VIOLATION {what}"));
        self.lock().violations.push(what.to_string());
    }

    /// Returns the text, the counts and the violations.
    pub fn take(&self) -> (String, Counts, Vec<String>) {
        let mut written = self.lock();
        let Written { text, counts, violations } = std::mem::take(&mut *written);
        (text, counts, violations)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Written> {
        self.written.lock().expect("no holder of the lock panics")
    }
}
