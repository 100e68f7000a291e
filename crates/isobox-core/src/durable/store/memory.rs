//! A store in memory, for tests, and for hosts that need pauses but not crash recovery.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};

use super::{
    Agenda, Amended, Amendment, Append, Batch, Change, Checkpoint, Claim, Collection, Coverage, Document, DueExecution,
    DuePlace, Error, ExpectedState, Filter, Head, Holding, Lease, Listed, Message, NewExecution, Node, Page, Part,
    Release, Store, StoreKey, Stored, Subscription, Subscriptions, Timestamp, WhenFull, Written,
};
use crate::{Clock, ExecutionId};

/// Stores executions for as long as it exists. Clones share them.
#[derive(Clone)]
pub struct MemoryStore {
    key: StoreKey,
    clock: Arc<dyn Clock>,
    contents: Arc<Mutex<Contents>>,
    subscriptions: Subscriptions,
}

#[derive(Default)]
struct Contents {
    executions: BTreeMap<ExecutionId, Execution>,
    /// The executions with a due time.
    due: BTreeSet<DueExecution>,
    /// The times until which nodes are alive.
    nodes: HashMap<Node, Duration>,
    remembered: HashMap<(String, String), Vec<u8>>,
    /// The keys that were used once, each with the time until which it is remembered.
    used: HashMap<String, Timestamp>,
    /// The documents of every collection, the latest change last.
    documents: HashMap<&'static str, Vec<Document>>,
}

struct Execution {
    created: Timestamp,
    beginning: Batch,
    batches: Vec<Batch>,
    head: Head,
    checkpoint: Option<Checkpoint>,
    inbox: Vec<Message>,
    holder: Option<Node>,
    epoch: u64,
}

impl Execution {
    fn new(new: &NewExecution, lease: &Lease) -> Self {
        Self {
            created: new.created,
            beginning: new.beginning.clone(),
            batches: Vec::new(),
            head: new.head.clone(),
            checkpoint: None,
            inbox: Vec::new(),
            holder: Some(lease.node.clone()),
            epoch: lease.epoch,
        }
    }

    /// Applies a change, all of it or nothing.
    fn write(&mut self, change: &Change) -> Result<Holding, Error> {
        if !change.fits(self.batches.len() as u64) {
            return Err(Error::lease_lost(&change.lease.execution));
        }
        if let Some(Append { batch, head, heard, .. }) = &change.append {
            self.batches.push(batch.clone());
            self.head = head.clone();
            if !heard.is_empty() {
                let heard: HashSet<&String> = heard.iter().collect();
                self.inbox.retain(|message| !heard.contains(&message.key));
            }
        }
        if let Some(checkpoint) = &change.checkpoint {
            self.checkpoint = Some(checkpoint.clone());
        }
        Ok(match change.release {
            None => Holding::Held,
            Some(Release::IfNothingWasSaid) if !self.inbox.is_empty() => Holding::HasMessages,
            Some(Release::IfNothingWasSaid | Release::Anyhow) => {
                self.holder = None;
                Holding::Free
            }
        })
    }

    fn has_room_for(&self, messages: &[Message]) -> bool {
        Message::fit(messages, self.inbox.len(), self.inbox.iter().map(|message| message.bytes.len()).sum())
    }
}

impl MemoryStore {
    /// Creates an empty store with this key.
    pub fn new(key: StoreKey, clock: Arc<dyn Clock>) -> Self {
        Self { key, clock, contents: Arc::default(), subscriptions: Subscriptions::new(Coverage::Complete) }
    }

    fn lock(&self) -> MutexGuard<'_, Contents> {
        // Every change is complete before the lock is released.
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes an execution if the lease is held.
    fn held<T>(&self, lease: &Lease, change: impl FnOnce(&mut Execution) -> Result<T, Error>) -> Result<T, Error> {
        let contents = &mut *self.lock();
        match contents.executions.get_mut(&lease.execution) {
            Some(execution) if execution.holder.as_ref() == Some(&lease.node) && execution.epoch == lease.epoch => {
                let before = execution.head.due;
                let changed = change(execution);
                reschedule(&mut contents.due, &lease.execution, before, execution.head.due);
                changed
            }
            Some(_) => Err(Error::lease_lost(&lease.execution)),
            None => Err(Error::not_found(&lease.execution)),
        }
    }

