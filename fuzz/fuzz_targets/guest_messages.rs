//! A guest whose engine was taken over may call every import with any numbers and any memory, and return anything.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| isobox_sandbox::fuzzing::hostile_guest(data));
