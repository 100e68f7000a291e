//! Runs tasks on one thread, in an order that a seed decides; time passes when all of them wait.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};

use futures_util::future::BoxFuture;

use crate::clock::SimClock;
use crate::random::Random;

/// Whose task it is: what dies with a process, and what does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Somebody outside all processes.
    Outside,
    /// A process, by its number.
    Process(u32),
}

/// The tasks of a simulated world.
pub struct Executor {
    clock: SimClock,
    random: Random,
    tasks: BTreeMap<u64, Task>,
    ready: Ready,
    next: u64,
}

struct Task {
    group: Group,
    future: BoxFuture<'static, ()>,
}

/// Tasks that want to be polled.
type Ready = Arc<Mutex<BTreeSet<u64>>>;

impl Executor {
    /// Without tasks.
    pub fn new(clock: SimClock, random: Random) -> Self {
        Self { clock, random, tasks: BTreeMap::new(), ready: Ready::default(), next: 0 }
    }

    /// Adds a task; its number.
    pub fn spawn(&mut self, group: Group, future: BoxFuture<'static, ()>) -> u64 {
        self.next += 1;
        self.tasks.insert(self.next, Task { group, future });
        self.wake(self.next);
        self.next
    }

    /// Drops a task where it is.
    pub fn drop_task(&mut self, number: u64) {
        self.tasks.remove(&number);
    }

    /// Drops all tasks of a group where they are.
    pub fn kill(&mut self, group: Group) {
        self.tasks.retain(|_, task| task.group != group);
    }

    /// Whether a task has not ended.
    pub fn is_running(&self, number: u64) -> bool {
        self.tasks.contains_key(&number)
    }

    /// Polls one task that is ready, or lets time pass; false where nothing will ever happen again.
    pub fn step(&mut self) -> bool {
        let Some(number) = self.choose() else { return self.clock.advance() };
        let Some(task) = self.tasks.get_mut(&number) else { return true };
        let waker = Waker::from(Arc::new(Bell { number, ready: Arc::clone(&self.ready) }));
        if task.future.as_mut().poll(&mut Context::from_waker(&waker)).is_ready() {
            self.tasks.remove(&number);
        }
        true
    }

    fn choose(&mut self) -> Option<u64> {
        let mut ready = self.ready.lock().expect("nobody panics while holding it");
        ready.retain(|number| self.tasks.contains_key(number));
        let place = usize::try_from(self.random.below(ready.len() as u64)).unwrap_or_default();
        let number = ready.iter().nth(place).copied()?;
        ready.remove(&number);
        Some(number)
    }

    fn wake(&self, number: u64) {
        self.ready.lock().expect("nobody panics while holding it").insert(number);
    }
}

struct Bell {
    number: u64,
    ready: Ready,
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.ready.lock().expect("nobody panics while holding it").insert(self.number);
    }
}
