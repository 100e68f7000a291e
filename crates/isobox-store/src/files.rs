//! The files of an SQLite store: for nobody but their owner, and made so that two processes that start at once agree.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use isobox_core::Failure;
use isobox_core::journal::StoreKey;
use isobox_core::store::failures::broken;

use crate::schema::random_key;

/// Makes what is missing of the folder, the key and the database, and reads the key.
///
/// The key comes before the database: a database without one has lost it.
pub(crate) fn prepare(database: &Path) -> Result<StoreKey, Failure> {
    if database.is_dir() {
        return Err(failed("use the database", database, &io::Error::other("it is a folder"))
            .hint("name a file in that folder: it is made where there is none"));
    }
    make_folder(database)?;
    let is_there = database.try_exists().map_err(|error| failed("look at", database, &error))?;
    let key_file = key_file(database);
    let key = match read_key(&key_file) {
        Err(error) if error.kind() == ErrorKind::NotFound && is_there => return Err(lost_key(database, &key_file)),
        Err(error) if error.kind() == ErrorKind::NotFound => make_key(&key_file),
        read => read,
    };
    let key = key.map_err(|error| failed("use the key", &key_file, &error))?;
    let opened = private().create(true).truncate(false).write(true).open(database);
    opened.and_then(|file| check_private(&file)).map_err(|error| failed("use the database", database, &error))?;
    Ok(key)
}

/// `isobox.db.key` for `isobox.db`.
pub(crate) fn key_file(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".key");
    name.into()
}

fn make_folder(database: &Path) -> Result<(), Failure> {
    let Some(folder) = database.parent().filter(|folder| !folder.as_os_str().is_empty()) else { return Ok(()) };
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|error| failed("make the folder", folder, &error))
}

fn read_key(path: &Path) -> io::Result<StoreKey> {
    let file = File::open(path)?;
    check_private(&file)?;
    let mut bytes = Vec::new();
    file.take(33).read_to_end(&mut bytes)?;
    let bytes = bytes.try_into().map_err(|_| io::Error::other("it does not have the 32 bytes of a key"))?;
    Ok(StoreKey::new(bytes))
}

/// Whoever is first gives the key, and all others read it: it is written under another name and then linked, which only
/// one can do.
fn make_key(path: &Path) -> io::Result<StoreKey> {
    let key = random_key().map_err(io::Error::other)?;
    let mut other_name = path.as_os_str().to_owned();
    let random = random_key().map_err(io::Error::other)?;
    let [a, b, c, d, ..] = random.as_bytes();
    other_name.push(format!(".{:08x}", u32::from_le_bytes([*a, *b, *c, *d])));
    let other_name = PathBuf::from(other_name);
    let mut file = private().create_new(true).write(true).open(&other_name)?;
    let linked =
        file.write_all(key.as_bytes()).and_then(|()| file.sync_all()).and_then(|()| {
            match std::fs::hard_link(&other_name, path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
                linked => linked,
            }
        });
    std::fs::remove_file(&other_name)?;
    linked?;
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        File::open(folder)?.sync_all()?;
    }
    read_key(path)
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

fn check_private(file: &File) -> io::Result<()> {
    if file.metadata()?.mode() & 0o077 == 0 {
        return Ok(());
    }
    Err(io::Error::other("others than its owner may use it; take that right from them (`chmod 600`)"))
}

fn failed(what: &str, path: &Path, error: &io::Error) -> Failure {
    broken(&format!("cannot {what} {}", path.display()), error)
}

fn lost_key(database: &Path, key_file: &Path) -> Failure {
    let (database, key_file) = (database.display(), key_file.display());
    broken(&format!("the key of {database} is missing"), format!("there is no {key_file}")).hint(
        "put the key back beside the database, or remove the database: without the key nothing in it can be resumed",
    )
}
