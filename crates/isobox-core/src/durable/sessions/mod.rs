//! Sessions: the globals that programs leave for each other, as in a notebook.

pub(crate) mod record;
mod refusals;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use serde::Serialize;

use crate::store::enduring::Enduring;
use crate::store::{Amended, Amendment, Collection, DocumentDurability, Error, ErrorKind, Part, Store, WhenFull};
use crate::{ByteSize, Clock, Code, ConflictKind, ExecutionId, Failure, Limits, Snapshot, Timestamp};
use record::{SessionRecord, Version, hash_of};
use refusals::{check_name, check_owner, damaged, full, in_use, no_version, not_found, taken_over};

/// The sessions of a runtime. Clones share them.
///
/// A session is a snapshot of the sandbox after a program has returned. The next program of the session starts from it, so
/// it finds the globals that the program before it left. Only one program uses a session at a time.
#[derive(Clone)]
pub struct Sessions {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    options: SessionOptions,
    home: Home,
    /// The time for which operations are retried after a transient failure of the store. They must be idempotent then.
    patience: Duration,
}

/// The place of sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Home {
    /// In the store of the executions that use them.
    Store,
    /// In the memory of the process. The executions that use them end with the process.
    Memory,
}

/// The bounds of sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionOptions {
    /// The maximum number of sessions: 1,000.
    pub most: usize,
    /// The treatment of a further session. By default it is refused with `CONFLICT` before its program runs, so that no session
    /// is lost. [`WhenFull::ForgetOldest`] deletes the sessions that were unused for the longest time, also if a paused program
    /// holds them. Such a program continues, and its outcome warns that its globals were not kept.
    pub when_full: WhenFull,
    /// The maximum number of versions of a session to which it can be rewound: 10. All versions of a session together are
    /// bounded by the limit `snapshot` of the runtime, except for the newest one, which has that limit alone.
    pub versions: usize,
}

impl SessionOptions {
    setters! {
        most: usize,
        when_full: WhenFull,
        versions: usize,
    }
}

impl Default for SessionOptions {
    fn default() -> Self {
        Self { most: 1_000, when_full: WhenFull::Refuse, versions: 10 }
    }
}

/// The behaviour of a program whose session is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BusySession {
    /// The program waits, for as long as it may run, and is refused with `CONFLICT` then.
    #[default]
    Wait,
    /// The program is refused with `CONFLICT`.
    Refuse,
}

/// A session, without its globals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SessionInfo {
    /// The name.
    pub name: String,
    /// The name of the principal that began it. Programs of others cannot use it.
    pub owner: String,
    /// The time of its last use.
    pub used: Timestamp,
    /// The execution that uses it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub used_by: Option<ExecutionId>,
    /// Its versions, oldest first. The next program starts from the last one.
    pub versions: Vec<SessionVersion>,
}

/// A version of a session: the globals that a program left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SessionVersion {
    /// Its number, counted from 1.
    pub number: u64,
    /// The execution of the program.
    pub by: ExecutionId,
    /// The time at which it was kept.
    pub at: Timestamp,
    /// Its size in bytes.
    pub bytes: usize,
    /// Its hash. Journals name it.
    pub hash: String,
    /// The sandbox that can read it.
    pub image: String,
}

impl SessionInfo {
    fn of(name: &str, record: &SessionRecord) -> Self {
        let versions = record.versions.iter().map(|Version { number, by, at, snapshot }| SessionVersion {
            number: *number,
            by: by.clone(),
            at: *at,
            bytes: snapshot.bytes.len(),
            hash: hash_of(snapshot),
            image: snapshot.image.clone(),
        });
        Self {
            name: name.to_owned(),
            owner: record.owner.clone(),
            used: record.used,
            used_by: record.holder.clone(),
            versions: versions.collect(),
        }
    }
}

/// A session that an execution has begun to use.
#[derive(Debug, Clone)]
pub(crate) struct Taken {
    /// The version that its program starts from. Zero if the session is new.
    pub(crate) version: u64,
    pub(crate) globals: Option<Arc<Snapshot>>,
}

impl Taken {
    fn of(record: &SessionRecord) -> Self {
        let last = record.versions.last();
        let version = last.map_or(0, |version| version.number);
        Self { version, globals: last.map(|version| Arc::clone(&version.snapshot)) }
    }
}

/// The result of keeping the globals of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    Yes,
    /// The session was deleted or forgotten meanwhile, or another execution uses it.
    NotHeld,
}

/// The time for which an execution that the store does not have may be about to begin, after its last renewal.
pub(crate) const BEGINNING: Duration = Duration::from_secs(60);
/// The interval at which an execution that has not begun renews its use of a session.
pub(crate) const RENEW_EVERY: Duration = Duration::from_secs(20);
/// The first interval at which a waiting program looks for its turn. It doubles up to the longest.
const FIRST_LOOK: Duration = Duration::from_millis(50);
const LONGEST_LOOK: Duration = Duration::from_secs(1);

