//! One of the executions of a simulated world, and those who have to do with it.

use std::sync::{Arc, Mutex};

use isobox_core::store::{MemoryStore, Part, Store};
use isobox_core::{ExecutionId, Failure, Outcome};

use crate::executor::Executor;
use crate::people::Sayings;
use crate::program::{Body, Repetition, generate};
use crate::random::Random;
use crate::store::now;

/// An execution.
pub struct Subject {
    /// Its name.
    pub id: ExecutionId,
    /// What runs.
    pub program: Body,
    /// With whom it shares decisions.
    pub session: Option<&'static str>,
    /// Whether somebody has asked for it.
    pub has_begun: bool,
    /// Tasks that run it.
    pub tasks: Vec<u64>,
    /// Tasks that decide about it.
    pub talks: Vec<u64>,
    /// What people said to it.
    pub sayings: Sayings,
    /// What those were told who ran it.
    pub told: Arc<Mutex<Vec<Result<Outcome, Failure>>>>,
}

impl Subject {
    /// One for which nobody has asked yet.
    pub fn new(id: ExecutionId, program: Body, session: Option<&'static str>) -> Self {
        Self {
            id,
            program,
            session,
            has_begun: false,
            tasks: Vec::new(),
            talks: Vec::new(),
            sayings: Sayings::default(),
            told: Arc::default(),
        }
    }

    /// Whether nobody runs it or decides about it, but for those who stand still.
    pub fn is_quiet(&mut self, executor: &Executor) -> bool {
        self.tasks.retain(|task| executor.is_running(*task));
        self.talks.retain(|task| executor.is_running(*task));
        self.tasks.iter().all(|task| executor.stands_still(*task)) && self.talks.is_empty()
    }

    /// Where it stands.
    pub fn stage(&self, store: &MemoryStore) -> Stage {
        if !self.has_begun {
            return Stage::ToCome;
        }
        match now(store.load(&self.id, Part::Whole)) {
            Ok(stored) if stored.head.status.is_over() => Stage::Over,
            Ok(_) => Stage::UnderWay,
            Err(_) => Stage::Gone,
        }
    }
}

/// Where an execution stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Nobody has asked for it.
    ToCome,
    /// It goes on.
    UnderWay,
    /// It has ended.
    Over,
    /// It was removed, or never began.
    Gone,
}

/// The executions of a world: one, or several that share what is decided.
pub fn subjects(seed: u64, random: &mut Random, memory: Option<&mut Random>) -> Vec<Subject> {
    let Some(memory) = memory else {
        return vec![Subject::new(ExecutionId::new(seed, 0), generate(random, Repetition::Never), None)];
    };
    let count = 2 + memory.below(3);
    let subject = |number: u64| {
        let program = generate(random, Repetition::Often);
        let session = match memory.below(10) {
            0 => None,
            1 => Some("another"),
            _ => Some("shared"),
        };
        Subject::new(ExecutionId::new(seed, number.into()), program, session)
    };
    (0..count).map(subject).collect()
}
