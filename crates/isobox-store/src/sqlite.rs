//! A database in one file.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OpenFlags, ToSql, ffi, params_from_iter};

use crate::database::{Access, Database, DatabaseError, ErrorKind, Row, Value};
use crate::schema::Dialect;

pub(crate) const DIALECT: Dialect = Dialect {
    migrations: &[include_str!("migrations/sqlite/1.sql")],
    // A transaction that writes is alone.
    lock: "",
    is_set_up: "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'isobox_settings'",
};

const NOW: &str = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/// How long another process is waited for, each time that it is tried.
const PATIENCE: Duration = Duration::from_secs(3);

/// How long readers are waited for when deleted bytes are to leave the log: the next commit tries again.
const WIPING_PATIENCE: Duration = Duration::from_millis(200);

pub(crate) struct Sqlite {
    connection: Connection,
    /// Whether a commit waits until it is on disk.
    flushes: bool,
    translated: HashMap<&'static str, String>,
    /// This transaction deletes something.
    deletes: bool,
    /// Something that was deleted may still be in the log.
    is_to_wipe: bool,
}

impl Sqlite {
    /// Opens a file that is there.
    pub(crate) fn open(path: &Path) -> Result<Self, DatabaseError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(PATIENCE)?;
        connection.set_prepared_statement_cache_capacity(64);
        // Of a new file. Snapshots of some kilobytes leave less of their last page empty than with the usual 4096.
        connection.execute_batch("PRAGMA page_size = 2048")?;
        use_write_ahead_log(&connection)?;
        connection.execute_batch(
            "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; \
             PRAGMA trusted_schema = OFF; PRAGMA journal_size_limit = 16777216;",
        )?;
        Ok(Self { connection, flushes: true, translated: HashMap::new(), deletes: false, is_to_wipe: false })
    }

    /// A commit that flushes takes along what was committed before it: the log is one file.
    fn set_flushes(&mut self, flushes: bool) -> rusqlite::Result<()> {
        if self.flushes != flushes {
            let statement = if flushes { "PRAGMA synchronous = FULL" } else { "PRAGMA synchronous = NORMAL" };
            self.connection.execute_batch(statement)?;
            self.flushes = flushes;
        }
        Ok(())
    }

    /// Takes what was deleted out of the write-ahead log, and says whether it is out. Who is reading may hold that up.
    fn wipe(&self) -> rusqlite::Result<bool> {
        self.connection.busy_timeout(WIPING_PATIENCE)?;
        let busy = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
        self.connection.busy_timeout(PATIENCE)?;
        Ok(busy? == 0)
    }
}

/// Processes that open a new file at once are in each other's way, and SQLite does not wait for that by itself.
fn use_write_ahead_log(connection: &Connection) -> Result<(), DatabaseError> {
    const PAUSE: Duration = Duration::from_millis(20);
    let mut left = PATIENCE.as_millis() / PAUSE.as_millis();
    loop {
        let mode = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0));
        match mode.map_err(DatabaseError::from) {
            Ok(mode) if mode == "wal" => return Ok(()),
            Ok(_) => {
                let message = "its file system does not support SQLite's write-ahead log";
                return Err(DatabaseError::new(ErrorKind::Unusable, message).hint("keep it on a local disk"));
            }
            Err(error) if error.kind == ErrorKind::Collision && left > 0 => {
                left -= 1;
                std::thread::sleep(PAUSE);
            }
            Err(error) => return Err(error),
        }
    }
}

impl Database for Sqlite {
    fn begin(&mut self, access: Access) -> Result<(), DatabaseError> {
        let statement = match access {
            Access::Read => "BEGIN",
            Access::Note => {
                self.set_flushes(false)?;
                "BEGIN IMMEDIATE"
            }
            Access::Write => {
                self.set_flushes(true)?;
                "BEGIN IMMEDIATE"
            }
        };
        Ok(self.connection.execute_batch(statement)?)
    }

    fn commit(&mut self) -> Result<(), DatabaseError> {
        self.connection.execute_batch("COMMIT")?;
        self.is_to_wipe |= std::mem::take(&mut self.deletes);
        if self.is_to_wipe {
            // It is committed, whatever comes of this; what could not be wiped now is wiped after the next commit, and at the
            // latest when the last process closes the database.
            self.is_to_wipe = !self.wipe().unwrap_or(false);
        }
        Ok(())
    }

