//! `mcpServers`, in the format of other MCP clients.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use indexmap::IndexMap;
use isobox_connect::{ClientGrant, McpRemote, McpServer, McpTarget, McpTransport, OAuthClient};
use jsonc_parser::ast::{Object, ObjectProp};
use jsonc_parser::common::Ranged;

use super::reader::{ConfigReader, Keys, Section, shown};
use super::syntax::Value;

/// An MCP server: a command to start, or an address. `Debug` hides possible secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpServerConfig {
    /// The command or the address.
    pub target: McpTarget,
    /// Whether the hints of its tools may loosen the policy, not only tighten it.
    pub trusted: bool,
    /// Its purpose, in one line.
    pub hint: String,
    /// The maximum time for an answer. If none, only the execution limits it.
    pub timeout: Option<Duration>,
    /// Whether the time for the answer to a call starts again when the server reports progress.
    pub reset_timeout_on_progress: bool,
    /// The folders, or the addresses of other places, that the server is told it may work in.
    pub roots: Vec<String>,
    /// The command or the address as written in the file, without values of our environment.
    pub written: String,
}

impl McpServerConfig {
    /// Starts the working directory of a command, and roots, at a folder.
    pub(super) fn within(&mut self, folder: &Path) {
        if let McpTarget::Child(server) = &mut self.target {
            server.cwd = server.cwd.take().map(|cwd| folder.join(cwd));
        }
        for root in self.roots.iter_mut().filter(|root| !root.contains("://")) {
            *root = folder.join(&*root).display().to_string();
        }
    }
}

const NO_TIME: &str = "`timeout` is 0, which leaves no time for any answer; leave it out where there is none";

pub(super) const KEYS: Keys = Keys {
    known: &[
        "command",
        "args",
        "env",
        "cwd",
        "url",
        "type",
        "headers",
        "oauth",
        "trusted",
        "hint",
        "timeout",
        "resetTimeoutOnProgress",
        "roots",
        "disabled",
    ],
    tolerated: &["alwaysAllow", "autoApprove"],
    later: &[],
};

pub(super) const OAUTH: Keys = Keys {
    known: &["grant", "clientId", "clientSecret", "issuer", "scopes", "redirectPort"],
    tolerated: &[],
    later: &[],
};

/// The keys that only a command has, and those that only an address has.
const OF_COMMANDS: [&str; 4] = ["command", "args", "env", "cwd"];
const OF_ADDRESSES: [&str; 3] = ["url", "headers", "oauth"];

/// Reads the servers, and the names of disabled ones.
pub(super) fn read<'d>(
    reader: &mut ConfigReader<'_>,
    value: &'d Value<'d>,
) -> (IndexMap<String, McpServerConfig>, Vec<String>) {
    let (mut servers, mut disabled) = (IndexMap::new(), Vec::new());
    for (start, name, value) in reader.entries("", "mcpServers", value).unwrap_or_default() {
        if name.is_empty() {
            reader.problem(start, "`mcpServers`", "a server needs a name; its tools are found under it");
        } else if is_disabled(value) {
            disabled.push(name.to_owned());
        } else if let Some(server) = server(reader, name, value) {
            servers.insert(name.to_owned(), server);
        }
    }
    (servers, disabled)
}

/// Tells whether a server is disabled. Its other settings are not checked then.
fn is_disabled(value: &Value<'_>) -> bool {
    let disabled = value.as_object().and_then(|object| object.get_boolean("disabled"));
    disabled.is_some_and(|literal| literal.value)
}

fn server<'d>(reader: &mut ConfigReader<'_>, name: &str, value: &'d Value<'d>) -> Option<McpServerConfig> {
    let section = reader.section(format!("the server `{}`", shown(name)), value, &KEYS)?;
    reader.forget_variables();
    reader.truth(&section, "disabled");
    for key in ["alwaysAllow", "autoApprove"] {
        if let Some(value) = section.get(key) {
            let message = format!("`{key}` has no effect here; say in `policy` what needs no approval");
            reader.warning(value.start(), &section.owner, message);
        }
    }
    let trusted = reader.truth(&section, "trusted").unwrap_or(false);
    let hint = reader.text(&section, "hint").map(|text| text.value).unwrap_or_default();
    let timeout = reader.duration(&section, "timeout", NO_TIME);
    let reset_timeout_on_progress = reader.truth(&section, "resetTimeoutOnProgress").unwrap_or(false);
    if reset_timeout_on_progress && timeout.is_none() {
        let message = "`resetTimeoutOnProgress` needs a `timeout`";
        reader.problem(section.start, &section.owner, message);
    }
    let roots = reader.texts(&section, "roots").unwrap_or_default().into_iter().map(|text| text.value).collect();
    let (target, written) = if section.get("url").is_some() {
        remote(reader, &section)?
    } else {
        if let Some(Value::Object(variables)) = section.get("env")
            && !variables.properties.is_empty()
        {
            reader.sets_environment(name, environment_written(variables));
        }
        child(reader, &section)?
    };
    Some(McpServerConfig { target, trusted, hint, timeout, reset_timeout_on_progress, roots, written })
}

