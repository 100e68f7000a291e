//! The store. Every method passes one operation to the queue.

use std::fmt;
use std::num::NonZeroU8;
#[cfg(feature = "sqlite")]
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};
use isobox_core::journal::StoreKey;
use isobox_core::store::{
    Agenda, Amendment, Change, Claim, Collection, Coverage, Document, DocumentDurability, DuePlace, Error,
    ExpectedState, Filter, Holding, Lease, Message, Node, Page, Part, Store, Stored, Subscription, Subscriptions,
    Written,
};
use isobox_core::{ExecutionId, Timestamp};

use crate::connection::Opener;
use crate::database::{Access, Database};
#[cfg(feature = "postgres")]
use crate::listener::Listener;
use crate::listing;
use crate::operations::{self, OperationError};
#[cfg(feature = "postgres")]
use crate::postgres;
#[cfg(feature = "postgres")]
use crate::postgres::Server;
use crate::queue::{News, Queue};
use crate::schema::{Dialect, KeySource, look, set_up};
#[cfg(feature = "sqlite")]
use crate::sqlite::{Sqlite, SqliteFile};
use crate::{documents, due};
#[cfg(feature = "sqlite")]
use crate::{files, sqlite};

/// The minimum size that is counted for a queued operation.
const WEIGHT: usize = 512;

/// Stores executions in a database. Has its own threads and needs no runtime. Dropping it waits until all queued
/// operations are written.
pub struct DatabaseStore {
    key: StoreKey,
    place: Arc<str>,
    queue: Queue,
    purpose: Purpose,
    #[cfg(feature = "postgres")]
    clock: SharedClock,
    subscriptions: Subscriptions,
    /// Receives changes by other processes, if the database supports it.
    #[cfg(feature = "postgres")]
    listener: Option<Listener>,
}

/// The maximum number of connections of one store to a server: one for writing, the others for reading. They are opened
/// when needed and closed after half a minute without use. One more listens for changes while executions wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connections(NonZeroU8);

impl Connections {
    /// The minimum: one to write, one to read.
    pub const LEAST: u8 = 2;
    /// The maximum.
    pub const MOST: u8 = 100;

    /// Creates a limit. Returns `None` if it is below [`Connections::LEAST`] or above [`Connections::MOST`].
    pub fn at_most(count: u8) -> Option<Self> {
        NonZeroU8::new(count).filter(|_| (Self::LEAST..=Self::MOST).contains(&count)).map(Self)
    }

    #[cfg(feature = "postgres")]
    fn readers(self) -> usize {
        usize::from(self.0.get()) - 1
    }
}

/// Five connections: many executions share the one that writes.
impl Default for Connections {
    fn default() -> Self {
        const FIVE: NonZeroU8 = NonZeroU8::new(5).expect("five is not zero");
        Self(FIVE)
    }
}

/// The clock that all processes of a store share.
#[cfg(feature = "postgres")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SharedClock {
    /// The clock of the server.
    OfServer,
    /// None: there is only the clock of the machine.
    None,
}

/// The purpose for which a store was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Everything,
    Reading,
}

impl DatabaseStore {
    /// Opens a store in a file and creates it if it does not exist, with its key in another file beside it. Several
    /// processes may share it.
    #[cfg(feature = "sqlite")]
    pub async fn sqlite(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let (key, held) = files::prepare(path)?;
        let file = Arc::new(SqliteFile::new(path.to_owned(), held));
        let open = move |deadline| Ok(Box::new(Sqlite::open(&file, deadline)?) as Box<dyn Database>);
        let opener = Opener { patience: sqlite::PATIENCE, open: Arc::new(open) };
        Self::open(sqlite_place(path), &opener, 2, &sqlite::DIALECT, KeySource::Host(key)).await
    }

