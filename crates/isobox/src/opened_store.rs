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
            if let Some(folder) = path.parent().filter(|folder| folder.ends_with(OWN_FOLDER)) {
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
