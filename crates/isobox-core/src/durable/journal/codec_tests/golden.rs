//! `tests/journal/v1` contains journals of version 1, which must stay readable. While version 1 is current, new
//! journals have the same bytes. Before a version is released, its files can be regenerated:
//!
//! ```sh
//! ISOBOX_WRITE_JOURNALS=1 cargo test --release --workspace --lib journal::codec_tests::golden
//! ```
//!
//! Afterwards they must not change, and a change of the format needs a version 2.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::kinds::{KINDS, kinds};
use super::story::Story;
use super::{KEY, read, write};
use crate::durable::resumption::Inspected;
use crate::journal::{Batch, Entry, JournalState, Seal, checkpoint};
use crate::policy::Policy;
use crate::store::Checkpoint;
use crate::{ExecutionId, Snapshot};

/// The batch of the first story after which a checkpoint is made, and the parameters of the checkpoint.
const CHECKPOINT_AT: usize = 4;
const COUNTED: [(&str, u32); 2] = [("0", 3), ("5", 1)];
const JOURNAL_SIZE: u64 = 4_321;

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/journal/v1").join(name)
}

/// Returns the content of a golden file. Writes it first if files are regenerated.
fn golden(name: &str, today: &str) -> String {
    if std::env::var_os("ISOBOX_WRITE_JOURNALS").is_some() {
        std::fs::write(file(name), today).unwrap();
    }
    std::fs::read_to_string(file(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

fn unhex(text: &str) -> Vec<u8> {
    text.as_bytes().chunks(2).map(|two| u8::from_str_radix(std::str::from_utf8(two).unwrap(), 16).unwrap()).collect()
}

fn seal(text: &str) -> Seal {
    unhex(text).try_into().unwrap()
}

/// Formats batches as text: the seal of each in a line of its own, followed by its lines.
fn to_text(batches: &[Batch]) -> String {
    let texts = batches.iter().map(|Batch { bytes, seal }| {
        let lines = std::str::from_utf8(bytes).unwrap();
        format!("# {}\n{lines}", hex(seal))
    });
    texts.collect()
}

fn from_text(text: &str) -> Vec<Batch> {
    let texts = text.strip_prefix("# ").unwrap().split("\n# ");
    let count = texts.clone().count();
    let batch = |(place, text): (usize, &str)| {
        let (of_batch, lines) = text.split_once('\n').unwrap();
        let end = if place + 1 < count { "\n" } else { "" };
        Batch { seal: seal(of_batch), bytes: format!("{lines}{end}").into() }
    };
    texts.enumerate().map(batch).collect()
}

fn state<'e>(entries: impl IntoIterator<Item = &'e Entry>) -> JournalState {
    let mut state = JournalState::default();
    for entry in entries {
        state.apply(entry.clone()).unwrap_or_else(|_| panic!("{entry:?} is out of place"));
    }
    state
}

/// Returns the content of a journal as readable JSON.
fn said(id: &ExecutionId, batches: &[Batch]) -> Value {
    let (beginning, entries) = read(id, batches).unwrap();
    let entries: Vec<Entry> = entries.into_iter().flatten().collect();
    let state = state(&entries);
    let inspected = Inspected { beginning, entries, state, is_held: false, seal: [0; 32] };
    json!({ "standing": inspected.state, "outcome": inspected.outcome(id, &Policy::default()) })
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

#[test]
fn journals_of_version_1_are_read_and_say_what_they_said() {
    for story in Story::all() {
        let today = to_text(&write(&story.id, &story.beginning, &story.entries));
        let batches = from_text(&golden(&format!("{}.journal", story.name), &today));
        let said = pretty(&said(&story.id, &batches));
        assert_eq!(said, golden(&format!("{}.json", story.name), &said), "{}", story.name);
    }
}

#[test]
fn a_journal_with_the_seals_of_earlier_builds_is_read() {
    let [story, ..] = Story::all();
    let sealed_before = std::fs::read_to_string(file("completed.hmac.journal")).unwrap();
    let said = pretty(&said(&story.id, &from_text(&sealed_before)));
    assert_eq!(said, std::fs::read_to_string(file("completed.json")).unwrap());
    let altered = sealed_before.replacen("\"ada\"", "\"bob\"", 1);
    assert_eq!(read(&story.id, &from_text(&altered)).unwrap_err().kind(), crate::store::ErrorKind::Broken);
}

#[test]
fn what_is_written_today_has_the_bytes_of_version_1() {
    for mut story in Story::all() {
        let today = to_text(&write(&story.id, &story.beginning, &story.entries));
        let golden = golden(&format!("{}.journal", story.name), &today);
        let (beginning, entries) = read(&story.id, &from_text(&golden)).unwrap();
        assert_eq!(to_text(&write(&story.id, &beginning, &entries)), golden, "{}: read and written again", story.name);
        // The preparation of programs and the default limits are not part of the format.
        (story.beginning.prepared, story.beginning.limits) = (beginning.prepared, beginning.limits);
        assert_eq!(to_text(&write(&story.id, &story.beginning, &story.entries)), golden, "{}", story.name);
    }
}

#[test]
fn the_stories_hold_everything_that_a_journal_can_hold() {
    let stories = Story::all();
    let entries = stories.iter().flat_map(|story| story.entries.iter().flatten());
    let told: BTreeSet<&str> = entries.flat_map(kinds).collect();
    assert_eq!(told.len(), KINDS, "{told:?}");
}

#[test]
fn a_checkpoint_has_the_bytes_of_version_2_and_one_of_version_1_is_none() {
    let [story, ..] = Story::all();
    let batches =
        from_text(&golden("completed.journal", &to_text(&write(&story.id, &story.beginning, &story.entries))));
    let before = state(story.entries[..CHECKPOINT_AT].iter().flatten());
    let snapshot = Snapshot { image: "0123abcd".to_owned(), bytes: vec![0, 1, 2, 255] };
    let place = (CHECKPOINT_AT as u64, batches[CHECKPOINT_AT].seal, JOURNAL_SIZE);
    let counted: BTreeMap<String, u32> = COUNTED.map(|(rule, calls)| (rule.to_owned(), calls)).into();
    let today = checkpoint::encode(&KEY, &story.id, place, (&before, counted.clone()), &snapshot).unwrap();
    let Checkpoint { position, seal: of_batch, bytes } = &today;
    let text = format!("{position} {}\n{}\n", hex(of_batch), hex(bytes));
    assert_eq!(text, golden("completed.checkpoint2", &text));
    let kept = checkpoint::decode(&KEY, &story.id, &today).unwrap();
    assert_eq!(json!(kept.state), json!(before));
    assert_eq!((kept.counted, kept.journal_size), (counted, JOURNAL_SIZE));
    assert_eq!((kept.snapshot.image, kept.snapshot.bytes), (snapshot.image, snapshot.bytes));
    // The journal has the same content, and is replayed instead.
    let former = std::fs::read_to_string(file("completed.checkpoint")).unwrap();
    let bytes = unhex(former.lines().nth(1).unwrap());
    assert!(checkpoint::decode(&KEY, &story.id, &Checkpoint { bytes, ..today }).is_none());
}

#[test]
fn a_journal_of_a_version_that_is_not_known_is_refused() {
    let [story, ..] = Story::all();
    let mut batches = write(&story.id, &story.beginning, &story.entries);
    batches[0].bytes = [b"2", &batches[0].bytes[1..]].concat().into();
    batches[0].seal = KEY.prove(&[story.id.as_str().as_bytes(), &batches[0].bytes]);
    let error = read(&story.id, &batches).unwrap_err();
    assert_eq!(error.kind(), crate::store::ErrorKind::Broken);
    assert!(error.message().contains("version 2"), "{error}");
}
