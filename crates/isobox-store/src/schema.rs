//! Migrates a database to the version of this Isobox, and determines its key.

use isobox_core::journal::StoreKey;
use isobox_core::store::Error;
use sha2::{Digest, Sha256};

use crate::database::Database;
use crate::operations::OperationError;

/// The differences between databases during setup.
pub(crate) struct Dialect {
    /// The migrations: from nothing to version 1, from there to version 2 …
    pub(crate) migrations: &'static [&'static str],
    /// Locks out other processes that set up the database.
    pub(crate) lock: &'static str,
    /// Returns a row if the database was set up before.
    pub(crate) is_set_up: &'static str,
}

/// The source of the key of a store.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum KeySource {
    /// The host keeps the key.
    Host(StoreKey),
    /// The database keeps the key. A user who can write to the database can then forge journals.
    Database,
}

/// Sets up the database in one transaction, so that only one of several concurrent processes does it.
pub(crate) fn set_up(
    database: &mut dyn Database,
    dialect: &Dialect,
    key: &KeySource,
    place: &str,
) -> Result<StoreKey, OperationError> {
    database.run(dialect.lock)?;
    let is_set_up = !database.query(dialect.is_set_up, &[])?.is_empty();
    let version = if is_set_up { version(database, place)? } else { 0 };
    let Some(missing) = dialect.migrations.get(version..) else {
        return Err(newer(place, version, dialect.migrations.len()).into());
    };
    for migration in missing {
        database.run(migration)?;
    }
    if !missing.is_empty() {
        set(database, "version", dialect.migrations.len().to_string().as_bytes())?;
    }
    settle_key(database, key, place)
}

/// Returns the key of a database without changing anything, or `None` if the database was not set up.
pub(crate) fn look(
    database: &mut dyn Database,
    dialect: &Dialect,
    key: &KeySource,
    place: &str,
) -> Result<Option<StoreKey>, OperationError> {
    if database.query(dialect.is_set_up, &[])?.is_empty() {
        return Ok(None);
    }
    let (version, known) = (version(database, place)?, dialect.migrations.len());
    if version > known {
        return Err(newer(place, version, known).into());
    }
    if version < known {
        return Err(Error::broken(place, format!("it has version {version}, and this Isobox reads version {known}"))
            .hint("any command that writes to it, `isobox executions prune` say, brings it up to date")
            .into());
    }
    let key = match key {
        KeySource::Host(key) => key.clone(),
        KeySource::Database => match setting(database, "key")? {
            Some(bytes) => kept_key(&bytes, place)?,
            None => return Err(other_key(place).into()),
        },
    };
    match setting(database, "key_check")? {
        Some(known) if known == check_of(&key) => Ok(Some(key)),
        Some(_) | None => Err(other_key(place).into()),
    }
}

fn version(database: &mut dyn Database, place: &str) -> Result<usize, OperationError> {
    let version = setting(database, "version")?.and_then(|bytes| String::from_utf8(bytes).ok()?.parse().ok());
    Ok(version.ok_or_else(|| Error::broken(place, "its version is missing"))?)
}

fn settle_key(database: &mut dyn Database, source: &KeySource, place: &str) -> Result<StoreKey, OperationError> {
    let kept = setting(database, "key")?;
    let key = match (source, &kept) {
        (KeySource::Host(key), _) => key.clone(),
        (KeySource::Database, Some(bytes)) => kept_key(bytes, place)?,
        (KeySource::Database, None) => random_key()?,
    };
    let check = check_of(&key);
    match setting(database, "key_check")? {
        Some(known) if known == check => {}
        Some(_) => return Err(other_key(place).into()),
        None => {
            set(database, "key_check", &check)?;
            if let KeySource::Database = source {
                set(database, "key", key.as_bytes())?;
            }
        }
    }
    Ok(key)
}

fn kept_key(bytes: &[u8], place: &str) -> Result<StoreKey, Error> {
    Ok(StoreKey::new(bytes.try_into().map_err(|_| Error::broken(place, "the key in it is damaged"))?))
}

/// Returns a fingerprint of the key that does not reveal it.
fn check_of(key: &StoreKey) -> Vec<u8> {
    Sha256::new_with_prefix(b"isobox store key").chain_update(key.as_bytes()).finalize().to_vec()
}

/// Returns a new random key.
pub(crate) fn random_key() -> Result<StoreKey, Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| Error::broken("there are no random numbers for a key", error))?;
    Ok(StoreKey::new(bytes))
}

fn setting(database: &mut dyn Database, name: &str) -> Result<Option<Vec<u8>>, OperationError> {
    let mut rows = database.query("SELECT value FROM isobox_settings WHERE name = ?1", &[name.into()])?;
    Ok(rows.first_mut().map(|row| row.bytes(0)).transpose()?)
}

fn set(database: &mut dyn Database, name: &str, value: &[u8]) -> Result<(), OperationError> {
    database.execute(
        "INSERT INTO isobox_settings (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        &[name.into(), value.into()],
    )?;
    Ok(())
}

fn newer(place: &str, version: usize, known: usize) -> Error {
    Error::broken(place, format!("it has version {version}, and this Isobox supports versions up to {known}"))
        .hint("use the version of Isobox that wrote it, or a newer one")
}

fn other_key(place: &str) -> Error {
    Error::broken(place, "it is sealed with another key")
        .hint("give it the key that it was made with: nothing in it can be trusted without")
}