/// Reads a command. Returns it with its text in the file.
fn child(reader: &mut ConfigReader<'_>, section: &Section<'_>) -> Option<(McpTarget, String)> {
    for key in OF_ADDRESSES {
        if let Some(value) = section.get(key) {
            reader.problem(value.start(), &section.owner, format!("`{key}` needs a `url`"));
        }
    }
    if let Some(transport) = reader.text(section, "type").filter(|transport| transport.value != "stdio") {
        let message = "a server whose `type` is not `stdio` needs a `url`";
        reader.problem(transport.start, &section.owner, message);
    }
    let command = match section.get("command") {
        Some(_) => reader.text(section, "command"),
        None => {
            let message = "there is no `command` and no `url`; name the program that is to be started, or the address of the server";
            reader.problem(section.start, &section.owner, message);
            None
        }
    };
    if let Some(command) = command.as_ref().filter(|command| command.value.trim().is_empty()) {
        let message = "`command` is empty; name the program that is to be started";
        reader.problem(command.start, &section.owner, message);
    }
    let args = reader.texts(section, "args").unwrap_or_default().into_iter().map(|text| text.value).collect();
    let env = environment(reader, section);
    let cwd = reader.text(section, "cwd").map(|text| PathBuf::from(text.value));
    let secrets = reader.forget_variables();
    let written = |key| section.get(key).into_iter().flat_map(texts_written).collect::<Vec<_>>();
    let line = command_line(&written("command").concat(), &written("args"), &written("cwd").concat(), env.keys());
    let server = McpServer::new(command?.value).args(args).env(env).cwd(cwd).secrets(secrets);
    Some((server.into(), line))
}

/// Reads an address. Returns it with its text in the file.
fn remote(reader: &mut ConfigReader<'_>, section: &Section<'_>) -> Option<(McpTarget, String)> {
    for key in OF_COMMANDS {
        if let Some(value) = section.get(key) {
            let message = format!("it has a `url` and `{key}`; a server is either an address or a command");
            reader.problem(value.start(), &section.owner, message);
        }
    }
    let transport = match reader.text(section, "type") {
        None => McpTransport::Automatic,
        Some(transport) => match transport.value.as_str() {
            "http" | "streamable-http" | "streamableHttp" => McpTransport::StreamableHttp,
            "sse" => McpTransport::Sse,
            _ => {
                let message = "the `type` of a server with a `url` is `http` or `sse`; leave it out to try both";
                reader.problem(transport.start, &section.owner, message);
                McpTransport::Automatic
            }
        },
    };
    let url = reader.text(section, "url")?;
    if !url.value.starts_with("https://") && !url.value.starts_with("http://") {
        reader.problem(url.start, &section.owner, "`url` has to begin with `https://` or `http://`");
    }
    let entries = section.get("headers").and_then(|value| reader.entries(&section.owner, "headers", value));
    let mut headers = BTreeMap::new();
    for (_, name, value) in entries.unwrap_or_default() {
        if let Some(text) = reader.text_of(&section.owner, &format!("headers.{}", shown(name)), value, "a text") {
            headers.insert(name.to_owned(), text.value);
        }
    }
    let oauth = section.get("oauth").and_then(|value| oauth(reader, &section.owner, value)).unwrap_or_default();
    let written = section.get("url").into_iter().flat_map(texts_written).collect::<Vec<_>>().concat();
    let remote =
        McpRemote::new(url.value).headers(headers).transport(transport).oauth(oauth).secrets(reader.forget_variables());
    Some((remote.into(), written))
}

