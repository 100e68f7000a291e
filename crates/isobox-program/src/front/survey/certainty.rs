//! What is certain of the regions of a file, once the whole file is known.

use super::regions::{Function, Opening, RegionId, Regions, Start};

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
pub(super) struct Certainties(Vec<Certainty>);

impl Certainties {
    /// Finds out what is certain of every region, if these functions are called.
    pub(super) fn find<'a>(regions: &Regions<'a>, is_main: impl Fn(&Function<'a>) -> bool, called: &Called) -> Self {
        let openings = regions.openings();
        let mut known: Vec<Certainty> = Vec::with_capacity(openings.len());
        for (inside, opening) in openings {
            let outer = known.get(inside.index()).copied().unwrap_or_default();
            let is_called = called.0.get(known.len()).copied().unwrap_or_default();
            known.push(match opening {
                Opening::File => Certainty { is_certain: true, ..Certainty::default() },
                Opening::Branch => Certainty { is_certain: false, ..outer },
                Opening::Dead => Certainty { is_certain: false, is_dead: true, ..outer },
                Opening::Tried => Certainty { is_certain: false, is_handled: true, ..outer },
                Opening::Caught => Certainty { is_handled: true, ..outer },
                Opening::BehindIf => Certainty { is_behind_if: true, ..outer },
                Opening::Function(function) => {
                    let is_main = is_main(function);
                    let is_at_once = function.start == Start::AtOnce && outer.is_certain;
                    Certainty {
                        is_certain: is_main || is_at_once || is_called,
                        is_dead: outer.is_dead && !function.is_hoisted(),
                        is_nested: outer.is_nested || !(is_main || function.start != Start::Elsewhere),
                        ..outer
                    }
                }
            });
        }
        Self(known)
    }

    /// Returns what is certain of a region.
    pub(super) fn of(&self, region: RegionId) -> Certainty {
        self.0.get(region.index()).copied().unwrap_or_default()
    }
}
