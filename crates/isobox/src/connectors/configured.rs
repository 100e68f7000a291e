//! The connectors of a configuration. No other file of this crate knows the kinds of connectors.

use std::sync::Arc;

use isobox_connect::{McpConnector, McpOptions, McpServer};
use isobox_core::{Connector, ConnectorSettings, Limits};

use crate::config::{Config, McpServerConfig};

/// Creates the connectors of a configuration, in its order. Starts nothing.
pub(crate) fn configured(config: &Config) -> Vec<(Arc<dyn Connector>, ConnectorSettings)> {
    config.mcp_servers.iter().map(|(name, server)| mcp(name, server, &config.limits)).collect()
}

fn mcp(name: &str, server: &McpServerConfig, limits: &Limits) -> (Arc<dyn Connector>, ConnectorSettings) {
    let McpServerConfig { command, args, env, cwd, trusted, hint, timeout, secrets, written: _ } = server;
    let server =
        McpServer::new(command.clone()).args(args.clone()).env(env.clone()).cwd(cwd.clone()).secrets(secrets.clone());
    let options = McpOptions::for_output(limits.output).call_timeout(*timeout);
    let settings = ConnectorSettings::default().is_trusted(*trusted).hint(hint.clone());
    (Arc::new(McpConnector::new(name, server, options)), settings)
}
