//! The stores that durable executions are tested with.

use std::path::Path;
use std::sync::Arc;

use isobox::store::Store;
use isobox::store::memory_store;
use isobox_store::{DatabaseStore, KeySource};
use serde::{Deserialize, Serialize};

/// A kind of store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum StoreKind {
    Memory,
    Sqlite,
    Postgres,
}

impl StoreKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Memory, Self::Sqlite, Self::Postgres];

    /// Returns the name of the kind.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }

    /// Opens a store of this kind: an empty one, the one in this folder, or the one on the test server.
    pub async fn open(self, folder: &Path) -> Result<Arc<dyn Store>, String> {
        let store = match self {
            Self::Memory => return Ok(memory_store()),
            Self::Sqlite => DatabaseStore::sqlite(folder.join("isobox.db")).await,
            Self::Postgres => DatabaseStore::postgres(&postgres_server()?, KeySource::Database).await,
        };
        Ok(Arc::new(store.map_err(|failure| failure.to_string())?))
    }
}

/// Returns the URL of the server that `scripts/with_postgres.py` started.
#[expect(clippy::disallowed_methods, reason = "the script says through the environment where its server is")]
fn postgres_server() -> Result<String, String> {
    std::env::var("ISOBOX_TEST_POSTGRES").map_err(|_| {
        "this needs a PostgreSQL server: run `scripts/with_postgres.py cargo test --release -p isobox-spec`".to_owned()
    })
}
