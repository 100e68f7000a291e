//! A store whose nodes count as dead without a heartbeat. Only one worker lives at a time, and the next one should not
//! have to wait half a minute.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use isobox::store::{Amendment, Collection, Document, Filter, Page, Store};
use isobox::{ExecutionId, Timestamp};
use isobox_core::journal::StoreKey;
use isobox_core::store::Error;
use isobox_core::store::{
    Agenda, Change, Claim, DuePlace, ExpectedState, Holding, Lease, Message, Node, Part, Stored, Subscription, Written,
};

pub(crate) struct Impatient(pub(crate) Arc<dyn Store>);

impl Store for Impatient {
    fn keep_alive(&self, node: &Node, _time: Duration) -> BoxFuture<'_, Result<(), Error>> {
        self.0.keep_alive(node, Duration::ZERO)
    }

    fn renew(&self, lease: &Lease, _time: Duration) -> Written<()> {
        self.0.renew(lease, Duration::ZERO)
    }

    fn key(&self) -> &StoreKey {
        self.0.key()
    }
    fn write(&self, change: Arc<Change>) -> Written<Holding> {
        self.0.write(change)
    }
    fn acquire(&self, id: &ExecutionId, node: &Node, claim: Claim) -> BoxFuture<'_, Result<Lease, Error>> {
        self.0.acquire(id, node, claim)
    }
    fn load(&self, id: &ExecutionId, part: Part) -> BoxFuture<'_, Result<Stored, Error>> {
        self.0.load(id, part)
    }
    fn post(&self, id: &ExecutionId, messages: Vec<Message>, state: ExpectedState) -> BoxFuture<'_, Result<(), Error>> {
        self.0.post(id, messages, state)
    }
    fn inbox(&self, id: &ExecutionId) -> BoxFuture<'_, Result<Vec<Message>, Error>> {
        self.0.inbox(id)
    }
    fn subscribe(&self, id: &ExecutionId) -> Subscription {
        self.0.subscribe(id)
    }
    fn list(&self, filter: Filter) -> BoxFuture<'_, Result<Page, Error>> {
        self.0.list(filter)
    }
    fn due(&self, moment: Timestamp, after: Option<DuePlace>, limit: u32) -> BoxFuture<'_, Result<Agenda, Error>> {
        self.0.due(moment, after, limit)
    }
    fn delete(&self, id: &ExecutionId, state: ExpectedState) -> BoxFuture<'_, Result<(), Error>> {
        self.0.delete(id, state)
    }
    fn remember(&self, session: &str, about: &str, decision: Vec<u8>) -> BoxFuture<'_, Result<(), Error>> {
        self.0.remember(session, about, decision)
    }
    fn recall(&self, session: &str, about: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, Error>> {
        self.0.recall(session, about)
    }
    fn amend_document(&self, collection: Collection, key: &str, change: Arc<Amendment>) -> Written<()> {
        self.0.amend_document(collection, key, change)
    }
    fn document(&self, collection: Collection, key: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, Error>> {
        self.0.document(collection, key)
    }
    fn documents(
        &self,
        collection: Collection,
        after: &str,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Document>, Error>> {
        self.0.documents(collection, after, limit)
    }
}