impl Sessions {
    /// Returns the sessions in a store.
    pub fn new(store: Arc<dyn Store>, home: Home, clock: Arc<dyn Clock>, options: SessionOptions) -> Self {
        Self { store, clock, options, home, patience: Duration::ZERO }
    }

    /// Returns sessions with the same bounds in another store.
    #[must_use]
    pub fn moved_to(&self, store: Arc<dyn Store>) -> Self {
        Self { store, home: Home::Store, ..self.clone() }
    }

    /// Returns the same sessions for an execution, which bridges outages of this length.
    pub(crate) fn bridging(&self, outage: Duration) -> Self {
        Self { patience: outage, ..self.clone() }
    }

    /// Returns the sessions whose names follow `after`, in the order of their names, at most `limit`.
    ///
    /// # Errors
    ///
    /// `STORE` if one of them was altered, or if the store fails.
    pub async fn list(&self, after: &str, limit: usize) -> Result<Vec<SessionInfo>, Failure> {
        let mut found: Vec<SessionInfo> = Vec::new();
        // One at a time, because each is read with its globals.
        while found.len() < limit {
            let after = found.last().map_or(after, |last| last.name.as_str());
            let documents = self.store.documents(self.collection(), after, 1).await?;
            let Some(document) = documents.first() else { break };
            let record = SessionRecord::decode(self.store.key(), &document.key, &document.bytes);
            let record = record.ok_or_else(|| damaged(&document.key))?;
            found.push(SessionInfo::of(&document.key, &record));
        }
        Ok(found)
    }

    /// Returns a session.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`; `STORE` if it was altered, or if the store fails.
    pub async fn get(&self, name: &str) -> Result<SessionInfo, Failure> {
        let bytes = self.store.document(self.collection(), name).await?.ok_or_else(|| not_found(name))?;
        let record = SessionRecord::decode(self.store.key(), name, &bytes).ok_or_else(|| damaged(name))?;
        Ok(SessionInfo::of(name, &record))
    }

    /// Makes a new session from a version of another one, or from its newest version.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND` if there is no such session or version; `CONFLICT` if the new name is taken; `CONFIG` if it is not a
    /// name; `STORE`.
    pub async fn fork(&self, name: &str, version: Option<u64>, new: &str) -> Result<SessionInfo, Failure> {
        check_name(new)?;
        let bytes = self.store.document(self.collection(), name).await?.ok_or_else(|| not_found(name))?;
        let record = SessionRecord::decode(self.store.key(), name, &bytes).ok_or_else(|| damaged(name))?;
        let found = match version {
            Some(number) => record.version(number).ok_or_else(|| no_version(name, &record, number))?,
            None => record.versions.last().ok_or_else(|| not_found(name))?,
        };
        let now = self.clock.now();
        let forked = SessionRecord {
            owner: record.owner.clone(),
            next: found.number.saturating_add(1),
            used: now,
            holder: None,
            versions: vec![found.clone()],
        };
        let made = forked.clone();
        let message = format!("there is a session `{new}` already");
        self.amend(new, move |taken| match taken {
            None => Ok((Change::Keep(forked.clone()), ())),
            Some(_) => Err(Failure::conflict(ConflictKind::AlreadyExists, message.as_str())
                .hint("choose another name, or delete it first")),
        })
        .await?;
        Ok(SessionInfo::of(new, &made))
    }

    /// Goes back to an earlier version. Later versions are dropped.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND` if there is no such session or version; `CONFLICT` while a program uses the session; `STORE`.
    pub async fn rewind(&self, name: &str, version: u64) -> Result<SessionInfo, Failure> {
        self.release_if_over(name).await?;
        let (own_name, now) = (name.to_owned(), self.clock.now());
        let rewound = self.amend(name, move |record| {
            let mut record = record.ok_or_else(|| not_found(&own_name))?;
            if let Some(holder) = &record.holder {
                return Err(in_use(&own_name, holder));
            }
            if record.version(version).is_none() {
                return Err(no_version(&own_name, &record, version));
            }
            record.versions.retain(|one| one.number <= version);
            record.used = now;
            let info = SessionInfo::of(&own_name, &record);
            Ok((Change::Keep(record), info))
        });
        rewound.await
    }

