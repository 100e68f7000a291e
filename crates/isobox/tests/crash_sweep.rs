//! A process may die before and after everything that it writes: another one goes on, with the same outcome, and nothing
//! that was done is done again.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};
use isobox::journal::{Batch, StoreKey, Verdict};
use isobox::store::{
    Checkpoint, Expected, Filter, Head, Lease, Listed, Message, NewExecution, Node, Part, Release, Released, Store,
    Stored, Written,
};
use isobox::{
    CarriedOn, Code, Decisions, ExecutionId, Failure, Isobox, Outcome, PendingKind, Program, Run, Tool, Value, json,
    memory_store,
};

/// The world outside: what was done, by the key of the call.
#[derive(Clone, Default)]
struct World(Arc<Mutex<HashMap<String, (u32, Value)>>>);

impl World {
    fn does(&self, key: &str, result: Value) -> Value {
        let mut done = self.0.lock().expect("nobody panics");
        let entry = done.entry(key.to_owned()).or_insert((0, result));
        entry.0 += 1;
        entry.1.clone()
    }

    fn has_done(&self, key: &str) -> Option<Value> {
        self.0.lock().expect("nobody panics").get(key).map(|(_, result)| result.clone())
    }

    /// What was done more than once.
    fn doubled(&self) -> Vec<String> {
        let done = self.0.lock().expect("nobody panics");
        done.iter().filter(|(_, (times, _))| *times > 1).map(|(key, _)| key.clone()).collect()
    }

    fn count(&self) -> usize {
        self.0.lock().expect("nobody panics").len()
    }
}

fn runtime(store: Arc<dyn Store>, world: &World) -> Isobox {
    let doing = |path: &str, world: &World| {
        let world = world.clone();
        Tool::with_call(path, move |call| {
            let world = world.clone();
            async move {
                let wait = call.input["wait"].as_u64().unwrap_or(0);
                tokio::time::sleep(Duration::from_millis(wait)).await;
                Ok(world.does(&call.key, json!({ "did": call.input["what"] })))
            }
        })
        .expect("a tool")
    };
    let asking = Tool::new("world.ask", |input| async move { Ok(json!({ "seen": input })) }).expect("a tool");
    let failing = Tool::new("world.fail", |_| async { Err(isobox::ToolError::new("it broke")) }).expect("a tool");
    Isobox::builder()
        .store(store)
        .tool(doing("world.do", world))
        .tool(doing("world.pay", world).with_approval())
        .tool(asking.idempotent(true))
        .tool(failing.idempotent(true))
        .max_live(NonZeroU32::MIN)
        .build()
        .expect("a runtime")
}

/// Dies at its nth write, before or after it has written; the processes that use it are always taken to be dead.
struct Mortal {
    inner: Arc<dyn Store>,
    left: AtomicU32,
    writes_the_last: bool,
}

const NEVER: u32 = u32::MAX;

impl Mortal {
    fn new(inner: &Arc<dyn Store>, dies_at: u32, writes_the_last: bool) -> Arc<Self> {
        Arc::new(Self { inner: Arc::clone(inner), left: AtomicU32::new(dies_at), writes_the_last })
    }

    /// Whether it still writes, and whether it says so.
    fn tick(&self) -> (bool, bool) {
        let left = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| match left {
            NEVER => Some(NEVER),
            left => Some(left.saturating_sub(1)),
        });
        match left.unwrap_or(NEVER) {
            0 => (false, false),
            1 => (self.writes_the_last, false),
            _ => (true, true),
        }
    }

    fn write<T: Send + 'static>(&self, write: impl FnOnce(&dyn Store) -> Written<T>) -> Written<T> {
        let (writes, says_so) = self.tick();
        let written = writes.then(|| write(&*self.inner));
        match written {
            Some(written) if says_so => written,
            _ => ready(Err(Failure::new(Code::Store, "the process died"))).boxed(),
        }
    }

    fn is_dead(&self) -> bool {
        self.left.load(Ordering::SeqCst) == 0
    }
}

