//! Builds a runtime from its configuration.

use std::collections::BTreeMap;
use std::error::Error;
use std::num::NonZeroU32;
use std::sync::Arc;

use isobox_core::experience::{ExperienceOptions, Learner};
use isobox_core::policy::Policy;
use isobox_core::program::{Module, Modules, Rules};
use isobox_core::snippets::SnippetOptions;
use isobox_core::store::Store;
use isobox_core::{
    Approver, ByteSize, Capacity, CapacityLimits, Catalogue, Checks, Clock, Code, Completed, Connector,
    ConnectorSettings, Contents, Driver, Failure, Home, Host, Label, Limits, Namespaces, Observer, Region, Reshape,
    SessionOptions, Sessions, Strictness, Timing, Tool, Validation, brief,
};
use isobox_sandbox::{Cleaning, SandboxOptions};
use serde_json::Value;

use crate::Isobox;
use crate::building::{check_rules, half_of_free_memory, only_catalogue, sandbox_for, unenforced};
use crate::connectors::{Connected, Recipe};
use crate::heartbeat::DurableHome;
use crate::learning::Experience;
use crate::linking::linked;
use crate::memory_store::memory_store;
use crate::real_clock::RealClock;

/// Configures a runtime.
#[derive(Default)]
pub struct Builder {
    tools: Vec<Tool>,
    catalogues: Vec<Catalogue>,
    connectors: Vec<(Arc<dyn Connector>, ConnectorSettings)>,
    policy: Policy,
    approver: Option<Arc<dyn Approver>>,
    namespaces: Namespaces,
    limits: Limits,
    region: Region,
    sandbox: SandboxOptions,
    memory: Option<ByteSize>,
    queue: Option<u32>,
    observer: Option<Arc<dyn Observer>>,
    contents: Contents,
    store: Option<Arc<dyn Store>>,
    timing: Timing,
    reshape: Option<Arc<Reshape>>,
    validation: Validation,
    experience: ExperienceOptions,
    snippets: SnippetOptions,
    strictness: Strictness,
    driver: Option<Arc<dyn Driver>>,
    checks: Checks,
    rules: Rules,
    modules: Vec<Module>,
    sessions: SessionOptions,
}

impl Isobox {
    /// Creates a builder.
    pub fn builder() -> Builder {
        Builder::default()
    }
}

impl Builder {
    /// Adds a tool.
    #[must_use]
    pub fn tool(mut self, tool: Tool) -> Self {
        self.tools.push(tool);
        self
    }

