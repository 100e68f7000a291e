//! Tests the globals that one program leaves for the next.

use std::sync::Arc;

use isobox_core::driver::ErrorKind;
use isobox_core::program::Program;
use isobox_core::{ByteSize, Limits, ProgramState, Snapshot, StartOptions, Step};

use crate::instance::WasmInstance;
use crate::tests::{answer, options, sandbox, start, step};
use crate::{Cleaning, Sandbox};

const NO_LIMIT: ByteSize = ByteSize::mib(64);

fn start_after(sandbox: &Sandbox, source: &str, globals: &Arc<Snapshot>) -> WasmInstance {
    let program = Arc::new(sandbox.prepared_for_test(&Program::single(source)));
    let options = StartOptions { globals: Some(Arc::clone(globals)), ..options(Limits::default()) };
    sandbox.start_wasm(program, options).expect("an instance can be made")
}

async fn left_by(instance: &mut WasmInstance) -> Arc<Snapshot> {
    Arc::new(instance.close(NO_LIMIT).await.expect("it has returned"))
}

fn result(step: Step) -> serde_json::Value {
    match step.state {
        ProgramState::Done(returned) => returned.result,
        state => panic!("it returns instead: {state:?}"),
    }
}

#[tokio::test]
async fn globals_reach_the_next_program_in_kilobytes_also_in_another_sandbox() {
    let one = sandbox(1, Cleaning::Overwrite);
    let mut first = start(&one, "globalThis.rows = [1, 2]; globalThis.add = (n) => rows.push(n); return 1");
    step(&mut first, vec![]).await;
    let globals = left_by(&mut first).await;
    assert!(globals.bytes.len() < 64 << 10, "{} bytes", globals.bytes.len());
    drop(first);
    let other = sandbox(1, Cleaning::GiveBack);
    let mut second = start_after(&other, "return [add(3), rows]", &globals);
    assert_eq!(result(step(&mut second, vec![]).await), serde_json::json!([3, [1, 2, 3]]));
    // The same version can be used again: it is not changed.
    let mut again = start_after(&one, "return rows", &globals);
    assert_eq!(result(step(&mut again, vec![]).await), serde_json::json!([1, 2]));
    drop(again);
    let mut fresh = start(&one, "return typeof rows");
    assert_eq!(result(step(&mut fresh, vec![]).await), "undefined");
}

#[tokio::test]
async fn calls_and_timers_of_the_program_before_are_gone_and_numbers_start_anew() {
    let sandbox = sandbox(1, Cleaning::Overwrite);
    let source =
        "globalThis.lost = tools.a().then(() => console.log('never')); setTimeout(() => console.log('never'), 60_000);
                  await tools.b(); return 1";
    let mut first = start(&sandbox, source);
    let asked = step(&mut first, vec![]).await.calls;
    assert_eq!(asked.len(), 3);
    let done = step(&mut first, vec![answer(asked[2].seq.number())]).await;
    assert_eq!(result(done), 1);
    let globals = left_by(&mut first).await;
    drop(first);
    let mut second = start_after(&sandbox, "return (await tools.c()) && 7", &globals);
    let asked = step(&mut second, vec![]).await.calls;
    assert_eq!((asked.len(), asked[0].seq.number()), (1, 0));
    assert_eq!(result(step(&mut second, vec![answer(0)]).await), 7);
}

#[tokio::test]
async fn only_a_program_that_has_returned_leaves_globals_and_only_within_the_limit() {
    let sandbox = sandbox(1, Cleaning::Overwrite);
    for source in ["throw 1", "await tools.wait()"] {
        let mut instance = start(&sandbox, source);
        assert!(instance.close(NO_LIMIT).await.is_none(), "before the first step");
        step(&mut instance, vec![]).await;
        assert!(instance.close(NO_LIMIT).await.is_none(), "{source}");
    }
    let mut large = start(&sandbox, "globalThis.a = Array.from({ length: 9999 }, Math.random); return 1");
    step(&mut large, vec![]).await;
    assert!(large.close(ByteSize::kib(16)).await.is_none());
    assert!(large.close(NO_LIMIT).await.is_none(), "it is over");
}

#[tokio::test]
async fn globals_of_another_image_or_over_the_limits_or_damaged_are_refused() {
    let sandbox = sandbox(1, Cleaning::Overwrite);
    let mut first = start(&sandbox, "globalThis.a = new Uint8Array(8e6); return 1");
    step(&mut first, vec![]).await;
    let globals = left_by(&mut first).await;
    drop(first);
    let refused = |snapshot: Snapshot, limits: Limits| {
        let program = Arc::new(sandbox.prepared_for_test(&Program::single("return 1")));
        let options = StartOptions { globals: Some(Arc::new(snapshot)), ..options(limits) };
        sandbox.start_wasm(program, options).err().map(|error| error.kind)
    };
    let usual = Limits::default;
    let other = Snapshot { image: "another".to_owned(), ..(*globals).clone() };
    assert_eq!(refused(other, usual()), Some(ErrorKind::Snapshot));
    assert_eq!(refused((*globals).clone(), usual().memory(ByteSize::mib(8))), Some(ErrorKind::Snapshot));
    let content = zstd::decode_all(&globals.bytes[1..]).expect("it is a frame");
    for place in (0..globals.bytes.len()).step_by(101) {
        let mut bytes = globals.bytes.clone();
        bytes[place] ^= 16;
        // Some bits of a frame mean nothing. The checksum detects all damage that changes the content.
        if place > 0 && zstd::decode_all(&bytes[1..]).is_ok_and(|same| same == content) {
            continue;
        }
        assert_eq!(
            refused(Snapshot { bytes, ..(*globals).clone() }, usual()),
            Some(ErrorKind::Snapshot),
            "byte {place}"
        );
    }
    assert_eq!(refused((*globals).clone(), usual()), None);
}

#[tokio::test]
async fn a_session_of_many_programs_does_not_grow_by_what_is_gone() {
    let sandbox = sandbox(1, Cleaning::Overwrite);
    let source = "globalThis.n = (globalThis.n ?? 0) + 1; const local = Array.from({ length: 1000 }, (_, i) => ({ i })); return n";
    let mut instance = start(&sandbox, source);
    let mut sizes = Vec::new();
    for time in 1..=20 {
        assert_eq!(result(step(&mut instance, vec![]).await), time);
        let globals = left_by(&mut instance).await;
        sizes.push(globals.bytes.len());
        drop(instance);
        instance = start_after(&sandbox, source, &globals);
    }
    assert!(sizes[19] < sizes[1] + (16 << 10), "{sizes:?}");
}
