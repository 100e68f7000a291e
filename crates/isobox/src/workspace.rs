//! A runtime over the servers of a configuration.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{FutureExt, StreamExt, stream};
use isobox_connect::{LogIn, TokenStore, WebTransport};
use isobox_core::program::Module;
use isobox_core::store::Store;
use isobox_core::{Approver, Connector, ConnectorSettings, Failure, Observer, Reshape, Strictness, Timing};
use tokio::sync::OnceCell;

use crate::config::Config;
use crate::connectors::{Configured, Connected, ConnectorReport, LazyConnector, Ready, Recipe, configured};
pub use crate::connectors::{Freshness, KeptOffers, TokenFiles};
use crate::heartbeat::DurableHome;
pub use crate::known_stores::KnownStores;
use crate::memory_store::memory_store;
use crate::{Isobox, Scheduler, Tool, opened_store};

/// A configured runtime. Its servers start concurrently when they are first needed. When the offer of one changes, a
/// new catalogue is built. A server that does not start is left out, and retried in the background, so that no caller
/// waits for it twice.
pub struct Workspace {
    config: Config,
    connected: Connected,
    /// The servers and services that people may log in to.
    logins: Vec<Arc<dyn LogIn>>,
    /// The connectors whose lists of tools are kept.
    lazy: Vec<Arc<LazyConnector>>,
    store: Option<Arc<dyn Store>>,
    known_stores: Option<KnownStores>,
    timing: Timing,
    kept: OnceCell<Option<DurableHome>>,
}

/// The options of a workspace beside its configuration.
#[derive(Default)]
#[non_exhaustive]
pub struct WorkspaceOptions {
    /// The maximum number of live executions. By default as many as the sandbox takes.
    pub max_live: Option<NonZeroU32>,
    /// The approver for calls that need approval.
    pub approver: Option<Arc<dyn Approver>>,
    /// The observer of events.
    pub observer: Option<Arc<dyn Observer>>,
    /// The function that reshapes a result for a model; see [`Builder::reshape`](crate::Builder::reshape).
    pub reshape: Option<Arc<Reshape>>,
    /// The store that replaces the configured one.
    pub store: Option<Arc<dyn Store>>,
    /// The place in which the stores are remembered that are created here.
    pub known_stores: Option<KnownStores>,
    /// The durations of leases; see [`Builder::timing`](crate::Builder::timing).
    pub timing: Timing,
    /// Connectors of the host, which come after those of the configuration.
    pub connectors: Vec<(Arc<dyn Connector>, ConnectorSettings)>,
    /// Modules that programs may import, beside those of the configuration.
    pub modules: Vec<Module>,
    /// The place in which the lists of tools of configured servers are kept. Without one, all servers are started when
    /// tools are first needed; with one, each is started when a tool of it is first called.
    pub kept_offers: Option<KeptOffers>,
    /// The place in which logins to remote servers are kept. Without one, servers that ask for a login cannot be used.
    pub tokens: Option<Arc<dyn TokenStore>>,
    /// The transport for the configured `fetch` of programs, in place of the built-in client.
    pub fetch_transport: Option<Arc<dyn WebTransport>>,
}

impl WorkspaceOptions {
    /// Sets `max_live`.
    #[must_use]
    pub fn max_live(mut self, max_live: impl Into<Option<NonZeroU32>>) -> Self {
        self.max_live = max_live.into();
        self
    }

    /// Sets `approver`.
    #[must_use]
    pub fn approver(mut self, approver: impl Into<Option<Arc<dyn Approver>>>) -> Self {
        self.approver = approver.into();
        self
    }

    /// Sets `observer`.
    #[must_use]
    pub fn observer(mut self, observer: impl Into<Option<Arc<dyn Observer>>>) -> Self {
        self.observer = observer.into();
        self
    }

    /// Sets `reshape`.
    #[must_use]
    pub fn reshape(mut self, reshape: impl Into<Option<Arc<Reshape>>>) -> Self {
        self.reshape = reshape.into();
        self
    }

    /// Sets `store`.
    #[must_use]
    pub fn store(mut self, store: impl Into<Option<Arc<dyn Store>>>) -> Self {
        self.store = store.into();
        self
    }

    /// Sets `known_stores`.
    #[must_use]
    pub fn known_stores(mut self, known_stores: impl Into<Option<KnownStores>>) -> Self {
        self.known_stores = known_stores.into();
        self
    }

    /// Sets `timing`.
    #[must_use]
    pub fn timing(mut self, timing: Timing) -> Self {
        self.timing = timing;
        self
    }

    /// Sets `modules`.
    #[must_use]
    pub fn modules(mut self, modules: Vec<Module>) -> Self {
        self.modules = modules;
        self
    }

    /// Sets `kept_offers`.
    #[must_use]
    pub fn kept_offers(mut self, kept_offers: impl Into<Option<KeptOffers>>) -> Self {
        self.kept_offers = kept_offers.into();
        self
    }

