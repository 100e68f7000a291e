//! The injected faults and their rates.

use std::collections::BTreeMap;

use crate::random::Random;
use crate::trace::Trace;

/// A fault below an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// A write fails, and nothing is written.
    LostWrite,
    /// A write succeeds and is reported as failed.
    TornWrite,
    /// A write succeeds and is repeated.
    DuplicateWrite,
    /// The process dies before the write.
    CrashBeforeWrite,
    /// The process dies after the write, before it knows.
    CrashAfterWrite,
    /// A read fails.
    FailingRead,
    /// The checkpoint is missing.
    CheckpointMissing,
    /// The checkpoint differs from what was stored.
    CheckpointDamaged,
    /// A snapshot could not be taken.
    NoSnapshot,
    /// No instance is free.
    SandboxFull,
    /// A write succeeds, and its process gets this answer and all later ones much later.
    HeldBack,
    /// The store cannot be reached for a while.
    Outage,
}

impl Fault {
    /// The original faults of every world.
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

    /// Faults that take time. They use separate random numbers, so that old seeds still give the same runs.
    const SLOW: [Self; 2] = [Self::HeldBack, Self::Outage];

    /// The faults of a write, of which at most one happens at a time.
    pub const OF_WRITES: [Self; 5] =
        [Self::LostWrite, Self::TornWrite, Self::DuplicateWrite, Self::CrashBeforeWrite, Self::CrashAfterWrite];

    /// The faults of a batch that is appended to a journal, where the acknowledgement has many consequences.
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

/// Decides which faults happen. Their number is limited, so that every execution can end.
pub struct Faults {
    random: Random,
    slow: Random,
    trace: Trace,
    /// The rate of each fault per thousand.
    rates: BTreeMap<Fault, u64>,
    left: u64,
    slow_left: BTreeMap<Fault, u64>,
}

impl Faults {
    /// Chooses some of the faults; in one of eight worlds none.
    pub fn new(mut random: Random, mut slow: Random, trace: Trace) -> Self {
        let mut rates = BTreeMap::new();
        // An outage may begin with every request; only the answer of an append is held back.
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

    /// Tells whether a fault happens now.
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

    /// Returns the duration of something slow in milliseconds, often longer than a lease.
    pub fn long(&mut self) -> u64 {
        500 + self.slow.below(150_000)
    }

    /// Tells whether a failed store will fail again.
    pub fn is_permanent(&mut self) -> bool {
        self.slow.percent(30)
    }

    /// Lets further faults happen, because the world goes on with something else.
    pub fn go_on(&mut self, more: u64) {
        self.left = self.left.max(more);
    }

    /// Stops all faults.
    pub fn stop(&mut self) {
        self.left = 0;
        self.slow_left.values_mut().for_each(|left| *left = 0);
    }
}
