//! Tells whether declarations are TypeScript, in the sandbox that programs are prepared in.

use std::pin::pin;
use std::sync::LazyLock;
use std::task::{Context, Poll, Waker};

use isobox_core::program::{self, Program};
use isobox_sandbox::{Sandbox, SandboxOptions};

static SANDBOX: LazyLock<Sandbox> = LazyLock::new(|| {
    let options = SandboxOptions::default().instances(1.try_into().expect("it is not zero"));
    Sandbox::new(options).expect("there is a sandbox")
});

/// Tells whether a text is declarations of types and nothing else: they leave no code behind.
pub(crate) fn parses(text: &str) -> bool {
    let program = Program::single(text);
    let mut work = pin!(program::prepare(&*SANDBOX, &program));
    let prepared = loop {
        if let Poll::Ready(prepared) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            break prepared;
        }
    };
    let Ok(prepared) = prepared else { return false };
    let code = prepared.files[0].code.strip_prefix("async()=>{").and_then(|code| code.strip_suffix('}'));
    code.is_some_and(|code| code.chars().all(|sign| sign == ';' || sign.is_whitespace()))
}
