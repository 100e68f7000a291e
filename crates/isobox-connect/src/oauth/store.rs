//! Keeps logins between processes.

use std::fmt;
use std::io;

/// Keeps logins. Each is a text without meaning for the store, and secret.
///
/// Several processes may share a store. A value is replaced as a whole.
pub trait TokenStore: fmt::Debug + Send + Sync {
    /// Returns the login that is kept under a key.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    fn load(&self, key: &str) -> io::Result<Option<String>>;

    /// Keeps a login. Returns after it is durable.
    ///
    /// # Errors
    ///
    /// If the store cannot be written.
    fn save(&self, key: &str, login: &str) -> io::Result<()>;

    /// Removes a login. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// If the store cannot be written.
    fn remove(&self, key: &str) -> io::Result<bool>;
}

/// Keeps nothing. The tokens of a client that needs no person are asked for again.
#[cfg(feature = "mcp")]
#[derive(Debug)]
pub(crate) struct Nowhere;

#[cfg(feature = "mcp")]
impl TokenStore for Nowhere {
    fn load(&self, _key: &str) -> io::Result<Option<String>> {
        Ok(None)
    }

    fn save(&self, _key: &str, _login: &str) -> io::Result<()> {
        Ok(())
    }

    fn remove(&self, _key: &str) -> io::Result<bool> {
        Ok(false)
    }
}
