//! Tasks that run in the background.

use tokio::task::{AbortHandle, JoinHandle};

/// A task in the background. It stops when this is dropped.
#[derive(Debug)]
pub(crate) struct Task(AbortHandle);

impl Task {
    pub(crate) fn started(task: JoinHandle<()>) -> Self {
        Self(task.abort_handle())
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}
