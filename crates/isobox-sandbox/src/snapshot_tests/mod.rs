//! Tests the guarantees of snapshots: a program continues elsewhere unchanged, and no bytes do harm.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use isobox_core::driver::{Error, ErrorKind};
use isobox_core::program::Program;
use isobox_core::{
    Answer, ByteSize, Call, Capacity, CapacityLimits, Code, Exhausted, Failure, InFlightExcess, Instance, Limits,
    ProgramState, Reply, Request, Snapshot, StartOptions, Step, Timestamp,
};

use crate::instance::WasmInstance;
use crate::tests::{answer, canary, contains, options, sandbox, start, step};
use crate::{Cleaning, Sandbox};

mod damage;

const NO_LIMIT: ByteSize = ByteSize::mib(64);

fn snapshot(instance: &mut WasmInstance) -> Snapshot {
    instance.take_snapshot(NO_LIMIT).expect("it waits")
}

/// Programs that hold state that is hard to keep while they wait.
const PROGRAMS: &[&str] = &[
    "const seen = new Map([['a', 1], [{}, /x+/g]]), weak = new WeakMap(), key = Symbol('key');
     function* numbers() { try { yield 1; yield* [2, 3]; } finally { console.log('closed'); } }
     class Counter { #n = 0; static #made = 0; constructor() { Counter.#made++; } add = () => ++this.#n + Counter.#made; }
     const waiting = numbers(), counter = new Counter(), word = /\\w+/gy; word.exec('one two');
     weak.set(seen, key); waiting.next(); counter.add();
     const first = await tools.wait({ for: 'a person' });
     seen.set('answer', first); const at = word.lastIndex; word.lastIndex++;
     const second = await tools.wait([...seen.keys()].length);
     return [first, second, seen.size, waiting.next().value, waiting.return(7), counter.add(), at, word.exec('one two')[0],
       weak.get(seen) === key];",
    "async function* pages() { for (let page = 0; page < 3; page++) yield await tools.page({ page }); }
     const all = []; for await (const page of pages()) { all.push(page); console.info('page', all.length); }
     const later = { async *[Symbol.asyncIterator]() { yield* all; } };
     for await (const one of later) await null;
     return all;",
    "const sleep = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));
     const again = setTimeout(() => console.log('again'), 10), lost = setTimeout(() => console.log('never'), 20);
     const first = await Promise.race([tools.slow(), sleep(5, 'late')]);
     clearTimeout(lost);
     const second = await Promise.any([Promise.reject(1), sleep(1, 'any'), tools.other()]);
     queueMicrotask(() => console.log('soon')); await sleep(0);
     return [first, second, Date.now(), Math.random()];",
    "const settled = []; const note = (name) => (value) => { settled.push(name); return value; };
     const calls = ['a', 'b', 'c', 'd'].map((name) => tools.call({ name }).then(note(name), note('no ' + name)));
     const both = await Promise.all([Promise.all(calls), Promise.allSettled([tools.fails(), tools.e()])]);
     return [settled, both];",
    "const objects = Array.from({ length: 5000 }, (_, id) => ({ id, name: 'object ' + id, next: null, tags: [id % 7] }));
     objects.forEach((one, id) => { one.next = objects[(id + 1) % objects.length]; });
     let at = objects[await tools.where() ? 4999 : 0]; for (let i = 0; i < 10000; i++) at = at.next;
     objects.length = 10; await tools.wait(); return [at.name, objects.reduce((sum, one) => sum + one.id, 0)];",
    "const large = new Uint8Array(6e6).fill(7); large[5999999] = 9; let kept = ['x'.repeat(2e6)];
     await tools.wait();
     for (let i = 0; i < 4; i++) kept.push(kept[0] + i);
     await tools.wait(); const sum = large.reduce((a, b) => a + b, 0); kept = null;
     await tools.wait(); const more = new Uint8Array(9e6); return [sum, more.length + more[8999999]];",
    "const buffer = new ArrayBuffer(64), view = new DataView(buffer), floats = new Float64Array(buffer, 8, 2);
     view.setInt16(0, -2); floats[1] = Math.PI; const big = 2n ** 100n, encoder = new TextEncoder();
     const url = new URL('https://example.com/a?b=1'), controller = new AbortController();
     controller.signal.addEventListener('abort', () => console.warn('aborted', controller.signal.aborted));
     await tools.wait(); url.searchParams.append('c', 'ü'); controller.abort(); const clone = structuredClone({ buffer });
     await tools.wait(); return [view.getInt16(0), floats[1], String(big + 1n), url.href, encoder.encode('é').length,
       new Float64Array(clone.buffer, 8, 2)[1], atob(btoa('x')), Math.random(), new Date().toISOString()];",
    "async function fetches() { try { await tools.fails(); } catch (error) { return [error.code, error.message, error.stack]; } }
     const caught = await fetches(); await tools.wait();
     class Own extends TypeError { name = 'Own'; }
     const fail = () => { throw new Own('after ' + caught[0]); }; fail();",
    "await tools.wait(); await tools.fails();",
    "const answer = await tools.large(); await tools.wait({ size: answer.length }); return answer.slice(-3);",
    "(function deep(n) { return n ? deep(n - 1) + 1 : 0; })(400); await tools.wait();
     try { (function forever() { forever(); })(); } catch (error) { await tools.wait({ name: error.name }); }
     return (function deep(n) { return n ? deep(n - 1) + 1 : 0; })(400);",
    // Host state: refusals, the size of the log, calls in flight and their inputs, refused memory.
    "const late = [tools.late(), tools.late()]; let refused;
     for (let i = 0; i < 23; i++) await tools.wait({ i }).catch((error) => { refused = error; });
     await Promise.all(late); throw refused;",
    "const calls = []; let refused; for (let i = 0; i < 12; i++) calls.push(tools.call({ i }).catch((error) => refused ??= error));
     await Promise.all(calls); await tools.wait(); throw refused;",
    "const text = 'x'.repeat(150); const calls = [1, 2, 3].map((n) => tools.call({ n, text }));
     const results = [calls.shift() && await tools.wait()];
     for (let n = 4; n < 13; n++) calls.push(tools.call({ n, text }).catch((error) => error.message));
     return [results, await Promise.all(calls)];",
    "for (let i = 0; i < 30; i++) { console.log('line ' + i + ' of a log that is soon full'); if (i % 4 == 0) await tools.wait(); }
     return 'logged';",
    "let caught; try { const a = []; for (;;) a.push('x'.repeat(1e5) + a.length); } catch (error) { caught = error.message; }
     await tools.wait(); return caught;",
];

/// Returns limits that some of the programs reach.
fn tight() -> Limits {
    Limits::default()
        .memory(ByteSize::mib(32))
        .logs(ByteSize::bytes(700))
        .input(ByteSize::bytes(200))
        .calls(24)
        .in_flight(10)
        .in_flight_excess(InFlightExcess::Fail)
}

fn tight_options() -> StartOptions {
    options(tight())
}

fn several_files() -> Program {
    let files = [
        (
            "main.ts",
            "import { count } from './lib/count'; count(); await tools.wait();\n\
                     const late = await import('./late'); export default async () => [count(), late.default, await tools.wait()];",
        ),
        ("lib/count.ts", "let n = 0; export const count = (): number => ++n;"),
        ("late.ts", "import { count } from './lib/count'; export default count() * 100;"),
    ];
    let files: BTreeMap<String, String> = files.map(|(path, text)| (path.to_owned(), text.to_owned())).into();
    Program::new(files, "main.ts").expect("the paths are good")
}

/// The inputs and the steps of a program that ran to its end.
struct TestRun {
    told: Vec<Vec<Answer>>,
    did: Vec<String>,
    /// The state after each step except the last.
    waits: Vec<Wait>,
}

struct Wait {
    snapshot: Snapshot,
    memory: Vec<u8>,
    cpu_used: Duration,
}

fn clock(step: usize) -> Timestamp {
    Timestamp(1_000_000 + step as u64 * 50)
}

/// Formats a step exactly, including failures of the sandbox.
fn told(step: &Result<Step, Error>) -> String {
    format!("{step:?}")
}

async fn run(mut instance: WasmInstance) -> TestRun {
    let mut run = TestRun { told: vec![vec![]], did: vec![], waits: vec![] };
    let mut open: Vec<Call> = vec![];
    loop {
        let number = run.did.len();
        let step = instance.step(run.told[number].clone(), clock(number)).await;
        run.did.push(told(&step));
        let Ok(Step { calls, cleared, state: ProgramState::Waiting, .. }) = step else { return run };
        open.extend(calls);
        open.retain(|call| !cleared.contains(&call.seq));
        let (cpu_used, memory) = (instance.cpu_used(), instance.memory_for_test());
        run.waits.push(Wait { snapshot: snapshot(&mut instance), memory, cpu_used });
        run.told.push(next_answers(&mut open, number));
    }
}

/// Picks one or several answers, the oldest or the newest; the late ones when nothing else is open.
fn next_answers(open: &mut Vec<Call>, number: usize) -> Vec<Answer> {
    let is_late = |call: &Call| matches!(&call.request, Request::Tool { path, .. } if path == "late");
    open.sort_by_key(|call| (is_late(call), call.seq));
    let prompt = open.iter().filter(|call| !is_late(call)).count();
    let candidates = if prompt > 0 { prompt } else { open.len() };
    let count = candidates.min(1 + number % 3);
    let first = if number.is_multiple_of(2) { 0 } else { candidates - count };
    let mut now: Vec<Call> = open.drain(first..first + count).collect();
    if number % 3 == 1 {
        now.reverse();
    }
    let reply = |request: &Request| match request {
        Request::Timer(_) => Reply::Fired,
        Request::Tool { path, .. } if path == "fails" => Reply::Failed(Failure::new(Code::Tool, "it failed")),
        Request::Tool { path, .. } if path == "large" => Reply::result(&"large".repeat(5000).into()),
        Request::Tool { path, input } => Reply::result(&serde_json::json!({ "path": path, "input": input })),
    };
    now.iter().map(|call| Answer { seq: call.seq, reply: reply(&call.request) }).collect()
}

#[tokio::test]
async fn a_program_goes_on_elsewhere_as_if_nothing_had_been_from_every_await() {
    for cleaning in [Cleaning::Overwrite, Cleaning::GiveBack] {
        let (here, there) = (sandbox(1, cleaning), sandbox(1, cleaning));
        let mut programs: Vec<Program> = PROGRAMS.iter().map(|source| Program::single(*source)).collect();
        programs.push(several_files());
        for program in programs {
            let prepared = Arc::new(here.prepared_for_test(&program));
            let original = run(here.start_wasm(prepared, tight_options()).expect("an instance can be made")).await;
            assert!(!original.waits.is_empty(), "it waits: {program:?}: {:?}", original.did);
            for (number, wait) in original.waits.iter().enumerate() {
                let mut restored = there.restore_wasm(&wait.snapshot, tight_options()).expect("it can be restored");
                assert!(restored.memory_for_test() == wait.memory, "memory at wait {number}: {program:?}");
                assert_eq!(restored.cpu_used(), wait.cpu_used);
                assert!(snapshot(&mut restored) == wait.snapshot, "another snapshot at wait {number}: {program:?}");
                for later in number + 1..original.did.len() {
                    let step = restored.step(original.told[later].clone(), clock(later)).await;
                    assert_eq!(told(&step), original.did[later], "step {later} after wait {number}: {program:?}");
                    let Some(wait) = original.waits.get(later) else { break };
                    assert!(restored.memory_for_test() == wait.memory, "memory after step {later}: {program:?}");
                }
            }
        }
    }
}

#[tokio::test]
async fn the_programs_meet_what_the_host_keeps() {
    let sandbox = sandbox(1, Cleaning::Overwrite);
    let mut last = vec![];
    for source in PROGRAMS {
        let prepared = Arc::new(sandbox.prepared_for_test(&Program::single(*source)));
        let run = run(sandbox.start_wasm(prepared, tight_options()).expect("an instance can be made")).await;
        last.push(run.did.join("\n"));
    }
    for met in [
        "Engine(CallLimit)",
        "Engine(InFlightLimit)",
        "origin: Call(CallSeq(1))",
        "are more than 1600 bytes together",
        "out of memory",
        "LOG_LIMIT",
        "RangeError",
        "cleared: [CallSeq(1)]",
    ] {
        assert!(last.iter().any(|did| did.contains(met)), "{met}");
    }
}

#[tokio::test]
async fn what_was_used_before_counts_afterwards() {
    let sandbox = sandbox(2, Cleaning::Overwrite);
    let mut original = start(&sandbox, "const kept = new Uint8Array(8e6); await tools.wait(); for (;;) kept[1]++;");
    step(&mut original, vec![]).await;
    let saved = snapshot(&mut original);

    let capacity = Capacity::new(CapacityLimits { memory: ByteSize::mib(64), live: 1, queue: 0 });
    let permit = capacity.admit().await.expect("there is a place");
    let before = capacity.usage().memory.get();
    let options = StartOptions { meter: permit.meter(), ..options(Limits::default()) };
    let mut restored = sandbox.restore_wasm(&saved, options).expect("it can be restored");
    let grown = capacity.usage().memory.get() - before;
    assert!(grown >= 7_000_000, "its memory is counted: {grown}");

    restored.set_cpu_used(Limits::default().cpu + Duration::from_nanos(1));
    let state = step(&mut restored, vec![answer(0)]).await.state;
    assert!(matches!(state, ProgramState::Exhausted(Exhausted::Cpu)), "{state:?}");
}

#[tokio::test]
async fn only_a_program_that_waits_has_a_snapshot() {
    let sandbox = sandbox(1, Cleaning::Overwrite);
    let mut instance = start(&sandbox, "await tools.wait(); return 1");
    assert_eq!(instance.take_snapshot(NO_LIMIT), None, "it has not started");
    step(&mut instance, vec![]).await;
    let size = snapshot(&mut instance).bytes.len() as u64;
    assert!(instance.take_snapshot(ByteSize::bytes(size)).is_some());
    assert_eq!(instance.take_snapshot(ByteSize::bytes(size - 1)), None, "it is over the limit");
    assert_eq!(instance.take_snapshot(ByteSize::bytes(0)), None);
    assert!(matches!(step(&mut instance, vec![answer(0)]).await.state, ProgramState::Done(_)));
    assert_eq!(instance.take_snapshot(NO_LIMIT), None, "it has ended");
    let failure = instance.step(vec![], Timestamp(0)).await.expect_err("it has ended");
    assert_eq!(failure.kind, ErrorKind::Broken);
    drop(instance);

    let mut instance = start(&sandbox, "for (;;) {}");
    let spinning = tokio::time::timeout(Duration::from_millis(20), instance.step(vec![], Timestamp(0))).await;
    assert!(spinning.is_err(), "it spins");
    assert_eq!(instance.take_snapshot(NO_LIMIT), None, "it was stopped inside a step");
}

/// Returns a sandbox and the snapshot of a small waiting program.
async fn small() -> (Sandbox, Snapshot) {
    let sandbox = sandbox(1, Cleaning::Overwrite);
    let source = "const seen = new Map([['a', 1], ['b', /x+/]]); function* numbers() { yield 1; yield 2; }
                  const waiting = numbers(); waiting.next();
                  const asked = tools.wait({ for: 'a person' }); setTimeout(() => {}, 9).unref();
                  const answer = await asked; return [answer, seen.size, waiting.next().value]";
    let mut instance = start(&sandbox, source);
    step(&mut instance, vec![]).await;
    let saved = snapshot(&mut instance);
    drop(instance);
    (sandbox, saved)
}

#[tokio::test]
async fn a_small_program_has_a_small_snapshot() {
    let (_, saved) = small().await;
    assert!(saved.bytes.len() < 16_000, "{} bytes", saved.bytes.len());
}

#[tokio::test]
async fn a_sandbox_without_a_free_instance_is_busy() {
    let (sandbox, saved) = small().await;
    let _first = sandbox.restore_wasm(&saved, tight_options()).expect("there is one");
    let second = sandbox.restore_wasm(&saved, tight_options());
    assert_eq!(second.err().map(|error| error.kind), Some(ErrorKind::Busy));
}

#[tokio::test]
async fn no_byte_of_a_restored_execution_is_readable_by_the_next() {
    let litter = "const text = ['canary', '4c1f', '9b77'].join('-');";
    let small = "globalThis.kept = Array.from({ length: 300 }, (_, i) => text + i);";
    let large = "globalThis.kept = Array.from({ length: 20000 }, (_, i) => text + i); const bytes = new Uint8Array(8e6).fill(0xa5);";
    for (cleaning, filling) in [
        (Cleaning::Overwrite, ""),
        (Cleaning::Overwrite, small),
        (Cleaning::Overwrite, large),
        (Cleaning::GiveBack, small),
        (Cleaning::GiveBack, large),
    ] {
        let mut littered = start(&sandbox(1, cleaning), &format!("{litter} {filling} await tools.wait(); return text"));
        step(&mut littered, vec![]).await;
        let saved = snapshot(&mut littered);
        let cut = Snapshot { bytes: saved.bytes[..saved.bytes.len() - 1].to_vec(), ..saved.clone() };

        let sandbox = Arc::new(sandbox(1, cleaning));
        let pristine = start(&sandbox, "return 1").memory_for_test();
        // New instances, reused instances, and instances reused by a guest that touches only private pages.
        for round in 0..6 {
            let mut restored = sandbox.restore_wasm(&saved, tight_options()).expect("it can be restored");
            assert!(contains(&restored.memory_for_test(), canary().as_bytes()), "the litter is there");
            match round % 3 {
                0 => drop(restored),
                1 => {
                    assert!(matches!(step(&mut restored, vec![answer(0)]).await.state, ProgramState::Done(_)));
                    drop(restored);
                }
                _ => {
                    drop(restored);
                    assert!(sandbox.restore_wasm(&cut, tight_options()).is_err(), "it fails at its end");
                }
            }
            let next = start(&sandbox, "return 1");
            assert!(
                next.memory_for_test() == pristine,
                "memory differs from the image: {cleaning:?}, {filling}, {round}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_room_that_was_restored_into_is_used_again_and_is_the_image_again() {
    let (elsewhere, saved) = small().await;
    drop(elsewhere);
    let sandbox = Arc::new(sandbox(1, Cleaning::Overwrite));
    let pristine = start(&sandbox, "return 1").memory_for_test();
    let mut kept = 0;
    for round in 0..20 {
        let restored = {
            let (sandbox, saved) = (Arc::clone(&sandbox), saved.clone());
            tokio::spawn(async move { sandbox.restore_wasm(&saved, tight_options()).expect("it can be restored") })
        };
        let mut restored = restored.await.expect("it is restored");
        // On the thread of the restore or on another one.
        let ended = tokio::spawn(async move { step(&mut restored, vec![answer(0)]).await.state });
        assert!(matches!(ended.await.expect("it ends"), ProgramState::Done(_)));
        // If the thread had a page fault for another reason, the instance is dropped to be safe.
        kept += sandbox.idle_instances_for_test();
        let next = start(&sandbox, "return 1");
        assert_eq!(sandbox.idle_instances_for_test(), 0, "the room is used again");
        assert!(next.memory_for_test() == pristine, "memory differs from the image: {round}");
    }
    assert!(kept > 0, "no room was ever kept");
}

#[tokio::test]
async fn a_restored_program_that_recursed_does_not_hold_its_stack_while_it_waits() {
    let source = "await tools.wait(); try { (function forever() { forever(); })(); } catch {} await tools.wait();";
    for restored in [false, true] {
        let sandbox = sandbox(1, Cleaning::Overwrite);
        let mut instance = start(&sandbox, source);
        step(&mut instance, vec![]).await;
        if restored {
            let saved = snapshot(&mut instance);
            drop(instance);
            // An instance that no guest has run in.
            let there = crate::tests::sandbox(1, Cleaning::Overwrite);
            let mut instance = there.restore_wasm(&saved, options(Limits::default())).expect("it can be restored");
            assert_eq!(instance.held_stack_for_test(), None);
            step(&mut instance, vec![answer(0)]).await;
            assert_eq!(instance.held_stack_for_test(), Some(0));
        } else {
            step(&mut instance, vec![answer(0)]).await;
            assert_eq!(instance.held_stack_for_test(), Some(0));
        }
    }
}
