//! The record of a session: the versions of its globals, and the execution that uses it. No I/O.
//!
//! A record is one document of the store, sealed with the key of the store and the name of the session:
//!
//! ```text
//! seal (32 bytes), u32 n, n × u8  head, as JSON
//! the snapshots of the versions, in order; the head has their sizes
//! ```

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::journal::StoreKey;
use crate::{ByteSize, ExecutionId, Snapshot, Timestamp};

/// The version of new records.
const VERSION: u32 = 1;

/// The purpose in the seal of records.
const SESSION: &[u8] = b"session ";

/// A session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SessionRecord {
    /// The name of the principal that began the session.
    pub(super) owner: String,
    /// The number of the next version.
    pub(super) next: u64,
    /// The time of the last change.
    pub(super) used: Timestamp,
    /// The execution that uses the session.
    pub(super) holder: Option<ExecutionId>,
    /// The versions of its globals, oldest first.
    pub(super) versions: Vec<Version>,
}

/// The globals that a program left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Version {
    pub(super) number: u64,
    /// The execution of the program.
    pub(super) by: ExecutionId,
    pub(super) at: Timestamp,
    pub(super) snapshot: Arc<Snapshot>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Head {
    version: u32,
    owner: String,
    next: u64,
    used: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    holder: Option<ExecutionId>,
    versions: Vec<VersionHead>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct VersionHead {
    number: u64,
    by: ExecutionId,
    at: Timestamp,
    image: String,
    size: usize,
}

/// Returns the hash by which a journal names the globals that its program began with.
pub(crate) fn hash_of(snapshot: &Snapshot) -> String {
    let digest = Sha256::new().chain_update(snapshot.image.as_bytes()).chain_update([0]).chain_update(&snapshot.bytes);
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

impl SessionRecord {
    pub(super) fn new(owner: &str, now: Timestamp) -> Self {
        Self { owner: owner.to_owned(), next: 1, used: now, holder: None, versions: Vec::new() }
    }

    /// Adds the globals that a program left. Drops the oldest versions beyond `most`, and as many as needed to stay
    /// within `room`, but never the new one.
    pub(super) fn add(
        &mut self,
        by: &ExecutionId,
        at: Timestamp,
        snapshot: Arc<Snapshot>,
        most: usize,
        room: ByteSize,
    ) {
        self.versions.push(Version { number: self.next, by: by.clone(), at, snapshot });
        self.next = self.next.saturating_add(1);
        let mut kept = 0;
        let mut size = 0_usize;
        for version in self.versions.iter().rev() {
            size = size.saturating_add(version.snapshot.bytes.len());
            if kept > 0 && (kept >= most || !room.holds(size)) {
                break;
            }
            kept += 1;
        }
        self.versions.drain(..self.versions.len() - kept);
    }

    pub(super) fn version(&self, number: u64) -> Option<&Version> {
        self.versions.iter().find(|version| version.number == number)
    }

    pub(super) fn encode(&self, key: &StoreKey, name: &str) -> Vec<u8> {
        let Self { owner, next, used, holder, versions } = self;
        let heads = versions.iter().map(|Version { number, by, at, snapshot }| VersionHead {
            number: *number,
            by: by.clone(),
            at: *at,
            image: snapshot.image.clone(),
            size: snapshot.bytes.len(),
        });
        let head = Head {
            version: VERSION,
            owner: owner.clone(),
            next: *next,
            used: *used,
            holder: holder.clone(),
            versions: heads.collect(),
        };
        let head = serde_json::to_vec(&head).expect("numbers and texts are JSON");
        let size = u32::try_from(head.len()).expect("the number of versions is bounded");
        let mut content = [&size.to_le_bytes(), &head[..]].concat();
        versions.iter().for_each(|version| content.extend(&version.snapshot.bytes));
        key.sealed(&seal_parts(name), &content)
    }

    /// Returns none if the bytes were not sealed with this key for this session.
    pub(super) fn decode(key: &StoreKey, name: &str, sealed: &[u8]) -> Option<Self> {
        let content = key.opened(&seal_parts(name), sealed)?;
        let (size, content) = content.split_first_chunk::<4>()?;
        let (head, mut rest) = content.split_at_checked(u32::from_le_bytes(*size) as usize)?;
        let Head { version, owner, next, used, holder, versions: heads } = serde_json::from_slice(head).ok()?;
        let mut versions = Vec::with_capacity(heads.len());
        for VersionHead { number, by, at, image, size } in heads {
            let (bytes, after) = rest.split_at_checked(size)?;
            rest = after;
            versions.push(Version { number, by, at, snapshot: Arc::new(Snapshot { image, bytes: bytes.to_vec() }) });
        }
        (version == VERSION && rest.is_empty()).then_some(Self { owner, next, used, holder, versions })
    }
}

/// Returns the parts that the seal covers before the content. A byte that no name has ends the name.
fn seal_parts(name: &str) -> [&[u8]; 3] {
    [SESSION, name.as_bytes(), &[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    static KEY: StoreKey = StoreKey::new([7; 32]);

    fn snapshot(size: usize) -> Arc<Snapshot> {
        Arc::new(Snapshot { image: "image".to_owned(), bytes: vec![3; size] })
    }

    fn record(sizes: &[usize], most: usize) -> SessionRecord {
        let mut record = SessionRecord::new("ann", Timestamp(5));
        for size in sizes {
            record.add(&ExecutionId::new(1, 1), Timestamp(6), snapshot(*size), most, ByteSize::bytes(100));
        }
        record
    }

    #[test]
    fn a_record_is_read_back_and_never_for_another_session_or_with_a_changed_bit() {
        let mut record = record(&[10, 0, 20], 5);
        record.holder = Some(ExecutionId::new(2, 2));
        let sealed = record.encode(&KEY, "work");
        assert_eq!(SessionRecord::decode(&KEY, "work", &sealed), Some(record));
        assert_eq!(SessionRecord::decode(&KEY, "wor", &sealed), None);
        assert_eq!(SessionRecord::decode(&StoreKey::new([8; 32]), "work", &sealed), None);
        for place in 0..sealed.len() {
            let mut altered = sealed.clone();
            altered[place] ^= 1;
            assert_eq!(SessionRecord::decode(&KEY, "work", &altered), None, "byte {place}");
            assert_eq!(SessionRecord::decode(&KEY, "work", &sealed[..place]), None, "cut at {place}");
        }
    }

    #[test]
    fn the_oldest_versions_go_when_there_are_too_many_or_they_are_too_large() {
        let numbers = |record: &SessionRecord| record.versions.iter().map(|one| one.number).collect::<Vec<_>>();
        assert_eq!(numbers(&record(&[1, 1, 1, 1], 3)), [2, 3, 4]);
        assert_eq!(numbers(&record(&[40, 40, 40], 9)), [2, 3]);
        assert_eq!(numbers(&record(&[10, 500], 9)), [2], "the newest stays, whatever its size");
        assert_eq!(numbers(&record(&[1, 1], 0)), [2]);
    }
}