    fn rollback(&mut self) {
        self.deletes = false;
        // SQLite has already done so after some errors; `is_usable` tells.
        let _ = self.connection.execute_batch("ROLLBACK");
    }

    fn execute(&mut self, statement: &'static str, values: &[Value<'_>]) -> Result<u64, DatabaseError> {
        let statement = self.translated.entry(statement).or_insert_with(|| translate(statement));
        let changed = self.connection.prepare_cached(statement)?.execute(params_from_iter(values))?;
        Ok(changed as u64)
    }

    fn query(&mut self, statement: &'static str, values: &[Value<'_>]) -> Result<Vec<Row>, DatabaseError> {
        let statement = self.translated.entry(statement).or_insert_with(|| translate(statement));
        let mut statement = self.connection.prepare_cached(statement)?;
        let columns = statement.column_count();
        let rows = statement.query_map(params_from_iter(values), |row| {
            (0..columns).map(|column| read(row.get_ref(column)?)).collect::<Result<_, _>>().map(Row)
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn run(&mut self, script: &str) -> Result<(), DatabaseError> {
        Ok(self.connection.execute_batch(script)?)
    }

    fn wipe_after_commit(&mut self) {
        self.deletes = true;
    }

    fn is_usable(&self) -> bool {
        self.connection.is_autocommit()
    }
}

fn translate(statement: &str) -> String {
    statement.replace("{now}", NOW).replace("{lock}", "")
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Integer(value) => ValueRef::Integer(*value),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
            Self::Nothing => ValueRef::Null,
        }))
    }
}

fn read(value: ValueRef<'_>) -> rusqlite::Result<Value<'static>> {
    Ok(match value {
        ValueRef::Null => Value::Nothing,
        ValueRef::Integer(value) => Value::Integer(value),
        ValueRef::Text(_) => Value::Text(Cow::Owned(value.as_str()?.to_owned())),
        ValueRef::Blob(bytes) => Value::Bytes(Cow::Owned(bytes.to_owned())),
        ValueRef::Real(_) => return Err(rusqlite::types::FromSqlError::InvalidType.into()),
    })
}

impl From<rusqlite::Error> for DatabaseError {
    fn from(error: rusqlite::Error) -> Self {
        let unavailable = |message: &str| Self::new(ErrorKind::Unavailable, message);
        let unusable = |message: &str| Self::new(ErrorKind::Unusable, message);
        // The lowest eight bits; the others say more than anybody needs.
        match error.sqlite_error().map(|error| error.extended_code & 0xff) {
            Some(ffi::SQLITE_BUSY | ffi::SQLITE_LOCKED) => {
                Self::new(ErrorKind::Collision, "another process keeps it locked").hint("try again once that is done")
            }
            Some(ffi::SQLITE_FULL) => {
                unavailable("the disk is full").hint("make room; what was written before is safe")
            }
            Some(ffi::SQLITE_IOERR) => unavailable(&format!("the disk does not do what it should ({error})"))
                .hint("look at the disk, its quotas and limits; what was written before is safe"),
            Some(ffi::SQLITE_READONLY | ffi::SQLITE_PERM) => unusable("it cannot be written to")
                .hint("look at the rights of the file and its folder, and at how the disk is mounted"),
            Some(ffi::SQLITE_CANTOPEN) => {
                unavailable("it cannot be opened").hint("look at the rights of the file and its folder")
            }
            Some(ffi::SQLITE_NOTADB) => unusable("it is not an SQLite database").hint("look at the path"),
            Some(ffi::SQLITE_CORRUPT) => unusable("it is damaged").hint("restore it from a backup"),
            _ => Self::new(ErrorKind::Statement, error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_waits_for_the_disk_unless_it_may_be_lost() {
        const FULL: i64 = 2;
        const NORMAL: i64 = 1;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("isobox.db");
        std::fs::write(&path, []).unwrap();
        let mut database = Sqlite::open(&path).unwrap();
        for (access, expected) in
            [(Access::Note, NORMAL), (Access::Write, FULL), (Access::Note, NORMAL), (Access::Write, FULL)]
        {
            database.begin(access).unwrap();
            let level = database.query("PRAGMA synchronous", &[]).unwrap()[0].integer(0).unwrap();
            database.commit().unwrap();
            assert_eq!(level, expected, "{access:?}");
        }
    }
}
