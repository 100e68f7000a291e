//! Runs the JavaScript and TypeScript that agents write, in a WebAssembly sandbox whose only way out are your tools.
//!
//! ```
//! use isobox::{Isobox, Tool, json};
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//!
//! /// Returns the weather of a city, today.
//! #[derive(Deserialize, JsonSchema)]
//! struct Today {
//!     city: String,
//! }
//!
//! #[derive(Serialize, JsonSchema)]
//! struct Weather {
//!     city: String,
//!     celsius: i32,
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), isobox::Failure> {
//! let weather = Tool::typed("weather.today", |today: Today| async move {
//!     Ok(Weather { city: today.city, celsius: 21 })
//! })?;
//!
//! let isobox = Isobox::builder().tool(weather).build()?;
//! let outcome = isobox
//!     .run("const cities = ['Rome', 'Oslo'];
//!           const all = await Promise.all(cities.map((city) => tools.weather.today({ city })));
//!           return all.map((one) => `${one.city}: ${one.celsius} °C`);")
//!     .await;
//! assert_eq!(outcome.into_result()?, json!(["Rome: 21 °C", "Oslo: 21 °C"]));
//! # Ok(())
//! # }
//! ```
//!
//! A model sees the types of a tool as TypeScript, with their doc comments. `Tool::new` takes and returns JSON instead.
//!
//! The root contains what nearly every host uses; the rest is in modules by theme. This crate combines the parts, and
//! adds real time and random numbers. Decisions are made in `isobox-core`; programs run in `isobox-sandbox`.

mod api;
mod builder;
mod building;
mod chosen_id;
mod claims;
#[cfg(feature = "config")]
pub mod config;
mod connectors;
#[cfg(feature = "continuations")]
mod continuation;
#[cfg(feature = "config")]
mod credential;
mod decisions;
pub mod demo;
mod ending;
mod event_stream;
mod executions;
mod handle;
mod heartbeat;
#[cfg(feature = "config")]
mod known_stores;
mod learning;
mod linking;
mod memory_store;
#[cfg(feature = "config")]
mod opened_store;
mod plan;
mod random_numbers;
mod real_clock;
mod result_types;
mod resume;
mod rollback_of;
mod run_sources;
mod saved;
mod scheduler;
mod session_runs;
mod sleep_through;
pub mod stepwise;
mod system;
mod task;
mod transcripts;
mod waking;
#[cfg(feature = "config")]
pub mod workspace;

use std::borrow::Cow;
use std::sync::Arc;

pub use api::{
    calls, checks, connector, driver, events, experience, journal, limits, planning, policy, rollback, search,
    sessions, snippets, store, text, tools, transcript,
};
pub use builder::Builder;
#[cfg(feature = "continuations")]
pub use continuation::{Continuations, Continue};
pub use decisions::Decisions;
pub use futures_util::future::BoxFuture;
pub use handle::Handle;
pub use isobox_core::program;
pub use isobox_core::program::Program;
#[cfg(feature = "schemars")]
pub use isobox_core::schemars;
pub use isobox_core::{
    ByteSize, CallSeq, Checks, Code, Completed, ConflictKind, ExecutionId, Facts, Failed, Failure, Interrupted, Limits,
    LoweredLimits, NotAnExecutionId, Outcome, Paused, PendingCall, PendingKind, Plan, Principal, Region, Sleeping,
    Timestamp, Tool, ToolCall, ToolError, Warning,
};
pub use resume::{Resume, Resumed};
pub use scheduler::Scheduler;
pub use serde_json::{Value, json};
pub use tokio_util::sync::CancellationToken;
pub use waking::Woken;

use building::unenforced;
#[cfg(any(feature = "config", feature = "continuations"))]
use heartbeat::DurableHome;
use heartbeat::Heartbeat;
use isobox_core::policy::Policy;
use isobox_core::{
    CallDetails, Capacity, Catalogue, Contents, Durability, Execution, Globals, Host, Label, Observer, Purpose,
    Strictness, execute,
};
use learning::Experience;
use random_numbers::random_numbers;

/// A runtime: a sandbox, tools and limits. Clones share it.
///
/// Needs to be used inside a tokio runtime with time enabled.
#[derive(Clone)]
pub struct Isobox {
    host: Host,
    experience: Option<Arc<Experience>>,
    heartbeat: Option<Arc<Heartbeat>>,
    limits: Arc<Limits>,
    region: Region,
    strictness: Strictness,
    /// Rules and settings that match no tool, and limits that the driver does not enforce.
    warnings: Arc<[String]>,
}

/// The identity of an execution.
pub(crate) struct Identity {
    pub(crate) id: ExecutionId,
    /// The seed of its random numbers.
    seed: u64,
}

/// A program to run, with the settings of this run.
#[derive(Debug, Clone)]
pub struct Run {
    program: Program,
    id: Option<ExecutionId>,
    limits: LoweredLimits,
    cancellation: Option<CancellationToken>,
    seed: Option<u64>,
    principal: Principal,
    label: Label,
    durability: Durability,
    session: Option<Arc<str>>,
    globals: Globals,
    details: CallDetails,
    tools: Vec<Tool>,
    region: Option<Region>,
    checks: Option<Checks>,
}

impl Isobox {
    /// Runs a program. Dropping the future stops it; a durable execution can be resumed then.
    ///
    /// [`Isobox::start`] returns at once instead, with a handle that has the ID, the events and the outcome.
    pub async fn run(&self, run: impl Into<Run>) -> Outcome {
        let run = run.into();
        self.run_as(self.identify(&run), run).await
    }

    /// Chooses the ID and the seed unless the caller did.
    pub(crate) fn identify(&self, run: &Run) -> Identity {
        let (random, seed) = random_numbers();
        let id = run.id.clone().unwrap_or_else(|| ExecutionId::new(self.host.clock.now().0, random));
        Identity { id, seed: run.seed.unwrap_or(seed) }
    }

    pub(crate) async fn run_as(&self, identity: Identity, mut run: Run) -> Outcome {
        if run.globals != Globals::None && self.host.keeper.is_some() {
            run.durability = Durability::Journal;
        }
        // Without a store the run is refused, like every durable execution.
        if let (Some(_), Durability::Journal, Some(heartbeat)) = (&run.id, run.durability, &self.heartbeat) {
            // Boxed, because it is rare and large.
            return Box::pin(self.run_once(&heartbeat.claims, identity, run)).await;
        }
        let id = identity.id.clone();
        self.run_new(identity, run).await.unwrap_or_else(|error| Outcome::refused(id, error.into()))
    }

    /// Runs a program as a new execution. Fails if the store has one with its ID.
    pub(crate) async fn run_new(&self, identity: Identity, mut run: Run) -> Result<Outcome, store::Error> {
        let (id, cancellation) = (identity.id.clone(), run.cancellation.take());
        let execution = match self.execution(identity, run) {
            Ok(execution) => execution,
            Err(failure) => return Ok(Outcome::refused(id, failure)),
        };
        if execution.durability == Durability::Journal
            && let Err(failure) = self.keep_alive().await
        {
            return Ok(Outcome::refused(id, failure));
        }
        match cancellation {
            None => execute(&self.host, execution, std::future::pending()).await,
            Some(token) => execute(&self.host, execution, token.cancelled()).await,
        }
    }

    /// Makes the request for an execution. Returns `CONFIG` if the limits of the run are higher than those of the runtime.
    fn execution(&self, identity: Identity, run: Run) -> Result<Execution, Failure> {
        let Identity { id, seed } = identity;
        let Run {
            program, limits, principal, label, durability, session, globals, details, tools, region, checks, ..
        } = run;
        Ok(Execution {
            id,
            seed,
            program,
            limits: self.limits.lowered(&limits)?,
            principal,
            label,
            durability,
            session,
            globals,
            details,
            tools,
            region: region.unwrap_or_else(|| self.region.clone()),
            purpose: Purpose::Program,
            checks,
        })
    }

    /// Returns the outcome for a model: its result is reshaped by [`Builder::reshape`], everything else is unchanged.
    /// Returns the outcome itself if there is no such function, or if it fails.
    ///
    /// [`answer_text`](text::answer_text) makes a text of it that fits a model's budget. The label is for the observer,
    /// which is notified if the function fails.
    pub fn for_model<'o>(&self, outcome: &'o Outcome, label: &Label) -> Cow<'o, Outcome> {
        isobox_core::for_model(&self.host, outcome, label)
    }

    /// Prepares a program without running it. Returns the code for the engine, or what is wrong with the program.
    ///
    /// # Errors
    ///
    /// `SYNTAX`, with the place in the author's text.
    pub async fn prepare(&self, program: &Program) -> Result<program::Prepared, Failure> {
        let preparation = program::Preparation::new(program);
        Ok(program::survey(&*self.host.driver, preparation, &self.host.modules).await?.program)
    }

    /// Checks a program without running it, for a caller with these roles. Returns everything that is wrong with it: what is
    /// certain, and what is wrong in branches.
    ///
    /// # Errors
    ///
    /// `SYNTAX`, with the place in the author's text. `BUSY` if there is no capacity.
    pub async fn check(&self, program: &Program, roles: &[String]) -> Result<Vec<checks::Finding>, Failure> {
        isobox_core::check(&self.host, program, roles).await
    }

    /// Returns the modules that programs may import.
    pub fn modules(&self) -> &program::Modules {
        &self.host.modules
    }

    /// Returns the program in a form that may be shown. If a rule redacts values, literals are masked, because the
    /// program may contain the same values.
    pub async fn shown(&self, program: &Program) -> Program {
        if self.policy().redacts() {
            program::without_literals(&*self.host.driver, &*self.host.clock, program).await
        } else {
            program.clone()
        }
    }

    /// Returns the same runtime, sandbox and capacity with another catalogue. Running executions keep theirs.
    ///
    /// # Errors
    ///
    /// `CONFIG` if the runtime is [strict](Builder::strict) and a rule or setting matches no tool of the catalogue.
    pub fn with_catalogue(&self, catalogue: Catalogue) -> Result<Self, Failure> {
        self.with_catalogue_checked(catalogue, self.strictness)
    }

    pub(crate) fn with_catalogue_checked(&self, catalogue: Catalogue, strictness: Strictness) -> Result<Self, Failure> {
        let mut warnings = catalogue.check_names(&self.host.policy, strictness)?;
        warnings.extend(self.host.policy.warnings());
        warnings.extend(unenforced(&*self.host.driver));
        let warnings = warnings.into();
        let host = Host { catalogue: Arc::new(catalogue), ..self.host.clone() };
        Ok(Self { host, strictness, warnings, ..self.clone() })
    }

    /// Returns the same runtime with a catalogue that shows the results that were seen.
    pub(crate) fn with_observed(&self, observed: impl Fn(&Tool) -> Option<Arc<Value>>) -> Self {
        let host = Host { catalogue: Arc::new(self.catalogue().with_observed(observed)), ..self.host.clone() };
        Self { host, ..self.clone() }
    }

    /// Returns warnings for the operator: omitted parts of what connectors offer, rules and settings that match no
    /// tool, and limits that the driver does not enforce.
    pub fn warnings(&self) -> Vec<&str> {
        self.catalogue().warnings().iter().chain(self.warnings.iter()).map(String::as_str).collect()
    }

    /// Returns the same runtime, sandbox and capacity with another observer.
    #[must_use]
    pub fn observed_by(&self, observer: impl Observer + 'static, contents: Contents) -> Self {
        let host = Host { observer: Some(Arc::new(observer)), contents, ..self.host.clone() };
        Self { host, ..self.clone() }
    }

    /// Returns the same runtime, sandbox and capacity with a store.
    #[cfg(any(feature = "config", feature = "continuations"))]
    pub(crate) fn kept_by(&self, kept: &DurableHome) -> Self {
        let DurableHome { keeper, heartbeat } = kept.clone();
        let sessions = self.host.sessions.as_ref().map(|sessions| sessions.moved_to(Arc::clone(&keeper.store)));
        let host = Host { keeper: Some(keeper), sessions, ..self.host.clone() };
        Self { host, heartbeat: Some(heartbeat), ..self.clone() }
    }

    /// Tells whether the runtime has a store for durable executions.
    pub fn keeps_executions(&self) -> bool {
        self.host.keeper.is_some()
    }

    /// Returns the capacity for live executions. It can be changed at any time.
    pub fn capacity(&self) -> &Capacity {
        &self.host.capacity
    }

    /// Returns the tools that programs may call.
    pub fn catalogue(&self) -> &Catalogue {
        &self.host.catalogue
    }

    /// Returns the policy that calls are checked against.
    pub fn policy(&self) -> &Policy {
        &self.host.policy
    }

    /// Returns the limits that executions start from.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }
}

