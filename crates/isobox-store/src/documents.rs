//! Documents of collections, in SQL.

use isobox_core::store::{Amended, Amendment, Collection, Document, Error, WhenFull};

use crate::database::{Database, DatabaseError, ErrorKind, Row};
use crate::operations::{OperationError, signed};

/// Changes a document. Its row is made first, if it is missing, because only a row can be locked.
pub(crate) fn amend(
    database: &mut dyn Database,
    collection: Collection,
    key: &str,
    change: &Amendment,
) -> Result<(), OperationError> {
    let (name, key) = (collection.name, key.as_bytes());
    let added = database.execute(
        "INSERT INTO isobox_documents (collection, key, bytes, changed) VALUES (?1, ?2, ?3, 0) \
         ON CONFLICT (collection, key) DO NOTHING",
        &[name.into(), key.into(), [].as_slice().into()],
    )?;
    let mut rows = database.query(
        "SELECT bytes FROM isobox_documents WHERE collection = ?1 AND key = ?2 {lock}",
        &[name.into(), key.into()],
    )?;
    let row = rows.first_mut();
    // Another process has removed it in between.
    let row = row.ok_or_else(|| DatabaseError::new(ErrorKind::Collision, "a row was removed while it was changed"))?;
    let kept = row.bytes(0)?;
    let amended = change(Some(kept.as_slice()).filter(|kept| !kept.is_empty()));
    match amended {
        Amended::Replaced(bytes) if !bytes.is_empty() => {
            if added > 0 && collection.when_full == WhenFull::Refuse && is_full(database, collection)? {
                remove(database, collection, key)?;
                return Err(Error::collection_full(collection).into());
            }
            database.execute(
                "UPDATE isobox_documents SET bytes = ?3, \
                 changed = (SELECT COALESCE(MAX(changed), 0) + 1 FROM isobox_documents WHERE collection = ?1) \
                 WHERE collection = ?1 AND key = ?2",
                &[name.into(), key.into(), bytes.as_slice().into()],
            )?;
            if added > 0 {
                forget_oldest(database, collection)?;
            }
        }
        Amended::Unchanged if !kept.is_empty() => {}
        Amended::Unchanged | Amended::Replaced(_) | Amended::Removed => {
            remove(database, collection, key)?;
            if !kept.is_empty() {
                database.wipe_after_commit();
            }
        }
    }
    Ok(())
}

fn remove(database: &mut dyn Database, collection: Collection, key: &[u8]) -> Result<(), OperationError> {
    let statement = "DELETE FROM isobox_documents WHERE collection = ?1 AND key = ?2";
    database.execute(statement, &[collection.name.into(), key.into()])?;
    Ok(())
}

/// Tells whether there are too many documents, with the one that was just added.
fn is_full(database: &mut dyn Database, collection: Collection) -> Result<bool, OperationError> {
    let rows =
        database.query("SELECT COUNT(*) FROM isobox_documents WHERE collection = ?1", &[collection.name.into()])?;
    let count = rows.first().map(|row| row.count(0)).transpose()?.unwrap_or_default();
    Ok(count > collection.most as u64)
}

fn forget_oldest(database: &mut dyn Database, collection: Collection) -> Result<(), OperationError> {
    database.execute(
        "DELETE FROM isobox_documents WHERE collection = ?1 AND key IN \
         (SELECT key FROM isobox_documents WHERE collection = ?1 ORDER BY changed DESC, key LIMIT 10000 OFFSET ?2)",
        &[collection.name.into(), signed(collection.most as u64).into()],
    )?;
    Ok(())
}

pub(crate) fn one(
    database: &mut dyn Database,
    collection: Collection,
    key: &str,
) -> Result<Option<Vec<u8>>, OperationError> {
    let mut rows = database.query(
        "SELECT bytes FROM isobox_documents WHERE collection = ?1 AND key = ?2 AND LENGTH(bytes) > 0",
        &[collection.name.into(), key.as_bytes().into()],
    )?;
    Ok(rows.first_mut().map(|row| row.bytes(0)).transpose()?)
}

pub(crate) fn page(
    database: &mut dyn Database,
    collection: Collection,
    after: &str,
    limit: usize,
) -> Result<Vec<Document>, OperationError> {
    let rows = database.query(
        "SELECT key, bytes FROM isobox_documents WHERE collection = ?1 AND key > ?2 AND LENGTH(bytes) > 0 \
         ORDER BY key LIMIT ?3",
        &[collection.name.into(), after.as_bytes().into(), signed(limit as u64).into()],
    )?;
    let document = |mut row: Row| {
        let key = String::from_utf8(row.bytes(0)?);
        let key = key.map_err(|_| Error::broken("a document of the store was altered", "its key is not a text"))?;
        Ok(Document { key, bytes: row.bytes(1)? })
    };
    rows.into_iter().map(document).collect()
}
