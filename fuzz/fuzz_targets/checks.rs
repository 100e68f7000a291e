//! A check of any program against any schema ends, within the bounds of the sandbox.

#![no_main]

#[path = "../bodies/checks.rs"]
mod body;

use std::sync::{Arc, LazyLock};

use isobox_core::Driver;
use isobox_sandbox::{Sandbox, SandboxOptions};

static SANDBOX: LazyLock<Arc<dyn Driver>> =
    LazyLock::new(|| Arc::new(Sandbox::new(SandboxOptions::default()).expect("there is a sandbox")));

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::fuzz(data, &SANDBOX));
