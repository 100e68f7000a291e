//! Tests damaged and hostile snapshots.

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use isobox_core::driver::{Error, ErrorKind};
use isobox_core::{ByteSize, Instance, Limits, Snapshot, Timestamp};
use proptest::prelude::*;

use super::{small, snapshot, tight, tight_options};
use crate::tests::{answer, options, sandbox, start, step};
use crate::{Cleaning, IMAGE_HASH, Sandbox};

#[tokio::test]
async fn a_snapshot_of_another_image_or_version_is_refused() {
    let (sandbox, saved) = small().await;
    let refused = |image: &str, bytes: Vec<u8>| {
        let snapshot = Snapshot { image: image.to_owned(), bytes };
        let failure = sandbox.restore_wasm(&snapshot, tight_options()).err().expect("it is refused");
        assert_eq!(failure.kind, ErrorKind::Snapshot);
        failure.message
    };
    assert_eq!(refused("0123", saved.bytes.clone()), "the snapshot belongs to another guest image");
    assert_eq!(refused(IMAGE_HASH, vec![]), "the snapshot is damaged: it is empty");
    let newer = [&[3], &saved.bytes[1..]].concat();
    assert_eq!(refused(IMAGE_HASH, newer), "the snapshot is of version 3, and this sandbox reads 2");
    let followed = [&saved.bytes[..], &[0]].concat();
    assert_eq!(refused(IMAGE_HASH, followed), "the snapshot is damaged: something follows its end");
}

#[tokio::test]
async fn a_snapshot_over_the_limits_is_refused() {
    let here = sandbox(1, Cleaning::Overwrite);
    let mut instance = start(
        &here,
        "console.log('a line'); const kept = new Uint8Array(8e6); tools.a({ text: 'x'.repeat(100) }); await tools.b()",
    );
    step(&mut instance, vec![]).await;
    let saved = snapshot(&mut instance);
    drop(instance);
    let limits = Limits::default();
    for (name, limits) in [
        ("memory", limits.clone().memory(ByteSize::mib(8))),
        ("logs", limits.clone().logs(ByteSize::bytes(10))),
        ("calls", limits.clone().calls(1)),
        ("input", limits.clone().input(ByteSize::bytes(10))),
    ] {
        let failure = here.restore_wasm(&saved, options(limits)).err().expect("it is refused");
        assert_eq!(
            (failure.kind, failure.message),
            (ErrorKind::Snapshot, format!("the snapshot is over the limit `{name}`"))
        );
    }
    assert!(here.restore_wasm(&saved, options(limits)).is_ok());
}

/// Packs bytes into a snapshot with a valid frame and checksum.
fn packed(content: &[u8]) -> Snapshot {
    let mut encoder = zstd::Encoder::new(vec![2], 1).expect("it starts");
    std::io::Write::write_all(&mut encoder, content).expect("it writes");
    Snapshot { image: IMAGE_HASH.to_owned(), bytes: encoder.finish().expect("it ends") }
}

fn unpacked(snapshot: &Snapshot) -> Vec<u8> {
    zstd::decode_all(&snapshot.bytes[1..]).expect("it is a frame")
}

/// Restores a snapshot and, if that works, runs it. The sandbox must stay usable in any case.
fn try_out(sandbox: &Sandbox, snapshot: &Snapshot) -> Result<(), Error> {
    let limits = tight().cpu(Duration::from_millis(20));
    let mut instance = sandbox.restore_wasm(snapshot, options(limits)).inspect_err(|failure| {
        assert_eq!(failure.kind, ErrorKind::Snapshot, "{failure:?}");
    })?;
    let executor = tokio::runtime::Builder::new_current_thread().build().expect("tokio starts");
    match executor.block_on(instance.step(vec![answer(0)], Timestamp(1))) {
        Ok(_) => Ok(()),
        Err(failure) => {
            assert_eq!(failure.kind, ErrorKind::Broken, "{failure:?}");
            Ok(())
        }
    }
}

