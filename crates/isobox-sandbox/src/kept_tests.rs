//! Tests that a program that comes again behaves as one that was never seen.

use std::sync::Arc;

use isobox_core::program::Program;
use isobox_core::{ByteSize, Instance, Limits, ProgramState, Region, StartOptions, Timestamp};

use crate::tests::{options, sandbox, start, step};
use crate::{Cleaning, Sandbox};

const PROGRAMS: &[&str] = &[
    "return 1",
    "return [Math.random(), Date.now(), new Date().toString(), crypto.randomUUID()]",
    "globalThis.kept = class Kept { #a = 1; static made = new Map([[1, /x+/g]]); get a() { return this.#a; } }; await tools.wait({ a: 1 })",
    "import { inspect } from 'node:util'; import path from 'node:path'; export default async () => inspect({ a: path.join('a', 'b') })",
    "import crypto from 'node:crypto'; import { EventEmitter } from 'events'; export default crypto.createHash('sha256').update('a').digest('hex')",
    "setTimeout(() => console.log('late'), 10); console.log(Intl.NumberFormat('de').format(1.5)); codemode.fact('a', 1); await tools.wait()",
    "throw new Error('no')",
    "null.x",
];

async fn run_once(sandbox: &Sandbox, source: &str, options: StartOptions) -> (String, Vec<u8>) {
    let program = Arc::new(sandbox.prepared_for_test(&Program::single(source)));
    let mut instance = sandbox.start_wasm(program, options).expect("an instance can be made");
    let step = instance.step(Vec::new(), Timestamp(1_000)).await.expect("the step is made");
    (format!("{step:?}"), instance.memory_for_test())
}

#[tokio::test]
async fn a_program_that_comes_again_has_the_memory_of_one_never_seen() {
    let long = format!("return 1 //{}", "x".repeat(50_000));
    for cleaning in [Cleaning::Overwrite, Cleaning::GiveBack] {
        for source in PROGRAMS.iter().copied().chain([long.as_str()]) {
            let (again, anew) = (sandbox(1, cleaning), sandbox(1, cleaning));
            let (step, memory) = run_once(&anew, source, options(Limits::default())).await;
            for time in 1..=4 {
                let (its_step, its_memory) = run_once(&again, source, options(Limits::default())).await;
                assert_eq!(its_step, step, "time {time}: {source:.80}");
                assert!(its_memory == memory, "the memory differs at time {time}: {source:.80}");
            }
        }
    }
}

#[tokio::test]
async fn seed_clock_limits_and_region_are_those_of_each_start() {
    let sandbox = sandbox(1, Cleaning::Overwrite);
    let source = "return [Math.random(), Date.now(), new Date(0).getHours(), (1.5).toLocaleString()]";
    let berlin = || Region::default().locale("de-DE".to_owned()).time_zone("Europe/Berlin".to_owned());
    let mut seen = Vec::new();
    for _ in 0..3 {
        for (seed, region) in [(1, Region::default()), (2, Region::default()), (1, berlin())] {
            let options = StartOptions { seed, region, ..options(Limits::default()) };
            seen.push(run_once(&sandbox, source, options).await);
        }
    }
    assert!(seen[..3] == seen[3..6] && seen[..3] == seen[6..]);
    assert!(seen[0].0 != seen[1].0 && seen[0].0 != seen[2].0);
}

#[tokio::test]
async fn memory_runs_out_at_the_same_allocation() {
    let sandbox = sandbox(1, Cleaning::Overwrite);
    let source = "const kept = []; try { for (;;) kept.push(new Uint8Array(10_000)); } catch (error) { return [kept.length, error.message]; }";
    let limits = || Limits::default().memory(ByteSize::mib(8));
    let first = run_once(&sandbox, source, options(limits())).await;
    for _ in 0..3 {
        assert!(run_once(&sandbox, source, options(limits())).await == first);
    }
    let (other, _) = run_once(&sandbox, source, options(Limits::default().memory(ByteSize::mib(16)))).await;
    assert_ne!(other, first.0, "other limits are another program");
}

#[tokio::test]
async fn a_program_that_cannot_be_compiled_fails_every_time() {
    let sandbox = sandbox(1, Cleaning::Overwrite);
    // Only the engine refuses this.
    let source = format!("return {}1{}", "[".repeat(3_000), "]".repeat(3_000));
    let limits = || Limits::default().stack(Limits::MIN_STACK);
    let first = run_once(&sandbox, &source, options(limits())).await;
    assert!(first.0.contains("Failed"), "{}", first.0);
    for _ in 0..3 {
        assert!(run_once(&sandbox, &source, options(limits())).await == first);
    }
}

#[tokio::test]
async fn nothing_of_one_run_reaches_the_next_one_of_the_same_program() {
    let sandbox = sandbox(1, Cleaning::Overwrite);
    let source = "globalThis.count = (globalThis.count ?? 0) + 1; return count";
    for _ in 0..5 {
        let mut instance = start(&sandbox, source);
        let ProgramState::Done(returned) = step(&mut instance, Vec::new()).await.state else { panic!("it returns") };
        assert_eq!(returned.result, 1);
    }
}
