//! Executions with an ID that the caller chose: a retry finds the execution instead of running it again.

use std::collections::BTreeSet;
use std::time::Duration;

use isobox_core::journal::Beginning;
use isobox_core::program::Program;
use isobox_core::store::ErrorKind;
use isobox_core::{
    Code, ConflictKind, ExecutionId, Failure, Inspected, Means, Outcome, Principal, Right, Tool, ToolDefinition,
    inspect,
};

use crate::claims::Claims;
use crate::resume::pause;
use crate::{CancellationToken, Identity, Isobox, Run};

impl Isobox {
    /// Runs a durable execution under the chosen ID, or attaches to the existing execution with that ID.
    pub(crate) async fn run_once(&self, claims: &Claims, identity: Identity, run: Run) -> Outcome {
        if let Err(failure) = run.principal.require(Right::Run) {
            return Outcome::refused(identity.id, failure);
        }
        let cancellation = run.cancellation.clone().unwrap_or_default();
        let (id, tools) = (identity.id.clone(), run.tools.clone());
        let attempt = Attempt { id, request: Request::of(&run), tools, cancellation };
        let Attempt { id, cancellation, .. } = &attempt;
        match self.attach(&attempt).await {
            Ok(Some(outcome)) => return outcome,
            Ok(None) => {}
            Err(failure) => return Outcome::unconfirmed(id.clone(), failure),
        }
        let _claim = tokio::select! {
            biased;
            () = cancellation.cancelled() => return Outcome::unconfirmed(id.clone(), no_longer_waited_for(id)),
            claim = claims.claim(id) => claim,
        };
        // Another run of this process may have created it while this one waited for the claim.
        match self.attach(&attempt).await {
            Ok(Some(outcome)) => return outcome,
            Ok(None) => {}
            Err(failure) => return Outcome::unconfirmed(id.clone(), failure),
        }
        match self.run_new(identity, run).await {
            Ok(outcome) => outcome,
            // Another process has created it meanwhile. Nothing that this process ran took effect.
            Err(error) => match self.attach(&attempt).await {
                Ok(Some(outcome)) => outcome,
                Ok(None) => Outcome::refused(id.clone(), error.into()),
                Err(failure) => Outcome::unread(id.clone(), failure),
            },
        }
    }

    /// Returns the outcome of the stored execution once there is one. Returns none if nothing is stored under the ID, and
    /// an error if the store does not tell.
    async fn attach(&self, attempt: &Attempt) -> Result<Option<Outcome>, Failure> {
        let Attempt { id, request, .. } = attempt;
        let found = match self.look(attempt).await {
            Ok(found) => found,
            Err(failure) if failure.code == Code::NotFound => return Ok(None),
            Err(failure) => return Err(failure),
        };
        let attached = match request.check(id, &found.beginning) {
            Ok(()) => self.outcome_of(attempt, found).await,
            Err(failure) => Err(failure),
        };
        Ok(Some(attached.unwrap_or_else(|failure| Outcome::refused(id.clone(), failure))))
    }

    /// Reads the stored execution. Tries again while the store cannot be used, for as long as a running execution does.
    async fn look(&self, attempt: &Attempt) -> Result<Inspected, Failure> {
        let Attempt { id, cancellation, .. } = attempt;
        let (store, clock) = (self.store()?, &*self.host.clock);
        let patience = self.host.keeper.as_ref().map_or(Duration::ZERO, |keeper| keeper.timing.outage);
        let since = clock.elapsed();
        let until = since.saturating_add(patience);
        let mut changes = store.subscribe(id);
        loop {
            match inspect(store, id).await {
                Err(error) if error.kind() == ErrorKind::Unavailable && clock.elapsed() < until => {}
                found => return Ok(found?),
            }
            tokio::select! {
                biased;
                () = cancellation.cancelled() => return Err(no_longer_waited_for(id)),
                () = pause(clock, since, &mut changes) => {}
            }
        }
    }

    /// Waits until an execution has ended or paused. Resumes it if no process runs it, or if its inbox has a decision.
    async fn outcome_of(&self, attempt: &Attempt, mut found: Inspected) -> Result<Outcome, Failure> {
        let Attempt { id, tools, cancellation, .. } = attempt;
        let clock = &*self.host.clock;
        let since = clock.elapsed();
        let store = self.store()?;
        let mut changes = store.subscribe(id);
        loop {
            match found.outcome(id, self.policy()) {
                Some(Outcome::Paused(paused)) if self.is_due(paused.until) || self.has_messages(id).await => {}
                Some(Outcome::Sleeping(sleeping))
                    if self.is_due(Some(sleeping.until)) || self.has_messages(id).await => {}
                Some(outcome) => return Ok(outcome),
                None => {}
            }
            match self.resume_now(id, Means { tools, ..Means::default() }, cancellation.cancelled()).await {
                Ok(outcome) => return Ok(outcome),
                // Another process runs it, or has just ended it.
                Err(error) if error.is_elsewhere() => {}
                Err(error) if error.store_kind() == Some(ErrorKind::NotFound) => return Err(error.into()),
                Err(error) => return Ok(found.interrupted(id, error.into())),
            }
            tokio::select! {
                biased;
                () = cancellation.cancelled() => return Ok(found.interrupted(id, no_longer_waited_for(id))),
                () = pause(clock, since, &mut changes) => {}
            }
            found = match inspect(store, id).await {
                Ok(found) => found,
                Err(error) => match error.kind() {
                    ErrorKind::NotFound => return Err(error.into()),
                    // The process that runs it retries while the store fails, and so does the one that waits for it.
                    ErrorKind::Unavailable => found,
                    _ => return Ok(found.interrupted(id, error.into())),
                },
            };
        }
    }

    /// Tells whether the inbox of an execution has messages. Returns true if the inbox cannot be read: resuming finds
    /// out.
    async fn has_messages(&self, id: &ExecutionId) -> bool {
        match self.store() {
            Ok(store) => store.inbox(id).await.map_or(true, |messages| !messages.is_empty()),
            Err(_) => false,
        }
    }
}

/// One attempt to run a request that may have been made before.
struct Attempt {
    id: ExecutionId,
    request: Request,
    tools: Vec<Tool>,
    cancellation: CancellationToken,
}

/// The part of a request that retries must repeat.
struct Request {
    program: Program,
    principal: Principal,
    tools: Vec<ToolDefinition>,
}

impl Request {
    fn of(run: &Run) -> Self {
        let (program, principal) = (run.program.clone(), run.principal.clone());
        Self { program, principal, tools: ToolDefinition::of_all(&run.tools) }
    }

    /// Refuses an execution that was created by a different request.
    fn check(&self, id: &ExecutionId, beginning: &Beginning<'_>) -> Result<(), Failure> {
        let Self { program, principal, tools } = self;
        let before = beginning.principal();
        let roles = |principal: &Principal| principal.roles().iter().cloned().collect::<BTreeSet<_>>();
        let is_same_caller = principal.name() == before.name() && roles(principal) == roles(&before);
        if *program == *beginning.program && *tools == *beginning.tools && is_same_caller {
            return Ok(());
        }
        let message = format!("execution {id} already exists, with another program, other tools or for another caller");
        Err(Failure::conflict(ConflictKind::AlreadyExists, message)
            .hint("reuse an ID only to retry the same request, and choose a new one for every other"))
    }
}

fn no_longer_waited_for(id: &ExecutionId) -> Failure {
    Failure::new(Code::Aborted, format!("the caller stopped waiting for execution {id}, which is not stopped"))
}
