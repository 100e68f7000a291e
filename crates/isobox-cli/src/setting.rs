//! The configuration that a command works with, and what people are told while its servers start.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use isobox::config::{Config, StoreConfig};
use isobox::{Failure, Ready, Workspace, marked};

use crate::style::{Colours, Look, print_error};

/// What is read where no other file is named.
const DEFAULT_FILE: &str = "isobox.json";

/// What the file says that was named, or `isobox.json` of this folder, or nothing at all.
pub(crate) fn read_config(file: Option<&Path>) -> Result<Config> {
    let file = match file {
        Some(file) => file.to_owned(),
        None if Path::new(DEFAULT_FILE).exists() => PathBuf::from(DEFAULT_FILE),
        None => return Ok(Config::default()),
    };
    let config = Config::read(&file, &environment)?;
    for warning in &config.warnings {
        warn(warning);
    }
    Ok(config)
}

/// The same, for a command that keeps executions: where it was told to, it keeps them elsewhere.
pub(crate) fn read_config_and_store(file: Option<&Path>, store: Option<&str>) -> Result<Config> {
    let mut config = read_config(file)?;
    if let Some(store) = store {
        let is_server = store.starts_with("postgres");
        let key = if is_server { environment("ISOBOX_STORE_KEY") } else { None };
        config.store = StoreConfig::parse(store, key.as_deref()).map_err(|problem| anyhow!("--store: {problem}"))?;
    }
    Ok(config)
}

#[expect(clippy::disallowed_methods, reason = "this is where the environment enters")]
pub(crate) fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Opens the store of a workspace, or says what to do where that cannot be done.
pub(crate) async fn open_store(workspace: &Workspace) -> Result<isobox::Isobox, Failure> {
    workspace.archive().await.map_err(|failure| {
        let hint = failure.hint.as_ref().map(|hint| format!("{hint}; or ")).unwrap_or_default();
        Failure {
            message: format!("executions cannot be kept: {}", failure.message),
            hint: Some(format!("{hint}name another place with --store, or keep nothing with --store none")),
            ..failure
        }
    })
}

/// Starts the servers of a workspace, and says what becomes of them.
pub(crate) async fn start(workspace: &Workspace) -> Result<Ready, Failure> {
    announce(workspace);
    let ready = workspace.ready().await?;
    tell(&ready);
    Ok(ready)
}

/// The same with the store of the workspace, which is opened first.
pub(crate) async fn start_durably(workspace: &Workspace) -> Result<Ready, Failure> {
    open_store(workspace).await?;
    announce(workspace);
    let ready = workspace.durable().await?;
    tell(&ready);
    Ok(ready)
}

fn announce(workspace: &Workspace) {
    let count = workspace.config().mcp_servers.len();
    let is_watched = Colours::of_standard_error() == Colours::On;
    if count > 0 && is_watched {
        print_error(&Colours::On.paint(Look::Faint, &format!("starting {count} servers …")));
    }
}

/// What is missing from a workspace, and why.
pub(crate) fn tell(ready: &Ready) {
    for problem in ready.problems.iter() {
        warn(&problem.message);
        if let Some(hint) = &problem.hint {
            print_error(&format!("  {}", marked(hint)));
        }
    }
    for warning in ready.isobox.catalogue().warnings() {
        warn(warning);
    }
}

/// Warns of something. What is quoted in it can be anything.
pub(crate) fn warn(text: &str) {
    let colours = Colours::of_standard_error();
    print_error(&format!("{} {}", colours.paint(Look::Warning, "warn:"), marked(text)));
}
