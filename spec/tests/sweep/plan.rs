//! The plan of a sweep: cases, stores and moments.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use isobox::journal::ResumedFrom;
use isobox_spec::sweep::{Harm, Order};
use isobox_spec::{Case, StoreKind};

const USAGE: &str = "usage: sweep [--whole] [--seed N] [--store memory|sqlite|postgres]… [--at MOMENT] [FILTER]";

/// The default seed. It is fixed, so that no case fails by chance. The soak tries all moments.
const SEED: u64 = 1;

/// The command that this process was started with.
pub(crate) enum Command {
    /// Run one case, and die at the given moment.
    Child(Box<Order>),
    /// Run the sweep.
    Sweep(Plan),
}

/// The plan of a sweep.
pub(crate) struct Plan {
    pub(crate) stores: Vec<StoreKind>,
    /// The text that the names of the cases contain.
    pub(crate) filter: String,
    pub(crate) moments: Moments,
}

/// The moments at which processes are harmed.
#[derive(Clone, Copy)]
pub(crate) enum Moments {
    /// Every moment.
    All,
    /// One moment.
    One(u64),
    /// Some moments, selected by a seed.
    Some { seed: u64 },
}

/// One harm to a process.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Blow {
    pub(crate) at: u64,
    pub(crate) harm: Harm,
    /// How the program is resumed. If none, both ways are tried.
    pub(crate) from: Option<ResumedFrom>,
}

impl Blow {
    fn crash(at: u64, from: Option<ResumedFrom>) -> Self {
        Self { at, harm: Harm::Crash, from }
    }

    /// The state that the program is resumed from does not matter to the process that is held up.
    fn hold_up(at: u64) -> Self {
        Self { at, harm: Harm::HeldBack, from: Some(ResumedFrom::Snapshot) }
    }
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
            Moments::All => formatter.write_str("a crash and a late acknowledgement at every moment"),
            Moments::One(at) => write!(formatter, "a crash and a late acknowledgement at moment {at}"),
            Moments::Some { seed } => {
                write!(formatter, "crashes and late acknowledgements at some moments (--seed {seed})")
            }
        }
    }
}

impl Moments {
    /// Checks whether a case is tried. Child processes are slow, and cases without calls have few moments.
    pub(crate) fn has(self, case: &Case, store: StoreKind) -> bool {
        let Self::Some { seed } = self else { return true };
        let one_in = match (store, case.header.expect.calls.is_empty()) {
            (StoreKind::Memory, _) => 1,
            (StoreKind::Sqlite | StoreKind::Postgres, true) => 50,
            (StoreKind::Sqlite | StoreKind::Postgres, false) => 8,
        };
        number(seed, case, store, "whether").is_multiple_of(one_in)
    }

    /// Returns the blows to a case that has this many moments.
    pub(crate) fn blows(self, case: &Case, store: StoreKind, moments: u64) -> Vec<Blow> {
        let both = |at| [Blow::crash(at, None), Blow::hold_up(at)];
        let seed = match self {
            Self::All => return (1..=moments).flat_map(both).collect(),
            Self::One(at) => return both(at).to_vec(),
            Self::Some { seed } => seed,
        };
        let some = |what: &str| number(seed, case, store, what) % moments.max(1) + 1;
        let from = match number(seed, case, store, "from") % 2 {
            0 => ResumedFrom::Snapshot,
            _ => ResumedFrom::Journal,
        };
        let mut blows = vec![Blow::crash(some("at"), Some(from))];
        // The lease of the process has to expire.
        let one_in = match store {
            StoreKind::Memory => 8,
            StoreKind::Sqlite | StoreKind::Postgres => 1,
        };
        if number(seed, case, store, "whether it is held up").is_multiple_of(one_in) {
            blows.push(Blow::hold_up(some("held up at")));
        }
        blows
    }
}

/// A number that only the seed and what it is for decide.
fn number(seed: u64, case: &Case, store: StoreKind, what: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (seed, &case.name, store.as_str(), what).hash(&mut hasher);
    hasher.finish()
}
