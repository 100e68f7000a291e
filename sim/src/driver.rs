//! The real sandbox, as seen by a simulated process: steps take no time, and cost nothing that is counted.

use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use isobox_core::program::{self, Prepared, Task};
use isobox_core::{Answer, ByteSize, Code, Driver, Failure, Instance, Log, Snapshot, StartOptions, Step, Timestamp};

use crate::faults::{Fault, Faults};

/// A sandbox whose processes may find it full, and whose snapshots may fail.
pub struct SimDriver {
    /// The real one.
    pub sandbox: Arc<dyn Driver>,
    /// What goes wrong.
    pub faults: Arc<Mutex<Faults>>,
}

impl SimDriver {
    fn wrapped(&self, made: impl Fn() -> Result<Box<dyn Instance>, Failure>) -> Result<Box<dyn Instance>, Failure> {
        if self.happens(Fault::SandboxFull) {
            return Err(Failure::new(Code::Busy, "no instance is free"));
        }
        let inner = loop {
            match made() {
                // The real one frees instances in real time, which does not exist here.
                Err(failure) if failure.code == Code::Busy => std::thread::yield_now(),
                made => break made?,
            }
        };
        Ok(Box::new(SimInstance { inner, faults: Arc::clone(&self.faults) }))
    }

    fn happens(&self, fault: Fault) -> bool {
        self.faults.lock().expect("nobody panics while holding it").happens(fault)
    }
}

impl Driver for SimDriver {
    fn prepare<'a>(&'a self, task: Task<'a>) -> BoxFuture<'a, Result<program::Answer, Failure>> {
        at_once(self.sandbox.prepare(task))
    }

    fn start(&self, program: Arc<Prepared>, options: StartOptions) -> Result<Box<dyn Instance>, Failure> {
        let options = &options;
        self.wrapped(|| self.sandbox.start(Arc::clone(&program), options.clone()))
    }

    fn restore(&self, snapshot: &Snapshot, options: StartOptions) -> Result<Box<dyn Instance>, Failure> {
        let options = &options;
        self.wrapped(|| self.sandbox.restore(snapshot, options.clone()))
    }

    fn image(&self) -> &str {
        self.sandbox.image()
    }
}

struct SimInstance {
    inner: Box<dyn Instance>,
    faults: Arc<Mutex<Faults>>,
}

impl Instance for SimInstance {
    fn step(&mut self, answers: Vec<Answer>, clock: Timestamp) -> BoxFuture<'_, Result<Step, Failure>> {
        at_once(self.inner.step(answers, clock))
    }

    fn take_logs(&mut self) -> Vec<Log> {
        self.inner.take_logs()
    }

    fn snapshot(&mut self, limit: ByteSize) -> Option<Snapshot> {
        let fails = self.faults.lock().expect("nobody panics while holding it").happens(Fault::NoSnapshot);
        if fails { None } else { self.inner.snapshot(limit) }
    }

    fn cpu_used(&self) -> Duration {
        Duration::ZERO
    }

    fn set_cpu_used(&mut self, used: Duration) {
        self.inner.set_cpu_used(used);
    }
}

/// Finishes work in the sandbox in one moment: it yields by real time, which there is none of here.
fn at_once<'a, T: Send + 'a>(mut work: BoxFuture<'a, T>) -> BoxFuture<'a, T> {
    async move {
        loop {
            if let Poll::Ready(done) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                return done;
            }
        }
    }
    .boxed()
}
