//! Prepares programs as a runtime does: in the sandbox.

use std::pin::pin;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll, Waker};

use isobox_core::program::{self, Modules, Preparation, Prepared, Program, Surveyed};
use isobox_core::{Driver, Failure};
use isobox_sandbox::{Sandbox, SandboxOptions};

/// The sandbox that all tests share.
pub(crate) static DRIVER: LazyLock<Arc<dyn Driver>> = LazyLock::new(|| {
    let options = SandboxOptions::default().instances(1.try_into().expect("it is not zero"));
    Arc::new(Sandbox::new(options).expect("there is a sandbox"))
});

pub(crate) fn prepare(program: &Program) -> Result<Prepared, Failure> {
    Ok(survey(Preparation::new(program))?.program)
}

pub(crate) fn survey(preparation: Preparation<'_>) -> Result<Surveyed, Failure> {
    survey_in(&**DRIVER, preparation)
}

pub(crate) fn survey_in(driver: &dyn Driver, preparation: Preparation<'_>) -> Result<Surveyed, Failure> {
    let modules = Modules::default();
    let mut work = pin!(program::survey(driver, preparation, &modules));
    loop {
        if let Poll::Ready(surveyed) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return surveyed;
        }
    }
}

/// Counts the declarations of types in a text, if it is TypeScript and contains nothing else: each becomes a `;`.
pub(crate) fn declarations_in(text: &str) -> Option<usize> {
    let prepared = prepare(&Program::single(text)).ok()?;
    let code = prepared.files[0].code.strip_prefix("async()=>{")?.strip_suffix('}')?;
    let is_erased = code.chars().all(|sign| sign == ';' || sign.is_whitespace());
    is_erased.then(|| code.matches(';').count())
}
