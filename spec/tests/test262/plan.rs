//! What is to be run.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

const USAGE: &str =
    "usage: test262 [--whole | --sample N] [--seed N] [--unpatched PROGRAM] [--report FILE] [--prune] [FILTER]";

/// By default the same tests are run every time, so that no test fails by chance. The soak runs all.
const SEED: u64 = 1;
const SAMPLE: usize = 1500;

/// What is to be run.
pub(crate) struct Plan {
    pub(crate) tests: Tests,
    /// The engine to compare with: the program that `build_unpatched.py` makes.
    pub(crate) unpatched: Option<PathBuf>,
    /// The file for what came of each test.
    pub(crate) report: Option<PathBuf>,
    /// Whether tests that pass are taken off the list of expected failures.
    pub(crate) prunes: bool,
}

/// Which tests are run.
pub(crate) enum Tests {
    All,
    /// Some, by a seed.
    Sample {
        count: usize,
        seed: u64,
    },
    /// Those with this in their name.
    Named(String),
}

impl Plan {
    pub(crate) fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let (mut count, mut seed, mut is_whole, mut filter) = (SAMPLE, SEED, false, None);
        let (mut unpatched, mut report, mut prunes) = (None, None, false);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(USAGE);
            match argument.as_str() {
                "--whole" => is_whole = true,
                "--sample" => count = value()?.parse().map_err(|_| USAGE)?,
                "--seed" => seed = value()?.parse().map_err(|_| USAGE)?,
                "--unpatched" => unpatched = Some(value()?.into()),
                "--report" => report = Some(value()?.into()),
                "--prune" => prunes = true,
                flag if flag.starts_with("--") => return Err(USAGE.to_owned()),
                name => filter = Some(name.to_owned()),
            }
        }
        let tests = match filter {
            Some(filter) => Tests::Named(filter),
            None if is_whole => Tests::All,
            None => Tests::Sample { count, seed },
        };
        Ok(Self { tests, unpatched, report, prunes })
    }
}

impl Tests {
    /// Returns the tests that are run, in order.
    pub(crate) fn select(&self, mut names: Vec<String>) -> Vec<String> {
        match self {
            Self::All => {}
            Self::Named(filter) => names.retain(|name| name.contains(filter)),
            Self::Sample { count, seed } => {
                names.sort_by_cached_key(|name| number(*seed, name));
                names.truncate(*count);
                names.sort_unstable();
            }
        }
        names
    }
}

impl fmt::Display for Tests {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => formatter.write_str("all"),
            Self::Sample { seed, .. } => write!(formatter, "a sample (--seed {seed})"),
            Self::Named(filter) => write!(formatter, "those with `{filter}` in their name"),
        }
    }
}

/// A number that only the seed and the name decide.
fn number(seed: u64, name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (seed, name).hash(&mut hasher);
    hasher.finish()
}
