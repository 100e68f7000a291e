//! The amount of work of a measurement.

/// The amount of work: enough to measure, or just enough to see that it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    Full,
    Quick,
}
