//! A sandbox whose programs are snapshotted and restored at every await.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use isobox::driver::{
    Ability, Answer, BookUse, CalledFrom, Driver, Error, ErrorKind, Instance, Snapshot, StartOptions, Step,
};
use isobox::events::Log;
use isobox::program;
use isobox::program::{Prepared, Task};
use isobox::{ByteSize, Timestamp};

pub(crate) struct Restless(pub(crate) Arc<dyn Driver>);

impl Driver for Restless {
    fn prepare<'a>(&'a self, task: Task<'a>) -> BoxFuture<'a, Result<program::Answer, Error>> {
        self.0.prepare(task)
    }

    fn start(&self, program: Arc<Prepared>, options: StartOptions) -> BoxFuture<'_, Result<Box<dyn Instance>, Error>> {
        async move {
            let inner = Some(self.0.start(program, options.clone()).await?);
            Ok(Box::new(Moved { driver: Arc::clone(&self.0), options, inner }) as Box<dyn Instance>)
        }
        .boxed()
    }

    fn restore<'a>(
        &'a self,
        snapshot: &'a Snapshot,
        options: StartOptions,
    ) -> BoxFuture<'a, Result<Box<dyn Instance>, Error>> {
        async move {
            let inner = Some(self.0.restore(snapshot, options.clone()).await?);
            Ok(Box::new(Moved { driver: Arc::clone(&self.0), options, inner }) as Box<dyn Instance>)
        }
        .boxed()
    }

    fn image(&self) -> &str {
        self.0.image()
    }

    fn can(&self, ability: Ability) -> bool {
        self.0.can(ability)
    }
}

struct Moved {
    driver: Arc<dyn Driver>,
    options: StartOptions,
    /// `None` after a restore failed.
    inner: Option<Box<dyn Instance>>,
}

impl Moved {
    /// Moves the state to another instance if the program waits and is not too large.
    async fn move_on(&mut self) -> Result<(), Error> {
        let Some(mut inner) = self.inner.take() else { return Ok(()) };
        let Some(snapshot) = inner.snapshot(self.options.limits.snapshot).await else {
            self.inner = Some(inner);
            return Ok(());
        };
        let used = inner.cpu_used();
        // Its memory is counted, and two copies would exceed the limit.
        drop(inner);
        let mut restored = self.driver.restore(&snapshot, self.options.clone()).await?;
        restored.set_cpu_used(used);
        self.inner = Some(restored);
        Ok(())
    }
}

impl Instance for Moved {
    fn step(&mut self, answers: Vec<Answer>, clock: Timestamp) -> BoxFuture<'_, Result<Step, Error>> {
        async move {
            self.move_on().await?;
            match &mut self.inner {
                Some(inner) => inner.step(answers, clock).await,
                None => Err(Error::new(ErrorKind::Broken, "it is gone")),
            }
        }
        .boxed()
    }

    fn stopped_at(&mut self) -> BoxFuture<'_, Option<CalledFrom>> {
        match &mut self.inner {
            Some(inner) => inner.stopped_at(),
            None => std::future::ready(None).boxed(),
        }
    }

    fn take_logs(&mut self) -> Vec<Log> {
        self.inner.as_mut().map(|inner| inner.take_logs()).unwrap_or_default()
    }

    fn snapshot(&mut self, limit: ByteSize) -> BoxFuture<'_, Option<Snapshot>> {
        match &mut self.inner {
            Some(inner) => inner.snapshot(limit),
            None => std::future::ready(None).boxed(),
        }
    }

    fn globals(&mut self, limit: ByteSize) -> BoxFuture<'_, Option<Snapshot>> {
        match &mut self.inner {
            Some(inner) => inner.globals(limit),
            None => std::future::ready(None).boxed(),
        }
    }

    fn cpu_used(&self) -> Duration {
        self.inner.as_ref().map_or(Duration::ZERO, |inner| inner.cpu_used())
    }

    fn set_cpu_used(&mut self, used: Duration) {
        if let Some(inner) = &mut self.inner {
            inner.set_cpu_used(used);
        }
    }

    fn written(&self) -> BookUse {
        self.inner.as_ref().map(|inner| inner.written()).unwrap_or_default()
    }

    fn set_written(&mut self, written: BookUse) {
        if let Some(inner) = &mut self.inner {
            inner.set_written(written);
        }
    }
}
