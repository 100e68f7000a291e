//! Ten thousand executions that wait for people: their size on disk and in memory.

use futures_util::{StreamExt, stream};
use isobox::store::{Filter, State};
use isobox::{Isobox, Value};
use serde_json::json as figures;

use super::{TestStore, approve, durable, isobox, paused, resume};
use crate::measure::{micros, round};
use crate::waiting::{PROGRAM, private_kib};
use crate::{Effort, executions};

/// Bytes on disk, including the log of the database.
const WANTED_BYTES: u64 = 200_000_000;
/// Memory of this process per execution, in KiB: no more than an entry in a list takes.
const WANTED_KIB: f64 = 1.0;
/// The number of concurrent executions.
const AT_ONCE: usize = 32;

pub(crate) fn paused10000(effort: Effort) -> Value {
    let count = match effort {
        Effort::Full => 10_000,
        Effort::Quick => 20,
    };
    executions::executor(2).block_on(measure(count))
}

async fn measure(count: usize) -> Value {
    let store = TestStore::in_sqlite().await;
    let isobox = isobox(&store.store);
    // The runtime has its instances, and the database its caches, before anything is counted.
    let warm_up = async |_| resume_one(&isobox).await;
    stream::iter(0..AT_ONCE * 4).map(warm_up).buffer_unordered(AT_ONCE).collect::<()>().await;
    let (memory, disk) = (private_kib(), store.bytes_on_disk());
    let run = async |_| drop(paused(isobox.run(durable(&PROGRAM.replace("tools.wait", "tools.pay"))).await));
    let start = std::time::Instant::now();
    stream::iter(0..count).map(run).buffer_unordered(AT_ONCE).collect::<()>().await;
    let pausing = start.elapsed();
    let (memory, disk) = ((private_kib() - memory) / count as f64, store.bytes_on_disk() - disk);
    let (resumed, resuming) = resume_all(&isobox).await;
    figures!({
        "executions": count,
        "bytesOnDisk": disk,
        "kibInMemoryEach": round(memory),
        "pausedEachUs": micros(pausing.div_f64(count as f64)),
        "resumed": resumed,
        "resumedEachUs": micros(resuming.div_f64(resumed.max(1) as f64)),
        "wanted": { "bytesOnDisk": WANTED_BYTES, "kibInMemoryEach": WANTED_KIB },
        "met": disk < WANTED_BYTES && memory < WANTED_KIB && resumed == count,
    })
}

async fn resume_one(isobox: &Isobox) {
    let waiting = paused(isobox.run(durable(&PROGRAM.replace("tools.wait", "tools.pay"))).await);
    approve(isobox, &waiting).await;
    resume(isobox, &waiting).await;
}

/// Resumes all paused executions, as listed by the store.
async fn resume_all(isobox: &Isobox) -> (usize, std::time::Duration) {
    let start = std::time::Instant::now();
    let mut resumed = 0;
    loop {
        let page = isobox.executions(Filter::newest(500).with(State::Paused)).await.expect("a list").executions;
        if page.is_empty() {
            return (resumed, start.elapsed());
        }
        resumed += page.len();
        let resume = async |id| {
            let waiting = isobox.pending(&id).await.expect("it waits");
            approve(isobox, &waiting).await;
            resume(isobox, &waiting).await;
        };
        stream::iter(page.into_iter().map(|one| one.id)).map(resume).buffer_unordered(AT_ONCE).collect::<()>().await;
    }
}
