//! A wasm instance that is reused for several programs.

use isobox_core::StartOptions;
use wasmtime::{Global, Memory, Store, TypedFunc, Val};

use crate::guest::Guest;
use crate::kernel::keep_pages_small;
use crate::pages::{FaultWatch, OwnPages, PAGE, ReusedMemory, changed_pages};

/// The maximum size of a message that fits the input buffer of the image, whose address never changes.
pub(crate) const SMALL_INPUT: usize = 8192;

/// An instance in its store. Between two programs, everything that the guest can read is restored to the image: its
/// memory, and the only global that changes, the stack pointer. The table never changes, because the image has no
/// instruction for it (the engine is configured to refuse such an image).
///
/// An instance is reused only if it is waiting or has ended and its memory has not grown. Others are dropped, and the
/// pool of wasmtime cleans their memory.
pub(crate) struct PooledInstance {
    pub(crate) store: Store<Guest>,
    pub(crate) exports: Exports,
    pub(crate) reused: ReusedMemory,
}

pub(crate) struct Exports {
    /// For exports that are rarely needed.
    pub(crate) instance: wasmtime::Instance,
    pub(crate) memory: Memory,
    pub(crate) stack_pointer: Global,
    pub(crate) reserve: TypedFunc<ReserveParams, u32>,
    pub(crate) load: TypedFunc<LoadParams, i32>,
    pub(crate) begin: TypedFunc<BeginParams, i32>,
    pub(crate) step: TypedFunc<StepParams, i32>,
}

/// Size.
pub(crate) type ReserveParams = u32;
/// Size, how to start, stack limit, memory limit.
pub(crate) type LoadParams = (u32, i32, u32, u32);
/// Seed, clock, settle time, time limit. Times are in milliseconds.
pub(crate) type BeginParams = (u64, f64, f64, f64);
/// Size, clock.
pub(crate) type StepParams = (u32, f64);

/// The initial state of every instance.
pub(crate) struct Image {
    pub(crate) memory: Box<[u8]>,
    pub(crate) stack_pointer: i32,
    /// Whether the kernel tells which pages of an instance are private, so that all others are known to be those of the image.
    pub(crate) tells_private_pages: bool,
}

impl Image {
    /// Returns the pages of an instance's memory that differ from the image, with their content, in order. Most pages were never
    /// touched: comparing all of them takes longer than everything else that a snapshot needs.
    pub(crate) fn changed_pages<'m>(&self, memory: &'m [u8]) -> Vec<(usize, &'m [u8; PAGE])> {
        let own = if self.tells_private_pages { OwnPages::of(memory).ok() } else { None };
        let Some(own) = own else { return changed_pages(memory, &self.memory).collect() };
        let changed = own.changed(memory, &self.memory);
        debug_assert!(
            changed.iter().copied().eq(changed_pages(memory, &self.memory)),
            "the kernel told of all private pages"
        );
        changed
    }
}

/// The maximum size of private pages that are worth overwriting for every program.
const MAX_OWN_BYTES: usize = 96 * PAGE;

impl PooledInstance {
    pub(crate) fn new(mut store: Store<Guest>, exports: Exports) -> Self {
        keep_pages_small(exports.memory.data_mut(&mut store));
        Self { store, exports, reused: ReusedMemory::default() }
    }

    /// Prepares a clean instance for another guest.
    pub(crate) fn take_in(&mut self, options: &StartOptions) {
        let before = self.store.data();
        // The store still has the stack of the last guest.
        let (base_memory, stack) = (before.base_memory(), before.stack);
        *self.store.data_mut() = Guest::new(options.limits.clone(), options.meter.clone(), base_memory);
        self.store.data_mut().memory = Some(self.exports.memory);
        self.store.data_mut().stack = stack;
        self.reused.start();
    }

    pub(crate) fn has_size_of(&self, image: &Image) -> bool {
        self.exports.memory.data_size(&self.store) == image.memory.len()
    }

    /// Restores the instance to the image. Returns false if its memory does not have the size of the image.
    pub(crate) fn clean(&mut self, image: &Image) -> bool {
        let memory = self.exports.memory.data_mut(&mut self.store);
        self.reused.restore(memory, &image.memory, MAX_OWN_BYTES)
            && self.exports.stack_pointer.set(&mut self.store, Val::I32(image.stack_pointer)).is_ok()
    }

    /// Tells whether page faults can be watched on this machine. Tests it on a page that was never read or written.
    pub(crate) fn can_be_watched(&mut self) -> bool {
        const UNTOUCHED: usize = 16 * PAGE;
        let memory = self.exports.memory.data_mut(&mut self.store);
        let Ok(before) = OwnPages::of(memory) else { return false };
        let watch = FaultWatch::start();
        memory[UNTOUCHED] = 1;
        let is_seen = !watch.has_seen_none();
        let Ok(after) = OwnPages::of(memory) else { return false };
        memory[UNTOUCHED] = 0;
        is_seen && !before.contains(UNTOUCHED) && after.contains(UNTOUCHED)
    }
}
