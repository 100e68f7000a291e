//! The right to decide about executions, and how a store checks it.
//!
//! A store is bound to the first credential that decides about one of its executions. Before that, it accepts every person
//! whom the host has identified; afterwards, only decisions made with that credential.

use std::fmt;

use crate::journal::{Seal, StoreKey};
use crate::store::Store;
use crate::text::without_escapes;
use crate::{Code, Failure};

/// The longest name of a person, in characters.
const MAX_NAME: usize = 100;

/// A secret that only one person holds, and the name that is bound to it.
#[derive(Clone)]
pub struct Credential {
    secret: StoreKey,
    name: String,
}

/// The person who decides, and the right by which they do.
#[derive(Debug, Clone)]
pub struct Decider {
    name: String,
    right: Right,
}

#[derive(Debug, Clone)]
enum Right {
    /// The host has made sure who the person is.
    Host,
    Credential(Box<Credential>),
}

impl Credential {
    /// Binds a name to a secret.
    ///
    /// # Errors
    ///
    /// `CONFIG` where the name is empty, longer than 100 characters, or has characters that cannot be seen.
    pub fn new(secret: [u8; 32], name: impl Into<String>) -> Result<Self, Failure> {
        let name = name.into();
        check_name(&name)?;
        Ok(Self { secret: StoreKey::new(secret), name })
    }

    /// Returns the name that the secret stands for.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Computes what a store keeps: proof of the credential that does not reveal the secret.
    fn fingerprint(&self) -> Seal {
        self.secret.prove(&[b"decides as ", self.name.as_bytes()])
    }
}

/// The secret is not shown.
impl fmt::Debug for Credential {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Credential").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Decider {
    /// Names a person whom the host has identified. A store that is bound to a credential refuses them.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), right: Right::Host }
    }

    /// Names the person who holds a credential.
    pub fn holding(credential: Credential) -> Self {
        Self { name: credential.name.clone(), right: Right::Credential(Box::new(credential)) }
    }

    /// Returns the name that the journal records.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Checks that this person may decide about executions of a store. Binds a store that is not bound yet to their credential.
    ///
    /// # Errors
    ///
    /// `FORBIDDEN` if the store is bound to another credential, `CONFIG` if the name is not valid, `STORE`.
    pub async fn check(&self, store: &dyn Store) -> Result<(), Failure> {
        check_name(&self.name)?;
        let owner = Owner::of(store).await?;
        match (owner, &self.right) {
            (None, Right::Host) => Ok(()),
            (None, Right::Credential(credential)) => {
                Owner::bind(store, credential).await?;
                // Another process may have bound the store at the same time.
                Owner::of(store).await?.map_or(Ok(()), |owner| owner.check(credential))
            }
            (Some(owner), Right::Host) => Err(owner.refused(&self.name)),
            (Some(owner), Right::Credential(credential)) => owner.check(credential),
        }
    }
}

impl From<&str> for Decider {
    fn from(name: &str) -> Self {
        Self::named(name)
    }
}

impl From<String> for Decider {
    fn from(name: String) -> Self {
        Self::named(name)
    }
}

impl From<&Self> for Decider {
    fn from(decider: &Self) -> Self {
        decider.clone()
    }
}

/// The credential that a store is bound to.
struct Owner {
    fingerprint: Seal,
    name: String,
}

/// Where the owner is kept: beside the decisions that are remembered for sessions, under a key that none of those has.
const SESSION: &str = "isobox:deciding";
const ABOUT: &str = "credential";
/// The purpose in the seal. Without the store's key, a row in the database binds nothing.
const PURPOSE: &[u8] = b"belongs to ";

impl Owner {
    async fn of(store: &dyn Store) -> Result<Option<Self>, Failure> {
        let Some(sealed) = store.recall(SESSION, ABOUT).await? else { return Ok(None) };
        let opened = store.key().opened(&[PURPOSE], &sealed);
        let owner = opened.and_then(|content| {
            let (fingerprint, name) = content.split_first_chunk()?;
            Some(Self { fingerprint: *fingerprint, name: String::from_utf8(name.to_vec()).ok()? })
        });
        owner.map(Some).ok_or_else(|| {
            Failure::new(Code::Store, "who may decide about executions of this store is not as it was written")
                .hint("restore the store from a backup: nothing was decided")
        })
    }

