//! An execution of a simulated world, with its tasks.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use isobox_core::store::{MemoryStore, Part, Store};
use isobox_core::{CallSeq, ExecutionId, Failure, Outcome};

use crate::executor::Executor;
use crate::people::Sayings;
use crate::program::{Body, Repetition, Thrown, generate, generate_running};
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
    /// The history that it continues, if it is a fork.
    pub forked: Option<Forked>,
    /// What is to happen once it has ended.
    pub plans: Vec<Afterwards>,
}

/// The history of a fork.
#[derive(Debug, Clone, Default)]
pub struct Forked {
    /// The results of the calls that it does not make: those of the history, and that of the call before which it begins if
    /// another answer was given.
    pub inherited: BTreeMap<CallSeq, Result<u64, Thrown>>,
    /// The calls of the history that had started.
    pub started: Vec<CallSeq>,
}

/// What happens to an execution that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Afterwards {
    /// Its calls are reverted.
    RollBack,
    /// It is forked.
    Fork,
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
            forked: None,
            plans: Vec::new(),
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

/// Creates the executions of a world: one, or several that share decisions. Their programs run so many snippets.
pub fn subjects(seed: u64, random: &mut Random, memory: Option<&mut Random>, snippets: usize) -> Vec<Subject> {
    let mut program = |repetition| match snippets {
        0 => generate(random, repetition),
        count => generate_running(random, repetition, count),
    };
    let Some(memory) = memory else {
        return vec![Subject::new(ExecutionId::new(seed, 0), program(Repetition::Never), None)];
    };
    let count = 2 + memory.below(3);
    let subject = |number: u64| {
        let program = program(Repetition::Often);
        let session = match memory.below(10) {
            0 => None,
            1 => Some("another"),
            _ => Some("shared"),
        };
        Subject::new(ExecutionId::new(seed, number.into()), program, session)
    };
    (0..count).map(subject).collect()
}
