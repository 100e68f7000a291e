//! The keys that seal continuations.

use isobox_core::{Code, Failure, Timestamp};
use sha2::{Digest, Sha256};

/// The minimum length of a secret, in bytes.
const SHORTEST: usize = 32;
/// The purposes of the hashes of a secret, so that the same secret used elsewhere gives other keys.
const FOR_KEY: &[u8] = b"isobox continuation key 1";
const FOR_ID: &[u8] = b"isobox continuation id 1";

/// Identifies a key without revealing it.
pub(super) type KeyId = [u8; 8];

/// A key that seals continuations.
#[derive(Clone)]
pub(super) struct Key {
    pub(super) id: KeyId,
    pub(super) bytes: [u8; 32],
    /// The time from which continuations of this key are refused. None for the current key.
    pub(super) until: Option<Timestamp>,
}

impl Key {
    /// Derives a key from a secret.
    pub(super) fn of(secret: &[u8], until: Option<Timestamp>) -> Result<Self, Failure> {
        if secret.len() < SHORTEST {
            let message =
                format!("the secret for continuations has {} bytes, and needs at least {SHORTEST}", secret.len());
            return Err(Failure::new(Code::Config, message).hint("make one with: openssl rand -hex 32"));
        }
        let mut id = KeyId::default();
        id.copy_from_slice(&hash(FOR_ID, secret)[..8]);
        Ok(Self { id, bytes: hash(FOR_KEY, secret), until })
    }
}

fn hash(purpose: &[u8], secret: &[u8]) -> [u8; 32] {
    let mut digest = Sha256::new();
    digest.update([purpose.len() as u8]);
    digest.update(purpose);
    digest.update(secret);
    digest.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_secret_is_refused_and_others_give_different_keys() {
        assert_eq!(Key::of(&[1; 31], None).map(|_| ()).unwrap_err().code, Code::Config);
        let (one, other) = (Key::of(&[1; 32], None).unwrap(), Key::of(&[2; 32], None).unwrap());
        assert_ne!((one.id, one.bytes), (other.id, other.bytes));
        assert_ne!(one.id[..], one.bytes[..8], "the id reveals nothing of the key");
    }
}
