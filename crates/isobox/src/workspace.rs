//! A runtime over the servers of a configuration.

use std::num::NonZeroU32;
use std::sync::Arc;

use isobox_core::store::Store;
use isobox_core::{Approver, Connector, ConnectorSettings, Failure, Observer, Reshape, Strictness, Timing};
use tokio::sync::OnceCell;

use crate::config::Config;
use crate::connectors::{Connected, ConnectorReport, Ready, Recipe, configured};
use crate::heartbeat::DurableHome;
use crate::memory_store::memory_store;
use crate::{Isobox, Tool, opened_store};

/// A configured runtime. Its servers start side by side, when they are first needed; when one offers something else, the
/// catalogue is built anew. A server that does not start is left out, and tried again in the background: nobody waits a
/// second time for it.
pub struct Workspace {
    config: Config,
    connected: Connected,
    store: Option<Arc<dyn Store>>,
    timing: Timing,
    kept: OnceCell<Option<DurableHome>>,
}

/// What a workspace has beside its configuration.
#[derive(Default)]
#[non_exhaustive]
pub struct WorkspaceOptions {
    /// So many executions may be live at once; as many as the sandbox takes by default.
    pub max_live: Option<NonZeroU32>,
    /// Is asked about calls that need approval.
    pub approver: Option<Arc<dyn Approver>>,
    /// Is told what happens.
    pub observer: Option<Arc<dyn Observer>>,
    /// Makes, of a result, what a model gets; see [`Builder::reshape`](crate::Builder::reshape).
    pub reshape: Option<Arc<Reshape>>,
    /// Executions are kept here instead of where the configuration says.
    pub store: Option<Arc<dyn Store>>,
    /// How long leases of executions last; see [`Builder::timing`](crate::Builder::timing).
    pub timing: Timing,
    /// Connectors of the host's own, beside those that the configuration names and after them.
    pub connectors: Vec<(Arc<dyn Connector>, ConnectorSettings)>,
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

    /// Sets `timing`.
    #[must_use]
    pub fn timing(mut self, timing: Timing) -> Self {
        self.timing = timing;
        self
    }

    /// Adds a connector of the host's own.
    #[must_use]
    pub fn connector(mut self, connector: Arc<dyn Connector>, settings: ConnectorSettings) -> Self {
        self.connectors.push((connector, settings));
        self
    }
}

impl Workspace {
    /// A workspace. Starts nothing yet.
    pub fn new(config: Config, options: WorkspaceOptions) -> Result<Self, Failure> {
        Self::with_tools(config, options, || Ok(Vec::new()))
    }

    /// The same, with tools of the host's own beside those of the servers.
    pub fn with_tools(
        config: Config,
        options: WorkspaceOptions,
        tools: impl Fn() -> Result<Vec<Tool>, Failure> + Send + Sync + 'static,
    ) -> Result<Self, Failure> {
        let mut builder =
            Isobox::builder().limits(config.limits.clone()).policy(config.policy.clone()).validation(config.validation);
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
        let connectors = configured(&config).into_iter().chain(options.connectors);
        let connected = Connected::new(bare, connectors, recipe);
        Ok(Self { config, connected, store: options.store, timing: options.timing, kept: OnceCell::new() })
    }

    /// What the configuration says.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The runtime with its store and without its tools: enough to look at executions, and to decide about them. Starts no
    /// server, and opens the store when it is first needed.
    ///
    /// # Errors
    ///
    /// `STORE` where the store cannot be opened.
    pub async fn archive(&self) -> Result<Isobox, Failure> {
        Ok(match self.kept().await? {
            Some(kept) => self.connected.bare().kept_by(kept),
            None => self.connected.bare().clone(),
        })
    }

    /// The runtime with its store and without its tools, to look at executions and nothing else: it needs neither the right to
    /// write to the store nor a lock that another process may have. Where there is no store yet, nothing is kept.
    ///
    /// # Errors
    ///
    /// `STORE` where the store cannot be read.
    pub async fn look(&self) -> Result<Isobox, Failure> {
        if self.store.is_some() || self.kept.initialized() {
            return self.archive().await;
        }
        let store = opened_store::open_to_read(&self.config.store).await?;
        Ok(self.connected.bare().kept_by(&DurableHome::new(store.unwrap_or_else(memory_store), Timing::default())))
    }

    /// The runtime, with all servers started that can be, and with its store: executions that ask for it are kept, where the
    /// configuration says where. Fails as [`Workspace::archive`] and [`Workspace::ready`] do.
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
                None => opened_store::open(&self.config.store).await?,
            };
            Ok::<_, Failure>(store.map(|store| DurableHome::new(store, self.timing.clone())))
        });
        Ok(kept.await?.as_ref())
    }

    /// The runtime, with all servers started that can be. It keeps no executions, and its store is not touched.
    ///
    /// # Errors
    ///
    /// `CONFIG` where the configuration is strict, and a rule or setting names no tool.
    pub async fn ready(&self) -> Result<Ready, Failure> {
        self.connected.ready().await
    }

    /// Lists the connectors with their status: those that the configuration names, in its order, then those of the host.
    /// Asks and starts nothing, and waits for nothing.
    pub fn connectors(&self) -> Vec<ConnectorReport> {
        self.connected.connectors()
    }

    /// Lets others go on at once with the executions that this process held, in place of when it is taken to be dead. For a
    /// process that ends: their futures have to be dropped before, and nothing may be run afterwards.
    pub async fn let_go(&self) {
        if let Some(Some(kept)) = self.kept.get() {
            kept.heartbeat.stop().await;
        }
    }

    /// Ends all servers and waits until they are gone.
    pub async fn close(&self) {
        self.connected.close().await;
    }
}
