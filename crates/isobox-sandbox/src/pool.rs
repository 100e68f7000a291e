//! The engine, its pool of instances, and their creation.

use std::num::NonZeroU32;
use std::sync::Arc;

use isobox_core::driver::{Error, ErrorKind};
use isobox_core::{ByteSize, Capacity, CapacityLimits, Limits, StartOptions};
use wasmtime::{
    Config, Enabled, Engine, Extern, Func, Instance as WasmtimeInstance, InstanceAllocationStrategy, InstancePre,
    Linker, Module, ModuleExport, PoolConcurrencyLimitError, PoolingAllocationConfig, Result, Store, TypedFunc,
};

use crate::codegen;
use crate::guest::{Guest, define_imports};
use crate::housekeeper::Housekeeper;
use crate::kept::KeptPrograms;
use crate::pooled_instance::{
    BeginParams, Exports, Image, LoadParams, PooledInstance, ReserveParams, SMALL_INPUT, StepParams,
};
use crate::preparer::Preparer;
use crate::stack::WASM_STACK;

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

static GUEST: &[u8] = include_bytes!(env!("ISOBOX_GUEST_CODE"));

/// The additional stack for host functions.
const HOST_STACK: usize = 1 << 20;

pub(crate) struct Shared {
    engine: Engine,
    pre: InstancePre<Guest>,
    indices: ExportIndices,
    pub(crate) image: Arc<Image>,
    pub(crate) small_input: u32,
    pub(crate) housekeeper: Housekeeper,
    pub(crate) preparer: Arc<Preparer>,
    pub(crate) kept: KeptPrograms,
}

impl Shared {
    /// Loads the guest image and reserves the pool. `preparer` returns what prepares programs, for instances that are reused or
    /// not.
    pub(crate) fn load(
        options: SandboxOptions,
        preparer: impl FnOnce(SandboxOptions, bool) -> Result<Arc<Preparer>>,
    ) -> Result<Self> {
        let engine = Engine::new(&runtime_config(options))?;
        // SAFETY: these bytes were made by the build script of this crate with the same version of wasmtime. They are
        // part of the program, so changing them requires changing the program.
        let module = unsafe { Module::deserialize(&engine, GUEST)? };
        let mut linker = Linker::new(&engine);
        define_imports(&mut linker)?;
        let pre = linker.instantiate_pre(&module)?;
        let indices = ExportIndices::of(&module)?;
        let Probed { memory, stack_pointer, small_input, can_be_watched } = probe(&engine, &pre, &indices)?;
        let is_reusing = options.cleaning == Cleaning::Overwrite && can_be_watched;
        let image = Arc::new(Image { memory, stack_pointer, tells_private_pages: is_reusing });
        let preparer = preparer(options, is_reusing)?;
        let engines = [engine.clone(), preparer.engine().clone()];
        let housekeeper = Housekeeper::start(engines, is_reusing.then(|| Arc::clone(&image)))?;
        Ok(Self { engine, pre, indices, image, small_input, housekeeper, preparer, kept: KeptPrograms::default() })
    }

    /// Returns a clean instance for a guest with these options.
    pub(crate) fn pooled(&self, options: &StartOptions) -> Result<PooledInstance, Error> {
        if let Some(mut pooled) = self.housekeeper.pooled() {
            pooled.take_in(options);
            return Ok(pooled);
        }
        let pooled = self.instantiate(options).or_else(|error| {
            if !error.is::<PoolConcurrencyLimitError>() {
                return Err(error);
            }
            self.housekeeper.bury_all_now();
            self.instantiate(options)
        });
        pooled.map_err(|error| {
            if error.is::<PoolConcurrencyLimitError>() {
                Error::new(ErrorKind::Busy, "all instances of the sandbox are in use")
            } else {
                Error::new(ErrorKind::Broken, format!("cannot make an instance: {error:#}"))
            }
        })
    }

    fn instantiate(&self, options: &StartOptions) -> Result<PooledInstance> {
        let guest = Guest::new(options.limits.clone(), options.meter.clone(), self.image.memory.len());
        let mut store = Store::new(&self.engine, guest);
        store.limiter(|guest| guest);
        let instance = self.pre.instantiate(&mut store)?;
        let exports = self.indices.exports(&mut store, &instance)?;
        store.data_mut().memory = Some(exports.memory);
        store.epoch_deadline_async_yield_and_update(1);
        Ok(PooledInstance::new(store, exports))
    }
}

