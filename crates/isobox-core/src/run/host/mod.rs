//! The environment that executions run in, and the request for an execution.

pub(crate) mod for_model;
pub(crate) mod means;
pub(super) mod own_tools;
pub(super) mod reporter;
pub(super) mod setting;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::driver::{self, Driver, StartOptions};
use crate::durable::recorder::Caption;
use crate::durable::sessions::{BusySession, Sessions};
use crate::journal::{Beginning, UsedGlobals};
use crate::policy::Policy;
use crate::program::{Modules, Prepared, Program, Rules};
use crate::report::call_details::CallDetails;
use crate::report::content::Contents;
use crate::report::observer::{Label, Observer};
use crate::report::reshape::Reshape;
use crate::run::replay::Quotes;
use crate::run::snippet_runs::family::Family;
use crate::run::waiting::until;
use crate::tools::experience::Learner;
use crate::{
    Approver, CallContext, CallSeq, Capacity, Catalogue, Checks, Clock, Code, ExecutionId, Failure, Keeper, Limits,
    Permit, Principal, Region, Snapshot, Tool, Validation,
};

/// The environment that executions run in. Many executions share one.
#[derive(Clone)]
pub struct Host {
    /// The sandbox.
    pub driver: Arc<dyn Driver>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The tools.
    pub catalogue: Arc<Catalogue>,
    /// The policy that calls are checked against.
    pub policy: Arc<Policy>,
    /// The approver for calls that need approval at once.
    pub approver: Option<Arc<dyn Approver>>,
    /// The way in which programs find the namespaces of tools.
    pub namespaces: Namespaces,
    /// The capacity for live executions.
    pub capacity: Capacity,
    /// The observer of events.
    pub observer: Option<Arc<dyn Observer>>,
    /// The amount of content in events.
    pub contents: Contents,
    /// The function that reshapes a result for a model; see [`for_model`](crate::for_model).
    pub reshape: Option<Arc<Reshape>>,
    /// The strictness of schema validation.
    pub validation: Validation,
    /// The keeper of durable executions.
    pub keeper: Option<Keeper>,
    /// Learns the types of results.
    pub learner: Option<Arc<dyn Learner>>,
    /// The setting for checks of programs before they run.
    pub checks: Checks,
    /// The rules over the syntax of programs.
    pub rules: Arc<Rules>,
    /// The modules that programs may import.
    pub modules: Arc<Modules>,
    /// The sessions whose globals programs may use.
    pub sessions: Option<Sessions>,
}

/// The way in which programs find the namespaces of tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Namespaces {
    /// Only in `tools`.
    #[default]
    InTools,
    /// In `tools` and as globals.
    AsGlobals,
}

impl Host {
    /// Returns the host for an execution with these additional tools. Returns `CONFIG` if a path is taken.
    pub(crate) fn with_tools(&self, tools: &[Tool]) -> Result<Cow<'_, Self>, Failure> {
        if tools.is_empty() {
            return Ok(Cow::Borrowed(self));
        }
        let catalogue = Arc::new(self.catalogue.with_tools(tools.iter().cloned())?);
        Ok(Cow::Owned(Self { catalogue, ..self.clone() }))
    }

    /// Returns the names that a new program finds as globals.
    pub(crate) fn globals(&self) -> Arc<[String]> {
        Arc::clone(self.catalogue.globals(self.namespaces == Namespaces::AsGlobals))
    }

    /// Returns the input that a tool gets: that of the program, with defaults if they are enabled.
    pub(crate) fn with_defaults(&self, path: &str, input: Value) -> Value {
        match self.catalogue.get(path) {
            Some(tool) => tool.with_defaults(input, self.validation.defaults),
            None => input,
        }
    }

    /// Tells whether defaults may be added for a tool.
    pub(crate) fn fills_defaults(&self, path: &str) -> bool {
        self.catalogue.get(path).is_some_and(|tool| tool.fills_defaults(self.validation.defaults))
    }

    /// Returns what quotes inputs in messages.
    pub(crate) fn quotes(&self) -> Quotes<'_> {
        Quotes { catalogue: &self.catalogue, policy: &self.policy }
    }

    /// Returns the hash of a tool's definition, as shown to approvers.
    pub(crate) fn definition(&self, path: &str) -> String {
        self.catalogue.get(path).map(Tool::definition_hash).unwrap_or_default()
    }

    /// Returns the approver, unless the execution is their own and the policy denies decisions about it.
    pub(crate) fn approver_of(&self, execution: &Execution) -> Option<Arc<dyn Approver>> {
        let own = self.policy.own_decisions();
        let may_decide = |approver: &&Arc<dyn Approver>| own.check(approver.name(), execution.principal.name()).is_ok();
        self.approver.as_ref().filter(may_decide).cloned()
    }

    /// Starts a program.
    pub(crate) async fn start(&self, program: Arc<Prepared>, options: StartOptions) -> Result<Family, driver::Error> {
        let root = self.driver.start(program, options.clone()).await?;
        Ok(Family::new(&self.driver, root, options))
    }

    /// Restores a program from a snapshot.
    pub(crate) async fn restore(&self, snapshot: &Snapshot, options: StartOptions) -> Result<Family, driver::Error> {
        let root = self.driver.restore(snapshot, options.clone()).await?;
        Ok(Family::new(&self.driver, root, options))
    }

    /// Waits for capacity, no longer than the program itself may take.
    pub(crate) async fn admit(&self, timeout: Duration) -> Result<Permit, Failure> {
        let limit = self.clock.elapsed().saturating_add(timeout);
        until(&*self.clock, limit, self.capacity.admit()).await.unwrap_or_else(|| {
            let message = format!("no capacity became free within {timeout:?}");
            Err(Failure::new(Code::Busy, message).hint("try again later, or raise the capacity of this runtime"))
        })
    }
}

