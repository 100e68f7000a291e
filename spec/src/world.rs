//! The world outside: which calls reached their tools, and what they did there.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use isobox::journal::Entry;
use isobox::journal::Inspected;
use isobox::{CallSeq, ExecutionId, Tool, Value};
use serde::{Deserialize, Serialize};

/// What was done in the world. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct World(Arc<Mutex<Known>>);

#[derive(Debug, Default)]
struct Known {
    execution: Option<ExecutionId>,
    calls: BTreeMap<String, Calls>,
    /// How many calls were done.
    done: usize,
    tells: bool,
}

/// What is known of the calls with one key.
#[derive(Debug, Default)]
struct Calls {
    begun: u32,
    done: u32,
    /// What it gave, and how many others had been done before.
    result: Option<(usize, Value)>,
    may_be_repeated: bool,
}

/// Something that happened in the world.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Deed {
    /// An execution was asked for.
    Execution(ExecutionId),
    /// A tool was called.
    Begun {
        /// The key of the call.
        key: String,
        /// Whether twice is once.
        may_be_repeated: bool,
    },
    /// It did what it does.
    Done {
        /// The key of the call.
        key: String,
        /// What it gave.
        result: Value,
    },
}

impl World {
    /// A world that is told of to whoever reads the standard output of this process, one deed a line.
    pub fn telling() -> Self {
        Self(Arc::new(Mutex::new(Known { tells: true, ..Known::default() })))
    }

    /// The tool, where everybody sees what it does.
    pub fn watch(&self, tool: Tool) -> Tool {
        let (world, may_be_repeated) = (self.clone(), tool.is_idempotent() || tool.is_ephemeral());
        tool.around(move |call, make| {
            let (world, key) = (world.clone(), call.context.key());
            world.note(Deed::Begun { key: key.clone(), may_be_repeated });
            let made = make(call);
            Box::pin(async move {
                let result = made.await?;
                // Nothing comes of a call whose output is nested too deeply, and nobody could tell of it.
                if is_shallow(&result) {
                    world.note(Deed::Done { key, result: result.clone() });
                }
                Ok(result)
            })
        })
    }

    /// Something happened.
    pub fn note(&self, deed: Deed) {
        let mut known = self.known();
        if known.tells {
            let line = serde_json::to_string(&deed).unwrap_or_default() + "\n";
            // One write, so that no line is cut in two where the process dies. Nobody reads it after that.
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

    /// The execution that was asked for last.
    pub fn execution(&self) -> Option<ExecutionId> {
        self.known().execution.clone()
    }

    /// Whether any call of an execution reached its tool.
    pub fn has_calls_of(&self, id: &ExecutionId) -> bool {
        self.known().calls.keys().any(|key| key.split(':').next() == Some(id.as_str()))
    }

    /// What a call gave that has been made, and its place among all that were made.
    pub fn result_of(&self, id: &ExecutionId, seq: CallSeq) -> Option<(usize, Value)> {
        self.known().calls.get(&format!("{id}:{seq}")).and_then(|calls| calls.result.clone())
    }

    /// Everything that was done and must not have been, a line each.
    pub fn wrongs(&self, id: &ExecutionId, journal: &Inspected) -> Vec<String> {
        let mut wrongs = Vec::new();
        for (key, calls) in &self.known().calls {
            let Some((_, seq)) = key.split_once(':').filter(|(execution, _)| *execution == id.as_str()) else {
                continue;
            };
            if calls.may_be_repeated {
                continue;
            }
            if calls.done > 1 {
                wrongs.push(format!("call {seq} was done {} times", calls.done));
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
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a value can be cloned and written without a care for the stack.
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
