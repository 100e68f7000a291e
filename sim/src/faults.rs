//! What goes wrong, and how often.

use std::collections::BTreeMap;

use crate::random::Random;
use crate::trace::Trace;

/// What can go wrong below an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// A write fails, and nothing is written.
    LostWrite,
    /// It is written, and reported as failed.
    TornWrite,
    /// It is written, and tried again.
    DuplicateWrite,
    /// The process dies before it is written.
    CrashBeforeWrite,
    /// The process dies after it is written and before it knows.
    CrashAfterWrite,
    /// What is stored cannot be read now.
    FailingRead,
    /// There is no checkpoint any more.
    CheckpointMissing,
    /// A checkpoint is not what was stored.
    CheckpointDamaged,
    /// No snapshot could be taken.
    NoSnapshot,
    /// No instance is free.
    SandboxFull,
    /// It is written, and its process hears of it, and of everything after it, much later.
    HeldBack,
    /// Nobody reaches the store for a while.
    Outage,
}

impl Fault {
    /// Those that every world has had since there are worlds.
    const USUAL: [Self; 10] = [
        Self::LostWrite,
        Self::TornWrite,
        Self::DuplicateWrite,
        Self::CrashBeforeWrite,
        Self::CrashAfterWrite,
        Self::FailingRead,
        Self::CheckpointMissing,
        Self::CheckpointDamaged,
        Self::NoSnapshot,
        Self::SandboxFull,
    ];

    /// Those that take time, with random numbers of their own: old seeds are the same stories.
    const SLOW: [Self; 2] = [Self::HeldBack, Self::Outage];

    /// Those of a write, of which one at a time happens.
    pub const OF_WRITES: [Self; 5] =
        [Self::LostWrite, Self::TornWrite, Self::DuplicateWrite, Self::CrashBeforeWrite, Self::CrashAfterWrite];

    /// Those of a batch that is added to a journal: much may follow from its acknowledgement.
    pub const OF_APPENDS: [Self; 6] = [
        Self::HeldBack,
        Self::LostWrite,
        Self::TornWrite,
        Self::DuplicateWrite,
        Self::CrashBeforeWrite,
        Self::CrashAfterWrite,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::LostWrite => "fault: lost write",
            Self::TornWrite => "fault: torn write",
            Self::DuplicateWrite => "fault: duplicate write",
            Self::CrashBeforeWrite => "fault: crash before write",
            Self::CrashAfterWrite => "fault: crash after write",
            Self::FailingRead => "fault: failing read",
            Self::CheckpointMissing => "fault: checkpoint missing",
            Self::CheckpointDamaged => "fault: checkpoint damaged",
            Self::NoSnapshot => "fault: no snapshot",
            Self::SandboxFull => "fault: sandbox full",
            Self::HeldBack => "fault: held back",
            Self::Outage => "fault: outage",
        }
    }
}

/// Decides what goes wrong. After so many times nothing does any more, so that everything has to come to an end.
pub struct Faults {
    random: Random,
    slow: Random,
    trace: Trace,
    /// How often of a thousand times.
    rates: BTreeMap<Fault, u64>,
    left: u64,
    slow_left: BTreeMap<Fault, u64>,
}

impl Faults {
    /// Some of them; in one world of eight none at all.
    pub fn new(mut random: Random, mut slow: Random, trace: Trace) -> Self {
        let mut rates = BTreeMap::new();
        // An outage may begin with everything that is asked for, and an answer is held back only of an append.
        let (outages, held_back) = (2 + slow.below(15), 50 + slow.below(400));
        rates.extend([(Fault::Outage, outages), (Fault::HeldBack, held_back)]);
        let slow_left = Fault::SLOW.map(|fault| (fault, if slow.percent(40) { slow.below(4) } else { 0 })).into();
        if !random.percent(12) {
            for fault in Fault::USUAL {
                if random.percent(45) {
                    rates.insert(fault, 5 + random.below(120));
                }
            }
        }
        let left = random.below(12);
        Self { random, slow, trace, rates, left, slow_left }
    }

    /// Whether this goes wrong now.
    pub fn happens(&mut self, fault: Fault) -> bool {
        let rate = self.rates.get(&fault).copied().unwrap_or_default();
        let (random, left) = match self.slow_left.get_mut(&fault) {
            Some(left) => (&mut self.slow, left),
            None => (&mut self.random, &mut self.left),
        };
        if *left == 0 || rate == 0 || random.below(1000) >= rate {
            return false;
        }
        *left -= 1;
        self.trace.count(fault.name(), "");
        true
    }

    /// How long something takes that takes long, in milliseconds: often longer than a lease.
    pub fn long(&mut self) -> u64 {
        500 + self.slow.below(150_000)
    }

    /// Whether a store that failed will fail again.
    pub fn is_permanent(&mut self) -> bool {
        self.slow.percent(30)
    }

    /// Nothing goes wrong any more.
    pub fn stop(&mut self) {
        self.left = 0;
        self.slow_left.values_mut().for_each(|left| *left = 0);
    }
}
