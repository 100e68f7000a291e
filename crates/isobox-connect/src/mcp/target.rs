//! The target of a connector: a command, or an address.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use super::concealing::Concealing;
use crate::oauth::OAuthClient;
use crate::secrets::{Secrets, credentials_in_address, credentials_in_arguments, credentials_of};

/// An MCP server: a command that is started, or an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum McpTarget {
    /// A child process that communicates over standard input and output.
    Child(McpServer),
    /// A server that is reached over HTTP.
    Remote(McpRemote),
}

/// The command that starts an MCP server: one entry of `mcpServers`, parsed, with variables substituted.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct McpServer {
    /// The program.
    pub command: String,
    /// The arguments of the program. Those that are credentials, as in `--api-key …`, are concealed in errors and in results.
    pub args: Vec<String>,
    /// The environment of the server, in addition to the few variables that every program needs. Nothing else is
    /// inherited. Values of at least six bytes are treated as secrets and concealed where output of the server is
    /// quoted in an error. Those of variables that are named like credentials, such as `API_KEY`, are concealed in results, too.
    pub env: BTreeMap<String, String>,
    /// The working folder of the server. `None` uses the folder of this process.
    pub cwd: Option<PathBuf>,
    /// Further values to conceal, from four bytes on: the values that the configuration took from the environment.
    pub secrets: Vec<String>,
}

/// The address of an MCP server: one entry of `mcpServers` with a `url`, parsed, with variables substituted.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct McpRemote {
    /// The address.
    pub url: String,
    /// The headers of every request. Sent only to the origin of the address. Their values are treated as secrets.
    pub headers: BTreeMap<String, String>,
    /// The protocol between client and server.
    pub transport: McpTransport,
    /// The client that people log in with. Not used if `headers` contains `Authorization`.
    pub oauth: OAuthClient,
    /// Further values to conceal, from four bytes on: the values that the configuration took from the environment.
    pub secrets: Vec<String>,
}

/// The protocol between a client and a remote server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum McpTransport {
    /// Streamable HTTP, or server-sent events if the server refuses it.
    #[default]
    Automatic,
    /// Streamable HTTP.
    StreamableHttp,
    /// HTTP with server-sent events, as in protocol version 2024-11-05.
    Sse,
}

impl McpTarget {
    /// Returns what identifies the server: the command with its arguments and folder, or the address.
    pub(super) fn identity(&self) -> Vec<String> {
        match self {
            Self::Child(McpServer { command, args, cwd, .. }) => {
                let cwd = cwd.as_ref().map(|cwd| cwd.display().to_string()).unwrap_or_default();
                [command.clone(), cwd].into_iter().chain(args.iter().cloned()).collect()
            }
            Self::Remote(McpRemote { url, .. }) => vec![url.clone()],
        }
    }

    /// Returns what is concealed in messages of the server.
    pub(super) fn concealing(&self) -> Concealing {
        match self {
            Self::Child(McpServer { args, env, secrets, .. }) => {
                let mut credentials = credentials_of(env.iter().map(|(name, value)| (name.as_str(), value.as_str())));
                credentials.extend(credentials_in_arguments(args, secrets));
                // A variable may be a path to a file with the credential, below a folder that is none.
                let is_part = |value: &&String| {
                    !value.starts_with('/') && credentials.iter().any(|credential| credential.contains(value.as_str()))
                };
                let in_results = Secrets::of_credentials(secrets.iter().filter(is_part), &credentials);
                Concealing::new(Secrets::new(secrets, credentials.iter().chain(env.values())), in_results)
            }
            Self::Remote(McpRemote { url, headers, oauth, secrets, .. }) => {
                let query = url.split_once('?').map_or("", |(_, query)| query);
                let mut credentials =
                    credentials_of(headers.iter().map(|(name, value)| (name.as_str(), value.as_str())));
                credentials.extend(credentials_in_address(url));
                credentials.extend(oauth.client_secret.clone());
                let is_sent = |value: &&String| {
                    let is_part = |sent: &String| sent.contains(value.as_str());
                    query.contains(value.as_str()) || credentials.iter().chain(headers.values()).any(is_part)
                };
                let in_results = Secrets::of_credentials(secrets.iter().filter(is_sent), &credentials);
                Concealing::new(Secrets::new(secrets, credentials.iter().chain(headers.values())), in_results)
            }
        }
    }
}

impl From<McpServer> for McpTarget {
    fn from(server: McpServer) -> Self {
        Self::Child(server)
    }
}

impl From<McpRemote> for McpTarget {
    fn from(remote: McpRemote) -> Self {
        Self::Remote(remote)
    }
}

impl McpServer {
    /// Describes a server that this program is.
    pub fn new(command: impl Into<String>) -> Self {
        Self { command: command.into(), ..Self::default() }
    }

    /// Sets `args`.
    #[must_use]
    pub fn args(mut self, args: Vec<String>) -> Self {
        self.args = args;
        self
    }

    /// Sets `env`.
    #[must_use]
    pub fn env(mut self, env: BTreeMap<String, String>) -> Self {
        self.env = env;
        self
    }

    /// Sets `cwd`.
    #[must_use]
    pub fn cwd(mut self, cwd: impl Into<Option<PathBuf>>) -> Self {
        self.cwd = cwd.into();
        self
    }

    /// Sets `secrets`.
    #[must_use]
    pub fn secrets(mut self, secrets: Vec<String>) -> Self {
        self.secrets = secrets;
        self
    }
}

