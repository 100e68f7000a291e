//! What is certain of the regions of a file, once the whole file is known.

use super::regions::RegionId;

/// What is certain of a region.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent facts about a place")]
pub(super) struct Certainty {
    /// Whether the code runs unless the program fails before.
    pub(super) is_certain: bool,
    /// Whether the code never runs.
    pub(super) is_dead: bool,
    /// Whether some code handles failures.
    pub(super) is_handled: bool,
    /// Whether the code is inside a function other than the program itself.
    pub(super) is_nested: bool,
    /// Whether the program may have left before, under a condition.
    pub(super) is_behind_if: bool,
}

/// The functions that certainly run because they are called by their names.
#[derive(Default)]
pub(super) struct Called(Vec<bool>);

impl Called {
    /// Adds the function with this region.
    pub(super) fn insert(&mut self, function: RegionId) {
        if self.0.len() <= function.index() {
            self.0.resize(function.index() + 1, false);
        }
        self.0[function.index()] = true;
    }

    /// Checks whether the function with this region is called.
    pub(super) fn contains(&self, function: RegionId) -> bool {
        self.0.get(function.index()).copied().unwrap_or_default()
    }
}

/// What is certain of the regions of a file.
pub(super) struct Certainties(pub(super) Vec<Certainty>);

impl Certainties {
    /// Returns what is certain of a region.
    pub(super) fn of(&self, region: RegionId) -> Certainty {
        self.0.get(region.index()).copied().unwrap_or_default()
    }
}
