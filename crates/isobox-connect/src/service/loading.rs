//! The values that a connector has read from its service, once for all callers.

use std::sync::{Arc, Mutex, PoisonError};

/// A value that is read on demand, and read again when asked for.
pub(crate) struct Loading<T> {
    /// Locked while the value is read.
    loading: tokio::sync::Mutex<()>,
    /// Never locked for long.
    current: Mutex<Option<Arc<T>>>,
}

impl<T> Loading<T> {
    /// Returns the value that was read last.
    pub(crate) fn current(&self) -> Option<Arc<T>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the value. Reads it if it was not read yet.
    pub(crate) async fn get<M, E>(&self, load: impl Future<Output = Result<(T, M), E>>) -> Result<Arc<T>, E> {
        let _loading = self.loading.lock().await;
        match self.current() {
            Some(loaded) => Ok(loaded),
            None => load.await.map(|(loaded, _)| self.set(loaded)),
        }
    }

    /// Reads the value again. Returns what was read beside it.
    pub(crate) async fn renew<M, E>(&self, load: impl Future<Output = Result<(T, M), E>>) -> Result<M, E> {
        let _loading = self.loading.lock().await;
        let (loaded, more) = load.await?;
        self.set(loaded);
        Ok(more)
    }

    fn set(&self, loaded: T) -> Arc<T> {
        let loaded = Arc::new(loaded);
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&loaded));
        loaded
    }
}

impl<T> Default for Loading<T> {
    fn default() -> Self {
        Self { loading: tokio::sync::Mutex::default(), current: Mutex::default() }
    }
}
