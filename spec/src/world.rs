//! The world outside: the calls that reached their tools, and their effects.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use isobox::journal::Entry;
use isobox::journal::Inspected;
use isobox::{CallSeq, ExecutionId, Tool, Value};
use serde::{Deserialize, Serialize};

use crate::Fate;

/// The effects in the world. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct World {
    known: Arc<Mutex<Known>>,
    /// The fate of the process that has this clone.
    fate: Option<Arc<Fate>>,
}

#[derive(Debug, Default)]
struct Known {
    execution: Option<ExecutionId>,
    calls: BTreeMap<String, Calls>,
    /// The number of completed calls.
    done: usize,
    /// The keys of calls that a process made after others had taken over.
    late: Vec<String>,
    tells: bool,
}

/// The calls with one key.
#[derive(Debug, Default)]
struct Calls {
    begun: u32,
    done: u32,
    /// The result, and the number of calls completed before.
    result: Option<(usize, Value)>,
    may_be_repeated: bool,
}

/// An event in the world.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Deed {
    /// An execution was started.
    Execution(ExecutionId),
    /// A tool was called.
    Begun {
        /// The key of the call.
        key: String,
        /// Whether the call may be repeated.
        may_be_repeated: bool,
    },
    /// The call took effect.
    Done {
        /// The key of the call.
        key: String,
        /// The result.
        result: Value,
    },
}

impl World {
    /// Creates a world that prints its events to standard output, one per line.
    pub fn telling() -> Self {
        Self { known: Arc::new(Mutex::new(Known { tells: true, ..Known::default() })), fate: None }
    }

    /// Returns the same world for a process with this fate.
    #[must_use]
    pub fn of(&self, fate: &Arc<Fate>) -> Self {
        Self { known: Arc::clone(&self.known), fate: Some(Arc::clone(fate)) }
    }

    /// Tells whether others have taken over from the process.
    fn is_late(&self) -> bool {
        self.fate.as_ref().is_some_and(|fate| fate.is_released())
    }

    /// Wraps a tool so that its calls are recorded.
    pub fn watch(&self, tool: Tool) -> Tool {
        let (world, may_be_repeated) = (self.clone(), tool.is_idempotent() || tool.is_ephemeral());
        tool.around(move |call, make| {
            let (world, key) = (world.clone(), call.context.key());
            // The work goes on elsewhere, and its result may be collected several times.
            let is_continued = call.note.is_some();
            if world.is_late() {
                world.known().late.push(key.clone());
            }
            world.note(Deed::Begun { key: key.clone(), may_be_repeated });
            let made = make(call);
            Box::pin(async move {
                let result = made.await?;
                // A call whose output is nested too deeply has no result, and the output could not be printed. One that was under
                // way when others took over has no effect: they were told that it did not happen.
                if !is_continued && is_shallow(&result) && !world.is_late() {
                    world.note(Deed::Done { key, result: result.clone() });
                }
                Ok(result)
            })
        })
    }

    /// Records an event.
    pub fn note(&self, deed: Deed) {
        let mut known = self.known();
        if known.tells {
            let line = serde_json::to_string(&deed).unwrap_or_default() + "\n";
            // One write, so that no line is cut if the process dies. A closed output does not matter.
            drop(std::io::stdout().write_all(line.as_bytes()));
        }
        match deed {
            Deed::Execution(id) => known.execution = Some(id),
            Deed::Begun { key, may_be_repeated } => {
                let calls = known.calls.entry(key).or_default();
                calls.begun += 1;
                calls.may_be_repeated = may_be_repeated;
            }
            Deed::Done { key, result } => {
                known.done += 1;
                let before = known.done;
                let calls = known.calls.entry(key).or_default();
                calls.done += 1;
                calls.result = Some((before, result));
            }
        }
    }

    /// Forgets which execution was started last.
    pub fn begin_again(&self) {
        self.known().execution = None;
    }

    /// Returns the execution that was started last.
    pub fn execution(&self) -> Option<ExecutionId> {
        self.known().execution.clone()
    }

    /// Tells whether any call of an execution reached its tool.
    pub fn has_calls_of(&self, id: &ExecutionId) -> bool {
        self.known().calls.keys().any(|key| key.split(':').next() == Some(id.as_str()))
    }

    /// Returns the result of a completed call, and its index among all completed calls.
    pub fn result_of(&self, id: &ExecutionId, seq: CallSeq) -> Option<(usize, Value)> {
        self.known().calls.get(&format!("{id}:{seq}")).and_then(|calls| calls.result.clone())
    }

    /// Returns the calls that were done more than once and must not have been, one per line.
    pub fn repeated(&self, id: &ExecutionId) -> Vec<String> {
        let known = self.known();
        let repeated = known.calls.iter().filter_map(|(key, calls)| {
            let (_, seq) = key.split_once(':').filter(|(execution, _)| *execution == id.as_str())?;
            let is_wrong = calls.done > 1 && !calls.may_be_repeated;
            is_wrong.then(|| format!("call {seq} was done {} times", calls.done))
        });
        repeated.collect()
    }

    /// Returns all effects that must not have happened, one per line.
    pub fn wrongs(&self, id: &ExecutionId, journal: &Inspected) -> Vec<String> {
        let mut wrongs = self.repeated(id);
        let known = self.known();
        let is_its = |key: &&String| key.split(':').next() == Some(id.as_str());
        wrongs
            .extend(known.late.iter().filter(is_its).map(|key| format!("call {key} was made after others took over")));
        for (key, calls) in &known.calls {
            let Some((_, seq)) = key.split_once(':').filter(|(execution, _)| *execution == id.as_str()) else {
                continue;
            };
            if calls.may_be_repeated {
                continue;
            }
            let is_start = |entry: &&Entry| matches!(entry, Entry::Started(one) if one.seq.to_string() == seq);
            let started = journal.entries.iter().filter(is_start).count();
            if calls.begun as usize > started {
                wrongs.push(format!("call {seq} was made {} times, and its journal knows of {started}", calls.begun));
            }
        }
        wrongs
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells whether a value can be cloned and written without risk for the stack.
fn is_shallow(value: &Value) -> bool {
    let mut level = vec![value];
    for _ in 0..100 {
        let children = level.iter().flat_map(|value| match value {
            Value::Array(items) => items.iter().collect(),
            Value::Object(entries) => entries.values().collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
        });
        level = children.collect();
    }
    level.is_empty()
}
