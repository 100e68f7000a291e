//! The bytes of journals and checkpoints: every version stays readable, and alterations are detected.

mod damage;
mod golden;
mod kinds;
mod story;

use crate::ExecutionId;
use crate::journal::{
    Batch, BatchWriter, Beginning, Entry, StoreKey, decode_batch, decode_beginning, encode_beginning,
};
use crate::store::Error;

static KEY: StoreKey = StoreKey::new([7; 32]);

/// Encodes a journal: its beginning, and the batches of its entries.
fn write(id: &ExecutionId, beginning: &Beginning<'static>, entries: &[Vec<Entry>]) -> Vec<Batch> {
    let mut batches = vec![encode_beginning(&KEY, id, beginning).unwrap()];
    let mut writer = BatchWriter::default();
    for together in entries {
        together.iter().for_each(|entry| writer.add(entry).unwrap());
        let before = batches[batches.len() - 1].seal;
        batches.push(writer.take(&KEY, &before));
    }
    batches
}

fn read(id: &ExecutionId, batches: &[Batch]) -> Result<(Beginning<'static>, Vec<Vec<Entry>>), Error> {
    let beginning = decode_beginning(&KEY, id, &batches[0])?;
    let entries = batches.array_windows().map(|[before, batch]| decode_batch(&KEY, id, &before.seal, batch));
    Ok((beginning, entries.collect::<Result<_, _>>()?))
}
