//! Any text is a program, not much larger than the text, or a `SYNTAX` failure whose position is inside it.

use std::collections::BTreeMap;

use isobox_core::Code;
use isobox_core::Failure;
use isobox_core::program::{FaultKind, Prepared, Program};

pub(crate) fn fuzz(data: &[u8], prepare: impl Fn(&Program) -> Result<Prepared, Failure>) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    // A line of its own with `//@ name` starts a further file.
    let mut parts = text.split("\n//@ ");
    let first = parts.next().unwrap_or_default();
    let mut files = BTreeMap::from([("main.ts".to_owned(), first.to_owned())]);
    for part in parts {
        let (name, source) = part.split_once('\n').unwrap_or((part, ""));
        files.insert(name.to_owned(), source.to_owned());
    }
    let sizes: BTreeMap<String, usize> =
        files.iter().map(|(name, text)| (name.clone(), text.lines().count())).collect();
    let program = match Program::new(files, "main.ts") {
        Ok(program) => program,
        Err(fault) => return assert_eq!(fault.kind, FaultKind::Config),
    };
    match prepare(&program) {
        Ok(prepared) => {
            let size: usize = prepared.files.iter().map(|file| file.code.len()).sum();
            assert!(size <= 64 * text.len() + 4_096, "{size} bytes of {}", text.len());
            for file in &prepared.files {
                let sorted = file.segments.is_sorted_by_key(|segment| (segment.line, segment.column));
                assert!(sorted, "segments are looked up by halving");
                assert!(!file.code.contains('\0') || text.contains('\0'));
            }
        }
        Err(failure) => {
            assert_eq!(failure.code, Code::Syntax);
            assert!(!failure.message.is_empty());
            if let (Some(line), Some(column)) = (failure.line, failure.column) {
                let most =
                    sizes.values().max().copied().unwrap_or(0) + text.matches(['\r', '\u{2028}', '\u{2029}']).count();
                assert!(line >= 1 && column >= 1 && line as usize <= most + 1, "{line}:{column}");
            }
        }
    }
}
