//! Finds the executions that are due, in SQL. An index has those that wait for a timer, and no others.

use isobox_core::Timestamp;
use isobox_core::store::{Agenda, DueExecution, DuePlace};

use crate::database::{Database, DatabaseError, Row};
use crate::operations::{OperationError, signed};

pub(crate) fn due(
    database: &mut dyn Database,
    moment: Timestamp,
    after: Option<&DuePlace>,
    limit: u32,
) -> Result<Agenda, OperationError> {
    let (time, id) = after.map_or((i64::MIN, ""), |after| (signed(after.at.0), after.id.as_str()));
    let rows = database.query(
        "SELECT id, due FROM isobox_executions WHERE due <= ?1 AND due >= ?2 AND (due > ?2 OR id > ?3) \
         AND NOT EXISTS (SELECT 1 FROM isobox_nodes WHERE isobox_nodes.id = isobox_executions.node AND expires > {now}) \
         ORDER BY due, id LIMIT ?4",
        &[signed(moment.0).into(), time.into(), id.into(), i64::from(limit).into()],
    )?;
    let next = database.query(
        "SELECT id, due FROM isobox_executions WHERE due > ?1 ORDER BY due LIMIT 1",
        &[signed(moment.0).into()],
    )?;
    let places = rows.iter().map(place).collect::<Result<Vec<_>, _>>()?;
    let after = places.last().filter(|_| places.len() == limit as usize).cloned();
    // The list shows a row whose ID was altered as unreadable.
    let due = places.into_iter().filter_map(|DuePlace { at, id }| Some(DueExecution { at, id: id.parse().ok()? }));
    Ok(Agenda { due: due.collect(), after, next: next.first().map(place).transpose()?.map(|place| place.at) })
}

fn place(row: &Row) -> Result<DuePlace, DatabaseError> {
    // An altered time may be negative.
    let at = Timestamp(u64::try_from(row.integer(1)?).unwrap_or(0));
    Ok(DuePlace { at, id: row.text(0)?.to_owned() })
}
