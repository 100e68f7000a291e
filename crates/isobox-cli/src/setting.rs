//! The configuration that a command works with, and what people are told while its servers start.

use std::path::Path;

use anyhow::{Result, anyhow};
use isobox::config::{Config, ConfigError, ConfigFile, StoreConfig};
use isobox::connector::Ready;
use isobox::text::marked;
use isobox::workspace::Workspace;
use isobox::{Failure, Isobox};

use crate::style::{Colours, Look, print_error, warn};
use crate::trust::{self, Asks};

/// What is read where no other file is named.
const DEFAULT_FILE: &str = "isobox.json";

/// Which configuration a command works with, and how far it goes with it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'a> {
    /// The file that was named; `isobox.json` of this folder otherwise, where there is one.
    pub(crate) file: Option<&'a Path>,
    /// Whether `--trust` was given.
    pub(crate) is_trusted: bool,
    pub(crate) needs: Needs,
    pub(crate) asks: Asks,
}

/// What of a configuration a command uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    /// Its servers are started.
    Servers,
    /// Only its store is used.
    Store,
}

/// What a configuration says, or nothing at all where there is none.
pub(crate) fn read_config(wanted: Wanted<'_>) -> Result<Config> {
    let named = wanted.file.or_else(|| Path::new(DEFAULT_FILE).exists().then_some(Path::new(DEFAULT_FILE)));
    let Some(path) = named else { return Ok(Config::default()) };
    let read = || {
        let file = ConfigFile::read(path)?;
        Ok((file.parse(&environment)?, file))
    };
    let (config, file) = read().map_err(|error: ConfigError| anyhow::Error::new(error))?;
    let reach = match wanted.needs {
        Needs::Servers => config.reach.clone(),
        Needs::Store => config.reach.clone().without_servers(),
    };
    let is_named = wanted.file.is_some() && file.stranger().is_none();
    if !wanted.is_trusted && !is_named && !reach.is_nothing() {
        trust::agree(&file, &reach, wanted.asks, &environment)?;
    }
    for warning in &config.warnings {
        warn(warning);
    }
    Ok(config)
}

/// The same, for a command that keeps executions: where it was told to, it keeps them elsewhere.
pub(crate) fn read_config_and_store(wanted: Wanted<'_>, store: Option<&str>) -> Result<Config> {
    let mut config = read_config(wanted)?;
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
pub(crate) async fn open_store(workspace: &Workspace) -> Result<Isobox, Failure> {
    let elsewhere = "name another place with --store, or keep nothing with --store none";
    workspace.archive().await.map_err(|failure| unusable("executions cannot be kept", elsewhere, failure))
}

/// Opens the store of a workspace for a command about executions that are in it.
pub(crate) async fn reach_store(workspace: &Workspace) -> Result<Isobox, Failure> {
    let elsewhere = "name another place with --store";
    workspace.archive().await.map_err(|failure| unusable("executions cannot be reached", elsewhere, failure))
}

/// Opens the store of a workspace to look at it, which needs no right to write.
pub(crate) async fn look_at_store(workspace: &Workspace) -> Result<Isobox, Failure> {
    let elsewhere = "name another place with --store";
    workspace.look().await.map_err(|failure| unusable("executions cannot be looked at", elsewhere, failure))
}

fn unusable(what: &str, elsewhere: &str, mut failure: Failure) -> Failure {
    let hint = failure.hint.as_ref().map(|hint| format!("{hint}; or ")).unwrap_or_default();
    failure.message = format!("{what}: {}", failure.message);
    failure.hint(format!("{hint}{elsewhere}"))
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
    let count = workspace.connectors().len();
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
    for warning in ready.isobox.warnings() {
        warn(warning);
    }
}
