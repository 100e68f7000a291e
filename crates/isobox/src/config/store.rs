//! `store`: where executions are kept.

use std::fmt;
use std::path::{Path, PathBuf};

use isobox_core::journal::StoreKey;
use isobox_store::Connections;
use jsonc_parser::common::Ranged;

use super::reader::{ConfigReader, Keys, Section};
use super::syntax::Value;

/// Where executions are kept. Neither an address nor a key is shown: both are secrets.
#[derive(Clone, Default)]
pub enum StoreConfig {
    /// Nowhere: they cannot wait for people, and end with their process.
    #[default]
    Nowhere,
    /// In a file of this machine.
    Sqlite(PathBuf),
    /// On a server.
    Postgres {
        /// Its address, with user and password.
        url: String,
        /// What journals are sealed with; without one, the database keeps the key.
        key: Option<Box<StoreKey>>,
        /// How many connections one process opens at most.
        connections: Connections,
    },
}

/// What is wrong with what is said about a store. Quotes nothing of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreProblem {
    /// The address is of no kind that is known.
    UnknownKind,
    /// `sqlite:` and nothing behind it.
    NoPath,
    /// A key is given to a store that has its own.
    NeedsNoKey,
    /// The key is not one.
    NotAKey,
}

impl StoreConfig {
    /// Where executions are kept when there is a configuration that does not say it, beside the configuration.
    pub const DEFAULT_PATH: &str = ".isobox/isobox.db";

    /// Reads an address: `sqlite:PATH`, `postgres://…` or `none`; and the key, 64 hexadecimal digits.
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

    /// The same, where a relative path starts at this folder.
    #[must_use]
    pub fn within(self, folder: &Path) -> Self {
        match self {
            Self::Sqlite(path) => Self::Sqlite(folder.join(path)),
            other @ (Self::Nowhere | Self::Postgres { .. }) => other,
        }
    }

    /// Whether anything is kept at all.
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
                "a store is `sqlite:PATH`, `postgres://user:password@host:port/database`, or `none` where nothing is kept"
            }
            Self::NoPath => "`sqlite:` needs the path of a file behind it, as in `sqlite:.isobox/isobox.db`",
            Self::NeedsNoKey => "only a store on a server is given a key; that of a file is in another file beside it",
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

const KEYS: Keys = Keys { known: &["url", "key", "connections"], tolerated: &[], later: &[] };

pub(super) fn read<'d>(reader: &mut ConfigReader<'_>, value: &'d Value<'d>) -> StoreConfig {
    const EXPECTED: &str = "a text like \"sqlite:.isobox/isobox.db\", or an object with `url` and `key`";
    let (owner, address, key, connections) = match value {
        Value::Object(_) => {
            let Some(section) = reader.section("`store`", value, &KEYS) else { return StoreConfig::default() };
            if section.get("url").is_none() {
                reader.problem(
                    section.start,
                    &section.owner,
                    "there is no `url`, which says where executions are kept",
                );
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
                reader.problem(at, owner, "`connections` is for a store on a server alone");
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

/// The address as it is written, without the values of variables.
pub(super) fn written(value: &Value<'_>) -> String {
    let literal = match value {
        Value::StringLit(literal) => Some(literal),
        Value::Object(object) => object.get_string("url"),
        Value::Array(_) | Value::NumberLit(_) | Value::BooleanLit(_) | Value::NullKeyword(_) => None,
    };
    literal.map(|literal| literal.value.to_string()).unwrap_or_default()
}