    /// Returns the fingerprint of the key of a store in a file, or none if there is no key yet.
    ///
    /// # Errors
    ///
    /// `Broken` if the key cannot be read.
    #[cfg(feature = "sqlite")]
    pub fn sqlite_fingerprint(path: impl AsRef<Path>) -> Result<Option<String>, Error> {
        files::fingerprint(path.as_ref())
    }

    /// Creates the key of a store in a file that does not exist yet. `announce` gets the fingerprint of the key before
    /// another process can find it.
    ///
    /// # Errors
    ///
    /// `Broken` if the folder or the key cannot be created.
    #[cfg(feature = "sqlite")]
    pub fn create_sqlite_key(path: impl AsRef<Path>, announce: &dyn Fn(&str)) -> Result<(), Error> {
        files::create_key(path.as_ref(), announce)
    }

    /// Opens a store in a file for reading. Needs neither write permission nor a lock that another process may hold,
    /// and changes nothing. Returns `None` if there is no store yet.
    #[cfg(feature = "sqlite")]
    pub async fn sqlite_to_read(path: impl AsRef<Path>) -> Result<Option<Self>, Error> {
        let path = path.as_ref();
        let Some((key, held)) = files::find(path)? else { return Ok(None) };
        let file = Arc::new(SqliteFile::new(path.to_owned(), held));
        let open = move |deadline| Ok(Box::new(Sqlite::open_to_read(&file, deadline)?) as Box<dyn Database>);
        let opener = Opener { patience: sqlite::PATIENCE, open: Arc::new(open) };
        Self::open_to_read(sqlite_place(path), &opener, &sqlite::DIALECT, KeySource::Host(key)).await
    }

    /// Opens a store on a server: `postgres://user:password@host:port/database`, with the parameters of libpq.
    /// Connections to other hosts use TLS unless `sslmode` says otherwise; `sslrootcert` names the trusted
    /// certificates.
    #[cfg(feature = "postgres")]
    pub async fn postgres(url: &str, key: KeySource) -> Result<Self, Error> {
        Self::postgres_within(url, key, Connections::default()).await
    }

    /// Opens a store on a server with a limit on connections.
    #[cfg(feature = "postgres")]
    pub async fn postgres_within(url: &str, key: KeySource, connections: Connections) -> Result<Self, Error> {
        let server = Arc::new(Server::parse(url)?);
        let (place, opener) = (server.place.clone(), postgres_opener(&server));
        let store = Self::open(place, &opener, connections.readers(), &postgres::DIALECT, key).await?;
        let listener = Some(Listener::new(server, store.subscriptions.clone()));
        Ok(Self { clock: SharedClock::OfServer, listener, ..store })
    }

    /// Opens a store on a server for reading, without changing anything. Returns `None` if there is no store yet.
    #[cfg(feature = "postgres")]
    pub async fn postgres_to_read(url: &str, key: KeySource) -> Result<Option<Self>, Error> {
        let server = Arc::new(Server::parse(url)?);
        let (place, opener) = (server.place.clone(), postgres_opener(&server));
        let store = Self::open_to_read(place, &opener, &postgres::DIALECT, key).await?;
        Ok(store.map(|store| Self { clock: SharedClock::OfServer, ..store }))
    }

    async fn open(
        place: String,
        opener: &Opener,
        readers: usize,
        dialect: &'static Dialect,
        key: KeySource,
    ) -> Result<Self, Error> {
        let place: Arc<str> = place.into();
        let queue = Queue::start(Arc::clone(&place), opener, readers)?;
        let named = Arc::clone(&place);
        let set_up = move |database: &mut dyn Database| set_up(database, dialect, &key, &named);
        let key = queue.ask(Access::Write, 0, News::Nothing, set_up).await?;
        Ok(Self::new(key, place, queue, Purpose::Everything))
    }

