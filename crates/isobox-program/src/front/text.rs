//! The source text of a file, the code inside it, and the positions that errors report.

use super::{Fault, FaultPlace};

/// A position in the source text. Lines and columns count from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) line: u32,
    pub(super) column: u32,
}

/// The code of one file: a run of whole lines of the source text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text<'source> {
    /// The path of the file.
    pub(super) path: &'source str,
    /// The whole source text, without a byte order mark.
    pub(super) whole: &'source str,
    /// The byte offset in `whole` at which the code starts; always the start of a line.
    pub(super) start: usize,
    /// The code, without a fence around it.
    pub(super) code: &'source str,
    /// The line of `whole` on which the code starts.
    pub(super) first_line: u32,
}

impl<'source> Text<'source> {
    /// Creates a syntax fault at a byte offset of the code.
    pub(super) fn error(&self, offset: usize, message: impl Into<String>) -> Fault {
        syntax_error(self.path, self.whole, self.start + offset.min(self.code.len()), message)
    }
}

/// Creates a syntax fault at a byte offset of a text, with an excerpt of the line.
pub(super) fn syntax_error(path: &str, text: &str, offset: usize, message: impl Into<String>) -> Fault {
    let Position { line, column } = position(text, offset);
    let source = excerpt(line_around(text, offset), column);
    Fault::syntax(message).at(FaultPlace { file: path.to_owned(), line, column, source })
}

/// Returns the position of a byte offset. Lines end with LF, CR or CRLF.
pub(super) fn position(text: &str, offset: usize) -> Position {
    let offset = floor_boundary(text, offset);
    let before = &text.as_bytes()[..offset];
    let mut line = 1;
    let mut line_start = 0;
    for (index, byte) in before.iter().enumerate() {
        let ends_line = match byte {
            b'\n' => true,
            b'\r' => text.as_bytes().get(index + 1) != Some(&b'\n'),
            _ => false,
        };
        if ends_line {
            line += 1;
            line_start = index + 1;
        }
    }
    Position { line, column: count(text[line_start..offset].chars().count()) + 1 }
}

/// The lines of a text, for many positions.
#[derive(Debug)]
pub(super) struct Lines<'source> {
    text: &'source str,
    /// The byte offsets at which the lines start.
    starts: Vec<usize>,
}

impl<'source> Lines<'source> {
    pub(super) fn of(text: &'source str) -> Self {
        const LANES: u64 = u64::from_le_bytes([1; 8]);
        const HIGH: u64 = LANES * 128;
        /// The usual length of a line. It decides how much is reserved.
        const LINE: usize = 24;
        let bytes = text.as_bytes();
        let mut starts = Vec::with_capacity(1 + text.len() / LINE);
        starts.push(0);
        let mut note = |index: usize| {
            if bytes[index] == b'\n' || bytes[index] == b'\r' && bytes.get(index + 1) != Some(&b'\n') {
                starts.push(index + 1);
            }
        };
        let (chunks, rest) = bytes.as_chunks::<8>();
        for (number, chunk) in chunks.iter().enumerate() {
            // The high bit of every byte below 14. They are found for all eight bytes at once.
            let word = u64::from_le_bytes(*chunk);
            let mut low = !(((word & !HIGH) + LANES * (128 - 14)) | word) & HIGH;
            while low != 0 {
                note(number * 8 + low.trailing_zeros() as usize / 8);
                low &= low - 1;
            }
        }
        (chunks.len() * 8..bytes.len()).take(rest.len()).for_each(note);
        Self { text, starts }
    }

    /// Returns the position of a byte offset, as [`position`] does.
    pub(super) fn position(&self, offset: usize) -> Position {
        let offset = floor_boundary(self.text, offset);
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts[line.saturating_sub(1)];
        Position { line: count(line), column: count(self.text[start..offset].chars().count()) + 1 }
    }
}

/// Returns the byte offset of a position: the inverse of [`position`]. A column behind the end of its line means that end.
pub(super) fn offset(text: &str, place: Position) -> usize {
    let mut start = 0;
    for _ in 1..place.line {
        let Some(end) = text[start..].find(['\n', '\r']) else { return text.len() };
        start += end + if text[start + end..].starts_with("\r\n") { 2 } else { 1 };
    }
    let line = line_around(text, start);
    start + line.char_indices().nth(place.column.saturating_sub(1) as usize).map_or(line.len(), |(index, _)| index)
}

/// Converts a size into a number of lines or columns. Sources have far fewer than four billion characters.
pub(super) fn count(size: usize) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}

fn floor_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// Returns the line that contains an offset, without its line break.
pub(super) fn line_around(text: &str, offset: usize) -> &str {
    let offset = floor_boundary(text, offset);
    let start = text[..offset].rfind(['\n', '\r']).map_or(0, |index| index + 1);
    let end = text[offset..].find(['\n', '\r']).map_or(text.len(), |index| offset + index);
    &text[start..end]
}

const EXCERPT_LENGTH: usize = 200;

/// Returns at most 200 characters of a line, around a column.
fn excerpt(line: &str, column: u32) -> String {
    let length = line.chars().count();
    if length <= EXCERPT_LENGTH {
        return line.to_owned();
    }
    let start = (column as usize).saturating_sub(EXCERPT_LENGTH / 2).min(length - EXCERPT_LENGTH);
    line.chars().skip(start).take(EXCERPT_LENGTH).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_end_counts_once_and_columns_count_characters() {
        let text = "a\nb\r\nc\rdé\u{2028}x";
        let at = |needle: &str| {
            let Position { line, column } = position(text, text.find(needle).unwrap());
            (line, column)
        };
        assert_eq!(at("a"), (1, 1));
        assert_eq!(at("b"), (2, 1));
        assert_eq!(at("c"), (3, 1));
        assert_eq!(at("é"), (4, 2));
        assert_eq!(at("x"), (4, 4));
        for (index, _) in text.char_indices().filter(|(_, character)| !matches!(character, '\n' | '\r')) {
            assert_eq!(offset(text, position(text, index)), index);
        }
        let lines = Lines::of(text);
        for index in 0..=text.len() + 1 {
            assert_eq!(lines.position(index), position(text, index));
        }
        assert_eq!(offset(text, Position { line: 2, column: 9 }), text.find("\r\n").unwrap());
        assert_eq!(offset(text, Position { line: 9, column: 1 }), text.len());
    }

    #[test]
    fn long_lines_are_cut_around_the_column() {
        let line = format!("{}X{}", "a".repeat(500), "b".repeat(500));
        let cut = excerpt(&line, 501);
        assert_eq!(cut.chars().count(), 200);
        assert!(cut.contains('X'));
        assert_eq!(excerpt(&line, 1), "a".repeat(200));
    }
}
