//! What a configuration does on this machine before any program runs: what a person has to agree to.

use std::collections::BTreeSet;
use std::fmt;

use super::store::StoreConfig;

/// What a configuration reaches beyond its own folder, in the words of its file: no value of a variable is in it.
///
/// What it is shown with has no arguments: they may be secrets.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Reach {
    /// The commands that it starts, by the name of the server and as they are written.
    pub commands: Vec<(String, String)>,
    /// The environment variables that it reads.
    pub variables: BTreeSet<String>,
    /// Where it keeps executions, where that is not `.isobox` beside it.
    pub store: Option<String>,
}

impl fmt::Debug for Reach {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { commands, variables, store } = self;
        let names: Vec<&str> = commands.iter().map(|(name, _)| name.as_str()).collect();
        formatter
            .debug_struct("Reach")
            .field("commands", &names)
            .field("variables", variables)
            .field("store", &store.is_some())
            .finish()
    }
}

impl Reach {
    /// Whether it does nothing that anybody has to agree to.
    pub fn is_nothing(&self) -> bool {
        let Self { commands, variables, store } = self;
        commands.is_empty() && variables.is_empty() && store.is_none()
    }

    /// What is left where no server is started: variables are read for servers and for the store.
    #[must_use]
    pub fn without_servers(self) -> Self {
        match self.store {
            Some(_) => Self { commands: Vec::new(), ..self },
            None => Self::default(),
        }
    }
}

/// Where a store is, as it is written, where that is not the usual place.
pub(super) fn elsewhere(store: &StoreConfig, written: &str) -> Option<String> {
    match store {
        StoreConfig::Sqlite(path) if *path != *StoreConfig::DEFAULT_PATH => Some(written.to_owned()),
        StoreConfig::Postgres { .. } => Some("a PostgreSQL server".to_owned()),
        StoreConfig::Sqlite(_) | StoreConfig::Nowhere => None,
    }
}
