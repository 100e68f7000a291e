//! Checks whether the open files of an SQLite store are still at their paths.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::owned::{self, Guard};

/// An open file and its original path. While it is held, no other file can get the same inode number.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) path: PathBuf,
    file: File,
    number: (u64, u64),
}

/// The change of the path of a held file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Displaced {
    /// The path no longer exists.
    Removed,
    /// Another file is at the path.
    Replaced,
}

impl Held {
    /// Holds the file at a path. The file must be accessible only to its owner.
    pub(crate) fn secret(path: &Path) -> io::Result<Self> {
        let file = owned::take_hold(path)?;
        owned::check(&file, path, Guard::Secret)?;
        Self::of(path, file)
    }

    /// Holds what a path names, a file or a link to one. Checks nothing.
    pub(crate) fn entry(path: &Path) -> io::Result<Self> {
        Self::of(path, owned::take_hold_of_entry(path)?)
    }

    fn of(path: &Path, file: File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        Ok(Self { path: path.to_owned(), number: (metadata.dev(), metadata.ino()), file })
    }

    /// Returns what happened to the path, or `None` while it names the held file. Takes one system call.
    pub(crate) fn displaced(&self) -> io::Result<Option<Displaced>> {
        match std::fs::symlink_metadata(&self.path) {
            Ok(now) if (now.dev(), now.ino()) == self.number => Ok(None),
            Ok(_) => Ok(Some(Displaced::Replaced)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Some(Displaced::Removed)),
            Err(error) => Err(error),
        }
    }

    /// Returns the time of the last write and the size of the file.
    pub(crate) fn state(&self) -> io::Result<(i64, i64, u64)> {
        let metadata = self.file.metadata()?;
        Ok((metadata.mtime(), metadata.mtime_nsec(), metadata.len()))
    }
}

/// Returns the process that holds the lock of a database, as far as the system reports it.
///
/// The kernel lists locks a page at a time and skips some while others come and go. So the list is read again if the
/// lock is not in it.
pub(crate) fn lock_holder(database: &Path) -> Option<u32> {
    const READS: usize = 20;
    let number = |path: &Path| std::fs::metadata(path).ok().map(|found| (found.dev(), found.ino()));
    let files = [number(&beside(database, "-shm")), number(database)];
    (0..READS).find_map(|_| {
        let locks = std::fs::read_to_string("/proc/locks").ok()?;
        files.into_iter().flatten().find_map(|(device, inode)| writer(&locks, device, inode))
    })
}

/// Finds the process with a write lock on a file in lines like `1: POSIX  ADVISORY  WRITE 4711 fe:01:1312 120 120`.
fn writer(locks: &str, device: u64, inode: u64) -> Option<u32> {
    let file = format!("{:02x}:{:02x}:{inode}", rustix::fs::major(device), rustix::fs::minor(device));
    locks.lines().find_map(|line| {
        let mut words = line.split_whitespace().skip_while(|word| *word != "WRITE").skip(1);
        let process = words.next()?;
        if words.next()? == file { process.parse().ok() } else { None }
    })
}

/// Returns the path of a companion file of a database: `isobox.db-wal` for `isobox.db`.
pub(crate) fn beside(database: &Path, suffix: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_process_that_writes_is_found_among_all_locks() {
        let locks = "1: POSIX  ADVISORY  READ 12 fe:01:99 123 123\n\
                     2: FLOCK  ADVISORY  WRITE 13 fe:01:98 0 EOF\n\
                     3: POSIX  ADVISORY  WRITE 4711 fe:01:99 120 120\n\
                     3: -> POSIX  ADVISORY  WRITE 14 fe:01:99 120 120\n\
                     nonsense WRITE\n";
        let device = rustix::fs::makedev(0xfe, 1);
        assert_eq!(writer(locks, device, 99), Some(4711));
        assert_eq!(writer(locks, device, 97), None);
        assert_eq!(writer(locks, rustix::fs::makedev(0xfe, 2), 99), None);
    }
}