    fn create(&self, new: &NewExecution, change: &Change) -> Result<Holding, Error> {
        let lease = &change.lease;
        let mut execution = Execution::new(new, lease);
        let contents = &mut *self.lock();
        match contents.executions.entry(lease.execution.clone()) {
            Entry::Occupied(_) => Err(Error::already_exists(&lease.execution)),
            Entry::Vacant(place) => execution.write(change).inspect(|_| {
                reschedule(&mut contents.due, &lease.execution, None, execution.head.due);
                place.insert(execution);
            }),
        }
    }

    /// Notifies the subscribers of an execution if an operation on it succeeded.
    fn told<T>(&self, id: &ExecutionId, done: Result<T, Error>) -> Result<T, Error> {
        if done.is_ok() {
            self.subscriptions.tell(id);
        }
        done
    }
}

/// Replaces the due time of an execution.
fn reschedule(due: &mut BTreeSet<DueExecution>, id: &ExecutionId, before: Option<Timestamp>, after: Option<Timestamp>) {
    if before != after {
        let entry = |at| DueExecution { at, id: id.clone() };
        before.map(|at| due.remove(&entry(at)));
        after.map(|at| due.insert(entry(at)));
    }
}

impl Contents {
    fn is_held(&self, execution: &Execution, now: Duration) -> bool {
        let holder = execution.holder.as_ref().filter(|_| !execution.head.status.is_over());
        holder.and_then(|node| self.nodes.get(node)).is_some_and(|until| *until > now)
    }

    fn listed(&self, id: &ExecutionId, execution: &Execution, now: Duration) -> Listed {
        Listed {
            id: id.clone(),
            created: execution.created,
            head: execution.head.clone(),
            is_held: self.is_held(execution, now),
            messages: u32::try_from(execution.inbox.len()).unwrap_or(u32::MAX).min(Listed::MOST_MESSAGES),
        }
    }
}

impl Store for MemoryStore {
    fn key(&self) -> &StoreKey {
        &self.key
    }

    fn write(&self, change: Arc<Change>) -> Written<Holding> {
        let Change { lease, create, .. } = &*change;
        let written = match create {
            Some(new) => self.create(new, &change),
            None => self.held(lease, |execution| execution.write(&change)),
        };
        let written = if change.concerns_others() { self.told(&lease.execution, written) } else { written };
        ready(written).boxed()
    }

