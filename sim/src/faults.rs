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
}

impl Fault {
    const ALL: [Self; 10] = [
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

    /// Those of a write, of which one at a time happens.
    pub const OF_WRITES: [Self; 5] =
        [Self::LostWrite, Self::TornWrite, Self::DuplicateWrite, Self::CrashBeforeWrite, Self::CrashAfterWrite];

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
        }
    }
}

/// Decides what goes wrong. After so many times nothing does any more, so that everything has to come to an end.
pub struct Faults {
    random: Random,
    trace: Trace,
    /// How often of a thousand times.
    rates: BTreeMap<Fault, u64>,
    left: u32,
}

impl Faults {
    /// Some of them; in one world of eight none at all.
    pub fn new(mut random: Random, trace: Trace) -> Self {
        let mut rates = BTreeMap::new();
        if !random.percent(12) {
            for fault in Fault::ALL {
                if random.percent(45) {
                    rates.insert(fault, 5 + random.below(120));
                }
            }
        }
        let left = u32::try_from(random.below(12)).unwrap_or_default();
        Self { random, trace, rates, left }
    }

    /// Whether this goes wrong now.
    pub fn happens(&mut self, fault: Fault) -> bool {
        let rate = self.rates.get(&fault).copied().unwrap_or_default();
        if self.left == 0 || rate == 0 || self.random.below(1000) >= rate {
            return false;
        }
        self.left -= 1;
        self.trace.count(fault.name(), "");
        true
    }

    /// Nothing goes wrong any more.
    pub fn stop(&mut self) {
        self.left = 0;
    }
}
