//! An execution of a simulated world, with its tasks.

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
    /// The id of the execution.
    pub id: ExecutionId,
    /// The program.
    pub program: Body,
    /// The session that shares decisions.
    pub session: Option<&'static str>,
    /// Whether the execution was started.
    pub has_begun: bool,
    /// The tasks that run it.
    pub tasks: Vec<u64>,
    /// The tasks that decide about it.
    pub talks: Vec<u64>,
    /// The instructions sent to it.
    pub sayings: Sayings,
    /// The outcomes that its callers got.
    pub told: Arc<Mutex<Vec<Result<Outcome, Failure>>>>,
}

impl Subject {
    /// Creates an execution that has not been started.
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

    /// Tells whether no task runs it or decides about it, except for frozen ones.
    pub fn is_quiet(&mut self, executor: &Executor) -> bool {
        self.tasks.retain(|task| executor.is_running(*task));
        self.talks.retain(|task| executor.is_running(*task));
        self.tasks.iter().all(|task| executor.stands_still(*task)) && self.talks.is_empty()
    }

    /// Returns the stage of the execution.
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

/// The stage of an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// It was not started.
    ToCome,
    /// It is running or paused.
    UnderWay,
    /// It has ended.
    Over,
    /// It was deleted, or never began.
    Gone,
}

/// Creates the executions of a world: one, or several that share decisions.
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