#[test]
fn a_damaged_snapshot_is_an_error_or_a_live_instance() {
    let executor = tokio::runtime::Builder::new_current_thread().build().expect("tokio starts");
    let (sandbox, saved) = executor.block_on(small());
    let pristine = start(&sandbox, "return 1").memory_for_test();
    let with = |bytes: Vec<u8>| Snapshot { bytes, ..saved.clone() };
    for end in (0..saved.bytes.len()).step_by(31).chain(saved.bytes.len() - 8..saved.bytes.len()) {
        assert!(try_out(&sandbox, &with(saved.bytes[..end].to_vec())).is_err(), "cut to {end} bytes");
    }
    // The checksum detects all damage that changes the content.
    let content = unpacked(&saved);
    for at in (0..64).chain((64..saved.bytes.len()).step_by(13)) {
        for mask in [1, 0x80, 0xff] {
            let mut bytes = saved.bytes.clone();
            bytes[at] ^= mask;
            let damaged = with(bytes);
            if try_out(&sandbox, &damaged).is_ok() {
                assert!(unpacked(&damaged) == content, "damage at {at} is not seen");
            }
        }
    }
    // Damage below a valid checksum: in the host state and in memory.
    for at in (0..128).chain((128..content.len()).step_by(601)) {
        for mask in [1, 0x80, 0xff] {
            let mut content = content.clone();
            content[at] ^= mask;
            let _ = try_out(&sandbox, &packed(&content));
        }
    }
    assert!(start(&sandbox, "return 1").memory_for_test() == pristine);
}

#[test]
fn a_small_snapshot_cannot_take_much_memory() {
    let executor = tokio::runtime::Builder::new_current_thread().build().expect("tokio starts");
    let (sandbox, saved) = executor.block_on(small());
    let mut encoder = zstd::Encoder::new(vec![2], 1).expect("it starts");
    encoder.window_log(27).expect("zstd allows it");
    std::io::Write::write_all(&mut encoder, &unpacked(&saved)).expect("it writes");
    let hungry = Snapshot { bytes: encoder.finish().expect("it ends"), ..saved.clone() };
    let failure = try_out(&sandbox, &hungry).expect_err("it is refused");
    assert!(failure.message.contains("too much memory"), "{}", failure.message);

    // Far more pages than there is memory.
    let mut content = unpacked(&saved);
    content.resize(256 << 20, 0);
    let bomb = packed(&content);
    assert!(bomb.bytes.len() < 64 << 10);
    assert!(try_out(&sandbox, &bomb).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn any_bytes_are_an_error(bytes in prop::collection::vec(any::<u8>(), 0..2000), has_version in any::<bool>()) {
        let sandbox = shared_sandbox();
        let bytes = if has_version { [&[1], &bytes[..]].concat() } else { bytes };
        let raw = Snapshot { image: IMAGE_HASH.to_owned(), bytes: bytes.clone() };
        prop_assert!(try_out(&sandbox.0, &raw).is_err());
        prop_assert!(try_out(&sandbox.0, &packed(&bytes)).is_err());
    }

    #[test]
    fn any_change_is_an_error_or_a_live_instance(edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20)) {
        let sandbox = shared_sandbox();
        let mut content = unpacked(&sandbox.1);
        for (at, byte) in edits {
            let at = at.index(content.len());
            content[at] = byte;
        }
        let _ = try_out(&sandbox.0, &packed(&content));
    }
}

fn shared_sandbox() -> MutexGuard<'static, (Sandbox, Snapshot)> {
    static SHARED: LazyLock<Mutex<(Sandbox, Snapshot)>> = LazyLock::new(|| {
        let executor = tokio::runtime::Builder::new_current_thread().build().expect("tokio starts");
        Mutex::new(executor.block_on(small()))
    });
    SHARED.lock().unwrap_or_else(PoisonError::into_inner)
}
