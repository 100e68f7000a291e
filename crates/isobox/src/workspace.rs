//! A runtime over the servers of a configuration.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use isobox_connect::{McpConnector, McpOptions, McpServer};
use isobox_core::{Approver, Catalogue, Connector, ConnectorSettings, Failure, Observer, Reshape};
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::config::{Config, McpServerConfig};
use crate::{Isobox, Tool};

/// A configured runtime. Its servers start side by side, when they are first needed; when one offers something else, the
/// catalogue is built anew. A server that does not start is left out, and tried again the next time.
pub struct Workspace {
    config: Config,
    connectors: Vec<Configured>,
    tools: Box<dyn Fn() -> Result<Vec<Tool>, Failure> + Send + Sync>,
    bare: Isobox,
    current: Mutex<Option<Current>>,
}

struct Configured {
    connector: Arc<McpConnector>,
    settings: ConnectorSettings,
}

struct Current {
    /// What the servers were at before they were asked: whatever changed meanwhile is asked for again.
    generations: Vec<u64>,
    tried: Instant,
    ready: Ready,
}

/// A server that did not start is not tried again before this time has passed, so that it does not hold up every call.
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
        let connectors = config.mcp_servers.iter().map(|(name, server)| configured(name, server)).collect();
        Ok(Self { config, connectors, tools: Box::new(tools), bare, current: Mutex::new(None) })
    }

    /// What the configuration says.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The runtime, with all servers started that can be.
    #[expect(clippy::disallowed_methods, reason = "processes take real time to start")]
    pub async fn ready(&self) -> Result<Ready, Failure> {
        let mut current = self.current.lock().await;
        let generations = self.generations();
        if let Some(current) = &*current
            && current.generations == generations
            && (current.ready.problems.is_empty() || current.tried.elapsed() < RETRY_AFTER)
        {
            return Ok(current.ready.clone());
        }
        let offers = join_all(self.connectors.iter().map(|configured| configured.connector.offer())).await;
        let mut builder = Catalogue::builder();
        for (path, settings) in &self.config.tools {
            builder.settings(path.clone(), settings.clone());
        }
        (self.tools)()?.into_iter().try_for_each(|tool| builder.tool(tool))?;
        let mut problems = Vec::new();
        for (configured, offer) in self.connectors.iter().zip(offers) {
            match offer {
                Ok(offer) => {
                    let connector: Arc<dyn Connector> = Arc::<McpConnector>::clone(&configured.connector);
                    builder.connector(&connector, offer, &configured.settings);
                }
                Err(failure) => problems.push(failure),
            }
        }
        let ready = Ready { isobox: self.bare.with_catalogue(builder.build()), problems: problems.into() };
        *current = Some(Current { generations, tried: Instant::now(), ready: ready.clone() });
        Ok(ready)
    }

    /// Ends all servers and waits until they are gone.
    pub async fn close(&self) {
        join_all(self.connectors.iter().map(|configured| configured.connector.close())).await;
    }

    fn generations(&self) -> Vec<u64> {
        self.connectors.iter().map(|configured| configured.connector.generation()).collect()
    }
}

fn configured(name: &str, server: &McpServerConfig) -> Configured {
    let McpServerConfig { command, args, env, cwd, trusted, hint, timeout, .. } = server;
    let server = McpServer {
        command: command.clone(),
        args: args.clone(),
        env: env.clone(),
        cwd: cwd.clone(),
        // A variable of the environment may be in any of them.
        secrets: args.clone(),
    };
    let options = McpOptions { call_timeout: *timeout, ..McpOptions::default() };
    Configured {
        connector: Arc::new(McpConnector::new(name, server, options)),
        settings: ConnectorSettings { is_trusted: *trusted, hint: hint.clone() },
    }
}
