//! The world outside: tools with effects, and the record of these effects.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use futures_util::FutureExt;
use isobox_core::journal::Entry;
use isobox_core::store::MemoryStore;
use isobox_core::{Catalogue, ExecutionId, RevertCall, Reverting, Tool, ToolCall, ToolError, inspect};
use serde_json::{Value, json};

use crate::clock::SimClock;
use crate::program::{Thrown, ToolKind};
use crate::random::{Random, hash};
use crate::store::Lies;
use crate::trace::Trace;

/// The effects by the key of the call. Clones share the world.
#[derive(Clone)]
pub struct World {
    seed: u64,
    clock: SimClock,
    trace: Trace,
    /// The store, to check that calls were journaled before they reach the world.
    store: MemoryStore,
    state: Arc<Mutex<State>>,
}

struct State {
    random: Random,
    calls: BTreeMap<String, Seen>,
}

/// What the world saw of a call.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// The tool.
    pub kind: Option<ToolKind>,
    /// The number of attempts.
    pub begun: usize,
    /// The number of effects.
    pub effects: usize,
    /// The number of running attempts.
    pub under_way: usize,
    /// The result or the failure.
    pub gave: Option<Result<u64, Thrown>>,
    /// The number of requests for an answer.
    pub interrupted: usize,
}

/// The time that a slow tool takes, in milliseconds.
const TOO_LONG: u64 = 45_000;

impl World {
    /// Creates a world without effects.
    pub fn new(seed: u64, random: Random, clock: SimClock, trace: Trace, store: MemoryStore) -> Self {
        let state = State { random, calls: BTreeMap::new() };
        Self { seed, clock, trace, store, state: Arc::new(Mutex::new(state)) }
    }

    /// Returns the tools of this world in a version.
    pub fn catalogue(&self, version: usize, lies: Lies) -> Arc<Catalogue> {
        let mut builder = Catalogue::builder();
        for kind in ToolKind::THERE {
            let world = self.clone();
            let tool = Tool::with_call(kind.path(), move |call| world.clone().call(kind, call)).expect("a path");
            let tool = tool.description(format!("Version {version}."));
            let tool = tool.idempotent(kind.is_idempotent() || lies == Lies::CallsAgain);
            let tool = if kind.wants_approval() { tool.with_approval() } else { tool };
            let tool = if kind.is_ephemeral() { tool.ephemeral() } else { tool };
            let world = self.clone();
            let tool = match kind.reverted_by() {
                Some(ToolKind::Unput) if lies == Lies::RevertsNothing => tool.revert(|_| async { Ok(json!(0)) }),
                Some(ToolKind::Unput) => tool.revert(move |reverting| world.clone().undo(reverting)),
                Some(other) => {
                    tool.reverted_by(RevertCall::new(other.path(), json!({ "id": "$input.id", "a": "$result" })))
                }
                None => tool,
            };
            builder.tool(tool).expect("no two have the same path");
        }
        Arc::new(builder.build())
    }

    /// Returns the result of a call whenever it takes effect: a number or a failure.
    pub fn gives(&self, kind: ToolKind, label: &str, a: u64) -> Result<u64, Thrown> {
        let chance = hash(self.seed, &format!("{} {label} {a}", kind.path()));
        if chance % 100 < 6 { Err(Thrown::Tool) } else { Ok(chance / 100 % 1000) }
    }

    /// Returns what the world saw of a call.
    pub fn seen(&self, key: &str) -> Seen {
        self.lock().calls.get(key).cloned().unwrap_or_default()
    }

    /// Returns all calls that the world saw.
    pub fn all_seen(&self) -> BTreeMap<String, Seen> {
        self.lock().calls.clone()
    }

    /// Reverts a call of `world.put` with the input and the result of the call.
    async fn undo(self, reverting: Reverting) -> Result<Value, ToolError> {
        let Reverting { input, result, context, .. } = reverting;
        let (label, a) = label_of(&input).expect("programs pass labels");
        let key = context.key();
        if result.as_ref().and_then(Value::as_u64) != self.gives(ToolKind::Put, &label, a).ok() {
            self.trace.violation(format_args!("revert {key} of {label} gets another result: {result:?}"));
        }
        self.act(ToolKind::Unput, &key, &key, 0, true, None).await
    }

