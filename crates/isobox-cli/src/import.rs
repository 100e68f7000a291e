//! Reads the MCP servers of other clients' files.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use isobox::config::{Config, parse_foreign};
use isobox::store::owned;
use isobox::text::brief;
use isobox::{Value, json};
use serde_json::Map;

use crate::secrets::Secrets;

/// The servers of a file, as they are written in a configuration, and what was left out.
#[derive(Debug, Default)]
pub(crate) struct Imported {
    pub(crate) servers: Vec<(String, Value)>,
    /// One line each.
    pub(crate) warnings: Vec<String>,
}

/// Reads the servers of a file. Literal secrets do not leave it.
pub(crate) fn import(file: &Path, secrets: &mut Secrets) -> Result<Imported> {
    let mut bytes = Vec::new();
    let opened = owned::open_to_read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let read = opened.take(Config::MAX_SIZE.get() + 1).read_to_end(&mut bytes);
    read.with_context(|| format!("cannot read {}", file.display()))?;
    let content = match file.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("toml") => parse_toml(file, &bytes)?,
        Some(_) | None => parse_foreign(file, &bytes)?,
    };
    let Some(servers) = servers_of(&content) else {
        bail!(
            "{} has no MCP servers: neither `mcpServers`, nor `servers`, nor `context_servers`, nor `mcp_servers` is an object in it",
            file.display()
        );
    };
    let mut imported = Imported::default();
    for (name, value) in servers {
        let mut server = Server { name, entry: Map::new(), left_out: Vec::new(), secrets: &mut *secrets };
        server.read(value);
        let Server { entry, left_out, .. } = server;
        let name_shown = brief(name, 80);
        if !left_out.is_empty() {
            imported.warnings.push(format!("`{name_shown}`: left out {}", left_out.join(", ")));
        }
        if entry.contains_key("command") || entry.contains_key("url") {
            imported.servers.push((name.clone(), Value::Object(entry)));
        } else {
            imported.warnings.push(format!("`{name_shown}` was not imported: it has no command and no address"));
        }
    }
    Ok(imported)
}

/// Parses the file of a client that is written in TOML. An error has its place, and repeats no value.
fn parse_toml(file: &Path, bytes: &[u8]) -> Result<Value> {
    let place = file.display();
    if !Config::MAX_SIZE.holds(bytes.len()) {
        bail!("{place} is too large for a list of servers: the limit is {}", Config::MAX_SIZE);
    }
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    toml::from_str(text).map_err(|error| {
        let before = &text[..text.floor_char_boundary(error.span().map_or(0, |span| span.start))];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        anyhow!("{place}:{line}:{column}: this is not TOML: {}", brief(error.message(), 200))
    })
}

/// Finds the servers of Claude, Cursor and Windsurf (`mcpServers`), of VS Code (`servers`, or `mcp` in its settings), of Zed
/// (`context_servers`), and of Codex (`mcp_servers`).
fn servers_of(content: &Value) -> Option<&Map<String, Value>> {
    ["/mcpServers", "/servers", "/context_servers", "/mcp/servers", "/mcp_servers"]
        .into_iter()
        .find_map(|place| content.pointer(place)?.as_object())
}

struct Server<'a> {
    name: &'a str,
    entry: Map<String, Value>,
    /// The keys that were left out, with the reason where it helps.
    left_out: Vec<String>,
    secrets: &'a mut Secrets,
}

