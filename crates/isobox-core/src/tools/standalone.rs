//! Functions that are useful without the rest of Isobox.
//!
//! Each of them bounds untrusted data and makes it harmless. Other hosts that let models write code, or show tools to
//! models, need the same. None of them does I/O.
//!
//! | function | what it does |
//! |---|---|
//! | [`identifier_of`], [`unique_identifiers`] | make identifiers from any names |
//! | [`schema_to_typescript`] | derives a type from a JSON Schema of any draft, or of OpenAPI |
//! | [`declare_tool`], [`declare_tools`] | declare tools in TypeScript |
//! | [`show_value`] | cuts a value to a number of tokens and keeps its shape |
//! | [`summarise_calls`], [`answer_text`] | describe the outcome of a program, within bounds |
//! | [`author_frames`] | finds the author's lines in a stack |
//! | [`without_stacks`], [`without_host_traces`] | remove stacks and host paths from the text of an error |
//! | [`parse_json`] | parses JSON of bounded depth |
//! | [`shorten`] | cuts a text, with a mark |
//! | [`without_escapes`], [`brief`] | make a text one line that neither controls a terminal nor hides characters |
//! | [`lines_without_escapes`], [`marked`] | do the same for several lines, none of which passes for one of the host |
//! | [`json_without_escapes`] | does the same for JSON, which stays the same value |

#[expect(unused_imports, reason = "for the links above")]
use crate::{
    answer_text, author_frames, brief, declare_tool, declare_tools, identifier_of, json_without_escapes,
    lines_without_escapes, marked, parse_json, schema_to_typescript, shorten, show_value, summarise_calls,
    unique_identifiers, without_escapes, without_host_traces, without_stacks,
};
