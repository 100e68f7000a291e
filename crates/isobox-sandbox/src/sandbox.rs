//! The driver: a pool, shared where it is large.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use futures_util::future::BoxFuture;
use isobox_core::driver::Error;
use isobox_core::program::{Answer, Prepared, Task};
use isobox_core::{Ability, Code, Driver, Failure, Instance, Snapshot, StartOptions};

use crate::instance::WasmInstance;
use crate::pool::{SandboxOptions, Shared};
use crate::snapshot::{self, IMAGE_HASH};

/// Runs programs in WebAssembly.
pub struct Sandbox(Arc<Shared>);

/// Sandboxes of this many instances or more are shared within a process, by [`Sandbox::shared`]: those of runtimes that allow
/// 1,000 live executions, with their spare instances.
const SHARED_FROM: u32 = 1_250;

/// The sandboxes that can be shared, each with what it was made for.
static SHARED: Mutex<Vec<(SandboxOptions, Weak<Shared>)>> = Mutex::new(Vec::new());

impl Sandbox {
    /// Loads the guest image and reserves the pool.
    pub fn new(options: SandboxOptions) -> Result<Self, Failure> {
        Shared::load(options).map(|shared| Self(Arc::new(shared))).map_err(|error| {
            let count = options.instances;
            Failure::new(Code::Config, format!("cannot start a sandbox of {count} instances: {error:#}"))
                .hint("each reserves 4 GiB of address space: ask for fewer, or raise `ulimit -v` and vm.max_map_count")
        })
    }

    /// Returns a sandbox of at least this size. Large ones are shared by everything in a process that asks for one: address space
    /// for ten thousand instances is a third of what a process can have. Together they have the instances of that one sandbox: where
    /// all are in use, starting another one is `BUSY`.
    pub fn shared(options: SandboxOptions) -> Result<Self, Failure> {
        if options.instances.get() < SHARED_FROM {
            return Self::new(options);
        }
        // Held while a sandbox is made, so that two that are asked for at once are one.
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.retain(|(_, sandbox)| sandbox.strong_count() > 0);
        let is_enough =
            |made: &SandboxOptions| made.cleaning == options.cleaning && made.instances >= options.instances;
        let found = shared.iter().filter(|(made, _)| is_enough(made)).find_map(|(_, sandbox)| sandbox.upgrade());
        if let Some(sandbox) = found {
            return Ok(Self(sandbox));
        }
        let sandbox = Self::new(options)?;
        shared.push((options, Arc::downgrade(&sandbox.0)));
        Ok(sandbox)
    }
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
        IMAGE_HASH
    }

    fn can(&self, _ability: Ability) -> bool {
        true
    }
}

impl Sandbox {
    pub(crate) fn start_wasm(&self, program: Arc<Prepared>, options: StartOptions) -> Result<WasmInstance, Error> {
        let pooled = self.0.pooled(&options)?;
        Ok(WasmInstance::new(Arc::clone(&self.0), pooled, program, options))
    }

    pub(crate) fn restore_wasm(&self, snapshot: &Snapshot, options: StartOptions) -> Result<WasmInstance, Error> {
        let saved = snapshot::open(snapshot, &options.limits, &self.0.image)?;
        let pooled = self.0.pooled(&options)?;
        WasmInstance::restored(Arc::clone(&self.0), pooled, saved)
    }
}

#[cfg(any(test, fuzzing))]
impl Sandbox {
    /// A prepared program.
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
    pub(crate) fn idle_instances_for_test(&self) -> usize {
        self.0.housekeeper.idle_instances_for_test()
    }
}
