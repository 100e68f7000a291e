//! A simulated clock. Time passes only when all tasks wait.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use futures_util::future::BoxFuture;
use isobox_core::{Clock, Timestamp};

/// The clock of a simulated world. Clones share the time.
#[derive(Debug, Clone, Default)]
pub struct SimClock(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    elapsed: Duration,
    /// The offset of the time of day in milliseconds.
    off: i64,
    next_sleeper: u64,
    sleepers: BTreeMap<(Duration, u64), Waker>,
}

/// The time of day when a world begins, in milliseconds since 1970.
const BEGINNING: u64 = 1_700_000_000_000;

impl SimClock {
    /// Advances to the next wake-up and wakes its sleepers. Returns false if there is none.
    pub fn advance(&self) -> bool {
        let mut state = self.lock();
        let Some((&(moment, _), _)) = state.sleepers.first_key_value() else { return false };
        state.elapsed = state.elapsed.max(moment);
        let until = state.elapsed;
        let later = state.sleepers.split_off(&(until, u64::MAX));
        let woken = std::mem::replace(&mut state.sleepers, later);
        drop(state);
        woken.into_values().for_each(Waker::wake);
        true
    }

    /// Sets the time of day forwards or backwards.
    pub fn jump(&self, milliseconds: i64) {
        self.lock().off += milliseconds;
    }

    /// Waits for a number of milliseconds.
    pub fn sleep(&self, milliseconds: u64) -> BoxFuture<'static, ()> {
        self.sleep_until(self.elapsed().saturating_add(Duration::from_millis(milliseconds)))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no holder of the lock panics")
    }
}

impl Clock for SimClock {
    fn now(&self) -> Timestamp {
        let state = self.lock();
        let elapsed = u64::try_from(state.elapsed.as_millis()).unwrap_or(u64::MAX);
        Timestamp(BEGINNING.saturating_add(elapsed).saturating_add_signed(state.off))
    }

    fn elapsed(&self) -> Duration {
        self.lock().elapsed
    }

    fn boot_time(&self) -> Duration {
        self.elapsed()
    }

    fn sleep_until(&self, moment: Duration) -> BoxFuture<'static, ()> {
        Box::pin(Sleep { clock: self.clone(), moment, number: None })
    }
}

struct Sleep {
    clock: SimClock,
    moment: Duration,
    number: Option<u64>,
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        let mut state = this.clock.lock();
        if state.elapsed >= this.moment {
            return Poll::Ready(());
        }
        // A sleeper until `Duration::MAX` is never woken.
        if this.moment < Duration::MAX {
            let number = *this.number.get_or_insert_with(|| {
                state.next_sleeper += 1;
                state.next_sleeper
            });
            state.sleepers.insert((this.moment, number), context.waker().clone());
        }
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(number) = self.number {
            self.clock.lock().sleepers.remove(&(self.moment, number));
        }
    }
}

/// A clock that does not know how much time has passed since the machine was started.
pub struct Forgetful(pub SimClock);

impl Clock for Forgetful {
    fn now(&self) -> Timestamp {
        self.0.now()
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    fn boot_time(&self) -> Duration {
        Duration::ZERO
    }

    fn sleep_until(&self, moment: Duration) -> BoxFuture<'static, ()> {
        self.0.sleep_until(moment)
    }
}

/// A clock by which twice as much time has passed, so that every wait is half as long. Its time of day is right.
pub struct Hurried(pub SimClock);

impl Clock for Hurried {
    fn now(&self) -> Timestamp {
        self.0.now()
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed() * 2
    }

    fn boot_time(&self) -> Duration {
        self.0.boot_time()
    }

    fn sleep_until(&self, moment: Duration) -> BoxFuture<'static, ()> {
        self.0.sleep_until(if moment == Duration::MAX { moment } else { moment / 2 })
    }
}
