//! Documents of collections.

use std::sync::Arc;

use futures_util::future::join_all;
use isobox_core::store::{Amended, Collection, Document, DocumentDurability, ErrorKind, Store, WhenFull};

use crate::support::Fixture;

const FORGETTING: Collection =
    Collection { name: "a", most: 20, when_full: WhenFull::ForgetOldest, durability: DocumentDurability::Process };
const REFUSING: Collection =
    Collection { name: "b", most: 2, when_full: WhenFull::Refuse, durability: DocumentDurability::Durable };

async fn amend(store: &dyn Store, key: &str, amended: Amended) {
    store.amend_document(FORGETTING, key, Arc::new(move |_| amended.clone())).await.unwrap();
}

async fn all(store: &dyn Store) -> Vec<Document> {
    store.documents(FORGETTING, "", usize::MAX).await.unwrap()
}

fn document(key: &str, bytes: &[u8]) -> Document {
    Document { key: key.to_owned(), bytes: bytes.to_vec() }
}

/// Adds a byte.
fn add(kept: Option<&[u8]>) -> Amended {
    Amended::Replaced([kept.unwrap_or_default(), &[7]].concat())
}

pub(crate) async fn a_document_is_kept_replaced_and_removed(Fixture { store, other, .. }: Fixture) {
    for nothing in [Amended::Unchanged, Amended::Removed, Amended::Replaced(Vec::new())] {
        amend(&*store, "a.b", nothing).await;
        assert_eq!(all(&*store).await, []);
    }
    amend(&*store, "a.b", Amended::Replaced(vec![0, 0xFF])).await;
    amend(&*store, "a.c", Amended::Replaced(vec![1])).await;
    amend(&*other, "a.b", Amended::Unchanged).await;
    assert_eq!(other.document(FORGETTING, "a.b").await.unwrap(), Some(vec![0, 0xFF]));
    assert_eq!(other.document(REFUSING, "a.b").await.unwrap(), None, "another collection");
    other.amend_document(FORGETTING, "a.b", Arc::new(add)).await.unwrap();
    assert_eq!(store.document(FORGETTING, "a.b").await.unwrap(), Some(vec![0, 0xFF, 7]));
    amend(&*store, "a.b", Amended::Removed).await;
    assert_eq!(other.document(FORGETTING, "a.b").await.unwrap(), None);
    assert_eq!(all(&*other).await, [document("a.c", &[1])]);
    amend(&*store, "a.c", Amended::Replaced(Vec::new())).await;
    assert_eq!(all(&*other).await, []);
}

pub(crate) async fn no_change_of_two_processes_is_lost(Fixture { store, other, .. }: Fixture) {
    const EACH: usize = 40;
    let adding = |store: &Arc<dyn Store>| {
        let store = Arc::clone(store);
        tokio::spawn(async move {
            for _ in 0..EACH {
                store.amend_document(FORGETTING, "a.b", Arc::new(add)).await.unwrap();
            }
        })
    };
    for done in join_all([adding(&store), adding(&other)]).await {
        done.unwrap();
    }
    assert_eq!(all(&*store).await, [document("a.b", &[7; 2 * EACH])]);
}

pub(crate) async fn the_documents_that_changed_last_are_kept(Fixture { store, .. }: Fixture) {
    let name = |number: usize| format!("key{number:05}");
    for number in 0..FORGETTING.most {
        amend(&*store, &name(number), Amended::Replaced(vec![1])).await;
    }
    amend(&*store, &name(0), Amended::Replaced(vec![2])).await;
    for number in FORGETTING.most..FORGETTING.most + 3 {
        amend(&*store, &name(number), Amended::Replaced(vec![3])).await;
    }
    let kept = all(&*store).await;
    assert_eq!(kept.len(), FORGETTING.most);
    let has = |number: usize| kept.iter().any(|document| document.key == name(number));
    assert!(has(0) && has(FORGETTING.most + 2) && !has(1) && !has(3) && has(4));
}

pub(crate) async fn a_full_collection_that_forgets_nothing_refuses_another_document(
    Fixture { store, other, .. }: Fixture,
) {
    let put = async |store: &dyn Store, key: &str| store.amend_document(REFUSING, key, Arc::new(add)).await;
    for key in ["a", "b", "b"] {
        put(&*store, key).await.unwrap();
    }
    let error = put(&*other, "c").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::CollectionFull);
    store.amend_document(REFUSING, "c", Arc::new(|_| Amended::Removed)).await.unwrap();
    store.amend_document(REFUSING, "a", Arc::new(|_| Amended::Removed)).await.unwrap();
    put(&*store, "c").await.unwrap();
    let kept = other.documents(REFUSING, "", 9).await.unwrap();
    assert_eq!(kept, [document("b", &[7, 7]), document("c", &[7])]);
}

pub(crate) async fn documents_are_listed_in_the_order_of_their_keys(Fixture { store, .. }: Fixture) {
    for key in ["b", "é", "a", "B", "c"] {
        amend(&*store, key, Amended::Replaced(vec![1])).await;
    }
    let keys = async |after: &str, limit| -> Vec<String> {
        let page = store.documents(FORGETTING, after, limit).await.unwrap();
        page.into_iter().map(|document| document.key).collect()
    };
    assert_eq!(keys("", 2).await, ["B", "a"]);
    assert_eq!(keys("a", 2).await, ["b", "c"]);
    assert_eq!(keys("c", 2).await, ["é"]);
    assert_eq!(keys("é", 2).await, [""; 0]);
    assert_eq!(keys("", 0).await, [""; 0]);
}
