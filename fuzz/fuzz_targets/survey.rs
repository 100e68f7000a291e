//! Whatever a program is, surveying it changes nothing about it, within the bounds of the sandbox.

#![no_main]

#[path = "../bodies/survey.rs"]
mod body;

use std::pin::pin;
use std::sync::LazyLock;
use std::task::{Context, Poll, Waker};

use isobox_core::Failure;
use isobox_core::program::{self, Modules, Preparation, Surveyed};
use isobox_sandbox::{Sandbox, SandboxOptions};

static SANDBOX: LazyLock<Sandbox> =
    LazyLock::new(|| Sandbox::new(SandboxOptions::default()).expect("there is a sandbox"));

libfuzzer_sys::fuzz_target!(|data: &[u8]| body::fuzz(data, survey));

fn survey(preparation: Preparation<'_>) -> Result<Surveyed, Failure> {
    let modules = Modules::default();
    let mut work = pin!(program::survey(&*SANDBOX, preparation, &modules));
    loop {
        if let Poll::Ready(surveyed) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return surveyed;
        }
    }
}
