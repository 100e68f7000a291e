//! Tests the guarantees of the sandbox from inside.

use std::num::NonZeroU32;
use std::sync::Arc;

use isobox_core::driver::{ErrorKind, Returned};
use isobox_core::program::Program;
use isobox_core::{
    Answer, CallSeq, Capacity, CapacityLimits, Driver, Exhausted, Instance, Limits, Permit, ProgramState, Region,
    Reply, Request, StartOptions, Step, Timestamp,
};

use crate::instance::WasmInstance;
use crate::{Cleaning, Sandbox, SandboxOptions};

/// Returns a text that no image contains. It is built from parts so that this file does not contain it either.
pub(crate) fn canary() -> String {
    ["canary", "4c1f", "9b77"].join("-")
}

pub(crate) fn sandbox(instances: u32, cleaning: Cleaning) -> Sandbox {
    let instances = NonZeroU32::new(instances).expect("it is not zero");
    Sandbox::new(SandboxOptions { instances, cleaning }).expect("the sandbox starts")
}

pub(crate) fn permit() -> Permit {
    let capacity = Capacity::new(CapacityLimits { memory: isobox_core::ByteSize::mib(64), live: 1, queue: 0 });
    futures_util::FutureExt::now_or_never(capacity.admit()).expect("at once").expect("there is a place")
}

pub(crate) fn options(limits: Limits) -> StartOptions {
    StartOptions {
        limits,
        seed: 1,
        meter: permit().meter(),
        namespaces: Arc::default(),
        region: Region::default(),
        globals: None,
    }
}

pub(crate) fn start(sandbox: &Sandbox, source: &str) -> WasmInstance {
    let program = Arc::new(sandbox.prepared_for_test(&Program::single(source)));
    sandbox.start_wasm(program, options(Limits::default())).expect("an instance can be made")
}

pub(crate) async fn step(instance: &mut WasmInstance, answers: Vec<Answer>) -> Step {
    instance.step(answers, Timestamp(1_000)).await.expect("the step is made")
}

/// Fills the heap, grows it, leaves freed memory behind, and ends in one of several ways.
fn litter(ending: &str) -> String {
    format!(
        "const parts = ['canary', '4c1f', '9b77'];
         const text = parts.join('-');
         globalThis.kept = Array.from({{ length: 20000 }}, (_, i) => text + i);
         let freed = Array.from({{ length: 20000 }}, (_, i) => i + text); freed = null;
         const bytes = new Uint8Array(8e6).fill(0xa5);
         (function deep(n) {{ const local = text + n; return n ? deep(n - 1) + local.length : bytes.length; }})(200);
         {ending}"
    )
}

