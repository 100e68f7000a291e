//! Reads files that a configuration names.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use isobox_core::ByteSize;

/// Reads a regular file up to a size. Links may not lead out of the folder.
pub(crate) fn read_file(path: &Path, folder: Option<&Path>, limit: usize) -> io::Result<Vec<u8>> {
    let path = fs::canonicalize(path)?;
    if folder.is_some_and(|folder| !path.starts_with(folder)) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    // Opening a pipe would wait for its other end.
    if !fs::metadata(&path)?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(&path)?;
    file.take(u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() > limit {
        true => Err(io::Error::new(io::ErrorKind::FileTooLarge, too_large(limit))),
        false => Ok(bytes),
    }
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