    /// Deletes a session with all its versions.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`; `CONFLICT` while a program uses the session; `STORE`. A session that was altered can be deleted.
    pub async fn delete(&self, name: &str) -> Result<(), Failure> {
        let altered = self.store.document(self.collection(), name).await?;
        let altered = altered.filter(|bytes| SessionRecord::decode(self.store.key(), name, bytes).is_none());
        if altered.is_some() {
            self.store.amend_document(self.collection(), name, Arc::new(|_| Amended::Removed)).await?;
            return Ok(());
        }
        let was_released = self.release_if_over(name).await?;
        let own_name = name.to_owned();
        let deleted = self.amend(name, move |record| match record {
            // No program has left anything in it, so that it is gone once it is released.
            None if was_released => Ok((Change::Nothing, ())),
            None => Err(not_found(&own_name)),
            Some(SessionRecord { holder: Some(holder), .. }) => Err(in_use(&own_name, &holder)),
            Some(_) => Ok((Change::Remove, ())),
        });
        deleted.await
    }

    /// Lets an execution use a session, which is created if there is none of that name.
    pub(crate) async fn take(
        &self,
        name: &str,
        (id, owner): (&ExecutionId, &str),
        busy: BusySession,
        limits: &Limits,
    ) -> Result<Taken, Failure> {
        check_name(name)?;
        let end = self.clock.elapsed().saturating_add(limits.timeout);
        loop {
            let holder = match self.try_take(name, id, owner).await? {
                Ok(taken) => return Ok(taken),
                Err(holder) => holder,
            };
            // An attempt takes the writer of the store, and a look does not.
            let mut wait = FIRST_LOOK;
            while !self.is_free(name).await? {
                let now = self.clock.elapsed();
                if busy == BusySession::Refuse || now >= end {
                    return Err(in_use(name, &holder));
                }
                self.clock.sleep_until(now.saturating_add(wait).min(end)).await;
                wait = wait.saturating_mul(2).min(LONGEST_LOOK);
            }
        }
    }

    /// Tells whether no execution uses a session. Releases it if the one that does has ended or is gone.
    async fn is_free(&self, name: &str) -> Result<bool, Failure> {
        match self.held(name).await? {
            Some(record) => self.release_held(name, record).await,
            None => Ok(true),
        }
    }

    /// Returns a session that an execution uses.
    async fn held(&self, name: &str) -> Result<Option<SessionRecord>, Failure> {
        let Some(bytes) = self.read(name).await? else { return Ok(None) };
        let record = SessionRecord::decode(self.store.key(), name, &bytes).ok_or_else(|| damaged(name))?;
        Ok(Some(record).filter(|record| record.holder.is_some()))
    }

    /// Returns what a program would find in a session.
    pub(crate) async fn see(&self, name: &str, owner: &str) -> Result<Taken, Failure> {
        check_name(name)?;
        let Some(bytes) = self.read(name).await? else { return Ok(Taken { version: 0, globals: None }) };
        let record = SessionRecord::decode(self.store.key(), name, &bytes).ok_or_else(|| damaged(name))?;
        check_owner(name, &record, owner)?;
        Ok(Taken::of(&record))
    }

    /// Returns the execution that uses the session if it cannot be taken.
    async fn try_take(&self, name: &str, id: &ExecutionId, owner: &str) -> Result<Result<Taken, ExecutionId>, Failure> {
        let (own_name, id, owner, clock) = (name.to_owned(), id.clone(), owner.to_owned(), Arc::clone(&self.clock));
        let taken = self.amend(name, move |record| {
            // The use counts from the attempt that succeeds: others take the session some time after it.
            let now = clock.now();
            let mut record = record.unwrap_or_else(|| SessionRecord::new(&owner, now));
            check_owner(&own_name, &record, &owner)?;
            match &record.holder {
                Some(holder) if *holder != id => return Ok((Change::Nothing, Err(holder.clone()))),
                Some(_) | None => {}
            }
            (record.holder, record.used) = (Some(id.clone()), now);
            let taken = Taken::of(&record);
            Ok((Change::Keep(record), Ok(taken)))
        });
        taken.await
    }

    /// Renews the use of a session by an execution that the store does not have yet.
    pub(crate) async fn renew(&self, name: &str, id: &ExecutionId) -> Result<(), Failure> {
        if self.home == Home::Memory {
            return Ok(());
        }
        let (own_name, id, now) = (name.to_owned(), id.clone(), self.clock.now());
        // The caller tries again.
        let once = self.bridging(Duration::ZERO);
        let renewed = once.amend(name, move |record| match record {
            Some(record) if record.holder.as_ref() == Some(&id) => {
                Ok((Change::Keep(SessionRecord { used: now, ..record }), ()))
            }
            Some(_) | None => Err(taken_over(&own_name)),
        });
        renewed.await
    }

