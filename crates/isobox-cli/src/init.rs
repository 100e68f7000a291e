//! `isobox init`: writes a configuration, with the servers of other clients' files if they are named.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use isobox::config::{ConfigError, ConfigFile, ConfigText};
use isobox::json;
use isobox::text::brief;

use crate::Exit;
use crate::arguments::InitOptions;
use crate::commands::quoted;
use crate::import::import;
use crate::secrets::Secrets;
use crate::setting::{DEFAULT_FILE, environment, missing_variables};
use crate::style::{print_json, print_lines, warn};

/// The configuration that there is at first.
pub(crate) const TEMPLATE: &str = r#"{
  "$schema": "./isobox.schema.json",

  // MCP servers: `isobox add NAME -- COMMAND` or `isobox add NAME URL` adds one.
  // ${NAME} stands for an environment variable. Secrets belong there, not here.
  //   "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."], "cwd": "." },
  //   "docs": { "url": "https://docs.example.com/mcp", "headers": { "Authorization": "Bearer ${DOCS_TOKEN}" } }
  "mcpServers": {},

  // Web services with an OpenAPI document: `isobox add NAME FILE` or `isobox add NAME URL` adds one.
  //   "shop": { "spec": "./shop.yaml", "auth": { "bearer": "${SHOP_TOKEN}" } }
  "openapi": {},

  // Who may call what, and when a person is asked. The first rule that decides counts.
  //   { "tools": "files.write_file", "require": "approval" }
  "policy": [],

  // Programs that wait for people are stored here.
  "store": "sqlite:.isobox/isobox.db",
}
"#;

/// The JSON Schema of configurations, for editors.
const SCHEMA: &str = include_str!("../isobox.schema.json");

pub(crate) fn init(options: &InitOptions) -> Result<Exit> {
    let file = options.config.as_deref().unwrap_or(Path::new(DEFAULT_FILE));
    if file.symlink_metadata().is_ok() {
        bail!("{}", exists(file));
    }
    let mut text = ConfigText::parse(Some(file), TEMPLATE)?;
    let (mut secrets, mut names) = (Secrets::default(), Vec::new());
    for other in &options.import {
        let imported = import(other, &mut secrets)?;
        let place = other.display();
        for warning in &imported.warnings {
            warn(&format!("{place}: {warning}"));
        }
        if imported.servers.is_empty() {
            warn(&format!("{place}: there are no servers in it"));
        }
        for (name, entry) in imported.servers {
            let shown = brief(&name, 80);
            if text.section_of(&name).is_some() {
                warn(&format!("{place}: `{shown}` was not imported: an earlier file has a server with this name"));
                continue;
            }
            match text.set("mcpServers", &name, &entry) {
                Ok(()) => names.push(shown),
                Err(error) => warn(&format!("{place}: `{shown}` was not imported: {}", reasons(&error))),
            }
        }
    }
    create(file, &text)?;
    let with = match names.len() {
        0 => String::new(),
        1 => format!(" with 1 server: {}", names[0]),
        count => format!(" with {count} servers: {}", names.join(", ")),
    };
    let flag = options.config.as_deref().map(config_flag).unwrap_or_default();
    let to_do = to_do(file, &secrets);
    let next = match names.is_empty() {
        true => format!("isobox add NAME{flag} -- COMMAND, or isobox add NAME URL{flag}"),
        false => format!("isobox doctor{flag}"),
    };
    if options.json {
        let done = json!({ "file": file.display().to_string(), "servers": names, "toDo": to_do, "next": next });
        print_json(&done.to_string())?;
    } else {
        let lines = [vec![format!("wrote {}{with}", file.display())], to_do, vec![format!("next: {next}")]];
        print_lines(&lines.concat().join("\n"))?;
    }
    Ok(Exit::Completed)
}

fn exists(file: &Path) -> String {
    let file = file.display();
    format!(
        "{file} is already there and stays as it is; add to it with `isobox add`, or name another file with --config"
    )
}

/// Creates a configuration that is not there yet, and the schema that it names.
pub(crate) fn create(file: &Path, text: &ConfigText) -> Result<()> {
    let create = |path: &Path, content: &str| {
        let mut new = OpenOptions::new().write(true).create_new(true).open(path)?;
        let written = new.write_all(content.as_bytes()).and_then(|()| new.sync_all());
        if written.is_err() {
            drop(fs::remove_file(path));
        }
        written
    };
    match create(file, text.as_str()) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => bail!("{}", exists(file)),
        written => written.with_context(|| format!("cannot write {}", file.display()))?,
    }
    let schema = file.with_file_name("isobox.schema.json");
    match create(&schema, SCHEMA) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            warn(&format!("editors cannot check the file: cannot write {}: {error}", schema.display()));
        }
        Ok(()) | Err(_) => {}
    }
    Ok(())
}

/// Says what has to be done before a configuration that was written can be used.
pub(crate) fn to_do(file: &Path, secrets: &Secrets) -> Vec<String> {
    let read = ConfigFile::read(file);
    let mut missing = read.as_ref().map(missing_variables).unwrap_or_default();
    let parsed = read.and_then(|file| file.parse(&environment));
    let mut lines = Vec::new();
    for (variable, place) in secrets.replaced() {
        lines.push(format!("set {variable} to the value of {place}: secrets are not written to the file"));
        missing.remove(variable);
    }
    if !missing.is_empty() {
        let names: Vec<&str> = missing.iter().map(String::as_str).collect();
        lines.push(format!("set {}: the configuration needs environment variables", names.join(", ")));
    } else if let Err(error) = parsed
        && secrets.replaced().is_empty()
    {
        lines.push(format!("correct {}: {}", file.display(), reasons(&error)));
    }
    lines
}

/// Returns the problems of a configuration in one line.
pub(crate) fn reasons(error: &ConfigError) -> String {
    let messages: Vec<&str> = error.problems().iter().map(|problem| problem.message.as_str()).collect();
    messages.join("; ")
}

/// Returns an error without the place in a text that the user does not know.
pub(crate) fn without_place(error: ConfigError) -> anyhow::Error {
    match error.file() {
        Some(_) => error.into(),
        None => anyhow!("{}", reasons(&error)),
    }
}

/// Returns the option that names a configuration.
pub(crate) fn config_flag(file: &Path) -> String {
    format!(" --config {}", quoted(&file.display().to_string()))
}
