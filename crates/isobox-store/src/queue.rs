//! One thread that writes, and [`Readers`].
//!
//! What is asked of a store is done in the order of asking. The writer takes whatever has gathered in its queue while it
//! committed, writes it in one transaction and acknowledges it after the commit: many executions share one
//! flush. What only looks is for the readers: at once where nothing waits to be written, or else once everything that was asked
//! for before it is committed.

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
use crate::operations::OperationError;
use crate::readers::Readers;
use crate::work::Work;

/// How much is written in one transaction.
const MAX_TOGETHER: usize = 512;
const MAX_BYTES_TOGETHER: usize = 16 << 20;

/// How long a connection is kept that nothing is asked of.
const IDLE_AFTER: Duration = Duration::from_secs(30);

/// How much may wait to be written. Whoever waits for what it asked for has little here; this bounds everybody together.
const MAX_BYTES_WAITING: usize = 256 << 20;

/// Hands work over to the threads of a store. Dropping it waits until all of it is done.
pub(crate) struct Queue {
    jobs: Option<Sender<Job>>,
    readers: Readers,
    writer: Option<JoinHandle<()>>,
    waiting: Arc<AtomicUsize>,
    place: Arc<str>,
}

struct Job {
    access: Access,
    size: usize,
    work: Box<dyn Work>,
}

struct Asked<T, Operation> {
    operation: Operation,
    result: Option<Result<T, Error>>,
    reply: oneshot::Sender<Result<T, Error>>,
    news: News,
}

/// Whom in this process something concerns that is written.
pub(crate) enum News {
    /// Nobody but those who ask for it.
    Nothing,
    /// Those who wait for changes of an execution.
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
        // Where the database failed, it may have been written all the same.
        if let News::Of(id, subscriptions) = &self.news
            && result.as_ref().map_or_else(|error| !error.kind().is_refusal(), |_| true)
        {
            subscriptions.tell(id);
        }
        // Nobody has to wait for it.
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
        Ok(Self { jobs: Some(jobs), readers, writer: Some(writer), waiting, place })
    }

    /// Hands something over: it will be done, whether or not anybody waits for it. `size` is what it weighs in memory. Those
    /// whom the news concerns are told once it is committed.
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
        // Where the thread is gone, so is the sender of the answer.
        if access == Access::Read && waiting == 0 {
            self.readers.ask(work);
        } else {
            self.waiting.fetch_add(size, Ordering::Relaxed);
            let _ = self.jobs.as_ref().map(|jobs| jobs.send(Job { access, size, work }));
        }
        let place = Arc::clone(&self.place);
        async move { answer.await.unwrap_or_else(|_| Err(ended(&place))) }.boxed()
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(writer) = self.writer.take() {
            // One that panicked has said so, and the callers that waited for it were told.
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
                    Access::Note | Access::Write => writes.push(job.work),
                    Access::Read => reads.push(job.work),
                }
                let is_enough = writes.len() >= MAX_TOGETHER || size >= MAX_BYTES_TOGETHER;
                next = if is_enough { None } else { self.asked.try_recv().ok() };
            }
            let written = write_together(&mut self.connection, access, writes);
            // Before anybody hears of it: whoever then looks for it need not wait for this thread.
            self.waiting.fetch_sub(size, Ordering::Release);
            for (work, result) in written {
                work.finish(result);
            }
            for read in reads {
                self.readers.ask(read);
            }
        }
    }

    /// Waits for work; none where there will be none. A connection that nothing is asked of is closed.
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
    mut together: Vec<Box<dyn Work>>,
) -> Vec<(Box<dyn Work>, Result<(), Error>)> {
    if together.is_empty() {
        return Vec::new();
    }
    match connection.transaction(access, &mut together) {
        // One of them cannot be written, and the others shall not suffer from it.
        Err(error) if error.kind == ErrorKind::Statement && together.len() > 1 => {
            together.into_iter().flat_map(|work| write_together(connection, access, vec![work])).collect()
        }
        result => {
            let result = result.map_err(|error| connection.explain(error));
            together.into_iter().map(|work| (work, result.clone())).collect()
        }
    }
}

fn overrun(place: &str) -> Error {
    Error::unavailable(place, "more is to be written than it can keep up with")
        .hint("run fewer durable executions at once, or keep them on a faster disk")
}

fn ended(place: &str) -> Error {
    Error::broken(place, "the store has stopped working")
        .hint("this is a defect of Isobox; what it printed when it happened says more")
}
