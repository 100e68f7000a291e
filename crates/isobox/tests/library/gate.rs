//! A tool that reports when it is called, and returns when the test allows it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use isobox::{Tool, json};
use tokio::sync::Semaphore;

/// The shared state of the test and the tool `gate`.
#[derive(Clone)]
pub(crate) struct Gate {
    entered: Arc<Semaphore>,
    left: Arc<Semaphore>,
    open: Arc<Semaphore>,
    calls: Arc<AtomicU32>,
}

/// Reports that a call has ended in any way.
struct Leaving(Arc<Semaphore>);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.add_permits(1);
    }
}

impl Gate {
    pub(crate) fn new() -> Self {
        let closed = || Arc::new(Semaphore::new(0));
        Self { entered: closed(), left: closed(), open: closed(), calls: Arc::default() }
    }

    /// Returns the tool, which may be called again after a crash.
    pub(crate) fn tool(&self) -> Tool {
        let gate = self.clone();
        let tool = Tool::new("gate", move |_| {
            let gate = gate.clone();
            async move {
                let _leaving = Leaving(Arc::clone(&gate.left));
                let call = gate.calls.fetch_add(1, Ordering::SeqCst) + 1;
                gate.entered.add_permits(1);
                gate.open.acquire().await.expect("it is never closed").forget();
                Ok(json!(call))
            }
        });
        tool.expect("a tool").idempotent(true)
    }

    /// Waits for one more call of the tool.
    pub(crate) async fn entered(&self) {
        self.entered.acquire().await.expect("it is never closed").forget();
    }

    /// Waits until one more call has returned or was dropped.
    pub(crate) async fn left(&self) {
        self.left.acquire().await.expect("it is never closed").forget();
    }

    /// Lets one call return.
    pub(crate) fn open(&self) {
        self.open.add_permits(1);
    }

    /// Counts the calls.
    pub(crate) fn calls(&self) -> u32 {
        self.calls.load(Ordering::SeqCst)
    }
}
