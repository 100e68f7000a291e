//! What was learned about the results of tools, in SQL.

use isobox_core::store::{Amended, Amendment, Error, Lesson};

use crate::database::{Database, DatabaseError, ErrorKind};
use crate::operations::{OperationError, signed};

/// Changes what is kept about a tool. Its row is made first, if it is missing, because only a row can be locked.
pub(crate) fn amend(database: &mut dyn Database, tool: &str, change: &Amendment) -> Result<(), OperationError> {
    let key = tool.as_bytes();
    let added = database.execute(
        "INSERT INTO isobox_lessons (tool, bytes, changed) VALUES (?1, ?2, 0) ON CONFLICT (tool) DO NOTHING",
        &[key.into(), [].as_slice().into()],
    )?;
    let mut rows = database.query("SELECT bytes FROM isobox_lessons WHERE tool = ?1 {lock}", &[key.into()])?;
    let row = rows.first_mut();
    // Another process has removed it in between.
    let row = row.ok_or_else(|| DatabaseError::new(ErrorKind::Collision, "a row was removed while it was changed"))?;
    let kept = row.bytes(0)?;
    let amended = change(Some(kept.as_slice()).filter(|kept| !kept.is_empty()));
    match amended {
        Amended::Unchanged if !kept.is_empty() => {}
        Amended::Unchanged | Amended::Removed => {
            database.execute("DELETE FROM isobox_lessons WHERE tool = ?1", &[key.into()])?;
        }
        Amended::Replaced(bytes) => {
            database.execute(
                "UPDATE isobox_lessons SET bytes = ?2, \
                 changed = (SELECT COALESCE(MAX(changed), 0) + 1 FROM isobox_lessons) WHERE tool = ?1",
                &[key.into(), bytes.as_slice().into()],
            )?;
            if added > 0 {
                forget_oldest(database)?;
            }
        }
    }
    Ok(())
}

fn forget_oldest(database: &mut dyn Database) -> Result<(), OperationError> {
    database.execute(
        "DELETE FROM isobox_lessons WHERE tool IN \
         (SELECT tool FROM isobox_lessons ORDER BY changed DESC, tool LIMIT 10000 OFFSET ?1)",
        &[signed(Lesson::MOST as u64).into()],
    )?;
    Ok(())
}

pub(crate) fn all(database: &mut dyn Database) -> Result<Vec<Lesson>, OperationError> {
    let rows = database.query(
        "SELECT tool, bytes FROM isobox_lessons WHERE LENGTH(bytes) > 0 ORDER BY changed DESC, tool LIMIT ?1",
        &[signed(Lesson::MOST as u64).into()],
    )?;
    let lesson = |mut row: crate::database::Row| {
        let tool = String::from_utf8(row.bytes(0)?);
        let tool =
            tool.map_err(|_| Error::broken("what was learned about a tool was altered", "its path is not a text"))?;
        Ok(Lesson { tool, bytes: row.bytes(1)? })
    };
    rows.into_iter().map(lesson).collect()
}
