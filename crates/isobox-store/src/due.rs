//! Finds the executions that are due, in SQL. An index has those that wait for a timer, and no others.

use isobox_core::Timestamp;
use isobox_core::store::{Agenda, DueExecution};

use crate::database::{Database, DatabaseError};
use crate::operations::{OperationError, signed};

pub(crate) fn due(
    database: &mut dyn Database,
    moment: Timestamp,
    after: Option<&DueExecution>,
    limit: u32,
) -> Result<Agenda, OperationError> {
    let (time, id) = after.map_or((-1, ""), |after| (signed(after.at.0), after.id.as_str()));
    let rows = database.query(
        "SELECT id, due FROM isobox_executions WHERE due <= ?1 AND due >= ?2 AND (due > ?2 OR id > ?3) \
         AND NOT EXISTS (SELECT 1 FROM isobox_nodes WHERE isobox_nodes.id = isobox_executions.node AND expires > {now}) \
         ORDER BY due, id LIMIT ?4",
        &[signed(moment.0).into(), time.into(), id.into(), i64::from(limit).into()],
    )?;
    let mut due = Vec::with_capacity(rows.len());
    for row in &rows {
        let at = Timestamp(row.count(1)?);
        match row.text(0)?.parse() {
            Ok(id) => due.push(DueExecution { at, id }),
            // The list shows the row as unreadable. It hides no other.
            Err(_) => tracing::warn!("an execution that is due has no valid ID"),
        }
    }
    let next = database
        .query("SELECT due FROM isobox_executions WHERE due > ?1 ORDER BY due LIMIT 1", &[signed(moment.0).into()])?;
    let next = next.first().map(|row| Ok::<_, DatabaseError>(Timestamp(row.count(0)?))).transpose()?;
    Ok(Agenda { due, next })
}
