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

/// The purpose in the seal of a mark that was seen.
const SEEN_MARK: &[u8] = b"seen restored ";

/// Marks a store as restored from a backup at this time, or right after its last mark if that is later.
pub(crate) async fn mark_as_restored(store: &dyn Store, at: Timestamp) -> Result<(), Error> {
    // No two marks are the same. One that was altered is replaced.
    let last = restored_at(store).await.ok().flatten();
    let at = last.map_or(at, |last| at.max(Timestamp(last.0.saturating_add(1))));
    let sealed = store.key().sealed(&[RESTORED_MARK], &at.0.to_le_bytes());
    store.amend_document(RESTORED, MARK, Arc::new(move |_| Amended::Replaced(sealed.clone()))).await
}

/// Returns what tells [`was_restored_since`] later which mark a store has now. It is sealed with the key of the store.
///
/// # Errors
///
/// An error of the store, also if the mark was altered.
pub async fn seen_mark(store: &dyn Store) -> Result<Vec<u8>, Error> {
    let mark = written(restored_at(store).await?);
    Ok(store.key().sealed(&[SEEN_MARK], &mark))
}

/// Tells whether a store was marked as restored from a backup since [`seen_mark`] was asked. Clocks do not matter, unless `seen` is
/// empty or of another store. Then `at`, the time at that moment, is compared with that of the mark.
///
/// # Errors
///
/// An error of the store, also if the mark was altered.
pub async fn was_restored_since(store: &dyn Store, seen: &[u8], at: Timestamp) -> Result<bool, Error> {
    let restored = restored_at(store).await?;
    Ok(match store.key().opened(&[SEEN_MARK], seen) {
        Some(seen) => seen != written(restored),
        None => restored.is_some_and(|restored| at < restored),
    })
}

fn written(mark: Option<Timestamp>) -> Vec<u8> {
    mark.map_or_else(Vec::new, |time| time.0.to_le_bytes().to_vec())
}

/// Returns the time at which a store was last marked as restored from a backup. None if it never was.
///
/// # Errors
///
/// An error of the store, also if the mark was altered.
pub(crate) async fn restored_at(store: &dyn Store) -> Result<Option<Timestamp>, Error> {
    let Some(sealed) = store.document(RESTORED, MARK).await? else { return Ok(None) };
    let content = store.key().opened(&[RESTORED_MARK], &sealed);
    match content.and_then(|content| content.try_into().ok()) {
        Some(time) => Ok(Some(Timestamp(u64::from_le_bytes(time)))),
        None => Err(Error::broken("the mark that the store was restored from a backup", "it was altered")),
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::journal::StoreKey;
    use crate::set_clock::SetClock;
    use crate::store::MemoryStore;

    #[test]
    fn the_time_of_the_last_mark_is_kept_and_an_altered_mark_is_an_error() {
        let store = MemoryStore::new(StoreKey::new([1; 32]), Arc::<SetClock>::default());
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

    #[test]
    fn a_mark_is_recognised_as_newer_whatever_the_clocks_say() {
        fn at_once<T>(answer: impl Future<Output = Result<T, Error>>) -> T {
            answer.now_or_never().expect("a store in memory answers at once").expect("it is no error")
        }
        let [store, other] = [1, 2].map(|key| MemoryStore::new(StoreKey::new([key; 32]), Arc::<SetClock>::default()));
        let (early, late) = (Timestamp(1), Timestamp(100));
        let before = at_once(seen_mark(&store));
        assert!(!at_once(was_restored_since(&store, &before, early)));
        at_once(mark_as_restored(&store, Timestamp(50)));
        let between = at_once(seen_mark(&store));
        for (at, is_older) in [(early, true), (late, false)] {
            assert!(at_once(was_restored_since(&store, &before, at)));
            assert!(!at_once(was_restored_since(&store, &between, at)));
            for foreign in [Vec::new(), at_once(seen_mark(&other))] {
                assert_eq!(at_once(was_restored_since(&store, &foreign, at)), is_older);
            }
        }
        at_once(mark_as_restored(&store, Timestamp(50)));
        assert!(at_once(was_restored_since(&store, &between, late)), "two marks at the same time differ");
    }
}
