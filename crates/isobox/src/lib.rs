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
//! A model sees the types of a tool as TypeScript, with their doc comments. `Tool::new` takes and gives JSON instead.
//!
//! The root has what nearly every host writes; the rest is in modules by theme. This crate puts the parts together and adds what
//! is real: time and chance. Everything is decided in `isobox-core` and run in `isobox-sandbox`.

mod api;
mod builder;
mod chosen_id;
#[cfg(feature = "config")]
pub mod config;
mod connectors;
#[cfg(feature = "config")]
mod credential;
mod decisions;
pub mod demo;
mod ending;
mod event_stream;
mod executions;
mod handle;
mod heartbeat;
mod memory_store;
#[cfg(feature = "config")]
mod opened_store;
mod real_clock;
mod resume;
pub mod stepwise;
#[cfg(feature = "config")]
pub mod workspace;

use std::borrow::Cow;
use std::sync::Arc;

pub use api::{calls, connector, driver, events, journal, limits, policy, search, store, text, tools};
pub use builder::Builder;
pub use decisions::Decisions;
pub use futures_util::future::BoxFuture;
pub use handle::Handle;
pub use isobox_core::program;
pub use isobox_core::program::Program;
#[cfg(feature = "schemars")]
pub use isobox_core::schemars;
pub use isobox_core::{
    ByteSize, CallSeq, Code, Completed, ExecutionId, Failed, Failure, Interrupted, Limits, LoweredLimits,
    NotAnExecutionId, Outcome, Paused, PendingCall, PendingKind, Principal, Timestamp, Tool, ToolCall, ToolError,
};
pub use resume::{Resume, Resumed};
pub use serde_json::{Value, json};
pub use tokio_util::sync::CancellationToken;

use builder::unenforced;
#[cfg(feature = "config")]
use heartbeat::DurableHome;
use heartbeat::Heartbeat;
use isobox_core::policy::Policy;
use isobox_core::{
    CallDetails, Capacity, Catalogue, Contents, Durability, Execution, Host, Label, Observer, Strictness, execute,
};

/// A runtime: a sandbox, tools and limits. Clones share it.
///
/// Needs to be used inside a tokio runtime with time enabled.
#[derive(Clone)]
pub struct Isobox {
    host: Host,
    heartbeat: Option<Arc<Heartbeat>>,
    limits: Arc<Limits>,
    strictness: Strictness,
    /// What names tools that are not there, and limits that the driver does not enforce.
    warnings: Arc<[String]>,
}

/// What tells an execution from others.
pub(crate) struct Identity {
    pub(crate) id: ExecutionId,
    /// Where its random numbers start.
    seed: u64,
}

/// One program to run, with what is special about this run.
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
    details: CallDetails,
    tools: Vec<Tool>,
}

impl Isobox {
    /// A runtime to be configured.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Runs a program. Dropping the future stops it; a durable execution can be resumed then.
    ///
    /// [`Isobox::start`] returns at once instead, with a handle that has the id, the events and the outcome.
    pub async fn run(&self, run: impl Into<Run>) -> Outcome {
        let run = run.into();
        self.run_as(self.identify(&run), run).await
    }

    /// Chooses what the caller did not choose.
    pub(crate) fn identify(&self, run: &Run) -> Identity {
        let (random, seed) = random_numbers();
        let id = run.id.clone().unwrap_or_else(|| ExecutionId::new(self.host.clock.now().0, random));
        Identity { id, seed: run.seed.unwrap_or(seed) }
    }

    pub(crate) async fn run_as(&self, identity: Identity, run: Run) -> Outcome {
        // Without a store it is refused, as every durable execution is.
        if let (Some(_), Durability::Journal, Some(heartbeat)) = (&run.id, run.durability, &self.heartbeat) {
            // Rare, and it holds what several executions need.
            return Box::pin(self.run_once(&heartbeat.claims, identity, run)).await;
        }
        let id = identity.id.clone();
        self.run_new(identity, run).await.unwrap_or_else(|error| Outcome::refused(id, error.into()))
    }

