//! What executions run with, and what is asked for.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::driver::{Driver, StartOptions};
use crate::journal::Beginning;
use crate::policy::Policy;
use crate::program::Program;
use crate::report::call_details::CallDetails;
use crate::report::content::Contents;
use crate::report::observer::{Label, Observer};
use crate::report::reshape::Reshape;
use crate::run::waiting::until;
use crate::{
    Approver, CallContext, CallSeq, Capacity, Catalogue, Clock, Code, ExecutionId, Failure, Keeper, Limits, Permit,
    Principal, Tool, Validation,
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
    /// Where programs find the namespaces of tools.
    pub namespaces: Namespaces,
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

/// Where programs find the namespaces of tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Namespaces {
    /// In `tools` alone.
    #[default]
    InTools,
    /// As globals as well.
    AsGlobals,
}

impl Host {
    /// Returns the host for an execution with these tools beside those of the catalogue; `CONFIG` where a path is taken.
    pub(crate) fn with_tools(&self, tools: &[Tool]) -> Result<Cow<'_, Self>, Failure> {
        if tools.is_empty() {
            return Ok(Cow::Borrowed(self));
        }
        let catalogue = Arc::new(self.catalogue.with_tools(tools.iter().cloned())?);
        Ok(Cow::Owned(Self { catalogue, ..self.clone() }))
    }

    /// Returns the names that a program that starts finds as globals.
    pub(crate) fn globals(&self) -> Arc<[String]> {
        match self.namespaces {
            Namespaces::InTools => Arc::default(),
            Namespaces::AsGlobals => Arc::clone(self.catalogue.roots()),
        }
    }

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
        self.catalogue.get(path).map(Tool::definition_hash).unwrap_or_default()
    }

    /// Returns the approver, unless the execution is their own and the policy denies decisions about those.
    pub(crate) fn approver_of(&self, execution: &Execution) -> Option<Arc<dyn Approver>> {
        let own = self.policy.own_decisions();
        let may_decide = |approver: &&Arc<dyn Approver>| own.check(approver.name(), execution.principal.name()).is_ok();
        self.approver.as_ref().filter(may_decide).cloned()
    }

    /// Waits for a place, no longer than the program itself might take.
    pub(crate) async fn admit(&self, timeout: Duration) -> Result<Permit, Failure> {
        let limit = self.clock.elapsed().saturating_add(timeout);
        until(&*self.clock, limit, self.capacity.admit()).await.unwrap_or_else(|| {
            let message = format!("no capacity became free within {timeout:?}");
            Err(Failure::new(Code::Busy, message).hint("try again later, or raise the capacity of this runtime"))
        })
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
    /// Who runs it. Needs the right to run.
    pub principal: Principal,
    /// What the host wants to find it by.
    pub label: Label,
    /// What is recorded of its calls.
    pub details: CallDetails,
    /// Whether it survives this process.
    pub durability: Durability,
    /// The key under which decisions can be remembered for other executions.
    pub session: Option<Arc<str>>,
    /// Its own tools, beside those of the host.
    pub tools: Vec<Tool>,
}

/// Whether an execution survives its process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// It does not, and nothing is written.
    #[default]
    Nothing,
    /// Its journal is kept: it can wait for people, and go on after a crash.
    Journal,
}

impl Execution {
    /// Returns an execution as its journal says it was asked for, without the functions of its own tools.
    pub(crate) fn of(id: &ExecutionId, beginning: &Beginning<'_>) -> Self {
        Self {
            id: id.clone(),
            seed: beginning.seed,
            program: beginning.program.clone().into_owned(),
            limits: beginning.limits.clone().into_owned(),
            principal: beginning.principal(),
            label: Label { function: beginning.function.clone(), ..Label::default() },
            details: beginning.details,
            durability: Durability::Journal,
            session: beginning.session.as_deref().map(Arc::from),
            tools: Vec::new(),
        }
    }

    /// Describes one of its calls.
    pub(crate) fn call_context(&self, seq: CallSeq) -> CallContext {
        let mut context = CallContext::new(self.id.clone(), seq);
        context.caller = Arc::clone(self.principal.caller());
        context.session.clone_from(&self.session);
        context
    }

    /// Returns how its program is started, with globals of these names, at a place among the live ones.
    pub(crate) fn start_options(&self, namespaces: &Arc<[String]>, permit: &Permit) -> StartOptions {
        StartOptions {
            limits: self.limits.clone(),
            seed: self.seed,
            meter: permit.meter(),
            namespaces: Arc::clone(namespaces),
            wants_places: self.durability == Durability::Journal,
        }
    }
}

pub(crate) fn keeps_nothing() -> Failure {
    Failure::new(Code::Config, "this runtime has no store, so that it keeps no executions")
        .hint("give it a store: `\"store\": \"sqlite:.isobox/isobox.db\"` in isobox.json, or `Builder::store` in Rust")
}
