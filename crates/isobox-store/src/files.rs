//! The files of an SQLite store: accessible only to their owner, and created so that concurrent processes agree on
//! them.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use isobox_core::journal::StoreKey;
use isobox_core::store::Error;
use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::owned::{self, Guard};
use crate::place::{Held, beside};
use crate::schema::random_key;

/// The files that SQLite keeps beside a database: its log, its shared memory, and the rollback journal of a transaction
/// that was interrupted before the database had a log.
const COMPANIONS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// The files that a store has for as long as it exists.
#[derive(Debug)]
pub(crate) struct HeldFiles {
    pub(crate) database: Held,
    /// A process that has read the key needs it no more. But nothing that it writes can be read once the process has ended, if
    /// the key is gone.
    pub(crate) key: Held,
}

/// Creates the folder, the key and the database if they are missing, and reads the key.
///
/// The key is created before the database, so a database without a key has lost it.
pub(crate) fn prepare(database: &Path) -> Result<(StoreKey, HeldFiles), Error> {
    make_folder(database)?;
    check_folder(database)?;
    let held = hold(database)?;
    let key_file = beside(database, ".key");
    let key = match hold_key(&key_file) {
        Err(error) if error.kind() == ErrorKind::NotFound && held.is_some() => {
            return Err(lost_key(database, &key_file));
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            make_key(&key_file, &|_| ()).and_then(|_| hold_key(&key_file))
        }
        held => held,
    };
    let (key, held_key) = key.map_err(|error| failed("use the key", &key_file, error))?;
    let held = match held {
        Some(held) => held,
        None => make_database(database).map_err(|error| failed("use the database", database, error))?,
    };
    check_companions(database)?;
    Ok((key, HeldFiles { database: held, key: held_key }))
}

/// Returns the fingerprint of the key of a database, or none if it has no key.
pub(crate) fn fingerprint(database: &Path) -> Result<Option<String>, Error> {
    let key_file = beside(database, ".key");
    match read_key(&key_file) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        read => Ok(Some(read.map_err(|error| failed("use the key", &key_file, error))?.fingerprint())),
    }
}

/// Creates the folder and the key of a database that does not exist. `announce` gets the fingerprint of the key before
/// the key is in its place.
pub(crate) fn create_key(database: &Path, announce: &dyn Fn(&str)) -> Result<(), Error> {
    make_folder(database)?;
    check_folder(database)?;
    let key_file = beside(database, ".key");
    if hold(database)?.is_some() || fingerprint(database)?.is_some() {
        return Ok(());
    }
    make_key(&key_file, announce).map(drop).map_err(|error| failed("use the key", &key_file, error))
}

/// Finds a database and reads its key without creating anything. Returns `None` if there is no database.
pub(crate) fn find(database: &Path) -> Result<Option<(StoreKey, HeldFiles)>, Error> {
    let Some(held) = hold(database)? else { return Ok(None) };
    check_folder(database)?;
    let key_file = beside(database, ".key");
    let (key, held_key) = match hold_key(&key_file) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(lost_key(database, &key_file)),
        held => held.map_err(|error| failed("use the key", &key_file, error))?,
    };
    check_companions(database)?;
    Ok(Some((key, HeldFiles { database: held, key: held_key })))
}

fn hold(database: &Path) -> Result<Option<Held>, Error> {
    match Held::secret(database) {
        Ok(held) => Ok(Some(held)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let is_folder = error.kind() == ErrorKind::IsADirectory;
            let failed = failed("use the database", database, error);
            Err(match is_folder {
                true => failed.hint("name a file in that folder: it is made where there is none"),
                false => failed,
            })
        }
    }
}

/// Creates a database without opening it, because closing a file releases all locks of this process on it.
fn make_database(path: &Path) -> io::Result<Held> {
    match mknodat(CWD, path, FileType::RegularFile, Mode::RUSR | Mode::WUSR, 0) {
        Ok(()) | Err(rustix::io::Errno::EXIST) => Held::secret(path),
        Err(error) => Err(error.into()),
    }
}

fn check_companions(database: &Path) -> Result<(), Error> {
    for suffix in COMPANIONS {
        let path = beside(database, suffix);
        match Held::secret(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed("use the file", &path, error)),
            Ok(_) | Err(_) => {}
        }
    }
    Ok(())
}

fn folder_of(database: &Path) -> &Path {
    database.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn check_folder(database: &Path) -> Result<(), Error> {
    let folder = folder_of(database);
    owned::check_folder(folder).map_err(|error| {
        failed("use the folder", folder, error).hint("or keep executions in a folder that is for you alone")
    })
}

fn make_folder(database: &Path) -> Result<(), Error> {
    let folder = folder_of(database);
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|error| failed("make the folder", folder, error))
}

/// Reads a key that is held before: if another file takes its place meanwhile, that is noticed.
fn hold_key(path: &Path) -> io::Result<(StoreKey, Held)> {
    let held = Held::entry(path)?;
    Ok((read_key(path)?, held))
}

fn read_key(path: &Path) -> io::Result<StoreKey> {
    let file = owned::open_to_read(path)?;
    owned::check(&file, path, Guard::Secret)?;
    let mut bytes = Vec::new();
    file.take(33).read_to_end(&mut bytes)?;
    let bytes = bytes.try_into().map_err(|_| io::Error::other("it does not have the 32 bytes of a key"))?;
    Ok(StoreKey::new(bytes))
}

/// Creates the key, or reads the key that another process created first. The key is written under another name and then
/// linked, which only one process can do. `announce` gets its fingerprint before that.
fn make_key(path: &Path, announce: &dyn Fn(&str)) -> io::Result<StoreKey> {
    let key = random_key().map_err(io::Error::other)?;
    let mut other_name = path.as_os_str().to_owned();
    let random = random_key().map_err(io::Error::other)?;
    let [a, b, c, d, ..] = random.as_bytes();
    other_name.push(format!(".{:08x}", u32::from_le_bytes([*a, *b, *c, *d])));
    let other_name = PathBuf::from(other_name);
    let mut file = private().create_new(true).write(true).open(&other_name)?;
    announce(&key.fingerprint());
    let linked =
        file.write_all(key.as_bytes()).and_then(|()| file.sync_all()).and_then(|()| {
            match std::fs::hard_link(&other_name, path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
                linked => linked,
            }
        });
    std::fs::remove_file(&other_name)?;
    linked?;
    File::open(folder_of(path))?.sync_all()?;
    read_key(path)
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

fn failed(what: &str, path: &Path, error: io::Error) -> Error {
    Error::broken(&format!("cannot {what} {}", path.display()), &error).caused_by(error)
}

fn lost_key(database: &Path, key_file: &Path) -> Error {
    let (database, key_file) = (database.display(), key_file.display());
    Error::broken(&format!("the key of {database} is missing"), format!("there is no {key_file}")).hint(
        "put the key back beside the database, or remove the database: without the key nothing in it can be resumed",
    )
}
