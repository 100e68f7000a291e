//! `mcpServers`, in the format of other MCP clients.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use indexmap::IndexMap;
use jsonc_parser::common::Ranged;

use super::reader::{ConfigReader, Keys, Section, shown};
use super::syntax::Value;

/// An MCP server that runs as a child process and communicates over standard input and output.
///
/// `Debug` hides possible secrets: it shows only the names of environment variables and the number of arguments.
#[derive(Clone, PartialEq, Eq)]
pub struct McpServerConfig {
    /// The program.
    pub command: String,
    /// The arguments.
    pub args: Vec<String>,
    /// The environment variables. The server does not inherit ours.
    pub env: BTreeMap<String, String>,
    /// The working directory.
    pub cwd: Option<PathBuf>,
    /// Whether the hints of its tools may loosen the policy, not only tighten it.
    pub trusted: bool,
    /// Its purpose, in one line.
    pub hint: String,
    /// The maximum time for an answer. If none, only the execution limits it.
    pub timeout: Option<Duration>,
    /// The values of our environment that are in the other fields. Messages must not quote them.
    pub secrets: Vec<String>,
    /// The command as written in the file, without values of our environment.
    pub written: String,
}

impl fmt::Debug for McpServerConfig {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { command, args, env, cwd, trusted, hint, timeout, secrets, written: _ } = self;
        formatter
            .debug_struct("McpServerConfig")
            .field("command", command)
            .field("args", &format_args!("[{} hidden]", args.len()))
            .field("env", &env.keys())
            .field("cwd", cwd)
            .field("trusted", trusted)
            .field("hint", hint)
            .field("timeout", timeout)
            .field("secrets", &format_args!("[{} hidden]", secrets.len()))
            .finish()
    }
}

const NO_TIME: &str = "`timeout` is 0, which leaves no time for any answer; leave it out where there is none";

pub(super) const KEYS: Keys = Keys {
    known: &["command", "args", "env", "cwd", "trusted", "hint", "timeout", "disabled"],
    tolerated: &["type", "url", "headers", "alwaysAllow", "autoApprove"],
    later: &[],
};

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
    if is_remote(reader, &section) {
        return None;
    }
    reader.truth(&section, "disabled");
    for key in ["alwaysAllow", "autoApprove"] {
        if let Some(value) = section.get(key) {
            let message = format!("`{key}` has no effect here; say in `policy` what needs no approval");
            reader.warning(value.start(), &section.owner, message);
        }
    }
    let command = match section.get("command") {
        Some(_) => reader.text(&section, "command"),
        None => {
            let message = "there is no `command`; name the program that is to be started";
            reader.problem(section.start, &section.owner, message);
            None
        }
    };
    if let Some(command) = command.as_ref().filter(|command| command.value.trim().is_empty()) {
        let message = "`command` is empty; name the program that is to be started";
        reader.problem(command.start, &section.owner, message);
    }
    let mut server = McpServerConfig {
        written: String::new(),
        args: reader.texts(&section, "args").unwrap_or_default().into_iter().map(|text| text.value).collect(),
        env: environment(reader, &section),
        cwd: reader.text(&section, "cwd").map(|text| PathBuf::from(text.value)),
        trusted: reader.truth(&section, "trusted").unwrap_or(false),
        hint: reader.text(&section, "hint").map(|text| text.value).unwrap_or_default(),
        timeout: reader.duration(&section, "timeout", NO_TIME),
        secrets: reader.forget_variables(),
        command: command?.value,
    };
    let written = |key| section.get(key).into_iter().flat_map(texts_written).collect::<Vec<_>>();
    server.written = command_line(&server, &written("command").concat(), &written("args"));
    Some(server)
}

/// Returns the texts of a value, without the values of variables.
fn texts_written(value: &Value<'_>) -> Vec<String> {
    match value {
        Value::StringLit(literal) => vec![literal.value.to_string()],
        Value::Array(array) => array.elements.iter().flat_map(texts_written).collect(),
        Value::NumberLit(_) | Value::BooleanLit(_) | Value::Object(_) | Value::NullKeyword(_) => Vec::new(),
    }
}

/// Reports a server that is remote instead of a command. Returns whether it is.
fn is_remote(reader: &mut ConfigReader<'_>, section: &Section<'_>) -> bool {
    const ADVICE: &str =
        "this version starts commands only; give it a `command`, or switch it off with `\"disabled\": true`";
    if let Some(url) = section.get("url") {
        reader.problem(url.start(), &section.owner, format!("it has a `url`, and {ADVICE}"));
        return true;
    }
    if let Some(headers) = section.get("headers") {
        reader.problem(headers.start(), &section.owner, format!("it has `headers`, and {ADVICE}"));
        return true;
    }
    match reader.text(section, "type") {
        Some(transport) if transport.value != "stdio" => {
            reader.problem(transport.start, &section.owner, format!("its `type` is not `stdio`, and {ADVICE}"));
            true
        }
        Some(_) | None => false,
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

/// Formats a command as written in the file, with the names of its environment variables.
fn command_line(server: &McpServerConfig, command: &str, args: &[String]) -> String {
    let words = std::iter::once(command).chain(args.iter().map(String::as_str)).map(word);
    let mut line = words.collect::<Vec<_>>().join(" ");
    if !server.env.is_empty() {
        let names: Vec<&str> = server.env.keys().map(String::as_str).collect();
        line.push_str(&format!(" (with {} in its environment)", names.join(", ")));
    }
    line
}

fn word(text: &str) -> String {
    let is_plain = |character: char| !character.is_whitespace() && !"'\"".contains(character);
    if !text.is_empty() && text.chars().all(is_plain) { text.to_owned() } else { format!("{text:?}") }
}
