//! Keeps what loading a program has written to the memory of the guest, because the same program is often run many times.
//!
//! Loading depends on nothing but the message to the guest, and on the limits that are part of the key. So what it has
//! written is the same in every instance, and writing it takes less time than compiling the program again. It never leaves
//! the process, and never comes from outside.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use crate::pages::PAGE;
use crate::pooled_instance::Image;

/// The maximum size of each of the two generations, in bytes.
const GENERATION: usize = 8 << 20;
/// The maximum size of a kept program, in bytes.
const LARGEST: usize = 1 << 20;
/// The maximum size of the programs that came once, in bytes: some dozen. They are kept as whole pages, which takes less time.
const CAME_ONCE: usize = 2 << 20;
/// The maximum size of one of them, in bytes. A larger one is kept when it comes for the second time.
const LARGEST_OF_ONCE: usize = 256 << 10;
/// The number of programs that are recognised when they come for the second time.
const RECOGNISED: usize = 4096;

/// The programs that came at least twice, within bounds. When the young generation is full, it replaces the old one,
/// whose programs are dropped unless they came again since. The last few programs that came once wait beside them, and are
/// dropped if others come before they come again.
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
    /// The programs that came once, the last one at the end.
    once: VecDeque<(u64, Arc<LoadedProgram>)>,
    once_size: usize,
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

/// The acquaintance with a program that is about to be loaded.
pub(crate) enum Acquaintance {
    /// The program comes for the first time.
    Unknown,
    /// The program came before, and its memory is not kept any more.
    Known,
    /// The program came before, and its memory is kept.
    Kept(Arc<LoadedProgram>),
}

impl Default for KeptPrograms {
    fn default() -> Self {
        let (young, old) = (HashMap::new(), HashMap::new());
        let (once, seen) = (VecDeque::new(), vec![0; RECOGNISED].into());
        let inner = Inner { seen, young, old, young_size: 0, once, once_size: 0 };
        Self { hasher: RandomState::new(), inner: Mutex::new(inner) }
    }
}