impl Store for Mortal {
    fn key(&self) -> &StoreKey {
        self.inner.key()
    }
    fn create(&self, new: NewExecution) -> Written<Lease> {
        self.write(|store| store.create(new))
    }
    fn append(&self, lease: &Lease, position: u64, batch: Batch, head: Head) -> Written<()> {
        self.write(|store| store.append(lease, position, batch, head))
    }
    fn save_checkpoint(&self, lease: &Lease, checkpoint: Checkpoint) -> Written<()> {
        self.write(|store| store.save_checkpoint(lease, checkpoint))
    }
    fn release(&self, lease: &Lease, when: Release) -> Written<Released> {
        self.write(|store| store.release(lease, when))
    }
    fn acquire(&self, id: &ExecutionId, node: &Node) -> BoxFuture<'_, Result<Lease, Failure>> {
        self.inner.acquire(id, node)
    }
    fn keep_alive(&self, node: &Node, _time: Duration) -> BoxFuture<'_, Result<(), Failure>> {
        self.inner.keep_alive(node, Duration::ZERO)
    }
    fn load(&self, id: &ExecutionId, part: Part) -> BoxFuture<'_, Result<Stored, Failure>> {
        self.inner.load(id, part)
    }
    fn post(&self, id: &ExecutionId, message: Message) -> BoxFuture<'_, Result<(), Failure>> {
        self.inner.post(id, message)
    }
    fn inbox(&self, id: &ExecutionId) -> BoxFuture<'_, Result<Vec<Message>, Failure>> {
        self.inner.inbox(id)
    }
    fn clear_inbox(&self, lease: &Lease, keys: Vec<String>) -> Written<()> {
        self.write(|store| store.clear_inbox(lease, keys))
    }
    fn list(&self, filter: Filter) -> BoxFuture<'_, Result<Vec<Listed>, Failure>> {
        self.inner.list(filter)
    }
    fn delete(&self, id: &ExecutionId, standing: Expected) -> BoxFuture<'_, Result<(), Failure>> {
        self.inner.delete(id, standing)
    }
    fn remember(&self, session: &str, about: &str, decision: Vec<u8>) -> BoxFuture<'_, Result<(), Failure>> {
        self.inner.remember(session, about, decision)
    }
    fn recall(&self, session: &str, about: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, Failure>> {
        self.inner.recall(session, about)
    }
}

/// Decides about everything that is pending as somebody would who can look at the world.
async fn decide(isobox: &Isobox, world: &World, id: &ExecutionId) -> Result<(), Failure> {
    let paused = isobox.pending(id).await?;
    let verdicts = paused.pending.iter().map(|call| {
        let seq = call.seq.parse().expect("a number");
        let verdict = match call.kind {
            PendingKind::InDoubt => match world.has_done(&format!("{id}:{}", call.seq)) {
                Some(result) => Verdict::Happened(result),
                None => Verdict::DidNotHappen,
            },
            _ => Verdict::Approve,
        };
        (seq, verdict)
    });
    match isobox.decide(id, Decisions::new("ada", verdicts)).await {
        // Whoever died has decided already.
        Err(failure) if failure.code == Code::Conflict => Ok(()),
        other => other,
    }
}

/// Runs a program to its end, in as many processes as it takes; each dies at its nth write.
async fn live(source: &str, dies_at: u32, writes_the_last: bool, drops_checkpoints: bool) -> Option<(Outcome, World)> {
    let (inner, world) = (memory_store(), World::default());
    let mortal = Mortal::new(&inner, dies_at, writes_the_last);
    let isobox = runtime(mortal.clone(), &world);
    let run = Run::new(Program::single(source)).seed(7).durable();
    let mut outcome = isobox.run(run).await;
    let mut died = mortal.is_dead();
    let id = outcome.execution_id().clone();
    for _ in 0..100 {
        match &outcome {
            Outcome::Completed(_) | Outcome::Failed(_) if !died => return Some((outcome, world)),
            _ => {}
        }
        if inner.load(&id, Part::Whole).await.is_err() {
            return None; // It died before it had begun.
        }
        if drops_checkpoints {
            // Nobody can use one whose seal does not fit.
            let lease = inner.acquire(&id, &Node("vandal".to_owned())).await.ok();
            if let Some(lease) = lease {
                let checkpoint = Checkpoint { position: 0, seal: [0; 32], bytes: vec![1, 2, 3] };
                inner.save_checkpoint(&lease, checkpoint).await.expect("it is kept");
            }
        }
        // Only the first process dies.
        let isobox = runtime(Mortal::new(&inner, NEVER, true), &world);
        died = false;
        if let Err(failure) = decide(&isobox, &world, &id).await
            && failure.code != Code::Conflict
        {
            panic!("{failure}");
        }
        outcome = match isobox.carry_on(&id).await.expect("it goes on") {
            CarriedOn::Here(outcome) => *outcome,
            CarriedOn::Elsewhere => {
                let stored = isobox.inspect(&id).await.expect("it is kept");
                let outcome = stored.outcome(&id, isobox.policy()).expect("it was over when the process died");
                return Some((outcome, world));
            }
        };
    }
    panic!("it does not end: {outcome:?}");
}

