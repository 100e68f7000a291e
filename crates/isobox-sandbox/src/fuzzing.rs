//! The parts of fuzz targets that need more than the public interface.

use std::io::Write;
use std::num::NonZeroU32;
use std::pin::pin;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use isobox_core::driver::ErrorKind;
use isobox_core::program::{Prepared, Program};
use isobox_core::{
    Answer, ByteSize, CallSeq, Capacity, CapacityLimits, InFlightExcess, Instance, Limits, Region, Reply, Snapshot,
    StartOptions, Timestamp,
};

use crate::guest::{Guest, slice};
use crate::instance::WasmInstance;
use crate::{Cleaning, IMAGE_HASH, Sandbox, SandboxOptions};

/// Makes the calls encoded in the data, with the data as guest memory, like a guest that follows no rules: the target
/// `guest_messages`.
pub fn hostile_guest(data: &[u8]) {
    let capacity = Capacity::new(CapacityLimits { memory: ByteSize::mib(1), live: 1, queue: 0 });
    let Some(Ok(permit)) = futures_util::FutureExt::now_or_never(capacity.admit()) else { return };
    let limits = Limits::default()
        .calls(20)
        .in_flight(3)
        .in_flight_excess(if data.len().is_multiple_of(2) { InFlightExcess::Fail } else { InFlightExcess::Wait })
        .input(ByteSize::bytes(200))
        .result(ByteSize::bytes(300))
        .logs(ByteSize::bytes(500));
    let mut guest = Guest::new(limits.clone(), permit.meter(), 0);
    let mut at = 0;
    let mut next = || {
        let bytes = data.get(at..at + 4)?;
        at += 4;
        Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    };
    // Small numbers mostly point into the data; large ones test the bounds.
    let part = |start: u32, size: u32| slice(data, start >> (start & 31), size >> (size & 31));
    while let Some(operation) = next() {
        let (a, b) = (next().unwrap_or(0), next().unwrap_or(0));
        match operation % 11 {
            0 => {
                let (c, d) = (next().unwrap_or(0), next().unwrap_or(0));
                if let (Ok(path), Ok(input)) = (part(a, b), part(c, d)) {
                    let _ = guest.call(path, input, None);
                }
            }
            1 => {
                let _ = guest.timer(f64::from_bits(u64::from(a) << 32 | u64::from(b)));
            }
            2 => guest.intake.clear(CallSeq::new(a % 64)),
            3 => {
                if let Ok(text) = part(a, b) {
                    guest.log(operation >> 8, text);
                }
            }
            4 => guest.intake.unawaited(CallSeq::new(a % 64)),
            5 => {
                if let Ok(json) = part(a, b) {
                    guest.intake.done(json);
                }
            }
            6 => {
                if let Ok(report) = part(a, b) {
                    guest.fail(operation >> 8, report);
                }
            }
            7 => guest.intake.answer(CallSeq::new(a % 64)),
            8 => {
                if let Ok(text) = part(a, b) {
                    guest.intake.hint(text);
                }
            }
            9 => {
                if let (Ok(name), Ok(json)) = (part(a, 3), part(b, a)) {
                    drop(guest.fact(name, json));
                }
            }
            _ => {
                if let Ok(step) = guest.take_step(i32::from_le_bytes(a.to_le_bytes()) % 4) {
                    let logged: usize = step.logs.iter().map(|log| log.message.len()).sum();
                    assert!(logged <= limits.logs.get() as usize + 300 && step.calls.len() <= 20, "bounded");
                    let facts: usize = step.facts.iter().map(|fact| fact.value.to_string().len()).sum();
                    assert!(facts <= 4 * limits.facts.get() as usize, "bounded");
                }
            }
        }
    }
}

