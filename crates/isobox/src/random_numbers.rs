//! The random numbers of the operating system.

/// Returns a number for an ID, and one for a seed.
pub(crate) fn random_numbers() -> (u128, u64) {
    let mut name = [0; 16];
    let mut seed = [0; 8];
    let mut bytes = [0; 24];
    getrandom::fill(&mut bytes).expect("the operating system has random numbers");
    name.copy_from_slice(&bytes[..16]);
    seed.copy_from_slice(&bytes[16..]);
    (u128::from_le_bytes(name), u64::from_le_bytes(seed))
}