impl Run {
    /// Creates a run of this program.
    pub fn new(program: Program) -> Self {
        Self {
            program,
            id: None,
            limits: LoweredLimits::default(),
            cancellation: None,
            seed: None,
            principal: Principal::host(),
            label: Label::default(),
            durability: Durability::Nothing,
            session: None,
            globals: Globals::None,
            details: CallDetails::default(),
            tools: Vec::new(),
            region: None,
            checks: None,
        }
    }

    /// Adds a tool for this run alone. Programs, searches, rules and approvers see it like the tools of the runtime.
    /// The outcome is `CONFIG` if the runtime has a tool with its path.
    ///
    /// A [durable](Run::durable) run records the definition, up to
    /// [`MAX_RECORDED`](tools::ToolDefinition::MAX_RECORDED) for all of its tools; a resume has to provide the function
    /// again ([`Resume::tools`]).
    #[must_use]
    pub fn tool(mut self, tool: Tool) -> Self {
        self.tools.push(tool);
        self
    }

    /// Adds tools for this run alone, as [`Run::tool`] adds one.
    #[must_use]
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool>) -> Self {
        self.tools.extend(tools);
        self
    }

    /// Sets an ID that the caller chose, so that a retry finds its execution. Create one with [`ExecutionId::new`]
    /// before the first attempt, and use it again for every retry.
    ///
    /// A [durable](Run::durable) run whose ID exists in the store is not run again. It returns the outcome of the
    /// stored execution: how it ended, or that it is paused. While another process runs the execution, this one waits.
    /// If that process has died, this one resumes the execution. Only events of this process are reported. The retry
    /// must have the same program, owner and roles, and tools with the same definitions; otherwise the outcome is
    /// `CONFLICT`, and nothing is run.
    ///
    /// For other runs the ID has no further effect.
    #[must_use]
    pub fn id(mut self, id: ExecutionId) -> Self {
        self.id = Some(id);
        self
    }

    /// Lowers the limits for this run.
    #[must_use]
    pub fn limits(mut self, limits: LoweredLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Cancels the run when the token is cancelled. The outcome is `ABORTED` then.
    #[must_use]
    pub fn cancelled_by(mut self, token: CancellationToken) -> Self {
        self.cancellation = Some(token);
        self
    }

    /// Runs the program for a principal. The default is [`Principal::host`], with all rights and no roles.
    ///
    /// The principal needs [`Right::Run`](policy::Right::Run); otherwise the outcome is `FORBIDDEN`. The roles decide
    /// which tools are available. The name is recorded as the owner of a durable execution.
    #[must_use]
    pub fn principal(mut self, principal: impl Into<Principal>) -> Self {
        self.principal = principal.into();
        self
    }

    /// Sets the label by which the host finds the execution in events and traces.
    #[must_use]
    pub fn label(mut self, label: Label) -> Self {
        self.label = label;
        self
    }

    /// Makes the execution durable: it can wait for people, and continue after a crash.
    #[must_use]
    pub fn durable(mut self) -> Self {
        self.durability = Durability::Journal;
        self
    }

    /// Sets the session. Decisions can be remembered for other executions with the same key.
    #[must_use]
    pub fn session(mut self, key: impl Into<String>) -> Self {
        self.session = Some(key.into().into());
        self
    }

    /// Sets the locale and the time zone of the program, in place of those of the runtime.
    #[must_use]
    pub fn region(mut self, region: Region) -> Self {
        self.region = Some(region);
        self
    }

    /// Sets whether the program is checked before it runs, in place of the setting of the runtime.
    #[must_use]
    pub fn checks(mut self, checks: Checks) -> Self {
        self.checks = Some(checks);
        self
    }

    /// Records more details of every call. By default neither inputs nor outputs are recorded.
    #[must_use]
    pub fn details(mut self, details: CallDetails) -> Self {
        self.details = details;
        self
    }

    /// Sets the seed of the random numbers, so that they are the same every time.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }
}
