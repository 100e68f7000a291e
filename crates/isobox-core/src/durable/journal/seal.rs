//! The seals of journals, and the key that they are made with.

use std::hash::{BuildHasher, Hasher};

use foldhash::quality::FixedState;
use hmac::{Hmac, Mac};
use sha2::Sha256;

/// Proves that a batch and all previous ones are unaltered.
pub type Seal = [u8; 32];

/// The key of a store. It is needed to write journals and snapshots that are accepted.
///
/// Seals are keyed BLAKE3, which is fast on every processor: every batch of a journal has one. Seals of earlier builds,
/// which are HMAC-SHA-256 with the same key, are accepted too.
#[derive(Clone)]
pub struct StoreKey {
    bytes: [u8; 32],
    proof: Proof,
}

/// The kind of a seal.
#[derive(Clone, Copy)]
enum Proof {
    Keyed,
    Checksum,
}

/// The state of the checksums that stand in for seals where there is no secret.
const CHECKSUM: FixedState = FixedState::with_seed(0);

impl StoreKey {
    /// Creates a key from its bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self { bytes, proof: Proof::Keyed }
    }

    /// Creates the key of a store that nothing outside of this process can write to. Its seals are checksums: they tell
    /// journals apart, and prove nothing, because what could alter such a journal could also read a key.
    pub const fn of_this_process() -> Self {
        Self { bytes: [0; 32], proof: Proof::Checksum }
    }

    /// Returns the bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.bytes
    }

    /// Returns a text by which the key can be recognised, and which does not reveal it.
    pub fn fingerprint(&self) -> String {
        hash(&self.bytes, &[b"fingerprint"]).to_hex().to_string()
    }

    /// Returns the seal of these parts. Each part but the last must have a known length or end.
    pub(crate) fn prove(&self, parts: &[&[u8]]) -> Seal {
        match self.proof {
            Proof::Keyed => *hash(&self.bytes, parts).as_bytes(),
            Proof::Checksum => checksum(parts),
        }
    }

    /// Tells whether a seal is that of these parts. Takes the same time wherever a wrong seal differs.
    pub(crate) fn is_proven(&self, parts: &[&[u8]], proof: &Seal) -> bool {
        match self.proof {
            Proof::Keyed => hash(&self.bytes, parts) == *proof || is_proven_as_before(&self.bytes, parts, proof),
            Proof::Checksum => checksum(parts) == *proof,
        }
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
}

fn checksum(parts: &[&[u8]]) -> Seal {
    let mut hasher = CHECKSUM.build_hasher();
    parts.iter().for_each(|part| hasher.write(part));
    let mut seal = [0; 32];
    seal[..8].copy_from_slice(&hasher.finish().to_le_bytes());
    seal
}

fn hash(key: &[u8; 32], parts: &[&[u8]]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new_keyed(key);
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize()
}

fn is_proven_as_before(key: &[u8; 32], parts: &[&[u8]], proof: &Seal) -> bool {
    let mut code = Hmac::<Sha256>::new_from_slice(key).expect("a key may have any length");
    parts.iter().for_each(|part| code.update(part));
    code.verify_slice(proof).is_ok()
}

impl std::fmt::Debug for StoreKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("StoreKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seals_of_any_kind_tell_contents_and_what_precedes_them_apart() {
        for key in [StoreKey::new([7; 32]), StoreKey::of_this_process()] {
            let seal = key.prove(&[b"before", b"content"]);
            assert!(key.is_proven(&[b"before", b"content"], &seal));
            assert!(!key.is_proven(&[b"before", b"contents"], &seal));
            assert!(!key.is_proven(&[b"others", b"content"], &seal));
            assert!(!StoreKey::new([8; 32]).is_proven(&[b"before", b"content"], &seal));
        }
    }
}
