//! Any text is a program, not much larger than the text, or a `SYNTAX` failure whose position is inside it. A program
//! takes no more time and memory than is in proportion to its text.

use std::collections::BTreeMap;
use std::time::Duration;

use isobox_core::Code;
use isobox_core::Failure;
use isobox_core::program::{FaultKind, Prepared, Program};
use isobox_sandbox::PreparationCost;

/// The maximum CPU time for each byte of a program, and for any program. At this rate a program of the default maximum
/// size, 256 KiB, would take the 2 s that preparing may take.
const TIME_PER_BYTE: Duration = Duration::from_nanos(8_000);
const TIME: Duration = Duration::from_millis(250);
/// The maximum memory for each byte of a program, and for any program. At this rate a program of 256 KiB would take the
/// 128 MiB that preparing may take.
const MEMORY_PER_BYTE: usize = 512;
const MEMORY: usize = 2 << 20;

/// What came of a program, and what preparing it has used unless the answer was cached.
pub(crate) type Outcome = (Result<Prepared, Failure>, Option<PreparationCost>);

pub(crate) fn fuzz(data: &[u8], prepare: impl Fn(&Program) -> Outcome) {
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
    let (prepared, cost) = prepare(&program);
    match prepared {
        Ok(prepared) => {
            // A text that is refused may have used up what the sandbox allows.
            if let Some(PreparationCost { cpu, grown, .. }) = cost {
                let size = u32::try_from(text.len()).expect("the fuzzer makes small texts");
                assert!(cpu <= TIME_PER_BYTE * size + TIME, "{cpu:?} for {size} bytes");
                assert!(grown <= MEMORY_PER_BYTE * text.len() + MEMORY, "{grown} bytes of memory for {size} bytes");
            }
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
