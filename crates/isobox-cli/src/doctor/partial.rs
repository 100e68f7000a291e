//! Reads a configuration as far as its environment variables are set, so that one that is missing does not hide the rest.

use std::collections::BTreeSet;

use isobox::config::{Config, ConfigFile, StoreConfig};

use super::report::Check;
use crate::setting::environment;

/// A part of a configuration.
pub(super) struct Partial {
    /// The sections and entries that need no missing variable.
    pub(super) config: Config,
    /// The parts that were left out, as failed checks.
    pub(super) left_out: Vec<Check>,
    /// Whether the store was left out.
    pub(super) is_store_missing: bool,
}

/// The maximum number of variables that are looked for one by one.
const MAX_NAMED: usize = 20;

/// Reads a configuration without the parts that need these variables. Returns none if it has other problems.
pub(super) fn without_missing(file: &ConfigFile, missing: &BTreeSet<String>) -> Option<Partial> {
    let filled = |value: &str| file.parse(&|name| environment(name).or_else(|| Some(value.to_owned()))).ok();
    // Whatever depends on a missing variable is different for different values.
    let (mut config, other) = (filled("https://variable.example")?, filled("https://other-variable.example")?);
    let single: Vec<(&str, Config)> = missing
        .iter()
        .take(MAX_NAMED)
        .filter_map(|name| {
            let value =
                |one: &str| if one == name { "https://other-variable.example" } else { "https://variable.example" };
            let parsed = file.parse(&|one| environment(one).or_else(|| Some(value(one).to_owned())));
            Some((name.as_str(), parsed.ok()?))
        })
        .collect();
    let mut left_out = Vec::new();
    let mut failed = |kind: &'static str, name: &str, differs: &dyn Fn(&Config) -> bool| {
        if !differs(&other) {
            return false;
        }
        let names: Vec<&str> = single.iter().filter(|(_, config)| differs(config)).map(|(name, _)| *name).collect();
        let check = Check::failed(kind, format!("it was not checked: it needs {}", names.join(", ")));
        let check = check.hint("set the variable where Isobox is started");
        left_out.push(if name.is_empty() { check } else { check.name(name) });
        true
    };
    let whole = config.clone();
    config.mcp_servers.retain(|name, one| !failed("server", name, &|other| other.mcp_servers.get(name) != Some(&*one)));
    config.openapi.retain(|name, one| !failed("service", name, &|other| other.openapi.get(name) != Some(&*one)));
    config.graphql.retain(|name, one| !failed("service", name, &|other| other.graphql.get(name) != Some(&*one)));
    if failed("fetch", "", &|other| other.fetch != whole.fetch) {
        config.fetch = None;
    }
    let is_store_missing = failed("store", "", &|other| !is_same_store(&other.store, &whole.store));
    if is_store_missing {
        config.store = StoreConfig::Nowhere;
    }
    Some(Partial { config, left_out, is_store_missing })
}

fn is_same_store(one: &StoreConfig, other: &StoreConfig) -> bool {
    match (one, other) {
        (StoreConfig::Nowhere, StoreConfig::Nowhere) => true,
        (StoreConfig::Sqlite(one), StoreConfig::Sqlite(other)) => one == other,
        (StoreConfig::Postgres { url: one, .. }, StoreConfig::Postgres { url: other, .. }) => one == other,
        _ => false,
    }
}
