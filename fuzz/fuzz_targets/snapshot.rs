//! Whatever a snapshot is, restoring it is an error or a live instance, of which nothing is left for the next one.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| isobox_sandbox::fuzzing::hostile_snapshot(data));
