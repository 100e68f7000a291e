//! `store`: the store of durable executions.

use std::fmt;
use std::path::{Path, PathBuf};

use isobox_core::journal::StoreKey;
use isobox_store::Connections;
use jsonc_parser::common::Ranged;

use super::reader::{ConfigReader, Keys, Section};
use super::syntax::Value;

/// The store of durable executions. `Debug` shows neither addresses nor keys, because both are secrets.
#[derive(Clone, Default)]
pub enum StoreConfig {
    /// No store: executions cannot wait for people, and end with their process.
    #[default]
    Nowhere,
    /// A file on this machine.
    Sqlite(PathBuf),
    /// A database server.
    Postgres {
        /// Its address, with user and password.
        url: String,
        /// The key that seals journals. Without one, the database keeps the key.
        key: Option<Box<StoreKey>>,
        /// The maximum number of connections of one process.
        connections: Connections,
    },
}

/// A problem of the settings of a store. Quotes nothing from them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreProblem {
    /// The kind of the address is unknown.
    UnknownKind,
    /// `sqlite:` without a path.
    NoPath,
    /// A key for a store that has its own.
    NeedsNoKey,
    /// The key is invalid.
    NotAKey,
}

impl StoreConfig {
    /// The default store of a configuration, beside the file.
    pub const DEFAULT_PATH: &str = ".isobox/isobox.db";

    /// Parses an address (`sqlite:PATH`, `postgres://…` or `none`) and the key, 64 hexadecimal digits.
    pub fn parse(address: &str, key: Option<&str>) -> Result<Self, StoreProblem> {
        let is_postgres = address.starts_with("postgres://") || address.starts_with("postgresql://");
        if is_postgres {
            let key = key.map(|key| read_key(key).map(Box::new).ok_or(StoreProblem::NotAKey)).transpose()?;
            return Ok(Self::Postgres { url: address.to_owned(), key, connections: Connections::default() });
        }
        let store = match address.strip_prefix("sqlite:") {
            Some("") => return Err(StoreProblem::NoPath),
            Some(path) => Self::Sqlite(PathBuf::from(path)),
            None if address == "none" => Self::Nowhere,
            None => return Err(StoreProblem::UnknownKind),
        };
        if key.is_some() { Err(StoreProblem::NeedsNoKey) } else { Ok(store) }
    }

    /// Resolves a relative path from this folder.
    #[must_use]
    pub fn within(self, folder: &Path) -> Self {
        match self {
            Self::Sqlite(path) => Self::Sqlite(folder.join(path)),
            other @ (Self::Nowhere | Self::Postgres { .. }) => other,
        }
    }

    /// Tells whether there is a store.
    pub fn keeps_executions(&self) -> bool {
        match self {
            Self::Nowhere => false,
            Self::Sqlite(_) | Self::Postgres { .. } => true,
        }
    }
}

impl fmt::Debug for StoreConfig {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nowhere => formatter.write_str("Nowhere"),
            Self::Sqlite(path) => formatter.debug_tuple("Sqlite").field(path).finish(),
            Self::Postgres { .. } => formatter.write_str("Postgres(…)"),
        }
    }
}

impl fmt::Display for StoreProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::UnknownKind => {
                "a store is `sqlite:PATH`, `postgres://user:password@host:port/database`, or `none` for no store"
            }
            Self::NoPath => "`sqlite:` needs the path of a file behind it, as in `sqlite:.isobox/isobox.db`",
            Self::NeedsNoKey => "only a store on a server takes a key; that of a file is in another file beside it",
            Self::NotAKey => "the key of a store is 64 hexadecimal digits; `openssl rand -hex 32` makes one",
        })
    }
}

impl std::error::Error for StoreProblem {}

fn read_key(text: &str) -> Option<StoreKey> {
    let mut bytes = [0; 32];
    if text.len() != 2 * bytes.len() || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, at) in bytes.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(&text[at..at + 2], 16).ok()?;
    }
    Some(StoreKey::new(bytes))
}

pub(super) const KEYS: Keys = Keys { known: &["url", "key", "connections"], tolerated: &[], later: &[] };

pub(super) fn read<'d>(reader: &mut ConfigReader<'_>, value: &'d Value<'d>) -> StoreConfig {
    const EXPECTED: &str = "a text like \"sqlite:.isobox/isobox.db\", or an object with `url` and `key`";
    let (owner, address, key, connections) = match value {
        Value::Object(_) => {
            let Some(section) = reader.section("`store`", value, &KEYS) else { return StoreConfig::default() };
            if section.get("url").is_none() {
                reader.problem(section.start, &section.owner, "there is no `url`, which names the store");
            }
            let (address, key) = (reader.text(&section, "url"), reader.text(&section, "key"));
            if key.is_none() && section.get("key").is_some() {
                return StoreConfig::default();
            }
            ("`store`", address, key, read_connections(reader, &section))
        }
        other => ("", reader.text_of("", "store", other, EXPECTED), None, None),
    };
    let Some(address) = address else { return StoreConfig::default() };
    match StoreConfig::parse(&address.value, key.as_ref().map(|key| key.value.as_str())) {
        Ok(StoreConfig::Postgres { url, key, connections: usual }) => {
            let connections = connections.map_or(usual, |(connections, _)| connections);
            StoreConfig::Postgres { url, key, connections }
        }
        Ok(store @ (StoreConfig::Sqlite(_) | StoreConfig::Nowhere)) => {
            if let Some((_, at)) = connections {
                reader.problem(at, owner, "`connections` is only for a store on a server");
            }
            store
        }
        Err(problem) => {
            let at = match (problem, &key) {
                (StoreProblem::NotAKey | StoreProblem::NeedsNoKey, Some(key)) => key.start,
                _ => address.start,
            };
            let message = if owner.is_empty() { format!("`store`: {problem}") } else { problem.to_string() };
            reader.problem(at, owner, message);
            StoreConfig::default()
        }
    }
}

fn read_connections(reader: &mut ConfigReader<'_>, section: &Section<'_>) -> Option<(Connections, usize)> {
    let at = section.get("connections")?.start();
    let count = reader.count(section, "connections")?;
    let connections = u8::try_from(count).ok().and_then(Connections::at_most);
    if connections.is_none() {
        let (least, most) = (Connections::LEAST, Connections::MOST);
        let message =
            format!("`connections` has to be from {least} to {most}, and is {count}: one writes, the others read");
        reader.problem(at, &section.owner, message);
    }
    connections.map(|connections| (connections, at))
}

/// Returns the address as written, without the values of variables.
pub(super) fn written(value: &Value<'_>) -> String {
    let literal = match value {
        Value::StringLit(literal) => Some(literal),
        Value::Object(object) => object.get_string("url"),
        Value::Array(_) | Value::NumberLit(_) | Value::BooleanLit(_) | Value::NullKeyword(_) => None,
    };
    literal.map(|literal| literal.value.to_string()).unwrap_or_default()
}
