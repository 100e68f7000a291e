//! Any text is a program or a `SYNTAX` failure.

#![no_main]

#[path = "../bodies/prepare.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::fuzz(data));
