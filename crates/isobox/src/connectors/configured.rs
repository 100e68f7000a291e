//! The connectors of a configuration. No other file of this crate knows the kinds of connectors.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use isobox_connect::{
    GraphQlConnector, GraphQlOptions, GraphQlService, LogIn, McpConnector, McpOptions, McpRoot, OpenApiConnector,
    OpenApiOptions, Place, TokenStore, WebConnector, WebTransport,
};
use isobox_core::{Connector, ConnectorSettings, Limits};

use super::lazy::{Freshness, LazyConnector, OfferFile};
use super::outage::OutageFile;
use super::remembering::RememberingConnector;
use crate::config::{Config, GraphQlConfig, McpServerConfig, OpenApiConfig};

/// The place in which lists of tools are kept, so that a server starts when one of its tools is first called.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct KeptOffers {
    /// The folder. It must belong to this user alone: models read what is in it. Old lists in it are removed.
    pub folder: PathBuf,
    /// The use of the lists of earlier processes.
    pub freshness: Freshness,
}

impl KeptOffers {
    /// Keeps lists of tools in a folder, and uses those of earlier processes.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), freshness: Freshness::Kept }
    }

    /// Sets `freshness`.
    #[must_use]
    pub fn freshness(mut self, freshness: Freshness) -> Self {
        self.freshness = freshness;
        self
    }
}

/// The connectors of a configuration.
#[derive(Default)]
pub(crate) struct Configured {
    /// The connectors, in the order of the configuration.
    pub(crate) connectors: Vec<(Arc<dyn Connector>, ConnectorSettings)>,
    /// The connectors that people may log in to.
    pub(crate) logins: Vec<Arc<dyn LogIn>>,
    /// The connectors whose lists of tools are kept.
    pub(crate) lazy: Vec<Arc<LazyConnector>>,
}

/// Creates the connectors of a configuration. Starts nothing.
pub(crate) fn configured(
    config: &Config,
    kept: Option<&KeptOffers>,
    tokens: Option<&Arc<dyn TokenStore>>,
    transport: Option<&Arc<dyn WebTransport>>,
) -> Configured {
    let mut all = Configured::default();
    for (name, server) in &config.mcp_servers {
        let settings = ConnectorSettings::default().is_trusted(server.trusted).hint(server.hint.clone());
        let server_connector = mcp(name, server, &config.limits, tokens);
        all.logins.push(Arc::clone(&server_connector) as Arc<dyn LogIn>);
        let mut connector: Arc<dyn Connector> = server_connector;
        if let Some(KeptOffers { folder, freshness }) = kept {
            let file = OfferFile::new(folder, name, server);
            let lazy = Arc::new(LazyConnector::new(connector, file, *freshness, server.timeout));
            all.lazy.push(Arc::clone(&lazy));
            connector = lazy;
        }
        all.connectors.push((connector, settings));
    }
    for (name, service) in &config.openapi {
        // What its tools say about effects follows from the methods of HTTP, not from the document.
        let settings = ConnectorSettings::default().is_trusted(true).hint(service.hint.clone());
        let connector = openapi(name, service, &config.limits, tokens);
        all.logins.push(Arc::clone(&connector) as Arc<dyn LogIn>);
        let address = match &service.service.spec {
            Place::Url(url) => Some(url.as_str()),
            Place::File(_) => None,
        };
        all.connectors.push((remembering(connector, kept, address, service.timeout), settings));
    }
    for (name, service) in &config.graphql {
        // What its tools say about effects follows from the kinds of operations, not from the schema.
        let settings = ConnectorSettings::default().is_trusted(true).hint(service.hint.clone());
        let connector = graphql(name, service, &config.limits, tokens);
        all.logins.push(Arc::clone(&connector) as Arc<dyn LogIn>);
        let GraphQlService { url, schema, .. } = &service.service;
        let address = if schema.is_none() { Some(url.as_str()) } else { None };
        all.connectors.push((remembering(connector, kept, address, service.timeout), settings));
    }
    if let Some(fetch) = &config.fetch {
        let max_response = fetch.max_response.min(config.limits.output);
        let mut web = WebConnector::new(fetch.clone().max_response(max_response));
        if let Some(transport) = transport {
            web = web.transport(Arc::clone(transport));
        }
        all.connectors.push((Arc::new(web), ConnectorSettings::default().is_trusted(true)));
    }
    all
}

/// Wraps the connector of a service whose tools are asked for at an address, so that an outage is remembered beside the
/// lists of tools.
fn remembering(
    connector: Arc<dyn Connector>,
    kept: Option<&KeptOffers>,
    address: Option<&str>,
    timeout: Option<Duration>,
) -> Arc<dyn Connector> {
    let (Some(KeptOffers { folder, freshness }), Some(url)) = (kept, address) else { return connector };
    let outage = OutageFile::of_service(folder, connector.name(), url);
    Arc::new(RememberingConnector::new(connector, outage, *freshness, timeout))
}

fn openapi(
    name: &str,
    config: &OpenApiConfig,
    limits: &Limits,
    tokens: Option<&Arc<dyn TokenStore>>,
) -> Arc<OpenApiConnector> {
    let mut options = OpenApiOptions::for_output(limits.output);
    if let Some(timeout) = config.timeout {
        options = options.timeout(timeout);
    }
    if let Some(redirects) = config.redirects {
        options = options.redirects(redirects);
    }
    if let Some(retries) = config.retries {
        options = options.retries(retries);
    }
    if let Some(pages) = config.max_pages {
        options = options.max_pages(pages);
    }
    Arc::new(OpenApiConnector::new(name, config.service.clone(), options).keep_logins_in(tokens.cloned()))
}

fn graphql(
    name: &str,
    config: &GraphQlConfig,
    limits: &Limits,
    tokens: Option<&Arc<dyn TokenStore>>,
) -> Arc<GraphQlConnector> {
    let mut options = GraphQlOptions::for_output(limits.output);
    if let Some(timeout) = config.timeout {
        options = options.timeout(timeout);
    }
    if let Some(retries) = config.retries {
        options = options.retries(retries);
    }
    Arc::new(GraphQlConnector::new(name, config.service.clone(), options).keep_logins_in(tokens.cloned()))
}

fn mcp(
    name: &str,
    server: &McpServerConfig,
    limits: &Limits,
    tokens: Option<&Arc<dyn TokenStore>>,
) -> Arc<McpConnector> {
    let McpServerConfig { target, trusted: _, hint: _, timeout, reset_timeout_on_progress, roots, written: _ } = server;
    let mut options = McpOptions::for_output(limits.output)
        .call_timeout(*timeout)
        .progress_prolongs(*reset_timeout_on_progress)
        .roots(roots.iter().map(|root| McpRoot::new(address(root))).collect())
        .tokens(tokens.cloned());
    if let Some(timeout) = timeout {
        options = options.start_timeout(*timeout);
    }
    Arc::new(McpConnector::new(name, target.clone(), options))
}

/// Returns the address of a folder. What is an address already stays as it is.
fn address(root: &str) -> String {
    if root.contains("://") {
        return root.to_owned();
    }
    let folder = std::path::absolute(root).unwrap_or_else(|_| PathBuf::from(root));
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let encode = |byte: &u8| if plain(*byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") };
    let path: String = folder.as_os_str().as_encoded_bytes().iter().map(encode).collect();
    format!("file://{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_have_addresses() {
        assert_eq!(address("/a b/ü"), "file:///a%20b/%C3%BC");
        assert_eq!(address("https://a.example/x"), "https://a.example/x");
        assert!(address(".").starts_with("file:///"));
    }
}
