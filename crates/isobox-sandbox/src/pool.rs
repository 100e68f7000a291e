//! The engine, its pool of instances, and their creation.

use std::sync::Arc;

use isobox_core::driver::{Error, ErrorKind};
use isobox_core::{ByteSize, Capacity, CapacityLimits, Limits, StartOptions};
use wasmtime::{
    Engine, Extern, Func, Instance as WasmtimeInstance, InstancePre, Linker, Module, ModuleExport,
    PoolConcurrencyLimitError, Result, Store, TypedFunc,
};

use crate::guest::{Guest, define_imports};
use crate::housekeeper::Housekeeper;
use crate::kept::KeptPrograms;
use crate::options::{Cleaning, SandboxOptions, runtime_config};
use crate::pooled_instance::{
    BeginParams, Exports, Image, LoadParams, PooledInstance, ReserveParams, SMALL_INPUT, StepParams,
};
use crate::preparer::Preparer;

static GUEST: &[u8] = include_bytes!(env!("ISOBOX_GUEST_CODE"));

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
