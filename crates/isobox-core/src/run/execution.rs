//! One execution from source to outcome, begun or resumed.

use std::borrow::Cow;
use std::convert::Infallible;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use futures_util::FutureExt;
use serde_json::Value;
use tracing::Instrument;

use crate::driver::{Driver, StartOptions};
use crate::durable::recorder::{Held, Place, Recorder};
use crate::durable::resumption::Resumption;
use crate::durable::tenure::TenureNumber;
use crate::journal::{Beginning, Ended, Ending, Entry, Standing, encode_beginning};
use crate::policy::Policy;
use crate::program::{Program, prepare};
use crate::report::call_details::CallDetails;
use crate::report::observer::{Contents, EventKind, Label, Observer, Reporter, execution_span};
use crate::report::reshape::Reshape;
use crate::run::lifecycle::tell_connectors;
use crate::run::run_loop::{Run, Stop};
use crate::run::waiting::until;
use crate::store::failures::over;
use crate::store::{Change, Lease, NewExecution, Release, Status};
use crate::{
    Approver, CallRecord, Capacity, Catalogue, Clock, Code, Completed, ExecutionId, Failed, Failure, Interrupted,
    Keeper, Limits, Log, Outcome, Paused, Permit, Tool, Validation,
};

/// What executions run with. One for many of them.
#[derive(Clone)]
pub struct Host {
    /// The sandbox.
    pub driver: Arc<dyn Driver>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// What may be called.
    pub catalogue: Arc<Catalogue>,
    /// Under which conditions.
    pub policy: Arc<Policy>,
    /// Who is asked about calls that need approval on the spot.
    pub approver: Option<Arc<dyn Approver>>,
    /// Namespaces that programs find as globals as well.
    pub namespaces: Arc<[String]>,
    /// How much may be live.
    pub capacity: Capacity,
    /// Who is told what happens.
    pub observer: Option<Arc<dyn Observer>>,
    /// How much of what crosses the wall is told.
    pub contents: Contents,
    /// What makes, of a result, what a model gets; see [`for_model`](crate::for_model).
    pub reshape: Option<Arc<Reshape>>,
    /// How strictly values are held to schemas.
    pub validation: Validation,
    /// Where executions are kept that ask for it.
    pub keeper: Option<Keeper>,
}

impl Host {
    /// What a tool gets of what a program passed.
    pub(crate) fn with_defaults(&self, path: &str, input: Value) -> Value {
        match self.catalogue.get(path) {
            Some(tool) => tool.with_defaults(input, self.validation.defaults),
            None => input,
        }
    }

    /// Whether defaults may be filled in for a tool.
    pub(crate) fn fills_defaults(&self, path: &str) -> bool {
        self.catalogue.get(path).is_some_and(|tool| tool.fills_defaults(self.validation.defaults))
    }

    /// What a tool is, as whoever approves a call of it is shown it.
    pub(crate) fn definition(&self, path: &str) -> String {
        self.catalogue.get(path).map(Tool::definition).unwrap_or_default()
    }
}

/// One program to run.
#[derive(Debug)]
pub struct Execution {
    /// Its name.
    pub id: ExecutionId,
    /// Where its random numbers start.
    pub seed: u64,
    /// What runs.
    pub program: Program,
    /// What it may use.
    pub limits: Limits,
    /// Whoever asked for it, where that is to be known.
    pub owner: Option<String>,
    /// The roles of whoever asked for it.
    pub roles: Vec<String>,
    /// What the host wants to find it by.
    pub label: Label,
    /// What is recorded of its calls.
    pub details: CallDetails,
    /// Whether it survives this process.
    pub keeping: Keeping,
    /// The key under which decisions can be remembered for other executions.
    pub session: Option<String>,
}

/// Whether an execution survives its process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keeping {
    /// It does not, and nothing is written.
    #[default]
    Nothing,
    /// Its journal is kept: it can wait for people, and go on after a crash.
    Journal,
}

/// Runs a program until it ends or waits for somebody outside.
///
/// When `cancelled` completes, the program is stopped and the outcome is `ABORTED`. When the returned future is dropped,
/// it is stopped as well, but one that is kept can be resumed. Either way its place, its instance and the futures of its
/// calls are gone at once.
pub async fn execute(host: &Host, execution: Execution, cancelled: impl Future<Output = ()> + Send) -> Outcome {
    let span = execution_span(&execution.id, &execution.label);
    let work = begin(host, &execution, cancelled).map(Ok::<_, Infallible>);
    let Ok(outcome) = traced(host, span, execution.program.source_size(), work).await;
    outcome
}

