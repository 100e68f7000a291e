//! The driver: a pool, shared within the process if it is large.

use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};

use futures_util::future::BoxFuture;
use isobox_core::driver::{Error, ErrorKind};
use isobox_core::program::{Answer, Prepared, Task};
use isobox_core::{Ability, Code, Driver, Failure, Instance, Region, Snapshot, StartOptions};

use crate::instance::WasmInstance;
use crate::options::SandboxOptions;
use crate::pool::Shared;
use crate::preparer::{PreparationCost, Preparer};
use crate::snapshot::{self, IMAGE_HASH};

/// Runs programs in WebAssembly.
pub struct Sandbox(Arc<Shared>);

/// The minimum number of instances for sharing by [`Sandbox::shared`]: what runtimes with 1,000 live executions need,
/// including spare instances and those for the snippets of one execution.
const SHARED_FROM: u32 = 1_274;

/// The shared sandboxes, each with its options.
static SHARED: Mutex<Vec<(SandboxOptions, Weak<Shared>)>> = Mutex::new(Vec::new());

impl Sandbox {
    /// Loads the guest image and reserves the pool.
    pub fn new(options: SandboxOptions) -> Result<Self, Failure> {
        loaded(options, Shared::load(options, Preparer::load))
    }

    /// Returns a sandbox of at least this size. Large sandboxes are shared by all users in a process, because the
    /// address space for ten thousand instances is a third of what a process can have. The users share the instances of
    /// that sandbox: when all are in use, starting another one fails with `BUSY`. Sandboxes of any size share what prepares
    /// programs, and the answers that it keeps.
    pub fn shared(options: SandboxOptions) -> Result<Self, Failure> {
        let make = || loaded(options, Shared::load(options, Preparer::shared));
        if options.instances.get() < SHARED_FROM {
            return make();
        }
        // Locked while a sandbox is created, so that concurrent callers get the same one.
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.retain(|(_, sandbox)| sandbox.strong_count() > 0);
        let is_enough =
            |made: &SandboxOptions| made.cleaning == options.cleaning && made.instances >= options.instances;
        let found = shared.iter().filter(|(made, _)| is_enough(made)).find_map(|(_, sandbox)| sandbox.upgrade());
        if let Some(sandbox) = found {
            return Ok(Self(sandbox));
        }
        let sandbox = make()?;
        shared.push((options, Arc::downgrade(&sandbox.0)));
        Ok(sandbox)
    }

    /// Returns what the last preparation of a program has used, once. None if its answer was cached.
    pub fn take_preparation_cost(&self) -> Option<PreparationCost> {
        self.0.preparer.take_last_cost()
    }
}

fn loaded(options: SandboxOptions, shared: wasmtime::Result<Shared>) -> Result<Sandbox, Failure> {
    shared.map(|shared| Sandbox(Arc::new(shared))).map_err(|error| {
        let count = options.instances;
        Failure::new(Code::Config, format!("cannot start a sandbox of {count} instances: {error:#}"))
            .hint("each reserves 4 GiB of address space: ask for fewer, or raise `ulimit -v` and vm.max_map_count")
    })
}

impl Driver for Sandbox {
    fn prepare<'a>(&'a self, task: Task<'a>) -> BoxFuture<'a, Result<Answer, Error>> {
        Box::pin(async move { self.0.preparer.answer(&task, &self.0.housekeeper).await })
    }

    fn start(&self, program: Arc<Prepared>, options: StartOptions) -> BoxFuture<'_, Result<Box<dyn Instance>, Error>> {
        Box::pin(async move { Ok(Box::new(self.start_wasm(program, options)?) as Box<dyn Instance>) })
    }

    fn restore<'a>(
        &'a self,
        snapshot: &'a Snapshot,
        options: StartOptions,
    ) -> BoxFuture<'a, Result<Box<dyn Instance>, Error>> {
        Box::pin(async move { Ok(Box::new(self.restore_wasm(snapshot, options)?) as Box<dyn Instance>) })
    }

    fn image(&self) -> &str {
        static IDENTITY: LazyLock<String> = LazyLock::new(|| format!("{IMAGE_HASH} {}", isobox_intl::DATA_VERSION));
        &IDENTITY
    }

    fn check_region(&self, region: &Region) -> Result<(), Error> {
        let locale = region.chosen_locale().map_or(Ok(()), |tag| isobox_intl::check_locale(tag).map(drop));
        let zone = || region.chosen_time_zone().map_or(Ok(()), |name| isobox_intl::check_zone(name).map(drop));
        locale.and_then(|()| zone()).map_err(|reason| Error::new(ErrorKind::Region, reason))
    }

    fn can(&self, _ability: Ability) -> bool {
        true
    }
}

impl Sandbox {
    pub(crate) fn start_wasm(&self, program: Arc<Prepared>, options: StartOptions) -> Result<WasmInstance, Error> {
        let Some(globals) = options.globals.clone() else {
            let pooled = self.0.pooled(&options)?;
            return Ok(WasmInstance::new(Arc::clone(&self.0), pooled, program, options));
        };
        let mut left = snapshot::open(&globals, &options.limits, &self.0.image)?;
        let mut pooled = self.0.pooled(&options)?;
        let restored = left.restore(&mut pooled);
        let instance = WasmInstance::new(Arc::clone(&self.0), pooled, program, options);
        // If the restore failed, the pooled instance is like any other after use.
        restored.map(|()| instance)
    }

    pub(crate) fn restore_wasm(&self, snapshot: &Snapshot, options: StartOptions) -> Result<WasmInstance, Error> {
        let saved = snapshot::open(snapshot, &options.limits, &self.0.image)?;
        let pooled = self.0.pooled(&options)?;
        WasmInstance::restored(Arc::clone(&self.0), pooled, saved)
    }
}

#[cfg(any(test, fuzzing))]
impl Sandbox {
    /// Prepares a program.
    pub(crate) fn prepared_for_test(&self, program: &isobox_core::program::Program) -> Prepared {
        use std::task::{Context, Poll, Waker};
        let mut work = std::pin::pin!(isobox_core::program::prepare(self, program));
        loop {
            if let Poll::Ready(prepared) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                return prepared.expect("it is a program");
            }
        }
    }
}

#[cfg(test)]
impl Sandbox {
    pub(crate) fn shared_for_test(&self) -> &Shared {
        &self.0
    }

    pub(crate) fn idle_instances_for_test(&self) -> usize {
        self.0.housekeeper.idle_instances_for_test()
    }
}