/// A program to run, with its settings.
#[derive(Debug)]
pub struct Execution {
    /// Its ID.
    pub id: ExecutionId,
    /// The seed of its random numbers.
    pub seed: u64,
    /// The program.
    pub program: Program,
    /// Its limits.
    pub limits: Limits,
    /// The principal that runs it. The principal needs the right to run.
    pub principal: Principal,
    /// The label by which the host finds it.
    pub label: Label,
    /// The details that are recorded of its calls.
    pub details: CallDetails,
    /// Its durability.
    pub durability: Durability,
    /// The key under which decisions can be remembered for other executions.
    pub session: Option<Arc<str>>,
    /// The use of the globals of its session: its program finds those of the program before it, and leaves its own.
    pub globals: Globals,
    /// Tools of its own, beside those of the host.
    pub tools: Vec<Tool>,
    /// The locale and the time zone of its program.
    pub region: Region,
    /// The purpose of its calls.
    pub purpose: Purpose,
    /// The setting for checks of the program before it runs. None for the setting of the host.
    pub checks: Option<Checks>,
}

/// The purpose of the calls of an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Purpose {
    /// Calls that a program makes.
    #[default]
    Program,
    /// The reverts of a rollback. Each may take this long, and nothing needs their results.
    Rollback(Duration),
}

/// The use of the globals of a session.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Globals {
    /// The program starts with no globals but those of the sandbox.
    #[default]
    None,
    /// The program uses the globals of its session. This says what happens while another program uses them.
    OfSession(BusySession),
    /// The program has begun to use the globals of its session.
    InUse(UsedGlobals),
}

/// The part of an execution that survives its process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// The execution ends with its process. Nothing is written.
    #[default]
    Nothing,
    /// The execution has a journal. It can wait for people, and continue after a crash.
    Journal,
}

impl Execution {
    /// Restores the execution from its journal, without the functions of its own tools.
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
            globals: beginning.globals.clone().map_or(Globals::None, Globals::InUse),
            tools: Vec::new(),
            region: beginning.region.clone(),
            purpose: Purpose::Program,
            checks: None,
        }
    }

    /// Tells whether its calls are the reverts of a rollback.
    pub(crate) fn is_rollback(&self) -> bool {
        matches!(self.purpose, Purpose::Rollback(_))
    }

    /// Returns the facts that the head of its journal repeats.
    pub(crate) fn caption(&self) -> Caption {
        Caption { function: self.label.function.as_deref().map(Arc::from), owner: self.principal.name().into() }
    }

    /// Creates the context of one of its calls.
    pub(crate) fn call_context(&self, seq: CallSeq) -> CallContext {
        let mut context = CallContext::new(self.id.clone(), seq);
        context.caller = Arc::clone(self.principal.caller());
        context.session.clone_from(&self.session);
        context
    }

    /// Returns the globals of the session that its program uses.
    pub(crate) fn used_globals(&self) -> Option<&UsedGlobals> {
        match &self.globals {
            Globals::InUse(used) => Some(used),
            Globals::None | Globals::OfSession(_) => None,
        }
    }

    /// Returns the options for starting its program with these namespaces under a permit.
    pub(crate) fn start_options(&self, namespaces: &Arc<[String]>, permit: &Permit) -> StartOptions {
        StartOptions {
            limits: self.limits.clone(),
            seed: self.seed,
            meter: permit.meter(),
            namespaces: Arc::clone(namespaces),
            region: self.region.clone(),
            globals: self.used_globals().and_then(|used| used.snapshot.clone()),
        }
    }
}

pub(crate) fn keeps_nothing() -> Failure {
    Failure::new(Code::Config, "this runtime has no store for durable executions")
        .hint("give it a store: `\"store\": \"sqlite:.isobox/isobox.db\"` in isobox.json, or `Builder::store` in Rust")
}