/// Restores the snapshot encoded in the data, resumes it, and checks that nothing of it remains: the target `snapshot`.
pub fn hostile_snapshot(data: &[u8]) {
    let Some((kind, data)) = data.split_first() else { return };
    let bytes = match kind % 3 {
        0 => data.to_vec(),
        1 => packed(data),
        _ => packed(&edited(&FIXTURE.content, data)),
    };
    let snapshot = Snapshot { image: IMAGE_HASH.to_owned(), bytes };
    match FIXTURE.sandbox.restore_wasm(&snapshot, options()) {
        Ok(mut instance) => {
            for seq in 0..2 {
                let answer = Answer { seq: CallSeq::new(seq), reply: Reply::result(&serde_json::json!([1])) };
                if let Err(error) = finished(instance.step(vec![answer], Timestamp(1))) {
                    assert_eq!(error.kind, ErrorKind::Broken, "{error:?}");
                    break;
                }
                if let Some(again) = instance.take_snapshot(ByteSize::mib(64)) {
                    assert!(again.bytes.len() > 1);
                }
            }
        }
        Err(error) => assert_eq!(error.kind, ErrorKind::Snapshot, "{error:?}"),
    }
    assert!(FIXTURE.start().memory_for_test() == FIXTURE.pristine, "memory differs from the image");
}

struct Fixture {
    sandbox: Sandbox,
    program: Arc<Prepared>,
    /// The memory of a new instance.
    pristine: Vec<u8>,
    /// The uncompressed content of a snapshot of the program.
    content: Vec<u8>,
}

static FIXTURE: LazyLock<Fixture> = LazyLock::new(|| {
    let source =
        "const seen = new Map([['a', /x+/]]); console.log('one line'); tools.refused('x'.repeat(300)).catch(() => {});
                  const asked = tools.a({ text: 'of some length' }); setTimeout(() => {}, 9); let n = 0;
                  for (;;) { await Promise.race([asked, tools.b()]); seen.set(n++, await tools.c({ n })); }";
    let cleaning = Cleaning::Overwrite;
    let sandbox = Sandbox::new(SandboxOptions { instances: NonZeroU32::MIN, cleaning }).expect("the sandbox starts");
    let program = Arc::new(sandbox.prepared_for_test(&Program::single(source)));
    let mut fixture = Fixture { sandbox, program, pristine: Vec::new(), content: Vec::new() };
    let mut instance = fixture.start();
    fixture.pristine = instance.memory_for_test();
    finished(instance.step(vec![], Timestamp(0))).expect("it waits");
    let snapshot = instance.take_snapshot(ByteSize::mib(64)).expect("it waits");
    fixture.content = zstd::decode_all(&snapshot.bytes[1..]).expect("it is a frame");
    drop(instance);
    fixture
});

impl Fixture {
    fn start(&self) -> WasmInstance {
        self.sandbox.start_wasm(Arc::clone(&self.program), options()).expect("the one before is gone")
    }
}

fn options() -> StartOptions {
    let capacity = Capacity::new(CapacityLimits { memory: ByteSize::mib(16), live: 1, queue: 0 });
    let permit = finished(capacity.admit()).expect("there is a place");
    let limits = Limits::default()
        .memory(ByteSize::mib(16))
        .cpu(Duration::from_millis(5))
        .calls(20)
        .input(ByteSize::bytes(200))
        .logs(ByteSize::bytes(500));
    StartOptions {
        limits,
        seed: 1,
        meter: permit.meter(),
        namespaces: Arc::default(),
        region: Region::default(),
        globals: None,
    }
}

/// Packs content into a snapshot with a valid frame and checksum.
fn packed(content: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(vec![2], 1).expect("it starts");
    encoder.write_all(content).expect("there is memory");
    encoder.finish().expect("there is memory")
}

/// Changes bytes of the content. Half of the changes hit the few bytes of host state.
fn edited(content: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut content = content.to_vec();
    for &[near, far, further, byte] in edits.as_chunks().0 {
        let at = usize::from(near) | (usize::from(far) << 8) | (usize::from(further) << 16);
        let at = if further & 1 == 0 { usize::from(near) } else { at % content.len() };
        content[at] = byte;
    }
    content
}

/// Runs a future that only yields.
fn finished<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return output;
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_guest_that_keeps_to_no_rule_does_no_harm() {
        let mut state = 1_u32;
        for length in 0..2_000 {
            let data = std::iter::repeat_with(|| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                state.to_le_bytes()[2]
            });
            super::hostile_guest(&data.take(length).collect::<Vec<u8>>());
        }
    }
}
