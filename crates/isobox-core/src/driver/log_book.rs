//! The log of one execution, bounded in bytes.

use serde::{Deserialize, Serialize};

use crate::text::lossy_text;
use crate::{ByteSize, Code, Level, Log};

/// Collects the log lines of a program. Once it is full it says so, and drops the rest.
#[derive(Debug)]
pub struct LogBook {
    limit: ByteSize,
    used: LogUse,
    lines: Vec<Log>,
}

/// The used part of a log, including lines that were already taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LogUse {
    /// The bytes that count towards the limit.
    pub bytes: usize,
    /// Whether the log has reported that it is full.
    pub is_full: bool,
}

impl LogUse {
    /// Tells whether nothing was used.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// The used parts of the log and of the facts of a program. A program and its snippets share them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BookUse {
    /// The used part of the log.
    pub logs: LogUse,
    /// The used part of the facts.
    pub facts: LogUse,
}

/// The bytes that a line counts beside its text, so that empty lines are bounded too.
pub const LINE_OVERHEAD: usize = 16;

/// The maximum length of a line in bytes. Longer ones are cut.
pub const MAX_LINE: usize = 64 << 10;

impl LogBook {
    /// Creates an empty log.
    pub fn new(limit: ByteSize) -> Self {
        Self::resumed(limit, LogUse::default())
    }

    /// Creates a log that continues an earlier one.
    pub fn resumed(limit: ByteSize, used: LogUse) -> Self {
        Self { limit, used, lines: Vec::new() }
    }

    /// Returns the used part.
    pub fn usage(&self) -> LogUse {
        self.used
    }

    /// Continues with what others that share the log have used.
    pub(crate) fn set_usage(&mut self, used: LogUse) {
        self.used = used;
    }

    /// Adds a line. Replaces bytes that are not UTF-8.
    pub fn add(&mut self, level: Level, text: &[u8]) {
        if self.used.is_full {
            return;
        }
        let is_inside_a_character = |at: usize| text.get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
        let mut end = text.len().min(MAX_LINE);
        while end > 0 && end + 3 > MAX_LINE && is_inside_a_character(end) {
            end -= 1;
        }
        let mut message = lossy_text(&text[..end]);
        if end < text.len() {
            message.push('…');
        }
        let size = message.len() + LINE_OVERHEAD;
        if !self.limit.holds(self.used.bytes + size) {
            self.used.is_full = true;
            let message = format!("{}: the log is full ({}); what follows is dropped", Code::LogLimit, self.limit);
            self.warn(message);
            return;
        }
        self.used.bytes += size;
        self.lines.push(Log { level, message });
    }

    /// Adds a line of the host, which does not count.
    pub fn warn(&mut self, message: String) {
        self.lines.push(Log { level: Level::Warn, message });
    }

    /// Takes the new lines.
    pub fn take(&mut self) -> Vec<Log> {
        std::mem::take(&mut self.lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_log_says_so_once_and_drops_the_rest() {
        let mut book = LogBook::new(ByteSize::bytes(2 * (LINE_OVERHEAD as u64 + 3)));
        for text in ["one", "two", "six", "ten"] {
            book.add(Level::Log, text.as_bytes());
        }
        let lines = book.take();
        assert_eq!(lines.len(), 3);
        assert_eq!((lines[1].message.as_str(), lines[2].level), ("two", Level::Warn));
        assert!(lines[2].message.starts_with("LOG_LIMIT: "), "{}", lines[2].message);
    }

    #[test]
    fn a_log_that_goes_on_has_what_was_left() {
        let limit = ByteSize::bytes(2 * (LINE_OVERHEAD as u64 + 3));
        let mut first = LogBook::new(limit);
        first.add(Level::Log, b"one");
        let mut second = LogBook::resumed(limit, first.usage());
        for text in ["two", "six"] {
            second.add(Level::Log, text.as_bytes());
        }
        assert_eq!(second.take().len(), 2, "the second line and the warning");
        let mut third = LogBook::resumed(limit, second.usage());
        third.add(Level::Log, b"");
        assert_eq!(third.take(), []);
    }

    #[test]
    fn a_long_line_is_cut() {
        let mut book = LogBook::new(ByteSize::mib(1));
        book.add(Level::Log, &vec![b'x'; MAX_LINE + 1]);
        assert_eq!(book.take()[0].message.len(), MAX_LINE + "…".len());
    }
}
