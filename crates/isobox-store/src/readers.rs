//! The reader threads, each with its own connection. They start when needed, up to a limit, and end with their
//! connections after a while without work.

use std::collections::VecDeque;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use isobox_core::store::Error;

use crate::connection::{Connection, Opener};
use crate::database::Access;
use crate::work::Task;

/// Passes work to the reader threads. Clones share them.
#[derive(Clone)]
pub(crate) struct Readers {
    pool: Arc<Pool>,
}

struct Pool {
    place: Arc<str>,
    opener: Opener,
    most: usize,
    /// The time after which an idle thread and its connection are closed.
    idle_after: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Tasks that no thread has taken yet, because all are busy.
    waiting: VecDeque<Task>,
    /// Idle threads. The last one that became idle gets work first, so that the others can end.
    idle: Vec<(u64, Sender<Task>)>,
    /// The number of threads that will look for work again. One that closes its connection does not.
    live: usize,
    started: u64,
    threads: Vec<JoinHandle<()>>,
    is_closed: bool,
}

/// The next action of a thread.
enum More {
    Task(Task),
    Perhaps(Receiver<Task>),
}

impl Readers {
    pub(crate) fn new(place: Arc<str>, opener: Opener, most: usize, idle_after: Duration) -> Self {
        Self { pool: Arc::new(Pool { place, opener, most: most.max(1), idle_after, state: Mutex::default() }) }
    }

    /// Queues a task. It is done as soon as a thread is free or another one can be started.
    pub(crate) fn ask(&self, mut task: Task) {
        let mut state = self.pool.lock();
        while let Some((_, reader)) = state.idle.pop() {
            match reader.send(task) {
                Ok(()) => return,
                Err(mpsc::SendError(back)) => task = back,
            }
        }
        if state.live >= self.pool.most {
            state.waiting.push_back(task);
            return;
        }
        match start(&self.pool, &mut state, task) {
            Ok(()) => {}
            // Another thread will take the task.
            Err((task, _)) if state.live > 0 => state.waiting.push_back(task),
            Err((task, error)) => {
                drop(state);
                task.work.finish(Err(
                    Error::unavailable("a thread of the store cannot be started", &error).caused_by(error)
                ));
            }
        }
    }

    /// Waits until all queued tasks are done and all threads have ended. No task outlasts its deadline.
    pub(crate) fn close(&self) {
        let mut state = self.pool.lock();
        state.is_closed = true;
        state.idle.clear();
        let threads = std::mem::take(&mut state.threads);
        drop(state);
        for thread in threads {
            // A panic of the thread has already been reported, also to the waiting callers.
            let _ = thread.join();
        }
    }
}

fn start(pool: &Arc<Pool>, state: &mut State, task: Task) -> Result<(), (Task, std::io::Error)> {
    state.threads.retain(|thread| !thread.is_finished());
    let number = state.started;
    let (hand_over, first) = mpsc::channel();
    let own = Arc::clone(pool);
    let thread = std::thread::Builder::new().name("isobox-store-reader".to_owned()).spawn(move || {
        let Ok(task) = first.recv() else { return };
        own.run(number, task);
    });
    match thread {
        Ok(thread) => {
            state.threads.push(thread);
            state.started += 1;
            state.live += 1;
            // The thread waits for this message only.
            let _ = hand_over.send(task);
            Ok(())
        }
        Err(error) => Err((task, error)),
    }
}

impl Pool {
    fn run(&self, number: u64, first: Task) {
        let mut connection = Connection::new(Arc::clone(&self.place), self.opener.clone());
        // Dropped before the connection, when the thread does not count any more.
        let _live = Live(self);
        let mut next = Some(first);
        while let Some(Task { deadline, work }) = next {
            let mut work = [work];
            let result = connection.transaction(Access::Read, &mut work, deadline);
            let [work] = work;
            // Before the caller is notified, so that its next request finds this thread idle.
            let more = self.more(number);
            work.finish(result.map_err(|error| connection.explain(error)));
            next = match more {
                More::Task(task) => Some(task),
                More::Perhaps(handed_over) => self.wait(number, &handed_over),
            };
        }
    }

    /// Takes queued work, or registers this thread as idle unless the pool is closed.
    fn more(&self, number: u64) -> More {
        let mut state = self.lock();
        if let Some(task) = state.waiting.pop_front() {
            return More::Task(task);
        }
        let (sender, handed_over) = mpsc::channel();
        if !state.is_closed {
            state.idle.push((number, sender));
        }
        More::Perhaps(handed_over)
    }

