//! A sandbox whose programs are put away and brought back at every await.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use isobox::driver::{Answer, Driver, Instance, Snapshot, StartOptions, Step};
use isobox::program::{self, Prepared, Task};
use isobox::{ByteSize, Code, Failure, Log, Timestamp};

pub(crate) struct Restless(pub(crate) Arc<dyn Driver>);

impl Driver for Restless {
    fn prepare<'a>(&'a self, task: Task<'a>) -> BoxFuture<'a, Result<program::Answer, Failure>> {
        self.0.prepare(task)
    }

    fn start(&self, program: Arc<Prepared>, options: StartOptions) -> Result<Box<dyn Instance>, Failure> {
        let inner = Some(self.0.start(program, options.clone())?);
        Ok(Box::new(Moved { driver: Arc::clone(&self.0), options, inner }))
    }

    fn restore(&self, snapshot: &Snapshot, options: StartOptions) -> Result<Box<dyn Instance>, Failure> {
        let inner = Some(self.0.restore(snapshot, options.clone())?);
        Ok(Box::new(Moved { driver: Arc::clone(&self.0), options, inner }))
    }

    fn image(&self) -> &str {
        self.0.image()
    }
}

struct Moved {
    driver: Arc<dyn Driver>,
    options: StartOptions,
    /// None once it could not be brought back.
    inner: Option<Box<dyn Instance>>,
}

impl Moved {
    /// Makes another instance of the state of this one, where it waits and is not too large.
    fn move_on(&mut self) -> Result<(), Failure> {
        let Some(mut inner) = self.inner.take() else { return Ok(()) };
        let Some(snapshot) = inner.snapshot(self.options.limits.snapshot) else {
            self.inner = Some(inner);
            return Ok(());
        };
        let used = inner.cpu_used();
        // Its memory is counted, and two of it would be too much.
        drop(inner);
        let mut restored = self.driver.restore(&snapshot, self.options.clone())?;
        restored.set_cpu_used(used);
        self.inner = Some(restored);
        Ok(())
    }
}

impl Instance for Moved {
    fn step(&mut self, answers: Vec<Answer>, clock: Timestamp) -> BoxFuture<'_, Result<Step, Failure>> {
        let moved = self.move_on();
        match (moved, &mut self.inner) {
            (Ok(()), Some(inner)) => inner.step(answers, clock),
            (Ok(()), None) => std::future::ready(Err(Failure::new(Code::Internal, "it is gone"))).boxed(),
            (Err(failure), _) => std::future::ready(Err(failure)).boxed(),
        }
    }

    fn take_logs(&mut self) -> Vec<Log> {
        self.inner.as_mut().map(|inner| inner.take_logs()).unwrap_or_default()
    }

    fn snapshot(&mut self, limit: ByteSize) -> Option<Snapshot> {
        self.inner.as_mut()?.snapshot(limit)
    }

    fn cpu_used(&self) -> Duration {
        self.inner.as_ref().map_or(Duration::ZERO, |inner| inner.cpu_used())
    }

    fn set_cpu_used(&mut self, used: Duration) {
        if let Some(inner) = &mut self.inner {
            inner.set_cpu_used(used);
        }
    }
}
