//! Keeps logins to remote servers in files that only their owner can read.

use std::fs;
use std::io::{self, Read};
use std::path::PathBuf;

use isobox_connect::TokenStore;
use isobox_store::owned::{self, Guard};
use sha2::{Digest, Sha256};

/// Keeps each login in a file of a folder. Only this user may read the files.
#[derive(Debug, Clone)]
pub struct TokenFiles {
    folder: PathBuf,
}

/// The maximum size of a login, in bytes.
const MAX_LOGIN: u64 = 256 << 10;

impl TokenFiles {
    /// Keeps logins in a folder. It is created when the first one is kept.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    fn file(&self, key: &str) -> PathBuf {
        let digest = Sha256::digest(key.as_bytes());
        let name: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(name).with_extension("json")
    }
}

impl TokenStore for TokenFiles {
    fn load(&self, key: &str) -> io::Result<Option<String>> {
        let path = self.file(key);
        let file = match owned::open_to_read(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        owned::check(&file, &path, Guard::Secret)?;
        let mut login = String::new();
        file.take(MAX_LOGIN).read_to_string(&mut login)?;
        Ok(Some(login))
    }

    fn save(&self, key: &str, login: &str) -> io::Result<()> {
        owned::replace(&self.file(key), login.as_bytes())
    }

    fn remove(&self, key: &str) -> io::Result<bool> {
        match fs::remove_file(self.file(key)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn logins_are_kept_for_their_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let store = TokenFiles::new(folder.path().join("logins"));
        assert_eq!(store.load("x").unwrap(), None);
        assert!(!store.remove("x").unwrap());
        store.save("x", "one").unwrap();
        store.save("x", "two").unwrap();
        store.save("y", "three").unwrap();
        assert_eq!(store.load("x").unwrap().as_deref(), Some("two"));
        assert_eq!(fs::metadata(store.file("x")).unwrap().permissions().mode() & 0o077, 0);
        assert!(store.remove("x").unwrap());
        assert_eq!((store.load("x").unwrap(), store.load("y").unwrap().is_some()), (None, true));
    }

    #[test]
    fn a_login_that_others_can_read_is_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let store = TokenFiles::new(folder.path());
        store.save("x", "one").unwrap();
        fs::set_permissions(store.file("x"), fs::Permissions::from_mode(0o644)).unwrap();
        assert!(store.load("x").unwrap_err().to_string().contains("chmod"));
    }
}
