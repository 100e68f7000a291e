//! Keeps what loading a program has written to the memory of the guest, because the same program is often run many times.
//!
//! Loading depends on nothing but the message to the guest, and on the limits that are part of the key. So what it has
//! written is the same in every instance, and writing it takes less time than compiling the program again. It never leaves
//! the process, and never comes from outside.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use crate::pages::{PAGE, changed_pages};

/// The maximum size of each of the two generations, in bytes.
const GENERATION: usize = 8 << 20;
/// The maximum size of a kept program, in bytes.
const LARGEST: usize = 1 << 20;
/// The number of programs that are recognised when they come for the second time.
const RECOGNISED: usize = 4096;

/// The programs that came at least twice, within bounds. When the young generation is full, it replaces the old one,
/// whose programs are dropped unless they came again since.
pub(crate) struct KeptPrograms {
    hasher: RandomState,
    inner: Mutex<Inner>,
}

struct Inner {
    /// The hashes of programs that came once. A wrong one only keeps a program too early.
    seen: Box<[u64]>,
    young: HashMap<u64, Arc<LoadedProgram>>,
    old: HashMap<u64, Arc<LoadedProgram>>,
    young_size: usize,
}

/// The memory of a guest that has loaded a program, as its difference from the image.
pub(crate) struct LoadedProgram {
    key: Box<[u8]>,
    /// The ranges that differ, in order.
    ranges: Vec<Range<usize>>,
    /// Their content, one after the other.
    bytes: Vec<u8>,
}

/// The granularity of the difference, in bytes. Most pages differ in a few places only.
const LINE: usize = 64;

/// What is known about a program that is about to be loaded.
pub(crate) enum Acquaintance {
    /// It came for the first time.
    Unknown,
    /// It came before: its memory is worth keeping.
    Known,
    /// Its memory is kept.
    Kept(Arc<LoadedProgram>),
}

impl Default for KeptPrograms {
    fn default() -> Self {
        let (young, old) = (HashMap::new(), HashMap::new());
        let inner = Inner { seen: vec![0; RECOGNISED].into(), young, old, young_size: 0 };
        Self { hasher: RandomState::new(), inner: Mutex::new(inner) }
    }
}

impl KeptPrograms {
    /// Looks up a program by everything that loading it depends on.
    pub(crate) fn meet(&self, key: &[u8]) -> Acquaintance {
        let hash = self.hasher.hash_one(key);
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let found = inner.young.get(&hash).map(Arc::clone).or_else(|| {
            let aged = inner.old.remove(&hash)?;
            inner.add(hash, Arc::clone(&aged));
            Some(aged)
        });
        if let Some(found) = found.filter(|found| *found.key == *key) {
            return Acquaintance::Kept(found);
        }
        let place = usize::try_from(hash % RECOGNISED as u64).expect("it is below a usize");
        match std::mem::replace(&mut inner.seen[place], hash) == hash {
            true => Acquaintance::Known,
            false => Acquaintance::Unknown,
        }
    }

    /// Keeps what loading a program has written. Does nothing if the memory has grown, or if it is too much.
    pub(crate) fn keep(&self, key: &[u8], memory: &[u8], image: &[u8]) {
        if memory.len() != image.len() {
            return;
        }
        let mut program = LoadedProgram { key: key.into(), ranges: Vec::new(), bytes: Vec::new() };
        for (page, content) in changed_pages(memory, image) {
            for (line, content) in content.as_chunks::<LINE>().0.iter().enumerate() {
                let start = page * PAGE + line * LINE;
                if *content != image[start..start + LINE] {
                    program.add(start, content);
                }
            }
            if program.size() > LARGEST {
                return;
            }
        }
        let hash = self.hasher.hash_one(key);
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).add(hash, Arc::new(program));
    }
}

impl Inner {
    fn add(&mut self, hash: u64, program: Arc<LoadedProgram>) {
        self.young_size += program.size();
        self.young.insert(hash, program);
        if self.young_size > GENERATION {
            self.old = std::mem::take(&mut self.young);
            self.young_size = 0;
        }
    }
}

impl LoadedProgram {
    /// Writes the difference into a memory that equals the image.
    pub(crate) fn write(&self, memory: &mut [u8]) {
        let mut rest = &self.bytes[..];
        for range in &self.ranges {
            let (content, after) = rest.split_at(range.len());
            memory[range.clone()].copy_from_slice(content);
            rest = after;
        }
    }

    fn add(&mut self, start: usize, content: &[u8]) {
        match self.ranges.last_mut() {
            Some(last) if last.end == start => last.end += content.len(),
            _ => self.ranges.push(start..start + content.len()),
        }
        self.bytes.extend(content);
    }

    fn size(&self) -> usize {
        const BESIDE: usize = 256;
        self.key.len() + self.bytes.len() + self.ranges.len() * size_of::<Range<usize>>() + BESIDE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_kept_when_it_comes_again_and_others_are_forgotten_within_bounds() {
        let (kept, image) = (KeptPrograms::default(), vec![0; 100 * PAGE]);
        let memory = vec![1; image.len()];
        assert!(matches!(kept.meet(b"often"), Acquaintance::Unknown));
        assert!(matches!(kept.meet(b"often"), Acquaintance::Known));
        kept.keep(b"often", &memory, &image);
        for number in 0..100_u32 {
            kept.keep(&number.to_le_bytes(), &memory, &image);
            let Acquaintance::Kept(found) = kept.meet(b"often") else { panic!("it is kept") };
            let mut written = image.clone();
            found.write(&mut written);
            assert!(written == memory);
            let inner = kept.inner.lock().expect("nothing panics");
            assert!(inner.young.len() + inner.old.len() < 60);
        }
        assert!(matches!(kept.meet(&0_u32.to_le_bytes()), Acquaintance::Unknown), "it was not used for long");
    }

    #[test]
    fn programs_that_are_large_or_have_grown_are_not_kept() {
        let (kept, image) = (KeptPrograms::default(), vec![0; 300 * PAGE]);
        kept.keep(b"large", &vec![1; image.len()], &image);
        kept.keep(b"grown", &vec![0; image.len() + PAGE], &image);
        for key in [b"large", b"grown"] {
            assert!(!matches!(kept.meet(key), Acquaintance::Kept(_)));
        }
    }
}
