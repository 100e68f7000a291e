//! Wakes executions in the background when they are due.

use std::collections::{HashMap, HashSet, VecDeque};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use isobox_core::store::{DueExecution, DuePlace, Error, Store};
use isobox_core::{Clock, Code, ExecutionId, Failure, Outcome, RequestError, Timestamp, WORTH_SLEEPING};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;

use crate::Isobox;
use crate::task::Task;
use crate::waking::{AT_ONCE, PAGE, is_anothers};

/// The maximum interval between two looks at the store. What falls asleep in between is not due before the next look.
const LOOK: Duration = WORTH_SLEEPING;
/// The interval of a runtime that lets nothing sleep, if nothing sleeps in the store.
const LOOK_SELDOM: Duration = Duration::from_secs(30);
/// The minimum interval, so that executions that are due one after the other are found together.
const LOOK_AGAIN: Duration = Duration::from_millis(10);
/// The delay before the next attempt, if the store or the tools are not available. The delays of an execution that could not
/// be woken start with it, and double up to a maximum.
const RETRY: Duration = Duration::from_secs(5);
const RETRY_LATEST: Duration = Duration::from_mins(10);
/// The maximum number of failures that are remembered. If there are more, those are forgotten that would be tried again first,
/// and the store is looked at less often.
const MOST_FAILED: usize = 10_000;
/// The maximum number of executions that were woken here and are not over. If there are more, the others wait.
const MOST_WOKEN: usize = 10_000;

/// Wakes executions in the background until its last clone is dropped. Executions that it has woken and that are not over
/// then stop with it, and are woken again by another process, or later.
#[derive(Clone, Debug)]
#[must_use = "a scheduler stops when it is dropped"]
pub struct Scheduler {
    _task: Arc<Task>,
}

impl Isobox {
    /// Wakes executions when they are due, in the background, for as long as the scheduler exists. It finds them in the
    /// store, so that executions of earlier processes are woken as well. A runtime and those that were made from it, such as
    /// the runtimes of a workspace, have one scheduler: starting another returns the first one, with its tools.
    ///
    /// An execution that cannot be woken, because a tool that it [began with](crate::Run::tool) is missing for example, is
    /// tried again later and later, up to every ten minutes.
    ///
    /// # Errors
    ///
    /// `CONFIG` without a store.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime.
    pub fn start_scheduler(&self) -> Result<Scheduler, Failure> {
        let isobox = self.clone();
        self.start_scheduler_with(move || {
            let isobox = isobox.clone();
            async move { Ok(isobox) }.boxed()
        })
    }

    /// Starts a scheduler that asks for the runtime, with its present tools, when executions are due.
    pub(crate) fn start_scheduler_with(&self, runtime: impl Runtime) -> Result<Scheduler, Failure> {
        let store = Arc::clone(self.store_handle()?);
        let start = || {
            let look = if self.limits.lifetime.is_zero() { LOOK_SELDOM } else { LOOK };
            let (clock, plan) = (Arc::clone(&self.host.clock), Plan::default());
            let waking = Waking { store, clock, look, runtime, plan, after: None };
            Arc::new(Task::started(tokio::spawn(waking.go_on())))
        };
        let task = match &self.heartbeat {
            Some(heartbeat) => heartbeat.scheduler(start),
            None => start(),
        };
        Ok(Scheduler { _task: task })
    }
}

/// Returns the runtime that wakes executions.
pub(crate) trait Runtime: Fn() -> BoxFuture<'static, Result<Isobox, Failure>> + Send + Sync + 'static {}

impl<F: Fn() -> BoxFuture<'static, Result<Isobox, Failure>> + Send + Sync + 'static> Runtime for F {}

/// The work of a scheduler.
struct Waking<R> {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    look: Duration,
    runtime: R,
    plan: Plan,
    /// The end of the last page that was read. The next look continues there, so that executions that fail again and again do
    /// not hide those that come after them. None starts from the beginning.
    after: Option<DuePlace>,
}

