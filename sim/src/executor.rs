//! Runs tasks on one thread in an order that a seed decides. Time passes when all of them wait.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};
use std::time::Duration;

use futures_util::future::BoxFuture;
use isobox_core::Clock;

use crate::clock::SimClock;
use crate::random::Random;

/// The owner of a task. Tasks of a process die with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// A person or client outside all processes.
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
    /// The times until which groups are frozen.
    frozen: BTreeMap<Group, Duration>,
    /// The times until which no task waits for a group.
    slow: BTreeMap<Group, Duration>,
}

struct Task {
    group: Group,
    future: BoxFuture<'static, ()>,
}

/// The tasks that are ready to be polled.
type Ready = Arc<Mutex<BTreeSet<u64>>>;

impl Executor {
    /// Creates an executor without tasks.
    pub fn new(clock: SimClock, random: Random) -> Self {
        Self {
            clock,
            random,
            tasks: BTreeMap::new(),
            ready: Ready::default(),
            next: 0,
            frozen: BTreeMap::new(),
            slow: BTreeMap::new(),
        }
    }

    /// Adds a task and returns its number.
    pub fn spawn(&mut self, group: Group, future: BoxFuture<'static, ()>) -> u64 {
        self.next += 1;
        self.tasks.insert(self.next, Task { group, future });
        self.wake(self.next);
        self.next
    }

    /// Drops a task at its current point.
    pub fn drop_task(&mut self, number: u64) {
        self.tasks.remove(&number);
    }

    /// Drops all tasks of a group at their current points.
    pub fn kill(&mut self, group: Group) {
        self.tasks.retain(|_, task| task.group != group);
    }

    /// Freezes the tasks of a group for a number of milliseconds. Time passes for them nevertheless.
    pub fn freeze(&mut self, group: Group, milliseconds: u64) {
        let thaws = self.clock.elapsed() + Duration::from_millis(milliseconds);
        self.frozen.insert(group, thaws);
        // The sleep makes time advance until then.
        let sleep = self.clock.sleep_until(thaws);
        self.spawn(Group::Outside, sleep);
    }

    /// Marks a group as waiting for something that takes a number of milliseconds, so that no task waits for the group.
    pub fn is_held_up(&mut self, group: Group, milliseconds: u64) {
        self.slow.insert(group, self.clock.elapsed() + Duration::from_millis(milliseconds));
    }

    fn is_frozen(&self, group: Group) -> bool {
        self.frozen.get(&group).is_some_and(|thaws| self.clock.elapsed() < *thaws)
    }

    /// Tells whether the tasks of a group are frozen or wait for something slow.
    pub fn is_slow(&self, group: Group) -> bool {
        self.is_frozen(group) || self.slow.get(&group).is_some_and(|until| self.clock.elapsed() < *until)
    }

    /// Tells whether a task has not ended and no task waits for it.
    pub fn stands_still(&self, number: u64) -> bool {
        self.tasks.get(&number).is_some_and(|task| self.is_slow(task.group))
    }

    /// Tells whether a task has not ended.
    pub fn is_running(&self, number: u64) -> bool {
        self.tasks.contains_key(&number)
    }

    /// Polls one ready task, or lets time pass. Returns false if nothing can happen any more.
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
        let mut ready = self.ready.lock().expect("no holder of the lock panics");
        ready.retain(|number| self.tasks.contains_key(number));
        let is_free = |number: &&u64| !self.tasks.get(number).is_some_and(|task| self.is_frozen(task.group));
        let free: Vec<u64> = ready.iter().filter(is_free).copied().collect();
        let place = usize::try_from(self.random.below(free.len() as u64)).unwrap_or_default();
        let number = free.get(place).copied()?;
        ready.remove(&number);
        Some(number)
    }

    fn wake(&self, number: u64) {
        self.ready.lock().expect("no holder of the lock panics").insert(number);
    }
}

struct Bell {
    number: u64,
    ready: Ready,
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.ready.lock().expect("no holder of the lock panics").insert(self.number);
    }
}