    async fn open_to_read(
        place: String,
        opener: &Opener,
        dialect: &'static Dialect,
        key: KeySource,
    ) -> Result<Option<Self>, Error> {
        let place: Arc<str> = place.into();
        let queue = Queue::start(Arc::clone(&place), opener, 1)?;
        let named = Arc::clone(&place);
        let look = move |database: &mut dyn Database| look(database, dialect, &key, &named);
        let key = queue.ask(Access::Read, 0, News::Nothing, look).await?;
        Ok(key.map(|key| Self::new(key, place, queue, Purpose::Reading)))
    }

    fn new(key: StoreKey, place: Arc<str>, queue: Queue, purpose: Purpose) -> Self {
        let subscriptions = Subscriptions::new(Coverage::Partial);
        Self {
            key,
            place,
            queue,
            purpose,
            #[cfg(feature = "postgres")]
            clock: SharedClock::None,
            subscriptions,
            #[cfg(feature = "postgres")]
            listener: None,
        }
    }

    fn promise<T: Send + 'static>(
        &self,
        size: usize,
        news: News,
        operation: impl Fn(&mut dyn Database) -> Result<T, OperationError> + Send + 'static,
    ) -> Written<T> {
        self.change(Access::Write, size, news, operation)
    }

    fn note<T: Send + 'static>(
        &self,
        operation: impl Fn(&mut dyn Database) -> Result<T, OperationError> + Send + 'static,
    ) -> Written<T> {
        self.change(Access::Note, 0, News::Nothing, operation)
    }

    fn news_of(&self, id: &ExecutionId) -> News {
        News::Of(id.clone(), self.subscriptions.clone())
    }

    fn change<T: Send + 'static>(
        &self,
        access: Access,
        size: usize,
        news: News,
        operation: impl Fn(&mut dyn Database) -> Result<T, OperationError> + Send + 'static,
    ) -> Written<T> {
        match self.purpose {
            Purpose::Everything => self.queue.ask(access, WEIGHT + size, news, operation),
            Purpose::Reading => ready(Err(Error::broken(&self.place, "it was opened only for reading"))).boxed(),
        }
    }

    fn read<T: Send + 'static>(
        &self,
        operation: impl Fn(&mut dyn Database) -> Result<T, OperationError> + Send + 'static,
    ) -> Written<T> {
        self.queue.ask(Access::Read, WEIGHT, News::Nothing, operation)
    }
}

#[cfg(feature = "sqlite")]
fn sqlite_place(path: &Path) -> String {
    format!("the SQLite database {}", path.display())
}

#[cfg(feature = "postgres")]
fn postgres_opener(server: &Arc<Server>) -> Opener {
    let server = Arc::clone(server);
    let open = move |deadline| Ok(Box::new(server.connect(deadline)?) as Box<dyn Database>);
    Opener { patience: postgres::PATIENCE, open: Arc::new(open) }
}

impl fmt::Debug for DatabaseStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("DatabaseStore").field("place", &self.place).finish_non_exhaustive()
    }
}

impl Store for DatabaseStore {
    fn key(&self) -> &StoreKey {
        &self.key
    }

    fn write(&self, change: Arc<Change>) -> Written<Holding> {
        // A journal must be durable. A checkpoint or lease that is lost in a crash costs only time.
        let is_promised = change.create.is_some() || change.append.is_some();
        let access = if is_promised { Access::Write } else { Access::Note };
        let news = if change.concerns_others() { self.news_of(&change.lease.execution) } else { News::Nothing };
        self.change(access, change.size(), news, move |database| operations::write(database, &change))
    }

