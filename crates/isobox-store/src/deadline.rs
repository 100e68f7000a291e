//! The deadline of a transaction.

use std::time::{Duration, Instant};

/// The moment at which an operation fails. One deadline covers everything that the operation waits for: opening, locks,
/// every statement and every retry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Deadline(Instant);

impl Deadline {
    #[expect(clippy::disallowed_methods, reason = "a database is waited for in real time")]
    pub(crate) fn after(patience: Duration) -> Self {
        Self(Instant::now() + patience)
    }

    /// Returns the time left, or zero after the deadline.
    #[expect(clippy::disallowed_methods, reason = "a database is waited for in real time")]
    pub(crate) fn left(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    pub(crate) fn has_passed(self) -> bool {
        self.left().is_zero()
    }
}