fn oauth<'d>(reader: &mut ConfigReader<'_>, owner: &str, value: &'d Value<'d>) -> Option<OAuthClient> {
    let section = reader.section(format!("{owner}, `oauth`"), value, &OAUTH)?;
    let mut text = |key: &str| reader.text(&section, key).map(|text| text.value);
    let (id, secret, issuer) = (text("clientId"), text("clientSecret"), text("issuer"));
    let scopes = reader.texts(&section, "scopes").unwrap_or_default().into_iter().map(|text| text.value).collect();
    let port = redirect_port(reader, &section);
    let grant = match reader.text(&section, "grant") {
        None => ClientGrant::AuthorizationCode,
        Some(text) => match text.value.as_str() {
            "authorization_code" => ClientGrant::AuthorizationCode,
            "client_credentials" => ClientGrant::ClientCredentials,
            _ => {
                let message = "`grant` is `authorization_code` (a person logs in) or `client_credentials`";
                reader.problem(text.start, &section.owner, message);
                return None;
            }
        },
    };
    let needs_both = grant == ClientGrant::ClientCredentials;
    if needs_both && (id.is_none() || secret.is_none()) {
        let message = "`client_credentials` needs a `clientId` and a `clientSecret`";
        reader.problem(section.start, &section.owner, message);
    } else if secret.is_some() && id.is_none() {
        reader.problem(section.start, &section.owner, "`clientSecret` needs a `clientId`");
    }
    let client = OAuthClient::default().client_id(id).client_secret(secret).issuer(issuer);
    Some(client.scopes(scopes).redirect_port(port).grant(grant))
}

/// Reads the port that the browser comes back to after a login.
pub(super) fn redirect_port(reader: &mut ConfigReader<'_>, section: &Section<'_>) -> Option<u16> {
    match u16::try_from(reader.count(section, "redirectPort")?) {
        Ok(port @ 1..) => Some(port),
        Ok(0) | Err(_) => {
            reader.problem(section.start, &section.owner, "`redirectPort` is a number from 1 to 65535");
            None
        }
    }
}

/// Returns the texts of a value, without the values of variables.
pub(super) fn texts_written(value: &Value<'_>) -> Vec<String> {
    match value {
        Value::StringLit(literal) => vec![literal.value.to_string()],
        Value::Array(array) => array.elements.iter().flat_map(texts_written).collect(),
        Value::NumberLit(_) | Value::BooleanLit(_) | Value::Object(_) | Value::NullKeyword(_) => Vec::new(),
    }
}

fn environment(reader: &mut ConfigReader<'_>, section: &Section<'_>) -> BTreeMap<String, String> {
    let entries = section.get("env").and_then(|value| reader.entries(&section.owner, "env", value));
    let mut environment = BTreeMap::new();
    for (start, name, value) in entries.unwrap_or_default() {
        if name.is_empty() || name.contains(['=', '\0']) {
            let message = format!("`{}` cannot be the name of an environment variable", shown(name));
            reader.problem(start, &section.owner, message);
        } else if let Some(text) = reader.text_of(&section.owner, &format!("env.{}", shown(name)), value, "a text") {
            environment.insert(name.to_owned(), text.value);
        }
    }
    environment
}

/// Formats a command as written in the file, with its folder and the names of its environment variables.
fn command_line<'n>(command: &str, args: &[String], cwd: &str, variables: impl Iterator<Item = &'n String>) -> String {
    let words = std::iter::once(command).chain(args.iter().map(String::as_str)).map(word);
    let line = words.collect::<Vec<_>>().join(" ");
    let names: Vec<&str> = variables.map(String::as_str).collect();
    let folder = (!cwd.is_empty()).then(|| format!("in {}", word(cwd)));
    let names = (!names.is_empty()).then(|| format!("with {} in its environment", names.join(", ")));
    let setting: Vec<String> = folder.into_iter().chain(names).collect();
    if setting.is_empty() { line } else { format!("{line} ({})", setting.join(", ")) }
}

/// Formats the environment variables of a command as written in the file.
fn environment_written(variables: &Object<'_>) -> String {
    let assigned = |variable: &ObjectProp<'_>| {
        word(&format!("{}={}", variable.name.as_str(), texts_written(&variable.value).concat()))
    };
    variables.properties.iter().map(assigned).collect::<Vec<_>>().join(" ")
}

fn word(text: &str) -> String {
    let is_plain = |character: char| !character.is_whitespace() && !"'\"".contains(character);
    if !text.is_empty() && text.chars().all(is_plain) { text.to_owned() } else { format!("{text:?}") }
}
