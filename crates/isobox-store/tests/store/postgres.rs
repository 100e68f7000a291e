//! What a store on a server does besides.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use isobox_core::journal::StoreKey;
use isobox_core::store::{Error, ErrorKind, ExpectedState, Filter, Part, Status, Store};
use isobox_store::{Connections, DatabaseStore, KeySource};

use crate::support::{
    WriteParts, batch, head, id, in_postgres, kind, new, new_schema, node, postgres_server, postgres_url,
};

async fn open(schema: &str) -> DatabaseStore {
    DatabaseStore::postgres(&postgres_url(schema), KeySource::Database).await.unwrap()
}

async fn refusal(url: &str) -> Error {
    let error = DatabaseStore::postgres(url, KeySource::Database).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Broken | ErrorKind::Unavailable), "{error:?}");
    error
}

fn password() -> String {
    let server = postgres_server();
    server.split_once("isobox:").unwrap().1.split_once('@').unwrap().0.to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn those_who_start_at_once_agree_on_tables_and_key() {
    let schema = new_schema();
    let start = |_| {
        let schema = schema.clone();
        tokio::spawn(async move { open(&schema).await })
    };
    let stores = join_all((0..6).map(start)).await.into_iter().map(Result::unwrap).collect::<Vec<_>>();
    assert!(stores.iter().all(|store| store.key().as_bytes() == stores[0].key().as_bytes()));
    stores[0].create(new(1, "a")).await.unwrap();
    stores[5].load(&id(1), Part::Whole).await.unwrap();
}

#[tokio::test]
async fn every_node_has_to_have_the_same_key() {
    let url = postgres_url(&new_schema());
    let with = async |key: [u8; 32]| DatabaseStore::postgres(&url, KeySource::Host(StoreKey::new(key))).await;
    assert_eq!(with([1; 32]).await.unwrap().key().as_bytes(), &[1; 32]);
    with([1; 32]).await.unwrap();
    let error = with([2; 32]).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Broken);
    assert!(error.message().contains("sealed with another key"), "{error}");
    assert!(refusal(&url).await.message().contains("sealed with another key"));
    // Trying it left nothing behind.
    with([1; 32]).await.unwrap();
}

#[tokio::test]
async fn a_wrong_password_is_refused_and_not_repeated() {
    let wrong = postgres_server().replace(&password(), "open-sesame");
    let error = refusal(&wrong).await;
    assert!(error.message().starts_with("the PostgreSQL database postgres at localhost:"), "{error}");
    assert!(error.message().contains("password authentication failed"), "{error}");
    assert!(!format!("{error:?}").contains("open-sesame"), "{error:?}");
}