/// What must not depend on who died when.
fn essence(outcome: &Outcome) -> Value {
    let mut told = serde_json::to_value(outcome).expect("JSON");
    for key in ["executionId", "durationMs"] {
        told.as_object_mut().expect("an object").remove(key);
    }
    for call in told["calls"].as_array_mut().expect("a list") {
        call.as_object_mut().expect("an object").remove("durationMs");
    }
    told
}

const PROGRAMS: [(&str, &str); 8] = [
    ("no call", "console.log('here'); return Math.random()"),
    (
        "one after the other",
        "let all = []; for (const what of ['a', 'b', 'c']) { all.push((await tools.world.do({ what })).did); console.log(what); } return all",
    ),
    (
        "side by side",
        "return (await Promise.all(['a', 'b', 'c'].map((what) => tools.world.do({ what })))).map((one) => one.did)",
    ),
    (
        "with approvals",
        "const [a, b, c] = await Promise.all([tools.world.pay({ what: 1 }), tools.world.do({ what: 2 }), tools.world.pay({ what: 3 })]);
         const d = await tools.world.pay({ what: a.did + c.did }); return [a, b, c, d]",
    ),
    (
        "with failures",
        "const caught = []; for (let i = 0; i < 2; i++) { try { await tools.world.fail({}) } catch (error) { caught.push(error.code) } }
         await tools.world.ask(caught); return await tools.world.nowhere({}).catch((error) => [...caught, error.code])",
    ),
    (
        "with timers",
        "const late = new Promise((done) => setTimeout(() => done('late'), 5)); const id = setTimeout(() => {}, 1e6);
         clearTimeout(id);
         const first = await tools.world.do({ what: 'slow', wait: 1 });
         return [first.did, await late, await tools.world.ask('end')]",
    ),
    (
        "a state that is hard to say",
        "function* count() { let n = 0; while (true) n += yield n; } const counter = count(); counter.next();
         const kept = new Map(); class One { #secret = 41; bump() { return ++this.#secret } } const one = new One();
         for (const word of ['x', 'y']) { kept.set(word, counter.next((await tools.world.do({ what: word })).did.length).value); }
         await tools.world.pay({ what: 0 });
         return [[...kept], one.bump(), /(?<w>y)/.exec([...kept.keys()].join('')).groups.w, counter.next(1).value]",
    ),
    ("an end that is a failure", "await tools.world.do({ what: 1 }); await tools.world.ask(2); null.x"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_dies_whenever_the_outcome_is_the_same_and_nothing_is_done_twice() {
    for (name, source) in PROGRAMS {
        let (expected, undisturbed) = live(source, NEVER, true, false).await.expect("it begins");
        assert_eq!(undisturbed.doubled(), Vec::<String>::new());
        let expected = essence(&expected);
        for drops_checkpoints in [false, true] {
            for writes_the_last in [false, true] {
                for dies_at in 1..60 {
                    let what = format!("{name}, dies at {dies_at}, {writes_the_last}, {drops_checkpoints}");
                    let Some((outcome, world)) = live(source, dies_at, writes_the_last, drops_checkpoints).await else {
                        continue;
                    };
                    assert_eq!(essence(&outcome), expected, "{what}");
                    assert_eq!(world.doubled(), Vec::<String>::new(), "{what}");
                    assert_eq!(world.count(), undisturbed.count(), "{what}");
                }
            }
        }
    }
}
