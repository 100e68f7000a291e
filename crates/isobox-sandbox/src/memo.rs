//! Caches the answers to preparation tasks, because the same program is often run many times.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use isobox_core::program::Answer;

/// The maximum size of each of the two generations, in bytes.
const GENERATION: usize = 4 << 20;
/// The maximum size of a cached task.
const LARGEST: usize = 64 << 10;

/// Answers by task. When the young generation is full, it replaces the old one, whose answers are dropped unless they
/// were used since.
#[derive(Default)]
pub(crate) struct Memo(Mutex<Generations>);

#[derive(Default)]
struct Generations {
    young: HashMap<Box<[u8]>, Answer>,
    old: HashMap<Box<[u8]>, Answer>,
    young_size: usize,
}

impl Memo {
    /// Returns the cached answer to a task.
    pub(crate) fn recall(&self, task: &[u8]) -> Option<Answer> {
        let mut generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = generations.young.get(task) {
            return Some(answer.clone());
        }
        let (task, answer) = generations.old.remove_entry(task)?;
        generations.add(task, answer.clone());
        Some(answer)
    }

    /// Caches an answer whose text has `size` bytes.
    pub(crate) fn keep(&self, task: Vec<u8>, answer: &Answer, size: usize) {
        if task.len() + size <= LARGEST {
            let mut generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            generations.add(task.into_boxed_slice(), answer.clone());
        }
    }
}

impl Generations {
    fn add(&mut self, task: Box<[u8]>, answer: Answer) {
        // An answer is about as large as its task. The constant covers the map entry.
        self.young_size += 2 * task.len() + 512;
        self.young.insert(task, answer);
        if self.young_size > GENERATION {
            self.old = std::mem::take(&mut self.young);
            self.young_size = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobox_core::program::{Kind, Prepared, Surveyed};
    use std::sync::Arc;

    #[test]
    fn what_is_asked_for_stays_and_the_rest_is_forgotten_within_bounds() {
        let memo = Memo::default();
        let program = Prepared { kind: Kind::Script, files: Vec::new() };
        let answer = Answer::Prepared(Surveyed { program, survey: Arc::default() });
        memo.keep(b"asked for".to_vec(), &answer, 10);
        memo.keep(b"once".to_vec(), &answer, 10);
        for number in 0..5_000_u32 {
            let mut task = number.to_le_bytes().to_vec();
            task.resize(2_000, 0);
            memo.keep(task, &answer, 10);
            assert_eq!(memo.recall(b"asked for"), Some(answer.clone()));
            let generations = memo.0.lock().expect("nothing panics");
            assert!(generations.young.len() + generations.old.len() < 2_000);
        }
        assert_eq!(memo.recall(b"once"), None);
        memo.keep(vec![0; LARGEST], &answer, 10);
        assert_eq!(memo.recall(&vec![0; LARGEST]), None, "it is too large");
    }
}