    async fn bind(store: &dyn Store, credential: &Credential) -> Result<(), Failure> {
        let content = [&credential.fingerprint(), credential.name.as_bytes()].concat();
        store.remember(SESSION, ABOUT, store.key().sealed(&[PURPOSE], &content)).await
    }

    fn check(&self, credential: &Credential) -> Result<(), Failure> {
        let parts: [&[u8]; 2] = [b"decides as ", credential.name.as_bytes()];
        if credential.secret.is_proven(&parts, &self.fingerprint) {
            Ok(())
        } else {
            Err(self.refused(&credential.name))
        }
    }

    fn refused(&self, name: &str) -> Failure {
        let (name, owner) = (without_escapes(name), without_escapes(&self.name));
        let message =
            format!("{name} may not decide: executions of this store are decided with the credential of {owner}");
        Failure::new(Code::Forbidden, message).hint(format!("ask {owner}, or decide where that credential is"))
    }
}

fn check_name(name: &str) -> Result<(), Failure> {
    let is_visible = !name.trim().is_empty() && &*without_escapes(name) == name;
    if is_visible && name.chars().count() <= MAX_NAME {
        return Ok(());
    }
    let message = format!("a person who decides needs a name of 1 to {MAX_NAME} visible characters");
    Err(Failure::new(Code::Config, message))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use futures_util::FutureExt;
    use futures_util::future::BoxFuture;

    use super::*;
    use crate::store::MemoryStore;
    use crate::{Clock, Timestamp};

    struct StoppedClock;

    impl Clock for StoppedClock {
        fn now(&self) -> Timestamp {
            Timestamp(0)
        }

        fn elapsed(&self) -> Duration {
            Duration::ZERO
        }

        fn boot_time(&self) -> Duration {
            Duration::ZERO
        }

        fn sleep_until(&self, _moment: Duration) -> BoxFuture<'static, ()> {
            std::future::pending().boxed()
        }
    }

    fn store() -> MemoryStore {
        MemoryStore::new(StoreKey::new([7; 32]), Arc::new(StoppedClock))
    }

    fn holding(secret: u8, name: &str) -> Decider {
        Decider::holding(Credential::new([secret; 32], name).expect("a name"))
    }

    fn check(decider: &Decider, store: &MemoryStore) -> Result<(), Code> {
        decider.check(store).now_or_never().expect("memory answers at once").map_err(|failure| failure.code)
    }

    #[test]
    fn a_store_belongs_to_the_first_credential_that_decides() {
        let store = store();
        assert_eq!(check(&"ada".into(), &store), Ok(()), "nobody owns it yet");
        assert_eq!(check(&holding(1, "ada"), &store), Ok(()));
        assert_eq!(check(&holding(1, "ada"), &store), Ok(()));
        for other in [holding(2, "ada"), holding(1, "bob"), Decider::named("ada")] {
            assert_eq!(check(&other, &store), Err(Code::Forbidden), "{other:?}");
        }
    }

    #[test]
    fn an_owner_that_was_altered_is_not_believed() {
        let store = store();
        let forged = StoreKey::new([8; 32]).sealed(&[PURPOSE], &[0; 40]);
        store.remember(SESSION, ABOUT, forged).now_or_never().expect("at once").expect("it is kept");
        assert_eq!(check(&holding(1, "ada"), &store), Err(Code::Store));
        assert_eq!(check(&"ada".into(), &store), Err(Code::Store));
    }

    #[test]
    fn a_name_can_be_seen_and_a_secret_cannot() {
        for name in ["", " ", "a\nb", "a\u{200b}", &"x".repeat(101)] {
            assert_eq!(Credential::new([0; 32], name).expect_err("it is none").code, Code::Config, "{name:?}");
        }
        let store = store();
        assert_eq!(check(&"".into(), &store), Err(Code::Config));
        assert_eq!(format!("{:?}", Credential::new([171; 32], "ada")), "Ok(Credential { name: \"ada\", .. })");
    }
}