impl McpRemote {
    /// Describes a server at this address.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            headers: BTreeMap::new(),
            transport: McpTransport::default(),
            oauth: OAuthClient::default(),
            secrets: Vec::new(),
        }
    }

    /// Sets `headers`.
    #[must_use]
    pub fn headers(mut self, headers: BTreeMap<String, String>) -> Self {
        self.headers = headers;
        self
    }

    /// Sets `transport`.
    #[must_use]
    pub fn transport(mut self, transport: McpTransport) -> Self {
        self.transport = transport;
        self
    }

    /// Sets `oauth`.
    #[must_use]
    pub fn oauth(mut self, oauth: OAuthClient) -> Self {
        self.oauth = oauth;
        self
    }

    /// Sets `secrets`.
    #[must_use]
    pub fn secrets(mut self, secrets: Vec<String>) -> Self {
        self.secrets = secrets;
        self
    }
}

/// Omits arguments and values, which may be secrets.
impl fmt::Debug for McpServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("McpServer").field("command", &self.command).finish_non_exhaustive()
    }
}

/// Omits the path of the address and the values of headers, which may be secrets.
impl fmt::Debug for McpRemote {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let origin = self.url.split(['?', '#']).next().unwrap_or_default();
        let origin: Vec<&str> = origin.splitn(4, '/').take(3).collect();
        formatter.debug_struct("McpRemote").field("origin", &origin.join("/")).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_identified_by_its_command_or_address_and_not_by_its_secrets() {
        let identity = |target: McpTarget| target.identity();
        let npx = || McpServer::new("npx").args(vec!["a".to_owned()]);
        let first = identity(npx().into());
        let secret = BTreeMap::from([("TOKEN".to_owned(), "x".to_owned())]);
        assert_eq!(first, identity(npx().env(secret.clone()).into()));
        for other in
            [McpServer::new("npx").args(vec!["b".to_owned()]), McpServer::new("npm"), npx().cwd(PathBuf::from("/b"))]
        {
            assert_ne!(first, identity(other.into()));
        }
        let remote = |url: &str| McpRemote::new(url);
        let address = identity(remote("https://a.example").into());
        assert_eq!(address, identity(remote("https://a.example").headers(secret).into()));
        assert_ne!(address, identity(remote("https://b.example").into()));
    }

    #[test]
    fn results_are_without_credentials_and_keep_what_is_ordinary_data() {
        let pairs = |pairs: &[(&str, &str)]| -> BTreeMap<String, String> {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        let taken = ["/home/ada", "part-of-key", "account-from-env", "only-in-url"].map(str::to_owned).to_vec();
        let env = pairs(&[
            ("API_KEY", "x:part-of-key"),
            ("CREDENTIALS", "/home/ada/key.json"),
            ("DATA", "/home/ada/data"),
            ("ACCOUNT", "account-from-env"),
            ("POSTGRES_PASSWORD", "password"),
            ("AUTH_MODE", "device-code"),
        ]);
        let headers = pairs(&[
            ("Authorization", "Bearer token-of-the-host"),
            ("X-Version", "2026-01-01"),
            ("X-Account", "account-from-env"),
        ]);
        let args = ["--token=t0ken-in-args", "--mode", "read-only", "-p", "postgres://ada:word1-of-db@db/x"];
        let args = args.into_iter().chain(["postgres://postgres:postgres@localhost/app"]);
        let args: Vec<String> = args.map(str::to_owned).collect();
        let child = McpServer::new("npx").args(args).env(env).secrets(taken.clone());
        let remote = McpRemote::new("https://a.example/?q=only-in-url&token=token-of-the-url&key=key%2Fof-the-url");
        let client = OAuthClient::default().client_secret("secret-of-the-client".to_owned());
        let remote = remote.headers(headers).oauth(client).secrets(taken);
        for (target, text, in_result, quoted) in [
            (McpTarget::from(child.clone()), "part-of-key", "***", "***"),
            (child.clone().into(), "x:part-of-key", "***", "***"),
            (child.clone().into(), "/home/ada/key.json", "***", "***"),
            (child.clone().into(), "/home/ada/data", "/home/ada/data", "***"),
            (child.clone().into(), "bad t0ken-in-args", "bad ***", "bad ***"),
            (
                child.clone().into(),
                "postgres://ada:word1-of-db@db/x",
                "postgres://ada:***@db/x",
                "postgres://ada:***@db/x",
            ),
            (child.clone().into(), "read-only", "read-only", "read-only"),
            (child.clone().into(), "role postgres", "role postgres", "role postgres"),
            (child.clone().into(), "column password", "column password", "column ***"),
            (child.clone().into(), "device-code", "device-code", "***"),
            (child.into(), "account-from-env", "account-from-env", "***"),
            (remote.clone().into(), "Bearer token-of-the-host", "***", "***"),
            (remote.clone().into(), "token-of-the-host", "***", "***"),
            (remote.clone().into(), "2026-01-01", "2026-01-01", "***"),
            (remote.clone().into(), "account-from-env", "***", "***"),
            (remote.clone().into(), "only-in-url", "***", "***"),
            (remote.clone().into(), "token-of-the-url", "***", "***"),
            (remote.clone().into(), "?key=key%2Fof-the-url", "?key=***", "?key=***"),
            (remote.clone().into(), "key/of-the-url", "***", "***"),
            (remote.clone().into(), "secret-of-the-client", "***", "***"),
            (remote.into(), "/home/ada", "/home/ada", "***"),
        ] {
            let concealing = target.concealing();
            let mut value = serde_json::Value::from(text);
            concealing.conceal_value(&mut value);
            assert_eq!(
                (value, concealing.conceal(text)),
                (serde_json::Value::from(in_result), quoted.to_owned()),
                "{text}"
            );
        }
    }
}