    /// Ends the use of a session. Keeps the globals that the program left, if it returned.
    pub(crate) async fn leave(
        &self,
        name: &str,
        id: &ExecutionId,
        globals: Option<Arc<Snapshot>>,
        room: ByteSize,
    ) -> Result<Kept, Failure> {
        let (id, now, most) = (id.clone(), self.clock.now(), self.options.versions);
        let left = self.amend(name, move |record| {
            let Some(mut record) = record else { return Ok((Change::Nothing, Kept::NotHeld)) };
            if record.holder.as_ref() != Some(&id) {
                // A process that died after it had kept the globals may not have recorded its end.
                let is_kept = record.versions.iter().any(|version| version.by == id);
                return Ok((Change::Nothing, if is_kept { Kept::Yes } else { Kept::NotHeld }));
            }
            (record.holder, record.used) = (None, now);
            match &globals {
                Some(globals) => record.add(&id, now, Arc::clone(globals), most, room),
                // A session that no program has left anything in is not kept.
                None if record.versions.is_empty() => return Ok((Change::Remove, Kept::Yes)),
                None => {}
            }
            Ok((Change::Keep(record), Kept::Yes))
        });
        left.await
    }

    /// Ends the use of a session by an execution of this process that was dropped. Does nothing if the execution may go on.
    pub(crate) fn abandon(&self, name: &str, id: &ExecutionId) {
        if self.home == Home::Memory {
            // A store in memory answers at once.
            let _unused = self.leave(name, id, None, ByteSize::default()).now_or_never();
        }
    }

    /// Releases a session whose execution has ended, or is gone, without releasing it. Returns whether it was released.
    async fn release_if_over(&self, name: &str) -> Result<bool, Failure> {
        match self.held(name).await? {
            Some(record) => self.release_held(name, record).await,
            None => Ok(false),
        }
    }

    async fn release_held(&self, name: &str, record: SessionRecord) -> Result<bool, Failure> {
        let SessionRecord { holder: Some(holder), used, .. } = record else { return Ok(false) };
        if self.home == Home::Memory {
            return Ok(false);
        }
        let is_over = match self.enduring().ask(|| self.store.load(&holder, Part::SinceCheckpoint)).await {
            Ok(stored) => stored.head.status.is_over(),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let age = self.clock.now().0.saturating_sub(used.0);
                u128::from(age) > BEGINNING.as_millis()
            }
            Err(error) => return Err(error.into()),
        };
        if is_over {
            self.leave(name, &holder, None, ByteSize::default()).await?;
        }
        Ok(is_over)
    }

    async fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        self.enduring().ask(|| self.store.document(self.collection(), name)).await
    }

    fn enduring(&self) -> Enduring {
        Enduring::new(Arc::clone(&self.store), Arc::clone(&self.clock), self.patience)
    }

    /// Changes a session in one transaction.
    async fn amend<T: Send + 'static>(
        &self,
        name: &str,
        change: impl Fn(Option<SessionRecord>) -> Result<(Change, T), Failure> + Send + Sync + 'static,
    ) -> Result<T, Failure> {
        let result: Arc<Mutex<Option<Result<T, Failure>>>> = Arc::default();
        let (told, key, own_name) = (Arc::clone(&result), self.store.key().clone(), name.to_owned());
        let amendment = move |bytes: Option<&[u8]>| {
            let record = match bytes.map(|bytes| SessionRecord::decode(&key, &own_name, bytes)) {
                Some(None) => Err(damaged(&own_name)),
                Some(Some(record)) => Ok(Some(record)),
                None => Ok(None),
            };
            let (amended, result) = match record.and_then(&change) {
                Ok((Change::Nothing, result)) => (Amended::Unchanged, Ok(result)),
                Ok((Change::Keep(record), result)) => (Amended::Replaced(record.encode(&key, &own_name)), Ok(result)),
                Ok((Change::Remove, result)) => (Amended::Removed, Ok(result)),
                Err(failure) => (Amended::Unchanged, Err(failure)),
            };
            *told.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
            amended
        };
        let amendment: Arc<Amendment> = Arc::new(amendment);
        let amend = || self.store.amend_document(self.collection(), name, Arc::clone(&amendment));
        let amended = self.enduring().ask(amend).await;
        amended.map_err(|error| match error.kind() == ErrorKind::CollectionFull {
            true => full(name, self.options.most),
            false => error.into(),
        })?;
        let result = result.lock().unwrap_or_else(PoisonError::into_inner).take();
        result.unwrap_or_else(|| Err(Failure::new(Code::Internal, "the store did not ask for the change")))
    }

    fn collection(&self) -> Collection {
        let SessionOptions { most, when_full, .. } = self.options;
        Collection { name: "session", most, when_full, durability: DocumentDurability::Durable }
    }
}

enum Change {
    Nothing,
    Keep(SessionRecord),
    Remove,
}