impl KeptPrograms {
    /// Looks up a program by everything that loading it depends on.
    pub(crate) fn meet(&self, key: &[u8], image: &Image) -> Acquaintance {
        let hash = self.hasher.hash_one(key);
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let found = inner.young.get(&hash).map(Arc::clone).or_else(|| {
            let found = match inner.old.remove(&hash) {
                Some(aged) => aged,
                None => Arc::new(inner.take_once(hash)?.compacted(image)),
            };
            inner.add(hash, Arc::clone(&found));
            Some(found)
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
    pub(crate) fn keep(&self, key: &[u8], acquaintance: &Acquaintance, memory: &[u8], image: &Image) {
        if memory.len() != image.memory.len() {
            return;
        }
        let changed = image.changed_pages(memory);
        let size = changed.len() * PAGE;
        if matches!(acquaintance, Acquaintance::Unknown) && size > LARGEST_OF_ONCE {
            return;
        }
        let mut program = LoadedProgram { key: key.into(), ranges: Vec::new(), bytes: Vec::with_capacity(size) };
        for (page, content) in changed {
            program.add(page * PAGE, content);
        }
        let hash = self.hasher.hash_one(key);
        let add = |what: fn(&mut Inner, u64, Arc<LoadedProgram>), program: LoadedProgram| {
            what(&mut self.inner.lock().unwrap_or_else(PoisonError::into_inner), hash, Arc::new(program));
        };
        match acquaintance {
            Acquaintance::Unknown => add(Inner::add_once, program),
            Acquaintance::Known => {
                let program = program.compacted(image);
                if program.size() <= LARGEST {
                    add(Inner::add, program);
                }
            }
            Acquaintance::Kept(_) => {}
        }
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

    fn add_once(&mut self, hash: u64, program: Arc<LoadedProgram>) {
        // It may have been loaded in two instances at the same time.
        drop(self.take_once(hash));
        self.once_size += program.size();
        self.once.push_back((hash, program));
        while self.once_size > CAME_ONCE {
            let Some((_, first)) = self.once.pop_front() else { return };
            self.once_size -= first.size();
        }
    }

    fn take_once(&mut self, hash: u64) -> Option<Arc<LoadedProgram>> {
        let place = self.once.iter().position(|(other, _)| *other == hash)?;
        let (_, program) = self.once.remove(place)?;
        self.once_size -= program.size();
        Some(program)
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

    /// Returns the same difference without what does not differ.
    fn compacted(&self, image: &Image) -> Self {
        let mut compact = Self { key: self.key.clone(), ranges: Vec::new(), bytes: Vec::new() };
        let mut rest = &self.bytes[..];
        for range in &self.ranges {
            let (content, after) = rest.split_at(range.len());
            for (line, content) in content.as_chunks::<LINE>().0.iter().enumerate() {
                let start = range.start + line * LINE;
                if *content != image.memory[start..start + LINE] {
                    compact.add(start, content);
                }
            }
            rest = after;
        }
        compact
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

    fn kept(acquaintance: &Acquaintance) -> bool {
        matches!(acquaintance, Acquaintance::Kept(_))
    }

    fn image(pages: usize) -> Image {
        Image { memory: vec![0; pages * PAGE].into(), stack_pointer: 0, tells_private_pages: false }
    }

    #[test]
    fn a_program_is_kept_when_it_comes_again_and_others_are_forgotten_within_bounds() {
        let (programs, image) = (KeptPrograms::default(), image(20));
        let memory = vec![1; image.memory.len()];
        let first = programs.meet(b"often", &image);
        assert!(matches!(first, Acquaintance::Unknown));
        programs.keep(b"often", &first, &memory, &image);
        assert!(kept(&programs.meet(b"often", &image)), "it is used when it comes for the second time");
        for number in 0..500_u32 {
            let key = number.to_le_bytes();
            programs.keep(&key, &Acquaintance::Known, &memory, &image);
            let Acquaintance::Kept(found) = programs.meet(b"often", &image) else { panic!("it is kept") };
            let mut written = image.memory.clone();
            found.write(&mut written);
            assert!(*written == *memory);
            let inner = programs.inner.lock().expect("nothing panics");
            assert!((inner.young.len() + inner.old.len()) * 20 * PAGE < 3 * GENERATION);
        }
        assert!(!kept(&programs.meet(&0_u32.to_le_bytes(), &image)), "it was not used for long");
    }

    #[test]
    fn programs_that_come_once_take_the_place_of_none_that_came_again() {
        let (programs, image) = (KeptPrograms::default(), image(20));
        let memory = vec![1; image.memory.len()];
        for key in [&b"often"[..], b"often"] {
            programs.keep(key, &programs.meet(key, &image), &memory, &image);
        }
        for number in 0..1000_u32 {
            let key = number.to_le_bytes();
            programs.keep(&key, &programs.meet(&key, &image), &memory, &image);
        }
        {
            let inner = programs.inner.lock().expect("nothing panics");
            assert_eq!((inner.young.len(), inner.old.len()), (1, 0));
            assert!(
                inner.once.len() > 4 && inner.once_size <= CAME_ONCE,
                "{} in {}",
                inner.once.len(),
                inner.once_size
            );
        }
        assert!(kept(&programs.meet(b"often", &image)));
        // Where two programs have the same place in the table, the first one is forgotten.
        let known = (0..900_u32).find(|number| {
            let (key, is_known) = (number.to_le_bytes(), |met: &_| matches!(met, Acquaintance::Known));
            let met = Some(programs.meet(&key, &image)).filter(is_known);
            met.map(|met| programs.keep(&key, &met, &memory, &image)).is_some()
        });
        let known = known.expect("most are recognised, and were dropped");
        assert!(kept(&programs.meet(&known.to_le_bytes(), &image)));
    }

    #[test]
    fn programs_that_are_large_or_have_grown_are_not_kept() {
        let (programs, image) = (KeptPrograms::default(), image(300));
        programs.keep(b"large", &Acquaintance::Known, &vec![1; image.memory.len()], &image);
        programs.keep(b"grown", &Acquaintance::Known, &vec![0; image.memory.len() + PAGE], &image);
        let some = [vec![1; 70 * PAGE], vec![0; 230 * PAGE]].concat();
        programs.keep(b"large at first", &Acquaintance::Unknown, &some, &image);
        for key in [&b"large"[..], b"grown", b"large at first"] {
            assert!(!kept(&programs.meet(key, &image)));
        }
        programs.keep(b"large at first", &Acquaintance::Known, &some, &image);
        assert!(kept(&programs.meet(b"large at first", &image)));
    }
}