    /// Runs a program as an execution that does not exist yet. Fails where the store has one with its ID.
    pub(crate) async fn run_new(&self, identity: Identity, run: Run) -> Result<Outcome, store::Error> {
        let Identity { id, seed } = identity;
        let Run { program, limits, cancellation, principal, label, durability, session, details, tools, .. } = run;
        let limits = match self.limits.lowered(&limits) {
            Ok(limits) => limits,
            Err(failure) => return Ok(Outcome::refused(id, failure)),
        };
        if durability == Durability::Journal
            && let Err(failure) = self.keep_alive().await
        {
            return Ok(Outcome::refused(id, failure));
        }
        let execution = Execution { id, seed, program, limits, principal, label, durability, session, details, tools };
        match cancellation {
            None => execute(&self.host, execution, std::future::pending()).await,
            Some(token) => execute(&self.host, execution, token.cancelled()).await,
        }
    }

    /// The outcome as a model gets it: its result reshaped by [`Builder::reshape`], everything else as it is. Where there is
    /// no such function, or where it fails, that is the outcome itself.
    ///
    /// [`answer_text`](text::answer_text) makes a text of it that fits a model's budget. The label is for the observer, which is told of a
    /// function that fails.
    pub fn for_model<'o>(&self, outcome: &'o Outcome, label: &Label) -> Cow<'o, Outcome> {
        isobox_core::for_model(&self.host, outcome, label)
    }

    /// Prepares a program without running it: says what is wrong with it, or what the engine would get.
    ///
    /// # Errors
    ///
    /// `SYNTAX`, with the place in the author's text.
    pub async fn prepare(&self, program: &Program) -> Result<program::Prepared, Failure> {
        program::prepare(&*self.host.driver, program).await
    }

    /// The program as people may be shown it: with its literals masked where a rule redacts values, since the same values may
    /// stand in the program.
    pub async fn shown(&self, program: &Program) -> Program {
        if self.policy().redacts() {
            program::without_literals(&*self.host.driver, program).await
        } else {
            program.clone()
        }
    }

    /// The same runtime, sandbox and capacity, for programs that may call what is in this catalogue. Executions that run
    /// already go on with theirs.
    ///
    /// # Errors
    ///
    /// `CONFIG` where the runtime is [strict](Builder::strict), and a rule or setting names no tool of the catalogue.
    pub fn with_catalogue(&self, catalogue: Catalogue) -> Result<Self, Failure> {
        self.with_catalogue_checked(catalogue, self.strictness)
    }

    pub(crate) fn with_catalogue_checked(&self, catalogue: Catalogue, strictness: Strictness) -> Result<Self, Failure> {
        let mut warnings = catalogue.check_names(&self.host.policy, strictness)?;
        warnings.extend(unenforced(&*self.host.driver));
        let warnings = warnings.into();
        let host = Host { catalogue: Arc::new(catalogue), ..self.host.clone() };
        Ok(Self { host, strictness, warnings, ..self.clone() })
    }

    /// What the host should look at: what had to be given up of what connectors offer, rules and settings that name no tool, and
    /// limits that the driver does not enforce.
    pub fn warnings(&self) -> Vec<&str> {
        self.catalogue().warnings().iter().chain(self.warnings.iter()).map(String::as_str).collect()
    }

    /// The same runtime, sandbox and capacity, where this observer is told what happens instead of the one there was.
    #[must_use]
    pub fn observed_by(&self, observer: impl Observer + 'static, contents: Contents) -> Self {
        let host = Host { observer: Some(Arc::new(observer)), contents, ..self.host.clone() };
        Self { host, ..self.clone() }
    }

    /// The same runtime, sandbox and capacity, where executions that ask for it are kept here.
    #[cfg(feature = "config")]
    pub(crate) fn kept_by(&self, kept: &DurableHome) -> Self {
        let DurableHome { keeper, heartbeat } = kept.clone();
        let host = Host { keeper: Some(keeper), ..self.host.clone() };
        Self { host, heartbeat: Some(heartbeat), ..self.clone() }
    }

    /// Whether it has a store, so that executions can be kept.
    pub fn keeps_executions(&self) -> bool {
        self.host.keeper.is_some()
    }

    /// How many executions may be live; can be changed at any time.
    pub fn capacity(&self) -> &Capacity {
        &self.host.capacity
    }

    /// What programs may call.
    pub fn catalogue(&self) -> &Catalogue {
        &self.host.catalogue
    }

    /// Under which conditions.
    pub fn policy(&self) -> &Policy {
        &self.host.policy
    }

    /// The limits that executions start from.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }
}

