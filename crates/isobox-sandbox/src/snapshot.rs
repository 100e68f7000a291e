//! Snapshots: the state of a waiting program as bytes.
//!
//! The wasm stack of a waiting program is empty. Its state is its linear memory and the host state (the
//! [lasting](Lasting) part of its intake, and its CPU time). Only the pages that differ from the image are stored, xor-ed
//! with those of the image: usually a few words of a page differ, and zeros compress well.
//!
//! The first byte is the version of the format; the rest is one zstd frame, with a checksum, of:
//!
//! ```text
//! u64  CPU time, in nanoseconds              u32 n, n × u8                     the lasting part of the intake, as JSON
//! u32  linear memory, in pages of 64 KiB     u32 n, n × (u32 page, 4096 × u8)  memory
//! u8   whether memory was refused
//! ```
//!
//! Numbers are little-endian, and page numbers ascend, so that equal states have equal bytes. The store authenticates
//! snapshots. They are nevertheless read as if an attacker had written them: no allocation exceeds the limits, and a
//! restored guest is bounded like any other guest.

use std::io::{self, Read, Write};
use std::time::Duration;

use isobox_core::driver::intake::{Intake, Lasting};
use isobox_core::driver::{Error, ErrorKind};
use isobox_core::{ByteSize, Limits, Snapshot};
use zstd::{Decoder, Encoder};

use crate::pages::{PAGE, base_of};
use crate::pooled_instance::{Image, PooledInstance};

/// The hash of the guest image. A snapshot fits only the image it was taken of.
pub const IMAGE_HASH: &str = env!("ISOBOX_IMAGE_HASH");

const VERSION: u8 = 2;

/// The fastest level. The pages consist of zeros and of data that no level compresses much better.
const LEVEL: i32 = 1;
/// The size of the compression window, which bounds the memory for reading.
const WINDOW_LOG: u32 = 19;

/// The size of a WebAssembly page, by which linear memory grows.
const WASM_PAGE: usize = 64 << 10;

/// The content of a snapshot beside the memory.
pub(crate) enum Beside {
    /// The state of a program that goes on.
    Waiting {
        /// Its CPU time.
        cpu_used: Duration,
    },
    /// Nothing: another program begins with the memory.
    Closed,
}

/// Takes a snapshot of the guest in an instance. Returns `None` if its stack is not empty or if the snapshot exceeds
/// `limit`.
pub(crate) fn take(pooled: &mut PooledInstance, image: &Image, beside: &Beside, limit: ByteSize) -> Option<Snapshot> {
    if pooled.exports.stack_pointer.get(&mut pooled.store).i32() != Some(image.stack_pointer) {
        return None;
    }
    let memory = pooled.exports.memory.data(&pooled.store);
    let ((lasting, was_refused_memory), cpu_used) = match beside {
        Beside::Waiting { cpu_used } => (pooled.store.data().lasting(), *cpu_used),
        Beside::Closed => ((Lasting::default(), false), Duration::ZERO),
    };
    let host = encode_host(&lasting, was_refused_memory, cpu_used, memory.len() / WASM_PAGE);
    // Writing fails if the limit is exceeded or memory is short.
    let bytes = pack(&host, &image.changed_pages(memory), &image.memory, limit).ok()?;
    Some(Snapshot { image: IMAGE_HASH.to_owned(), bytes })
}

fn encode_host(lasting: &Lasting, was_refused_memory: bool, cpu_used: Duration, wasm_pages: usize) -> Vec<u8> {
    let lasting = serde_json::to_vec(lasting).expect("numbers and texts are JSON");
    let mut bytes = Vec::with_capacity(32 + lasting.len());
    put_u64(&mut bytes, u64::try_from(cpu_used.as_nanos()).unwrap_or(u64::MAX));
    put_count(&mut bytes, wasm_pages);
    bytes.push(u8::from(was_refused_memory));
    put_count(&mut bytes, lasting.len());
    bytes.extend_from_slice(&lasting);
    bytes
}

fn put_count(bytes: &mut Vec<u8>, count: usize) {
    put_u32(bytes, u32::try_from(count).expect("a guest has 4 GiB at the most, and its calls are numbered in 32 bits"));
}

