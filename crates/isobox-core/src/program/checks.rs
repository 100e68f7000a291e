//! The setting for checks of programs before they run.

/// The setting for checks of programs before they run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Checks {
    /// Programs are not checked. Rules over the syntax still apply.
    Off,
    /// Mistakes are warnings of the outcome, and the program runs.
    Warnings,
    /// A program with a certain mistake fails with `CHECK` before anything has run.
    #[default]
    Errors,
}