impl<R: Runtime> Waking<R> {
    async fn go_on(mut self) {
        let mut woken: JoinSet<(ExecutionId, Result<Outcome, RequestError>)> = JoinSet::new();
        let slots = Arc::new(Semaphore::new(AT_ONCE));
        let mut look_at = self.clock.elapsed();
        let mut isobox = None;
        loop {
            if self.plan.queue.is_empty() && self.clock.elapsed() >= look_at {
                let wait = match self.prepare(&mut isobox).await {
                    Ok(wait) => wait,
                    Err(failure) => {
                        tracing::warn!(%failure, "sleeping executions cannot be woken now");
                        self.plan.queue.clear();
                        RETRY
                    }
                };
                look_at = self.clock.elapsed().saturating_add(wait);
            }
            let may_look = self.plan.queue.is_empty();
            let may_wake = !may_look && woken.len() < MOST_WOKEN;
            tokio::select! {
                Ok(slot) = Arc::clone(&slots).acquire_owned(), if may_wake => {
                    if let (Some(isobox), Some(id)) = (&isobox, self.plan.next()) {
                        woken.spawn(wake(Isobox::clone(isobox), id, slot));
                    }
                }
                Some(done) = woken.join_next() => {
                    if let Ok((id, done)) = done {
                        self.plan.done(&id, done, self.clock.elapsed());
                    }
                }
                () = self.clock.sleep_until(look_at), if may_look => {}
            }
        }
    }

    /// Reads what is due, and gets the runtime for it. Returns the time until the next look.
    async fn prepare(&mut self, isobox: &mut Option<Isobox>) -> Result<Duration, Failure> {
        let next = self.read_due().await?;
        if !self.plan.queue.is_empty() {
            *isobox = Some((self.runtime)().await?);
            return Ok(self.plan.next_look());
        }
        let look = if next.is_some() { LOOK } else { self.look };
        let left = next.map_or(look, |next| Duration::from_millis(next.0.saturating_sub(self.clock.now().0)));
        Ok(left.clamp(LOOK_AGAIN, look))
    }

    /// Adds what is due to the plan. Returns when the next execution is due.
    async fn read_due(&mut self) -> Result<Option<Timestamp>, Error> {
        let (moment, now) = (self.clock.now(), self.clock.elapsed());
        self.plan.forget_old(now);
        let mut may_start_over = self.after.is_some();
        loop {
            let agenda = self.store.due(moment, self.after.clone(), PAGE).await?;
            self.plan.add(agenda.due, now);
            self.after = agenda.after;
            let is_at_end = self.after.is_none();
            if !self.plan.queue.is_empty() || (is_at_end && !may_start_over) {
                return Ok(agenda.next);
            }
            may_start_over &= !is_at_end;
        }
    }
}

async fn wake(
    isobox: Isobox,
    id: ExecutionId,
    slot: OwnedSemaphorePermit,
) -> (ExecutionId, Result<Outcome, RequestError>) {
    let woken = AssertUnwindSafe(isobox.wake(&id, slot)).catch_unwind().await;
    let panicked = || Err(Failure::new(Code::Internal, "waking the execution panicked").into());
    (id, woken.unwrap_or_else(|_| panicked()))
}

/// The executions to wake. Decisions only; no I/O and no clock.
#[derive(Default)]
struct Plan {
    /// The executions to wake next.
    queue: VecDeque<ExecutionId>,
    /// The executions that are being woken.
    busy: HashSet<ExecutionId>,
    /// The executions that could not be woken.
    failed: HashMap<ExecutionId, Retry>,
}

/// The time of the next attempt to wake an execution, and the delay before that attempt.
struct Retry {
    at: Duration,
    delay: Duration,
}

impl Plan {
    /// Adds executions that are due, unless they are being woken or were tried a short while ago.
    fn add(&mut self, due: Vec<DueExecution>, now: Duration) {
        let Self { queue, busy, failed } = self;
        let is_free = |id: &ExecutionId| !busy.contains(id) && failed.get(id).is_none_or(|retry| retry.at <= now);
        queue.extend(due.into_iter().map(|due| due.id).filter(is_free));
    }

    /// Returns the time until the next look after one that found executions. It is longer if failures may have been forgotten,
    /// because those executions are tried again in every round.
    fn next_look(&self) -> Duration {
        if self.failed.len() < MOST_FAILED { LOOK_AGAIN } else { LOOK }
    }

