//! Reads transcripts. Their authors are unknown: size, depth and the number of values are bounded before anything is built.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Document, FORMAT, Transcript};
use crate::journal::{Beginning, Entry, Settlement, Wanted};
use crate::json::MAX_DEPTH;
use crate::program::Program;
use crate::text::brief;
use crate::{Code, Failure};

/// The maximum number of values. One takes up to some hundred bytes in memory.
pub(super) const MAX_VALUES: usize = 4_000_000;
/// The levels around a value of a program.
const ENVELOPE: usize = 12;

/// Refuses a text that is too large, has too many values or is nested too deeply, in one pass and without building anything.
pub(super) fn survey(text: &[u8]) -> Result<(), Failure> {
    if !Transcript::MAX_SIZE.holds(text.len()) {
        let limit = Transcript::MAX_SIZE;
        let message = format!("the transcript is {} bytes, and the limit is {limit}", text.len());
        return Err(Failure::new(Code::InputTooLarge, message).detail("limit", limit.get()).detail("size", text.len()));
    }
    let (mut depth, mut values, mut is_string, mut is_escaped) = (0_usize, 0_usize, false, false);
    for byte in text {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_string => is_escaped = true,
            b'"' => is_string = !is_string,
            _ if is_string => {}
            b'[' | b'{' => {
                depth += 1;
                values += 1;
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            b',' => values += 1,
            _ => {}
        }
        if depth > MAX_DEPTH + ENVELOPE {
            return Err(invalid(format!("it is nested deeper than {} levels", MAX_DEPTH + ENVELOPE)));
        }
    }
    if values > MAX_VALUES {
        let message = format!("the transcript has {values} values, and the limit is {MAX_VALUES}");
        return Err(Failure::new(Code::InputTooLarge, message).detail("limit", MAX_VALUES).detail("size", values));
    }
    Ok(())
}

/// Parses a transcript. Unknown members are refused.
pub(super) fn document(text: &[u8]) -> Result<Document<Beginning<'static>, Vec<Entry>>, Failure> {
    let mut document: Document<Beginning<'static>, Vec<Entry>> =
        serde_json::from_slice(text).map_err(|error| unreadable(text, &error))?;
    if document.isobox != FORMAT {
        return Err(other_format(&document.isobox));
    }
    let program = &document.beginning.program;
    Program::new(program.files().clone(), program.entry()).map_err(|fault| invalid(fault.message))?;
    document.beginning.limits.check().map_err(|failure| invalid(failure.message))?;
    document.entries.iter_mut().for_each(compact_values);
    Ok(document)
}

#[derive(Deserialize)]
struct Header {
    isobox: String,
}

/// Explains why a text is not a transcript. A document of another version is named as such.
fn unreadable(text: &[u8], error: &serde_json::Error) -> Failure {
    match serde_json::from_slice::<Header>(text) {
        Ok(header) if header.isobox != FORMAT => other_format(&header.isobox),
        Ok(_) | Err(_) => invalid(brief(&error.to_string(), 300)),
    }
}

fn other_format(found: &str) -> Failure {
    invalid(format!("its format is `{}`, and this Isobox reads `{FORMAT}`", brief(found, 40)))
}

pub(super) fn invalid(why: impl std::fmt::Display) -> Failure {
    Failure::new(Code::Serialization, format!("this is not a transcript that can be read: {why}"))
        .hint("export it again: `isobox executions export ID`")
}

/// Removes white space from the raw values of an entry: a journal has one line for each entry.
fn compact_values(entry: &mut Entry) {
    match entry {
        Entry::Step(step) => {
            for asked in &mut step.calls {
                if let Wanted::Tool { input, .. } = &mut asked.what {
                    compact(input);
                }
            }
        }
        Entry::Settled(settled) => match &mut settled.settlement {
            Settlement::Result(value) => compact(value),
            Settlement::Snippet(started) => compact(&mut started.input),
            Settlement::Ephemeral | Settlement::Failed(_) => {}
        },
        _ => {}
    }
}

fn compact(value: &mut Box<RawValue>) {
    let text = value.get();
    let is_space = |character: char| matches!(character, ' ' | '\n' | '\r' | '\t');
    if !text.contains(is_space) {
        return;
    }
    let mut compacted = String::with_capacity(text.len());
    let (mut is_string, mut is_escaped) = (false, false);
    for character in text.chars() {
        if !is_string && is_space(character) {
            continue;
        }
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' if is_string => is_escaped = true,
            '"' => is_string = !is_string,
            _ => {}
        }
        compacted.push(character);
    }
    if let Ok(compacted) = RawValue::from_string(compacted) {
        *value = compacted;
    }
}
