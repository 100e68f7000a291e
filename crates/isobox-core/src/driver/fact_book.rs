//! The facts of one execution, bounded in bytes.

use super::log_book::{LINE_OVERHEAD, LogUse};
use crate::json::parse_json;
use crate::text::lossy_text;
use crate::{ByteSize, Code, Fact};

/// Collects the facts of a program. Facts that replace earlier ones count too, because the journal has all of them.
#[derive(Debug)]
pub(crate) struct FactBook {
    limit: ByteSize,
    used: LogUse,
    facts: Vec<Fact>,
}

/// The treatment of a fact.
pub(crate) enum Noted {
    /// The fact is recorded, or dropped because the book has reported that it is full.
    Quietly,
    /// The book is full. The rest is dropped; the log gets this warning.
    Full(String),
    /// The value is not JSON, for this reason.
    NotJson(String),
}

impl FactBook {
    /// Creates a book that continues an earlier one.
    pub(crate) fn resumed(limit: ByteSize, used: LogUse) -> Self {
        Self { limit, used, facts: Vec::new() }
    }

    /// Returns the used part.
    pub(crate) fn usage(&self) -> LogUse {
        self.used
    }

    /// Continues with what others that share the book have used.
    pub(crate) fn set_usage(&mut self, used: LogUse) {
        self.used = used;
    }

    /// Adds a fact. Replaces bytes of its name that are not UTF-8.
    pub(crate) fn add(&mut self, name: &[u8], json: &[u8]) -> Noted {
        if self.used.is_full {
            return Noted::Quietly;
        }
        let size = name.len().saturating_add(json.len()).saturating_add(LINE_OVERHEAD);
        if !self.limit.holds(self.used.bytes.saturating_add(size)) {
            self.used.is_full = true;
            let limit = self.limit;
            let message = format!("{}: the facts are full ({limit}); what follows is dropped", Code::LogLimit);
            return Noted::Full(message);
        }
        match parse_json(json) {
            Ok(value) => {
                self.used.bytes += size;
                self.facts.push(Fact { name: lossy_text(name), value });
                Noted::Quietly
            }
            Err(error) => Noted::NotJson(error.to_string()),
        }
    }

    /// Takes the new facts.
    pub(crate) fn take(&mut self) -> Vec<Fact> {
        std::mem::take(&mut self.facts)
    }
}
