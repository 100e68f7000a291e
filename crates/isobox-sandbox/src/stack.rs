//! The stack for the steps of an instance, which its store keeps while the program waits.

use std::ops::Range;

use crate::kernel::give_back;
#[cfg(test)]
use crate::pages::OwnPages;
use crate::pages::PAGE;

/// The size of the wasm stack for a program stack of [`Limits::MAX_STACK`](isobox_core::Limits::MAX_STACK), measured
/// with room to spare. The C code of the engine needs many times what the frames of the program do.
pub(crate) const WASM_STACK: usize = 20 << 20;

/// The size of the stack that stays resident while a program waits.
pub(crate) const KEPT: usize = 64 << 10;

/// The place of the stack of a store. A program that once recursed deeply must not hold megabytes while it waits.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StackMark(Option<usize>);

impl StackMark {
    /// Marks the current stack. The guest calls this first, so that little of the stack is above the mark. Later calls,
    /// from deeper down, change nothing.
    pub(crate) fn mark(&mut self) {
        let local = 0_u8;
        self.0.get_or_insert(std::ptr::from_ref(&local).addr());
    }

    pub(crate) fn is_marked(self) -> bool {
        self.0.is_some()
    }

    /// Returns the memory more than [`KEPT`] below the mark to the kernel. Must be called only while nothing runs on
    /// this stack.
    pub(crate) fn trim(self) {
        let Some(range) = self.trimmed() else { return };
        // SAFETY: the mark was taken on the stack that the store keeps, at most a few KiB below its top. The stack has
        // the size `WASM_STACK` plus `HOST_STACK`, so the range lies inside it. The caller guarantees that no fiber is
        // suspended on it, so its content is dead. Dropped pages read as zeros, as in a new stack.
        unsafe { give_back(range) };
    }

    fn trimmed(self) -> Option<Range<usize>> {
        let page_of = |address: usize| address & !(PAGE - 1);
        self.0.map(|mark| page_of(mark - WASM_STACK)..page_of(mark - KEPT))
    }

    /// Returns the resident bytes of the range that is returned to the kernel.
    #[cfg(test)]
    pub(crate) fn held_for_test(self) -> Option<usize> {
        self.trimmed().map(|range| OwnPages::between(range).expect("the kernel tells").bytes())
    }
}
