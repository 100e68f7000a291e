//! Applies edits to a text, and maps the resulting positions to those in the original.

use std::borrow::Cow;

use super::{
    Segment,
    text::{Position, count},
};

/// The replacement for a run of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fill {
    /// One space per character; line breaks stay.
    Blank,
    /// Like `Blank`, with a semicolon as the first character.
    Semicolon,
    /// The given text. The rest of the line moves unless the text has as many characters as the run.
    Text(Cow<'static, str>),
    /// The given text, mapped to line 0, because it has no position in the author's text.
    Wrapper(Cow<'static, str>),
}

/// One edit of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) fill: Fill,
}

impl Edit {
    pub(super) fn blank(start: usize, end: usize) -> Self {
        Self { start, end, fill: Fill::Blank }
    }

    pub(super) fn statement(start: usize, end: usize) -> Self {
        Self { start, end, fill: Fill::Semicolon }
    }

    pub(super) fn insert(at: usize, text: impl Into<Cow<'static, str>>) -> Self {
        Self { start: at, end: at, fill: Fill::Text(text.into()) }
    }

    pub(super) fn wrapper(at: usize, text: impl Into<Cow<'static, str>>) -> Self {
        Self { start: at, end: at, fill: Fill::Wrapper(text.into()) }
    }

    pub(super) fn replace(start: usize, end: usize, text: impl Into<Cow<'static, str>>) -> Self {
        Self { start, end, fill: Fill::Text(text.into()) }
    }
}

/// The lines around the text: one before and one after.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// The line before the text, without a line break. If empty, no line is added.
    pub(super) header: String,
    /// The text after the code, including the line break before it.
    pub(super) footer: String,
}

/// The edited text, the number of its first line, and the map of its positions.
#[derive(Debug)]
pub(super) struct Composed {
    pub(super) code: String,
    pub(super) first_line: i32,
    pub(super) segments: Vec<Segment>,
}

/// Applies `edits`, which must not overlap, and puts the frame around the result.
pub(super) fn compose(text: &str, mut edits: Vec<Edit>, frame: &Frame, first_line: u32) -> Composed {
    edits.sort_by_key(|edit| (edit.start, edit.end));
    let inserted: usize = edits.iter().filter(|edit| matches!(edit.fill, Fill::Text(_) | Fill::Wrapper(_))).count();
    let capacity = text.len() + frame.header.len() + frame.footer.len() + 1 + inserted * 16;
    let mut code = String::with_capacity(capacity);
    let mut number = i32::try_from(first_line).unwrap_or(i32::MAX);
    if !frame.header.is_empty() {
        code.push_str(&frame.header);
        code.push('\n');
        number -= 1;
    }
    let segments = if keeps_positions(text, &edits) {
        copy_in_place(&mut code, text, &edits);
        Vec::new()
    } else {
        let mut writer = Writer::new(&mut code, text, first_line);
        writer.write(&edits);
        writer.segments
    };
    code.push_str(&frame.footer);
    Composed { code, first_line: number, segments }
}

/// Checks whether every remaining character keeps its line and column, as the author and the engine count them.
///
/// A text with CR does not: the engine counts a lone CR inconsistently. Neither does a replacement by a line feed (see
/// `separate_lines`).
fn keeps_positions(text: &str, edits: &[Edit]) -> bool {
    edits.iter().all(|edit| match &edit.fill {
        Fill::Blank | Fill::Semicolon => true,
        Fill::Text(fill) => fill != "\n" && fill.chars().count() == text[edit.start..edit.end].chars().count(),
        Fill::Wrapper(_) => false,
    }) && !text.contains('\r')
}

fn copy_in_place(code: &mut String, text: &str, edits: &[Edit]) {
    let mut done = 0;
    for edit in edits {
        debug_assert!(done <= edit.start, "edits overlap at {}: {edits:?}", edit.start);
        if edit.start < done {
            continue;
        }
        code.push_str(&text[done..edit.start]);
        fill(code, &text[edit.start..edit.end], &edit.fill);
        done = edit.end;
    }
    code.push_str(&text[done..]);
}

fn fill(code: &mut String, run: &str, fill: &Fill) {
    match fill {
        Fill::Blank => blank(code, run),
        Fill::Semicolon => {
            let mut rest = run.chars();
            rest.next();
            code.push(';');
            blank(code, rest.as_str());
        }
        Fill::Text(text) | Fill::Wrapper(text) => code.push_str(text),
    }
}

fn blank(code: &mut String, run: &str) {
    if run.is_ascii() && !run.contains(['\n', '\r']) {
        code.extend(std::iter::repeat_n(' ', run.len()));
    } else {
        code.extend(run.chars().map(|character| if matches!(character, '\n' | '\r') { character } else { ' ' }));
    }
}

