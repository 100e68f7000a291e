//! Reads files that a configuration names.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use isobox_core::ByteSize;
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::process::getegid;

/// Reads a regular file up to a size. Links may not lead out of the folder. Refuses a file that other users may change, as a
/// configuration is refused, and never waits for the other end of a pipe.
pub(crate) fn read_file(path: &Path, folder: Option<&Path>, limit: usize) -> io::Result<Vec<u8>> {
    let path = fs::canonicalize(path)?;
    if folder.is_some_and(|folder| !path.starts_with(folder)) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let file = open(&path)?;
    let mut bytes = Vec::new();
    file.take(u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() > limit {
        true => Err(io::Error::new(io::ErrorKind::FileTooLarge, too_large(limit))),
        false => Ok(bytes),
    }
}

/// Opens a regular file. What is checked is the opened file, so that no other can take its place in between.
fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW;
    let file = match OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path) {
        // The error of the system for opening a socket.
        Err(error) if error.raw_os_error() == Some(Errno::NXIO.raw_os_error()) => {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        opened => opened?,
    };
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    if others_may_write(&metadata) {
        return Err(io::Error::other(format!("other users may change it; run `chmod go-w {}`", path.display())));
    }
    Ok(file)
}

/// Tells whether users other than the owner may write. The group of this process does not count, as for configurations.
fn others_may_write(metadata: &Metadata) -> bool {
    let by_group = metadata.mode() & 0o020 != 0 && metadata.gid() != getegid().as_raw();
    by_group || metadata.mode() & 0o002 != 0
}

/// Describes a document that is larger than this number of bytes.
pub(crate) fn too_large(limit: usize) -> String {
    format!("it is too large (at most {} may be read)", ByteSize::bytes(u64::try_from(limit).unwrap_or(u64::MAX)))
}

/// Describes why a file cannot be read.
pub(crate) fn file_error(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "it may not be read".to_owned(),
        io::ErrorKind::InvalidInput => "it is not a regular file".to_owned(),
        io::ErrorKind::FileTooLarge => error.to_string(),
        _ => isobox_core::brief(&error.to_string(), 200),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;

    use super::*;

    #[test]
    fn a_pipe_is_refused_without_waiting_for_its_other_end() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(open(&pipe).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        assert_eq!(file_error(&read_file(&pipe, None, 10).unwrap_err()), "it is not a regular file");
        assert_eq!(file_error(&read_file(folder.path(), None, 10).unwrap_err()), "it is not a regular file");
    }

    #[test]
    fn a_file_that_other_users_may_change_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("api.yaml");
        fs::write(&file, "x").unwrap();
        let allow = |mode: u32| fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        allow(0o644);
        assert_eq!(read_file(&file, None, 10).unwrap(), b"x");
        allow(0o646);
        let told = file_error(&read_file(&file, None, 10).unwrap_err());
        assert!(told.starts_with("other users may change it; run `chmod go-w "), "{told}");
    }
}
