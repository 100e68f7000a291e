//! Opening files that decide what happens on this machine: keys, databases, and what names commands to start.
//!
//! Nothing here waits: a pipe, a device or a folder is refused instead of read. Whether other users have rights to a file is
//! told of the file that was opened, not of its path, so that no other file can take its place in between.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Cursor, ErrorKind, Read};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::time::Duration;

use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::Errno;
use rustix::process::{getegid, geteuid};

use crate::deadline::Deadline;

/// How long a pipe is waited for to which nobody writes.
const WRITER_WITHIN: Duration = Duration::from_secs(10);

const SOCKET: &str = "it is a socket; only a regular file will do";

/// What other users may do with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// Nothing: the file is a key, or holds data of programs.
    Secret,
    /// Read it, but not change it: the file names commands to start.
    Unchanged,
}

/// Opens a file to read it. Anything but a regular file is refused, and nothing is waited for.
pub fn open_to_read(path: &Path) -> io::Result<File> {
    // Opening a pipe to which nobody writes would wait for a writer.
    let file = open_without_waiting(path)?;
    expect_file(&file.metadata()?)?;
    Ok(file)
}

fn open_without_waiting(path: &Path) -> io::Result<File> {
    let opened = OpenOptions::new().read(true).custom_flags(flags(OFlags::NONBLOCK | OFlags::NOCTTY)).open(path);
    match opened {
        // So the system says that a socket is not opened but connected to.
        Err(error) if error.raw_os_error() == Some(Errno::NXIO.raw_os_error()) => refuse(SOCKET.to_owned()),
        opened => opened,
    }
}

/// Opens a file or a pipe to read it to its end, as a program is read: `isobox run <(command)` gives one. Folders and sockets
/// are refused, and so is a pipe that nobody opens to write to it.
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
            // A writer is there, and takes its time.
            Err(error) if error.kind() == ErrorKind::WouldBlock => break,
            Err(error) => return Err(error),
        }
    }
    fcntl_setfl(&file, OFlags::empty())?;
    Ok(Cursor::new(first).chain(file))
}

/// Refuses a file to which other users have more rights than they may, or that belongs to one of them. The message says which
/// command puts that right.
pub fn check(file: &File, path: &Path, guard: Guard) -> io::Result<()> {
    let metadata = file.metadata()?;
    check_owner(&metadata, path)?;
    check_rights(&metadata, path, guard)
}

/// Refuses a file to which other users have more rights than they may.
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

/// Refuses a folder in which other users could put another file in the place of ours.
pub fn check_folder(folder: &Path) -> io::Result<()> {
    const STICKY: u32 = 0o1000;
    let metadata = std::fs::metadata(folder)?;
    check_owner(&metadata, folder)?;
    if others_may_write(&metadata) && metadata.mode() & STICKY == 0 {
        return refuse(format!("other users may replace files in it; run `chmod go-w {}`", folder.display()));
    }
    Ok(())
}

/// The user to whom a file belongs, where that is neither this user nor root.
pub fn stranger(metadata: &Metadata) -> Option<u32> {
    let owner = metadata.uid();
    (owner != 0 && owner != geteuid().as_raw()).then_some(owner)
}

fn check_owner(metadata: &Metadata, path: &Path) -> io::Result<()> {
    let Some(owner) = stranger(metadata) else { return Ok(()) };
    let (us, path) = (geteuid().as_raw(), path.display());
    refuse(format!("it belongs to another user ({owner}); run `chown {us} {path}` if it is meant to be yours"))
}

/// Whether users other than the owner may write. The group that this process runs as does not count: on many systems every user
/// has one of their own, and files are made with rights for it.
fn others_may_write(metadata: &Metadata) -> bool {
    let by_group = metadata.mode() & 0o020 != 0 && metadata.gid() != getegid().as_raw();
    by_group || metadata.mode() & 0o002 != 0
}

/// Takes hold of a file without opening it: never waits, and closing it releases no lock of SQLite's, as closing a file that
/// was opened would. A link is refused.
#[cfg(feature = "sqlite")]
pub(crate) fn take_hold(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().read(true).custom_flags(flags(OFlags::PATH | OFlags::NOFOLLOW)).open(path)?;
    expect_file(&file.metadata()?)?;
    Ok(file)
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
