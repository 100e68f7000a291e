//! Appends to the journals of executions in an SQLite store, and prints what was acknowledged: `appends FILE EXECUTIONS [EACH]`.
//!
//! Without `EACH`, it appends until it is killed, as the tests do. With `EACH`, it prints its speed:
//!
//!     cargo run --release -p isobox-store --example appends -- /var/tmp/try/isobox.db 50 1000 > /dev/null

#![expect(clippy::disallowed_methods, reason = "it measures time")]

use std::io::{Write, stdout};
use std::sync::Arc;
use std::time::Instant;

use futures_util::future::join_all;
use isobox_core::journal::Batch;
use isobox_core::store::{Append, Change, Head, Lease, NewExecution, Node, Status, Store};
use isobox_core::{ExecutionId, Failure, Timestamp};
use isobox_store::DatabaseStore;

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("the first argument is a file");
    let mut number = || arguments.next().map(|text| text.parse::<u64>().expect("the other arguments are numbers"));
    let (executions, each) = (number().unwrap_or(1), number());
    let store: Arc<dyn Store> = match DatabaseStore::sqlite(file).await {
        Ok(store) => Arc::new(store),
        Err(error) => return println!("{}", isobox_core::Failure::from(error)),
    };
    let start = Instant::now();
    let run = |_| tokio::spawn(append(Arc::clone(&store), each.unwrap_or(u64::MAX)));
    for ended in join_all((0..executions).map(run)).await {
        if let Err(error) = ended.expect("nothing panics") {
            println!("{error}");
        }
    }
    let appends = executions * each.unwrap_or(0);
    let rate = appends as f64 / start.elapsed().as_secs_f64();
    eprintln!("{executions} executions at once, {appends} appends: {rate:.0} a second");
}

async fn append(store: Arc<dyn Store>, each: u64) -> Result<(), Failure> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).expect("there are random numbers");
    let id = ExecutionId::new(1, u128::from_le_bytes(random));
    let head = Head {
        status: Status::Running,
        revision: 0,
        pending: 0,
        pending_calls: Vec::new(),
        calls: 0,
        updated: Timestamp(1),
        function: None,
        owner: None,
        code: None,
        due: None,
    };
    let batch = |position: u64| Batch { bytes: format!("{position:0400}").into_bytes().into(), seal: [1; 32] };
    let node = Node("appends".into());
    let new = NewExecution { created: Timestamp(1), beginning: batch(0), head: head.clone() };
    let lease = Lease::first(&id, &node);
    store.write(Arc::new(Change::create(lease.clone(), new))).await?;
    for position in 0..each {
        let append = Append { position, batch: batch(position), head: head.clone(), heard: Vec::new() };
        store.write(Arc::new(Change::append(lease.clone(), append))).await?;
        // One write, so that no line is cut in two where the process is killed.
        stdout().write_all(format!("{id} {position}\n").as_bytes()).expect("the reader is there");
    }
    Ok(())
}
