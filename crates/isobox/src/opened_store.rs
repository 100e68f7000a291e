//! Opens the store of a configuration.

use std::collections::HashMap;
use std::fs::DirBuilder;
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};

use isobox_core::journal::StoreKey;
use isobox_core::store::{Error, Store};
use isobox_store::{Connections, DatabaseStore, KeySource};

use crate::config::StoreConfig;
use crate::known_stores::KnownStores;

/// The folder that belongs to Isobox alone.
const OWN_FOLDER: &str = ".isobox";

impl StoreConfig {
    /// Returns the fingerprint of the key of a store in a file. None if it has no key yet, and for other kinds.
    ///
    /// # Errors
    ///
    /// `Broken` if the key cannot be read.
    pub fn fingerprint(&self) -> Result<Option<String>, Error> {
        match self {
            Self::Sqlite(path) => {
                check_own_folder(path)?;
                DatabaseStore::sqlite_fingerprint(path)
            }
            Self::Nowhere | Self::Postgres { .. } => Ok(None),
        }
    }
}

/// Opens the store, and creates missing parts. Remembers a store that it creates. Returns none if no store is configured.
pub(crate) async fn open(config: &StoreConfig, known: Option<&KnownStores>) -> Result<Option<Arc<dyn Store>>, Error> {
    let store = match config {
        StoreConfig::Nowhere => return Ok(None),
        StoreConfig::Sqlite(path) => {
            if let Some(folder) = check_own_folder(path)? {
                make_own_folder(folder).map_err(|error| {
                    Error::broken(&format!("cannot make the folder {}", folder.display()), &error).caused_by(error)
                })?;
            }
            if let Some(known) = known {
                DatabaseStore::create_sqlite_key(path, &|fingerprint| {
                    if let Err(error) = known.add(fingerprint) {
                        tracing::warn!(%error, "the new store cannot be remembered: it will be asked about");
                    }
                })?;
            }
            DatabaseStore::sqlite(path).await?
        }
        StoreConfig::Postgres { url, key, connections } => {
            return shared(url, key.as_deref(), *connections).await.map(|store| Some(store as Arc<dyn Store>));
        }
    };
    Ok(Some(Arc::new(store)))
}

/// The stores on servers that this process has open, by address and key. Runtimes over the same server share its
/// connections.
type Opened = HashMap<(String, Option<[u8; 32]>), Arc<tokio::sync::Mutex<Weak<DatabaseStore>>>>;

static OPENED: LazyLock<Mutex<Opened>> = LazyLock::new(Mutex::default);

/// Opens a store on a server, or returns the one that this process has open. The first one sets the maximum number of
/// connections.
async fn shared(url: &str, key: Option<&StoreKey>, connections: Connections) -> Result<Arc<DatabaseStore>, Error> {
    let entry = {
        let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
        // Removes unused stores. A store that is being opened is shared or locked.
        let is_used = |store: &Arc<tokio::sync::Mutex<Weak<DatabaseStore>>>| {
            Arc::strong_count(store) > 1 || store.try_lock().is_ok_and(|store| store.strong_count() > 0)
        };
        opened.retain(|_, store| is_used(store));
        let name = (url.to_owned(), key.map(|key| *key.as_bytes()));
        Arc::clone(opened.entry(name).or_default())
    };
    let mut place = entry.lock().await;
    if let Some(store) = place.upgrade() {
        return Ok(store);
    }
    let key = key.cloned().map_or(KeySource::Database, KeySource::Host);
    let store = Arc::new(DatabaseStore::postgres_within(url, key, connections).await?);
    *place = Arc::downgrade(&store);
    Ok(store)
}

/// Opens the store for reading, and creates nothing. Returns none if no store is configured or exists.
pub(crate) async fn open_to_read(config: &StoreConfig) -> Result<Option<Arc<dyn Store>>, Error> {
    let store = match config {
        StoreConfig::Nowhere => None,
        StoreConfig::Sqlite(path) => {
            check_own_folder(path)?;
            DatabaseStore::sqlite_to_read(path).await?
        }
        StoreConfig::Postgres { url, key, .. } => {
            let key = key.as_deref().cloned().map_or(KeySource::Database, KeySource::Host);
            DatabaseStore::postgres_to_read(url, key).await?
        }
    };
    Ok(store.map(|store| Arc::new(store) as Arc<dyn Store>))
}

/// Returns the `.isobox` folder of a database that is in one. Refuses a link in its place: in a checkout of another
/// person's work it could lead to the store of another project.
fn check_own_folder(database: &Path) -> Result<Option<&Path>, Error> {
    let Some(folder) = database.parent().filter(|folder| folder.ends_with(OWN_FOLDER)) else { return Ok(None) };
    if folder.symlink_metadata().is_ok_and(|found| found.is_symlink()) {
        let what = format!("cannot use the folder {}", folder.display());
        return Err(Error::broken(&what, "it is a link, which could lead anywhere")
            .hint("name the place itself: `\"store\": \"sqlite:PATH\"` in isobox.json"));
    }
    Ok(Some(folder))
}

/// Creates the folder, and excludes it from version control.
fn make_own_folder(folder: &Path) -> io::Result<()> {
    if let Some(around) = folder.parent().filter(|around| !around.as_os_str().is_empty()) {
        std::fs::create_dir_all(around)?;
    }
    match DirBuilder::new().mode(0o700).create(folder) {
        Ok(()) => std::fs::write(folder.join(".gitignore"), "*\n"),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}
