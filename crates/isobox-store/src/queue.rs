//! The writer thread and the [`Readers`] of a store.
//!
//! Operations are carried out in the order of the requests. The writer takes everything that has queued up during the
//! last commit, writes it in one transaction and acknowledges it after the commit, so many executions share one flush.
//! Reads go to the readers: at once if no write is queued, otherwise after all earlier writes are committed.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::ready;
use isobox_core::ExecutionId;
use isobox_core::store::{Error, Subscriptions, Written};
use tokio::sync::oneshot;

use crate::connection::{Connection, Opener};
use crate::database::{Access, Database, DatabaseError, ErrorKind};
use crate::deadline::Deadline;
use crate::operations::OperationError;
use crate::readers::Readers;
use crate::work::{Task, Work};

/// The maximum number of operations per transaction.
const MAX_TOGETHER: usize = 512;
const MAX_BYTES_TOGETHER: usize = 16 << 20;

/// The time after which an unused connection is closed.
const IDLE_AFTER: Duration = Duration::from_secs(30);

/// The maximum size of queued writes. A caller that waits for its writes has little here; this bounds all callers
/// together.
const MAX_BYTES_WAITING: usize = 256 << 20;

/// Passes work to the threads of a store. Dropping it waits until all work is done, or has failed at its deadline.
pub(crate) struct Queue {
    jobs: Option<Sender<Job>>,
    readers: Readers,
    writer: Option<JoinHandle<()>>,
    waiting: Arc<AtomicUsize>,
    place: Arc<str>,
    patience: Duration,
}

struct Job {
    access: Access,
    size: usize,
    task: Task,
}

struct Asked<T, Operation> {
    operation: Operation,
    result: Option<Result<T, Error>>,
    reply: oneshot::Sender<Result<T, Error>>,
    news: News,
}

/// The subscribers in this process that are notified of a write.
pub(crate) enum News {
    /// Only the caller.
    Nothing,
    /// The subscribers of an execution.
    Of(ExecutionId, Subscriptions),
}

impl<T, Operation> Work for Asked<T, Operation>
where
    T: Send,
    Operation: Fn(&mut dyn Database) -> Result<T, OperationError> + Send,
{
    fn attempt(&mut self, database: &mut dyn Database) -> Result<(), DatabaseError> {
        self.result = match (self.operation)(database) {
            Ok(value) => Some(Ok(value)),
            Err(OperationError::Refused(error)) => Some(Err(error)),
            Err(OperationError::Broken(error)) => return Err(error),
        };
        Ok(())
    }

    fn finish(self: Box<Self>, transaction: Result<(), Error>) {
        let result = match (transaction, self.result) {
            (Ok(()), Some(result)) => result,
            (Err(error), _) => Err(error),
            (Ok(()), None) => unreachable!("every operation of a committed transaction was attempted"),
        };
        // After a failure of the database, the data may be written nevertheless.
        if let News::Of(id, subscriptions) = &self.news
            && result.as_ref().map_or_else(|error| !error.kind().is_refusal(), |_| true)
        {
            subscriptions.tell(id);
        }
        // The caller may have stopped waiting.
        let _ = self.reply.send(result);
    }
}

impl Queue {
    pub(crate) fn start(place: Arc<str>, opener: &Opener, readers: usize) -> Result<Self, Error> {
        let (jobs, asked) = mpsc::channel();
        let waiting = Arc::<AtomicUsize>::default();
        let readers = Readers::new(Arc::clone(&place), opener.clone(), readers, IDLE_AFTER);
        let connection = Connection::new(Arc::clone(&place), opener.clone());
        let writer = Writer { connection, asked, readers: readers.clone(), waiting: Arc::clone(&waiting) };
        let writer = std::thread::Builder::new().name("isobox-store-writer".to_owned()).spawn(|| writer.run());
        let writer = writer
            .map_err(|error| Error::broken("a thread of the store cannot be started", &error).caused_by(error))?;
        Ok(Self { jobs: Some(jobs), readers, writer: Some(writer), waiting, place, patience: opener.patience })
    }

    /// Queues an operation. It is carried out even if the caller stops waiting. `size` is its size in memory. After the
    /// commit, the subscribers in `news` are notified.
    pub(crate) fn ask<T: Send + 'static>(
        &self,
        access: Access,
        size: usize,
        news: News,
        operation: impl Fn(&mut dyn Database) -> Result<T, OperationError> + Send + 'static,
    ) -> Written<T> {
        let waiting = self.waiting.load(Ordering::Acquire);
        if waiting > MAX_BYTES_WAITING {
            return ready(Err(overrun(&self.place))).boxed();
        }
        let (reply, answer) = oneshot::channel();
        let work: Box<dyn Work> = Box::new(Asked { operation, result: None, reply, news });
        let task = Task { deadline: Deadline::after(self.patience), work };
        // If the thread is gone, the sender of the answer is dropped too, which fails the future.
        if access == Access::Read && waiting == 0 {
            self.readers.ask(task);
        } else {
            self.waiting.fetch_add(size, Ordering::Relaxed);
            let _ = self.jobs.as_ref().map(|jobs| jobs.send(Job { access, size, task }));
        }
        let place = Arc::clone(&self.place);
        async move { answer.await.unwrap_or_else(|_| Err(ended(&place))) }.boxed()
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(writer) = self.writer.take() {
            // A panic of the thread has already been reported, also to the waiting callers.
            let _ = writer.join();
        }
        self.readers.close();
    }
}