    /// Returns the next execution to wake.
    fn next(&mut self) -> Option<ExecutionId> {
        let id = self.queue.pop_front()?;
        self.busy.insert(id.clone());
        Some(id)
    }

    /// Records what became of an execution.
    fn done(&mut self, id: &ExecutionId, woken: Result<Outcome, RequestError>, now: Duration) {
        self.busy.remove(id);
        let failure = match woken {
            Ok(Outcome::Interrupted(interrupted)) => interrupted.error,
            Err(error) if !is_anothers(&error) => error.into(),
            Ok(_) | Err(_) => {
                self.failed.remove(id);
                return;
            }
        };
        let delay = self.failed.get(id).map_or(RETRY, |retry| retry.delay.saturating_mul(2).min(RETRY_LATEST));
        tracing::warn!(execution = %id, %failure, ?delay, "a sleeping execution could not be woken, and is tried again");
        self.make_room_for(id);
        self.failed.insert(id.clone(), Retry { at: now.saturating_add(delay), delay });
    }

    /// Forgets the failure that would be tried again first if there is no room for that of another execution.
    fn make_room_for(&mut self, id: &ExecutionId) {
        if self.failed.len() < MOST_FAILED || self.failed.contains_key(id) {
            return;
        }
        let first = self.failed.iter().min_by_key(|(_, retry)| retry.at).map(|(id, _)| id.clone());
        if let Some(first) = first {
            self.failed.remove(&first);
        }
    }

    /// Forgets failures of executions that should have been tried again long ago: they are no longer due.
    fn forget_old(&mut self, now: Duration) {
        self.failed.retain(|_, retry| now < retry.at.saturating_add(RETRY_LATEST));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use isobox_core::journal::{Batch, StoreKey};
    use isobox_core::store::{Change, Head, Lease, MemoryStore, NewExecution, Node, Status};

    use super::*;

    fn due(number: u64) -> DueExecution {
        DueExecution { at: Timestamp(number), id: ExecutionId::new(number, 0) }
    }

    fn failed() -> Result<Outcome, RequestError> {
        Err(Failure::new(Code::UnknownTool, "its tool is missing").into())
    }

    fn taken(plan: &mut Plan) -> Vec<ExecutionId> {
        std::iter::from_fn(|| plan.next()).collect()
    }

    #[test]
    fn what_is_being_woken_is_not_woken_again() {
        let mut plan = Plan::default();
        plan.add(vec![due(1), due(2)], Duration::ZERO);
        assert_eq!(taken(&mut plan), [due(1).id, due(2).id]);
        plan.add(vec![due(1), due(2), due(3)], Duration::ZERO);
        assert_eq!(taken(&mut plan), [due(3).id]);
    }

    #[test]
    fn what_could_not_be_woken_is_tried_again_later_and_later() {
        let (mut plan, mut now, mut pauses) = (Plan::default(), Duration::ZERO, Vec::new());
        for _ in 0..9 {
            plan.add(vec![due(1)], now);
            assert_eq!(taken(&mut plan), [due(1).id]);
            plan.done(&due(1).id, failed(), now);
            let since = now;
            while plan.queue.is_empty() {
                now += Duration::from_secs(1);
                plan.add(vec![due(1)], now);
            }
            plan.queue.clear();
            pauses.push((now - since).as_secs());
        }
        assert_eq!(pauses, [5, 10, 20, 40, 80, 160, 320, 600, 600]);
    }

    #[test]
    fn failures_are_bounded_forgotten_and_keep_no_other_execution_asleep() {
        let (mut plan, many) = (Plan::default(), MOST_FAILED as u64);
        assert_eq!(plan.next_look(), LOOK_AGAIN);
        for number in 0..many {
            plan.done(&due(number).id, failed(), Duration::from_millis(number));
        }
        assert_eq!(plan.next_look(), LOOK);
        plan.add((0..=many).map(due).collect(), Duration::ZERO);
        assert_eq!(taken(&mut plan), [due(many).id]);
        plan.done(&due(many).id, failed(), Duration::from_millis(many));
        assert_eq!(plan.failed.len(), MOST_FAILED);
        plan.add((0..=many).map(due).collect(), Duration::ZERO);
        assert_eq!(taken(&mut plan), [due(0).id], "it was to be tried again first, and is forgotten");
        plan.forget_old(Duration::from_millis(many) + RETRY + RETRY_LATEST);
        assert_eq!((plan.failed.len(), plan.next_look()), (0, LOOK_AGAIN));
    }

    #[derive(Default)]
    struct SetClock(Mutex<Duration>);

    impl Clock for SetClock {
        fn now(&self) -> Timestamp {
            Timestamp(1_000_000)
        }

        fn elapsed(&self) -> Duration {
            *self.0.lock().unwrap()
        }

        fn boot_time(&self) -> Duration {
            self.elapsed()
        }

        fn sleep_until(&self, _moment: Duration) -> BoxFuture<'static, ()> {
            std::future::pending().boxed()
        }
    }