    async fn call(self, kind: ToolKind, call: ToolCall) -> Result<Value, ToolError> {
        let (label, a) = label_of(&call.input).expect("programs pass labels");
        let key = call.context.key();
        // Whether a revert fails depends on the attempt, so that a further rollback may succeed.
        let (label, a) = if kind.reverts() { (key.clone(), 0) } else { (label, a) };
        self.act(kind, &key, &label, a, call.resolution.is_some(), call.note).await
    }

    async fn act(
        &self,
        kind: ToolKind,
        key: &str,
        label: &str,
        a: u64,
        is_answered: bool,
        note: Option<Value>,
    ) -> Result<Value, ToolError> {
        let (before, after) = {
            let mut state = self.lock();
            let (before, after) = (latency(&mut state.random), latency(&mut state.random));
            (if kind == ToolKind::Slow { TOO_LONG } else { before }, after)
        };
        let _under_way = self.begin(kind, key, label);
        self.clock.sleep(before).await;
        if kind == ToolKind::Login && !is_answered {
            self.lock().calls.entry(key.to_owned()).or_default().interrupted += 1;
            self.trace.count("tool interrupts", key);
            return Err(ToolError::interrupt(json!({ "please": label })));
        }
        let gave = self.gives(kind, label, a);
        if let Some(note) = &note {
            if *note != json!({ "task": key }) {
                self.trace.violation(format_args!("call {key} is continued with the note of another: {note}"));
            }
            self.trace.count("task continued", key);
            return gave.map(Value::from).map_err(|_| ToolError::new("it broke"));
        }
        {
            let mut state = self.lock();
            let seen = state.calls.entry(key.to_owned()).or_default();
            seen.effects += 1;
            seen.gave = Some(gave);
        }
        self.trace.line(format_args!("effect {key} {} {label}: {gave:?}", kind.path()));
        self.clock.sleep(after).await;
        if kind == ToolKind::Task {
            return Err(ToolError::noted(json!({ "task": key })));
        }
        gave.map(Value::from).map_err(|_| ToolError::new("it broke"))
    }

    fn begin(&self, kind: ToolKind, key: &str, label: &str) -> UnderWay {
        let begun = {
            let mut state = self.lock();
            let seen = state.calls.entry(key.to_owned()).or_default();
            seen.kind = Some(kind);
            seen.begun += 1;
            seen.under_way += 1;
            seen.begun
        };
        self.trace.count(kind.path(), format_args!("{key} {label} begins"));
        if begun > 1 {
            self.trace.count("call made again", key);
        }
        let started = self.started(key);
        if begun > started && !kind.is_ephemeral() {
            self.trace.violation(format_args!("call {key} begins {begun} times, and is written down {started} times"));
        }
        UnderWay { world: self.clone(), key: key.to_owned() }
    }

    /// Counts the journal entries that announce a call.
    fn started(&self, key: &str) -> usize {
        let (id, seq) = key.rsplit_once(':').expect("keys have two parts");
        let id: ExecutionId = serde_json::from_value(id.into()).expect("the name of an execution");
        let inspected = inspect(&self.store, &id).now_or_never().expect("memory is there at once");
        let Ok(inspected) = inspected else { return 0 };
        let is_start = |entry: &&Entry| matches!(entry, Entry::Started(started) if started.seq.to_string() == seq);
        inspected.entries.iter().filter(is_start).count()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no holder of the lock panics")
    }
}

/// Returns the label of a call and the number that it passes; for a step, its name and its result; for a snippet, those in
/// its input.
pub fn label_of(input: &Value) -> Option<(String, u64)> {
    let (label, a) = match input {
        Value::Array(run) if run.get(1).is_some_and(Value::is_object) => (&run[1]["id"], &run[1]["a"]),
        Value::Array(step) => (step.first()?, step.get(1)?),
        call => (&call["id"], &call["a"]),
    };
    Some((label.as_str()?.to_owned(), a.as_u64()?))
}

/// Returns a latency: mostly short, so that calls settle in any order; sometimes long enough for much else to happen.
fn latency(random: &mut Random) -> u64 {
    match random.below(10) {
        0..3 => 0,
        3..8 => random.below(20),
        8 => random.below(500),
        _ => random.below(3000),
    }
}

/// An attempt to make a call, which may be dropped halfway.
struct UnderWay {
    world: World,
    key: String,
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut state = self.world.lock();
        let seen = state.calls.entry(std::mem::take(&mut self.key)).or_default();
        seen.under_way -= 1;
    }
}