/// Goes on with an execution that is kept and that nobody holds, until it ends or waits for somebody outside again.
///
/// # Errors
///
/// `NOT_FOUND`; `CONFLICT` where another process holds it or where it is over; `STORE` where its journal cannot be read;
/// `DIVERGED` where the program does not do again what its journal holds; `BUSY`; `CONFIG` where this host keeps none. In all
/// of them nothing was run, and the execution stays as it was.
pub async fn resume(
    host: &Host,
    id: &ExecutionId,
    cancelled: impl Future<Output = ()> + Send,
) -> Result<Outcome, Failure> {
    let Some(keeper) = &host.keeper else { return Err(keeps_nothing()) };
    let presence = keeper.enter(id)?;
    let proved = keeper.tenure();
    let lease = match keeper.store.acquire(id, &keeper.node).await {
        Ok(lease) => lease,
        Err(failure) => {
            if matches!(failure.code, Code::Conflict | Code::NotFound) {
                // It was not held here, so that there is nothing to let go of.
                presence.leave();
            }
            return Err(failure);
        }
    };
    // Not before the lease is held: a process that has died may have left something for the store to do.
    let resumption = match Resumption::load(&*keeper.store, id).await {
        Ok(resumption) => resumption,
        Err(failure) => {
            keeper.store.write(Arc::new(Change::release(lease.clone(), Release::Anyhow))).await?;
            presence.leave();
            return Err(failure);
        }
    };
    if resumption.head.status.is_over() {
        // This process was held up since it took the lease, and another one has brought it to its end.
        presence.leave();
        return Err(over(id, &resumption.head));
    }
    let held = Held { lease, presence, proved };
    let execution = resumption.execution(id);
    let span = execution_span(&execution.id, &execution.label);
    let size = execution.program.source_size();
    traced(host, span, size, go_on((host, keeper), &execution, held, resumption, cancelled)).await
}

async fn traced<E>(
    host: &Host,
    span: tracing::Span,
    size: usize,
    work: impl Future<Output = Result<Outcome, E>>,
) -> Result<Outcome, E> {
    if span.is_disabled() {
        return work.await;
    }
    let has_sizes = host.contents != Contents::Nothing;
    if has_sizes {
        span.record("isobox.input.bytes", size);
    }
    let outcome = work.instrument(span.clone()).await?;
    match &outcome {
        Outcome::Failed(Failed { error, .. }) | Outcome::Interrupted(Interrupted { error, .. }) => {
            span.record("error.type", error.code.as_str());
        }
        Outcome::Completed(completed) if has_sizes => {
            span.record("isobox.output.bytes", completed.result.to_string().len());
        }
        Outcome::Completed(_) | Outcome::Paused(_) => {}
    }
    Ok(outcome)
}

async fn begin(host: &Host, execution: &Execution, cancelled: impl Future<Output = ()> + Send) -> Outcome {
    let started = host.clock.elapsed();
    let reporter = Reporter::new(host, &execution.id, &execution.label);
    reporter.report(|_| EventKind::Started { source: execution.program.source_size() });
    let mut run = Run::new(host, &reporter, execution);
    let result = unless(cancelled, run.begin_anew()).await;
    finish(run, result, started).await
}

async fn go_on(
    (host, keeper): (&Host, &Keeper),
    execution: &Execution,
    held: Held,
    resumption: Resumption,
    cancelled: impl Future<Output = ()> + Send,
) -> Result<Outcome, Failure> {
    let started = host.clock.elapsed();
    let reporter = Reporter::new(host, &execution.id, &execution.label);
    let mut run = Run::new(host, &reporter, execution);
    let result = match unless(cancelled, run.resume(keeper, held, resumption)).await {
        Err(Stop::NotResumed(failure)) => return Err(failure),
        result => result,
    };
    Ok(finish(run, result, started).await)
}

/// The end of a pass, and who is told of it.
async fn finish(run: Run<'_>, result: Result<Value, Stop>, started: Duration) -> Outcome {
    let (host, reporter) = (run.host, run.reporter);
    let (outcome, is_over) = run.finish(result, started).await;
    reporter.report(|_| EventKind::Ended(&outcome));
    tell_connectors(host, &outcome, is_over).await;
    outcome
}

