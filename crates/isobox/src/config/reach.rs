//! The effects of a configuration on this machine before any program runs. A person has to agree to them.

use std::collections::BTreeSet;
use std::fmt;

use isobox_core::store::Retention;

use super::store::StoreConfig;

/// The parts of a configuration that reach beyond its own folder, as written in the file, without values of variables.
///
/// `Debug` shows no arguments and no values of variables, because they may be secrets.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Reach {
    /// The commands that it starts, by the name of the server and as written in the file.
    pub commands: Vec<(String, String)>,
    /// The environment variables that it sets for commands, by the name of the server and as written in the file. Their
    /// values may be secrets.
    pub environment: Vec<(String, String)>,
    /// The web services that it sends requests to, by name, with their address or document as written in the file.
    pub services: Vec<(String, String)>,
    /// The files that it reads, as written: modules and the documents of services.
    pub files: BTreeSet<String>,
    /// The environment variables that it reads.
    pub variables: BTreeSet<String>,
    /// The store, if it is not `.isobox` beside the file.
    pub store: Option<String>,
    /// The retention in words, if it is not the default one. It ends and deletes executions of the store that is used.
    pub retention: Option<String>,
}

impl fmt::Debug for Reach {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { commands, environment, services, files, variables, store, retention } = self;
        let names: Vec<&str> = commands.iter().map(|(name, _)| name.as_str()).collect();
        formatter
            .debug_struct("Reach")
            .field("commands", &names)
            .field("environment", &environment.len())
            .field("services", &services.len())
            .field("files", files)
            .field("variables", variables)
            .field("store", &store.is_some())
            .field("retention", retention)
            .finish()
    }
}

impl Reach {
    /// Tells whether there is nothing to agree to. The retention alone is about the store beside the file.
    pub fn is_nothing(&self) -> bool {
        Self { retention: None, ..self.clone() } == Self::default()
    }

    /// Returns the rest if no server is started and no program runs. Variables are read for servers and for the store.
    #[must_use]
    pub fn without_servers(self) -> Self {
        match self.store {
            Some(_) => {
                Self { variables: self.variables, store: self.store, retention: self.retention, ..Self::default() }
            }
            None => Self::default(),
        }
    }
}

/// Returns the retention in words, if it is not the default one.
pub(super) fn in_words(retention: &Retention) -> Option<String> {
    let Retention { keep, expire_after, .. } = retention;
    let words = || format!("keeps {keep} finished executions, and ends executions that wait for {expire_after:?}");
    (*retention != Retention::default()).then(words)
}

/// Returns the store as written in the file, if it is not the default one.
pub(super) fn elsewhere(store: &StoreConfig, written: &str) -> Option<String> {
    match store {
        StoreConfig::Sqlite(path) if *path != *StoreConfig::DEFAULT_PATH => Some(written.to_owned()),
        StoreConfig::Postgres { .. } => Some("a PostgreSQL server".to_owned()),
        StoreConfig::Sqlite(_) | StoreConfig::Nowhere => None,
    }
}
