//! The encoding of a journal: one line of JSON per entry, lines in batches, each batch sealed to all previous ones.
//!
//! It is JSON, because a journal outlives the version that wrote it and people read it. Every batch starts with its
//! version. A newer Isobox reads older batches and continues in its own version; `tests/journal/v1` contains journals
//! of each version.

use bytes::Bytes;
use hmac::{Hmac, Mac};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::Sha256;

use super::{Beginning, Entry};
use crate::store::{Error, ErrorKind};
use crate::{Code, ExecutionId, Failure};

/// The version of new batches.
const VERSION: u8 = b'1';

/// The capacity for a beginning, apart from its program, and for a small batch, so that the buffer does not grow while it
/// is written.
const BEGINNING: usize = 900;
const BATCH: usize = 512;

/// The bytes of entries that become durable together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// The entries.
    pub bytes: Bytes,
    /// The proof that the entries follow the previous batch. Checking it takes the key.
    pub seal: Seal,
}

/// Proves that a batch and all previous ones are unaltered.
pub type Seal = [u8; 32];

/// The key of a store. It is needed to write journals and snapshots that are accepted.
///
/// Seals are keyed BLAKE3, which is fast on every processor: every batch of a journal has one. Seals of earlier builds,
/// which are HMAC-SHA-256 with the same key, are accepted too.
#[derive(Clone)]
pub struct StoreKey([u8; 32]);

impl StoreKey {
    /// Creates a key from its bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns a text by which the key can be recognised, and which does not reveal it.
    pub fn fingerprint(&self) -> String {
        self.hash(&[b"fingerprint"]).to_hex().to_string()
    }

    /// Returns the seal of these parts. Each part but the last must have a known length or end.
    pub(crate) fn prove(&self, parts: &[&[u8]]) -> Seal {
        *self.hash(parts).as_bytes()
    }

    /// Tells whether a seal is that of these parts. Takes the same time wherever a wrong seal differs.
    pub(crate) fn is_proven(&self, parts: &[&[u8]], proof: &Seal) -> bool {
        self.hash(parts) == *proof || self.is_proven_as_before(parts, proof)
    }

    /// Returns the content, preceded by its seal together with these parts.
    pub(crate) fn sealed(&self, parts: &[&[u8]], content: &[u8]) -> Vec<u8> {
        [&self.prove(&[parts, &[content]].concat()), content].concat()
    }

    /// Returns the content that was sealed together with these parts, or none if the seal does not match.
    pub(crate) fn opened<'s>(&self, parts: &[&[u8]], sealed: &'s [u8]) -> Option<&'s [u8]> {
        let (proof, content) = sealed.split_first_chunk()?;
        self.is_proven(&[parts, &[content]].concat(), proof).then_some(content)
    }

    fn hash(&self, parts: &[&[u8]]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        for part in parts {
            hasher.update(part);
        }
        hasher.finalize()
    }

    fn is_proven_as_before(&self, parts: &[&[u8]], proof: &Seal) -> bool {
        let mut code = Hmac::<Sha256>::new_from_slice(&self.0).expect("a key may have any length");
        parts.iter().for_each(|part| code.update(part));
        code.verify_slice(proof).is_ok()
    }
}

impl std::fmt::Debug for StoreKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("StoreKey(…)")
    }
}

/// Encodes the beginning of an execution. The seal covers the ID, so that no journal passes for that of another
/// execution.
pub fn encode_beginning(key: &StoreKey, id: &ExecutionId, beginning: &Beginning<'_>) -> Result<Batch, Failure> {
    let code: usize = beginning.prepared.files.iter().map(|file| file.code.len()).sum();
    let mut bytes = Vec::with_capacity(BEGINNING + beginning.program.source_size() + code);
    bytes.extend([VERSION, b'\n']);
    write_line(&mut bytes, beginning)?;
    let seal = key.prove(&[id.as_str().as_bytes(), &bytes]);
    Ok(Batch { bytes: bytes.into(), seal })
}

