//! The operations of a store, in SQL. Each function is one part of a transaction, and refuses before it has written
//! anything.

use std::time::Duration;

use isobox_core::journal::{Batch, Seal};
use isobox_core::store::{
    Append, Change, Checkpoint, Claim, Error, ExpectedState, Head, Holding, Lease, Message, NewExecution, Node, Part,
    Release, Status, Stored, USED_ONCE,
};
use isobox_core::{ExecutionId, Timestamp};

use crate::database::{Database, DatabaseError, ErrorKind, Row, Value};

/// The position of the beginning of an execution.
const BEGINNING: i64 = -1;

/// The reason why an operation was not carried out.
#[derive(Debug)]
pub(crate) enum OperationError {
    /// The operation was refused, and nothing was written: the transaction can continue.
    Refused(Error),
    /// The transaction cannot continue.
    Broken(DatabaseError),
}

impl From<DatabaseError> for OperationError {
    fn from(error: DatabaseError) -> Self {
        Self::Broken(error)
    }
}

impl From<Error> for OperationError {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

type Done<T> = Result<T, OperationError>;

fn create(database: &mut dyn Database, lease: &Lease, new: &NewExecution) -> Done<()> {
    let added = database.execute(
        "INSERT INTO isobox_executions (id, created, updated, status, head, node, epoch, length, due) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, ?8) ON CONFLICT (id) DO NOTHING",
        &[
            lease.execution.as_str().into(),
            signed(new.created.0).into(),
            signed(new.head.updated.0).into(),
            new.head.status.as_str().into(),
            written(&new.head)?.as_str().into(),
            (&*lease.node.0).into(),
            signed(lease.epoch).into(),
            due_of(&new.head),
        ],
    )?;
    if added == 0 {
        return Err(Error::already_exists(&lease.execution).into());
    }
    insert_batch(database, &lease.execution, BEGINNING, &new.beginning)
}

pub(crate) fn write(database: &mut dyn Database, change: &Change) -> Done<Holding> {
    let Change { lease, create: new, append, checkpoint, release } = change;
    let length = match (new, append) {
        (Some(_), _) => 0,
        // Compared with the length of the journal when the batch is appended.
        (None, Some(append)) => append.position,
        (None, None) => u64::try_from(hold(database, lease)?.length).unwrap_or(0),
    };
    if !change.fits(length) {
        return Err(Error::lease_lost(&lease.execution).into());
    }
    if let Some(new) = new {
        create(database, lease, new)?;
    }
    if let Some(append) = append {
        add_batch(database, lease, append)?;
    }
    if let Some(checkpoint) = checkpoint {
        keep_checkpoint(database, &lease.execution, checkpoint)?;
    }
    if change.concerns_others() {
        database.tell_after_commit(&lease.execution);
    }
    match release {
        None => Ok(Holding::Held),
        Some(Release::IfNothingWasSaid) if has_messages(database, lease)? => Ok(Holding::HasMessages),
        Some(Release::IfNothingWasSaid | Release::Anyhow) => {
            let free = "UPDATE isobox_executions SET node = NULL WHERE id = ?1";
            database.execute(free, &[lease.execution.as_str().into()])?;
            Ok(Holding::Free)
        }
    }
}

fn add_batch(database: &mut dyn Database, lease: &Lease, append: &Append) -> Done<()> {
    let Append { position, batch, head, heard } = append;
    let changed = database.execute(
        "UPDATE isobox_executions SET updated = ?1, status = ?2, head = ?3, length = length + 1, due = ?8 \
         WHERE id = ?4 AND node = ?5 AND epoch = ?6 AND length = ?7",
        &[
            signed(head.updated.0).into(),
            head.status.as_str().into(),
            written(head)?.as_str().into(),
            lease.execution.as_str().into(),
            (&*lease.node.0).into(),
            signed(lease.epoch).into(),
            signed(*position).into(),
            due_of(head),
        ],
    )?;
    if changed == 0 {
        lock(database, &lease.execution)?;
        return Err(Error::lease_lost(&lease.execution).into());
    }
    for key in heard {
        database.execute(
            "DELETE FROM isobox_inbox WHERE execution = ?1 AND key = ?2",
            &[lease.execution.as_str().into(), key.as_bytes().into()],
        )?;
    }
    insert_batch(database, &lease.execution, signed(*position), batch)
}

fn keep_checkpoint(database: &mut dyn Database, id: &ExecutionId, checkpoint: &Checkpoint) -> Done<()> {
    database.execute(
        "INSERT INTO isobox_checkpoints (execution, position, seal, bytes) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT (execution) DO UPDATE SET position = excluded.position, seal = excluded.seal, bytes = excluded.bytes",
        &[
            id.as_str().into(),
            signed(checkpoint.position).into(),
            checkpoint.seal.as_slice().into(),
            checkpoint.bytes.as_slice().into(),
        ],
    )?;
    Ok(())
}

fn has_messages(database: &mut dyn Database, lease: &Lease) -> Done<bool> {
    // A separate query: posting locks the execution too, so no message arrives in between.
    let messages = database
        .query("SELECT number FROM isobox_inbox WHERE execution = ?1 LIMIT 1", &[lease.execution.as_str().into()])?;
    Ok(!messages.is_empty())
}

pub(crate) fn acquire(database: &mut dyn Database, id: &ExecutionId, node: &Node, claim: Claim) -> Done<Lease> {
    let locked = lock(database, id)?;
    let head = locked.head(id)?;
    claim.check(id, head.status)?;
    if claim == Claim::Unfinished
        && locked.node.as_deref() != Some(&*node.0)
        && is_alive(database, locked.node.as_deref())?
    {
        return Err(Error::held_elsewhere(id).into());
    }
    let epoch = u64::try_from(locked.epoch).map_err(|_| altered(id, "the epoch of its lease is negative"))? + 1;
    database.execute(
        "UPDATE isobox_executions SET node = ?1, epoch = ?2 WHERE id = ?3",
        &[(&*node.0).into(), signed(epoch).into(), id.as_str().into()],
    )?;
    Ok(Lease { execution: id.clone(), node: node.clone(), epoch })
}

pub(crate) fn keep_alive(database: &mut dyn Database, node: &Node, time: Duration) -> Done<()> {
    database.execute(
        "INSERT INTO isobox_nodes (id, expires) VALUES (?1, {now} + ?2) \
         ON CONFLICT (id) DO UPDATE SET expires = excluded.expires",
        &[(&*node.0).into(), i64::try_from(time.as_millis()).unwrap_or(i64::MAX / 2).into()],
    )?;
    // Names are never used again. After a day no process writes to the row any more.
    database.execute("DELETE FROM isobox_nodes WHERE expires < {now} - 86400000", &[])?;
    Ok(())
}

pub(crate) fn renew(database: &mut dyn Database, lease: &Lease, time: Duration) -> Done<()> {
    hold(database, lease)?;
    keep_alive(database, &lease.node, time)
}

pub(crate) fn post(
    database: &mut dyn Database,
    id: &ExecutionId,
    messages: &[Message],
    state: &ExpectedState,
) -> Done<()> {
    let head = lock(database, id)?.head(id)?;
    if head.status.is_over() {
        return Err(Error::over(id, head.status).into());
    }
    if !state.fits(&head) {
        return Err(Error::changed(id).into());
    }
    // The execution is locked, so no other message is added before these.
    let mut is_said = Message::collide(messages, []);
    for message in messages {
        is_said = is_said || is_taken(database, id, &message.key)?;
    }
    if is_said {
        return Err(Error::already_decided(id).into());
    }
    let (count, bytes) = inbox_size(database, id)?;
    if !Message::fit(messages, count, bytes) {
        return Err(Error::inbox_full(id).into());
    }
    for message in messages {
        database.execute(
            "INSERT INTO isobox_inbox (execution, key, bytes) VALUES (?1, ?2, ?3)",
            &[id.as_str().into(), message.key.as_bytes().into(), message.bytes.as_slice().into()],
        )?;
    }
    database.tell_after_commit(id);
    Ok(())
}

fn is_taken(database: &mut dyn Database, id: &ExecutionId, key: &str) -> Done<bool> {
    let found = database.query(
        "SELECT number FROM isobox_inbox WHERE execution = ?1 AND key = ?2",
        &[id.as_str().into(), key.as_bytes().into()],
    )?;
    Ok(!found.is_empty())
}

fn inbox_size(database: &mut dyn Database, id: &ExecutionId) -> Done<(usize, usize)> {
    let sizes = database.query(
        "SELECT COUNT(*), CAST(COALESCE(SUM(LENGTH(bytes)), 0) AS BIGINT) FROM isobox_inbox WHERE execution = ?1",
        &[id.as_str().into()],
    )?;
    let row = sizes.first().ok_or_else(|| DatabaseError::new(ErrorKind::Statement, "a count has no row"))?;
    let bounded = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
    Ok((bounded(row.count(0)?), bounded(row.count(1)?)))
}

pub(crate) fn delete(database: &mut dyn Database, id: &ExecutionId, state: &ExpectedState) -> Done<()> {
    let locked = lock(database, id)?;
    // An altered execution can still be deleted: its head is read only if it matters.
    let is_over = locked.status.parse::<Status>().is_ok_and(Status::is_over);
    if !is_over && is_alive(database, locked.node.as_deref())? {
        return Err(Error::held_elsewhere(id).into());
    }
    match state {
        ExpectedState::Anyhow => {}
        ExpectedState::Unchanged(_) | ExpectedState::AtRevision(_) if state.fits(&locked.head(id)?) => {}
        ExpectedState::Unchanged(_) | ExpectedState::AtRevision(_) => return Err(Error::changed(id).into()),
    }
    database.wipe_after_commit();
    database.tell_after_commit(id);
    database.execute("DELETE FROM isobox_executions WHERE id = ?1", &[id.as_str().into()])?;
    Ok(())
}

pub(crate) fn remember(database: &mut dyn Database, session: &str, about: &str, decision: &[u8]) -> Done<()> {
    database.execute(
        "INSERT INTO isobox_remembered (session, about, decision) VALUES (?1, ?2, ?3) \
         ON CONFLICT (session, about) DO UPDATE SET decision = excluded.decision",
        &[session.as_bytes().into(), about.as_bytes().into(), decision.into()],
    )?;
    Ok(())
}

pub(crate) fn use_once(database: &mut dyn Database, key: &str, now: Timestamp, until: Timestamp) -> Done<bool> {
    // Forgetting looks at everything that was used. Keys are random digits, so that one use in 256 has it done.
    if key.ends_with("00") {
        // Times of eight bytes are ordered as numbers are.
        database.execute(
            "DELETE FROM isobox_remembered WHERE session = ?1 AND decision <= ?2",
            &[USED_ONCE.as_bytes().into(), now.0.to_be_bytes().as_slice().into()],
        )?;
    }
    let added = database.execute(
        "INSERT INTO isobox_remembered (session, about, decision) VALUES (?1, ?2, ?3) \
         ON CONFLICT (session, about) DO NOTHING",
        &[USED_ONCE.as_bytes().into(), key.as_bytes().into(), until.0.to_be_bytes().as_slice().into()],
    )?;
    Ok(added > 0)
}

pub(crate) fn recall(database: &mut dyn Database, session: &str, about: &str) -> Done<Option<Vec<u8>>> {
    let mut rows = database.query(
        "SELECT decision FROM isobox_remembered WHERE session = ?1 AND about = ?2",
        &[session.as_bytes().into(), about.as_bytes().into()],
    )?;
    Ok(rows.first_mut().map(|row| row.bytes(0)).transpose()?)
}

pub(crate) fn inbox(database: &mut dyn Database, id: &ExecutionId) -> Done<Vec<Message>> {
    let found = database.query("SELECT length FROM isobox_executions WHERE id = ?1", &[id.as_str().into()])?;
    if found.is_empty() {
        return Err(Error::not_found(id).into());
    }
    messages(database, id)
}

fn messages(database: &mut dyn Database, id: &ExecutionId) -> Done<Vec<Message>> {
    // More rows than `post` allows were not written by Isobox. The holder removes the ones that it reads, then reads
    // the next.
    let rows = database.query(
        "SELECT key, bytes FROM isobox_inbox WHERE execution = ?1 ORDER BY number LIMIT ?2",
        &[id.as_str().into(), signed(Message::MOST as u64).into()],
    )?;
    rows.into_iter()
        .map(|mut row| {
            let key =
                String::from_utf8(row.bytes(0)?).map_err(|_| altered(id, "the key of a message is not a text"))?;
            Ok(Message { key, bytes: row.bytes(1)? })
        })
        .collect()
}

pub(crate) fn load(database: &mut dyn Database, id: &ExecutionId, part: Part) -> Done<Stored> {
    let found = database.query(
        "SELECT status, head, length, \
         (SELECT COUNT(*) FROM isobox_nodes WHERE isobox_nodes.id = isobox_executions.node AND expires > {now}) \
         FROM isobox_executions WHERE id = ?1",
        &[id.as_str().into()],
    )?;
    let row = found.first().ok_or_else(|| Error::not_found(id))?;
    let head = read_head(id, row.text(0)?, row.text(1)?)?;
    let length = row.count(2)?;
    let is_held = row.integer(3)? > 0 && !head.status.is_over();
    let checkpoint = match part {
        Part::Whole => None,
        Part::SinceCheckpoint => load_checkpoint(database, id, length)?,
    };
    let skipped = checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.position);
    let rows = database.query(
        "SELECT position, seal, bytes FROM isobox_batches \
         WHERE execution = ?1 AND (position = -1 OR position >= ?2) ORDER BY position",
        &[id.as_str().into(), signed(skipped).into()],
    )?;
    let expected = std::iter::once(BEGINNING).chain(signed(skipped)..signed(length));
    if !rows.iter().map(|row| row.integer(0)).eq(expected.map(Ok)) {
        return Err(altered(id, &format!("its journal should have {length} batches, and some are missing")).into());
    }
    let mut batches = rows.into_iter().map(|mut row| read_batch(id, &mut row));
    let beginning = batches.next().ok_or_else(|| altered(id, "its beginning is missing"))??;
    let batches = batches.collect::<Done<_>>()?;
    Ok(Stored { beginning, head, checkpoint, batches, inbox: messages(database, id)?, is_held })
}

