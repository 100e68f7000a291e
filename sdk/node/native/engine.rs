//! The state of a runtime, and its requests.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use futures_util::FutureExt;
use futures_util::future::{AbortHandle, Abortable};
use isobox::workspace::Workspace;
use isobox::{CancellationToken, Code, Continuations, Failure, Tool};
use tokio::runtime::{Builder, Runtime};

use crate::bridge::{Bridge, Kind};
use crate::json::json;
use crate::options::Options;
use crate::standby::{Job, Standby};
use crate::tools::Definition;

/// The state of a runtime.
pub(crate) struct Shared {
    pub(crate) bridge: Arc<Bridge>,
    pub(crate) workspace: Arc<Workspace>,
    pub(crate) continuations: Continuations,
    running: Mutex<Running>,
    standby: Standby,
}

/// The requests that are not answered yet.
#[derive(Default)]
struct Running {
    requests: HashMap<u32, (CancellationToken, AbortHandle)>,
    is_closed: bool,
}

impl Shared {
    pub(crate) fn new(options: &str, bridge: Arc<Bridge>) -> Result<Self, Failure> {
        let (workspace, continuations) = Options::parse(options)?.build(&bridge)?;
        Ok(Self {
            bridge,
            workspace: Arc::new(workspace),
            continuations,
            running: Mutex::default(),
            standby: Standby::default(),
        })
    }

    /// Starts a request. Its answer is sent once, also if the request panics.
    pub(crate) fn begin<F, R>(self: &Arc<Self>, id: u32, work: F)
    where
        F: FnOnce(Arc<Self>) -> R,
        R: Future<Output = Result<String, Failure>> + Send + 'static,
    {
        // It is large, and moved several times.
        let work = AssertUnwindSafe(Box::pin(work(Arc::clone(self)))).catch_unwind();
        let shared = Arc::clone(self);
        let answering = async move {
            let answer = work.await.unwrap_or_else(|_| Err(Failure::new(Code::Internal, "a request panicked")));
            shared.running().requests.remove(&id);
            shared.answer(id, answer);
        };
        let (abort, registration) = AbortHandle::new_pair();
        let job = Box::pin(Abortable::new(answering, registration).map(drop));
        let mut running = self.running();
        let threads = match threads() {
            Ok(threads) if !running.is_closed => threads,
            Ok(_) => return self.answer(id, Err(closed())),
            Err(failure) => return self.answer(id, Err(failure)),
        };
        running.requests.insert(id, (CancellationToken::new(), abort));
        drop(running);
        if let Some(job) = self.standby.hand_over(job) {
            threads.spawn(Arc::clone(self).work(job));
        }
    }

    /// Answers a request, and those that come soon after.
    async fn work(self: Arc<Self>, first: Job) {
        let mut job = first;
        loop {
            job.await;
            // Other work of this thread comes first.
            tokio::task::yield_now().await;
            if !self.running().requests.is_empty() {
                return;
            }
            match self.standby.next() {
                Some(next) => job = next,
                None => return,
            }
        }
    }

    fn answer(&self, id: u32, answer: Result<String, Failure>) {
        match answer {
            Ok(answer) => self.bridge.send(Kind::Done, id, answer),
            Err(failure) => self.bridge.send(Kind::Failed, id, json(&failure)),
        };
    }

    /// Returns the token that cancels a request.
    pub(crate) fn token(&self, id: u32) -> CancellationToken {
        self.running().requests.get(&id).map(|(token, _)| token.clone()).unwrap_or_default()
    }

    pub(crate) fn cancel(&self, id: u32) {
        self.token(id).cancel();
    }

    /// Stops everything, and answers what is open. Durable executions can be resumed. Then stops the servers.
    pub(crate) async fn close(&self, closing: u32) {
        for id in self.stop_all(Some(closing)) {
            self.answer(id, Err(closed()));
        }
        self.workspace.let_go().await;
        self.workspace.close().await;
    }

    /// Stops everything because JavaScript has gone.
    pub(crate) fn abandon(self: &Arc<Self>) {
        if self.running().is_closed {
            return;
        }
        self.stop_all(None);
        let shared = Arc::clone(self);
        if let Ok(threads) = threads() {
            threads.spawn(async move {
                shared.workspace.let_go().await;
                shared.workspace.close().await;
            });
        }
    }

    /// Aborts all requests but one, and refuses further ones. Returns the aborted ones.
    fn stop_all(&self, except: Option<u32>) -> Vec<u32> {
        let mut running = self.running();
        running.is_closed = true;
        let stopped: Vec<_> = running.requests.extract_if(|id, _| Some(*id) != except).collect();
        drop(running);
        stopped
            .into_iter()
            .map(|(id, (_, task))| {
                task.abort();
                id
            })
            .collect()
    }

    /// Creates the tools of one run.
    pub(crate) fn tools(&self, definitions: Vec<Definition>) -> Result<Vec<Tool>, Failure> {
        definitions.into_iter().map(|definition| definition.into_tool(&self.bridge)).collect()
    }

    fn running(&self) -> MutexGuard<'_, Running> {
        // Every change is complete before the lock is released.
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the threads that all runtimes of the process share.
pub(crate) fn threads() -> Result<&'static Runtime, Failure> {
    static THREADS: OnceLock<std::io::Result<Runtime>> = OnceLock::new();
    let threads = THREADS.get_or_init(|| {
        // Frames are larger without optimisation.
        Builder::new_multi_thread().thread_name("isobox").thread_stack_size(8 << 20).enable_all().build()
    });
    threads.as_ref().map_err(|error| Failure::new(Code::Internal, format!("threads cannot be started: {error}")))
}

fn closed() -> Failure {
    Failure::new(Code::Aborted, "the runtime was closed").hint("a durable execution can be resumed by another runtime")
}