/// Decodes the beginning of an execution.
pub fn decode_beginning(key: &StoreKey, id: &ExecutionId, batch: &Batch) -> Result<Beginning<'static>, Error> {
    check(key, id.as_str().as_bytes(), batch, id)?;
    let mut lines = lines(batch, id)?;
    match (lines.next(), lines.next()) {
        (Some(line), None) => read_line(line, id),
        _ => Err(damaged(id)),
    }
}

/// Collects entries for a batch.
#[derive(Debug, Default)]
pub(crate) struct BatchWriter(Vec<u8>);

impl BatchWriter {
    pub(crate) fn add(&mut self, entry: &Entry) -> Result<(), Failure> {
        if self.0.is_empty() {
            self.0.reserve(BATCH);
            self.0.extend([VERSION, b'\n']);
        }
        let length = self.0.len();
        // Leaves nothing of an entry that cannot be encoded.
        write_line(&mut self.0, entry).inspect_err(|_| self.0.truncate(length))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Removes everything behind a length, and returns it as text.
    pub(crate) fn cut(&mut self, length: usize) -> String {
        let line = String::from_utf8_lossy(&self.0[length..]).into_owned();
        self.0.truncate(length);
        line
    }

    /// Takes the collected entries as the batch that follows `before`.
    pub(crate) fn take(&mut self, key: &StoreKey, before: &Seal) -> Batch {
        let bytes = std::mem::take(&mut self.0);
        let seal = key.prove(&[before, &bytes]);
        Batch { bytes: bytes.into(), seal }
    }
}

/// Decodes a batch that follows `before`.
pub fn decode_batch(key: &StoreKey, id: &ExecutionId, before: &Seal, batch: &Batch) -> Result<Vec<Entry>, Error> {
    check(key, before, batch, id)?;
    lines(batch, id)?.map(|line| read_line(line, id)).collect()
}

fn check(key: &StoreKey, before: &[u8], batch: &Batch, id: &ExecutionId) -> Result<(), Error> {
    if key.is_proven(&[before, &batch.bytes], &batch.seal) { Ok(()) } else { Err(damaged(id)) }
}

fn lines<'b>(batch: &'b Batch, id: &ExecutionId) -> Result<impl Iterator<Item = &'b [u8]>, Error> {
    match batch.bytes.split_first_chunk::<2>() {
        Some(([VERSION, b'\n'], lines)) => Ok(lines.split_inclusive(|byte| *byte == b'\n')),
        Some(([version, b'\n'], _)) if version.is_ascii_digit() => {
            let version = char::from(*version);
            let message = format!("the journal of {id} has version {version}, which this Isobox does not support");
            Err(Error::new(ErrorKind::Broken, message)
                .hint("resume the execution with the version of Isobox that wrote it, or a newer one"))
        }
        _ => Err(damaged(id)),
    }
}

fn write_line(bytes: &mut Vec<u8>, value: &impl Serialize) -> Result<(), Failure> {
    serde_json::to_writer(&mut *bytes, value)
        .map_err(|error| Failure::new(Code::Internal, format!("a journal entry cannot be encoded: {error}")))?;
    bytes.push(b'\n');
    Ok(())
}

fn read_line<T: DeserializeOwned>(line: &[u8], id: &ExecutionId) -> Result<T, Error> {
    serde_json::from_slice(line).map_err(|error| damaged(id).caused_by(error))
}

pub(crate) fn unwritable(error: serde_json::Error) -> Failure {
    Failure::new(Code::Internal, format!("a value cannot be recorded: {error}"))
}

pub(crate) fn damaged(id: &ExecutionId) -> Error {
    Error::new(ErrorKind::Broken, format!("the journal of {id} was altered or damaged"))
        .hint("restore the store from a backup: the execution was neither run nor changed")
}
