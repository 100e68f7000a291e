//! Reads a schema: SDL, or the result of an introspection as JSON. Decisions only; no I/O.

use apollo_compiler::ast::{DirectiveDefinition, DirectiveLocation};
use apollo_compiler::parser::Parser;
use apollo_compiler::response::GraphQLError;
use apollo_compiler::validation::{DiagnosticList, Valid};
use apollo_compiler::{Node, Schema, name};
use isobox_core::{brief, parse_json};

use super::introspection;

/// The maximum number of tokens of a schema.
const MAX_TOKENS: usize = 2_000_000;
/// The maximum nesting of a schema: lists of lists, and default values.
const MAX_NESTING: usize = 64;
/// The number of errors that are told. Further ones are counted.
const TOLD_ERRORS: usize = 3;

/// Reads the schema of a text. Returns why it is refused.
pub(super) fn read(text: &str) -> Result<Valid<Schema>, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match text.trim_start().chars().next() {
        None => Err("it is empty".to_owned()),
        // SDL never begins with a brace.
        Some('{') => {
            let value =
                parse_json(text.as_bytes()).map_err(|error| format!("it begins like JSON and is none: {error}"))?;
            parse(&introspection::sdl(&value)?)
        }
        Some(_) => parse(text),
    }
}

fn parse(sdl: &str) -> Result<Valid<Schema>, String> {
    let mut builder = Schema::builder().adopt_orphan_extensions();
    let mut parser = Parser::new().token_limit(MAX_TOKENS).recursion_limit(MAX_NESTING);
    parser.parse_into_schema_builder(sdl, "schema", &mut builder);
    let mut schema = builder.build().map_err(|refused| described(&refused.errors))?;
    schema.directive_definitions.entry(name!("oneOf")).or_insert_with(one_of);
    schema.validate().map_err(|refused| described(&refused.errors))
}

/// Defines `@oneOf`, which is built in since the edition of 2025.
fn one_of() -> Node<DirectiveDefinition> {
    Node::new(DirectiveDefinition {
        description: None,
        name: name!("oneOf"),
        arguments: Vec::new(),
        repeatable: false,
        locations: vec![DirectiveLocation::InputObject],
    })
}

/// Describes the first errors of a text, with their places.
pub(super) fn described(errors: &DiagnosticList) -> String {
    let one = |error: GraphQLError| {
        let place = error.locations.first().map(|place| format!("line {}, column {}: ", place.line, place.column));
        format!("{}{}", place.unwrap_or_default(), brief(&error.message, 300))
    };
    let mut told: Vec<String> = errors.iter().take(TOLD_ERRORS).map(|error| one(error.to_json())).collect();
    if errors.len() > TOLD_ERRORS {
        told.push(format!("and {} more", errors.len() - TOLD_ERRORS));
    }
    told.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_no_schema_is_refused_with_the_place() {
        for (text, expected) in [
            ("", "it is empty"),
            ("<html>", "line 1, column 1: "),
            ("type Query { a: Missing }", "line 1, column 17: cannot find type `Missing` in this document"),
            ("{ \"a\": 1", "it begins like JSON and is none"),
            ("{ \"a\": 1 }", "it has no `__schema`"),
            ("type Product { id: ID }", "query"),
            ("query { a }", "must not contain"),
        ] {
            let refused = read(text).unwrap_err();
            assert!(refused.contains(expected), "{text}: {refused}");
        }
        let many = format!("type Query {{ {} }}", (0..10).map(|n| format!("a{n}: Missing ")).collect::<String>());
        assert!(read(&many).unwrap_err().ends_with("and 7 more"));
    }

    #[test]
    fn deep_and_long_texts_are_refused() {
        let deep = format!("type Query {{ a: {}Int{} }}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(read(&deep).unwrap_err().contains("limit"), "{}", read(&deep).unwrap_err());
        let long = format!("type Query {{ {} }}", (0..MAX_TOKENS / 4).map(|n| format!("a{n}:A ")).collect::<String>());
        assert!(read(&long).unwrap_err().contains("limit"), "{}", read(&long).unwrap_err());
    }
}
