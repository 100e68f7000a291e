//! What was learned about tools.

use std::sync::Arc;

use futures_util::future::join_all;
use isobox_core::store::{Amended, Lesson, Store};

use crate::support::Fixture;

/// Changes a lesson, and returns what was kept before.
async fn amend(store: &dyn Store, tool: &str, amended: Amended) {
    store.amend_lesson(tool, Arc::new(move |_| amended.clone())).await.unwrap();
}

async fn kept(store: &dyn Store, tool: &str) -> Option<Vec<u8>> {
    store.lessons().await.unwrap().into_iter().find(|lesson| lesson.tool == tool).map(|lesson| lesson.bytes)
}

pub(crate) async fn what_was_learned_is_kept_replaced_and_removed(Fixture { store, other, .. }: Fixture) {
    assert_eq!(store.lessons().await.unwrap(), []);
    amend(&*store, "a.b", Amended::Unchanged).await;
    amend(&*store, "a.b", Amended::Removed).await;
    assert_eq!(store.lessons().await.unwrap(), []);
    amend(&*store, "a.b", Amended::Replaced(vec![0, 0xFF])).await;
    amend(&*store, "a.c", Amended::Replaced(vec![1])).await;
    amend(&*other, "a.b", Amended::Unchanged).await;
    assert_eq!(kept(&*other, "a.b").await, Some(vec![0, 0xFF]));
    let add = |kept: Option<&[u8]>| Amended::Replaced([kept.unwrap_or_default(), &[7]].concat());
    other.amend_lesson("a.b", Arc::new(add)).await.unwrap();
    assert_eq!(kept(&*store, "a.b").await, Some(vec![0, 0xFF, 7]));
    amend(&*store, "a.b", Amended::Removed).await;
    assert_eq!(other.lessons().await.unwrap(), [Lesson { tool: "a.c".to_owned(), bytes: vec![1] }]);
}

pub(crate) async fn no_change_of_two_processes_is_lost(Fixture { store, other, .. }: Fixture) {
    const EACH: usize = 40;
    let add = |kept: Option<&[u8]>| Amended::Replaced([kept.unwrap_or_default(), &[1]].concat());
    let adding = |store: &Arc<dyn Store>| {
        let store = Arc::clone(store);
        tokio::spawn(async move {
            for _ in 0..EACH {
                store.amend_lesson("a.b", Arc::new(add)).await.unwrap();
            }
        })
    };
    for done in join_all([adding(&store), adding(&other)]).await {
        done.unwrap();
    }
    assert_eq!(kept(&*store, "a.b").await, Some(vec![1; 2 * EACH]));
}

pub(crate) async fn the_tools_that_changed_last_are_kept(Fixture { store, .. }: Fixture) {
    let name = |number: usize| format!("tool{number:05}");
    let changes = (0..Lesson::MOST).map(|number| amend_boxed(&store, name(number)));
    join_all(changes).await;
    amend(&*store, &name(0), Amended::Replaced(vec![2])).await;
    for number in Lesson::MOST..Lesson::MOST + 3 {
        amend(&*store, &name(number), Amended::Replaced(vec![3])).await;
    }
    let kept = store.lessons().await.unwrap();
    assert_eq!(kept.len(), Lesson::MOST);
    let has = |number: usize| kept.iter().any(|lesson| lesson.tool == name(number));
    assert!(has(0) && has(Lesson::MOST + 2) && !has(1) && !has(3) && has(4));
}

async fn amend_boxed(store: &Arc<dyn Store>, tool: String) {
    amend(&**store, &tool, Amended::Replaced(vec![1])).await;
}
