//! Being told of changes: at once through the same store, by the server through another one.

use std::time::Duration;

use futures_util::FutureExt;
use isobox_core::store::{Claim, Coverage, ExpectedState, Message, Release, Status, Store, Subscription};
use isobox_store::{DatabaseStore, KeySource};

use crate::support::{
    Fixture, WriteParts, batch, head, id, in_postgres, memory, new, new_schema, node, postgres_server, postgres_url,
    sqlite,
};

fn message(key: &str) -> Vec<Message> {
    vec![Message { key: key.to_owned(), bytes: b"decided".to_vec() }]
}

/// Fails where nothing is told. How long it takes is not tested.
async fn told(subscription: &mut Subscription) {
    let changed = tokio::time::timeout(Duration::from_secs(60), subscription.changed()).await;
    changed.expect("it was told");
}

/// Waits until every change is told, by whomever it is made.
async fn covered(subscription: &mut Subscription) {
    while subscription.coverage() == Coverage::Partial {
        told(subscription).await;
    }
    subscription.take_change();
}

pub(crate) async fn what_others_may_wait_for_is_told_at_once(Fixture { store, .. }: Fixture) {
    let mut subscription = store.subscribe(&id(1));
    let mut is_told = || subscription.take_change();
    let lease = store.create(new(1, "a")).await.unwrap();
    store.post(&id(1), message("k"), ExpectedState::Anyhow).await.unwrap();
    assert!(is_told(), "a message");
    store.append(&lease, 0, batch("b"), head(Status::Running, 2), vec!["k".to_owned()]).await.unwrap();
    assert!(is_told(), "the message was heard");
    store.release(&lease, Release::Anyhow).await.unwrap();
    assert!(is_told(), "the lease is free");
    let lease = store.acquire(&id(1), &node("a"), Claim::Unfinished).await.unwrap();
    store.append(&lease, 1, batch("c"), head(Status::Completed, 3), Vec::new()).await.unwrap();
    assert!(is_told(), "the end");
    store.delete(&id(1), ExpectedState::Anyhow).await.unwrap();
    assert!(is_told(), "the deletion");
}

/// Not over a server, which tells of everything a second time a little later.
#[tokio::test]
async fn what_concerns_nobody_else_is_not_told() {
    for fixture in [memory().await, sqlite().await] {
        let store = &fixture.store;
        let (mut one, mut other) = (store.subscribe(&id(1)), store.subscribe(&id(2)));
        let lease = store.create(new(1, "a")).await.unwrap();
        store.append(&lease, 0, batch("b"), head(Status::Running, 2), Vec::new()).await.unwrap();
        assert!(!one.take_change(), "it runs");
        store.post(&id(1), message("k"), ExpectedState::Anyhow).await.unwrap();
        assert!(one.take_change() && !other.take_change(), "another execution");
        store.post(&id(1), message("k"), ExpectedState::Anyhow).await.unwrap_err();
        assert!(!one.take_change(), "a message that was refused");
    }
}

#[tokio::test]
async fn a_change_is_told_though_nobody_waits_for_its_acknowledgement() {
    let folder = tempfile::tempdir().unwrap();
    let store = DatabaseStore::sqlite(folder.path().join("isobox.db")).await.unwrap();
    store.create(new(1, "a")).await.unwrap();
    let mut subscription = store.subscribe(&id(1));
    drop(store.post(&id(1), message("k"), ExpectedState::Anyhow));
    told(&mut subscription).await;
    assert_eq!(subscription.coverage(), Coverage::Partial, "other processes are not heard");
}

#[tokio::test]
async fn a_server_tells_what_another_process_does() {
    let url = postgres_url(&new_schema());
    let open = async || DatabaseStore::postgres(&url, KeySource::Database).await.unwrap();
    let (here, there) = (open().await, open().await);
    let mut subscription = here.subscribe(&id(1));
    covered(&mut subscription).await;
    let lease = there.create(new(1, "a")).await.unwrap();
    there.post(&id(1), message("k"), ExpectedState::Anyhow).await.unwrap();
    told(&mut subscription).await;
    there.append(&lease, 0, batch("b"), head(Status::Rejected, 2), vec!["k".to_owned()]).await.unwrap();
    told(&mut subscription).await;
    there.delete(&id(1), ExpectedState::Anyhow).await.unwrap();
    told(&mut subscription).await;
}

