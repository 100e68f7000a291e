//! The form of a continuation: encrypted and authenticated bytes as text.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use isobox_core::{Code, Failure};

use super::keys::{Key, KeyId};

/// The beginning of every continuation.
const PREFIX: &str = "isobox1.";
/// The purpose, which the seal covers beside the content.
const PURPOSE: &[u8] = b"isobox continuation 1";

const ID: usize = size_of::<KeyId>();
const NONCE: usize = 24;

/// Identifies a continuation.
pub(super) type Nonce = [u8; NONCE];

/// A continuation whose key is not checked yet.
pub(super) struct Sealed {
    pub(super) key: KeyId,
    pub(super) nonce: Nonce,
    content: Vec<u8>,
}

/// Encrypts content for an audience.
pub(super) fn seal(key: &Key, nonce: Nonce, audience: &str, content: &[u8]) -> Result<String, Failure> {
    let cipher = XChaCha20Poly1305::new((&key.bytes).into());
    let covered = covered(&key.id, audience);
    let sealed = cipher.encrypt(XNonce::from_slice(&nonce), Payload { msg: content, aad: &covered });
    let sealed = sealed.map_err(|_| Failure::new(Code::Internal, "a continuation cannot be encrypted"))?;
    let bytes = [key.id.as_slice(), &nonce, &sealed].concat();
    Ok(format!("{PREFIX}{}", BASE64_URL_SAFE_NO_PAD.encode(bytes)))
}

impl Sealed {
    /// Reads the form of a continuation. None if it does not have one.
    pub(super) fn read(text: &str) -> Option<Self> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text.strip_prefix(PREFIX)?).ok()?;
        let (key, rest) = bytes.split_first_chunk::<ID>()?;
        let (nonce, content) = rest.split_first_chunk::<NONCE>()?;
        Some(Self { key: *key, nonce: *nonce, content: content.to_vec() })
    }

    /// Decrypts the content. None if it was altered, or is for another key or audience.
    pub(super) fn open(&self, key: &Key, audience: &str) -> Option<Vec<u8>> {
        let cipher = XChaCha20Poly1305::new((&key.bytes).into());
        let covered = covered(&key.id, audience);
        cipher.decrypt(XNonce::from_slice(&self.nonce), Payload { msg: &self.content, aad: &covered }).ok()
    }
}

/// Returns what the seal covers beside the content. The audience is last, so that its length is known.
fn covered(key: &KeyId, audience: &str) -> Vec<u8> {
    [PURPOSE, key, audience.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed() -> (Key, String) {
        let key = Key::of(&[7; 32], None).unwrap();
        let text = seal(&key, [3; NONCE], "alpha", b"the content").unwrap();
        (key, text)
    }

    #[test]
    fn what_was_sealed_is_opened_for_the_same_audience_alone() {
        let (key, text) = sealed();
        let read = Sealed::read(&text).unwrap();
        assert_eq!((read.key, read.nonce), (key.id, [3; NONCE]));
        assert_eq!(read.open(&key, "alpha").as_deref(), Some(&b"the content"[..]));
        assert_eq!(read.open(&key, "beta"), None);
        assert_eq!(read.open(&Key::of(&[8; 32], None).unwrap(), "alpha"), None);
    }

    #[test]
    fn any_altered_bit_is_noticed() {
        let (key, text) = sealed();
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text.strip_prefix(PREFIX).unwrap()).unwrap();
        for bit in 0..bytes.len() * 8 {
            let mut altered = bytes.clone();
            altered[bit / 8] ^= 1 << (bit % 8);
            let text = format!("{PREFIX}{}", BASE64_URL_SAFE_NO_PAD.encode(&altered));
            let read = Sealed::read(&text).unwrap();
            let is_believed = read.key == key.id && read.open(&key, "alpha").is_some();
            assert!(!is_believed, "bit {bit}");
        }
    }

    #[test]
    fn other_texts_are_no_continuations() {
        let (_, text) = sealed();
        for other in ["", "isobox1.", "isobox1.AAAA", "isobox2.AAAA", &text[1..], &format!("{text}="), &text[..30]] {
            assert!(Sealed::read(other).is_none(), "{other}");
        }
    }
}
