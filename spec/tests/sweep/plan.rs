//! What is to be tried.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use isobox::journal::ResumedFrom;
use isobox_spec::sweep::Order;
use isobox_spec::{Case, StoreKind};

const USAGE: &str = "usage: sweep [--whole] [--seed N] [--store memory|sqlite|postgres]… [--at MOMENT] [FILTER]";

/// By default the same moments are tried every time, so that no case fails by chance. The soak tries all.
const SEED: u64 = 1;

/// What this process is asked for.
pub(crate) enum Command {
    /// To be one of those that die.
    Child(Box<Order>),
    Sweep(Plan),
}

/// What is to be tried.
pub(crate) struct Plan {
    pub(crate) stores: Vec<StoreKind>,
    /// Only cases with this in their name.
    pub(crate) filter: String,
    pub(crate) moments: Moments,
}

/// When processes die.
#[derive(Clone, Copy)]
pub(crate) enum Moments {
    /// At every moment.
    All,
    /// At one.
    One(u64),
    /// At some, by a seed.
    Some { seed: u64 },
}

/// One crash.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crash {
    pub(crate) at: u64,
    /// How the program is brought back; both ways one after the other where this is nothing.
    pub(crate) from: Option<ResumedFrom>,
}

impl Command {
    pub(crate) fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut plan = Plan { stores: Vec::new(), filter: String::new(), moments: Moments::Some { seed: SEED } };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(USAGE);
            match argument.as_str() {
                "--child" => return Ok(Self::Child(Box::new(value()?.parse()?))),
                "--whole" => plan.moments = Moments::All,
                "--seed" => plan.moments = Moments::Some { seed: value()?.parse().map_err(|_| USAGE)? },
                "--at" => plan.moments = Moments::One(value()?.parse().map_err(|_| USAGE)?),
                "--store" => {
                    let name = value()?;
                    let kind = StoreKind::ALL.into_iter().find(|kind| kind.as_str() == name);
                    plan.stores.push(kind.ok_or(USAGE)?);
                }
                flag if flag.starts_with("--") => return Err(USAGE.to_owned()),
                filter => filter.clone_into(&mut plan.filter),
            }
        }
        if plan.stores.is_empty() {
            plan.stores = StoreKind::ALL.to_vec();
        }
        Ok(Self::Sweep(plan))
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.moments {
            Moments::All => formatter.write_str("every moment"),
            Moments::One(at) => write!(formatter, "moment {at}"),
            Moments::Some { seed } => write!(formatter, "some moments (--seed {seed})"),
        }
    }
}

impl Moments {
    /// Whether a case is tried at all. Processes take their time, and most cases make no calls: those have but a handful of
    /// moments.
    pub(crate) fn has(self, case: &Case, store: StoreKind) -> bool {
        let Self::Some { seed } = self else { return true };
        let one_in = match (store, case.header.expect.calls.is_empty()) {
            (StoreKind::Memory, _) => 1,
            (StoreKind::Sqlite | StoreKind::Postgres, true) => 50,
            (StoreKind::Sqlite | StoreKind::Postgres, false) => 8,
        };
        number(seed, case, store, "whether").is_multiple_of(one_in)
    }

    /// The crashes of a case that lives for so many moments when nobody dies.
    pub(crate) fn crashes(self, case: &Case, store: StoreKind, moments: u64) -> Vec<Crash> {
        let seed = match self {
            Self::All => return (1..=moments).map(|at| Crash { at, from: None }).collect(),
            Self::One(at) => return vec![Crash { at, from: None }],
            Self::Some { seed } => seed,
        };
        let from = match number(seed, case, store, "from") % 2 {
            0 => ResumedFrom::Snapshot,
            _ => ResumedFrom::Journal,
        };
        vec![Crash { at: number(seed, case, store, "at") % moments.max(1) + 1, from: Some(from) }]
    }
}

/// A number that only the seed and what it is for decide.
fn number(seed: u64, case: &Case, store: StoreKind, what: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (seed, &case.name, store.as_str(), what).hash(&mut hasher);
    hasher.finish()
}
