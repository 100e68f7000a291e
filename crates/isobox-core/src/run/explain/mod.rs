//! Describes the error that ended a program: a code that cannot be forged, the position, advice.

pub(super) mod advice;
mod names;
mod parts;

use std::time::Duration;

use crate::driver::{Exhausted, GuestError, Origin};
use crate::program::{self, Place, Prepared, Program, Refused};
use crate::report::stack::{StackFrame, author_frames};
use crate::run::waiting::until;
use crate::text::{brief, shorten};
use crate::{CallSeq, Clock, Code, Driver, Failure, Limits};

/// The maximum length of the message of a thrown error, in characters.
const MAX_MESSAGE: usize = 4000;
/// The maximum length of its name.
const MAX_NAME: usize = 100;
/// The maximum number of frames of its stack.
const MAX_FRAMES: usize = 10;

/// A call that failed, from the host's own records.
pub(crate) struct FailedCall<'k> {
    pub(crate) path: Option<&'k str>,
    pub(crate) failure: &'k Failure,
}

/// Returns the failure for an uncaught error. `known` finds calls that failed.
///
/// The code comes from the host's own records, never from the error object: an error that the program created is
/// `THROWN`, whatever it looks like.
pub(crate) fn explain_error<'k>(
    error: &GuestError,
    program: &Prepared,
    known: impl Fn(CallSeq) -> Option<FailedCall<'k>>,
    limits: &Limits,
) -> Failure {
    let failed_call = match error.origin {
        Origin::Call(seq) => known(seq).map(|failed| (seq, failed)),
        Origin::Program | Origin::Engine(_) => None,
    };
    let mut failure = match (failed_call, error.origin) {
        (Some((seq, FailedCall { path, failure })), _) => {
            let mut failure = failure.clone();
            if let Some(path) = path {
                failure = failure.detail("tool", brief(path, 80)).detail("seq", seq.to_string());
            }
            failure
        }
        (None, Origin::Engine(code)) => engine_failure(code, error, limits),
        (None, Origin::Program | Origin::Call(_)) => thrown(error, program),
    };
    let frames = frames_of(&error.stack, program);
    let thrown_at = frames_of(&error.thrown_at, program);
    if let Some(first) = thrown_at.first().or(frames.first()) {
        failure = failure.at(first.line, first.column);
        if program.files.len() > 1 {
            failure = failure.detail("file", first.file);
        }
        let frames = if frames.is_empty() { std::slice::from_ref(first) } else { &frames };
        let stack: Vec<&str> = frames.iter().map(|frame| frame.text).collect();
        failure = failure.detail("stack", stack.join("\n"));
    }
    failure
}

/// Returns the failure of a program that the engine refused to run. Programs of others may be prepared before the failure is
/// explained: at the deadline, it is what the engine said.
pub(crate) async fn explain_refusal(
    error: &GuestError,
    source: &Program,
    program: &Prepared,
    driver: &dyn Driver,
    clock: &dyn Clock,
    deadline: Duration,
) -> Failure {
    let frames = frames_of(&error.stack, program);
    let place = |frame: &StackFrame<'_>| Place { file: frame.file.to_owned(), line: frame.line, column: frame.column };
    let refused = Refused {
        program: program::with_modules(source, program),
        prepared: program.clone(),
        place: frames.first().map(place),
        message: shorten(&error.message, MAX_MESSAGE),
    };
    let said = Failure::new(Code::Syntax, refused.message.clone());
    until(clock, deadline, program::explain(driver, refused)).await.unwrap_or(said)
}

fn thrown(error: &GuestError, program: &Prepared) -> Failure {
    let name = if error.name.is_empty() { "Error" } else { &error.name };
    let mut failure = Failure::new(Code::Thrown, shorten(&error.message, MAX_MESSAGE)).named(brief(name, MAX_NAME));
    failure.details = parts::parts_of(&error.parts, program);
    failure
}

fn engine_failure(code: Code, error: &GuestError, limits: &Limits) -> Failure {
    let said = Failure::new(code, shorten(&error.message, MAX_MESSAGE)).named(brief(&error.name, MAX_NAME));
    match code {
        Code::Memory => exhausted(Exhausted::Memory, limits),
        Code::Stack => exhausted(Exhausted::Stack, limits),
        Code::CallLimit => {
            said.hint("do more with each call, or raise the limit `calls`").detail("limit", limits.calls)
        }
        Code::InFlightLimit => said.hint("await some calls before making more").detail("limit", limits.in_flight),
        Code::InputTooLarge => said.hint("pass less, or pass it in parts").detail("limit", limits.input.get()),
        _ => said,
    }
}

/// Returns the failure for an exceeded limit.
pub(crate) fn exhausted(limit: Exhausted, limits: &Limits) -> Failure {
    match limit {
        Exhausted::Cpu => {
            Failure::new(Code::Timeout, format!("the program used more than {:?} of processor time", limits.cpu))
                .hint("look for a loop that does not end, or do less work in one program")
                .detail("limit", "cpu")
        }
        Exhausted::Memory => {
            Failure::new(Code::Memory, format!("the program needed more than {} of memory", limits.memory))
                .hint("keep less at once: filter and aggregate while reading instead of collecting everything")
                .detail("limit", limits.memory.get())
        }
        Exhausted::Stack => {
            Failure::new(Code::Stack, format!("the program needed more than {} of stack", limits.stack))
                .hint("look for a recursion that does not end, or use a loop")
                .detail("limit", limits.stack.get())
        }
        Exhausted::Result(size) => Failure::new(
            Code::ResultTooLarge,
            format!("the result is {size} bytes of JSON, and the limit is {}", limits.result),
        )
        .hint("return only what is needed: filter, aggregate, or return the first items")
        .detail("limit", limits.result.get())
        .detail("size", size),
    }
}

/// Returns the failure of a program whose wall-clock time is up.
pub(crate) fn timed_out(limits: &Limits) -> Failure {
    Failure::new(Code::Timeout, format!("the program took longer than {:?}", limits.timeout))
        .hint("look for a loop that does not end or a tool that does not answer, or raise the limit `timeout`")
        .detail("limit", "timeout")
}

/// Returns the failure of a program that waits for ever.
pub(crate) fn deadlock() -> Failure {
    Failure::new(Code::Deadlock, "the program awaits a promise that can never resolve")
        .hint("no tool call and no timer is active that could resolve it")
}

/// Returns the stack frames that are in the program's own files.
fn frames_of<'a>(stack: &'a str, program: &Prepared) -> Vec<StackFrame<'a>> {
    let is_own_file = |file: &str| program.files.iter().any(|known| known.path == file);
    author_frames(stack, is_own_file).take(MAX_FRAMES).collect()
}
