//! Lists executions in SQL. The database applies the filter, so that limits and pages are exact.

use isobox_core::store::{Error, Filter, Listed, Page, State, Unreadable};
use isobox_core::{ExecutionId, Timestamp};

use crate::database::{Database, DatabaseError, Row};
use crate::operations::{OperationError, read_head, signed};

/// The number of rows per query when the database cannot apply the filter.
const CHUNK: u32 = 500;

/// Derives the state of an execution, as `State::of` does.
macro_rules! rows {
    ($wanted:literal) => {
        concat!(
            "SELECT id, created, status, head, held, messages FROM (SELECT id, created, updated, status, head, held, messages, \
             CASE WHEN status = 'running' AND held = 0 THEN 'orphaned' \
             WHEN status IN ('paused', 'sleeping') AND held = 0 AND messages > 0 THEN 'decided' ELSE status END AS state \
             FROM (SELECT id, created, updated, status, head, \
             (SELECT COUNT(*) FROM isobox_nodes WHERE isobox_nodes.id = isobox_executions.node AND expires > {now}) AS held, \
             (SELECT COUNT(*) FROM (SELECT 1 FROM isobox_inbox WHERE execution = isobox_executions.id LIMIT 1000) AS counted) \
             AS messages FROM isobox_executions WHERE id < ?1 AND updated < ?2 AND COALESCE(due, 0) < ?2",
            $wanted,
            " ORDER BY id DESC LIMIT ?3"
        )
    };
}

const OF_ANY_STATE: &str = rows!(") AS kept) AS listed");
const OF_STATE: &str = rows!(" AND status = ?4) AS kept) AS listed WHERE state = ?5");
/// Few executions have messages, and many may sleep.
const OF_DECIDED: &str =
    rows!(" AND status = ?4 AND id IN (SELECT execution FROM isobox_inbox)) AS kept) AS listed WHERE state = ?5");

pub(crate) fn list(database: &mut dyn Database, filter: &Filter) -> Result<Page, OperationError> {
    let limit = filter.limit as usize;
    // One more row tells whether there is another page.
    let wanted = filter.limit.saturating_add(1);
    let mut rows = Vec::new();
    if filter.states.is_empty() {
        rows = newest(database, filter, filter.after.as_deref(), wanted)?;
    }
    for state in State::ALL.into_iter().filter(|state| filter.states.contains(state)) {
        let statement = if state == State::Decided { OF_DECIDED } else { OF_STATE };
        for status in state.statuses() {
            let [after, updated_before] = bounds(filter, filter.after.as_deref());
            let words = [status.as_str().into(), state.as_str().into()];
            let values = [[after, updated_before].to_vec(), vec![i64::from(wanted).into()], words.to_vec()];
            rows.extend(database.query(statement, &values.concat())?);
        }
        if state == State::Unreadable {
            rows.extend(unreadable(database, filter, wanted)?);
        }
    }
    let mut read: Vec<_> = rows.iter().map(read_row).collect();
    read.sort_by(|one, other| name(other).cmp(name(one)));
    // A row that was selected by its status and cannot be read is in both lists.
    read.dedup_by(|one, other| name(one) == name(other));
    let has_more = read.len() > limit;
    read.truncate(limit);
    let next = read.last().filter(|_| has_more).map(|row| name(row).to_owned());
    let mut page = Page { next, ..Page::default() };
    for row in read {
        match row {
            Ok(listed) => page.executions.push(listed),
            Err(unreadable) => page.unreadable.push(unreadable),
        }
    }
    Ok(page)
}

fn newest(
    database: &mut dyn Database,
    filter: &Filter,
    after: Option<&str>,
    limit: u32,
) -> Result<Vec<Row>, DatabaseError> {
    let [after, updated_before] = bounds(filter, after);
    database.query(OF_ANY_STATE, &[after, updated_before, i64::from(limit).into()])
}

/// Reads all rows to find the unreadable ones, which no database can select.
fn unreadable(database: &mut dyn Database, filter: &Filter, limit: u32) -> Result<Vec<Row>, DatabaseError> {
    let mut found = Vec::new();
    let mut after = filter.after.clone();
    loop {
        let rows = newest(database, filter, after.as_deref(), CHUNK)?;
        let last = rows.last().map(|row| name(&read_row(row)).to_owned());
        found.extend(rows.into_iter().filter(|row| read_row(row).is_err()));
        // An altered ID may sort differently. A cursor that does not advance ends the list.
        let is_further = last.is_some() && (after.is_none() || last < after);
        if found.len() >= limit as usize || !is_further {
            found.truncate(limit as usize);
            return Ok(found);
        }
        after = last;
    }
}

fn bounds<'f>(filter: &'f Filter, after: Option<&'f str>) -> [crate::database::Value<'f>; 2] {
    // An upper bound of all ids, which are ASCII.
    let after = after.unwrap_or("\u{10FFFF}");
    let updated_before = filter.updated_before.map_or(i64::MAX, |moment| signed(moment.0));
    [after.into(), updated_before.into()]
}

fn read_row(row: &Row) -> Result<Listed, Unreadable> {
    let written = row.text(0).unwrap_or_default();
    let listed = || -> Result<Listed, OperationError> {
        let id: ExecutionId = written.parse().map_err(|_| {
            let message = "its ID is not that of an execution; only SQL can remove the row";
            Error::broken("a row was altered", message)
        })?;
        let head = read_head(&id, row.text(2)?, row.text(3)?)?;
        let is_held = row.integer(4)? > 0 && !head.status.is_over();
        let messages = u32::try_from(row.count(5)?).unwrap_or(u32::MAX).min(Listed::MOST_MESSAGES);
        Ok(Listed { created: Timestamp(row.count(1)?), id, head, is_held, messages })
    };
    listed().map_err(|error| {
        let reason = match error {
            OperationError::Refused(error) => error.message().to_owned(),
            OperationError::Broken(error) => error.message,
        };
        Unreadable { id: written.to_owned(), reason }
    })
}

fn name(row: &Result<Listed, Unreadable>) -> &str {
    match row {
        Ok(listed) => listed.id.as_str(),
        Err(unreadable) => &unreadable.id,
    }
}
