//! Runs a rollback as a program: it makes the reverts as calls, one after the other, and goes on after failures. The
//! run loop therefore treats reverts as it treats all calls.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};
use isobox_program::{self as program, Prepared, Task};
use serde_json::Value;

use crate::driver::{
    Ability, Answer, Call, Driver, Error, ErrorKind, Instance, ProgramState, Request, Returned, Snapshot, StartOptions,
    Step,
};
use crate::{BookUse, ByteSize, CallSeq, Log, Timestamp};

/// Runs one rollback.
pub(super) struct RollbackDriver {
    image: String,
    /// The number of the first revert.
    first: CallSeq,
    /// The tools to call, and their inputs.
    requests: Arc<[(String, Value)]>,
}

impl RollbackDriver {
    pub(super) fn new(image: &str, first: CallSeq, requests: Vec<(String, Value)>) -> Self {
        Self { image: image.to_owned(), first, requests: requests.into() }
    }
}

impl Driver for RollbackDriver {
    fn prepare<'a>(&'a self, _task: Task<'a>) -> BoxFuture<'a, Result<program::Answer, Error>> {
        ready(Err(Error::new(ErrorKind::Broken, "a rollback has no source"))).boxed()
    }

    fn start(
        &self,
        _program: Arc<Prepared>,
        _options: StartOptions,
    ) -> BoxFuture<'_, Result<Box<dyn Instance>, Error>> {
        let reverts = Reverts { first: self.first.number(), requests: Arc::clone(&self.requests), made: 0 };
        ready(Ok(Box::new(reverts) as Box<dyn Instance>)).boxed()
    }

    fn restore<'a>(
        &'a self,
        _snapshot: &'a Snapshot,
        _options: StartOptions,
    ) -> BoxFuture<'a, Result<Box<dyn Instance>, Error>> {
        ready(Err(Error::new(ErrorKind::Snapshot, "a rollback has no snapshots"))).boxed()
    }

    fn image(&self) -> &str {
        &self.image
    }

    fn can(&self, _ability: Ability) -> bool {
        false
    }
}

/// The reverts of a rollback.
struct Reverts {
    first: u32,
    requests: Arc<[(String, Value)]>,
    /// The number of reverts that were made.
    made: usize,
}

impl Instance for Reverts {
    /// Makes the next revert. Every step delivers the answer to the previous one, whatever it is.
    fn step(&mut self, _answers: Vec<Answer>, _clock: Timestamp) -> BoxFuture<'_, Result<Step, Error>> {
        let next = self.requests.get(self.made).map(|(path, input)| Call {
            seq: CallSeq::new(self.first.saturating_add(u32::try_from(self.made).unwrap_or(u32::MAX))),
            request: Request::Tool { path: path.clone(), input: input.clone() },
            place: None,
        });
        self.made += 1;
        let state = match next {
            Some(_) => ProgramState::Waiting,
            None => ProgramState::Done(Returned::default()),
        };
        let step =
            Step { calls: next.into_iter().collect(), cleared: Vec::new(), logs: Vec::new(), facts: Vec::new(), state };
        ready(Ok(step)).boxed()
    }

    fn take_logs(&mut self) -> Vec<Log> {
        Vec::new()
    }

    fn snapshot(&mut self, _limit: ByteSize) -> BoxFuture<'_, Option<Snapshot>> {
        ready(None).boxed()
    }

    fn cpu_used(&self) -> Duration {
        Duration::ZERO
    }

    fn set_cpu_used(&mut self, _used: Duration) {}

    fn written(&self) -> BookUse {
        BookUse::default()
    }

    fn set_written(&mut self, _written: BookUse) {}
}
