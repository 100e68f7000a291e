//! A store that fails, reports wrong results, or withholds its answers, as the test demands.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};
use isobox::store::{Amendment, Collection, Document, Filter, Page, Store};
use isobox::{ExecutionId, Timestamp};
use isobox_core::journal::StoreKey;
use isobox_core::store::Error;
use isobox_core::store::{
    Agenda, Change, Claim, DuePlace, ExpectedState, Holding, Lease, Message, Node, Part, Stored, Subscription, Written,
};
use tokio::sync::watch;

/// The fault of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// No fault.
    No,
    /// The store cannot be reached for now.
    Outage,
    /// The store can never be written to.
    Damage,
    /// The next append is carried out and reported as failed.
    TornAppend,
    /// Executions of other processes are invisible, until one is to be created.
    Blind,
    /// Writes are carried out but not confirmed, and heartbeats do not arrive.
    HeldBack,
    /// Writes do not arrive, and are not answered. Heartbeats are.
    Unanswered,
    /// The next append is carried out and reported as failed, and the store cannot be reached after it.
    LostAnswer,
    /// The store can be read, and not written to.
    ReadOnly,
    /// The next change of a document is carried out, and none after it: the store can only be read then.
    LastDocument,
    /// The snippets cannot be read for now.
    NoSnippets,
    /// The next change of a session fails, as in a short outage.
    FailedSession,
    /// The next change of a session is carried out and reported as failed.
    TornSession,
    /// The next load of an execution fails, and could be made again.
    MissedLoad,
    /// Messages are posted. The caller hears that the connection broke, once the store has another fault or none.
    LatePosts,
}

/// A request to a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Request {
    Write,
    Renewal,
    Load,
}

/// The request in which a process freezes, and what happens until it thaws.
type Freeze = (Request, Box<dyn FnOnce() + Send>);

/// One process's view of a store. Clones share the fault.
#[derive(Clone)]
pub(crate) struct FaultyStore {
    inner: Arc<dyn Store>,
    fault: Arc<watch::Sender<Fault>>,
    freeze: Arc<Mutex<Option<Freeze>>>,
}

impl FaultyStore {
    pub(crate) fn new(inner: &Arc<dyn Store>) -> Self {
        let fault = Arc::new(watch::Sender::new(Fault::No));
        Self { inner: Arc::clone(inner), fault, freeze: Arc::default() }
    }

    /// Lets the process freeze in its next request of this kind: it is carried out, and then this happens before the process goes
    /// on.
    pub(crate) fn freezes_in(&self, request: Request, meanwhile: impl FnOnce() + Send + 'static) {
        *self.freeze.lock().expect("no thread panicked") = Some((request, Box::new(meanwhile)));
    }

    fn sent(&self, request: Request) {
        let freeze = self.freeze.lock().expect("no thread panicked").take_if(|(frozen, _)| *frozen == request);
        if let Some((_, meanwhile)) = freeze {
            meanwhile();
        }
    }

    pub(crate) fn has(&self, fault: Fault) {
        self.fault.send_replace(fault);
    }

    /// Has a fault for this long.
    pub(crate) fn has_for(&self, fault: Fault, time: Duration) {
        self.has(fault);
        let this = self.clone();
        tokio::spawn(async move {
            tokio::time::sleep(time).await;
            this.has(Fault::No);
        });
    }

    fn error(&self) -> Option<Error> {
        match *self.fault.borrow() {
            Fault::Outage => Some(Error::unavailable("the store of this test", "it cannot be reached")),
            Fault::Damage => Some(Error::broken("the store of this test", "it is damaged")),
            Fault::No
            | Fault::TornAppend
            | Fault::LostAnswer
            | Fault::ReadOnly
            | Fault::Blind
            | Fault::HeldBack
            | Fault::Unanswered
            | Fault::LastDocument
            | Fault::NoSnippets
            | Fault::FailedSession
            | Fault::TornSession
            | Fault::MissedLoad
            | Fault::LatePosts => None,
        }
    }

    fn error_of_writing(&self) -> Option<Error> {
        if *self.fault.borrow() == Fault::ReadOnly {
            return Some(Error::broken("the store of this test", "it can only be read"));
        }
        self.error()
    }

    fn ask<T: Send + 'static>(&self, ask: impl FnOnce(&dyn Store) -> Written<T>) -> Written<T> {
        if let Some(error) = self.error_of_writing() {
            return ready(Err(error)).boxed();
        }
        let mut fault = self.fault.subscribe();
        if *fault.borrow() == Fault::Unanswered {
            return async move {
                fault.wait_for(|fault| *fault != Fault::Unanswered).await.expect("the store is there");
                Err(Error::unavailable("the store of this test", "the request was lost"))
            }
            .boxed();
        }
        let asked = ask(&*self.inner);
        async move {
            let answer = asked.await;
            fault.wait_for(|fault| *fault != Fault::HeldBack).await.expect("the store is there");
            answer
        }
        .boxed()
    }
}