/// Loads the checkpoint. One that was altered, or that covers missing batches, is ignored: the journal is
/// authoritative.
fn load_checkpoint(database: &mut dyn Database, id: &ExecutionId, length: u64) -> Done<Option<Checkpoint>> {
    let mut rows = database
        .query("SELECT position, seal, bytes FROM isobox_checkpoints WHERE execution = ?1", &[id.as_str().into()])?;
    let Some(row) = rows.first_mut() else { return Ok(None) };
    let (position, batch) = (row.count(0), read_batch(id, row));
    Ok(match (position, batch) {
        (Ok(position), Ok(Batch { seal, bytes })) if position <= length => {
            Some(Checkpoint { position, seal, bytes: bytes.into() })
        }
        _ => None,
    })
}

/// Returns the time of the database's own clock.
#[cfg(feature = "postgres")]
pub(crate) fn time(database: &mut dyn Database) -> Done<isobox_core::Timestamp> {
    let rows = database.query("SELECT {now}", &[])?;
    let row = rows.first().ok_or_else(|| DatabaseError::new(ErrorKind::Statement, "the time has no row"))?;
    Ok(isobox_core::Timestamp(row.count(0)?))
}

/// An execution that no other transaction changes until this one ends.
struct Locked {
    status: String,
    head: String,
    node: Option<String>,
    epoch: i64,
    length: i64,
}

