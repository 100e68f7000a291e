//! The globals of a session in a journal.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Snapshot;

/// The use of a session by an execution. The journal has the whole snapshot, so that a replay needs nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct UsedGlobals {
    /// The version of the session that the program began with. Zero if the session was new.
    pub version: u64,
    /// The hash of that version.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hash: Option<String>,
    /// The globals that the program began with. None if the session was new, or if they are hidden.
    #[serde(skip_serializing_if = "Option::is_none", default, with = "text")]
    pub snapshot: Option<Arc<Snapshot>>,
}

impl UsedGlobals {
    /// Creates the record of a use.
    pub(crate) fn new(version: u64, hash: Option<String>, snapshot: Option<Arc<Snapshot>>) -> Self {
        Self { version, hash, snapshot }
    }
}

/// Writes a snapshot as `[image, bytes in base64]`.
mod text {
    use super::{Arc, Deserialize, Deserializer, Engine, STANDARD, Serialize, Serializer, Snapshot};

    pub(super) fn serialize<S: Serializer>(snapshot: &Option<Arc<Snapshot>>, serializer: S) -> Result<S::Ok, S::Error> {
        snapshot.as_ref().map(|one| (&one.image, STANDARD.encode(&one.bytes))).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Arc<Snapshot>>, D::Error> {
        let Some((image, bytes)) = Option::<(String, String)>::deserialize(deserializer)? else { return Ok(None) };
        let bytes = STANDARD.decode(bytes).map_err(serde::de::Error::custom)?;
        Ok(Some(Arc::new(Snapshot { image, bytes })))
    }
}
