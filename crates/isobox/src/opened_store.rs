//! Opens the store that a configuration names.

use std::fs::DirBuilder;
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::sync::Arc;

use isobox_core::Failure;
use isobox_core::store::Store;
use isobox_core::store::failures::broken;
use isobox_store::{DatabaseStore, KeySource};

use crate::config::StoreConfig;

/// The folder that is ours alone, so that we may say what becomes of it.
const OWN_FOLDER: &str = ".isobox";

/// Opens it, and makes what is missing; none where nothing is kept.
pub(crate) async fn open(config: &StoreConfig) -> Result<Option<Arc<dyn Store>>, Failure> {
    let store = match config {
        StoreConfig::Nowhere => return Ok(None),
        StoreConfig::Sqlite(path) => {
            if let Some(folder) = check_own_folder(path)? {
                make_own_folder(folder)
                    .map_err(|error| broken(&format!("cannot make the folder {}", folder.display()), error))?;
            }
            DatabaseStore::sqlite(path).await?
        }
        StoreConfig::Postgres { url, key } => {
            let key = key.clone().map_or(KeySource::Database, KeySource::Host);
            DatabaseStore::postgres(url, key).await?
        }
    };
    Ok(Some(Arc::new(store)))
}

/// Opens it to look at it, and makes nothing; none where nothing is kept, or nothing yet.
pub(crate) async fn open_to_read(config: &StoreConfig) -> Result<Option<Arc<dyn Store>>, Failure> {
    let store = match config {
        StoreConfig::Nowhere => None,
        StoreConfig::Sqlite(path) => {
            check_own_folder(path)?;
            DatabaseStore::sqlite_to_read(path).await?
        }
        StoreConfig::Postgres { url, key } => {
            let key = key.clone().map_or(KeySource::Database, KeySource::Host);
            DatabaseStore::postgres_to_read(url, key).await?
        }
    };
    Ok(store.map(|store| Arc::new(store) as Arc<dyn Store>))
}

/// Returns the `.isobox` folder of a database that is in one. Refuses a link in its place: in a checkout of another person's work
/// it could lead to the store of another project.
fn check_own_folder(database: &Path) -> Result<Option<&Path>, Failure> {
    let Some(folder) = database.parent().filter(|folder| folder.ends_with(OWN_FOLDER)) else { return Ok(None) };
    if folder.symlink_metadata().is_ok_and(|found| found.is_symlink()) {
        let what = format!("cannot use the folder {}", folder.display());
        return Err(broken(&what, "it is a link, which could lead anywhere")
            .hint("name the place itself: `\"store\": \"sqlite:PATH\"` in isobox.json"));
    }
    Ok(Some(folder))
}

/// A new folder keeps itself out of version control: what is in it is for nobody else.
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