impl Locked {
    fn head(&self, id: &ExecutionId) -> Done<Head> {
        read_head(id, &self.status, &self.head)
    }
}

fn lock(database: &mut dyn Database, id: &ExecutionId) -> Done<Locked> {
    let found = database.query(
        "SELECT status, head, node, epoch, length FROM isobox_executions WHERE id = ?1 {lock}",
        &[id.as_str().into()],
    )?;
    let row = found.first().ok_or_else(|| Error::not_found(id))?;
    Ok(Locked {
        status: row.text(0)?.to_owned(),
        head: row.text(1)?.to_owned(),
        node: row.optional_text(2)?.map(str::to_owned),
        epoch: row.integer(3)?,
        length: row.integer(4)?,
    })
}

/// Locks an execution if the lease is held.
fn hold(database: &mut dyn Database, lease: &Lease) -> Done<Locked> {
    let locked = lock(database, &lease.execution)?;
    if locked.node.as_deref() == Some(&lease.node.0) && locked.epoch == signed(lease.epoch) {
        Ok(locked)
    } else {
        Err(Error::lease_lost(&lease.execution).into())
    }
}

fn is_alive(database: &mut dyn Database, node: Option<&str>) -> Done<bool> {
    let Some(node) = node else { return Ok(false) };
    let alive = database.query("SELECT expires FROM isobox_nodes WHERE id = ?1 AND expires > {now}", &[node.into()])?;
    Ok(!alive.is_empty())
}

