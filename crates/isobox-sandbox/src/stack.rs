//! The stack of an instance's steps, which its store keeps while the program waits.

use std::ops::Range;

use rustix::mm::{Advice, madvise};

#[cfg(test)]
use crate::pages::OwnPages;
use crate::pages::PAGE;

/// The wasm stack for [`Limits::MAX_STACK`](isobox_core::Limits::MAX_STACK) of a program's own, measured with room to spare: the C code of the engine
/// needs many times what the program's frames do.
pub(crate) const WASM_STACK: usize = 20 << 20;

/// How much of a stack stays resident while a program waits.
pub(crate) const KEPT: usize = 64 << 10;

/// Where the stack of a store is: a program that once recursed deeply must not hold megabytes while it waits.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StackMark(Option<usize>);

impl StackMark {
    /// Marks the stack that this is called on. The guest calls it first thing, so that little of the stack is above; one
    /// that calls it again, from deeper down, changes nothing.
    pub(crate) fn mark(&mut self) {
        let local = 0_u8;
        self.0.get_or_insert(std::ptr::from_ref(&local).addr());
    }

    pub(crate) fn is_marked(self) -> bool {
        self.0.is_some()
    }

    /// Gives back what lies more than [`KEPT`] below the mark. Only while nothing runs on this stack.
    pub(crate) fn trim(self) {
        let Some(Range { start: bottom, end: top }) = self.trimmed() else { return };
        // SAFETY: the mark was taken on the stack that the store keeps, at most a few KiB below its top. The stack is
        // `WASM_STACK` and `HOST_STACK` large, so that the range lies inside it; no fiber is suspended on it, as the
        // caller promises, so that what it holds is dead. Dropped pages read as zeros, which stacks start as.
        let advised =
            unsafe { madvise(std::ptr::with_exposed_provenance_mut(bottom), top - bottom, Advice::LinuxDontNeed) };
        debug_assert!(advised.is_ok(), "the range is mapped: {advised:?}");
    }

    fn trimmed(self) -> Option<Range<usize>> {
        let page_of = |address: usize| address & !(PAGE - 1);
        self.0.map(|mark| page_of(mark - WASM_STACK)..page_of(mark - KEPT))
    }

    /// How many bytes of what is given back are resident.
    #[cfg(test)]
    pub(crate) fn held_for_test(self) -> Option<usize> {
        self.trimmed().map(|range| OwnPages::between(range).expect("the kernel tells").bytes())
    }
}