    /// Sets `tokens`.
    #[must_use]
    pub fn tokens(mut self, tokens: impl Into<Option<Arc<dyn TokenStore>>>) -> Self {
        self.tokens = tokens.into();
        self
    }

    /// Sets `fetch_transport`.
    #[must_use]
    pub fn fetch_transport(mut self, transport: impl Into<Option<Arc<dyn WebTransport>>>) -> Self {
        self.fetch_transport = transport.into();
        self
    }

    /// Adds a connector of the host.
    #[must_use]
    pub fn connector(mut self, connector: Arc<dyn Connector>, settings: ConnectorSettings) -> Self {
        self.connectors.push((connector, settings));
        self
    }
}

impl Workspace {
    /// Creates a workspace. Starts nothing yet.
    pub fn new(config: Config, options: WorkspaceOptions) -> Result<Self, Failure> {
        Self::with_tools(config, options, || Ok(Vec::new()))
    }

    /// Creates a workspace with tools of the host beside those of the servers.
    pub fn with_tools(
        config: Config,
        options: WorkspaceOptions,
        tools: impl Fn() -> Result<Vec<Tool>, Failure> + Send + Sync + 'static,
    ) -> Result<Self, Failure> {
        let mut builder = Isobox::builder()
            .limits(config.limits.clone())
            .region(config.region.clone())
            .policy(config.policy.clone())
            .validation(config.validation)
            .experience(config.experience.clone())
            .sessions(config.sessions.clone())
            .checks(config.checks)
            .rules(config.rules.clone());
        for (specifier, module) in &config.modules {
            builder = builder.module(module.read(specifier)?);
        }
        builder = builder.modules(options.modules);
        if let Some(live) = options.max_live {
            builder = builder.max_live(live);
        }
        let bare = builder.shared(options.approver, options.observer, options.reshape).build()?;
        options.timing.check()?;
        let recipe = Recipe {
            tools: Box::new(tools),
            settings: config.tools.clone(),
            disabled: config.disabled_servers.clone(),
            strictness: if config.is_strict { Strictness::Strict } else { Strictness::Lenient },
        };
        let Configured { connectors, logins, lazy } = configured(
            &config,
            options.kept_offers.as_ref(),
            options.tokens.as_ref(),
            options.fetch_transport.as_ref(),
        );
        let connected = Connected::new(bare, connectors.into_iter().chain(options.connectors), recipe);
        let WorkspaceOptions { store, known_stores, timing, .. } = options;
        Ok(Self { config, connected, logins, lazy, store, known_stores, timing, kept: OnceCell::new() })
    }

    /// Returns the configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Returns the runtime with its store and without its tools, to inspect executions and to decide about them. Starts
    /// no server, and opens the store on first use.
    ///
    /// # Errors
    ///
    /// `STORE` if the store cannot be opened.
    pub async fn archive(&self) -> Result<Isobox, Failure> {
        Ok(match self.kept().await? {
            Some(kept) => self.connected.bare().kept_by(kept),
            None => self.connected.bare().clone(),
        })
    }

    /// Returns the runtime with its store and without its tools, only to inspect executions. It needs neither write
    /// access to the store nor a lock that another process may have. If there is no store yet, it has none.
    ///
    /// # Errors
    ///
    /// `STORE` if the store cannot be read.
    pub async fn look(&self) -> Result<Isobox, Failure> {
        self.look_with(self.connected.bare()).await
    }

    /// Returns a runtime of this workspace with its store, only to read it: for plans, which run the snippets of the store.
    /// Fails as [`Workspace::look`] does.
    pub async fn look_with(&self, isobox: &Isobox) -> Result<Isobox, Failure> {
        if self.store.is_some() || self.kept.initialized() {
            return Ok(self.kept().await?.map_or_else(|| isobox.clone(), |kept| isobox.kept_by(kept)));
        }
        let store = opened_store::open_to_read(&self.config.store).await?;
        Ok(isobox.kept_by(&self.home(store.unwrap_or_else(memory_store), Timing::default())))
    }

    /// Returns the runtime with its store and the tools of all servers that can be started. Fails as
    /// [`Workspace::archive`] and [`Workspace::ready`] do.
    pub async fn durable(&self) -> Result<Ready, Failure> {
        let kept = self.kept().await?;
        let Ready { isobox, problems } = self.ready().await?;
        let isobox = kept.map_or_else(|| isobox.clone(), |kept| isobox.kept_by(kept));
        Ok(Ready { isobox, problems })
    }

