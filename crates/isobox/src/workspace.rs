//! A runtime over the servers of a configuration.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::join_all;
use isobox_connect::{McpConnector, McpOptions, McpServer};
use isobox_core::store::Store;
use isobox_core::{
    Approver, Catalogue, Connector, ConnectorSettings, Failure, Limits, Observer, Offer, Reshape, Strictness,
};
use tokio::sync::{Mutex, OnceCell};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::config::{Config, McpServerConfig};
use crate::heart::Kept;
use crate::{Isobox, Timing, Tool, memory_store, opened_store};

/// A configured runtime. Its servers start side by side, when they are first needed; when one offers something else, the
/// catalogue is built anew. A server that does not start is left out, and tried again in the background: nobody waits a
/// second time for it.
pub struct Workspace {
    config: Config,
    connectors: Vec<Configured>,
    tools: Box<dyn Fn() -> Result<Vec<Tool>, Failure> + Send + Sync>,
    bare: Isobox,
    current: Mutex<Current>,
    store: Option<Arc<dyn Store>>,
    timing: Timing,
    kept: OnceCell<Option<Kept>>,
}

struct Configured {
    connector: Arc<McpConnector>,
    settings: ConnectorSettings,
}

struct Current {
    /// What is known of each connector.
    standings: Vec<Standing>,
    /// What was made of it; nothing where that is no longer true.
    ready: Option<Ready>,
}

enum Standing {
    NotAsked,
    /// It offered something when it was at this generation, read before it was asked: what changed meanwhile is asked for
    /// again.
    Offered(u64),
    Broken(Broken),
}

struct Broken {
    failure: Failure,
    tried: Instant,
    retry: Option<JoinHandle<Result<(), Failure>>>,
}

/// A server that did not start is not tried again before this time has passed.
const RETRY_AFTER: Duration = Duration::from_secs(30);

/// A workspace whose servers have started, or have not.
#[derive(Clone)]
pub struct Ready {
    /// The runtime.
    pub isobox: Isobox,
    /// Why servers are missing from it.
    pub problems: Arc<[Failure]>,
}

