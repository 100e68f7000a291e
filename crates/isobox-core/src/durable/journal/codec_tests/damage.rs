//! Alterations of a journal or a checkpoint without the key, and invalid content with the key: each is an error, never
//! a panic, and never a different journal.

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::story::Story;
use super::{KEY, read, write};
use crate::journal::{
    Asked, Batch, CallAsked, CallNoted, CallSettled, CallStarted, Ended, Ending, Entry, JournalState, Question,
    Settlement, StepTaken, StoreKey, Used, Wanted, checkpoint, decode_batch, decode_beginning,
};
use crate::store::{Checkpoint, ErrorKind};
use crate::{CallSeq, Code, ExecutionId, Failure, Level, Log, Snapshot, Timestamp};

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<i32>().prop_map(|number| json!(f64::from(number) / 4.0)),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

fn raw() -> impl Strategy<Value = Box<RawValue>> {
    value().prop_map(|value| serde_json::value::to_raw_value(&value).unwrap())
}

fn seq() -> impl Strategy<Value = CallSeq> {
    any::<u32>().prop_map(CallSeq::new)
}

fn failure() -> impl Strategy<Value = Failure> {
    (any::<String>(), any::<Option<u32>>(), value()).prop_map(|(message, line, detail)| {
        let mut failure = Failure::new(Code::Tool, message).detail("more", detail);
        failure.line = line;
        failure
    })
}

fn asked() -> impl Strategy<Value = Asked> {
    let what =
        prop_oneof![
            any::<u64>().prop_map(Wanted::Timer),
            (any::<String>(), any::<[Vec<String>; 2]>(), raw())
                .prop_map(|(path, [names, hidden], input)| Wanted::Tool { path, names, hidden, input }),
        ];
    (seq(), what).prop_map(|(seq, what)| Asked { seq, what, at: None })
}

fn entry() -> impl Strategy<Value = Entry> {
    let step =
        (prop::collection::vec(seq(), 0..4), prop::collection::vec(asked(), 0..4), any::<String>(), any::<u64>());
    prop_oneof![
        step.prop_map(|(answers, calls, message, number)| Entry::Step(StepTaken {
            answers,
            clock: Timestamp(number),
            calls,
            cleared: Vec::new(),
            logs: vec![Log { level: Level::Info, message }],
            facts: Vec::new(),
            used: Used { wall: number, cpu: number },
            returned: number % 2 == 0,
            ended: Vec::new(),
        })),
        (seq(), any::<u64>(), any::<Option<String>>()).prop_map(|(seq, at, approved)| Entry::Started(CallStarted {
            seq,
            at: Timestamp(at),
            input: approved.clone().map(Value::String),
            approved_by: approved.clone(),
            approved
        })),
        (seq(), value()).prop_map(|(seq, note)| Entry::Noted(CallNoted { seq, note })),
        (seq(), raw(), any::<u64>()).prop_map(|(seq, result, took)| {
            Entry::Settled(CallSettled { seq, settlement: Settlement::Result(result), took, lost: false })
        }),
        (seq(), failure()).prop_map(|(seq, failure)| {
            Entry::Settled(CallSettled { seq, settlement: Settlement::Failed(Box::new(failure)), took: 0, lost: false })
        }),
        (seq(), value()).prop_map(|(seq, payload)| {
            let question = Question::Interrupt { payload };
            Entry::Asked(CallAsked { seq, question, input: None, at: Timestamp(0), not_before: None, why: None })
        }),
        (value(), any::<u64>()).prop_map(|(result, duration)| {
            Entry::Ended(Ended {
                how: Ending::Completed(result),
                logs: Vec::new(),
                facts: Vec::new(),
                hints: Vec::new(),
                duration,
                at: Timestamp(0),
            })
        }),
    ]
}

fn entries() -> impl Strategy<Value = Vec<Vec<Entry>>> {
    prop::collection::vec(prop::collection::vec(entry(), 1..4), 1..5)
}

/// An alteration of a journal.
#[derive(Debug, Clone)]
enum Damage {
    FlipBit {
        batch: Index,
        bit: Index,
    },
    FlipBitOfSeal {
        batch: Index,
        bit: Index,
    },
    CutOff {
        batch: Index,
        length: Index,
    },
    Extend {
        batch: Index,
    },
    /// Any batch but the last: the length of a journal is known to its store.
    Leave {
        batch: Index,
    },
    Repeat {
        batch: Index,
    },
    Swap {
        one: Index,
        other: Index,
    },
    OfAnother {
        batch: Index,
    },
}

fn damage() -> impl Strategy<Value = Damage> {
    let index = any::<Index>;
    prop_oneof![
        (index(), index()).prop_map(|(batch, bit)| Damage::FlipBit { batch, bit }),
        (index(), index()).prop_map(|(batch, bit)| Damage::FlipBitOfSeal { batch, bit }),
        (index(), index()).prop_map(|(batch, length)| Damage::CutOff { batch, length }),
        index().prop_map(|batch| Damage::Extend { batch }),
        index().prop_map(|batch| Damage::Leave { batch }),
        index().prop_map(|batch| Damage::Repeat { batch }),
        (index(), index()).prop_map(|(one, other)| Damage::Swap { one, other }),
        index().prop_map(|batch| Damage::OfAnother { batch }),
    ]
}

