//! In which order things happened, across processes and executions.

use std::sync::{Arc, Mutex};

use isobox_core::{CallSeq, Event, EventKind, ExecutionId, Observer, Timestamp};

/// What happened, in order. Clones are the same.
#[derive(Debug, Clone, Default)]
pub struct Timeline(Arc<Mutex<Vec<Moment>>>);

/// Something that happened, and whose place among others matters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moment {
    /// A process decides what becomes of a call.
    Turn(Turn),
    /// A batch is in a journal.
    Written(Written),
    /// Somebody begins to say something; nobody does so twice.
    Instruction(String),
    /// Somebody begins to end what has not changed since then.
    Expiry(Timestamp),
}

/// A process decides what becomes of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Which process.
    pub process: u32,
    /// In which execution.
    pub execution: ExecutionId,
    /// Which call.
    pub seq: CallSeq,
}

/// A batch is in a journal, whatever its process was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// By which process.
    pub process: u32,
    /// In whose journal.
    pub execution: ExecutionId,
    /// How many were there before.
    pub position: u64,
    /// Its seal.
    pub seal: [u8; 32],
    /// The revision that it leads to.
    pub revision: u64,
}

impl Timeline {
    /// Something happens now.
    pub fn note(&self, moment: Moment) {
        self.0.lock().expect("nobody panics while holding it").push(moment);
    }

    /// All that happened.
    pub fn moments(&self) -> Vec<Moment> {
        self.0.lock().expect("nobody panics while holding it").clone()
    }
}

/// Notes the turns of the calls of a process.
pub struct Watch {
    /// Which.
    pub process: u32,
    /// Where.
    pub timeline: Timeline,
}

impl Observer for Watch {
    fn observe(&self, event: &Event) {
        if let EventKind::CallStarted { seq, .. } = event.kind {
            let (process, execution) = (self.process, event.execution.clone());
            self.timeline.note(Moment::Turn(Turn { process, execution, seq }));
        }
    }
}
