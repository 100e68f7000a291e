//! Whatever steps an instance makes, an execution ends in an outcome.

#![no_main]

#[path = "../bodies/execution.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::fuzz(data));
