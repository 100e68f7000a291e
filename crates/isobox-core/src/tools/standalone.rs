//! Functions that other people need too: each stands alone, and needs nothing of the rest of Isobox.
//!
//! Everything that comes from strangers is bounded and made harmless in the same ways, and whoever lets models write code,
//! or shows tools to them, has to do it as well. None of these does I/O.
//!
//! | function | what it does |
//! |---|---|
//! | [`identifier_of`], [`unique_identifiers`] | make of any name one that a program can write |
//! | [`schema_to_typescript`] | makes a type of a JSON Schema of any draft, or of OpenAPI |
//! | [`declare_tool`], [`declare_tools`] | make declarations of tools |
//! | [`show_value`] | cuts a value to a number of tokens and keeps its shape |
//! | [`summarise_calls`], [`answer_text`] | say what became of a program, within bounds |
//! | [`author_frames`] | finds the author's lines in a stack |
//! | [`without_stacks`], [`without_host_traces`] | take stacks and host paths out of an error's text |
//! | [`parse_json`] | reads JSON, but none that is nested too deeply to be read again |
//! | [`shorten`] | cuts a text, with a mark |
//! | [`without_escapes`], [`brief`] | make a text one line that neither steers a terminal nor hides anything |
//! | [`lines_without_escapes`], [`marked`] | do the same for several lines, none of which passes for another's |
//! | [`json_without_escapes`] | does the same for JSON, which stays the same value |

#[expect(unused_imports, reason = "for the links above")]
use crate::{
    answer_text, author_frames, brief, declare_tool, declare_tools, identifier_of, json_without_escapes,
    lines_without_escapes, marked, parse_json, schema_to_typescript, shorten, show_value, summarise_calls,
    unique_identifiers, without_escapes, without_host_traces, without_stacks,
};
