//! Reads the configuration of a command, opens its store and starts its servers.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use isobox::config::{Config, ConfigError, ConfigFile, Reach, StoreConfig};
use isobox::connector::{Ready, ServiceStatus, TokenStore};
use isobox::store::Retention;
use isobox::workspace::{Freshness, KeptOffers, KnownStores, TokenFiles, Workspace, WorkspaceOptions};
use isobox::{Failure, Isobox};

use crate::notices::{Notice, tell};
use crate::state::{NO_HOME, state_folder};
use crate::style::{Colours, Look, is_quiet, print_error, warn};
use crate::trust::{self, Asks};

/// The configuration file that is read if no other is named.
pub(crate) const DEFAULT_FILE: &str = "isobox.json";

/// The folder of the known stores, in the state folder.
const STORES: &str = "stores";

/// The configuration of a command, and the parts of it that the command uses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'a> {
    /// The file that was named. Otherwise `isobox.json` in the current folder, if it exists.
    pub(crate) file: Option<&'a Path>,
    /// Whether `--trust` was given.
    pub(crate) is_trusted: bool,
    pub(crate) needs: Needs,
    pub(crate) asks: Asks,
}

/// The part of a configuration that a command uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    /// The servers, which are started.
    Servers,
    /// Only the store.
    Store,
    /// Only what the command line names. The limits and rules of the configuration apply.
    Nothing,
}

/// Reads the configuration. Returns an empty one if there is no file.
pub(crate) fn read_config(wanted: Wanted<'_>) -> Result<Config> {
    Ok(read(wanted)?.0)
}

/// Reads the configuration, and returns it with its file.
fn read(wanted: Wanted<'_>) -> Result<(Config, Option<ConfigFile>)> {
    let named = wanted.file.or_else(|| Path::new(DEFAULT_FILE).exists().then_some(Path::new(DEFAULT_FILE)));
    let Some(path) = named else { return Ok((Config::default(), None)) };
    let read = || {
        let file = ConfigFile::read(path)?;
        Ok((file.parse(&environment)?, file))
    };
    let (mut config, file) = read().map_err(|error: ConfigError| anyhow::Error::new(error))?;
    let reach = match wanted.needs {
        Needs::Servers => config.reach.clone(),
        Needs::Store => {
            // No program is prepared that could import them.
            config.modules.clear();
            config.reach.clone().without_servers()
        }
        Needs::Nothing => {
            config.modules.clear();
            config.store = StoreConfig::Nowhere;
            Reach::default()
        }
    };
    if !wanted.trusts(&file) && !reach.is_nothing() {
        trust::agree(&file, &reach, wanted.asks, &environment)?;
    }
    for warning in &config.warnings {
        warn(warning);
    }
    Ok((config, Some(file)))
}

impl Wanted<'_> {
    /// Tells whether the command line says that the file may have its effects.
    fn trusts(&self, file: &ConfigFile) -> bool {
        self.is_trusted || (self.file.is_some() && file.stranger().is_none())
    }
}

/// Uses the default retention, unless the person has agreed to the file. The retention of a checkout of another person's
/// work would end and delete executions of a store that is not its own.
fn keep_by_default(config: &mut Config, file: &ConfigFile, wanted: Wanted<'_>) -> Result<()> {
    if config.retention == Retention::default() || wanted.trusts(file) || trust::has_agreed(file, &environment)? {
        return Ok(());
    }
    config.retention = Retention::default();
    let file = file.path().display();
    warn(&format!(
        "{file} is not trusted, so its `retention` is not used for the store that `--store` names; name the file \
         (`--config {file}`), or pass --trust"
    ));
    Ok(())
}

/// Reads the configuration and replaces its store with the `--store` option, if given. The configured store of another
/// person is used only if this user agrees.
pub(crate) fn read_config_and_store(wanted: Wanted<'_>, store: Option<&str>) -> Result<Config> {
    let (mut config, file) = read(wanted)?;
    match store {
        Some(store) => {
            let is_server = store.starts_with("postgres");
            let key = if is_server { environment("ISOBOX_STORE_KEY") } else { None };
            let store = StoreConfig::parse(store, key.as_deref()).map_err(|problem| anyhow!("--store: {problem}"))?;
            let is_its_own =
                matches!((&store, &config.store), (StoreConfig::Sqlite(one), StoreConfig::Sqlite(own)) if one == own);
            if let Some(file) = file.filter(|_| !is_its_own) {
                keep_by_default(&mut config, &file, wanted)?;
            }
            config.store = store;
        }
        // Without servers, no call is made.
        None if wanted.needs == Needs::Servers && wanted.file.is_none() && !wanted.is_trusted => {
            trust::agree_to_store(&config.store, known_stores().as_ref(), wanted.asks)?;
        }
        None => {}
    }
    Ok(config)
}

/// Returns the place in which the stores of this user are remembered.
fn known_stores() -> Option<KnownStores> {
    state_folder(&environment).map(|folder| KnownStores::new(folder.join(STORES)))
}

