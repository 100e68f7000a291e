//! Prints a file anew, for syntax that takes more than erasing: `enum`, `namespace` with values, parameter properties,
//! import aliases.

use std::path::{Path, PathBuf};

use oxc::{
    allocator::Allocator,
    ast::ast::Program,
    codegen::{Codegen, CodegenOptions},
    semantic::SemanticBuilder,
    transformer::{TransformOptions, Transformer},
};

use super::{
    compose::Mark,
    text::{Position, Text, count},
};
use crate::{Code, Failure};

/// The plain JavaScript of a file, and where its parts come from.
pub(super) fn generate<'a>(
    text: &Text<'a>,
    allocator: &'a Allocator,
    mut program: Program<'a>,
) -> Result<(String, Vec<Mark>), Failure> {
    let analysis = SemanticBuilder::new().with_excess_capacity(2.0).with_enum_eval(true).build(&program);
    let scoping = analysis.semantic.into_scoping();
    let options = TransformOptions::default();
    let transformed =
        Transformer::new(allocator, Path::new(text.path), &options).build_with_scoping(scoping, &mut program);
    if let Some(error) = transformed.diagnostics.errors().next() {
        let offset = error.labels.first().map_or(0, |label| label.offset() as usize);
        return Err(text.error(offset, error.message.to_lowercase()));
    }
    let options = CodegenOptions { source_map_path: Some(PathBuf::from(text.path)), ..CodegenOptions::default() };
    let generated = Codegen::new().with_options(options).with_source_text(text.code).build(&program);
    let Some(map) = generated.map else {
        return Err(Failure::new(Code::Internal, "the code generator made no source map"));
    };
    let mut written = Lines::of(&generated.code);
    let mut original = Lines::of(text.code);
    let mut marks = Vec::new();
    for token in map.get_tokens() {
        let offset = written.offset(token.get_dst_line(), token.get_dst_col());
        let source = original.offset(token.get_src_line(), token.get_src_col());
        let mut position = original.position(source);
        position.line += text.first_line - 1;
        marks.push(Mark { offset, source, position });
    }
    Ok((generated.code, marks))
}

/// Finds places in a text. The last place found is kept, because the next one is mostly near: a text may be one line.
struct Lines<'text> {
    text: &'text str,
    /// Where the lines start, as source maps count them: LF, CR, CRLF, U+2028 and U+2029 end a line.
    starts: Vec<usize>,
    /// Where the lines start that the author sees: LF, CR and CRLF end a line.
    author_starts: Vec<usize>,
    /// The last line and offset, and its column in UTF-16 units from 0.
    last_units: (usize, usize, u32),
    /// The last line and offset, and its column in characters from 1.
    last_characters: (usize, usize, u32),
}

impl<'text> Lines<'text> {
    fn of(text: &'text str) -> Self {
        let mut starts = vec![0];
        let mut author_starts = vec![0];
        for (offset, character) in text.char_indices() {
            let next = offset + character.len_utf8();
            let is_author_end = match character {
                '\n' => true,
                '\r' => text.as_bytes().get(next) != Some(&b'\n'),
                _ => false,
            };
            if is_author_end {
                author_starts.push(next);
            }
            if is_author_end || matches!(character, '\u{2028}' | '\u{2029}') {
                starts.push(next);
            }
        }
        Self { text, starts, author_starts, last_units: (0, 0, 0), last_characters: (0, 0, 1) }
    }

    /// The byte offset of a line and a column that counts UTF-16 units, both from 0.
    fn offset(&mut self, line: u32, column: u32) -> usize {
        let line = line as usize;
        let Some(&start) = self.starts.get(line) else { return self.text.len() };
        let (last_line, mut offset, mut units) = self.last_units;
        if last_line != line || column < units / 2 {
            (offset, units) = (start, 0);
        }
        for character in self.text[start..offset].chars().rev() {
            if units <= column {
                break;
            }
            units -= count(character.len_utf16());
            offset -= character.len_utf8();
        }
        for character in self.text[offset..].chars() {
            if units >= column {
                break;
            }
            units += count(character.len_utf16());
            offset += character.len_utf8();
        }
        self.last_units = (line, offset, units);
        offset
    }

    /// The place of a byte offset as the author sees it.
    fn position(&mut self, offset: usize) -> Position {
        let line = self.author_starts.partition_point(|start| *start <= offset);
        let start = self.author_starts.get(line.wrapping_sub(1)).copied().unwrap_or_default();
        let (last_line, last_offset, last_column) = self.last_characters;
        let characters = |from: usize, to: usize| count(self.text[from..to].chars().count());
        let column = if last_line != line || offset - start < last_offset.abs_diff(offset) {
            1 + characters(start, offset)
        } else if offset < last_offset {
            last_column - characters(offset, last_offset)
        } else {
            last_column + characters(last_offset, offset)
        };
        self.last_characters = (line, offset, column);
        Position { line: count(line), column }
    }
}