#[tokio::test]
async fn no_byte_of_one_execution_is_readable_by_the_next_whatever_the_pool_setting() {
    for cleaning in [Cleaning::Overwrite, Cleaning::GiveBack] {
        // There is one slot, so the next guest gets the memory of the last one.
        let sandbox = sandbox(1, cleaning);
        let pristine = start(&sandbox, "return 1").memory_for_test();
        for ending in [
            "return 1",
            "throw text",
            "await tools.wait()",
            "(function forever() { forever(); })()",
            "globalThis.more = []; for (;;) globalThis.more.push(text.repeat(1000))",
        ] {
            let mut dirty = start(&sandbox, &litter(ending));
            step(&mut dirty, vec![]).await;
            let memory = dirty.memory_for_test();
            assert!(contains(&memory, canary().as_bytes()), "the litter is there: {cleaning:?}, {ending}");
            drop(dirty);
            let fresh = start(&sandbox, "return 1");
            assert_eq!(fresh.memory_for_test().len(), pristine.len(), "{cleaning:?}, {ending}");
            assert!(fresh.memory_for_test() == pristine, "memory differs from the image: {cleaning:?}, {ending}");
            drop(fresh);
            // The memory that the next guest grows into is clean as well.
            let mut grown = start(&sandbox, "const more = new Array(4e6); more[3999999] = 1; await tools.wait()");
            step(&mut grown, vec![]).await;
            assert!(!contains(&grown.memory_for_test(), canary().as_bytes()), "{cleaning:?}, {ending}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_instance_that_is_used_again_is_the_image_again() {
    let sandbox = Arc::new(sandbox(1, Cleaning::Overwrite));
    let pristine = start(&sandbox, "return 1").memory_for_test();
    // Each program touches other pages than the one before, or the same ones again: with and without page faults.
    let litter = "const text = ['canary', '4c1f', '9b77'].join('-');";
    for (source, waits) in [
        ("return text", false),
        ("return text", false),
        ("throw text", false),
        ("globalThis.kept = Array.from({ length: 300 }, (_, i) => text + i); return 1", false),
        ("Array.prototype.own = text; Object.freeze(Math); delete globalThis.URL; return 1", false),
        ("await tools.wait({ text })", true),
        ("(function deep(n) { const local = text + n; return n ? deep(n - 1) + local : 1 })(100); return 1", false),
        ("return text", false),
    ] {
        let (sandbox, pristine) = (Arc::clone(&sandbox), pristine.clone());
        // Usually on another thread than the one before.
        let checked = tokio::spawn(async move {
            for round in 0..3 {
                let mut dirty = start(&sandbox, &format!("{litter} {source}"));
                let state = step(&mut dirty, vec![]).await.state;
                assert_eq!(matches!(state, ProgramState::Waiting), waits, "{source}: {state:?}");
                drop(dirty);
                assert_eq!(sandbox.idle_instances_for_test(), 1, "the room is kept: {source}");
                let next = start(&sandbox, "return 1");
                assert_eq!(sandbox.idle_instances_for_test(), 0, "the room is used again: {source}");
                if round == 2 {
                    assert!(next.memory_for_test() == pristine, "memory differs from the image: {source}");
                }
            }
        });
        checked.await.expect("it is as it should be");
    }
}

pub(crate) fn contains(memory: &[u8], text: &[u8]) -> bool {
    memory.windows(text.len()).any(|window| window == text)
}

#[tokio::test]
async fn the_stack_is_empty_whenever_the_program_waits() {
    let sandbox = sandbox(1, Cleaning::Overwrite);
    let mut instance = start(&sandbox, "for (let i = 0; i < 3; i++) await tools.next({ i }); return 'done'");
    let before = instance.stack_pointer_for_test();
    for seq in 0..3 {
        let answers = if seq == 0 { vec![] } else { vec![answer(seq - 1)] };
        assert!(matches!(step(&mut instance, answers).await.state, ProgramState::Waiting));
        assert_eq!(instance.stack_pointer_for_test(), before);
    }
}

pub(crate) fn answer(seq: u32) -> Answer {
    Answer { seq: CallSeq::new(seq), reply: Reply::result(&serde_json::json!({})) }
}

#[tokio::test]
async fn calls_are_returned_in_order_and_answers_reach_their_promise() {
    let sandbox = sandbox(1, Cleaning::Overwrite);
    let mut instance =
        start(&sandbox, "const [a, b] = await Promise.all([tools.a.b({ x: 1 }), tools.c()]); return [a, b]");
    let first = step(&mut instance, vec![]).await;
    let requests: Vec<(u32, Request)> = first.calls.into_iter().map(|call| (call.seq.number(), call.request)).collect();
    let tool = |path: &str, input| Request::Tool { path: path.to_owned(), input };
    assert_eq!(requests, [(0, tool("a.b", serde_json::json!({ "x": 1 }))), (1, tool("c", serde_json::json!({})))]);
    let reply =
        |seq, json: &str| Answer { seq: CallSeq::new(seq), reply: Reply::result(&serde_json::from_str(json).unwrap()) };
    let last = step(&mut instance, vec![reply(1, "\"second\""), reply(0, "\"first\"")]).await;
    let ProgramState::Done(Returned { result, unawaited, .. }) = last.state else {
        panic!("it is done: {:?}", last.state)
    };
    assert_eq!((result, unawaited), (serde_json::json!(["first", "second"]), vec![]));
}

#[tokio::test]
async fn an_instance_that_was_stopped_inside_a_step_cannot_go_on() {
    let sandbox = sandbox(1, Cleaning::Overwrite);
    let mut instance = start(&sandbox, "for (;;) {}");
    let spinning =
        tokio::time::timeout(std::time::Duration::from_millis(20), instance.step(vec![], Timestamp(0))).await;
    assert!(spinning.is_err(), "it spins");
    let error = instance.step(vec![], Timestamp(0)).await.expect_err("it is refused");
    assert_eq!(error.kind, ErrorKind::Broken);
}

#[tokio::test]
async fn the_largest_stack_limit_is_reached_before_the_wasm_stack_is() {
    let sandbox = sandbox(1, Cleaning::Overwrite);
    let limits = Limits::default().stack(Limits::MAX_STACK);
    // Frames of many kinds: program functions, sort comparators, getters, JSON, regular expressions, proxies.
    for recursion in [
        "const f = () => f(); f()",
        "const f = () => [2, 1].sort(() => f()); f()",
        "const f = () => JSON.stringify({ toJSON: f }); f()",
        "const f = () => JSON.parse('[1]', f); f()",
        "const f = () => 'a'.replace(/a/, f); f()",
        "const p = new Proxy({}, { get: () => p.x }); p.x",
        "const f = () => Reflect.construct(class { constructor() { f(); } }, []); f()",
        "const f = () => [...{ *[Symbol.iterator]() { yield f(); } }]; f()",
        "const f = () => Array.from([1], f); f()",
        "JSON.parse('['.repeat(1e5))",
        "new RegExp('('.repeat(1e5) + ')'.repeat(1e5))",
        "const f = () => `${{ toString: f }}`; f()",
        "const o = { get a() { return this.a; } }; o.a",
        "class A { static get [Symbol.species]() { return A; } } const f = () => [1].flatMap(f); f()",
        "const f = async () => await f(); await f()",
    ] {
        let source = format!("try {{ {recursion} }} catch (error) {{ return error.name }} return 'no error'");
        let program = Arc::new(sandbox.prepared_for_test(&Program::single(source)));
        let mut instance = sandbox.start_wasm(program, options(limits.clone())).expect("an instance can be made");
        let step = step(&mut instance, vec![]).await;
        let ProgramState::Done(Returned { result, .. }) = step.state else { panic!("{recursion}: {:?}", step.state) };
        assert!(result == "RangeError" || result == "SyntaxError", "{recursion}: {result}");
    }
}

#[tokio::test]
async fn memory_that_is_refused_is_an_error_that_a_program_can_catch() {
    let sandbox = sandbox(1, Cleaning::Overwrite);
    let mut instance = start(
        &sandbox,
        "let n = 0; try { const a = []; for (;;) { a.push('x'.repeat(1e5) + n++) } } catch (e) { return e.message }",
    );
    let ProgramState::Done(Returned { result, .. }) = step(&mut instance, vec![]).await.state else {
        panic!("it is caught")
    };
    assert_eq!(result, "out of memory");
}

#[tokio::test]
async fn a_program_that_only_computes_is_stopped_by_its_processor_time() {
    let sandbox = sandbox(1, Cleaning::Overwrite);
    let limits = Limits::default().cpu(std::time::Duration::from_millis(30));
    let program = Arc::new(sandbox.prepared_for_test(&Program::single("for (;;) {}")));
    let mut instance = sandbox.start_wasm(program, options(limits)).expect("an instance can be made");
    let state = step(&mut instance, vec![]).await.state;
    assert!(matches!(state, ProgramState::Exhausted(Exhausted::Cpu)), "{state:?}");
}

#[tokio::test]
async fn an_instance_is_a_driver_instance() {
    let sandbox = sandbox(1, Cleaning::Overwrite);
    let program = Arc::new(sandbox.prepared_for_test(&Program::single("return 1")));
    let first = sandbox.start(Arc::clone(&program), options(Limits::default())).await;
    assert!(first.is_ok());
    let second = sandbox.start(program, options(Limits::default())).await;
    assert_eq!(second.err().map(|error| error.kind), Some(ErrorKind::Busy), "all slots are in use");
}

#[tokio::test]
async fn a_small_program_that_waits_changes_few_pages() {
    const PAGE: usize = 4096;
    let sandbox = sandbox(1, Cleaning::Overwrite);
    let pristine = start(&sandbox, "return 1").memory_for_test();
    let mut instance = start(
        &sandbox,
        "const seen = new Map([['a', 1], ['b', /x+/]]);
         function* numbers() { yield 1; yield 2; }
         const waiting = numbers(); waiting.next();
         const answer = await tools.wait({ for: 'a person' });
         return [answer, seen.size, waiting.next().value];",
    );
    step(&mut instance, vec![]).await;
    let memory = instance.memory_for_test();
    let pages = memory
        .chunks(PAGE)
        .enumerate()
        .filter(|(index, page)| pristine.get(index * PAGE..(index + 1) * PAGE) != Some(*page));
    let changed: Vec<usize> = pages.map(|(index, _)| index).collect();
    assert!(changed.len() <= 36, "{} pages changed: {changed:?}", changed.len());
}

#[tokio::test]
async fn what_was_paged_out_is_cleaned_as_well() {
    for cleaning in [Cleaning::Overwrite, Cleaning::GiveBack] {
        let sandbox = sandbox(1, cleaning);
        let pristine = start(&sandbox, "return 1").memory_for_test();
        for is_buried in [false, true] {
            let source = "globalThis.kept = 'a secret '.repeat(2000); await tools.a(); for (;;) {}";
            let mut instance = start(&sandbox, source);
            step(&mut instance, vec![]).await;
            if is_buried {
                let endless = instance.step(vec![answer(0)], Timestamp(0));
                let stopped = tokio::time::timeout(std::time::Duration::from_millis(20), endless).await;
                assert!(stopped.is_err(), "it spins");
            }
            instance.page_out_for_test();
            drop(instance);
            assert!(start(&sandbox, "return 1").memory_for_test() == pristine, "buried: {is_buried}, {cleaning:?}");
        }
    }
}

#[tokio::test]
async fn programs_format_for_locales_and_time_zones() {
    let sandbox = sandbox(1, Cleaning::Overwrite);
    let source = "const money = new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' });
         await tools.wait();
         return [money.format(1234.5), new Date(0).toLocaleString('en-US', { timeZone: 'America/New_York' }),
                 ['a10', 'a9'].sort((x, y) => x.localeCompare(y, undefined, { numeric: true })).join(),
                 (() => { try { new Intl.DateTimeFormat('en', { calendar: 'hebrew' }) } catch (e) { return e.name } })()]";
    let mut instance = start(&sandbox, source);
    assert!(matches!(step(&mut instance, vec![]).await.state, ProgramState::Waiting));
    let ProgramState::Done(Returned { result, .. }) = step(&mut instance, vec![answer(0)]).await.state else {
        panic!("it is done")
    };
    assert_eq!(result, serde_json::json!(["1.234,50\u{a0}€", "12/31/1969, 7:00:00 PM", "a9,a10", "RangeError"]));
}

#[cfg(all(target_os = "linux", not(feature = "portable")))]
#[test]
fn a_preparer_that_is_used_again_starts_from_the_same_memory() {
    let sandbox = sandbox(1, Cleaning::Overwrite);
    let preparer = &sandbox.shared_for_test().preparer;
    let (idle, fresh, first) = preparer.memories_for_test();
    assert_eq!((idle, Some(&*fresh)), (0, first), "a new instance has the first memory");
    let small = format!("return '{}'", canary());
    let large = format!("const rows = [{}]; return rows", format!("{{ id: '{}' }}, ", canary()).repeat(20_000));
    for source in [&small, &large, &small] {
        assert_eq!(sandbox.prepared_for_test(&Program::single(source.clone())).files.len(), 1);
        let (_, next, first) = preparer.memories_for_test();
        assert_eq!(Some(&*next), first);
    }
    // A program that was not prepared before: the answers above are remembered.
    sandbox.prepared_for_test(&Program::single(small.replace("return", "throw")));
    assert_eq!(preparer.memories_for_test().0, 1, "the instance is idle");
}

#[test]
fn a_sandbox_that_gives_memory_back_keeps_no_preparer() {
    let sandbox = sandbox(1, Cleaning::GiveBack);
    let preparer = &sandbox.shared_for_test().preparer;
    sandbox.prepared_for_test(&Program::single("return 1"));
    let (idle, _, first) = preparer.memories_for_test();
    assert_eq!((idle, first), (0, None));
}