/// What a workspace has beside its configuration.
#[derive(Default)]
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
        let servers = config.mcp_servers.iter();
        let connectors: Vec<_> = servers.map(|(name, server)| configured(name, server, &config.limits)).collect();
        let standings = connectors.iter().map(|_| Standing::NotAsked).collect();
        let current = Mutex::new(Current { standings, ready: None });
        options.timing.check()?;
        let (store, timing, kept) = (options.store, options.timing, OnceCell::new());
        Ok(Self { config, connectors, tools: Box::new(tools), bare, current, store, timing, kept })
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
            Some(kept) => self.bare.kept_by(kept),
            None => self.bare.clone(),
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
        Ok(self.bare.kept_by(&Kept::new(store.unwrap_or_else(memory_store), Timing::default())))
    }

    /// The runtime, with all servers started that can be, and with its store: executions that ask for it are kept, where the
    /// configuration says where. Fails as [`Workspace::archive`] and [`Workspace::ready`] do.
    pub async fn durable(&self) -> Result<Ready, Failure> {
        let kept = self.kept().await?;
        let Ready { isobox, problems } = self.ready().await?;
        let isobox = kept.map_or_else(|| isobox.clone(), |kept| isobox.kept_by(kept));
        Ok(Ready { isobox, problems })
    }

    async fn kept(&self) -> Result<Option<&Kept>, Failure> {
        let kept = self.kept.get_or_try_init(|| async {
            let store = match &self.store {
                Some(store) => Some(Arc::clone(store)),
                None => opened_store::open(&self.config.store).await?,
            };
            Ok::<_, Failure>(store.map(|store| Kept::new(store, self.timing.clone())))
        });
        Ok(kept.await?.as_ref())
    }

    /// The runtime, with all servers started that can be. It keeps no executions, and its store is not touched.
    ///
    /// # Errors
    ///
    /// `CONFIG` where the configuration is strict, and a rule or setting names no tool.
    pub async fn ready(&self) -> Result<Ready, Failure> {
        let mut current = self.current.lock().await;
        let Current { standings, ready } = &mut *current;
        for (standing, configured) in standings.iter_mut().zip(&self.connectors) {
            if standing.has_news(&configured.connector) {
                *ready = None;
            }
        }
        if let Some(ready) = ready {
            return Ok(ready.clone());
        }
        let answers = join_all(standings.iter().zip(&self.connectors).map(|(standing, configured)| async move {
            let generation = configured.connector.generation();
            match standing {
                Standing::Broken(_) => None,
                Standing::NotAsked | Standing::Offered(_) => Some((generation, configured.connector.offer().await)),
            }
        }));
        let answers = answers.await;
        let mut offers = Vec::new();
        for (standing, answer) in standings.iter_mut().zip(answers) {
            offers.push(match answer {
                None => None,
                Some((generation, Ok(offer))) => {
                    *standing = Standing::Offered(generation);
                    Some(offer)
                }
                Some((_, Err(failure))) => {
                    *standing = Standing::Broken(Broken { failure, tried: now(), retry: None });
                    None
                }
            });
        }
        let problems = standings.iter().filter_map(|standing| match standing {
            Standing::Broken(broken) => Some(broken.failure.clone()),
            Standing::NotAsked | Standing::Offered(_) => None,
        });
        let problems = problems.collect();
        let strictness = if self.config.is_strict { Strictness::Strict } else { Strictness::Lenient };
        let isobox = self.bare.with_catalogue_checked(self.catalogue(offers)?, strictness)?;
        Ok(ready.insert(Ready { isobox, problems }).clone())
    }

    /// What the connectors offer, those included that offer nothing: the order decides about names.
    fn catalogue(&self, offers: Vec<Option<Offer>>) -> Result<Catalogue, Failure> {
        let mut builder = Catalogue::builder();
        for (path, settings) in &self.config.tools {
            builder.settings(path.clone(), settings.clone());
        }
        (self.tools)()?.into_iter().try_for_each(|tool| builder.tool(tool))?;
        for (Configured { connector, settings }, offer) in self.connectors.iter().zip(offers) {
            match offer {
                Some(offer) => {
                    let connector: Arc<dyn Connector> = Arc::<McpConnector>::clone(connector);
                    builder.connector(&connector, offer, settings);
                }
                None => builder.absent_connector(connector.name()),
            }
        }
        self.config.disabled_servers.iter().for_each(|name| builder.disabled_connector(name));
        Ok(builder.build())
    }

    /// Lets others go on at once with the executions that this process held, in place of when it is taken to be dead. For a
    /// process that ends: their futures have to be dropped before, and nothing may be run afterwards.
    pub async fn let_go(&self) {
        if let Some(Some(kept)) = self.kept.get() {
            kept.heart.stop().await;
        }
    }

    /// Ends all servers and waits until they are gone.
    pub async fn close(&self) {
        join_all(self.connectors.iter().map(|configured| configured.connector.close())).await;
    }
}

impl Standing {
    /// Whether there is something new about a connector. Sees to it that a broken one is tried again.
    fn has_news(&mut self, connector: &Arc<McpConnector>) -> bool {
        let broken = match self {
            Self::NotAsked => return true,
            Self::Offered(generation) => return *generation != connector.generation(),
            Self::Broken(broken) => broken,
        };
        match &mut broken.retry {
            None if broken.tried.elapsed() >= RETRY_AFTER => {
                let connector = Arc::clone(connector);
                broken.retry = Some(tokio::spawn(async move { connector.offer().await.map(|_| ()) }));
                false
            }
            None => false,
            Some(retry) => match retry.now_or_never() {
                None => false,
                Some(Ok(Err(failure))) => {
                    *broken = Broken { failure, tried: now(), retry: None };
                    true
                }
                // It works, or the attempt was lost; whoever asks finds out.
                Some(Ok(Ok(())) | Err(_)) => {
                    *self = Self::NotAsked;
                    true
                }
            },
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "processes take real time to start")]
fn now() -> Instant {
    Instant::now()
}

fn configured(name: &str, server: &McpServerConfig, limits: &Limits) -> Configured {
    let McpServerConfig { command, args, env, cwd, trusted, hint, timeout, secrets, written: _ } = server;
    let server = McpServer {
        command: command.clone(),
        args: args.clone(),
        env: env.clone(),
        cwd: cwd.clone(),
        secrets: secrets.clone(),
    };
    let options = McpOptions { call_timeout: *timeout, ..McpOptions::for_output(limits.output) };
    Configured {
        connector: Arc::new(McpConnector::new(name, server, options)),
        settings: ConnectorSettings { is_trusted: *trusted, hint: hint.clone() },
    }
}