#[tokio::test]
async fn an_address_that_cannot_be_read_is_not_repeated() {
    for url in ["postgres://u:open@sesame@host/db", "postgres://u:open-sesame@host:port/db", "mysql://open-sesame", ""]
    {
        let error = refusal(url).await;
        assert!(error.message().contains("cannot be read"), "{url}: {error}");
        assert!(!format!("{error:?}").contains("sesame"), "{error:?}");
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_reported() {
    let error = refusal("postgres://u:open-sesame@localhost:1/db").await;
    assert!(error.message().starts_with("the PostgreSQL database db at localhost:1: "), "{error}");
    assert!(error.message().contains("refused"), "{error}");
    assert!(!format!("{error:?}").contains("sesame"), "{error:?}");
}

#[tokio::test]
async fn a_server_that_nobody_vouches_for_is_refused() {
    let server = postgres_server();
    let (address, _) = server.split_once('?').unwrap();
    let error = refusal(&format!("{address}?sslmode=require")).await;
    assert!(error.message().contains("certificate"), "{error}");
    assert!(refusal(&format!("{server}.missing")).await.message().contains("cannot use the root certificate"));
    // Whatever libpq calls it, the name is verified too.
    let verified = server.replace("sslmode=require", "sslmode=verify-full").replace("@localhost", "@127.0.0.2");
    let error = refusal(&verified).await;
    assert!(error.message().contains("127.0.0.2"), "{error}");
}

#[tokio::test]
async fn a_newer_store_is_refused() {
    let schema = new_schema();
    drop(open(&schema).await);
    in_postgres(&format!("UPDATE {schema}.isobox_settings SET value = '7' WHERE name = 'version'"));
    let error = refusal(&postgres_url(&schema)).await;
    assert!(error.message().contains("it has version 7, and this Isobox supports versions up to "), "{error}");
}

#[tokio::test]
async fn a_connection_that_broke_is_replaced() {
    let schema = new_schema();
    let url = format!("{}&application_name={schema}", postgres_url(&schema));
    let store = DatabaseStore::postgres(&url, KeySource::Database).await.unwrap();
    let lease = store.create(new(1, "a")).await.unwrap();
    for position in 0..3 {
        store.load(&id(1), Part::Whole).await.unwrap();
        let connections = format!("SELECT pid FROM pg_stat_activity WHERE application_name = '{schema}'");
        in_postgres(&format!("SELECT pg_terminate_backend(pid) FROM ({connections}) AS of_the_store"));
        store.append(&lease, position, batch("b"), head(Status::Running, 2), Vec::new()).await.unwrap();
    }
    assert_eq!(store.load(&id(1), Part::Whole).await.unwrap().batches.len(), 3);
}

#[tokio::test]
async fn a_server_that_can_only_be_read_may_be_another_one_later() {
    let schema = new_schema();
    drop(open(&schema).await);
    let url = format!("{}%20-c%20default_transaction_read_only%3Don", postgres_url(&schema));
    let refused = match DatabaseStore::postgres(&url, KeySource::Database).await {
        Ok(store) => store.create(new(1, "a")).await.unwrap_err(),
        Err(error) => error,
    };
    assert_eq!(refused.kind(), ErrorKind::Unavailable, "{refused}");
    assert!(refused.message().contains("in a read-only transaction (25006)"), "{refused}");
}

#[tokio::test]
async fn one_that_cannot_be_written_does_not_fail_the_others() {
    let store = open(&new_schema()).await;
    // PostgreSQL has no texts with a zero.
    let holders = ["a", "b", "c\u{0}", "d", "e"];
    let create = (0..).zip(holders).map(|(number, holder)| store.create(new(number, holder))).collect::<Vec<_>>();
    let created = join_all(create).await;
    for (created, holder) in created.into_iter().zip(holders) {
        match holder {
            "c\u{0}" => assert_eq!(kind(created), ErrorKind::Broken),
            _ => assert_eq!(created.unwrap().node, node(holder)),
        }
    }
    assert_eq!(store.list(Filter::newest(9)).await.unwrap().executions.len(), 4);
}

#[tokio::test]
async fn altered_rows_are_noticed_and_can_be_deleted() {
    let schema = new_schema();
    let store = open(&schema).await;
    let alterations = ["DELETE FROM isobox_batches WHERE position = 0", "UPDATE isobox_executions SET head = '{}'"];
    for (number, alteration) in (0..).zip(alterations) {
        let lease = store.create(new(number, "a")).await.unwrap();
        store.append(&lease, 0, batch("b"), head(Status::Running, 2), Vec::new()).await.unwrap();
        in_postgres(&format!("SET search_path = {schema}; {alteration}"));
        let error = store.load(&id(number), Part::Whole).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Broken);
        assert!(error.message().contains("was altered or damaged"), "{error}");
        store.delete(&id(number), ExpectedState::Anyhow).await.unwrap();
    }
}

/// Stands between a store and its server, and can stop to pass anything on.
struct Proxy {
    port: u16,
    is_silent: Arc<AtomicBool>,
}

impl Proxy {
    fn start(server_port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (port, is_silent) = (listener.local_addr().unwrap().port(), Arc::<AtomicBool>::default());
        let silent = Arc::clone(&is_silent);
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let (client, server) = (client.unwrap(), TcpStream::connect(("127.0.0.1", server_port)).unwrap());
                for (from, to) in [(client.try_clone().unwrap(), server.try_clone().unwrap()), (server, client)] {
                    let silent = Arc::clone(&silent);
                    std::thread::spawn(move || pass_on(from, to, &silent));
                }
            }
        });
        Self { port, is_silent }
    }
}

fn pass_on(mut from: TcpStream, mut to: TcpStream, is_silent: &AtomicBool) {
    let mut buffer = [0; 4_096];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        while is_silent.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(10));
        }
        if to.write_all(&buffer[..length]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(std::net::Shutdown::Write);
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "how long it takes is what is tested")]
async fn a_server_that_falls_silent_is_given_up_within_seconds() {
    const BOUND: Duration = Duration::from_secs(25);
    let url = postgres_url(&new_schema());
    let port = url.split_once('@').unwrap().1.split_once(':').unwrap().1;
    let port = port.split_once('/').unwrap().0.to_owned();
    let proxy = Proxy::start(port.parse().unwrap());
    let url = url.replacen(&format!(":{port}/"), &format!(":{}/", proxy.port), 1);
    let store = DatabaseStore::postgres(&url, KeySource::Database).await.unwrap();
    let lease = store.create(new(1, "a")).await.unwrap();

    proxy.is_silent.store(true, Ordering::SeqCst);
    let begun = Instant::now();
    let append = store.append(&lease, 0, batch("first"), head(Status::Running, 1), Vec::new());
    let error = append.await.unwrap_err();
    assert!(error.message().ends_with("the server did not answer within 10 s"), "{error}");
    let error = store.list(Filter::newest(1)).await.unwrap_err();
    assert!(error.message().contains("did not answer") || error.message().contains("timed out"), "{error}");
    let error = DatabaseStore::postgres(&url, KeySource::Database).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert!(begun.elapsed() < 2 * BOUND, "three operations took {:?}", begun.elapsed());

    proxy.is_silent.store(false, Ordering::SeqCst);
    // Nobody knows whether the first append has arrived; the journal tells.
    let stored = store.load(&id(1), Part::Whole).await.unwrap();
    let position = stored.batches.len() as u64;
    store.append(&lease, position, batch("then"), head(Status::Running, 1), Vec::new()).await.unwrap();
}

