//! Any JSON as a schema becomes a type that parses, of bounded size.

#![no_main]

#[path = "../bodies/declarations.rs"]
mod body;
#[path = "../bodies/parsing.rs"]
mod parsing;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::fuzz(data, parsing::parses));
