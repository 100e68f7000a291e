//! The cost of taking and restoring a snapshot of a waiting program.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Instant;

use isobox::Value;
use isobox_core::program::{Program, prepare};
use isobox_core::{
    Answer, ByteSize, CallSeq, Capacity, CapacityLimits, Driver, Instance, Limits, ProgramState, Region, Reply,
    Snapshot, StartOptions, Timestamp,
};
use isobox_sandbox::{Sandbox, SandboxOptions};
use serde_json::json;
use tokio::runtime::Runtime;

use crate::measure::Times;
use crate::waiting::PROGRAM;
use crate::{Effort, executions};

const LIMIT: ByteSize = ByteSize::mib(64);
/// The size of the snapshot of a small program, in bytes.
const WANTED: usize = 16_000;

pub(crate) fn small(effort: Effort) -> Value {
    let mut figures = measure(effort, PROGRAM);
    figures["wanted"] = json!(WANTED);
    figures["met"] = json!(figures["bytes"].as_u64() < Some(WANTED as u64));
    figures
}

pub(crate) fn objects5000(effort: Effort) -> Value {
    measure(
        effort,
        "const objects = Array.from({ length: 5000 }, (_, id) => ({ id, name: `object ${id}`, tags: [id % 7] }));
         await tools.wait(); return objects.length;",
    )
}

fn measure(effort: Effort, source: &str) -> Value {
    let runs = match effort {
        Effort::Full => 500,
        Effort::Quick => 3,
    };
    let executor = executions::executor(1);
    let instances = NonZeroU32::new(2).expect("it is not zero");
    let sandbox = Sandbox::new(SandboxOptions::default().instances(instances)).expect("the sandbox starts");
    let capacity = Capacity::new(CapacityLimits { memory: ByteSize::mib(64), live: 1, queue: 0 });
    let permit = executor.block_on(capacity.admit()).expect("there is a place");
    let options = || StartOptions {
        limits: Limits::default(),
        seed: 1,
        meter: permit.meter(),
        namespaces: Arc::default(),
        region: Region::default(),
        globals: None,
    };
    let program = Arc::new(executor.block_on(prepare(&sandbox, &Program::single(source))).expect("it is a program"));
    let mut original = executor.block_on(sandbox.start(program, options())).expect("an instance can be made");
    executor.block_on(original.step(vec![], Timestamp(0))).expect("it waits");

    let mut times = [Times::default(), Times::default(), Times::default()];
    let mut size = 0;
    for _ in 0..runs {
        let start = Instant::now();
        let snapshot: Snapshot = executor.block_on(original.snapshot(LIMIT)).expect("it waits");
        let taken = Instant::now();
        let mut restored = executor.block_on(sandbox.restore(&snapshot, options())).expect("it can be restored");
        let there = Instant::now();
        finish(&executor, restored.as_mut());
        let finished = Instant::now();
        size = snapshot.bytes.len();
        for (times, time) in times.iter_mut().zip([taken - start, there - taken, finished - there]) {
            times.add(time);
        }
    }
    let [take, restore, last_step] = times.map(|times| times.json());
    json!({ "bytes": size, "take": take, "restore": restore, "lastStep": last_step })
}

fn finish(executor: &Runtime, instance: &mut dyn Instance) {
    let answer = Answer { seq: CallSeq::new(0), reply: Reply::result(&json!(true)) };
    let step = executor.block_on(instance.step(vec![answer], Timestamp(1))).expect("the step is made");
    assert!(matches!(step.state, ProgramState::Done { .. }), "it completes: {:?}", step.state);
}
