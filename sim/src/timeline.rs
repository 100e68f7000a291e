//! The order of events across processes and executions.

use std::sync::{Arc, Mutex};

use isobox_core::{CallSeq, Event, EventKind, ExecutionId, Observer, Timestamp};

/// The events in order. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Timeline(Arc<Mutex<Vec<Moment>>>);

/// An event whose order matters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moment {
    /// A process decides about a call.
    Turn(Turn),
    /// A batch was written to a journal.
    Written(Written),
    /// A process got the lease of an execution.
    Granted(Granted),
    /// A person begins to send an instruction. Every person sends one.
    Instruction(String),
    /// A process begins to expire executions that have not changed since then.
    Expiry(Timestamp),
}

/// A process decides about a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The process.
    pub process: u32,
    /// The execution.
    pub execution: ExecutionId,
    /// The call.
    pub seq: CallSeq,
}

/// A batch was written to a journal, whether or not its process was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The process that wrote it.
    pub process: u32,
    /// The execution of the journal.
    pub execution: ExecutionId,
    /// The number of batches before it.
    pub position: u64,
    /// The seal of the batch.
    pub seal: [u8; 32],
    /// The revision after the batch.
    pub revision: u64,
    /// The number of the lease under which it was written.
    pub epoch: u64,
    /// Whether the program, or a rollback, has ended with it.
    pub is_end: bool,
}

/// A process got the lease of an execution, whether or not it was told. Creating an execution grants lease 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Granted {
    /// The execution.
    pub execution: ExecutionId,
    /// The number of the lease.
    pub epoch: u64,
}

impl Timeline {
    /// Records an event.
    pub fn note(&self, moment: Moment) {
        self.0.lock().expect("no holder of the lock panics").push(moment);
    }

    /// Returns the number of the last lease of an execution.
    pub fn last_lease(&self, id: &ExecutionId) -> u64 {
        let granted = self.moments().into_iter().filter_map(|moment| match moment {
            Moment::Granted(granted) if granted.execution == *id => Some(granted.epoch),
            _ => None,
        });
        granted.max().unwrap_or(1)
    }

    /// Returns the numbers of the leases under which the ends of an execution were written, in order.
    pub fn leases_of_ends(&self, id: &ExecutionId) -> Vec<u64> {
        let ends = self.moments().into_iter().filter_map(|moment| match moment {
            Moment::Written(written) if written.is_end && written.execution == *id => Some(written.epoch),
            _ => None,
        });
        ends.collect()
    }

    /// Returns all events.
    pub fn moments(&self) -> Vec<Moment> {
        self.0.lock().expect("no holder of the lock panics").clone()
    }
}

/// Records the turns of the calls of a process.
pub struct Watch {
    /// The process.
    pub process: u32,
    /// The timeline that gets the turns.
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
