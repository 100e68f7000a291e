//! Bounds the work for the entries of a transcript. Its author is unknown, and a few bytes of some entries look at everything
//! that there was before.

use super::{Transcript, reading};
use crate::Failure;
use crate::journal::{CallProgress, Entry, JournalCall, JournalState, Remember};

/// The maximum number of calls that entries look at, beside their own.
const MAX_VISITS: usize = 200_000_000;
/// The number of answers that are passed over in the time for a call.
const ANSWERS_PER_VISIT: usize = 16;
/// The maximum number of rollbacks. Each may have the end of the program again.
const MAX_ROLLBACKS: usize = 1_000;
/// A call that a store restored from a backup asks about takes as long as this many that are passed over.
const QUESTION: usize = 8;

/// The work for the entries so far.
#[derive(Debug, Default)]
pub(super) struct Effort {
    visits: usize,
    rollbacks: usize,
    /// The bytes and the values of the inputs that decisions remember.
    remembered: (usize, usize),
}

impl Effort {
    /// Counts the entry that is applied to a state next.
    pub(super) fn add(&mut self, state: &JournalState, entry: &Entry) -> Result<(), Failure> {
        match entry {
            // One that has settled before takes another place among the answers.
            Entry::Settled(settled) if state.call(settled.seq).is_some_and(has_settled) => self.search_answers(state),
            Entry::Rollback(_) => {
                self.rollbacks += 1;
                self.visit(state.reverts.len());
            }
            Entry::Step(step) => {
                if !step.answers.is_empty() {
                    self.search_answers(state);
                }
                for (earlier, asked) in step.calls.iter().enumerate() {
                    // A call of a snippet comes before later calls of the program.
                    if asked.seq.parent().is_some() {
                        let place = state.calls.partition_point(|call| call.seq < asked.seq);
                        self.visit(state.calls.len() - place + earlier);
                    }
                }
            }
            Entry::Paused(pause) if pause.restored_by.is_some() => {
                self.visit(state.open_calls().len().saturating_mul(QUESTION));
            }
            Entry::Decided(decided) if decided.decision.remember != Remember::Nothing => {
                if let Some(open) = state.open_call(decided.decision.seq) {
                    let input = open.input.get();
                    let (bytes, values) = &mut self.remembered;
                    *bytes = bytes.saturating_add(input.len());
                    *values += input.bytes().filter(|byte| matches!(byte, b'[' | b'{' | b',')).count();
                }
            }
            _ => {}
        }
        let (bytes, values) = self.remembered;
        if self.visits > MAX_VISITS
            || self.rollbacks > MAX_ROLLBACKS
            || !Transcript::MAX_SIZE.holds(bytes)
            || values > reading::MAX_VALUES
        {
            return Err(reading::invalid("its entries take more work than those of any execution"));
        }
        Ok(())
    }

    /// Counts a search among the answers that are not delivered yet.
    fn search_answers(&mut self, state: &JournalState) {
        self.visit(state.undelivered.len() / ANSWERS_PER_VISIT);
    }

    fn visit(&mut self, calls: usize) {
        self.visits = self.visits.saturating_add(calls);
    }
}

fn has_settled(call: &JournalCall) -> bool {
    matches!(call.progress, CallProgress::Settled { .. })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::Code;

    fn entry(json: Value) -> Entry {
        serde_json::from_value(json).unwrap()
    }

    fn step(calls: &[Value]) -> Entry {
        entry(json!({ "step": { "clock": 1, "used": { "wall": 1, "cpu": 1 }, "calls": calls } }))
    }

    fn call(seq: &str, input: &str) -> Value {
        json!({ "seq": seq, "what": { "tool": { "path": "a", "input": input } } })
    }

    /// Returns how many times an entry can be applied to the state after a step.
    fn times(calls: &[Value], entry: &Entry) -> usize {
        let (mut state, mut effort) = (JournalState::default(), Effort::default());
        state.apply(step(calls)).unwrap();
        let refused = (0..1_000_000).find_map(|time| Some((time, effort.add(&state, entry).err()?)));
        let (times, failure) = refused.expect("it is refused at some time");
        assert_eq!(failure.code, Code::Serialization);
        times
    }

    #[test]
    fn the_work_for_entries_that_look_at_all_others_is_bounded() {
        let calls: Vec<Value> = (0..10_000).map(|number| call(&number.to_string(), "x")).collect();
        let restored = entry(json!({ "paused": { "at": 1, "used": { "wall": 1, "cpu": 1 }, "restoredBy": "ada" } }));
        assert_eq!(times(&calls, &restored), MAX_VISITS / (10_000 * QUESTION));
        let nested = step(&[call("0.0", "x")]);
        assert_eq!(times(&calls, &nested), MAX_VISITS / 9_999);
        let decided = |seq: &str| {
            let decision =
                json!({ "seq": seq, "asked": 1, "verdict": "approve", "by": "ada", "remember": "execution" });
            entry(json!({ "decided": { "decision": decision, "at": 1 } }))
        };
        let asking =
            entry(json!({ "rollback": { "by": "ada", "at": 1, "first": "10000", "reverts": [], "left": [] } }));
        assert_eq!(times(&calls, &asking), MAX_ROLLBACKS);
        let long = [call("0", &"x".repeat(1 << 20)), call("1", &",".repeat(1 << 20))];
        assert_eq!((times(&long, &decided("0")), times(&long, &decided("1"))), (63, 3));
    }
}
