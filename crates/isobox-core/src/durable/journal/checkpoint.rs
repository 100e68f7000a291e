//! Resumes an execution without its whole journal, from its state and the memory of its program.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{JournalState, Seal, StoreKey};
use crate::store::Checkpoint;
use crate::{ExecutionId, Snapshot};

/// The version of new checkpoints.
const VERSION: u32 = 2;

/// The content of a checkpoint.
#[derive(Debug)]
pub(crate) struct CheckpointContent {
    pub(crate) state: JournalState,
    /// The number of calls by the rule that counts them.
    pub(crate) counted: BTreeMap<String, u32>,
    /// The size of the journal up to the checkpoint, in bytes.
    pub(crate) journal_size: u64,
    pub(crate) snapshot: Snapshot,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written<S> {
    version: u32,
    #[serde(rename = "standing")]
    state: S,
    counted: BTreeMap<String, u32>,
    journal_size: u64,
    image: String,
}

/// Encodes a checkpoint at a position in the journal of an execution. Returns none if it cannot be encoded.
pub(crate) fn encode(
    key: &StoreKey,
    id: &ExecutionId,
    (position, seal, journal_size): (u64, Seal, u64),
    (state, counted): (&JournalState, BTreeMap<String, u32>),
    snapshot: &Snapshot,
) -> Option<Checkpoint> {
    let written = Written { version: VERSION, state, counted, journal_size, image: snapshot.image.clone() };
    let head = serde_json::to_vec(&written).ok()?;
    let mut bytes = vec![0; size_of::<Seal>()];
    bytes.extend(u32::try_from(head.len()).ok()?.to_le_bytes());
    bytes.extend(head);
    bytes.extend(&snapshot.bytes);
    let proof = key.prove(&[id.as_str().as_bytes(), &position.to_le_bytes(), &seal, &bytes[size_of::<Seal>()..]]);
    bytes[..size_of::<Seal>()].copy_from_slice(&proof);
    Some(Checkpoint { position, seal, bytes })
}

/// Decodes a checkpoint. Returns none if it belongs to another execution or has an unknown version. The journal has the
/// same content.
pub(crate) fn decode(key: &StoreKey, id: &ExecutionId, checkpoint: &Checkpoint) -> Option<CheckpointContent> {
    let Checkpoint { position, seal, bytes } = checkpoint;
    let (proof, content) = bytes.split_first_chunk::<32>()?;
    if !key.is_proven(&[id.as_str().as_bytes(), &position.to_le_bytes(), seal, content], proof) {
        return None;
    }
    let (size, content) = content.split_first_chunk::<4>()?;
    let (head, snapshot) = content.split_at_checked(u32::from_le_bytes(*size) as usize)?;
    let Written { version, state, counted, journal_size, image } =
        serde_json::from_slice::<Written<JournalState>>(head).ok()?;
    let snapshot = Snapshot { image, bytes: snapshot.to_vec() };
    (version == VERSION).then_some(CheckpointContent { state, counted, journal_size, snapshot })
}
