//! The bodies of the fuzz targets, compiled and run here, because no other build includes their workspace.

#[path = "../../../../fuzz/bodies/offers.rs"]
mod offers;
#[path = "../../../../fuzz/bodies/parsing.rs"]
mod parsing;

use std::path::Path;

use super::*;

type Target = fn(&[u8]) -> Result<Offer, String>;

/// Returns the seeds of a target.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target);
    let files = std::fs::read_dir(folder).expect("there are seeds").flatten();
    files.map(|file| std::fs::read(file.path()).expect("it can be read")).collect()
}

/// Bytes that mean something in documents.
const BYTES: &[u8] = b"{}[]:,\"#$&*!|- 07azAZ";

/// Returns reproducible changes of a seed: bytes are replaced, left out or repeated.
fn changed(seed: &[u8], mut state: u64) -> Vec<u8> {
    let mut next = |most: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or_default() % most.max(1)
    };
    let mut text = seed.to_vec();
    for _ in 0..1 + next(4) {
        let (from, to, length) = (next(text.len()), next(text.len()), next(40));
        let piece = text[from..(from + length).min(text.len())].to_vec();
        match next(3) {
            0 => text.splice(to..to, piece).for_each(drop),
            1 => text.drain(to..(to + length).min(text.len())).for_each(drop),
            _ => text.get_mut(to).into_iter().for_each(|byte| *byte = BYTES[length % BYTES.len()]),
        }
    }
    text
}

#[test]
fn every_seed_of_the_fuzzer_and_what_is_near_it_is_offered_as_a_whole_or_refused() {
    for (name, target) in [("openapi", openapi as Target), ("graphql", graphql)] {
        let seeds = seeds(name);
        assert!(seeds.len() >= 3, "{name}");
        let mut accepted = 0;
        for seed in &seeds {
            let offer = target(seed).unwrap_or_else(|why| panic!("{name}: {why}: {}", lossy_text(seed)));
            offers::check(&offer, parsing::parses);
            for number in 0..60 {
                if let Ok(offer) = target(&changed(seed, number)) {
                    offers::check(&offer, parsing::parses);
                    accepted += 1;
                }
            }
        }
        assert!(accepted > 0, "no change of a seed of {name} is accepted");
    }
}