fn insert_batch(database: &mut dyn Database, id: &ExecutionId, position: i64, batch: &Batch) -> Done<()> {
    database.execute(
        "INSERT INTO isobox_batches (execution, position, seal, bytes) VALUES (?1, ?2, ?3, ?4)",
        &[id.as_str().into(), position.into(), batch.seal.as_slice().into(), batch.bytes.as_ref().into()],
    )?;
    Ok(())
}

/// Reads `seal, bytes` after a position.
fn read_batch(id: &ExecutionId, row: &mut Row) -> Done<Batch> {
    let seal = Seal::try_from(row.bytes(1)?).map_err(|_| altered(id, "a seal has the wrong length"))?;
    Ok(Batch { seal, bytes: row.bytes(2)?.into() })
}

pub(crate) fn read_head(id: &ExecutionId, status: &str, head: &str) -> Done<Head> {
    match serde_json::from_str::<Head>(head) {
        Ok(head) if head.status.as_str() == status => Ok(head),
        _ => Err(altered(id, "its head cannot be read").into()),
    }
}

fn written(head: &Head) -> Done<String> {
    Ok(serde_json::to_string(head)
        .map_err(|error| Error::broken("the head of an execution cannot be encoded", &error).caused_by(error))?)
}

fn altered(id: &ExecutionId, what: &str) -> Error {
    Error::broken(&format!("execution {id} was altered or damaged"), what)
        .hint("restore the store from a backup, or delete the execution")
}

fn due_of(head: &Head) -> Value<'static> {
    // Below the bound of filters without a time.
    head.due.map_or(Value::Nothing, |due| signed(due.0).min(i64::MAX - 1).into())
}

/// Converts a number, because databases have no unsigned ones. Times and counts never come near the limit.
pub(crate) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
