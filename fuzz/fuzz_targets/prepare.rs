//! Any text is a program or a `SYNTAX` failure, within the bounds of the sandbox that it is prepared in. libFuzzer watches over
//! the time and the memory that the host needs for it (`-timeout`, `-rss_limit_mb`).

#![no_main]

#[path = "../bodies/prepare.rs"]
mod body;

use std::pin::pin;
use std::sync::LazyLock;
use std::task::{Context, Poll, Waker};

use isobox_core::program::{self, Program};
use isobox_sandbox::{Sandbox, SandboxOptions};

static SANDBOX: LazyLock<Sandbox> =
    LazyLock::new(|| Sandbox::new(SandboxOptions::default()).expect("there is a sandbox"));

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::fuzz(data, prepare));

fn prepare(program: &Program) -> body::Outcome {
    let mut work = pin!(program::prepare(&*SANDBOX, program));
    loop {
        if let Poll::Ready(prepared) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return (prepared, SANDBOX.take_preparation_cost());
        }
    }
}
