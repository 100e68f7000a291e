//! A hundred thousand executions that sleep in one file: the start of a process over them, and the wake-ups that are due.

use std::num::NonZeroU32;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use futures_util::{StreamExt, stream};
use isobox::events::{Event, EventKind, Observer};
use isobox::store::{Filter, Store};
use isobox::{Isobox, Limits, Outcome, Timestamp, Value};
use isobox_store::DatabaseStore;
use serde_json::json as figures;

use super::durable;
use crate::measure::round;
use crate::waiting::private_kib;
use crate::{Effort, executions};

/// The time from opening the store to the first agenda and the first page of the list, in milliseconds.
const WANTED_START_MS: f64 = 1000.0;
/// The maximum delay of a wake-up, in milliseconds.
const WANTED_LATE_MS: f64 = 100.0;
/// The memory of this process per sleeping execution, in KiB.
const WANTED_KIB: f64 = 0.1;
/// The growth of the memory of this process from the first half of the wake-ups to the second one, in KiB.
const WANTED_GROWTH_KIB: f64 = 2048.0;
/// The number of wake-ups in a second.
const RATE: u32 = 500;
/// The number of concurrent executions while they are created.
const AT_ONCE: usize = 32;
/// The time between the last execution that falls asleep and the first wake-up.
const REST: Duration = Duration::from_secs(3);

pub(crate) fn sleeping(effort: Effort) -> Value {
    let (asleep, due) = match effort {
        Effort::Full => (100_000, 5_000),
        Effort::Quick => (40, 20),
    };
    executions::executor(2).block_on(measure(asleep, due))
}

/// The most memory of this process while it wakes executions, in KiB.
#[derive(Default)]
struct Memory {
    first_half: f64,
    second_half: f64,
}

impl Memory {
    fn sample(&mut self, woken: usize, due: usize) {
        let half = if woken * 2 < due { &mut self.first_half } else { &mut self.second_half };
        *half = half.max(private_kib());
    }

    /// Tells whether waking more executions takes no more memory. Instances are used again, so the first ones make it grow.
    fn is_flat(&self) -> bool {
        self.second_half <= self.first_half + WANTED_GROWTH_KIB
    }
}

/// Records how late executions go on, by their own clock, in milliseconds.
#[derive(Clone, Default)]
struct Late(Arc<Mutex<Vec<f64>>>);

impl Observer for Late {
    fn observe(&self, event: &Event) {
        if let EventKind::Ended { outcome, .. } = &event.kind
            && let Outcome::Completed(completed) = &**outcome
        {
            let late = completed.result.as_f64().expect("a program returns how late it is");
            self.0.lock().expect("no holder of the lock panics").push(late);
        }
    }
}

async fn measure(asleep: u32, due: u32) -> Value {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let file = folder.path().join("isobox.db");
    let (isobox, _) = process(&file).await;
    sleep_until(&isobox, AT_ONCE as u32 * 4, |_| now() + 3_600_000).await;
    let start = Instant::now();
    // The caches for programs are bounded, and full after the first part.
    let filling = (asleep - due) / 2;
    sleep_until(&isobox, filling, |_| now() + 3_600_000).await;
    let before = private_kib();
    sleep_until(&isobox, asleep - due - filling, |_| now() + 3_600_000).await;
    let each = start.elapsed().div_f64(f64::from(asleep - due));
    let first = now() + milliseconds(each * due * 2 + REST);
    sleep_until(&isobox, due, |number| first + u64::from(number * 1000 / RATE)).await;
    let kib = (private_kib() - before) / f64::from(asleep - filling);
    drop(isobox);

    let start = Instant::now();
    let (isobox, store) = process(&file).await;
    let agenda = store.due(Timestamp(now()), None, 500).await.expect("the store works");
    let listed = isobox.executions(Filter::newest(50)).await.expect("the store works").executions;
    let started_ms = start.elapsed().as_secs_f64() * 1e3;
    assert_eq!((agenda.due.len(), listed.len()), (0, 50.min(asleep as usize + AT_ONCE * 4)));

    let (late, at_rest, mut memory) = (Late::default(), private_kib(), Memory::default());
    let scheduler = isobox.observed_by(late.clone(), isobox::events::Contents::Nothing).start_scheduler();
    let end = first + u64::from(due * 1000 / RATE) + 10_000;
    let woken = || late.0.lock().expect("no holder of the lock panics").len();
    while woken() < due as usize && now() < end {
        tokio::time::sleep(Duration::from_millis(50)).await;
        memory.sample(woken(), due as usize);
    }
    drop(scheduler);
    let mut late = late.0.lock().expect("no holder of the lock panics").clone();
    late.sort_by(f64::total_cmp);
    let at = |share: f64| late.get((late.len() as f64 * share) as usize).or(late.last()).copied().unwrap_or(f64::MAX);
    let met =
        late.len() == due as usize && at(1.0) < WANTED_LATE_MS && started_ms < WANTED_START_MS && kib < WANTED_KIB;
    let met = met && memory.is_flat();
    figures!({
        "executions": asleep,
        "asleepEachUs": round(each.as_secs_f64() * 1e6),
        "kibInMemoryEach": round(kib),
        "startMs": round(started_ms),
        "woken": late.len(),
        "perSecond": RATE,
        "memoryMiB": {
            "atRest": round(at_rest / 1024.0),
            "firstHalf": round(memory.first_half / 1024.0),
            "secondHalf": round(memory.second_half / 1024.0),
        },
        "lateMs": { "median": at(0.5), "p99": at(0.99), "max": at(1.0) },
        "wanted": { "startMs": WANTED_START_MS, "lateMs": WANTED_LATE_MS, "kibInMemoryEach": WANTED_KIB, "growthMiB": WANTED_GROWTH_KIB / 1024.0 },
        "met": met,
    })
}

/// Opens the store as a new process does.
async fn process(file: &Path) -> (Isobox, Arc<dyn Store>) {
    let store: Arc<dyn Store> = Arc::new(DatabaseStore::sqlite(file).await.expect("a store can be opened"));
    let limits = Limits::default().lifetime(Duration::from_secs(86_400));
    let live = NonZeroU32::new(64).expect("it is not zero");
    let isobox = Isobox::builder().limits(limits).max_live(live).store(Arc::clone(&store)).build();
    (isobox.expect("the runtime is well defined"), store)
}

/// Runs programs that sleep until these times, and return how late they go on.
async fn sleep_until(isobox: &Isobox, count: u32, until: impl Fn(u32) -> u64) {
    let run = |number| {
        let due = until(number);
        let program = format!(
            "const seen = new Map([['a', 1]]);
             await new Promise((done) => setTimeout(done, {due} - Date.now()));
             return Date.now() - {due};"
        );
        async move {
            let outcome = isobox.run(durable(&program)).await;
            assert!(matches!(outcome, Outcome::Sleeping(_)), "the program does not sleep: {outcome:?}");
        }
    };
    stream::iter(0..count).map(run).buffer_unordered(AT_ONCE).collect::<()>().await;
}

/// Returns the time of day in milliseconds.
fn now() -> u64 {
    milliseconds(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default())
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
