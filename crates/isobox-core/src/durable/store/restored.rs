//! The mark of a store that was restored from a backup. What had ended before may have been undone since, and what can be
//! used once may have been used since.

use std::sync::Arc;

use super::{Amended, Collection, DocumentDurability, Error, Store, WhenFull};
use crate::Timestamp;

/// The collection of the mark, which is its only document.
const RESTORED: Collection =
    Collection { name: "restored", most: 1, when_full: WhenFull::Refuse, durability: DocumentDurability::Durable };

/// The key of the mark.
const MARK: &str = "store";

/// The purpose in the seal of the mark.
const RESTORED_MARK: &[u8] = b"restored ";

/// Marks a store as restored from a backup at this time.
pub(crate) async fn mark_as_restored(store: &dyn Store, at: Timestamp) -> Result<(), Error> {
    let sealed = store.key().sealed(&[RESTORED_MARK], &at.0.to_le_bytes());
    store.amend_document(RESTORED, MARK, Arc::new(move |_| Amended::Replaced(sealed.clone()))).await
}

/// Returns the time at which a store was last marked as restored from a backup. None if it never was.
///
/// # Errors
///
/// An error of the store, also if the mark was altered.
pub async fn restored_at(store: &dyn Store) -> Result<Option<Timestamp>, Error> {
    let Some(sealed) = store.document(RESTORED, MARK).await? else { return Ok(None) };
    let content = store.key().opened(&[RESTORED_MARK], &sealed);
    match content.and_then(|content| content.try_into().ok()) {
        Some(time) => Ok(Some(Timestamp(u64::from_le_bytes(time)))),
        None => Err(Error::broken("the mark that the store was restored from a backup", "it was altered")),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::FutureExt;
    use futures_util::future::{BoxFuture, pending};

    use super::*;
    use crate::Clock;
    use crate::journal::StoreKey;
    use crate::store::MemoryStore;

    struct Still;

    impl Clock for Still {
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
            Box::pin(pending())
        }
    }

    #[test]
    fn the_time_of_the_last_mark_is_kept_and_an_altered_mark_is_an_error() {
        let store = MemoryStore::new(StoreKey::new([1; 32]), Arc::new(Still));
        let read = || restored_at(&store).now_or_never().expect("a store in memory answers at once");
        assert_eq!(read().expect("it is read"), None);
        for at in [Timestamp(5), Timestamp(9)] {
            mark_as_restored(&store, at).now_or_never().expect("it answers at once").expect("it is marked");
            assert_eq!(read().expect("it is read"), Some(at));
        }
        let altered = store.amend_document(RESTORED, MARK, Arc::new(|_| Amended::Replaced(vec![7; 99])));
        altered.now_or_never().expect("it answers at once").expect("it is altered");
        assert!(read().is_err());
    }
}