async fn unless(
    cancelled: impl Future<Output = ()> + Send,
    work: impl Future<Output = Result<Value, Stop>>,
) -> Result<Value, Stop> {
    let mut work = std::pin::pin!(work);
    let mut cancelled = std::pin::pin!(cancelled);
    std::future::poll_fn(|context| {
        if cancelled.as_mut().poll(context).is_ready() {
            let message = "the caller cancelled the execution";
            return Poll::Ready(Err(Failure::new(Code::Aborted, message).into()));
        }
        work.as_mut().poll(context)
    })
    .await
}

impl Run<'_> {
    async fn begin_anew(&mut self) -> Result<Value, Stop> {
        let Execution { program, limits, .. } = self.execution;
        let size = program.source_size();
        if !limits.source.holds(size) {
            let message = format!("the program is {size} bytes, and the limit is {}", limits.source);
            return Err(Failure::new(Code::SourceTooLarge, message)
                .hint("keep data out of the program: fetch it with a tool instead")
                .detail("limit", limits.source.get())
                .detail("size", size)
                .into());
        }
        let prepared = Arc::new(prepare(&*self.host.driver, program).await?);
        let permit = admit(self.host, limits.timeout).await?;
        if self.execution.keeping == Keeping::Journal {
            self.recorder = Some(self.begin_journal(&prepared)?);
        }
        let options = self.start_options(&permit);
        self.instance = Some(self.host.driver.start(Arc::clone(&prepared), options)?);
        self.permit = Some(permit);
        self.deadline = self.host.clock.elapsed().saturating_add(limits.timeout);
        self.drive(&prepared).await
    }

    pub(crate) fn start_options(&self, permit: &Permit) -> StartOptions {
        StartOptions {
            limits: self.execution.limits.clone(),
            seed: self.execution.seed,
            meter: permit.meter(),
            namespaces: Arc::clone(&self.namespaces),
            wants_places: self.execution.keeping == Keeping::Journal,
        }
    }

    fn begin_journal(&self, prepared: &crate::program::Prepared) -> Result<Recorder, Failure> {
        let Some(keeper) = &self.host.keeper else { return Err(keeps_nothing()) };
        let Keeper { store, node, .. } = keeper;
        let Execution { id, seed, program, limits, owner, roles, label, details, session, .. } = self.execution;
        let created = self.host.clock.now();
        let beginning = Beginning {
            owner: owner.clone(),
            roles: roles.as_slice().into(),
            session: session.clone(),
            details: *details,
            function: label.function.clone(),
            program: Cow::Borrowed(program),
            prepared: Cow::Borrowed(prepared),
            image: self.host.driver.image().into(),
            limits: Cow::Borrowed(limits),
            seed: *seed,
            namespaces: (&*self.host.namespaces).into(),
            created,
        };
        let beginning = encode_beginning(store.key(), id, &beginning)?;
        let (lease, presence) = (Lease::first(id, node), keeper.enter(id)?);
        let held = Held { lease, presence, proved: TenureNumber::default() };
        let clock = Arc::clone(&self.host.clock);
        let place = Place::first(&beginning);
        let mut recorder = Recorder::new(keeper, held, clock, limits, label.function.clone(), place);
        let head = recorder.head();
        recorder.create(NewExecution { created, beginning, head });
        Ok(recorder)
    }

    /// What is told of the execution, once that is on disk, and whether it is over.
    async fn finish(mut self, result: Result<Value, Stop>, started: Duration) -> (Outcome, bool) {
        let elapsed = self.host.clock.elapsed().saturating_sub(started);
        let duration_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        let unfinished = self.instance.take().map(|mut instance| instance.take_logs()).unwrap_or_default();
        self.permit = None;
        unfinished.iter().for_each(|log| self.reporter.report(|_| EventKind::Logged(log)));
        let execution_id = self.execution.id.clone();
        let Some(mut recorder) = self.recorder.take() else {
            let mut logs = self.logs;
            logs.extend(unfinished);
            let calls = self.ledger.into_records(self.details);
            let outcome = match result {
                Ok(result) => Outcome::Completed(Completed { execution_id, result, logs, calls, duration_ms }),
                Err(Stop::Failed(error) | Stop::Rejected(error) | Stop::NotResumed(error)) => {
                    Outcome::Failed(Failed { execution_id, error, logs, calls, duration_ms })
                }
                Err(Stop::Paused) => Outcome::refused(execution_id, keeps_nothing()),
            };
            return (outcome, true);
        };
        let how = match result {
            Ok(result) => Ending::Completed(result),
            Err(Stop::Failed(failure) | Stop::NotResumed(failure)) => Ending::Failed(failure),
            Err(Stop::Rejected(failure)) => Ending::Rejected(failure),
            Err(Stop::Paused) => {
                let mut outcome = Outcome::Paused(Paused::of(&execution_id, recorder.standing(), &self.host.policy));
                outcome.complete_calls(&mut self.details);
                return (outcome, false);
            }
        };
        let duration = recorder.worked_before().saturating_add(duration_ms);
        let at = self.host.clock.now();
        let mut details = self.details;
        let mut told = |mut outcome: Outcome| {
            outcome.complete_calls(&mut details);
            outcome
        };
        // Where the store has the execution, it is not over before its end is written. Where it does not, there is nothing.
        let told_end = |how, standing: Standing| {
            let calls = standing.records();
            ended(&execution_id, how, standing.logs, calls, duration)
        };
        let not_over = |recorder: &mut Recorder, failure| {
            if recorder.exists() {
                return Outcome::interrupted(execution_id.clone(), failure, recorder.standing(), duration);
            }
            let mut outcome = told_end(Ending::Failed(failure), recorder.take_standing());
            outcome.forget_starts();
            outcome
        };
        if recorder.is_broken() {
            let outcome = match how {
                Ending::Failed(failure) | Ending::Rejected(failure) => not_over(&mut recorder, failure),
                Ending::Completed(_) => told_end(how, recorder.take_standing()),
            };
            return (told(outcome), false);
        }
        recorder.set_status(match &how {
            Ending::Completed(_) => Status::Completed,
            Ending::Failed(_) => Status::Failed,
            Ending::Rejected(_) => Status::Rejected,
        });
        let noted = recorder.note(Entry::Ended(Ended { how, logs: unfinished, duration, at }));
        let confirmed = match noted {
            Ok(()) => recorder.confirm().await,
            Err(failure) => Err(failure),
        };
        match confirmed {
            Ok(()) => {
                let mut standing = recorder.take_standing();
                let calls = standing.records();
                let Ended { how, .. } = standing.ended.take().expect("its end was noted");
                (told(ended(&execution_id, how, standing.logs, calls, duration)), true)
            }
            Err(failure) => (told(not_over(&mut recorder, failure)), false),
        }
    }
}