#[tokio::test]
async fn what_happens_in_another_schema_wakes_nobody() {
    let (url, other_url) = (postgres_url(&new_schema()), postgres_url(&new_schema()));
    let here = DatabaseStore::postgres(&url, KeySource::Database).await.unwrap();
    let there = DatabaseStore::postgres(&url, KeySource::Database).await.unwrap();
    let elsewhere = DatabaseStore::postgres(&other_url, KeySource::Database).await.unwrap();
    let (mut first, mut second) = (here.subscribe(&id(1)), here.subscribe(&id(2)));
    covered(&mut first).await;
    covered(&mut second).await;
    for (store, number) in [(&elsewhere, 1), (&there, 2)] {
        store.create(new(number, "a")).await.unwrap();
        store.post(&id(number), message("k"), ExpectedState::Anyhow).await.unwrap();
    }
    // Notifications come in the order of the commits.
    told(&mut second).await;
    assert!(first.changed().now_or_never().is_none());
}

#[tokio::test]
async fn what_strangers_notify_does_no_harm() {
    let schema = new_schema();
    let url = postgres_url(&schema);
    let open = async || DatabaseStore::postgres(&url, KeySource::Database).await.unwrap();
    let (here, there) = (open().await, open().await);
    let mut subscription = here.subscribe(&id(1));
    covered(&mut subscription).await;
    let channel = format!("'isobox_' || CAST(CAST('{schema}.isobox_executions' AS regclass) AS oid)");
    for payload in ["repeat('x', 7999)", "'exec_'", "E'\\'; DROP TABLE isobox_executions; --'", "U&'\\+01F4A9'"] {
        in_postgres(&format!("SELECT pg_notify({channel}, {payload})"));
    }
    there.create(new(1, "a")).await.unwrap();
    there.post(&id(1), message("k"), ExpectedState::Anyhow).await.unwrap();
    told(&mut subscription).await;
    assert_eq!(subscription.coverage(), Coverage::Complete, "the connection is as it was");
}

#[tokio::test]
async fn a_listening_connection_that_broke_is_opened_again() {
    let schema = new_schema();
    let url = format!("{}&application_name={schema}", postgres_url(&schema));
    let open = async || DatabaseStore::postgres(&url, KeySource::Database).await.unwrap();
    let (here, there) = (open().await, open().await);
    let mut subscription = here.subscribe(&id(1));
    covered(&mut subscription).await;
    let said = "query LIKE 'LISTEN %' OR query LIKE '%pg_notify%' AND query NOT LIKE '%COMMIT%'";
    let listens = format!("application_name = '{schema}' AND ({said})");
    in_postgres(&format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {listens}"));
    // Everybody looks again, and polls.
    told(&mut subscription).await;
    covered(&mut subscription).await;
    there.create(new(1, "a")).await.unwrap();
    there.post(&id(1), message("k"), ExpectedState::Anyhow).await.unwrap();
    told(&mut subscription).await;
}

#[tokio::test]
async fn without_subscriptions_nothing_listens() {
    let schema = new_schema();
    let url = format!("{}&application_name={schema}", postgres_url(&schema));
    let store = DatabaseStore::postgres(&url, KeySource::Database).await.unwrap();
    drop(store.subscribe(&id(1)));
    store.create(new(1, "a")).await.unwrap();
    assert!(connections(&schema) <= 2, "one writes, one reads");
    let mut subscription = store.subscribe(&id(1));
    covered(&mut subscription).await;
    drop(store);
    assert_eq!(subscription.coverage(), Coverage::Partial, "nobody listens any more");
}

/// Counts the connections with this name.
fn connections(name: &str) -> i64 {
    let server = postgres_server();
    let (address, _) = server.split_once('?').unwrap();
    let query = "SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = $1";
    std::thread::scope(|scope| {
        let count = || postgres::Client::connect(address, postgres::NoTls).unwrap().query_one(query, &[&name]).unwrap();
        scope.spawn(count).join().unwrap().get(0)
    })
}