fn put_u32(bytes: &mut Vec<u8>, number: u32) {
    bytes.extend_from_slice(&number.to_le_bytes());
}

fn put_u64(bytes: &mut Vec<u8>, number: u64) {
    bytes.extend_from_slice(&number.to_le_bytes());
}

fn pack(host: &[u8], changed: &[(usize, &[u8; PAGE])], image: &[u8], limit: ByteSize) -> io::Result<Vec<u8>> {
    let mut packed = Bounded { bytes: Vec::new(), limit };
    packed.write_all(&[VERSION])?;
    let mut encoder = Encoder::new(packed, LEVEL)?;
    encoder.window_log(WINDOW_LOG)?;
    encoder.include_checksum(true)?;
    let size = host.len() + size_of::<u32>() + changed.len() * (size_of::<u32>() + PAGE);
    encoder.set_pledged_src_size(Some(size as u64))?;
    encoder.write_all(host)?;
    let mut head = Vec::new();
    put_count(&mut head, changed.len());
    for (page, content) in changed {
        put_count(&mut head, *page);
        encoder.write_all(&head)?;
        head.clear();
        let mut delta = **content;
        xor(&mut delta, base_of(image, *page));
        encoder.write_all(&delta)?;
    }
    encoder.write_all(&head)?;
    Ok(encoder.finish()?.bytes)
}

fn xor(bytes: &mut [u8; PAGE], with: &[u8; PAGE]) {
    for (byte, with) in bytes.iter_mut().zip(with) {
        *byte ^= with;
    }
}

/// A byte buffer with a maximum size.
struct Bounded {
    bytes: Vec<u8>,
    limit: ByteSize,
}

impl Write for Bounded {
    fn write(&mut self, more: &[u8]) -> io::Result<usize> {
        if !self.limit.holds(self.bytes.len() + more.len()) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.bytes.extend_from_slice(more);
        Ok(more.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A snapshot whose first part has been read and checked. The memory follows.
pub(crate) struct Saved<'a> {
    reader: SnapshotReader<'a>,
    /// Present until the snapshot is restored.
    intake: Option<Intake>,
    was_refused_memory: bool,
    cpu_used: Duration,
    memory_size: usize,
}

/// Reads everything except the memory of a snapshot, and checks it against the limits.
pub(crate) fn open<'a>(snapshot: &'a Snapshot, limits: &Limits, image: &Image) -> Result<Saved<'a>, Error> {
    if snapshot.image != IMAGE_HASH {
        return Err(unusable("the snapshot belongs to another guest image"));
    }
    match snapshot.bytes.split_first() {
        Some((&VERSION, frame)) => Saved::read(SnapshotReader::new(frame)?, limits, image),
        Some((version, _)) => {
            let message = format!("the snapshot is of version {version}, and this sandbox reads {VERSION}");
            Err(unusable(message))
        }
        None => Err(damaged("it is empty")),
    }
}

impl<'a> Saved<'a> {
    fn read(mut reader: SnapshotReader<'a>, limits: &Limits, image: &Image) -> Result<Self, Error> {
        let cpu_used = Duration::from_nanos(reader.u64()?);
        let memory_size = reader.u32()? as usize * WASM_PAGE;
        if memory_size < image.memory.len() {
            return Err(damaged("its memory is smaller than the image"));
        }
        if !limits.memory.holds(memory_size) {
            return Err(unusable("the snapshot is over the limit `memory`"));
        }
        let was_refused_memory = reader.flag()?;
        let intake = Some(Intake::resumed(limits.clone(), reader.lasting(limits)?)?);
        Ok(Self { reader, intake, was_refused_memory, cpu_used, memory_size })
    }

    pub(crate) fn cpu_used(&self) -> Duration {
        self.cpu_used
    }

