//! Runs tasks on one thread, in an order that a seed decides; time passes when all of them wait.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};
use std::time::Duration;

use futures_util::future::BoxFuture;
use isobox_core::Clock;

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
    /// Until when the tasks of a group stand still.
    frozen: BTreeMap<Group, Duration>,
    /// Until when nobody waits for those of a group.
    slow: BTreeMap<Group, Duration>,
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

    /// Lets the tasks of a group stand still for so many milliseconds. Time passes for them all the same.
    pub fn freeze(&mut self, group: Group, milliseconds: u64) {
        let thaws = self.clock.elapsed() + Duration::from_millis(milliseconds);
        self.frozen.insert(group, thaws);
        // Time goes on until then, whoever else waits for it.
        let sleep = self.clock.sleep_until(thaws);
        self.spawn(Group::Outside, sleep);
    }

    /// The tasks of a group wait for something that takes so many milliseconds: nobody waits for them.
    pub fn is_held_up(&mut self, group: Group, milliseconds: u64) {
        self.slow.insert(group, self.clock.elapsed() + Duration::from_millis(milliseconds));
    }

    fn is_frozen(&self, group: Group) -> bool {
        self.frozen.get(&group).is_some_and(|thaws| self.clock.elapsed() < *thaws)
    }

    /// Whether the tasks of a group stand still, or wait for something that takes long.
    pub fn is_slow(&self, group: Group) -> bool {
        self.is_frozen(group) || self.slow.get(&group).is_some_and(|until| self.clock.elapsed() < *until)
    }

    /// Whether a task has not ended, and nobody waits for it.
    pub fn stands_still(&self, number: u64) -> bool {
        self.tasks.get(&number).is_some_and(|task| self.is_slow(task.group))
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
        let is_free = |number: &&u64| !self.tasks.get(number).is_some_and(|task| self.is_frozen(task.group));
        let free: Vec<u64> = ready.iter().filter(is_free).copied().collect();
        let place = usize::try_from(self.random.below(free.len() as u64)).unwrap_or_default();
        let number = free.get(place).copied()?;
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
