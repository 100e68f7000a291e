//! Executions with an ID that the caller chose: a retry finds the execution instead of running it again.

use std::collections::BTreeSet;

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
        if let Some(outcome) = self.attach(&attempt).await {
            return outcome;
        }
        let Attempt { id, cancellation, .. } = &attempt;
        let _claim = tokio::select! {
            biased;
            () = cancellation.cancelled() => return Outcome::refused(id.clone(), no_longer_waited_for(id)),
            claim = claims.claim(id) => claim,
        };
        // Another run of this process may have created it while this one waited for the claim.
        if let Some(outcome) = self.attach(&attempt).await {
            return outcome;
        }
        match self.run_new(identity, run).await {
            Ok(outcome) => outcome,
            // Another process has created it meanwhile. Nothing that this process ran took effect.
            Err(error) => {
                let existing = self.attach(&attempt).await;
                existing.unwrap_or_else(|| Outcome::refused(id.clone(), error.into()))
            }
        }
    }

    /// Returns the outcome of the stored execution once there is one. Returns none if nothing is stored under the ID.
    async fn attach(&self, attempt: &Attempt) -> Option<Outcome> {
        let Attempt { id, request, .. } = attempt;
        let attached = match self.inspect(id).await {
            Err(failure) if failure.code == Code::NotFound => return None,
            Err(failure) => Err(failure),
            Ok(found) => match request.check(id, &found.beginning) {
                Ok(()) => self.outcome_of(attempt, found).await,
                Err(failure) => Err(failure),
            },
        };
        Some(attached.unwrap_or_else(|failure| Outcome::refused(id.clone(), failure)))
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
    Failure::new(Code::Aborted, format!("the caller stopped waiting for execution {id}, which continues"))
}
