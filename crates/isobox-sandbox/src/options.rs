//! The options of a sandbox, and what follows from them for wasmtime.

use std::num::NonZeroU32;

use isobox_core::Limits;
use wasmtime::{Config, Enabled, InstanceAllocationStrategy, PoolingAllocationConfig};

use crate::codegen;
use crate::stack::WASM_STACK;

/// The additional stack for host functions.
const HOST_STACK: usize = 1 << 20;

/// The size of a [`Sandbox`](crate::Sandbox). Address space is reserved for all instances; only live instances use
/// memory.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct SandboxOptions {
    /// The maximum number of live instances.
    pub instances: NonZeroU32,
    /// The way in which used instances are cleaned.
    pub cleaning: Cleaning,
}

/// The way in which the memory of a used instance is prepared for the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Cleaning {
    /// Overwrites the written pages with those of the image and reuses the instance, as long as the kernel can tell
    /// which pages were written.
    #[default]
    Overwrite,
    /// Returns all pages to the kernel. The next instance starts more slowly, and nothing stays resident.
    GiveBack,
}

impl SandboxOptions {
    /// Sets `instances`.
    #[must_use]
    pub fn instances(mut self, instances: NonZeroU32) -> Self {
        self.instances = instances;
        self
    }

    /// Sets `cleaning`.
    #[must_use]
    pub fn cleaning(mut self, cleaning: Cleaning) -> Self {
        self.cleaning = cleaning;
        self
    }
}

impl Default for SandboxOptions {
    fn default() -> Self {
        // Each instance takes about five memory mappings, of which Linux allows a process about 65,000.
        const INSTANCES: NonZeroU32 = NonZeroU32::new(10_000).expect("it is not zero");
        Self { instances: INSTANCES, cleaning: Cleaning::default() }
    }
}

/// Configures an engine whose pool returns the memory of a dead instance to the kernel. Overwriting it takes longer
/// than faulting it in again.
///
/// The pool must not ask the kernel which pages are dirty (`pagemap_scan`). That call reports pages that are swapped
/// out, or being moved by the kernel at that moment, as clean, and the next program would find what the last one left
/// there.
pub(crate) fn runtime_config(options: SandboxOptions) -> Config {
    let count = options.instances.get();
    let mut pool = PoolingAllocationConfig::new();
    pool.total_core_instances(count)
        .total_memories(count)
        .total_tables(count)
        // A store keeps the stack of its last step until it is dropped, so every instance needs one.
        .total_stacks(count)
        .max_core_instance_size(1 << 20)
        .max_memory_size(usize::try_from(Limits::MAX_MEMORY.get()).unwrap_or(usize::MAX))
        .table_elements(8192)
        .table_keep_resident(64 << 10)
        .linear_memory_keep_resident(0)
        .async_stack_keep_resident(match options.cleaning {
            Cleaning::Overwrite => crate::stack::KEPT,
            Cleaning::GiveBack => 0,
        })
        .pagemap_scan(Enabled::No);
    let mut config = Config::new();
    codegen::configure(&mut config);
    config
        .max_wasm_stack(WASM_STACK)
        .async_stack_size(WASM_STACK + HOST_STACK)
        .allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    config
}
