//! Transcripts: one JSON document with everything that is recorded of an execution, to read, replay and fork it elsewhere.
//!
//! A transcript has no seal, so its content is not proven. It is replayed without tools, or forked: never resumed as the
//! execution that it describes.

mod effort;
mod reading;
mod redaction;

use serde::{Deserialize, Serialize};

use crate::durable::resumption::Inspected;
use crate::journal::{Beginning, Ending, Entry, JournalState};
use crate::policy::Policy;
use crate::program::{Kind, Prepared, without_literals};
use crate::report::outcome::Account;
use crate::store::Status;
use crate::{ByteSize, Clock, Code, Driver, ExecutionId, Failure, Outcome, Timestamp};

use effort::Effort;
use redaction::redacted_entries;

/// The first member of a transcript: the format and its version.
const FORMAT: &str = "transcript/1";

/// The whole record of an execution, without the seals of its store.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Transcript {
    /// The ID of the execution.
    pub execution_id: ExecutionId,
    /// The time of the export.
    pub exported: Timestamp,
    /// Whether values were redacted, and with them the literals of the program. Such a transcript can be read, but neither
    /// replayed nor forked.
    pub is_redacted: bool,
    /// The beginning of the journal.
    pub beginning: Beginning<'static>,
    /// All entries of the journal.
    pub entries: Vec<Entry>,
    /// The state after the entries.
    pub state: JournalState,
}

/// The treatment of secrets in a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Secrets {
    /// Values that the policy redacts are replaced wherever they occur, and so are answers of people to tools. If a rule
    /// redacts anything, the literals of the program are masked, and the transcript cannot be replayed.
    #[default]
    Hidden,
    /// All values are exported as they were recorded.
    Included,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Document<B, E> {
    isobox: String,
    execution_id: ExecutionId,
    exported: Timestamp,
    status: Status,
    revision: u64,
    /// The number of entries. A document that was cut off does not have them all.
    entry_count: usize,
    #[serde(skip_serializing_if = "is_false", default)]
    redacted: bool,
    beginning: B,
    entries: E,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}

impl Transcript {
    /// The maximum size of a transcript that is read.
    pub const MAX_SIZE: ByteSize = ByteSize::mib(64);

    /// Creates the transcript of an execution, with all its values.
    pub fn of(execution_id: ExecutionId, inspected: Inspected, exported: Timestamp) -> Self {
        let Inspected { mut beginning, entries, state, .. } = inspected;
        // The name of a process means nothing elsewhere.
        beginning.node = None;
        Self { execution_id, exported, is_redacted: false, beginning, entries, state }
    }

    /// Returns the transcript without the values that the policy redacts, and without the answers of people to tools.
    ///
    /// # Errors
    ///
    /// `INTERNAL` if a value cannot be written.
    pub async fn without_secrets(
        mut self,
        driver: &dyn Driver,
        clock: &dyn Clock,
        policy: &Policy,
    ) -> Result<Self, Failure> {
        self.entries = redacted_entries(&self.entries, policy)?;
        if policy.redacts() {
            self.is_redacted = true;
            let masked = without_literals(driver, clock, &self.beginning.program).await;
            self.beginning.program = std::borrow::Cow::Owned(masked);
            // The memory of the program may have any value.
            self.beginning.globals.iter_mut().for_each(|used| used.snapshot = None);
            // The prepared code and the warnings have the same literals.
            self.beginning.warnings = std::borrow::Cow::Borrowed(&[]);
            self.beginning.prepared = std::borrow::Cow::Owned(Prepared { kind: Kind::Script, files: Vec::new() });
        }
        self.state = fold(&self.entries)?;
        Ok(self)
    }

    /// Returns the transcript as one JSON document.
    ///
    /// # Errors
    ///
    /// `INTERNAL` if a value cannot be written.
    pub fn to_json(&self) -> Result<String, Failure> {
        let unwritable = |error: serde_json::Error| {
            Failure::new(Code::Internal, format!("the transcript cannot be written: {error}"))
        };
        let mut beginning = serde_json::to_value(&self.beginning).map_err(unwritable)?;
        beginning["seed"] = self.beginning.seed.to_string().into();
        let document = Document {
            isobox: FORMAT.to_owned(),
            execution_id: self.execution_id.clone(),
            exported: self.exported,
            status: self.status(),
            revision: self.state.revision,
            entry_count: self.entries.len(),
            redacted: self.is_redacted,
            beginning,
            entries: &self.entries,
        };
        serde_json::to_string(&document).map_err(unwritable)
    }

    /// Reads a transcript. Its content is checked for consistency, which proves nothing about its origin.
    ///
    /// # Errors
    ///
    /// `INPUT_TOO_LARGE` above [`Transcript::MAX_SIZE`] or with too many values, `SERIALIZATION` if the text is not a
    /// transcript, is incomplete, or contradicts itself.
    pub fn read(text: &[u8]) -> Result<Self, Failure> {
        reading::survey(text)?;
        let Document { isobox: _, execution_id, exported, status, revision, entry_count, redacted, beginning, entries } =
            reading::document(text)?;
        let state = fold(&entries)?;
        let transcript = Self { execution_id, exported, is_redacted: redacted, beginning, entries, state };
        if transcript.entries.len() != entry_count {
            return Err(reading::invalid(format!("it has {} of {entry_count} entries", transcript.entries.len())));
        }
        if transcript.status() != status || transcript.state.revision != revision {
            return Err(reading::invalid("its status does not follow from its entries"));
        }
        Ok(transcript)
    }

    /// Returns the status that follows from the entries.
    pub fn status(&self) -> Status {
        self.state.status(self.entries.last())
    }

    /// Returns the recorded outcome. None if the execution has not ended.
    pub fn outcome(&self) -> Option<Outcome> {
        let over = self.state.ended.as_ref()?;
        if let Ending::RolledBack(stopped) = &over.how {
            return Outcome::of_rollback(&self.execution_id, &self.state, stopped.as_deref().cloned());
        }
        let (how, account) = (over.how.clone(), Account::of(&self.state));
        Some(Outcome::ended(self.execution_id.clone(), how, over.hints.clone(), account, over.duration))
    }

    /// Returns the entries of the program, without those of a rollback.
    pub(crate) fn of_program(&self) -> &[Entry] {
        let end = self.entries.iter().position(|entry| matches!(entry, Entry::Rollback(_)));
        &self.entries[..end.unwrap_or(self.entries.len())]
    }

    /// Returns `CONFIG` if the transcript has no program to run.
    pub(crate) fn check_complete(&self) -> Result<(), Failure> {
        if self.is_redacted {
            let message = "values of this transcript were redacted, and so was its program: it can only be read";
            return Err(Failure::new(Code::Config, message)
                .hint("export it again with its secrets (`isobox executions export ID --with-secrets`) to replay it"));
        }
        Ok(())
    }
}

/// Returns the state after entries. They are `SERIALIZATION` if they cannot follow each other.
pub(crate) fn fold(entries: &[Entry]) -> Result<JournalState, Failure> {
    let (mut state, mut effort) = (JournalState::default(), Effort::default());
    for (number, entry) in entries.iter().enumerate() {
        effort.add(&state, entry)?;
        if state.apply(entry.clone()).is_err() {
            return Err(reading::invalid(format!("entry {number} cannot follow the entries before it")));
        }
    }
    Ok(state)
}

#[cfg(test)]
mod tests;
