//! Requests about sessions.

use isobox::{Failure, Value};
use serde::Deserialize;

use crate::engine::Shared;
use crate::json::value;

/// A request about sessions.
#[derive(Deserialize)]
#[serde(tag = "verb", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub(crate) enum SessionRequest {
    List {
        #[serde(default)]
        after: String,
        limit: usize,
    },
    Get {
        name: String,
    },
    Fork {
        name: String,
        to: String,
        #[serde(default)]
        version: Option<u64>,
    },
    Rewind {
        name: String,
        version: u64,
    },
    Delete {
        name: String,
    },
}

impl Shared {
    pub(crate) async fn session(&self, request: SessionRequest) -> Result<Value, Failure> {
        let isobox = self.workspace.archive().await?;
        let sessions = isobox.sessions();
        match request {
            SessionRequest::List { after, limit } => value(&sessions.list(&after, limit).await?),
            SessionRequest::Get { name } => value(&sessions.get(&name).await?),
            SessionRequest::Fork { name, to, version } => value(&sessions.fork(&name, version, &to).await?),
            SessionRequest::Rewind { name, version } => value(&sessions.rewind(&name, version).await?),
            SessionRequest::Delete { name } => sessions.delete(&name).await.map(|()| Value::Null),
        }
    }
}
