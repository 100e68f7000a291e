//! A wasm instance that one program after the other runs in.

use isobox_core::StartOptions;
use wasmtime::{Global, Memory, Store, TypedFunc, Val};

use crate::guest::Guest;
use crate::pages::{FaultWatch, OwnPages, PAGE, keep_pages_small};

/// Messages up to this size go to a buffer that the image has; its address never changes.
pub(crate) const SMALL_INPUT: usize = 8192;

/// An instance in its store. Between two programs everything that the guest can read becomes that of the image again:
/// its memory, and the one global that changes, the stack pointer. Its table never changes; the image has no instruction
/// that could (the engine is configured to refuse such an image).
///
/// Only an instance that stands where it waits or ended, and whose memory has not grown, is used again; others are dropped,
/// and wasmtime's pool cleans up behind them.
pub(crate) struct PooledInstance {
    pub(crate) store: Store<Guest>,
    pub(crate) exports: Exports,
    own_pages: OwnPages,
    pub(crate) watch: Watch,
}

pub(crate) struct Exports {
    pub(crate) memory: Memory,
    pub(crate) stack_pointer: Global,
    pub(crate) reserve: TypedFunc<ReserveParams, u32>,
    pub(crate) start: TypedFunc<StartParams, i32>,
    pub(crate) step: TypedFunc<StepParams, i32>,
}

/// Size.
pub(crate) type ReserveParams = u32;
/// Size, how to start, seed, clock, stack limit, memory limit.
pub(crate) type StartParams = (u32, i32, u64, f64, u32, u32);
/// Size, clock.
pub(crate) type StepParams = (u32, f64);

/// What is known about the completeness of a room's own pages.
pub(crate) enum Watch {
    /// Nothing: the kernel has to be asked.
    Off,
    /// They were complete when this began, and are for as long as it has seen nothing.
    On(FaultWatch),
    /// They are complete.
    Complete,
}

impl Watch {
    /// Has to be called before the guest runs, whenever that may be on another thread than before.
    pub(crate) fn enter(&mut self) {
        if let Self::On(watch) = self {
            watch.pass();
        }
    }

    /// Has to be called when the guest has run for the last time, on the thread that it ran on.
    pub(crate) fn leave(&mut self) {
        if let Self::On(watch) = self {
            *self = if watch.has_seen_none() { Self::Complete } else { Self::Off };
        }
    }
}

/// What every instance starts as.
pub(crate) struct Image {
    pub(crate) memory: Box<[u8]>,
    pub(crate) stack_pointer: i32,
}

/// More than this is not worth copying back again and again.
const MAX_OWN_BYTES: usize = 96 * PAGE;

impl PooledInstance {
    pub(crate) fn new(mut store: Store<Guest>, exports: Exports) -> Self {
        keep_pages_small(exports.memory.data_mut(&mut store));
        Self { store, exports, own_pages: OwnPages::default(), watch: Watch::Off }
    }

    /// Takes in another guest. The room is clean.
    pub(crate) fn take_in(&mut self, options: &StartOptions) {
        let before = self.store.data();
        // The store still has the stack of the last guest.
        let (base_memory, stack) = (before.base_memory(), before.stack);
        *self.store.data_mut() = Guest::new(options.limits.clone(), options.meter.clone(), base_memory);
        self.store.data_mut().memory = Some(self.exports.memory);
        self.store.data_mut().stack = stack;
        if matches!(self.watch, Watch::Complete) {
            self.watch = Watch::On(FaultWatch::start());
        }
    }

    pub(crate) fn has_size_of(&self, image: &Image) -> bool {
        self.exports.memory.data_size(&self.store) == image.memory.len()
    }

    /// Makes it as good as new, where it has the size of the image; false where it cannot be.
    pub(crate) fn clean(&mut self, image: &Image) -> bool {
        let memory = self.exports.memory.data_mut(&mut self.store);
        if !matches!(self.watch, Watch::Complete) {
            match OwnPages::of(memory) {
                Ok(pages) if pages.bytes() <= MAX_OWN_BYTES => self.own_pages = pages,
                Ok(_) | Err(_) => return false,
            }
        }
        self.own_pages.restore(memory, &image.memory);
        self.watch = Watch::Complete;
        self.exports.stack_pointer.set(&mut self.store, Val::I32(image.stack_pointer)).is_ok()
    }

    /// Whether this machine lets the pages be watched, tried out on a page that nobody has read or written yet.
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
