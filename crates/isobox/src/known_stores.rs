//! The stores that this user has created, or has agreed to use.

use std::fs::{self, DirEntry};
use std::io;
use std::path::PathBuf;

use isobox_store::owned::{self, Guard};

/// The maximum number of stores that are remembered. The oldest ones are forgotten first.
const MAX_STORES: usize = 1_000;

/// Remembers stores by the fingerprints of their keys, in a folder that belongs to this user. A store that is not known may
/// have come with another person's work, with approvals of calls that nobody here has given.
#[derive(Debug, Clone)]
pub struct KnownStores {
    folder: PathBuf,
}

impl KnownStores {
    /// Remembers stores in a folder. It is created when the first one is remembered.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Tells whether the store with this [fingerprint](crate::config::StoreConfig::fingerprint) is known.
    pub fn has(&self, fingerprint: &str) -> bool {
        let path = self.folder.join(fingerprint);
        owned::open_to_read(&path).and_then(|file| owned::check(&file, &path, Guard::Secret)).is_ok()
    }

    /// Remembers a store.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn add(&self, fingerprint: &str) -> io::Result<()> {
        owned::replace(&self.folder.join(fingerprint), b"")?;
        self.forget_oldest()
    }

    fn forget_oldest(&self) -> io::Result<()> {
        let modified = |entry: &DirEntry| entry.metadata().and_then(|metadata| metadata.modified()).ok();
        let mut files: Vec<_> =
            fs::read_dir(&self.folder)?.flatten().map(|entry| (modified(&entry), entry.path())).collect();
        files.sort_unstable();
        for (_, path) in files.iter().take(files.len().saturating_sub(MAX_STORES)) {
            // Another process may have removed it.
            drop(fs::remove_file(path));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::config::StoreConfig;

    #[tokio::test]
    async fn a_store_is_known_before_its_key_is_in_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let store = StoreConfig::Sqlite(folder.path().join(".isobox/isobox.db"));
        assert_eq!(store.fingerprint().unwrap(), None);
        let known = KnownStores::new(folder.path().join("stores"));
        let opened = crate::opened_store::open(&store, Some(&known)).await.unwrap();
        let fingerprint = store.fingerprint().unwrap().expect("it has a key");
        assert!(known.has(&fingerprint) && !known.has("other"));
        drop(opened);
        let elsewhere = KnownStores::new(folder.path().join("elsewhere"));
        drop(crate::opened_store::open(&store, Some(&elsewhere)).await.unwrap());
        assert!(!elsewhere.has(&fingerprint), "it was there before");
        elsewhere.add(&fingerprint).unwrap();
        assert!(elsewhere.has(&fingerprint));
        fs::set_permissions(folder.path().join("elsewhere").join(&fingerprint), PermissionsExt::from_mode(0o666))
            .unwrap();
        assert!(!elsewhere.has(&fingerprint), "others may have written it");
    }
}
