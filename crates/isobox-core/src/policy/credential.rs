//! The proof that a principal is the person who decides about the executions of a store.

use std::fmt;

use crate::journal::{Seal, StoreKey};
use crate::text::without_escapes;
use crate::{Code, Failure};

/// The maximum length of a principal's name, in characters.
const MAX_NAME: usize = 100;

/// A secret that only one person holds, with the name that is bound to it.
#[derive(Clone)]
pub struct Credential {
    secret: StoreKey,
    name: String,
}

impl Credential {
    /// Binds a name to a secret.
    ///
    /// # Errors
    ///
    /// `CONFIG` if the name is empty, longer than 100 characters, or has invisible characters.
    pub fn new(secret: [u8; 32], name: impl Into<String>) -> Result<Self, Failure> {
        let name = name.into();
        check_name(&name)?;
        Ok(Self { secret: StoreKey::new(secret), name })
    }

    /// Returns the name that is bound to the secret.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the fingerprint for a store: it proves the credential without revealing the secret.
    pub(crate) fn fingerprint(&self) -> Seal {
        self.secret.prove(&[PURPOSE, self.name.as_bytes()])
    }

    /// Tells whether a fingerprint is that of this credential.
    pub(crate) fn has_fingerprint(&self, fingerprint: &Seal) -> bool {
        self.secret.is_proven(&[PURPOSE, self.name.as_bytes()], fingerprint)
    }
}

/// The purpose in the fingerprint.
const PURPOSE: &[u8] = b"decides as ";

/// Hides the secret.
impl fmt::Debug for Credential {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Credential").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Checks that people can read a name.
pub(super) fn check_name(name: &str) -> Result<(), Failure> {
    let is_visible = !name.trim().is_empty() && &*without_escapes(name) == name;
    if is_visible && name.chars().count() <= MAX_NAME {
        return Ok(());
    }
    let message = format!("a principal needs a name of 1 to {MAX_NAME} visible characters");
    Err(Failure::new(Code::Config, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_be_seen_and_a_secret_cannot() {
        for name in ["", " ", "a\nb", "a\u{200b}", &"x".repeat(101)] {
            assert_eq!(Credential::new([0; 32], name).expect_err("the name is invalid").code, Code::Config, "{name:?}");
        }
        assert_eq!(format!("{:?}", Credential::new([171; 32], "ada")), "Ok(Credential { name: \"ada\", .. })");
    }
}