/// What is told of an execution that ended like this.
pub(crate) fn ended(
    execution_id: &ExecutionId,
    how: Ending,
    logs: Vec<Log>,
    calls: Vec<CallRecord>,
    duration_ms: u64,
) -> Outcome {
    let execution_id = execution_id.clone();
    match how {
        Ending::Completed(result) => Outcome::Completed(Completed { execution_id, result, logs, calls, duration_ms }),
        Ending::Failed(error) | Ending::Rejected(error) => {
            Outcome::Failed(Failed { execution_id, error, logs, calls, duration_ms })
        }
    }
}

/// Waits for a place, no longer than the program itself might take.
pub(crate) async fn admit(host: &Host, timeout: Duration) -> Result<Permit, Failure> {
    let limit = host.clock.elapsed().saturating_add(timeout);
    until(&*host.clock, limit, host.capacity.admit()).await.unwrap_or_else(|| {
        let message = format!("no capacity became free within {timeout:?}");
        Err(Failure::new(Code::Busy, message).hint("try again later, or raise the capacity of this runtime"))
    })
}

pub(crate) fn keeps_nothing() -> Failure {
    Failure::new(Code::Config, "this runtime has no store, so that it keeps no executions")
        .hint("give it a store: `\"store\": \"sqlite:.isobox/isobox.db\"` in isobox.json, or `Builder::store` in Rust")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hosts run executions on the threads of their choice.
    #[test]
    fn executions_can_go_on_on_other_threads() {
        fn is_send(_: impl Send) {}
        let forever = std::future::pending;
        let _unused = |host: &Host, execution, id| {
            is_send(execute(host, execution, forever()));
            is_send(resume(host, id, forever()));
            is_send(crate::expire(host, crate::Timestamp(0)));
        };
    }
}
