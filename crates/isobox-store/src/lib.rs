//! Stores durable executions in a database: SQLite in one file (the default), or PostgreSQL, which several nodes can
//! share.
//!
//! This is a separate crate because databases are heavy dependencies. It knows nothing about programs: batches,
//! checkpoints and messages are bytes to it. Its own logic is written once, in `operations.rs`, for both databases.
//!
//! Each database is behind a feature of its name, and both are on by default.
//!
//! # Durability
//!
//! Operations of a [`Store`](isobox_core::store::Store) are carried out in the order of the requests. An operation is
//! acknowledged (its future is ready) only after its transaction is committed: in the synced write-ahead log of SQLite
//! (`synchronous = FULL`), or on the PostgreSQL server (`synchronous_commit`, which is switched on if it is off).
//! Operations that arrive during a commit share the next transaction, so many executions share one flush. A refused
//! operation (after a lost lease, for example) writes nothing and does not affect the others in its transaction. If a
//! transaction fails, none of its operations is written, and all of them fail with `STORE`.
//!
//! Before each commit the files of an SQLite store must still be at their paths, because data written to a removed file
//! would be lost.
//!
//! Every operation has one time limit for everything it waits for, 5 s in SQLite and 10 s in PostgreSQL, and fails
//! after it.
//!
//! SQLite does not sync two kinds of data on their own. Leases and heartbeats need no sync because all processes of the
//! machine die with it. Checkpoints need none because the journal contains the same state. The next sync includes
//! everything that was committed before it.
//!
//! A process may be killed at any time: acknowledged operations are stored, and others are stored completely or not at
//! all. The same holds for an operation that is being committed when the connection to a server breaks or the disk
//! fails to sync: it is reported as failed, but may be stored.
//!
//! # Access
//!
//! The file of an SQLite store, its log, and its key beside it (`isobox.db.key`) are accessible only to their owner.
//! They are refused if other users own them, have access to them, or could replace them in their folder ([`owned`]).
//! Journals are sealed with the key, so that a user who can write the database but does not know the key cannot forge
//! an execution or a decision; see [`KeySource`] for PostgreSQL. Nothing is encrypted.
//!
//! In an SQLite file, deleted executions are overwritten and removed from the log before `delete` is acknowledged, or
//! after the next commit if another process is reading. PostgreSQL keeps deleted rows until its vacuum, and in its own
//! log.
//!
//! # Time
//!
//! The clock of the database (the server, or the one machine) determines whether a node is alive.

#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod connection;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod database;
mod deadline;
mod documents;
mod due;
#[cfg(feature = "sqlite")]
mod files;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
#[cfg(feature = "postgres")]
mod listener;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod listing;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod operations;
pub mod owned;
#[cfg(feature = "sqlite")]
mod place;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod queue;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod readers;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod schema;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod store;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod work;

#[cfg(any(feature = "postgres", feature = "sqlite"))]
pub use schema::KeySource;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
pub use store::{Connections, DatabaseStore};
