//! The stores that this user has created, or has agreed to use.

use std::fs::{self, DirEntry};
use std::io;
use std::path::PathBuf;
use std::time::SystemTime;

use isobox_store::owned::{self, Guard};

/// The maximum number of stores that are remembered. Those that were not used for longest are forgotten first.
const MAX_STORES: usize = 1_000;

/// Remembers stores by the fingerprints of their keys, in a folder that belongs to this user. A store that is not known may
/// have come with another person's work, with approvals of calls that nobody here has given.
#[derive(Debug, Clone)]
pub struct KnownStores {
    folder: PathBuf,
    maximum: usize,
}

impl KnownStores {
    /// Remembers stores in a folder. It is created when the first one is remembered.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), maximum: MAX_STORES }
    }

    /// Tells whether the store with this [fingerprint](crate::config::StoreConfig::fingerprint) is known. Counts as a use of
    /// the store.
    pub fn has(&self, fingerprint: &str) -> bool {
        let path = self.folder.join(fingerprint);
        let Ok(file) = owned::open_to_read(&path) else { return false };
        let is_known = owned::check(&file, &path, Guard::Secret).is_ok();
        if is_known {
            // A store is known even if the time of its use cannot be kept.
            drop(file.set_modified(now()));
        }
        is_known
    }

    /// Remembers a store.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn add(&self, fingerprint: &str) -> io::Result<()> {
        owned::replace(&self.folder.join(fingerprint), b"")?;
        self.forget_unused()
    }

    fn forget_unused(&self) -> io::Result<()> {
        let modified = |entry: &DirEntry| entry.metadata().and_then(|metadata| metadata.modified()).ok();
        let mut files: Vec<_> =
            fs::read_dir(&self.folder)?.flatten().map(|entry| (modified(&entry), entry.path())).collect();
        files.sort_unstable();
        for (_, path) in files.iter().take(files.len().saturating_sub(self.maximum)) {
            // Another process may have removed it.
            drop(fs::remove_file(path));
        }
        Ok(())
    }
}

#[expect(clippy::disallowed_methods, reason = "the system dates files by this time")]
fn now() -> SystemTime {
    SystemTime::now()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::time::{Duration, UNIX_EPOCH};

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

    #[test]
    fn stores_that_are_used_are_not_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let known = KnownStores { maximum: 3, ..KnownStores::new(folder.path()) };
        for (second, store) in (1..).zip(["main", "old", "new"]) {
            known.add(store).unwrap();
            let file = fs::File::open(folder.path().join(store)).unwrap();
            file.set_modified(UNIX_EPOCH + Duration::from_secs(second)).unwrap();
        }
        assert!(known.has("main"));
        known.add("another").unwrap();
        assert!(["main", "new", "another"].iter().all(|store| known.has(store)));
        assert!(!known.has("old"), "it was not used for longest");
    }
}