impl Store for FaultyStore {
    fn key(&self) -> &StoreKey {
        self.inner.key()
    }
    fn write(&self, change: Arc<Change>) -> Written<Holding> {
        let fault = *self.fault.borrow();
        let after = [(Fault::TornAppend, Fault::No), (Fault::LostAnswer, Fault::Outage)];
        let after = after.into_iter().find_map(|(now, after)| (fault == now).then_some(after));
        if let Some(after) = after.filter(|_| change.append.is_some()) {
            self.has(after);
            let written = self.inner.write(change);
            return async move {
                written.await.and(Err(Error::unavailable("the store of this test", "the connection broke")))
            }
            .boxed();
        }
        if *self.fault.borrow() == Fault::Blind && change.create.is_some() {
            self.has(Fault::No);
        }
        let written = self.ask(|store| store.write(change));
        self.sent(Request::Write);
        written
    }
    fn acquire(&self, id: &ExecutionId, node: &Node, claim: Claim) -> BoxFuture<'_, Result<Lease, Error>> {
        match self.error() {
            Some(error) => ready(Err(error)).boxed(),
            None => self.inner.acquire(id, node, claim),
        }
    }
    fn keep_alive(&self, node: &Node, time: Duration) -> BoxFuture<'_, Result<(), Error>> {
        let node = node.clone();
        async move {
            let mut fault = self.fault.subscribe();
            fault.wait_for(|fault| *fault != Fault::HeldBack).await.expect("the store is there");
            match self.error() {
                Some(error) => Err(error),
                None => self.inner.keep_alive(&node, time).await,
            }
        }
        .boxed()
    }
    fn renew(&self, lease: &Lease, time: Duration) -> Written<()> {
        let renewed = self.ask(|store| store.renew(lease, time));
        self.sent(Request::Renewal);
        renewed
    }
    fn load(&self, id: &ExecutionId, part: Part) -> BoxFuture<'_, Result<Stored, Error>> {
        match self.error() {
            Some(error) => ready(Err(error)).boxed(),
            None if *self.fault.borrow() == Fault::Blind => ready(Err(Error::not_found(id))).boxed(),
            None if *self.fault.borrow() == Fault::MissedLoad => {
                self.has(Fault::No);
                ready(Err(Error::unavailable("the store of this test", "the connection broke"))).boxed()
            }
            None => {
                let loaded = self.inner.load(id, part);
                self.sent(Request::Load);
                loaded
            }
        }
    }
    fn post(&self, id: &ExecutionId, messages: Vec<Message>, state: ExpectedState) -> BoxFuture<'_, Result<(), Error>> {
        match self.error() {
            Some(error) => ready(Err(error)).boxed(),
            None if *self.fault.borrow() == Fault::LatePosts => {
                let (posting, mut fault) = (self.inner.post(id, messages, state), self.fault.subscribe());
                async move {
                    // The answer is lost, whatever it is.
                    let _ = posting.await;
                    fault.wait_for(|fault| *fault != Fault::LatePosts).await.expect("the store is there");
                    Err(Error::unavailable("the store of this test", "the connection broke"))
                }
                .boxed()
            }
            None => self.inner.post(id, messages, state),
        }
    }
    fn inbox(&self, id: &ExecutionId) -> BoxFuture<'_, Result<Vec<Message>, Error>> {
        match self.error() {
            Some(error) => ready(Err(error)).boxed(),
            None => self.inner.inbox(id),
        }
    }
    fn amend_document(&self, collection: Collection, key: &str, change: Arc<Amendment>) -> Written<()> {
        let fault = *self.fault.borrow();
        if collection.name == "session" && matches!(fault, Fault::FailedSession | Fault::TornSession) {
            self.has(Fault::No);
            let failed = Err(Error::unavailable("the store of this test", "the connection broke"));
            if fault == Fault::FailedSession {
                return ready(failed).boxed();
            }
            let written = self.inner.amend_document(collection, key, change);
            return async move { written.await.and(failed) }.boxed();
        }
        let written = self.ask(|store| store.amend_document(collection, key, change));
        if *self.fault.borrow() == Fault::LastDocument {
            self.has(Fault::ReadOnly);
        }
        written
    }
    fn document(&self, collection: Collection, key: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, Error>> {
        match self.error() {
            Some(error) => ready(Err(error)).boxed(),
            None => self.inner.document(collection, key),
        }
    }
    fn documents(
        &self,
        collection: Collection,
        after: &str,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Document>, Error>> {
        let after = after.to_owned();
        async move {
            let mut fault = self.fault.subscribe();
            fault.wait_for(|fault| *fault != Fault::HeldBack).await.expect("the store is there");
            let is_unreadable = *self.fault.borrow() == Fault::NoSnippets && collection.name == "snippet";
            match self.error() {
                Some(error) => Err(error),
                None if is_unreadable => Err(Error::unavailable("the store of this test", "it cannot be reached")),
                None => self.inner.documents(collection, &after, limit).await,
            }
        }
        .boxed()
    }
    /// Notifications always work: the subscribers then fail to read.
    fn subscribe(&self, id: &ExecutionId) -> Subscription {
        self.inner.subscribe(id)
    }
    fn list(&self, filter: Filter) -> BoxFuture<'_, Result<Page, Error>> {
        self.inner.list(filter)
    }
    fn due(&self, moment: Timestamp, after: Option<DuePlace>, limit: u32) -> BoxFuture<'_, Result<Agenda, Error>> {
        self.inner.due(moment, after, limit)
    }
    fn delete(&self, id: &ExecutionId, state: ExpectedState) -> BoxFuture<'_, Result<(), Error>> {
        self.inner.delete(id, state)
    }
    fn remember(&self, session: &str, about: &str, decision: Vec<u8>) -> BoxFuture<'_, Result<(), Error>> {
        self.inner.remember(session, about, decision)
    }
    fn recall(&self, session: &str, about: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, Error>> {
        self.inner.recall(session, about)
    }
}