    async fn kept(&self) -> Result<Option<&DurableHome>, Failure> {
        let kept = self.kept.get_or_try_init(|| async {
            let store = match &self.store {
                Some(store) => Some(Arc::clone(store)),
                None => opened_store::open(&self.config.store, self.known_stores.as_ref()).await?,
            };
            if let (Some(store), Some(experience)) = (&store, self.connected.bare().experience()) {
                experience.keep_in(store);
            }
            Ok::<_, Failure>(store.map(|store| self.home(store, self.timing.clone())))
        });
        Ok(kept.await?.as_ref())
    }

    fn home(&self, store: Arc<dyn Store>, timing: Timing) -> DurableHome {
        DurableHome::new(store, timing, self.config.snippets.clone())
    }

    /// Returns the runtime with the tools of all servers that can be started, without its store.
    ///
    /// # Errors
    ///
    /// `CONFIG` if the configuration is strict and a rule or setting matches no tool.
    pub async fn ready(&self) -> Result<Ready, Failure> {
        self.recall().await;
        self.connected.ready().await
    }

    /// Returns a configured server or service by its name, to log in.
    pub fn login_to(&self, name: &str) -> Option<&dyn LogIn> {
        self.logins.iter().map(Arc::as_ref).find(|one| one.name() == name)
    }

    /// Waits until the tools may be others than those of the last [`Workspace::ready`]. Starts nothing.
    pub async fn changed(&self) {
        self.connected.changed().await;
    }

    /// Reads what was learned about results, once. If the store is not open, it is opened only to read.
    async fn recall(&self) {
        let Some(experience) = self.connected.bare().experience() else { return };
        let is_open = self.store.is_some() || self.kept.initialized();
        let to_read = async {
            match &self.store {
                Some(store) => Ok(Some(Arc::clone(store))),
                None if is_open => Ok(None),
                None => opened_store::open_to_read(&self.config.store).await,
            }
        };
        experience.recall(to_read).await;
    }

    /// Lists the connectors with their status: those of the configuration, in its order, then those of the host. Starts
    /// nothing, and does not wait.
    pub fn connectors(&self) -> Vec<ConnectorReport> {
        self.connected.connectors()
    }

    /// Returns the number of connectors that the next [`Workspace::ready`] has to ask for their tools, at most: those
    /// without a kept list. Starts nothing.
    pub fn to_be_asked(&self) -> usize {
        let kept = self.lazy.iter().filter(|lazy| !lazy.needs_asking()).count();
        self.connected.connectors().len() - kept
    }

    /// Asks the servers whose kept lists of tools are in use and older than an hour, a few at a time. Lists that have
    /// changed are used by the next [`Workspace::ready`]. For processes that run for long: others learn of a change
    /// when they call a tool.
    pub async fn refresh(&self) {
        /// The maximum number of servers that are started at the same time.
        const AT_ONCE: usize = 2;
        let ask = |lazy: Arc<LazyConnector>| async move {
            if let Err(error) = lazy.confirm().await {
                tracing::warn!(%error, "the kept list of tools of a server could not be refreshed");
            }
        };
        stream::iter(self.lazy.iter().filter(|lazy| lazy.may_be_outdated()).cloned())
            .for_each_concurrent(AT_ONCE, ask)
            .await;
    }

    /// Refreshes kept lists of tools ([`Workspace::refresh`]) now, and whenever one is older than an hour. Never returns: for
    /// the background of a process that runs for long. A server that cannot be asked is asked again within an hour.
    pub async fn keep_fresh(&self) {
        const AT_LEAST_EVERY: Duration = Duration::from_secs(60 * 60);
        loop {
            self.refresh().await;
            let left = self.lazy.iter().filter_map(|lazy| lazy.fresh_for()).filter(|left| !left.is_zero()).min();
            tokio::time::sleep(left.unwrap_or(AT_LEAST_EVERY)).await;
        }
    }

    /// Wakes executions when they are due, in the background, with the tools that the servers offer then, for as long as the
    /// scheduler exists. Returns none if no store is configured. Starts no server before an execution is due.
    ///
    /// # Errors
    ///
    /// `STORE` if the store cannot be opened.
    pub async fn start_scheduler(self: &Arc<Self>) -> Result<Option<Scheduler>, Failure> {
        if self.kept().await?.is_none() {
            return Ok(None);
        }
        let workspace = Arc::clone(self);
        let durable = move || {
            let workspace = Arc::clone(&workspace);
            async move { Ok(workspace.durable().await?.isobox) }.boxed()
        };
        self.archive().await?.start_scheduler_with(durable).map(Some)
    }

    /// Releases the executions of this process at once, instead of when its leases expire. For a process that ends:
    /// their futures must be dropped before, and nothing may be run afterwards.
    pub async fn let_go(&self) {
        if let Some(Some(kept)) = self.kept.get() {
            kept.heartbeat.stop().await;
        }
    }

    /// Stops all servers, and waits for them. Keeps what was learned about results.
    pub async fn close(&self) {
        if let Some(experience) = self.connected.bare().experience() {
            experience.finish().await;
        }
        self.connected.close().await;
    }
}
