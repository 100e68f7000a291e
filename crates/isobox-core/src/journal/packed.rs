//! The calls of a standing in few bytes: most of those that an execution has made are done with, and going on with it must
//! not take longer for them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{CallStanding, Progress};
use crate::CallSeq;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Packed<'c> {
    /// The tools of the calls that are done with.
    paths: Vec<Cow<'c, str>>,
    /// Three numbers for each call that succeeded and whose answer the program has: how many numbers lie between it and the
    /// one before, which of the paths it has, and how long it took.
    done: Vec<u64>,
    /// All others.
    others: Vec<Cow<'c, CallStanding>>,
}

pub(super) fn serialize<S: Serializer>(calls: &[CallStanding], serializer: S) -> Result<S::Ok, S::Error> {
    let mut packed = Packed { paths: Vec::new(), done: Vec::with_capacity(calls.len() * 3), others: Vec::new() };
    let (mut known, mut next) = (HashMap::new(), 0);
    for call in calls {
        match call {
            CallStanding {
                seq,
                path,
                names,
                input: None,
                filled: None,
                at: None,
                resolution: None,
                approved: None,
                started: None,
                progress: Progress::Delivered { failure: None, took },
            } if names.is_empty() => {
                let path = *known.entry(&**path).or_insert_with(|| {
                    packed.paths.push(Cow::Borrowed(path));
                    packed.paths.len() as u64 - 1
                });
                packed.done.extend([u64::from(seq.0) - next, path, *took]);
                next = u64::from(seq.0) + 1;
            }
            other => packed.others.push(Cow::Borrowed(other)),
        }
    }
    packed.serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<CallStanding>, D::Error> {
    let Packed { paths, done, others } = Packed::deserialize(deserializer)?;
    let paths: Vec<Arc<str>> = paths.iter().map(|path| Arc::from(&**path)).collect();
    let (done, []) = done.as_chunks::<3>() else { return Err(D::Error::custom("a call has not all its numbers")) };
    let mut calls = Vec::with_capacity(done.len() + others.len());
    let mut next = 0_u32;
    for [gap, path, took] in done {
        let seq = u32::try_from(*gap).ok().and_then(|gap| next.checked_add(gap));
        let path = usize::try_from(*path).ok().and_then(|path| paths.get(path));
        let (Some(seq), Some(path)) = (seq, path) else { return Err(D::Error::custom("a call cannot be")) };
        next = seq.checked_add(1).ok_or_else(|| D::Error::custom("there are too many calls"))?;
        let progress = Progress::Delivered { failure: None, took: *took };
        let (seq, path) = (CallSeq(seq), Arc::clone(path));
        calls.push(CallStanding {
            seq,
            path,
            names: Box::default(),
            input: None,
            filled: None,
            at: None,
            resolution: None,
            approved: None,
            started: None,
            progress,
        });
    }
    calls.extend(others.into_iter().map(Cow::into_owned));
    calls.sort_by_key(|call| call.seq);
    if !calls.is_sorted_by(|one, next| one.seq < next.seq) {
        return Err(D::Error::custom("two calls have one number"));
    }
    Ok(calls)
}

/// A text that many share.
pub(super) mod shared {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(in super::super) fn serialize<S: Serializer>(text: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(text)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<str>, D::Error> {
        String::deserialize(deserializer).map(Arc::from)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::journal::{Standing, Verdict};
    use crate::{Code, Failure};

    fn call(seq: u32, path: &str, progress: Progress) -> CallStanding {
        let (seq, path) = (CallSeq(seq), path.into());
        let names = Box::default();
        CallStanding {
            seq,
            path,
            names,
            input: None,
            filled: None,
            at: None,
            resolution: None,
            approved: None,
            started: None,
            progress,
        }
    }

    fn done(seq: u32, path: &str, took: u64) -> CallStanding {
        call(seq, path, Progress::Delivered { failure: None, took })
    }

    #[test]
    fn calls_come_back_as_they_were() {
        let failure = Some(Box::new(Failure::new(Code::Tool, "no")));
        let calls = vec![
            done(0, "a.b", 7),
            call(1, "c", Progress::Started),
            done(3, "c", 0),
            call(4, "c", Progress::Delivered { failure, took: 1 }),
            call(7, "c", Progress::Decided(Verdict::DidNotHappen)),
            done(u32::MAX - 1, "a.b", u64::MAX),
        ];
        let before = Standing { calls, ..Standing::default() };
        let json = serde_json::to_value(&before).unwrap();
        assert_eq!(json["calls"]["paths"], json!(["a.b", "c"]));
        assert_eq!(json["calls"]["done"], json!([0, 0, 7, 2, 1, 0, u32::MAX - 1 - 4, 0, u64::MAX]));
        let after: Standing = serde_json::from_value(json).unwrap();
        assert_eq!(format!("{:?}", after.calls), format!("{:?}", before.calls));
    }

    #[test]
    fn what_was_never_written_is_not_read() {
        let cases = [
            json!({ "paths": ["a"], "done": [0, 0], "others": [] }),
            json!({ "paths": ["a"], "done": [0, 1, 0], "others": [] }),
            json!({ "paths": ["a"], "done": [0, 0, 0, u32::MAX, 0, 0], "others": [] }),
            json!({ "paths": ["a"], "done": [0, 0, 0], "others": [{ "seq": "0", "path": "a", "progress": "issued" }] }),
            json!({ "paths": [], "done": [], "others": [], "more": 1 }),
        ];
        for case in cases {
            deserialize(&case).unwrap_err();
        }
        deserialize(&json!({ "paths": ["a"], "done": [0, 0, 0], "others": [] })).unwrap();
    }
}