/// Writes the edited text, and adds a segment wherever the origin of a character does not follow from its position.
struct Writer<'a> {
    code: &'a mut String,
    text: &'a str,
    has_returns: bool,
    /// The position at which the next character is written.
    here: Position,
    /// The position of the next character in the original text.
    origin: Position,
    /// The last segment on the current line.
    segment: Option<Segment>,
    segments: Vec<Segment>,
}

impl<'a> Writer<'a> {
    fn new(code: &'a mut String, text: &'a str, first_line: u32) -> Self {
        Self {
            code,
            text,
            has_returns: text.contains('\r'),
            here: Position { line: first_line, column: 1 },
            origin: Position { line: first_line, column: 1 },
            segment: None,
            segments: Vec::new(),
        }
    }

    fn write(&mut self, edits: &[Edit]) {
        let mut done = 0;
        for edit in edits {
            debug_assert!(done <= edit.start, "edits overlap at {}: {edits:?}", edit.start);
            if edit.start < done {
                continue;
            }
            self.copy(done, edit.start);
            self.apply(edit);
            done = edit.end;
        }
        self.copy(done, self.text.len());
    }

    fn copy(&mut self, mut start: usize, end: usize) {
        while start < end {
            if let Some(place) = self.unmoved_place() {
                let run = &self.text[start..end];
                self.code.push_str(run);
                let lines = count(run.bytes().filter(|byte| *byte == b'\n').count());
                let last = run.rfind('\n').map_or(run, |index| &run[index + 1..]);
                let column = count(last.chars().count()) + if lines == 0 { place.column } else { 1 };
                self.here = Position { line: place.line + lines, column };
                self.origin = self.here;
                if lines > 0 {
                    self.segment = None;
                }
                return;
            }
            let line = self.text[start..end].find('\n').map_or(end, |index| start + index + 1);
            self.copy_line(start, line);
            start = line;
        }
    }

    /// Returns the current position if no character up to the next edit moves.
    fn unmoved_place(&self) -> Option<Position> {
        (!self.has_returns && self.segment.is_none() && self.origin == self.here).then_some(self.here)
    }

    fn copy_line(&mut self, start: usize, end: usize) {
        let text = self.text;
        for (offset, character) in text[start..end].char_indices() {
            let written = written_as(text, start + offset, character);
            if !written.is_whitespace() {
                self.account_for(self.origin);
            }
            self.put(written);
            self.origin.pass(written);
        }
    }

    fn apply(&mut self, edit: &Edit) {
        let text = self.text;
        let run = text[edit.start..edit.end].char_indices();
        let run = run.map(|(offset, character)| written_as(text, edit.start + offset, character));
        match edit.fill {
            Fill::Blank | Fill::Semicolon => {
                let mut first = edit.fill == Fill::Semicolon;
                for character in run {
                    let written = match character {
                        '\n' | '\r' => character,
                        _ if first => {
                            self.account_for(self.origin);
                            ';'
                        }
                        _ => ' ',
                    };
                    first = false;
                    self.put(written);
                    self.origin.pass(written);
                }
            }
            Fill::Text(ref fill) => {
                self.account_for(self.origin);
                for character in fill.chars() {
                    self.put(character);
                }
                for character in run {
                    self.origin.pass(character);
                }
            }
            Fill::Wrapper(ref fill) => {
                self.account_for(Position { line: 0, column: self.here.column });
                for character in fill.chars() {
                    self.put(character);
                }
            }
        }
    }

    fn put(&mut self, character: char) {
        self.code.push(character);
        if character == '\n' {
            self.here = Position { line: self.here.line + 1, column: 1 };
            self.segment = None;
        } else {
            self.here.column += 1;
        }
    }

    /// Adds a segment if the current position does not map to `origin` already.
    fn account_for(&mut self, origin: Position) {
        let expected = match &self.segment {
            None => self.here,
            Some(segment) => Position {
                line: segment.original_line,
                column: segment.original_column + (self.here.column - segment.column),
            },
        };
        if expected != origin {
            let segment = Segment {
                line: self.here.line,
                column: self.here.column,
                original_line: origin.line,
                original_column: origin.column,
            };
            self.segment = Some(segment.clone());
            self.segments.push(segment);
        }
    }
}

/// Returns the character that is written for the one at `offset`: LF for a lone CR.
fn written_as(text: &str, offset: usize, character: char) -> char {
    let is_lone_return = character == '\r' && text.as_bytes().get(offset + 1) != Some(&b'\n');
    if is_lone_return { '\n' } else { character }
}

impl Position {
    /// Advances the position past a character.
    fn pass(&mut self, character: char) {
        if character == '\n' {
            *self = Self { line: self.line + 1, column: 1 };
        } else {
            self.column += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_return_in_a_replaced_run_counts_as_a_line() {
        let composed = compose("a\r{ b }\rc", vec![Edit::replace(0, 3, "x")], &Frame::default(), 1);
        assert_eq!(composed.code, "x b }\nc");
        let last = composed.segments.last().map(|it| (it.line, it.column, it.original_line, it.original_column));
        assert_eq!(last, Some((2, 1, 3, 1)));
    }
}