struct Writer {
    connection: Connection,
    asked: Receiver<Job>,
    readers: Readers,
    waiting: Arc<AtomicUsize>,
}

impl Writer {
    fn run(mut self) {
        while let Some(first) = self.next() {
            let mut size = 0;
            let (mut writes, mut reads) = (Vec::new(), Vec::new());
            let mut access = Access::Read;
            let mut next = Some(first);
            while let Some(job) = next {
                size += job.size;
                access = access.max(job.access);
                match job.access {
                    Access::Note | Access::Write => writes.push(job.task),
                    Access::Read => reads.push(job.task),
                }
                let is_enough = writes.len() >= MAX_TOGETHER || size >= MAX_BYTES_TOGETHER;
                next = if is_enough { None } else { self.asked.try_recv().ok() };
            }
            let written = write_together(&mut self.connection, access, writes);
            // Before the callers are notified, so that a following read need not wait for this thread.
            self.waiting.fetch_sub(size, Ordering::Release);
            for (work, result) in written {
                work.finish(result);
            }
            for read in reads {
                self.readers.ask(read);
            }
        }
    }

    /// Waits for work. Returns `None` if there will be no more. Closes a connection that is not used.
    fn next(&mut self) -> Option<Job> {
        match self.asked.recv_timeout(IDLE_AFTER) {
            Ok(job) => Some(job),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => {
                self.connection.close();
                self.asked.recv().ok()
            }
        }
    }
}

fn write_together(
    connection: &mut Connection,
    access: Access,
    tasks: Vec<Task>,
) -> Vec<(Box<dyn Work>, Result<(), Error>)> {
    // The last one counts, so that an earlier task takes no time from a later one.
    let Some(deadline) = tasks.iter().map(|task| task.deadline).max() else { return Vec::new() };
    write_by(deadline, connection, access, tasks.into_iter().map(|task| task.work).collect())
}

fn write_by(
    deadline: Deadline,
    connection: &mut Connection,
    access: Access,
    mut together: Vec<Box<dyn Work>>,
) -> Vec<(Box<dyn Work>, Result<(), Error>)> {
    match connection.transaction(access, &mut together, deadline) {
        // One of the operations cannot be written. It must not affect the others.
        Err(error) if error.kind == ErrorKind::Statement && together.len() > 1 => {
            together.into_iter().flat_map(|work| write_by(deadline, connection, access, vec![work])).collect()
        }
        result => {
            let result = result.map_err(|error| connection.explain(error));
            together.into_iter().map(|work| (work, result.clone())).collect()
        }
    }
}

fn overrun(place: &str) -> Error {
    Error::unavailable(place, "it cannot keep up with the queued writes")
        .hint("run fewer durable executions at once, or keep them on a faster disk")
}

fn ended(place: &str) -> Error {
    Error::broken(place, "the store has stopped working")
        .hint("this is a defect of Isobox; its earlier error output says more")
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn writes_behind_a_frozen_database_fail_together() {
        const PATIENCE: Duration = Duration::from_millis(200);
        const WRITES: u32 = 10;
        let waited = Arc::<Mutex<Duration>>::default();
        let waits = Arc::clone(&waited);
        let open = move |deadline: Deadline| -> Result<Box<dyn Database>, DatabaseError> {
            *waits.lock().unwrap() += deadline.left();
            std::thread::sleep(deadline.left());
            Err(DatabaseError::new(ErrorKind::Unavailable, "it is frozen".to_owned()))
        };
        let opener = Opener { patience: PATIENCE, open: Arc::new(open) };
        let queue = Queue::start("a fake".into(), &opener, 1).unwrap();
        // Each fills a transaction of its own.
        let ask = |_| queue.ask(Access::Write, MAX_BYTES_TOGETHER, News::Nothing, |_| Ok(()));
        let answers: Vec<_> = (0..WRITES).map(ask).collect();
        drop(queue);
        assert!(answers.into_iter().all(|answer| answer.now_or_never().unwrap().is_err()));
        let waited = *waited.lock().unwrap();
        assert!(waited < PATIENCE * WRITES / 2, "one after the other they would wait {WRITES} times: {waited:?}");
    }
}