    fn acquire(&self, id: &ExecutionId, node: &Node, claim: Claim) -> BoxFuture<'_, Result<Lease, Error>> {
        let (id, node) = (id.clone(), node.clone());
        self.note(move |database| operations::acquire(database, &id, &node, claim))
    }

    fn keep_alive(&self, node: &Node, time: Duration) -> BoxFuture<'_, Result<(), Error>> {
        let node = node.clone();
        self.note(move |database| operations::keep_alive(database, &node, time))
    }

    fn renew(&self, lease: &Lease, time: Duration) -> Written<()> {
        let lease = lease.clone();
        self.note(move |database| operations::renew(database, &lease, time))
    }

    fn load(&self, id: &ExecutionId, part: Part) -> BoxFuture<'_, Result<Stored, Error>> {
        let id = id.clone();
        self.read(move |database| operations::load(database, &id, part))
    }

    fn post(&self, id: &ExecutionId, messages: Vec<Message>, state: ExpectedState) -> BoxFuture<'_, Result<(), Error>> {
        let (id, news) = (id.clone(), self.news_of(id));
        let size = messages.iter().map(|message| message.bytes.len()).sum();
        self.promise(size, news, move |database| operations::post(database, &id, &messages, &state))
    }

    fn inbox(&self, id: &ExecutionId) -> BoxFuture<'_, Result<Vec<Message>, Error>> {
        let id = id.clone();
        self.read(move |database| operations::inbox(database, &id))
    }

    fn list(&self, filter: Filter) -> BoxFuture<'_, Result<Page, Error>> {
        self.read(move |database| listing::list(database, &filter))
    }

    fn due(&self, moment: Timestamp, after: Option<DuePlace>, limit: u32) -> BoxFuture<'_, Result<Agenda, Error>> {
        self.read(move |database| due::due(database, moment, after.as_ref(), limit))
    }

    fn time(&self) -> BoxFuture<'_, Result<Option<Timestamp>, Error>> {
        #[cfg(feature = "postgres")]
        if self.clock == SharedClock::OfServer {
            return self.read(|database| operations::time(database).map(Some));
        }
        ready(Ok(None)).boxed()
    }

    fn delete(&self, id: &ExecutionId, state: ExpectedState) -> BoxFuture<'_, Result<(), Error>> {
        let (id, news) = (id.clone(), self.news_of(id));
        self.promise(0, news, move |database| operations::delete(database, &id, &state))
    }

    fn remember(&self, session: &str, about: &str, decision: Vec<u8>) -> BoxFuture<'_, Result<(), Error>> {
        let (session, about, size) = (session.to_owned(), about.to_owned(), decision.len());
        let remember = move |database: &mut dyn Database| operations::remember(database, &session, &about, &decision);
        self.promise(size, News::Nothing, remember)
    }

    fn use_once(&self, key: &str, now: Timestamp, until: Timestamp) -> BoxFuture<'_, Result<bool, Error>> {
        let key = key.to_owned();
        let used = move |database: &mut dyn Database| operations::use_once(database, &key, now, until);
        self.promise(0, News::Nothing, used)
    }

    fn subscribe(&self, id: &ExecutionId) -> Subscription {
        #[cfg(feature = "postgres")]
        if let Some(listener) = &self.listener {
            return listener.subscribe(id);
        }
        self.subscriptions.subscribe(id)
    }

    fn recall(&self, session: &str, about: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, Error>> {
        let (session, about) = (session.to_owned(), about.to_owned());
        self.read(move |database| operations::recall(database, &session, &about))
    }

    fn amend_document(&self, collection: Collection, key: &str, change: Arc<Amendment>) -> Written<()> {
        let key = key.to_owned();
        let access = match collection.durability {
            DocumentDurability::Durable => Access::Write,
            DocumentDurability::Process => Access::Note,
        };
        let amend = move |database: &mut dyn Database| documents::amend(database, collection, &key, &*change);
        self.change(access, 0, News::Nothing, amend)
    }

    fn document(&self, collection: Collection, key: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, Error>> {
        let key = key.to_owned();
        self.read(move |database| documents::one(database, collection, &key))
    }

    fn documents(
        &self,
        collection: Collection,
        after: &str,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Document>, Error>> {
        let after = after.to_owned();
        self.read(move |database| documents::page(database, collection, &after, limit))
    }
}