    /// Waits for work. Returns `None` after a while without work, or when the pool is closed: the thread does not count any
    /// more, and what is asked from then on starts another one.
    fn wait(&self, number: u64, handed_over: &Receiver<Task>) -> Option<Task> {
        if let Ok(task) = handed_over.recv_timeout(self.idle_after) {
            return Some(task);
        }
        let mut state = self.lock();
        state.idle.retain(|(other, _)| *other != number);
        // Work may have been sent at the moment of the time-out, or queued since the pool was closed.
        let task = handed_over.try_recv().ok().or_else(|| state.waiting.pop_front());
        if task.is_none() {
            state.live -= 1;
        }
        task
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change is complete before the lock is released, so a poisoned lock is still consistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A thread that looks for work, unless it panics.
struct Live<'p>(&'p Pool);

impl Drop for Live<'_> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            return;
        }
        let mut state = self.0.lock();
        state.live -= 1;
        if state.live == 0 {
            // No thread is left for this work. Dropping it notifies the waiting callers.
            state.waiting.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::Receiver;

    use isobox_core::ExecutionId;

    use super::*;
    use crate::database::{Database, DatabaseError, ErrorKind, Row, Value};
    use crate::deadline::Deadline;
    use crate::work::Work;

    const PATIENCE: Duration = Duration::from_secs(5);

    /// A connection that counts itself while it is open.
    struct Fake {
        open: Arc<AtomicUsize>,
        _closing: Option<Closing>,
    }

    impl Drop for Fake {
        fn drop(&mut self) {
            self.open.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// Reports that a connection is being closed, and waits for a signal.
    struct Closing(Sender<()>, Arc<Mutex<Receiver<()>>>);

    impl Drop for Closing {
        fn drop(&mut self) {
            self.0.send(()).unwrap();
            self.1.lock().unwrap().recv().unwrap();
        }
    }

    impl Database for Fake {
        fn begin(&mut self, _access: Access, _deadline: Deadline) -> Result<(), DatabaseError> {
            Ok(())
        }

        fn commit(&mut self) -> Result<(), DatabaseError> {
            Ok(())
        }

        fn rollback(&mut self) {}

        fn execute(&mut self, _statement: &'static str, _values: &[Value<'_>]) -> Result<u64, DatabaseError> {
            Ok(0)
        }

        fn query(&mut self, _statement: &'static str, _values: &[Value<'_>]) -> Result<Vec<Row>, DatabaseError> {
            Ok(Vec::new())
        }

        fn run(&mut self, _script: &str) -> Result<(), DatabaseError> {
            Ok(())
        }

        fn tell_after_commit(&mut self, _id: &ExecutionId) {}

        fn wipe_after_commit(&mut self) {}

        fn is_usable(&self) -> bool {
            true
        }
    }

    /// Work that waits for a signal and reports when it is done.
    struct Gated(Arc<Mutex<Receiver<()>>>, Sender<()>);

    impl Work for Gated {
        fn attempt(&mut self, _database: &mut dyn Database) -> Result<(), DatabaseError> {
            self.0.lock().unwrap().recv().unwrap();
            Ok(())
        }

        fn finish(self: Box<Self>, transaction: Result<(), Error>) {
            transaction.unwrap();
            self.1.send(()).unwrap();
        }
    }

    fn task(work: impl Work + 'static, patience: Duration) -> Task {
        Task { deadline: Deadline::after(patience), work: Box::new(work) }
    }

    /// Work whose failure is expected.
    struct Refused(Sender<()>);

    impl Work for Refused {
        fn attempt(&mut self, _database: &mut dyn Database) -> Result<(), DatabaseError> {
            Ok(())
        }

        fn finish(self: Box<Self>, transaction: Result<(), Error>) {
            transaction.unwrap_err();
            self.0.send(()).unwrap();
        }
    }

    /// Returns readers whose open connections are counted.
    fn readers(idle_after: Duration) -> (Readers, Arc<AtomicUsize>) {
        let open = Arc::<AtomicUsize>::default();
        let counted = Arc::clone(&open);
        let opener = Opener {
            patience: PATIENCE,
            open: Arc::new(move |_| {
                counted.fetch_add(1, Ordering::SeqCst);
                Ok(Box::new(Fake { open: Arc::clone(&counted), _closing: None }) as Box<dyn Database>)
            }),
        };
        (Readers::new("a fake".into(), opener, 3, idle_after), open)
    }

    #[test]
    fn connections_grow_with_what_is_read_at_once_up_to_the_bound() {
        let (readers, open) = readers(Duration::from_hours(1));
        let (pass, gate) = mpsc::channel();
        let (sender, done) = mpsc::channel();
        let gate = Arc::new(Mutex::new(gate));
        let ask = || readers.ask(task(Gated(Arc::clone(&gate), Sender::clone(&sender)), PATIENCE));
        for _ in 0..10 {
            ask();
            pass.send(()).unwrap();
            done.recv().unwrap();
            assert_eq!(open.load(Ordering::SeqCst), 1, "one after the other");
        }
        (0..10).for_each(|_| ask());
        (0..10).for_each(|_| pass.send(()).unwrap());
        (0..10).for_each(|_| done.recv().unwrap());
        assert!((1..=3).contains(&open.load(Ordering::SeqCst)));
        readers.close();
        assert_eq!(open.load(Ordering::SeqCst), 0);
    }

    #[test]
    fn connections_close_when_idle_and_what_was_handed_over_is_done_before() {
        let (readers, open) = readers(Duration::from_millis(20));
        let (pass, gate) = mpsc::channel();
        let (sender, done) = mpsc::channel();
        let gate = Arc::new(Mutex::new(gate));
        let ask = || readers.ask(task(Gated(Arc::clone(&gate), Sender::clone(&sender)), PATIENCE));
        ask();
        pass.send(()).unwrap();
        done.recv().unwrap();
        let is_closed = (0..500).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            open.load(Ordering::SeqCst) == 0
        });
        assert!(is_closed, "an idle connection is closed");
        ask();
        pass.send(()).unwrap();
        readers.close();
        done.recv().unwrap();
        assert_eq!(open.load(Ordering::SeqCst), 0, "all queued work is done before the end");
    }

    #[test]
    fn what_is_asked_while_the_only_connection_closes_is_read_over_another() {
        let (closes, closing) = mpsc::channel();
        let (close, gate) = mpsc::channel();
        let gate = Arc::new(Mutex::new(gate));
        let open = move |_: Deadline| -> Result<Box<dyn Database>, DatabaseError> {
            let closing = Closing(Sender::clone(&closes), Arc::clone(&gate));
            Ok(Box::new(Fake { open: Arc::new(AtomicUsize::new(1)), _closing: Some(closing) }))
        };
        let opener = Opener { patience: PATIENCE, open: Arc::new(open) };
        let readers = Readers::new("a fake".into(), opener, 1, Duration::from_millis(1));
        let (pass, gate) = mpsc::channel();
        let (sender, done) = mpsc::channel();
        let gate = Arc::new(Mutex::new(gate));
        let ask = || readers.ask(task(Gated(Arc::clone(&gate), Sender::clone(&sender)), PATIENCE));
        (0..2).for_each(|_| pass.send(()).unwrap());
        ask();
        done.recv().unwrap();
        closing.recv().unwrap();
        ask();
        done.recv_timeout(PATIENCE).expect("another connection is opened");
        (0..2).for_each(|_| close.send(()).unwrap());
        readers.close();
    }

    #[test]
    fn tasks_behind_a_frozen_database_fail_together() {
        const PATIENCE: Duration = Duration::from_millis(200);
        const TASKS: u32 = 200;
        let waited = Arc::<Mutex<Duration>>::default();
        let waits = Arc::clone(&waited);
        let open = move |deadline: Deadline| -> Result<Box<dyn Database>, DatabaseError> {
            *waits.lock().unwrap() += deadline.left();
            std::thread::sleep(deadline.left());
            Err(DatabaseError::new(ErrorKind::Unavailable, "it is frozen".to_owned()))
        };
        let opener = Opener { patience: PATIENCE, open: Arc::new(open) };
        let readers = Readers::new("a fake".into(), opener, 1, Duration::from_hours(1));
        let (sender, done) = mpsc::channel();
        (0..TASKS).for_each(|_| readers.ask(task(Refused(Sender::clone(&sender)), PATIENCE)));
        readers.close();
        (0..TASKS).for_each(|_| done.recv().unwrap());
        let waited = *waited.lock().unwrap();
        assert!(waited < PATIENCE * TASKS / 4, "one after the other they would wait {TASKS} times: {waited:?}");
    }
}
