//! The argument that says what checks before the run do.

use clap::ValueEnum;
use isobox::Checks;

/// What mistakes do that are found before a program runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckEffect {
    /// A certain mistake stops the program with CHECK, before its first call
    Errors,
    /// The program runs, and the outcome has warnings
    Warnings,
    /// Nothing is looked for. Rules over the syntax still apply
    Off,
}

impl From<CheckEffect> for Checks {
    fn from(effect: CheckEffect) -> Self {
        match effect {
            CheckEffect::Errors => Self::Errors,
            CheckEffect::Warnings => Self::Warnings,
            CheckEffect::Off => Self::Off,
        }
    }
}