#[tokio::test]
async fn looking_at_a_server_changes_nothing_there() {
    let url = postgres_url(&new_schema());
    assert!(DatabaseStore::postgres_to_read(&url, KeySource::Database).await.unwrap().is_none());
    assert!(DatabaseStore::postgres_to_read(&url, KeySource::Database).await.unwrap().is_none(), "it made no tables");
    let store = DatabaseStore::postgres(&url, KeySource::Database).await.unwrap();
    store.create(new(1, "a")).await.unwrap();
    let looking = DatabaseStore::postgres_to_read(&url, KeySource::Database).await.unwrap().expect("there is one");
    assert_eq!(looking.key().as_bytes(), store.key().as_bytes());
    assert_eq!(looking.list(Filter::newest(9)).await.unwrap().executions.len(), 1);
    let refused = looking.delete(&id(1), ExpectedState::Anyhow).await.unwrap_err();
    assert!(refused.message().ends_with("it was opened only for reading"), "{refused}");
    let other = KeySource::Host(StoreKey::new([9; 32]));
    let error = DatabaseStore::postgres_to_read(&url, other).await.unwrap_err();
    assert!(error.message().contains("sealed with another key"), "{error}");
}

/// How many connections with this name the server has, and how many it had at once at the most while something was done.
async fn most_connections<T>(name: &str, work: impl Future<Output = T>) -> (i64, T) {
    let server = postgres_server();
    let (address, _) = server.split_once('?').unwrap();
    let (address, name) = (address.to_owned(), name.to_owned());
    let is_done = Arc::new(AtomicBool::new(false));
    let done = Arc::clone(&is_done);
    let watching = std::thread::spawn(move || {
        let mut client = postgres::Client::connect(&address, postgres::NoTls).unwrap();
        let mut most = 0;
        loop {
            let is_last = done.load(Ordering::SeqCst);
            let query = "SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = $1";
            most = most.max(client.query_one(query, &[&name]).unwrap().get::<_, i64>(0));
            if is_last {
                return most;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    });
    let worked = work.await;
    is_done.store(true, Ordering::SeqCst);
    (tokio::task::spawn_blocking(move || watching.join().unwrap()).await.unwrap(), worked)
}

/// The server takes a moment to notice that a connection is closed.
async fn wait_until_closed(name: &str) {
    for _ in 0..500 {
        if most_connections(name, std::future::ready(())).await.0 == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("connections stay open");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_are_opened_when_they_are_needed_and_never_more_than_the_bound() {
    let schema = new_schema();
    let url = format!("{}&application_name={schema}", postgres_url(&schema));
    let store = DatabaseStore::postgres(&url, KeySource::Database).await.unwrap();
    let one_after_the_other = async {
        for _ in 0..20 {
            store.list(Filter::newest(1)).await.unwrap();
        }
    };
    assert_eq!(most_connections(&schema, one_after_the_other).await.0, 2, "one writes, one reads");
    let at_once = async { join_all((0..200).map(|_| store.list(Filter::newest(1)))).await };
    let (most, listed) = most_connections(&schema, at_once).await;
    assert!(listed.iter().all(Result::is_ok));
    assert!((3..=5).contains(&most), "{most}");
    drop(store);
    wait_until_closed(&schema).await;

    let two = Connections::at_most(2).unwrap();
    let store = DatabaseStore::postgres_within(&url, KeySource::Database, two).await.unwrap();
    let at_once = async { join_all((0..200).map(|_| store.list(Filter::newest(1)))).await };
    let (most, listed) = most_connections(&schema, at_once).await;
    assert!(listed.iter().all(Result::is_ok));
    assert_eq!(most, 2);
    drop(store);
    wait_until_closed(&schema).await;

    let looking = DatabaseStore::postgres_to_read(&url, KeySource::Database).await.unwrap().unwrap();
    assert_eq!(most_connections(&schema, looking.list(Filter::newest(1))).await.0, 1, "looking takes one");
    assert_eq!((Connections::at_most(1), Connections::at_most(101)), (None, None));
}
