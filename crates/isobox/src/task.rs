//! Tasks that run in the background.

use tokio::task::{AbortHandle, JoinHandle};

/// A task in the background. It stops when this is dropped.
#[derive(Debug)]
pub(crate) struct Task(AbortHandle);

impl Task {
    pub(crate) fn started(task: JoinHandle<()>) -> Self {
        Self(task.abort_handle())
    }

    /// Tells whether the task has ended, for example because its executor is gone.
    pub(crate) fn is_over(&self) -> bool {
        self.0.is_finished()
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}