    /// Restores the guest in a clean instance, except for its CPU time.
    ///
    /// The instance can be cleaned afterwards, also if this fails halfway. The pages written here become private as
    /// under a guest, in faults of the writing thread. A reused instance has watched this thread since it was prepared
    /// for the guest, so its watch sees these faults, or sees later that the guest ran elsewhere. A new instance has no
    /// watch, so the kernel is asked. The stack pointer stays that of the image.
    pub(crate) fn restore(&mut self, pooled: &mut PooledInstance) -> Result<(), Error> {
        let PooledInstance { store, exports, .. } = pooled;
        let grown = self.memory_size.saturating_sub(exports.memory.data_size(&*store));
        // Grows the memory through the limiter, which counts it as it does for the guest.
        exports
            .memory
            .grow(&mut *store, (grown / WASM_PAGE) as u64)
            .map_err(|error| unusable(format!("cannot give the snapshot its memory: {error:#}")))?;
        self.reader.pages(exports.memory.data_mut(&mut *store))?;
        if let Some(intake) = self.intake.take() {
            store.data_mut().resume(intake, self.was_refused_memory);
        }
        Ok(())
    }
}

/// Reads the frame of a snapshot without trusting its content.
struct SnapshotReader<'a>(Decoder<'static, &'a [u8]>);

impl<'a> SnapshotReader<'a> {
    fn new(frame: &'a [u8]) -> Result<Self, Error> {
        let mut decoder = Decoder::with_buffer(frame).map_err(damaged)?.single_frame();
        decoder.window_log_max(WINDOW_LOG).map_err(damaged)?;
        Ok(Self(decoder))
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut bytes = [0; N];
        self.0.read_exact(&mut bytes).map_err(damaged)?;
        Ok(bytes)
    }

    fn u32(&mut self) -> Result<u32, Error> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, Error> {
        self.array().map(u64::from_le_bytes)
    }

    fn flag(&mut self) -> Result<bool, Error> {
        match self.array()? {
            [0] => Ok(false),
            [1] => Ok(true),
            [_] => Err(damaged("neither true nor false")),
        }
    }

    fn lasting(&mut self, limits: &Limits) -> Result<Lasting, Error> {
        let size = self.u32()? as usize;
        if !Lasting::size_limit(limits).holds(size) {
            return Err(damaged("more is kept than there can be"));
        }
        let mut json = vec![0; size];
        self.0.read_exact(&mut json).map_err(damaged)?;
        serde_json::from_slice(&json).map_err(damaged)
    }

    /// Reads an item for each of several ascending numbers below `end`.
    fn each(&mut self, end: u32, mut read: impl FnMut(&mut Self, u32) -> Result<(), Error>) -> Result<(), Error> {
        let count = self.u32()?;
        let mut lowest = 0;
        for _ in 0..count {
            let number = self.u32()?;
            if !(lowest..end).contains(&number) {
                return Err(damaged("a number is out of order"));
            }
            lowest = number + 1;
            read(self, number)?;
        }
        Ok(())
    }

    /// Reads the pages into a memory that equals the image, then the end of the frame.
    fn pages(&mut self, memory: &mut [u8]) -> Result<(), Error> {
        let pages = memory.as_chunks_mut().0;
        self.each(u32::try_from(pages.len()).map_err(damaged)?, |reader, page| {
            xor(&mut pages[page as usize], &reader.array()?);
            Ok(())
        })?;
        match self.0.read(&mut [0]) {
            Ok(0) if self.0.get_ref().is_empty() => Ok(()),
            Ok(_) => Err(damaged("something follows its end")),
            Err(error) => Err(damaged(error)),
        }
    }
}

fn damaged(how: impl std::fmt::Display) -> Error {
    unusable(format!("the snapshot is damaged: {how}"))
}

fn unusable(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Snapshot, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_host_keeps_has_the_bytes_of_version_2() {
        let bytes = encode_host(&Lasting::default(), true, Duration::from_micros(1), 9);
        let json = br#"{"nextCall":0,"toolCalls":0,"unanswered":{},"timers":[],"refusals":{},"logged":{"bytes":0,"isFull":false}}"#;
        #[rustfmt::skip]
        let head = [0xe8, 3, 0, 0, 0, 0, 0, 0,  9, 0, 0, 0,  1,  106, 0, 0, 0];
        assert_eq!(bytes, [&head[..], json].concat());
    }
}