#[expect(clippy::disallowed_methods, reason = "this is where the environment enters")]
pub(crate) fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Returns the names of all variables that a configuration needs and that are not set.
pub(crate) fn missing_variables(file: &ConfigFile) -> BTreeSet<String> {
    let missing = RefCell::new(BTreeSet::new());
    // With a value for every variable, the parser goes on to the next one. Its other problems are found without them.
    let any_value = |name: &str| {
        environment(name).or_else(|| {
            missing.borrow_mut().insert(name.to_owned());
            Some("https://variable.example".to_owned())
        })
    };
    drop(file.parse(&any_value));
    missing.into_inner()
}

/// Returns how fresh the lists of tools must be for a program that begins.
pub(crate) fn freshness(refresh: bool) -> Freshness {
    if refresh { Freshness::Asked } else { Freshness::Quick }
}

/// Returns the options of every workspace: lists of tools, logins and known stores are kept in the state folder of this user. They are not kept
/// beside the store, because that folder may be part of a checkout, and models read what servers say about tools.
pub(crate) fn workspace_options(freshness: Freshness) -> WorkspaceOptions {
    let state = state_folder(&environment);
    let kept = state.as_ref().map(|folder| KeptOffers::new(folder.join("servers")).freshness(freshness));
    let tokens = state.map(|folder| Arc::new(TokenFiles::new(folder.join("logins"))) as Arc<dyn TokenStore>);
    WorkspaceOptions::default().kept_offers(kept).tokens(tokens).known_stores(known_stores())
}

/// Opens the store of a workspace for a command that runs programs.
pub(crate) async fn open_store(workspace: &Workspace) -> Result<Isobox, Failure> {
    open(workspace, "name another store with --store, or store nothing with --store none").await
}

/// Opens the store of a workspace for a command about stored executions.
pub(crate) async fn reach_store(workspace: &Workspace) -> Result<Isobox, Failure> {
    open(workspace, "name another store with --store").await
}

async fn open(workspace: &Workspace, elsewhere: &str) -> Result<Isobox, Failure> {
    let store = &workspace.config().store;
    let is_new = matches!(store.fingerprint(), Ok(None));
    let opened = workspace.archive().await;
    let opened = opened.map_err(|failure| unusable("cannot open the store", elsewhere, failure))?;
    if is_new {
        warn_unless_remembered(store);
    }
    Ok(opened)
}

/// Warns if a store that was created just now is not remembered, because later commands ask about it.
fn warn_unless_remembered(store: &StoreConfig) {
    // Only a store in a file has a fingerprint, and is asked about.
    let Ok(Some(fingerprint)) = store.fingerprint() else { return };
    if known_stores().is_some_and(|known| known.has(&fingerprint)) {
        return;
    }
    let why = match state_folder(&environment) {
        Some(folder) => format!("{} cannot be written", folder.join(STORES).display()),
        None => NO_HOME.to_owned(),
    };
    warn(&format!("the new store cannot be remembered, so later commands ask whether you trust it: {why}"));
}

/// Opens the store of a workspace read-only, which needs no write permission.
pub(crate) async fn look_at_store(workspace: &Workspace) -> Result<Isobox, Failure> {
    let elsewhere = "name another store with --store";
    workspace.look().await.map_err(|failure| unusable("cannot open the store", elsewhere, failure))
}

fn unusable(what: &str, elsewhere: &str, mut failure: Failure) -> Failure {
    let hint = failure.hint.as_ref().map(|hint| format!("{hint}; or ")).unwrap_or_default();
    failure.message = format!("{what}: {}", failure.message);
    failure.hint(format!("{hint}{elsewhere}"))
}

/// Starts the servers of a workspace and reports problems.
pub(crate) async fn start(workspace: &Workspace) -> Result<Ready, Failure> {
    announce(workspace);
    let ready = workspace.ready().await?;
    tell(&ready);
    Ok(ready)
}

/// Opens the store of a workspace, then starts its servers and reports problems.
pub(crate) async fn start_durably(workspace: &Workspace) -> Result<Ready, Failure> {
    open_store(workspace).await?;
    announce(workspace);
    let ready = workspace.durable().await?;
    tell(&ready);
    Ok(ready)
}

fn announce(workspace: &Workspace) {
    let count = workspace.to_be_asked();
    let is_watched = Colours::of_standard_error() == Colours::On;
    if count > 0 && is_watched && !is_quiet() {
        let servers = if count == 1 { "server" } else { "servers" };
        print_error(&Colours::On.paint(Look::Faint, &format!("starting {count} {servers} …")));
    }
}

/// Prints why servers failed that were started for a call. Servers that failed before are in `ready`.
pub(crate) fn tell_failed_servers(workspace: &Workspace, ready: &Ready) {
    for report in workspace.connectors() {
        if let ServiceStatus::Failed(error) = report.status
            && !ready.problems.iter().any(|problem| problem.message == error.message())
        {
            Notice::from(&Failure::from(error)).tell_once();
        }
    }
}
