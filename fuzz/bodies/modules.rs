//! Whatever modules a host offers, they are linked within bounds or refused with `CONFIG` and a place, and a program that imports
//! them is prepared or refused.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use isobox_core::program::{Module, Modules, Preparation, Program, survey};
use isobox_core::{Code, Driver};

pub(crate) fn fuzz(data: &[u8], driver: &Arc<dyn Driver>) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    // A line of its own with `//@ name` starts a module. The text before the first is the program.
    let mut parts = text.split("\n//@ ");
    let program = Program::single(parts.next().unwrap_or_default());
    let mut modules = Vec::new();
    for part in parts.take(Modules::MAXIMUM) {
        let (name, source) = part.split_once('\n').unwrap_or((part, ""));
        let module = match serde_json::from_str(source).ok().filter(|_| name.ends_with("json")) {
            Some(value) => Module::json(name, value),
            None => Module::code(name, source),
        };
        modules.extend(module);
    }
    let linked = match wait(Modules::link(&**driver, &modules)) {
        Ok(linked) => linked,
        Err(failure) if failure.details.contains_key("limit") => return,
        Err(failure) => {
            assert_eq!(failure.code, Code::Config, "{failure}");
            let file = failure.details.get("file").and_then(|file| file.as_str());
            let is_known = |file: &str| modules.iter().any(|module| module.specifier() == file);
            assert!(file.is_none_or(is_known), "{failure}");
            return assert!(failure.line.is_none_or(|line| line >= 1), "{failure}");
        }
    };
    assert!(linked.declarations().len() <= 64 * text.len() + 4_096);
    assert!(linked.described(100).len() <= 400 + 64);
    match wait(survey(&**driver, Preparation::new(&program), &linked)) {
        Ok(surveyed) => {
            let size: usize = surveyed.program.files.iter().map(|file| file.code.len()).sum();
            assert!(size <= 64 * text.len() + 4_096, "{size} bytes of {}", text.len());
            let has = |path: &str| surveyed.program.files.iter().any(|file| file.path == path);
            let imports = surveyed.program.files.iter().flat_map(|file| &file.imports);
            imports.for_each(|import| assert!(has(&import.path), "`{}` is imported and is not there", import.path));
        }
        Err(failure) => assert!(matches!(failure.code, Code::Syntax | Code::Config), "{failure}"),
    }
}

fn wait<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    loop {
        if let Poll::Ready(done) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return done;
        }
    }
}
