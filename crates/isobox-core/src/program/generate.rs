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
    let written = Lines::of(&generated.code);
    let original = Lines::of(text.code);
    let mut follower = Follower { text: text.code, offset: 0, place: Position { line: text.first_line, column: 1 } };
    let mut marks = Vec::new();
    for token in map.get_tokens() {
        let offset = written.offset(token.get_dst_line(), token.get_dst_col());
        let source = original.offset(token.get_src_line(), token.get_src_col());
        marks.push(Mark { offset, source, position: follower.position(source, text) });
    }
    Ok((generated.code, marks))
}

/// Where the lines of a text start, as source maps count them: LF, CR, CRLF, U+2028 and U+2029 end a line.
struct Lines<'text> {
    text: &'text str,
    starts: Vec<usize>,
}

impl<'text> Lines<'text> {
    fn of(text: &'text str) -> Self {
        let mut starts = vec![0];
        for (offset, character) in text.char_indices() {
            let next = offset + character.len_utf8();
            let ends_line = match character {
                '\n' | '\u{2028}' | '\u{2029}' => true,
                '\r' => text.as_bytes().get(next) != Some(&b'\n'),
                _ => false,
            };
            if ends_line {
                starts.push(next);
            }
        }
        Self { text, starts }
    }

    /// The byte offset of a line and a column that counts UTF-16 units, both from 0.
    fn offset(&self, line: u32, column: u32) -> usize {
        let start = self.starts.get(line as usize).copied().unwrap_or(self.text.len());
        let mut units = 0;
        for (offset, character) in self.text[start..].char_indices() {
            if units >= column {
                return start + offset;
            }
            units += count(character.len_utf16());
        }
        self.text.len()
    }
}

/// Turns offsets that mostly grow into positions.
struct Follower<'text> {
    text: &'text str,
    offset: usize,
    place: Position,
}

impl Follower<'_> {
    fn position(&mut self, offset: usize, text: &Text<'_>) -> Position {
        if offset < self.offset {
            *self = Self { text: self.text, offset: 0, place: Position { line: text.first_line, column: 1 } };
        }
        let bytes = self.text.as_bytes();
        for (index, character) in self.text[self.offset..offset].char_indices() {
            let next = self.offset + index + 1;
            if character == '\n' || (character == '\r' && bytes.get(next) != Some(&b'\n')) {
                self.place = Position { line: self.place.line + 1, column: 1 };
            } else {
                self.place.column += 1;
            }
        }
        self.offset = offset;
        self.place
    }
}
