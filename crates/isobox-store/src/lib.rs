//! Keeps durable executions in a database: SQLite in one file, the default, or PostgreSQL, which many nodes share.
//!
//! This is a crate of its own because databases are heavy dependencies. It knows nothing of programs: what is in a batch, a
//! checkpoint or a message are bytes. What it does know is written once, in `operations.rs`, for both databases.
//!
//! Each database is behind a feature of its name, and both are on by default.
//!
//! # What is on disk, and when
//!
//! What a [`Store`](isobox_core::store::Store) is asked for is done in the order of asking, and acknowledged (its future is
//! ready) only after the transaction that has it is committed: in SQLite's write-ahead log, synced (`synchronous = FULL`), or on
//! the PostgreSQL server (`synchronous_commit`, which is switched on where it is off). Whatever gathers while a transaction is
//! committed is in the next one together: many executions share one flush. Of what is refused in a transaction (a lost
//! lease, say) nothing is written, and of the others everything. Where a transaction fails, nothing of it is written, and
//! everybody in it is told so with `STORE`.
//!
//! Before each commit the files of an SQLite store must still be at their paths: what is written to a removed file would be lost.
//!
//! Every operation has one bound for all that it waits for, 5 s in SQLite and 10 s in PostgreSQL, and fails past it.
//!
//! Two things are not synced by themselves in SQLite: who is alive and holds what, for where the machine dies everybody on it
//! has died too, and checkpoints, for a journal tells the same. A sync takes everything along that was committed before.
//!
//! A process may be killed at any instant: what was acknowledged is there, what was not is there wholly or not at all. The
//! same holds, for what was just being committed, where the connection to a server breaks or the disk fails to sync: it is
//! reported as failed, and may be there.
//!
//! # Who may read it
//!
//! The file of an SQLite store, its log, and its key beside it (`isobox.db.key`) are for their owner alone. They are refused
//! where other users have rights to them or own them, and where other users could replace them in their folder ([`owned`]). Journals are sealed with the key, so that one who can write the database but does not know
//! the key cannot make up an execution or a decision; see [`KeySource`] for PostgreSQL. Nothing is encrypted.
//!
//! Deleted executions are overwritten in an SQLite file, and taken out of its log, before `delete` is acknowledged; where
//! another process is just reading, after the next commit. PostgreSQL keeps deleted rows until its vacuum, and in its own log.
//!
//! # Time
//!
//! Whether a node is alive is told by the clock of the database: that of the server, or of the one machine.

#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod connection;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod database;
mod deadline;
#[cfg(feature = "sqlite")]
mod files;
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
