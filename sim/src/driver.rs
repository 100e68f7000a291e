//! The real sandbox for a simulated process: steps take no time and use no counted CPU time.

use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use isobox_core::driver::{Error, ErrorKind};
use isobox_core::program::{self, Prepared, Task};
use isobox_core::{Ability, Answer, BookUse, ByteSize, Driver, Instance, Log, Snapshot, StartOptions, Step, Timestamp};

use crate::faults::{Fault, Faults};

/// A sandbox that may be full and whose snapshots may fail.
pub struct SimDriver {
    /// The real sandbox.
    pub sandbox: Arc<dyn Driver>,
    /// The injected faults.
    pub faults: Arc<Mutex<Faults>>,
}

impl SimDriver {
    async fn wrapped<'a>(
        &self,
        made: impl Fn() -> BoxFuture<'a, Result<Box<dyn Instance>, Error>>,
    ) -> Result<Box<dyn Instance>, Error> {
        if self.happens(Fault::SandboxFull) {
            return Err(Error::new(ErrorKind::Busy, "no instance is free"));
        }
        let inner = loop {
            match at_once(made()).await {
                // The real sandbox frees instances in real time, which does not exist here.
                Err(error) if error.kind == ErrorKind::Busy => std::thread::yield_now(),
                made => break made?,
            }
        };
        Ok(Box::new(SimInstance { inner, faults: Arc::clone(&self.faults) }))
    }

    fn happens(&self, fault: Fault) -> bool {
        self.faults.lock().expect("no holder of the lock panics").happens(fault)
    }
}

impl Driver for SimDriver {
    fn prepare<'a>(&'a self, task: Task<'a>) -> BoxFuture<'a, Result<program::Answer, Error>> {
        at_once(self.sandbox.prepare(task))
    }

    fn start(&self, program: Arc<Prepared>, options: StartOptions) -> BoxFuture<'_, Result<Box<dyn Instance>, Error>> {
        async move { self.wrapped(|| self.sandbox.start(Arc::clone(&program), options.clone())).await }.boxed()
    }

    fn restore<'a>(
        &'a self,
        snapshot: &'a Snapshot,
        options: StartOptions,
    ) -> BoxFuture<'a, Result<Box<dyn Instance>, Error>> {
        async move { self.wrapped(|| self.sandbox.restore(snapshot, options.clone())).await }.boxed()
    }

    fn image(&self) -> &str {
        self.sandbox.image()
    }

    fn can(&self, ability: Ability) -> bool {
        self.sandbox.can(ability)
    }
}

struct SimInstance {
    inner: Box<dyn Instance>,
    faults: Arc<Mutex<Faults>>,
}

impl Instance for SimInstance {
    fn step(&mut self, answers: Vec<Answer>, clock: Timestamp) -> BoxFuture<'_, Result<Step, Error>> {
        at_once(self.inner.step(answers, clock))
    }

    fn take_logs(&mut self) -> Vec<Log> {
        self.inner.take_logs()
    }

    fn snapshot(&mut self, limit: ByteSize) -> BoxFuture<'_, Option<Snapshot>> {
        let fails = self.faults.lock().expect("no holder of the lock panics").happens(Fault::NoSnapshot);
        if fails { std::future::ready(None).boxed() } else { self.inner.snapshot(limit) }
    }

    fn globals(&mut self, limit: ByteSize) -> BoxFuture<'_, Option<Snapshot>> {
        at_once(self.inner.globals(limit))
    }

    fn cpu_used(&self) -> Duration {
        Duration::ZERO
    }

    fn set_cpu_used(&mut self, used: Duration) {
        self.inner.set_cpu_used(used);
    }

    fn written(&self) -> BookUse {
        self.inner.written()
    }

    fn set_written(&mut self, written: BookUse) {
        self.inner.set_written(written);
    }
}

/// Finishes work in the sandbox at once, because the sandbox yields by real time, which does not exist here.
pub(crate) fn at_once<'a, T: Send + 'a>(mut work: BoxFuture<'a, T>) -> BoxFuture<'a, T> {
    async move {
        loop {
            if let Poll::Ready(done) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                return done;
            }
        }
    }
    .boxed()
}
