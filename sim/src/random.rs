//! Random numbers, all derived from one seed.

/// A random number generator with a seed (SplitMix64).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Creates a generator with a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed ^ 0x6a09_e667_f3bc_c908)
    }

    /// Creates an independent generator, which does not depend on later use of this one.
    #[must_use]
    pub fn fork(&mut self) -> Self {
        Self(self.draw())
    }

    /// Returns the next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        scramble(self.0)
    }

    /// Returns a number below a bound, or 0 if the bound is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.draw() % bound.max(1)
    }

    /// Returns true with a probability in percent.
    pub fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// Returns a random element.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        let place = self.below(from.len() as u64);
        &from[usize::try_from(place).expect("it is below the length")]
    }
}

/// Returns a hash of a text that serves as a random number.
pub fn hash(seed: u64, text: &str) -> u64 {
    text.bytes().fold(scramble(seed), |hash, byte| scramble(hash ^ u64::from(byte)))
}

fn scramble(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