impl Run {
    /// Runs this program.
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
            details: CallDetails::default(),
            tools: Vec::new(),
        }
    }

    /// With a tool of its own, which programs of other runs do not find. Programs, searches, rules and approvers see it as they see
    /// the tools of the runtime. The outcome is `CONFIG` where the runtime has a tool with its path.
    ///
    /// A [durable](Run::durable) run records the definition, up to [`ToolDefinition::MAX_RECORDED`] for all of its tools; a resume
    /// brings the function again ([`Resume::tools`]).
    #[must_use]
    pub fn tool(mut self, tool: Tool) -> Self {
        self.tools.push(tool);
        self
    }

    /// With tools of its own, as [`Run::tool`] adds one.
    #[must_use]
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool>) -> Self {
        self.tools.extend(tools);
        self
    }

    /// With an id that the caller chose, so that a retry finds its execution: make one with [`ExecutionId::new`] before the
    /// first attempt, and use it again for every retry.
    ///
    /// A [durable](Run::durable) run whose id exists in the store is not run again. Its outcome is that of the stored
    /// execution: how it ended, or that it is paused. While another process runs it, this one waits. Where its process has
    /// died, this one resumes it, as the journal has it. The events are those of what this process runs. The retry has to have the
    /// same program, owner and roles, and tools with the same definitions; the outcome is `CONFLICT` otherwise, and nothing is run.
    ///
    /// Any other run just has this id.
    #[must_use]
    pub fn id(mut self, id: ExecutionId) -> Self {
        self.id = Some(id);
        self
    }

    /// With lower limits than the runtime's.
    #[must_use]
    pub fn limits(mut self, limits: LoweredLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Until the token is cancelled; the outcome is `ABORTED` then.
    #[must_use]
    pub fn cancelled_by(mut self, token: CancellationToken) -> Self {
        self.cancellation = Some(token);
        self
    }

    /// Runs the program for a principal: [`Principal::host`], with all rights and no roles, where nothing is said.
    ///
    /// The principal needs [`Right::Run`](policy::Right::Run); the outcome is `FORBIDDEN` otherwise. Their roles decide which tools there are.
    /// Their name is recorded where the execution is kept, as that of its owner.
    #[must_use]
    pub fn principal(mut self, principal: impl Into<Principal>) -> Self {
        self.principal = principal.into();
        self
    }

    /// With what the host wants to find it by, in events and traces.
    #[must_use]
    pub fn label(mut self, label: Label) -> Self {
        self.label = label;
        self
    }

    /// Kept in the runtime's store: the execution can wait for people, and go on after a crash.
    #[must_use]
    pub fn durable(mut self) -> Self {
        self.durability = Durability::Journal;
        self
    }

    /// Decisions about it can be remembered for other executions with the same key.
    #[must_use]
    pub fn session(mut self, key: impl Into<String>) -> Self {
        self.session = Some(key.into().into());
        self
    }

    /// With more in the record of every call; by default it has neither its input nor its output.
    #[must_use]
    pub fn details(mut self, details: CallDetails) -> Self {
        self.details = details;
        self
    }

    /// With random numbers that start here, so that they are the same every time.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }
}

impl From<&str> for Run {
    fn from(source: &str) -> Self {
        Self::new(Program::single(source))
    }
}

impl From<String> for Run {
    fn from(source: String) -> Self {
        Self::new(Program::single(source))
    }
}

impl From<Program> for Run {
    fn from(program: Program) -> Self {
        Self::new(program)
    }
}

/// One for a name, one for a seed.
pub(crate) fn random_numbers() -> (u128, u64) {
    let mut name = [0; 16];
    let mut seed = [0; 8];
    let mut bytes = [0; 24];
    getrandom::fill(&mut bytes).expect("the operating system has random numbers");
    name.copy_from_slice(&bytes[..16]);
    seed.copy_from_slice(&bytes[16..]);
    (u128::from_le_bytes(name), u64::from_le_bytes(seed))
}