    /// Adds tools.
    #[must_use]
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool>) -> Self {
        self.tools.extend(tools);
        self
    }

    /// Sets the catalogue of tools. [`Builder::build`] fails if there are also single tools, connectors or another
    /// catalogue.
    #[must_use]
    pub fn catalogue(mut self, catalogue: Catalogue) -> Self {
        self.catalogues.push(catalogue);
        self
    }

    /// Adds the tools of a connector, beside single tools. The runtime is built with [`Builder::build_connected`],
    /// because a connector has to be asked first.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use isobox::connector::{self, Connector, ConnectorSettings, Offer, OfferedTool};
    /// use isobox::{BoxFuture, Isobox, ToolCall, ToolError, Value, json};
    ///
    /// struct Greetings;
    ///
    /// impl Connector for Greetings {
    ///     fn name(&self) -> &str {
    ///         "greetings"
    ///     }
    ///
    ///     fn offer(&self) -> BoxFuture<'_, Result<Offer, connector::Error>> {
    ///         let hello = OfferedTool::new("hello").description("Greets a person by name.");
    ///         Box::pin(async { Ok(Offer::default().tools(vec![hello])) })
    ///     }
    ///
    ///     fn call<'a>(&'a self, tool: &'a str, call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
    ///         Box::pin(async move {
    ///             match (tool, call.input["name"].as_str()) {
    ///                 ("hello", Some(name)) => Ok(json!(format!("Hello, {name}!"))),
    ///                 _ => Err(ToolError::new("a name is missing")),
    ///             }
    ///         })
    ///     }
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), isobox::Failure> {
    /// let connected =
    ///     Isobox::builder().connector(Arc::new(Greetings), ConnectorSettings::default()).build_connected()?;
    /// let ready = connected.ready().await?;
    /// assert!(ready.problems.is_empty());
    /// let outcome = ready.isobox.run("return tools.greetings.hello({ name: 'Ada' })").await;
    /// assert_eq!(outcome.into_result()?, json!("Hello, Ada!"));
    /// connected.close().await;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn connector(mut self, connector: Arc<dyn Connector>, settings: ConnectorSettings) -> Self {
        self.connectors.push((connector, settings));
        self
    }

    /// Sets the policy that calls are checked against.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Makes rules and settings that match no tool errors of [`Builder::build`] instead of
    /// [warnings](Isobox::warnings), unless they may match tools of an absent connector.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.strictness = Strictness::Strict;
        self
    }

    /// Sets the approver for calls that need approval. Without one, they fail with `APPROVAL_REQUIRED`.
    #[must_use]
    pub fn approver(mut self, approver: impl Approver + 'static) -> Self {
        self.approver = Some(Arc::new(approver));
        self
    }

    /// Offers the namespaces of tools as globals too: `github.issues.list()`. They never shadow an existing global.
    #[must_use]
    pub fn namespaces_as_globals(mut self) -> Self {
        self.namespaces = Namespaces::AsGlobals;
        self
    }

    /// Sets the locale and the time zone of programs. They apply to `Intl`, the `toLocale…` methods and `Date`. The default is
    /// `en-US` and `UTC`, whatever the machine has.
    #[must_use]
    pub fn region(mut self, region: Region) -> Self {
        self.region = region;
        self
    }

    /// Sets the limits that every execution starts from.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the maximum number of live executions. Address space is reserved for all of them (4 GiB each), memory is
    /// not.
    #[must_use]
    pub fn max_live(mut self, executions: NonZeroU32) -> Self {
        self.sandbox.instances = executions;
        self
    }

    /// Sets the maximum memory of all live executions together. The default is half of the free memory of the machine.
    #[must_use]
    pub fn memory(mut self, memory: ByteSize) -> Self {
        self.memory = Some(memory);
        self
    }

    /// Sets the maximum number of queued executions. The default is 1,024.
    #[must_use]
    pub fn queue(mut self, executions: u32) -> Self {
        self.queue = Some(executions);
        self
    }

    /// Sets how the memory of an ended instance is cleaned.
    #[must_use]
    pub fn cleaning(mut self, cleaning: Cleaning) -> Self {
        self.sandbox.cleaning = cleaning;
        self
    }

    /// Sets the observer of events.
    #[must_use]
    pub fn observer(mut self, observer: impl Observer + 'static) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    #[cfg(feature = "config")]
    pub(crate) fn shared(
        mut self,
        approver: Option<Arc<dyn Approver>>,
        observer: Option<Arc<dyn Observer>>,
        reshape: Option<Arc<Reshape>>,
    ) -> Self {
        self.approver = approver;
        self.observer = observer;
        self.reshape = reshape;
        self
    }

    /// Sets the function that reshapes a result for a model in [`Isobox::for_model`]. The outcome itself stays
    /// unchanged.
    ///
    /// It must not block. If it fails or panics, the model gets the original result, and the observer is notified.
    #[must_use]
    pub fn reshape(
        mut self,
        reshape: impl Fn(&Completed, &Label) -> Result<Value, Box<dyn Error + Send + Sync>> + Send + Sync + 'static,
    ) -> Self {
        self.reshape = Some(Arc::new(reshape));
        self
    }

    /// Sets the amount of content in events. The default is sizes.
    #[must_use]
    pub fn contents(mut self, contents: Contents) -> Self {
        self.contents = contents;
        self
    }

    /// Sets the durations of leases and heartbeats. They must be the same for all processes that share a store.
    #[must_use]
    pub fn timing(mut self, timing: Timing) -> Self {
        self.timing = timing;
        self
    }

    /// Sets the store of durable executions.
    #[must_use]
    pub fn store(mut self, store: Arc<dyn Store>) -> Self {
        self.store = Some(store);
        self
    }

    /// Sets the bounds of sessions whose globals programs use ([`Run::globals`](crate::Run::globals)).
    #[must_use]
    pub fn sessions(mut self, sessions: SessionOptions) -> Self {
        self.sessions = sessions;
        self
    }

    /// Sets the strictness of schema validation. Inputs must always fit, and by default results must too.
    #[must_use]
    pub fn validation(mut self, validation: Validation) -> Self {
        self.validation = validation;
        self
    }

    /// Sets whether programs are checked before they run. By default, a program with a certain mistake fails with `CHECK`
    /// before anything has run.
    #[must_use]
    pub fn checks(mut self, checks: Checks) -> Self {
        self.checks = checks;
        self
    }

    /// Sets the rules over the syntax of programs. A program that violates one fails with `CHECK`. Rules make programs
    /// smaller than the language; they confine nothing: the sandbox does.
    ///
    /// ```
    /// use isobox::program::{About, Rules, Stance, SyntaxRule};
    /// use isobox::{Code, Isobox};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), isobox::Failure> {
    /// let no_loops = SyntaxRule::new(Stance::Deny, About::Syntax, ["while", "for*"]).message("use the methods of arrays");
    /// let isobox = Isobox::builder().rules(Rules::new(vec![no_loops])).build()?;
    /// let failure = isobox.run("while (true) {}").await.into_result().unwrap_err();
    /// assert_eq!(failure.code, Code::Check);
    /// assert_eq!(failure.message, "`while` is not allowed here: use the methods of arrays");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// Adds a module that programs may import. [`Builder::build`] links all modules once, and fails with `CONFIG` if one does
    /// not parse or if they import each other in a circle.
    ///
    /// ```
    /// use isobox::program::Module;
    /// use isobox::{Isobox, json};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), isobox::Failure> {
    /// let csv = Module::code("csv", "export const parse = (text: string) => text.split('\\n').map((row) => row.split(','))")?;
    /// let isobox = Isobox::builder().module(csv).build()?;
    /// let outcome = isobox.run("import { parse } from 'csv'\nreturn parse('a,b')").await;
    /// assert_eq!(outcome.into_result()?, json!([["a", "b"]]));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn module(mut self, module: Module) -> Self {
        self.modules.push(module);
        self
    }

    /// Adds modules, as [`Builder::module`] adds one.
    #[must_use]
    pub fn modules(mut self, modules: impl IntoIterator<Item = Module>) -> Self {
        self.modules.extend(modules);
        self
    }

    /// Sets whether and how the types of results are learned, for tools without an output schema. By default they are
    /// learned, and no value is kept. What was learned is in the store if there is one, and otherwise in memory.
    #[must_use]
    pub fn experience(mut self, experience: ExperienceOptions) -> Self {
        self.experience = experience;
        self
    }

    /// Sets from how many successes snippets are trusted. Policies may ask for approval below a level.
    #[must_use]
    pub fn snippets(mut self, snippets: SnippetOptions) -> Self {
        self.snippets = snippets;
        self
    }

    /// Runs programs with this driver instead of a sandbox in this process. [`Isobox::warnings`] names the limits that
    /// the driver does not enforce.
    #[must_use]
    pub fn driver(mut self, driver: Arc<dyn Driver>) -> Self {
        self.driver = Some(driver);
        self
    }

    /// Builds a runtime with connectors. They are asked when the runtime is first [needed](Connected::ready), not here.
    ///
    /// # Errors
    ///
    /// `CONFIG` if the configuration is invalid.
    pub fn build_connected(mut self) -> Result<Connected, Failure> {
        if !self.catalogues.is_empty() {
            let message = "the builder has a catalogue, which cannot change: connectors cannot be added to it";
            let hint = "give it single tools in place of a catalogue";
            return Err(Failure::new(Code::Config, message).hint(hint));
        }
        let connectors = std::mem::take(&mut self.connectors);
        let tools = self.tools.clone();
        // Strictness applies later: a rule may match a tool of a connector.
        let strictness = std::mem::take(&mut self.strictness);
        let recipe = Recipe {
            tools: Box::new(move || Ok(tools.clone())),
            settings: BTreeMap::new(),
            disabled: Vec::new(),
            strictness,
        };
        Ok(Connected::new(self.build()?, connectors, recipe))
    }

    /// Builds the runtime. Returns `CONFIG` if the configuration is invalid, or if there are connectors.
    pub fn build(self) -> Result<Isobox, Failure> {
        const QUEUE: u32 = 1024;
        if let Some((connector, _)) = self.connectors.first() {
            let name = brief(connector.name(), 80);
            let message = format!("the connector `{name}` has to be asked for its tools before they can be called");
            return Err(Failure::new(Code::Config, message).hint("use `Builder::build_connected`"));
        }
        self.limits.check()?;
        self.snippets.check()?;
        self.timing.check()?;
        let live = self.sandbox.instances.get();
        let capacity = CapacityLimits {
            memory: self.memory.unwrap_or_else(half_of_free_memory),
            live,
            queue: self.queue.unwrap_or(QUEUE),
        };
        let driver = match self.driver {
            Some(driver) => driver,
            None => sandbox_for(live, self.sandbox)?,
        };
        check_rules(&self.rules)?;
        let modules = linked(Modules::link(&*driver, &self.modules))?;
        driver.check_region(&self.region)?;
        let catalogue = only_catalogue(self.catalogues, self.tools)?;
        let mut warnings = catalogue.check_names(&self.policy, self.strictness)?;
        warnings.extend(self.policy.warnings());
        warnings.extend(unenforced(&*driver));
        let policy = Arc::new(self.policy);
        let experience = Experience::new(self.experience, Arc::clone(&policy), self.store.as_ref());
        let learner = experience.clone().map(|experience| experience as Arc<dyn Learner>);
        let clock: Arc<dyn Clock> = Arc::new(RealClock::new());
        let (home, session_store) = match &self.store {
            Some(store) => (Home::Store, Arc::clone(store)),
            None => (Home::Memory, memory_store()),
        };
        let sessions = Sessions::new(session_store, home, Arc::clone(&clock), self.sessions);
        let (keeper, heartbeat) = self
            .store
            .map(|store| DurableHome::new(store, self.timing, self.snippets))
            .map(|kept| (kept.keeper, kept.heartbeat))
            .unzip();
        Ok(Isobox {
            heartbeat,
            experience,
            host: Host {
                driver,
                clock,
                catalogue: Arc::new(catalogue),
                policy,
                approver: self.approver,
                namespaces: self.namespaces,
                capacity: Capacity::new(capacity),
                observer: self.observer,
                contents: self.contents,
                keeper,
                learner,
                sessions: Some(sessions),
                reshape: self.reshape,
                validation: self.validation,
                checks: self.checks,
                rules: Arc::new(self.rules),
                modules: Arc::new(modules),
            },
            limits: Arc::new(self.limits),
            region: self.region,
            strictness: self.strictness,
            warnings: warnings.into(),
        })
    }
}
