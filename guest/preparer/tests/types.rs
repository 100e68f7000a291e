//! Types are erased in place: the result is plain JavaScript and equivalent to the transformer's output, and everything else
//! keeps its line and column.

use std::path::Path;

use isobox_program::{Program, Segment, prepare};
use oxc::{
    allocator::Allocator,
    codegen::{Codegen, CodegenOptions, CommentOptions},
    parser::{ParseOptions, Parser},
    semantic::SemanticBuilder,
    span::SourceType,
    transformer::{TransformOptions, Transformer},
};

const SNIPPETS: &str = include_str!("types.txt");

#[test]
fn every_snippet_is_erased_in_place_and_means_the_same() {
    let snippets: Vec<&str> = SNIPPETS.split("\n----\n").collect();
    assert!(snippets.len() >= 150, "there are {} snippets", snippets.len());
    let faults: Vec<String> = snippets.into_iter().filter_map(|snippet| check(snippet).err()).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

fn check(snippet: &str) -> Result<(), String> {
    // A default export keeps the program from being wrapped.
    let source = format!("{snippet}\n;export default 0");
    let prepared = prepare(&Program::single(&source)).map_err(|failure| format!("{snippet}\n-> {failure:?}"))?;
    let file = &prepared.files[0];
    let erased = print(&file.code, Language::JavaScript)?;
    let transformed = print(&source, Language::TypeScript)?;
    if erased != transformed {
        return Err(format!("{snippet}\n-> {}\nmeans\n{erased}\nnot\n{transformed}", file.code));
    }
    check_places(&source, &file.code, &file.segments)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    JavaScript,
    TypeScript,
}

/// Prints the code with the code generator, without types, comments and empty statements.
fn print(source: &str, language: Language) -> Result<String, String> {
    let allocator = Allocator::default();
    let source_type = match language {
        Language::JavaScript => SourceType::mjs(),
        Language::TypeScript => SourceType::ts().with_module(true),
    };
    let options = ParseOptions { preserve_parens: false, ..ParseOptions::default() };
    let parsed = Parser::new(&allocator, source, source_type).with_options(options).parse();
    if parsed.panicked || parsed.diagnostics.has_errors() {
        return Err(format!("{source}\n-> {:?}", parsed.diagnostics));
    }
    let mut program = parsed.program;
    if language == Language::TypeScript {
        let scoping = SemanticBuilder::new().with_enum_eval(true).build(&program).semantic.into_scoping();
        Transformer::new(&allocator, Path::new("main.ts"), &TransformOptions::default())
            .build_with_scoping(scoping, &mut program);
    }
    let options = CodegenOptions { comments: CommentOptions::disabled(), ..CodegenOptions::default() };
    let printed = Codegen::new().with_options(options).build(&program).code;
    Ok(printed
        .lines()
        .filter(|line| line.trim() != ";")
        .map(str::trim)
        .collect::<Vec<_>>()
        .join("\n")
        .replace("{\n}", "{}"))
}

/// Checks that every character of the code comes from the position to which the segments map it.
fn check_places(source: &str, code: &str, segments: &[Segment]) -> Result<(), String> {
    let original: Vec<Vec<char>> = source.lines().map(|line| line.chars().collect()).collect();
    for (index, line) in code.lines().enumerate() {
        for (offset, character) in line.chars().enumerate() {
            let (number, column) = (index as u32 + 1, offset as u32 + 1);
            let segment = segments.iter().rev().find(|segment| segment.line == number && segment.column <= column);
            let (line, column) = match segment {
                Some(segment) => (segment.original_line, segment.original_column + column - segment.column),
                None => (number, column),
            };
            if matches!(character, ' ' | '(' | ')' | ';') {
                continue;
            }
            let expected = original.get(line as usize - 1).and_then(|line| line.get(column as usize - 1));
            if Some(&character) != expected {
                return Err(format!("{source}\n-> {code}\nhas moved at {number}:{column}"));
            }
        }
    }
    if segments.is_empty() {
        let lengths = |text: &str| text.lines().map(|line| line.chars().count()).collect::<Vec<_>>();
        if lengths(source) != lengths(code) {
            return Err(format!("{source}\n-> {code}\nhas lines of another length"));
        }
    }
    Ok(())
}