    fn acquire(&self, id: &ExecutionId, node: &Node, claim: Claim) -> BoxFuture<'_, Result<Lease, Error>> {
        let now = self.clock.elapsed();
        let mut contents = self.lock();
        let Some(execution) = contents.executions.get(id) else { return ready(Err(Error::not_found(id))).boxed() };
        if let Err(error) = claim.check(id, execution.head.status) {
            return ready(Err(error)).boxed();
        }
        if contents.is_held(execution, now) && execution.holder.as_ref() != Some(node) {
            return ready(Err(Error::held_elsewhere(id))).boxed();
        }
        let Some(execution) = contents.executions.get_mut(id) else { return ready(Err(Error::not_found(id))).boxed() };
        execution.holder = Some(node.clone());
        execution.epoch += 1;
        ready(Ok(Lease { execution: id.clone(), node: node.clone(), epoch: execution.epoch })).boxed()
    }

    fn keep_alive(&self, node: &Node, time: Duration) -> BoxFuture<'_, Result<(), Error>> {
        let until = self.clock.elapsed().saturating_add(time);
        self.lock().nodes.insert(node.clone(), until);
        ready(Ok(())).boxed()
    }

    fn renew(&self, lease: &Lease, time: Duration) -> Written<()> {
        let is_held = self.held(lease, |_| Ok(()));
        if is_held.is_ok() {
            let until = self.clock.elapsed().saturating_add(time);
            self.lock().nodes.insert(lease.node.clone(), until);
        }
        ready(is_held).boxed()
    }

    fn load(&self, id: &ExecutionId, part: Part) -> BoxFuture<'_, Result<Stored, Error>> {
        let now = self.clock.elapsed();
        let contents = self.lock();
        let Some(execution) = contents.executions.get(id) else { return ready(Err(Error::not_found(id))).boxed() };
        let checkpoint = match part {
            Part::Whole => None,
            Part::SinceCheckpoint => execution.checkpoint.clone(),
        };
        let skipped = checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.position);
        let skipped = usize::try_from(skipped).unwrap_or(usize::MAX).min(execution.batches.len());
        let stored = Stored {
            beginning: execution.beginning.clone(),
            head: execution.head.clone(),
            batches: execution.batches[skipped..].to_vec(),
            inbox: execution.inbox.clone(),
            checkpoint,
            is_held: contents.is_held(execution, now),
        };
        ready(Ok(stored)).boxed()
    }

    fn post(&self, id: &ExecutionId, messages: Vec<Message>, state: ExpectedState) -> BoxFuture<'_, Result<(), Error>> {
        let mut contents = self.lock();
        let posted = match contents.executions.get_mut(id) {
            None => Err(Error::not_found(id)),
            Some(execution) if execution.head.status.is_over() => Err(Error::over(id, execution.head.status)),
            Some(execution) if !state.fits(&execution.head) => Err(Error::changed(id)),
            Some(execution)
                if Message::collide(&messages, execution.inbox.iter().map(|other| other.key.as_bytes())) =>
            {
                Err(Error::already_decided(id))
            }
            Some(execution) if !execution.has_room_for(&messages) => Err(Error::inbox_full(id)),
            Some(execution) => {
                execution.inbox.extend(messages);
                Ok(())
            }
        };
        drop(contents);
        ready(self.told(id, posted)).boxed()
    }

    fn inbox(&self, id: &ExecutionId) -> BoxFuture<'_, Result<Vec<Message>, Error>> {
        let found = self.lock().executions.get(id).map(|execution| execution.inbox.clone());
        ready(found.ok_or_else(|| Error::not_found(id))).boxed()
    }

    fn list(&self, filter: Filter) -> BoxFuture<'_, Result<Page, Error>> {
        let now = self.clock.elapsed();
        let contents = self.lock();
        let is_wanted = |listed: &Listed| {
            (filter.states.is_empty() || filter.states.contains(&listed.state()))
                && filter.updated_before.is_none_or(|moment| listed.head.is_older_than(moment))
                && filter.after.as_ref().is_none_or(|after| listed.id.as_str() < after.as_str())
        };
        let all = contents.executions.iter().rev().map(|(id, execution)| contents.listed(id, execution, now));
        let mut wanted = all.filter(is_wanted);
        let executions: Vec<_> = wanted.by_ref().take(filter.limit as usize).collect();
        let last = executions.last().map(|listed| listed.id.to_string());
        let next = last.filter(|_| wanted.next().is_some());
        ready(Ok(Page { executions, unreadable: Vec::new(), next })).boxed()
    }

    fn due(&self, moment: Timestamp, after: Option<DuePlace>, limit: u32) -> BoxFuture<'_, Result<Agenda, Error>> {
        let (now, contents) = (self.clock.elapsed(), self.lock());
        let is_free = |due: &&DueExecution| {
            let execution = contents.executions.get(&due.id);
            execution.is_some_and(|execution| !contents.is_held(execution, now))
        };
        let is_further = |due: &&DueExecution| after.as_ref().is_none_or(|after| due.place() > *after);
        let come = contents.due.iter().take_while(|due| due.at <= moment);
        let due: Vec<_> = come.filter(is_further).filter(is_free).take(limit as usize).cloned().collect();
        let after = due.last().filter(|_| due.len() == limit as usize).map(DueExecution::place);
        let next = contents.due.iter().map(|due| due.at).find(|at| *at > moment);
        ready(Ok(Agenda { due, after, next })).boxed()
    }

    fn delete(&self, id: &ExecutionId, state: ExpectedState) -> BoxFuture<'_, Result<(), Error>> {
        let now = self.clock.elapsed();
        let mut contents = self.lock();
        let deleted = match contents.executions.get(id) {
            None => Err(Error::not_found(id)),
            Some(execution) if contents.is_held(execution, now) => Err(Error::held_elsewhere(id)),
            Some(execution) if !state.fits(&execution.head) => Err(Error::changed(id)),
            Some(_) => {
                if let Some(at) = contents.executions.remove(id).and_then(|removed| removed.head.due) {
                    contents.due.remove(&DueExecution { at, id: id.clone() });
                }
                Ok(())
            }
        };
        drop(contents);
        ready(self.told(id, deleted)).boxed()
    }

    fn remember(&self, session: &str, about: &str, decision: Vec<u8>) -> BoxFuture<'_, Result<(), Error>> {
        self.lock().remembered.insert((session.to_owned(), about.to_owned()), decision);
        ready(Ok(())).boxed()
    }

    fn use_once(&self, key: &str, now: Timestamp, until: Timestamp) -> BoxFuture<'_, Result<bool, Error>> {
        let mut contents = self.lock();
        contents.used.retain(|_, until| *until > now);
        let is_new = contents.used.insert(key.to_owned(), until).is_none();
        ready(Ok(is_new)).boxed()
    }

    fn subscribe(&self, id: &ExecutionId) -> Subscription {
        self.subscriptions.subscribe(id)
    }

    fn recall(&self, session: &str, about: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, Error>> {
        ready(Ok(self.lock().remembered.get(&(session.to_owned(), about.to_owned())).cloned())).boxed()
    }

    fn amend_document(&self, collection: Collection, key: &str, change: Arc<Amendment>) -> Written<()> {
        ready(amend(self.lock().documents.entry(collection.name).or_default(), collection, key, &*change)).boxed()
    }

    fn document(&self, collection: Collection, key: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, Error>> {
        let contents = self.lock();
        let mut documents = contents.documents.get(collection.name).into_iter().flatten();
        let found = documents.find(|document| document.key == key).map(|document| document.bytes.clone());
        ready(Ok(found)).boxed()
    }

    fn documents(
        &self,
        collection: Collection,
        after: &str,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Document>, Error>> {
        let contents = self.lock();
        let documents = contents.documents.get(collection.name).into_iter().flatten();
        let mut found: Vec<&Document> = documents.filter(|document| *document.key > *after).collect();
        found.sort_unstable_by(|one, other| one.key.cmp(&other.key));
        ready(Ok(found.into_iter().take(limit).cloned().collect())).boxed()
    }
}

fn amend(documents: &mut Vec<Document>, collection: Collection, key: &str, change: &Amendment) -> Result<(), Error> {
    let place = documents.iter().position(|document| document.key == key);
    let amended = change(place.map(|place| &*documents[place].bytes));
    let bytes = match amended {
        Amended::Unchanged => return Ok(()),
        Amended::Replaced(bytes) => bytes,
        Amended::Removed => Vec::new(),
    };
    let is_full = place.is_none() && !bytes.is_empty() && documents.len() >= collection.most;
    if is_full && collection.when_full == WhenFull::Refuse {
        return Err(Error::collection_full(collection));
    }
    if let Some(place) = place {
        documents.remove(place);
    }
    if !bytes.is_empty() {
        documents.push(Document { key: key.to_owned(), bytes });
        let excess = documents.len().saturating_sub(collection.most);
        documents.drain(..excess);
    }
    Ok(())
}
