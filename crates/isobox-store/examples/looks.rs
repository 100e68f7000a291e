//! Looks at an SQLite store, and prints how many executions it has: `looks FILE`.

use isobox_core::store::{Filter, Store};
use isobox_store::DatabaseStore;

#[tokio::main]
async fn main() {
    let file = std::env::args().nth(1).expect("the first argument is a file");
    match look(&file).await {
        Ok(count) => println!("{count}"),
        Err(error) => println!("{error}"),
    }
}

async fn look(file: &str) -> Result<usize, isobox_core::Failure> {
    match DatabaseStore::sqlite_to_read(file).await? {
        Some(store) => Ok(store.list(Filter::newest(1_000)).await?.executions.len()),
        None => Ok(0),
    }
}