impl Server<'_> {
    fn read(&mut self, value: &Value) {
        let Some(keys) = value.as_object() else { return };
        for (key, value) in keys {
            let taken = match (key.as_str(), value) {
                ("command" | "path", Value::String(command)) => self.text("command", command),
                // Zed had the arguments below the command.
                ("command", Value::Object(_)) => {
                    self.read(value);
                    true
                }
                ("args", Value::Array(arguments)) => self.arguments(arguments),
                ("env", Value::Object(variables)) => self.texts("env", variables),
                ("headers" | "http_headers", Value::Object(headers)) => self.texts("headers", headers),
                ("env_http_headers", Value::Object(names)) => self.named_headers(names),
                ("bearer_token_env_var", Value::String(name)) => {
                    self.named("headers", "Authorization", "Bearer ", name)
                }
                ("env_vars", Value::Array(names)) => self.passed_on(names),
                ("tool_timeout_sec", Value::Number(seconds)) => self.timeout(seconds),
                ("cwd", Value::String(folder)) => self.text("cwd", folder),
                ("url" | "serverUrl" | "httpUrl", Value::String(url)) => {
                    let url = self.secrets.address(self.name, &translated(url));
                    self.entry.insert("url".to_owned(), url.into());
                    true
                }
                ("type", Value::String(kind)) => {
                    let is_known = ["stdio", "http", "streamable-http", "streamableHttp", "sse"].contains(&&**kind);
                    is_known && self.text("type", kind)
                }
                ("disabled", Value::Bool(disabled)) => self.disabled(*disabled),
                ("enabled", Value::Bool(enabled)) => self.disabled(!enabled),
                // Where Zed has the server from.
                ("source", Value::String(_)) => true,
                _ => false,
            };
            if !taken {
                self.left_out.push(format!("`{}`", brief(key, 60)));
            }
        }
    }

    fn text(&mut self, key: &str, text: &str) -> bool {
        self.entry.insert(key.to_owned(), translated(text).into());
        true
    }

    fn disabled(&mut self, is_disabled: bool) -> bool {
        if is_disabled {
            self.entry.insert("disabled".to_owned(), json!(true));
        }
        true
    }

    fn arguments(&mut self, arguments: &[Value]) -> bool {
        let texts: Option<Vec<String>> =
            arguments.iter().map(|one| text_of(one).map(|text| translated(&text))).collect();
        let Some(texts) = texts else { return false };
        let written = self.secrets.arguments(self.name, &texts);
        self.entry.insert("args".to_owned(), json!(written));
        true
    }

    fn texts(&mut self, section: &str, texts: &Map<String, Value>) -> bool {
        let mut written = Map::new();
        for (key, value) in texts {
            let Some(text) = text_of(value).map(|text| translated(&text)) else {
                self.left_out.push(format!("`{section}.{}`", brief(key, 60)));
                continue;
            };
            let text = match section {
                "env" => self.secrets.variable(self.name, key, &text),
                _ => self.secrets.header(self.name, key, &text),
            };
            written.insert(key.clone(), text.into());
        }
        self.section(section).extend(written);
        true
    }

    /// Adds headers whose values are those of environment variables.
    fn named_headers(&mut self, names: &Map<String, Value>) -> bool {
        for (header, name) in names {
            if !name.as_str().is_some_and(|name| self.named("headers", header, "", name)) {
                self.left_out.push(format!("`env_http_headers.{}`", brief(header, 60)));
            }
        }
        true
    }

    /// Adds environment variables that the command gets as they are.
    fn passed_on(&mut self, names: &[Value]) -> bool {
        for name in names {
            let name = name.as_str().or_else(|| name.get("name")?.as_str()).unwrap_or_default();
            if !self.named("env", name, "", name) {
                self.left_out.push(format!("`env_vars`: `{}`", brief(name, 60)));
            }
        }
        true
    }

    /// Adds a value that is an environment variable after a beginning. Returns false if the name is not one.
    fn named(&mut self, section: &str, key: &str, beginning: &str, name: &str) -> bool {
        let is_name = is_variable(name);
        if is_name {
            self.section(section).insert(key.to_owned(), format!("{beginning}${{{name}}}").into());
        }
        is_name
    }

    fn timeout(&mut self, seconds: &serde_json::Number) -> bool {
        let milliseconds = seconds.as_f64().map(|seconds| (seconds * 1_000.0).round());
        let Some(milliseconds) = milliseconds.filter(|time| (1.0..1e12).contains(time)) else { return false };
        self.entry.insert("timeout".to_owned(), format!("{milliseconds}ms").into());
        true
    }

    fn section(&mut self, name: &str) -> &mut Map<String, Value> {
        let section = self.entry.entry(name).or_insert_with(|| Value::Object(Map::new()));
        section.as_object_mut().expect("every section is an object")
    }
}

/// Tells whether a text is the name of an environment variable, as a configuration can have it.
fn is_variable(name: &str) -> bool {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    !name.is_empty() && !name.starts_with(|first: char| first.is_ascii_digit()) && name.chars().all(is_part)
}

/// Returns a value as text. Some clients accept numbers.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Writes the variables of other clients as ours: `${env:NAME}`, `${input:name}`, `${NAME:-default}`,
/// `${workspaceFolder}` and `${userHome}`. Anything else that is not a variable stays the text that it is.
fn translated(text: &str) -> String {
    let mut written = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        written.push_str(before);
        let Some((inside, behind)) = after.split_once('}') else {
            // Nothing in the rest is a variable.
            return format!("{written}$${{{}", after.replace("${", "$${"));
        };
        let name = |text: &str| {
            let upper = text.replace(|character: char| !character.is_ascii_alphanumeric(), "_");
            if upper.starts_with(|first: char| first.is_ascii_digit()) { format!("_{upper}") } else { upper }
        };
        let is_name = |text: &str| !text.is_empty() && text == name(text);
        match inside.split_once(':') {
            _ if inside == "workspaceFolder" => written.push('.'),
            _ if inside == "userHome" => written.push_str("${HOME}"),
            Some(("env", variable)) if is_name(variable) => written.push_str(&format!("${{{variable}}}")),
            Some(("input", input)) if !input.is_empty() => {
                written.push_str(&format!("${{{}}}", name(input).to_uppercase()));
            }
            Some((variable, default)) if default.starts_with('-') && is_name(variable) => {
                written.push_str(&format!("${{{variable}}}"));
            }
            None if is_name(inside) => written.push_str(&format!("${{{inside}}}")),
            Some(_) | None => written.push_str(&format!("$${{{inside}}}")),
        }
        rest = behind;
    }
    written + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_other_clients_become_ours() {
        for (text, expected) in [
            ("plain", "plain"),
            ("${env:GITHUB_TOKEN}", "${GITHUB_TOKEN}"),
            ("Bearer ${input:github-token}!", "Bearer ${GITHUB_TOKEN}!"),
            ("${NAME} ${PORT:-80}", "${NAME} ${PORT}"),
            ("${workspaceFolder}/a ${userHome}", "./a ${HOME}"),
            ("${command:x} ${a b} ${", "$${command:x} $${a b} $${"),
        ] {
            assert_eq!(translated(text), expected);
        }
    }
}