    fn sleeper(number: u64) -> Arc<Change> {
        let DueExecution { at, id } = due(number);
        let head = Head {
            status: Status::Sleeping,
            revision: 0,
            pending: 0,
            pending_calls: Vec::new(),
            calls: 0,
            updated: at,
            function: None,
            owner: None,
            code: None,
            due: Some(at),
        };
        let beginning = Batch { bytes: Default::default(), seal: [0; 32] };
        let lease = Lease::first(&id, &Node("dead".into()));
        Arc::new(Change::create(lease, NewExecution { created: at, beginning, head }))
    }

    #[cfg(feature = "config")]
    #[tokio::test]
    async fn the_runtimes_of_a_process_have_one_scheduler_however_often_it_is_started() {
        use crate::config::Config;
        use crate::memory_store::memory_store;
        use crate::workspace::{Workspace, WorkspaceOptions};

        let config = Config::parse("{}", &|_| None).unwrap();
        let options = WorkspaceOptions::default().store(memory_store());
        let workspace = Arc::new(Workspace::new(config, options).unwrap());
        let archive = workspace.archive().await.unwrap();
        let ready = workspace.durable().await.unwrap().isobox;
        let first = workspace.start_scheduler().await.unwrap().expect("it has a store");
        let again = [
            workspace.start_scheduler().await.unwrap().expect("it has a store"),
            archive.start_scheduler().unwrap(),
            archive.clone().start_scheduler().unwrap(),
            ready.start_scheduler().unwrap(),
        ];
        assert!(again.iter().all(|scheduler| Arc::ptr_eq(&scheduler._task, &first._task)));
        let task = Arc::downgrade(&first._task);
        drop((first, archive, ready));
        assert!(task.upgrade().is_some(), "it was started several times");
        drop(again);
        assert!(task.upgrade().is_none());
        let next = workspace.start_scheduler().await.unwrap().expect("it has a store");
        assert!(!std::ptr::eq(Arc::as_ptr(&next._task), task.as_ptr()), "that one has stopped");
    }

    #[tokio::test]
    async fn what_fails_again_and_again_does_not_hide_what_is_due_after_it() {
        let page = u64::from(PAGE);
        let ids = |numbers: std::ops::Range<u64>| numbers.map(|number| due(number).id).collect::<Vec<_>>();
        let first = ids(0..page);
        for (count, expected) in [
            (page + 1, [first.clone(), ids(page..page + 1), first.clone()]),
            (page, [first.clone(), first.clone(), first.clone()]),
        ] {
            let clock = Arc::<SetClock>::default();
            let shared = Arc::clone(&clock) as Arc<dyn Clock>;
            let store: Arc<dyn Store> = Arc::new(MemoryStore::new(StoreKey::new([0; 32]), Arc::clone(&shared)));
            for number in 0..count {
                store.write(sleeper(number)).await.unwrap();
            }
            let runtime = || std::future::ready(Err::<Isobox, _>(Failure::new(Code::Config, "none"))).boxed();
            let mut waking = Waking { store, clock: shared, look: LOOK, runtime, plan: Plan::default(), after: None };
            for expected in expected {
                waking.read_due().await.unwrap();
                let found = taken(&mut waking.plan);
                for id in &found {
                    waking.plan.done(id, failed(), clock.elapsed());
                }
                assert!(found == expected, "{count}: {found:?}");
                // The failures are remembered, and all are to be tried again.
                *clock.0.lock().unwrap() += RETRY_LATEST;
            }
        }
    }
}
