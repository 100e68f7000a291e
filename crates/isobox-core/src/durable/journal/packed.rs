//! Encodes the calls of a journal state in few bytes. Most calls of an execution are done, and must not make resuming
//! slower.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{CallProgress, JournalCall};
use crate::CallSeq;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Packed<'c> {
    /// The tools of the calls that are done.
    paths: Vec<Cow<'c, str>>,
    /// Three [numbers](Numbers) for each call that succeeded and whose answer was delivered: the gap to the number of
    /// the previous call, the index of its path, and its duration.
    done: Cow<'c, str>,
    /// All other calls.
    others: Vec<Cow<'c, JournalCall>>,
}

pub(super) fn serialize<S: Serializer>(calls: &[JournalCall], serializer: S) -> Result<S::Ok, S::Error> {
    let (mut paths, mut others) = (Vec::new(), Vec::new());
    let mut done = String::with_capacity(calls.len() * 4);
    let (mut known, mut next) = (HashMap::new(), 0);
    for call in calls {
        match (call.seq.of_program(), call) {
            (
                Some(seq),
                JournalCall { path, open: None, progress: CallProgress::Delivered { failure: None, took }, .. },
            ) => {
                let path = *known.entry(&**path).or_insert_with(|| {
                    paths.push(Cow::Borrowed(&**path));
                    paths.len() as u64 - 1
                });
                [u64::from(seq) - next, path, *took].into_iter().for_each(|number| write_number(&mut done, number));
                next = u64::from(seq) + 1;
            }
            (_, other) => others.push(Cow::Borrowed(other)),
        }
    }
    Packed { paths, done: done.into(), others }.serialize(serializer)
}

/// Writes a number as hexadecimal digits, the lowest first. All digits but the last are shifted in the alphabet, to `g`
/// to `v`.
fn write_number(text: &mut String, mut number: u64) {
    const LAST: &[u8; 16] = b"0123456789abcdef";
    const OTHERS: &[u8; 16] = b"ghijklmnopqrstuv";
    loop {
        let digit = (number & 15) as usize;
        number >>= 4;
        if number == 0 {
            return text.push(char::from(LAST[digit]));
        }
        text.push(char::from(OTHERS[digit]));
    }
}

/// Reads a sequence of numbers.
struct Numbers<'t>(&'t [u8]);

impl Numbers<'_> {
    /// Returns the next number, or an error if there is no valid one.
    fn next(&mut self) -> Result<u64, NoNumber> {
        let (mut number, mut shift) = (0_u64, 0);
        loop {
            let (&byte, rest) = self.0.split_first().ok_or(NoNumber)?;
            self.0 = rest;
            let (digit, is_last) = match byte {
                b'0'..=b'9' => (byte - b'0', true),
                b'a'..=b'f' => (byte - b'a' + 10, true),
                b'g'..=b'v' => (byte - b'g', false),
                _ => return Err(NoNumber),
            };
            number |= u64::from(digit).checked_shl(shift).ok_or(NoNumber)?;
            if is_last {
                return Ok(number);
            }
            shift += 4;
        }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("a number is missing or invalid")]
struct NoNumber;

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<JournalCall>, D::Error> {
    let Packed { paths, done, others } = Packed::deserialize(deserializer)?;
    let paths: Vec<Arc<str>> = paths.iter().map(|path| Arc::from(&**path)).collect();
    let mut numbers = Numbers(done.as_bytes());
    let mut calls = Vec::with_capacity(done.len() / 3 + others.len());
    let mut next = 0_u32;
    while !numbers.0.is_empty() {
        let mut number = || numbers.next().map_err(D::Error::custom);
        let (gap, path, took) = (number()?, number()?, number()?);
        let seq = u32::try_from(gap).ok().and_then(|gap| next.checked_add(gap));
        let path = usize::try_from(path).ok().and_then(|path| paths.get(path));
        let (Some(seq), Some(path)) = (seq, path) else { return Err(D::Error::custom("a call is invalid")) };
        next = seq.checked_add(1).ok_or_else(|| D::Error::custom("the number of a call is too large"))?;
        let progress = CallProgress::Delivered { failure: None, took };
        calls.push(JournalCall { seq: CallSeq::new(seq), path: Arc::clone(path), open: None, progress });
    }
    calls.extend(others.into_iter().map(Cow::into_owned));
    calls.sort_by_key(|call| call.seq);
    if !calls.is_sorted_by(|one, next| one.seq < next.seq) {
        return Err(D::Error::custom("two calls have the same number"));
    }
    Ok(calls)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::journal::{JournalState, Verdict};
    use crate::{Code, Failure};

    fn call(seq: u32, path: &str, progress: CallProgress) -> JournalCall {
        JournalCall { seq: CallSeq::new(seq), path: path.into(), open: None, progress }
    }

    fn done(seq: u32, path: &str, took: u64) -> JournalCall {
        call(seq, path, CallProgress::Delivered { failure: None, took })
    }

    #[test]
    fn calls_come_back_as_they_were() {
        let failure = Some(Box::new(Failure::new(Code::Tool, "no")));
        let calls = vec![
            done(0, "a.b", 7),
            call(1, "c", CallProgress::Started),
            done(3, "c", 0),
            call(4, "c", CallProgress::Delivered { failure, took: 1 }),
            call(7, "c", CallProgress::Decided(Box::new(Verdict::DidNotHappen))),
            done(u32::MAX - 1, "a.b", u64::MAX),
        ];
        let before = JournalState { calls, ..JournalState::default() };
        let json = serde_json::to_value(&before).unwrap();
        assert_eq!(json["calls"]["paths"], json!(["a.b", "c"]));
        // The gap before the last call is 0xFFFF_FFFA.
        assert_eq!(json["calls"]["done"], json!("007210qvvvvvvf0vvvvvvvvvvvvvvvf"));
        let after: JournalState = serde_json::from_value(json).unwrap();
        assert_eq!(format!("{:?}", after.calls), format!("{:?}", before.calls));
    }

    #[test]
    fn what_was_never_written_is_not_read() {
        let cases = [
            json!({ "paths": ["a"], "done": "00", "others": [] }),
            json!({ "paths": ["a"], "done": "00g", "others": [] }),
            json!({ "paths": ["a"], "done": "00G", "others": [] }),
            json!({ "paths": ["a"], "done": "010", "others": [] }),
            json!({ "paths": ["a"], "done": format!("00{}1", "g".repeat(16)), "others": [] }),
            json!({ "paths": ["a"], "done": "000vvvvvvvf00", "others": [] }),
            json!({ "paths": ["a"], "done": "000", "others": [{ "seq": "0", "path": "a", "progress": "issued" }] }),
            json!({ "paths": [], "done": "", "others": [], "more": 1 }),
        ];
        for case in cases {
            deserialize(&case).unwrap_err();
        }
        deserialize(&json!({ "paths": ["a"], "done": "000", "others": [] })).unwrap();
    }
}
