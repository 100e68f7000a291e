//! The content of a continuation: a paused execution with everything that a store has of it.

use isobox_core::ExecutionId;
use isobox_core::journal::Seal;
use isobox_core::store::{Batch, Checkpoint, Head};

/// A paused execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Packed {
    /// The time at which it was sealed, in milliseconds.
    pub(super) issued: u64,
    /// The time at which it expires.
    pub(super) expires: u64,
    /// The mark that the store had which remembers used continuations (`seen_mark`). Empty if it is not known.
    pub(super) mark: Vec<u8>,
    pub(super) id: ExecutionId,
    /// The key that seals its journal.
    pub(super) key: [u8; 32],
    pub(super) created: u64,
    pub(super) head: Head,
    pub(super) beginning: Batch,
    pub(super) batches: Vec<Batch>,
    pub(super) checkpoint: Option<Checkpoint>,
}

impl Packed {
    pub(super) fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for number in [self.issued, self.expires, self.created] {
            bytes.extend(number.to_le_bytes());
        }
        part(&mut bytes, &self.mark);
        bytes.extend(self.key);
        part(&mut bytes, self.id.as_str().as_bytes());
        part(&mut bytes, &serde_json::to_vec(&self.head).unwrap_or_default());
        bytes.extend((self.batches.len() as u64).to_le_bytes());
        for batch in std::iter::once(&self.beginning).chain(&self.batches) {
            bytes.extend(batch.seal);
            part(&mut bytes, &batch.bytes);
        }
        if let Some(checkpoint) = &self.checkpoint {
            bytes.extend(checkpoint.position.to_le_bytes());
            bytes.extend(checkpoint.seal);
            part(&mut bytes, &checkpoint.bytes);
        }
        bytes
    }

    /// Reads what [`Packed::write`] has written. None for other bytes.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let (issued, expires, created) = (reader.number()?, reader.number()?, reader.number()?);
        let mark = reader.part()?.to_vec();
        let key = *reader.fixed::<32>()?;
        let id = std::str::from_utf8(reader.part()?).ok()?.parse().ok()?;
        let head = serde_json::from_slice(reader.part()?).ok()?;
        let count = usize::try_from(reader.number()?).ok()?;
        let beginning = reader.batch()?;
        // The count is not believed before the batches are there.
        let mut batches = Vec::new();
        for _ in 0..count {
            batches.push(reader.batch()?);
        }
        let checkpoint = match reader.0.is_empty() {
            true => None,
            false => {
                let (position, seal) = (reader.number()?, *reader.fixed::<32>()?);
                Some(Checkpoint { position, seal, bytes: reader.part()?.to_vec() })
            }
        };
        let packed = Self { issued, expires, mark, id, key, created, head, beginning, batches, checkpoint };
        reader.0.is_empty().then_some(packed)
    }
}

fn part(bytes: &mut Vec<u8>, content: &[u8]) {
    bytes.extend((content.len() as u64).to_le_bytes());
    bytes.extend(content);
}

/// The bytes that are not read yet.
struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    fn fixed<const N: usize>(&mut self) -> Option<&'b [u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(first)
    }

    fn number(&mut self) -> Option<u64> {
        self.fixed().map(|bytes| u64::from_le_bytes(*bytes))
    }

    fn part(&mut self) -> Option<&'b [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (part, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(part)
    }

    fn batch(&mut self) -> Option<Batch> {
        let seal: Seal = *self.fixed::<32>()?;
        Some(Batch { seal, bytes: self.part()?.to_vec().into() })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use isobox_core::Timestamp;
    use isobox_core::store::Status;

    use super::*;

    pub(in super::super) fn packed(checkpoint: Option<Checkpoint>) -> Packed {
        let batch = |text: &str| Batch { seal: [text.len() as u8; 32], bytes: text.to_owned().into() };
        Packed {
            issued: 1,
            expires: 2,
            mark: vec![8; 40],
            id: ExecutionId::new(3, 4),
            key: [5; 32],
            created: 6,
            head: Head {
                status: Status::Paused,
                revision: 1,
                pending: 1,
                pending_calls: Vec::new(),
                calls: 1,
                updated: Timestamp(7),
                function: None,
                owner: None,
                code: None,
                due: None,
            },
            beginning: batch("beginning"),
            batches: vec![batch("one"), batch("second")],
            checkpoint,
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let checkpoint = Checkpoint { position: 2, seal: [9; 32], bytes: vec![1, 2, 3] };
        for packed in [packed(None), packed(Some(checkpoint))] {
            let bytes = packed.write();
            assert_eq!(Packed::read(&bytes), Some(packed));
            for length in 0..bytes.len() {
                let read = Packed::read(&bytes[..length]);
                assert!(read.is_none_or(|read| read.checkpoint.is_none()), "{length} bytes");
            }
            assert_eq!(Packed::read(&[&bytes[..], b"x"].concat()), None);
        }
    }
}