/// The indices of the exports of the image. Looking them up by name and checking their types takes microseconds, so
/// [`probe`] does it once.
#[derive(Clone)]
struct ExportIndices {
    memory: ModuleExport,
    reserve: ModuleExport,
    load: ModuleExport,
    begin: ModuleExport,
    step: ModuleExport,
    stack_pointer: ModuleExport,
}

impl ExportIndices {
    fn of(module: &Module) -> Result<Self> {
        let find = |name: &str| {
            module.get_export_index(name).ok_or_else(|| wasmtime::format_err!("the guest image has no `{name}`"))
        };
        Ok(Self {
            memory: find("memory")?,
            reserve: find("isobox_reserve")?,
            load: find("isobox_load")?,
            begin: find("isobox_begin")?,
            step: find("isobox_step")?,
            stack_pointer: find("__stack_pointer")?,
        })
    }

    fn function(store: &mut Store<Guest>, instance: &WasmtimeInstance, index: &ModuleExport) -> Result<Func> {
        match instance.get_module_export(store, index) {
            Some(Extern::Func(function)) => Ok(function),
            _ => wasmtime::bail!("a function of the guest image is no function"),
        }
    }

    /// Returns the exports of an instance whose functions [`probe`] has checked.
    fn exports(&self, store: &mut Store<Guest>, instance: &WasmtimeInstance) -> Result<Exports> {
        let Some(Extern::Memory(memory)) = instance.get_module_export(&mut *store, &self.memory) else {
            wasmtime::bail!("the memory of the guest image is no memory")
        };
        let Some(Extern::Global(stack_pointer)) = instance.get_module_export(&mut *store, &self.stack_pointer) else {
            wasmtime::bail!("the stack pointer of the guest image is no global")
        };
        let reserve = Self::function(store, instance, &self.reserve)?;
        let load = Self::function(store, instance, &self.load)?;
        let begin = Self::function(store, instance, &self.begin)?;
        let step = Self::function(store, instance, &self.step)?;
        // SAFETY: `probe` has checked these types against the same module before it requested its own exports.
        let (reserve, load, begin, step) = unsafe {
            (
                TypedFunc::new_unchecked(&*store, reserve),
                TypedFunc::new_unchecked(&*store, load),
                TypedFunc::new_unchecked(&*store, begin),
                TypedFunc::new_unchecked(&*store, step),
            )
        };
        Ok(Exports { instance: *instance, memory, stack_pointer, reserve, load, begin, step })
    }
}

struct Probed {
    memory: Box<[u8]>,
    stack_pointer: i32,
    small_input: u32,
    /// Whether the kernel reports the pages that an instance writes.
    can_be_watched: bool,
}

/// Inspects a temporary instance: its initial memory and the address of its input buffer. Checks that its functions
/// have the types that [`ExportIndices::exports`] assumes.
fn probe(engine: &Engine, pre: &InstancePre<Guest>, indices: &ExportIndices) -> Result<Probed> {
    let capacity = Capacity::new(CapacityLimits { memory: ByteSize::mib(1), live: 1, queue: 0 });
    let admitted = futures_util::FutureExt::now_or_never(capacity.admit());
    let Some(Ok(permit)) = admitted else { wasmtime::bail!("an empty capacity has a place") };
    let mut store = Store::new(engine, Guest::new(Limits::default(), permit.meter(), 0));
    store.set_epoch_deadline(u64::MAX / 2);
    let instance = pre.instantiate(&mut store)?;
    ExportIndices::function(&mut store, &instance, &indices.reserve)?.typed::<ReserveParams, u32>(&store)?;
    ExportIndices::function(&mut store, &instance, &indices.load)?.typed::<LoadParams, i32>(&store)?;
    ExportIndices::function(&mut store, &instance, &indices.begin)?.typed::<BeginParams, i32>(&store)?;
    ExportIndices::function(&mut store, &instance, &indices.step)?.typed::<StepParams, i32>(&store)?;
    let exports = indices.exports(&mut store, &instance)?;
    let Some(stack_pointer) = exports.stack_pointer.get(&mut store).i32() else {
        wasmtime::bail!("the stack pointer of the guest image is no number")
    };
    let mut pooled = PooledInstance::new(store, exports);
    let can_be_watched = pooled.can_be_watched();
    let memory = pooled.exports.memory.data(&pooled.store).into();
    let small_input = pooled.exports.reserve.call(&mut pooled.store, u32::try_from(SMALL_INPUT)?)?;
    Ok(Probed { memory, stack_pointer, small_input, can_be_watched })
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
