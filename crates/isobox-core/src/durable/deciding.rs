//! The right to decide about executions, and how a store checks it.
//!
//! A store is bound to the first credential that decides about one of its executions. Before that, it accepts every
//! principal that has the right; afterwards, only one that holds that credential.

use crate::journal::Seal;
use crate::store::Store;
use crate::text::without_escapes;
use crate::{Code, Credential, Failure, Principal, Right};

impl Principal {
    /// Checks that this principal has a right over the executions of a store, and holds the credential that the store is bound
    /// to, if it is bound. Binds nothing: a decision does that when it is recorded.
    ///
    /// # Errors
    ///
    /// `FORBIDDEN` if the right is missing or the store is bound to another credential, `CONFIG` if the name is not valid, `STORE`.
    pub async fn check(&self, right: Right, store: &dyn Store) -> Result<(), Failure> {
        self.require(right)?;
        match (Owner::of(store).await?, self.credential()) {
            (None, _) => Ok(()),
            (Some(owner), None) => Err(owner.refused(self.name())),
            (Some(owner), Some(credential)) => owner.check(credential),
        }
    }

    /// Binds an unbound store to the credential of this principal, if there is one. Called right before their decision
    /// is recorded, after all other checks.
    ///
    /// # Errors
    ///
    /// `FORBIDDEN` if another principal has bound the store at the same time, `STORE`.
    pub(crate) async fn bind(&self, store: &dyn Store) -> Result<(), Failure> {
        let Some(credential) = self.credential() else { return Ok(()) };
        if Owner::of(store).await?.is_none() {
            Owner::bind(store, credential).await?;
        }
        Owner::of(store).await?.map_or(Ok(()), |owner| owner.check(credential))
    }
}

/// The credential that a store is bound to.
struct Owner {
    fingerprint: Seal,
    name: String,
}

/// The key of the owner, beside the remembered decisions of sessions. No session has this key.
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
            Failure::new(Code::Store, "the record of who may decide about executions of this store was altered")
                .hint("restore the store from a backup: nothing was decided")
        })
    }

    async fn bind(store: &dyn Store, credential: &Credential) -> Result<(), Failure> {
        let content = [&credential.fingerprint(), credential.name().as_bytes()].concat();
        Ok(store.remember(SESSION, ABOUT, store.key().sealed(&[PURPOSE], &content)).await?)
    }

    fn check(&self, credential: &Credential) -> Result<(), Failure> {
        if credential.has_fingerprint(&self.fingerprint) { Ok(()) } else { Err(self.refused(credential.name())) }
    }

    fn refused(&self, name: &str) -> Failure {
        let (name, owner) = (without_escapes(name), without_escapes(&self.name));
        let message =
            format!("{name} may not decide: executions of this store are decided with the credential of {owner}");
        Failure::new(Code::Forbidden, message).hint(format!("ask {owner}, or decide where that credential is"))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures_util::FutureExt;

    use super::*;
    use crate::journal::StoreKey;
    use crate::set_clock::SetClock;
    use crate::store::MemoryStore;

    fn store() -> MemoryStore {
        MemoryStore::new(StoreKey::new([7; 32]), Arc::<SetClock>::default())
    }

    fn holding(secret: u8, name: &str) -> Principal {
        Principal::holding(Credential::new([secret; 32], name).expect("a name"))
    }

    fn check(principal: &Principal, store: &MemoryStore) -> Result<(), Code> {
        principal
            .check(Right::Decide, store)
            .now_or_never()
            .expect("memory answers at once")
            .map_err(|failure| failure.code)
    }

    #[test]
    fn a_store_belongs_to_the_first_credential_that_decides() {
        let store = store();
        assert_eq!(check(&"ada".into(), &store), Ok(()), "the store is not bound yet");
        assert_eq!(check(&holding(2, "bob"), &store), Ok(()), "a check binds nothing");
        let bind = |principal: &Principal| {
            principal.bind(&store).now_or_never().expect("memory answers at once").map_err(|failure| failure.code)
        };
        assert_eq!(bind(&Principal::named("bob")), Ok(()), "a name binds nothing");
        assert_eq!((bind(&holding(1, "ada")), bind(&holding(1, "ada"))), (Ok(()), Ok(())));
        assert_eq!(bind(&holding(2, "bob")), Err(Code::Forbidden));
        assert_eq!(check(&holding(1, "ada"), &store), Ok(()));
        for other in [holding(2, "ada"), holding(1, "bob"), Principal::named("ada")] {
            assert_eq!(check(&other, &store), Err(Code::Forbidden), "{other:?}");
        }
    }

    #[test]
    fn an_owner_that_was_altered_is_not_believed() {
        let store = store();
        let forged = StoreKey::new([8; 32]).sealed(&[PURPOSE], &[0; 40]);
        store.remember(SESSION, ABOUT, forged).now_or_never().expect("at once").expect("the record is stored");
        assert_eq!(check(&holding(1, "ada"), &store), Err(Code::Store));
        assert_eq!(check(&"ada".into(), &store), Err(Code::Store));
    }

    #[test]
    fn a_credential_does_not_replace_a_right_and_binds_nothing_without_it() {
        let store = store();
        let eve = holding(1, "eve").with_rights(Right::Run);
        assert_eq!(check(&eve, &store), Err(Code::Forbidden));
        assert_eq!(check(&holding(2, "ada"), &store), Ok(()), "the store is not bound to eve");
        assert_eq!(check(&"".into(), &store), Err(Code::Config));
    }
}
