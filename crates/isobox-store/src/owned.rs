//! Opens security-sensitive files: keys, databases, and configurations that name commands to start.
//!
//! Nothing here blocks: a pipe, a device or a folder is refused instead of read. Permissions are checked on the opened
//! file, not on its path, so that no other file can take its place in between.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io::{self, Cursor, ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::Errno;
use rustix::process::{getegid, geteuid};

use crate::deadline::Deadline;

/// The maximum time that a pipe without a writer is waited for.
const WRITER_WITHIN: Duration = Duration::from_secs(10);

const SOCKET: &str = "it is a socket; only a regular file will do";

/// The access that other users may have to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// No access: the file is a key, or contains data of programs.
    Secret,
    /// Read access: the file names commands to start.
    Unchanged,
}

/// Opens a regular file for reading. Refuses anything else, and never blocks.
pub fn open_to_read(path: &Path) -> io::Result<File> {
    // A plain open of a pipe would wait for a writer.
    let file = open_without_waiting(path)?;
    expect_file(&file.metadata()?)?;
    Ok(file)
}

fn open_without_waiting(path: &Path) -> io::Result<File> {
    let opened = OpenOptions::new().read(true).custom_flags(flags(OFlags::NONBLOCK | OFlags::NOCTTY)).open(path);
    match opened {
        // The error of the system for opening a socket.
        Err(error) if error.raw_os_error() == Some(Errno::NXIO.raw_os_error()) => refuse(SOCKET.to_owned()),
        opened => opened,
    }
}

/// Opens a file or a pipe to read it to its end, such as the program of `isobox run <(command)`. Refuses folders,
/// sockets, and pipes that no process opens for writing.
pub fn open_stream(path: &Path) -> io::Result<impl Read> {
    const PAUSE: Duration = Duration::from_millis(20);
    let file = open_without_waiting(path)?;
    let kind = file.metadata()?.file_type();
    if !kind.is_fifo() && !kind.is_char_device() {
        expect_file(&file.metadata()?)?;
    }
    let mut first = Vec::new();
    let deadline = Deadline::after(WRITER_WITHIN);
    while kind.is_fifo() && first.is_empty() {
        let mut byte = [0];
        match (&file).read(&mut byte) {
            Ok(0) if deadline.has_passed() => return refuse("no process writes to this pipe".to_owned()),
            Ok(0) => std::thread::sleep(PAUSE),
            Ok(_) => first.extend(byte),
            // There is a writer that has not written yet.
            Err(error) if error.kind() == ErrorKind::WouldBlock => break,
            Err(error) => return Err(error),
        }
    }
    fcntl_setfl(&file, OFlags::empty())?;
    Ok(Cursor::new(first).chain(file))
}

/// Replaces a file atomically by one that only this user may read and change. Creates missing folders likewise.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = path.parent().ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "the path has no folder"))?;
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    /// Tells apart the files that this process writes at the same time.
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}-{}", std::process::id(), WRITTEN.fetch_add(1, Ordering::Relaxed)));
    let new = path.with_file_name(name);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
    let written = file.write_all(content).and_then(|()| file.sync_all()).and_then(|()| fs::rename(&new, path));
    if written.is_err() {
        // The temporary file is useless if it could not be renamed.
        drop(fs::remove_file(&new));
    }
    written
}

/// Refuses a file that belongs to another user or that grants other users too much access. The message names the
/// command that fixes it.
pub fn check(file: &File, path: &Path, guard: Guard) -> io::Result<()> {
    let metadata = file.metadata()?;
    check_owner(&metadata, path)?;
    check_rights(&metadata, path, guard)
}

/// Refuses a file that grants other users too much access.
pub fn check_rights(metadata: &Metadata, path: &Path, guard: Guard) -> io::Result<()> {
    let path = path.display();
    match guard {
        Guard::Secret if metadata.mode() & 0o077 != 0 => {
            refuse(format!("other users may read or change it; run `chmod 600 {path}`"))
        }
        Guard::Unchanged if others_may_write(metadata) => {
            refuse(format!("other users may change it; run `chmod go-w {path}`"))
        }
        Guard::Secret | Guard::Unchanged => Ok(()),
    }
}

/// Refuses a folder in which other users could replace files.
pub fn check_folder(folder: &Path) -> io::Result<()> {
    const STICKY: u32 = 0o1000;
    let metadata = std::fs::metadata(folder)?;
    check_owner(&metadata, folder)?;
    if others_may_write(&metadata) && metadata.mode() & STICKY == 0 {
        return refuse(format!("other users may replace files in it; run `chmod go-w {}`", folder.display()));
    }
    Ok(())
}

/// Returns the owner of a file if it is neither this user nor root.
pub fn stranger(metadata: &Metadata) -> Option<u32> {
    let owner = metadata.uid();
    (owner != 0 && owner != geteuid().as_raw()).then_some(owner)
}

fn check_owner(metadata: &Metadata, path: &Path) -> io::Result<()> {
    let Some(owner) = stranger(metadata) else { return Ok(()) };
    let (us, path) = (geteuid().as_raw(), path.display());
    refuse(format!("it belongs to another user ({owner}); run `chown {us} {path}` if it is meant to be yours"))
}

/// Tells whether users other than the owner may write. The group of this process does not count: on many systems every
/// user has a private group, and files are created with permissions for it.
fn others_may_write(metadata: &Metadata) -> bool {
    let by_group = metadata.mode() & 0o020 != 0 && metadata.gid() != getegid().as_raw();
    by_group || metadata.mode() & 0o002 != 0
}

/// Opens a path without opening the file itself. This never blocks, and closing it releases no lock of SQLite, unlike
/// closing an opened file. Refuses a link.
#[cfg(feature = "sqlite")]
pub(crate) fn take_hold(path: &Path) -> io::Result<File> {
    let file = take_hold_of_entry(path)?;
    expect_file(&file.metadata()?)?;
    Ok(file)
}

/// Opens what a path names, as [`take_hold`] does, whatever it is. A link is not followed.
#[cfg(feature = "sqlite")]
pub(crate) fn take_hold_of_entry(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(flags(OFlags::PATH | OFlags::NOFOLLOW)).open(path)
}

fn expect_file(metadata: &Metadata) -> io::Result<()> {
    let kind = metadata.file_type();
    let what = match () {
        () if kind.is_file() => return Ok(()),
        () if kind.is_dir() => return Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder")),
        () if kind.is_symlink() => "it is a link, which could lead anywhere; name the file itself",
        () if kind.is_fifo() => "it is a pipe; only a regular file will do",
        () if kind.is_socket() => SOCKET,
        () => "it is a device; only a regular file will do",
    };
    refuse(what.to_owned())
}

fn refuse<T>(why: String) -> io::Result<T> {
    Err(io::Error::other(why))
}

fn flags(flags: OFlags) -> i32 {
    flags.bits().cast_signed()
}