impl Damage {
    fn apply(&self, batches: &mut Vec<Batch>, of_another: &[Batch]) {
        let count = batches.len();
        match self {
            Self::FlipBit { batch, bit } => {
                let batch = &mut batches[batch.index(count)];
                let mut bytes = batch.bytes.to_vec();
                let bit = bit.index(bytes.len() * 8);
                bytes[bit / 8] ^= 1 << (bit % 8);
                batch.bytes = bytes.into();
            }
            Self::FlipBitOfSeal { batch, bit } => {
                let bit = bit.index(256);
                batches[batch.index(count)].seal[bit / 8] ^= 1 << (bit % 8);
            }
            Self::CutOff { batch, length } => {
                let bytes = &mut batches[batch.index(count)].bytes;
                bytes.truncate(length.index(bytes.len()));
            }
            Self::Extend { batch } => {
                let batch = &mut batches[batch.index(count)];
                batch.bytes = [&*batch.bytes, b"{}\n"].concat().into();
            }
            Self::Leave { batch } => drop(batches.remove(batch.index(count - 1))),
            Self::Repeat { batch } => {
                let batch = batch.index(count);
                batches.insert(batch, batches[batch].clone());
            }
            Self::Swap { one, other } => {
                let one = one.index(count);
                let others: Vec<usize> = (0..count).filter(|place| *place != one).collect();
                batches.swap(one, others[other.index(others.len())]);
            }
            Self::OfAnother { batch } => {
                let batch = batch.index(count.min(of_another.len()));
                batches[batch] = of_another[batch].clone();
            }
        }
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_as_it_was(entries in entries()) {
        let [Story { id, beginning, .. }, ..] = Story::all();
        let batches = write(&id, &beginning, &entries);
        let (beginning_again, entries_again) = read(&id, &batches).unwrap();
        prop_assert_eq!(format!("{beginning:?}"), format!("{beginning_again:?}"));
        prop_assert_eq!(format!("{entries:?}"), format!("{entries_again:?}"));
        prop_assert_eq!(write(&id, &beginning_again, &entries_again), batches);
    }

    #[test]
    fn whatever_is_altered_is_noticed(entries in entries(), others in entries(), damage in damage()) {
        let [Story { id, beginning, .. }, Story { id: another, .. }, ..] = Story::all();
        let mut batches = write(&id, &beginning, &entries);
        damage.apply(&mut batches, &write(&another, &beginning, &others));
        prop_assert_eq!(read(&id, &batches).unwrap_err().kind(), ErrorKind::Broken);
    }

    #[test]
    fn a_journal_is_that_of_one_execution_under_one_key(entries in entries()) {
        let [Story { id, beginning, .. }, Story { id: another, .. }, ..] = Story::all();
        let batches = write(&id, &beginning, &entries);
        prop_assert_eq!(read(&another, &batches).unwrap_err().kind(), ErrorKind::Broken);
        let key = StoreKey::new([8; 32]);
        prop_assert_eq!(decode_beginning(&key, &id, &batches[0]).unwrap_err().kind(), ErrorKind::Broken);
        prop_assert_eq!(decode_batch(&key, &id, &batches[0].seal, &batches[1]).unwrap_err().kind(), ErrorKind::Broken);
    }

    #[test]
    fn what_is_sealed_and_is_no_journal_is_an_error(bytes in any::<Vec<u8>>(), is_of_version_1 in any::<bool>()) {
        let id = ExecutionId::new(1, 1);
        let bytes = if is_of_version_1 { [b"1\n", bytes.as_slice()].concat() } else { bytes };
        let beginning = Batch { seal: KEY.prove(&[id.as_str().as_bytes(), &bytes]), bytes: bytes.clone().into() };
        prop_assert_eq!(decode_beginning(&KEY, &id, &beginning).unwrap_err().kind(), ErrorKind::Broken);
        let batch = Batch { seal: KEY.prove(&[&[0; 32], &bytes]), bytes: bytes.into() };
        if let Err(error) = decode_batch(&KEY, &id, &[0; 32], &batch) {
            prop_assert_eq!(error.kind(), ErrorKind::Broken);
        }
    }

    #[test]
    fn a_checkpoint_that_was_altered_is_none(bit in any::<Index>(), length in any::<Index>(), text in any::<String>()) {
        let (id, another) = (ExecutionId::new(1, 1), ExecutionId::new(1, 2));
        let logs = vec![Log { level: Level::Info, message: text }];
        let state = JournalState { logs, ..JournalState::default() };
        let snapshot = Snapshot { image: "image".to_owned(), bytes: vec![7; 50] };
        let place = (3, [9; 32], 10);
        let whole = checkpoint::encode(&KEY, &id, place, (&state, [].into()), &snapshot).unwrap();
        prop_assert!(checkpoint::decode(&KEY, &id, &whole).is_some());
        prop_assert!(checkpoint::decode(&KEY, &another, &whole).is_none());
        prop_assert!(checkpoint::decode(&StoreKey::new([8; 32]), &id, &whole).is_none());
        let mut bytes = whole.bytes.clone();
        let bit = bit.index(bytes.len() * 8);
        bytes[bit / 8] ^= 1 << (bit % 8);
        let cut = whole.bytes[..length.index(whole.bytes.len())].to_vec();
        let altered = [
            Checkpoint { bytes, ..whole.clone() },
            Checkpoint { bytes: cut, ..whole.clone() },
            Checkpoint { position: 4, ..whole.clone() },
            Checkpoint { seal: [8; 32], ..whole },
        ];
        for checkpoint in altered {
            prop_assert!(checkpoint::decode(&KEY, &id, &checkpoint).is_none());
        }
    }
}
