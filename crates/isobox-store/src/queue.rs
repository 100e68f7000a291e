//! One thread that writes, a few that read.
//!
//! What is asked of a store is done in the order of asking. The writer takes whatever has gathered in its queue while it
//! committed, writes it in one transaction and acknowledges it after the commit: many executions share one
//! flush. What only looks is for the readers: at once where nothing waits to be written, or else once everything that was asked
//! for before it is committed.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use futures_util::FutureExt;
use futures_util::future::ready;
use isobox_core::store::Written;
use isobox_core::store::failures::{broken, unavailable};
use isobox_core::{Code, Failure};
use tokio::sync::oneshot;

use crate::connection::{Connection, Opener};
use crate::database::{Access, Database, DatabaseError, ErrorKind};
use crate::operations::Trouble;

/// How much is written in one transaction.
const MAX_TOGETHER: usize = 512;
const MAX_BYTES_TOGETHER: usize = 16 << 20;

/// How much may wait to be written. Whoever waits for what it asked for has little here; this bounds everybody together.
const MAX_BYTES_WAITING: usize = 256 << 20;

/// Hands work over to the threads of a store. Dropping it waits until all of it is done.
pub(crate) struct Queue {
    jobs: Option<Sender<Job>>,
    to_readers: Option<Sender<Box<dyn Work>>>,
    threads: Vec<JoinHandle<()>>,
    waiting: Arc<AtomicUsize>,
    place: Arc<str>,
}

struct Job {
    access: Access,
    size: usize,
    work: Box<dyn Work>,
}

/// Something to be done in a transaction, together with whoever waits for it.
pub(crate) trait Work: Send {
    /// Does it and keeps what came of it. May be done again, in another transaction, where this one fails.
    fn attempt(&mut self, database: &mut dyn Database) -> Result<(), DatabaseError>;

    /// Tells whoever waits: what came of it where the transaction was committed, or else why it was not.
    fn finish(self: Box<Self>, transaction: Result<(), Failure>);
}

struct Asked<T, Operation> {
    operation: Operation,
    result: Option<Result<T, Failure>>,
    reply: oneshot::Sender<Result<T, Failure>>,
}

impl<T, Operation> Work for Asked<T, Operation>
where
    T: Send,
    Operation: Fn(&mut dyn Database) -> Result<T, Trouble> + Send,
{
    fn attempt(&mut self, database: &mut dyn Database) -> Result<(), DatabaseError> {
        self.result = match (self.operation)(database) {
            Ok(value) => Some(Ok(value)),
            Err(Trouble::Refused(failure)) => Some(Err(failure)),
            Err(Trouble::Broken(error)) => return Err(error),
        };
        Ok(())
    }

    fn finish(self: Box<Self>, transaction: Result<(), Failure>) {
        let result = match (transaction, self.result) {
            (Ok(()), Some(result)) => result,
            (Err(failure), _) => Err(failure),
            (Ok(()), None) => unreachable!("every operation of a committed transaction was attempted"),
        };
        // Nobody has to wait for it.
        let _ = self.reply.send(result);
    }
}

impl Queue {
    pub(crate) fn start(place: Arc<str>, opener: &Opener, readers: usize) -> Result<Self, Failure> {
        let (jobs, asked) = mpsc::channel();
        let (to_readers, looked_for) = mpsc::channel();
        let looked_for = Arc::new(Mutex::new(looked_for));
        let waiting = Arc::<AtomicUsize>::default();
        let writers_own = Sender::clone(&to_readers);
        let mut queue = Self {
            jobs: Some(jobs),
            to_readers: Some(to_readers),
            threads: Vec::new(),
            waiting: Arc::clone(&waiting),
            place,
        };
        // First, so that nobody else holds the end of the readers' channel where a thread cannot be started.
        let writer = Writer { connection: queue.connection(opener), asked, to_readers: writers_own, waiting };
        queue.spawn("isobox-store-writer", || writer.run())?;
        for _ in 0..readers {
            let reader = Reader { connection: queue.connection(opener), asked: Arc::clone(&looked_for) };
            queue.spawn("isobox-store-reader", || reader.run())?;
        }
        Ok(queue)
    }

    /// Hands something over: it will be done, whether or not anybody waits for it. `size` is what it weighs in memory.
    pub(crate) fn ask<T: Send + 'static>(
        &self,
        access: Access,
        size: usize,
        operation: impl Fn(&mut dyn Database) -> Result<T, Trouble> + Send + 'static,
    ) -> Written<T> {
        let waiting = self.waiting.load(Ordering::Acquire);
        if waiting > MAX_BYTES_WAITING {
            return ready(Err(overrun(&self.place))).boxed();
        }
        let (reply, answer) = oneshot::channel();
        let work: Box<dyn Work> = Box::new(Asked { operation, result: None, reply });
        // Where a thread is gone, so is the sender of the answer.
        if access == Access::Read && waiting == 0 {
            let _ = self.to_readers.as_ref().map(|readers| readers.send(work));
        } else {
            self.waiting.fetch_add(size, Ordering::Relaxed);
            let _ = self.jobs.as_ref().map(|jobs| jobs.send(Job { access, size, work }));
        }
        let place = Arc::clone(&self.place);
        async move { answer.await.unwrap_or_else(|_| Err(ended(&place))) }.boxed()
    }

    fn connection(&self, opener: &Opener) -> Connection {
        Connection::new(Arc::clone(&self.place), opener.clone())
    }

    fn spawn(&mut self, name: &str, run: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(run);
        self.threads.push(thread.map_err(|error| broken("a thread of the store cannot be started", error))?);
        Ok(())
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        drop((self.jobs.take(), self.to_readers.take()));
        for thread in self.threads.drain(..) {
            // One that panicked has said so, and whoever waited for it was told.
            let _ = thread.join();
        }
    }
}

struct Writer {
    connection: Connection,
    asked: Receiver<Job>,
    to_readers: Sender<Box<dyn Work>>,
    waiting: Arc<AtomicUsize>,
}

impl Writer {
    fn run(mut self) {
        while let Ok(first) = self.asked.recv() {
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
                // Where the readers are gone, whoever waits is told by that.
                let _ = self.to_readers.send(read);
            }
        }
    }
}

fn write_together(
    connection: &mut Connection,
    access: Access,
    mut together: Vec<Box<dyn Work>>,
) -> Vec<(Box<dyn Work>, Result<(), Failure>)> {
    if together.is_empty() {
        return Vec::new();
    }
    match connection.transaction(access, &mut together) {
        // One of them cannot be written, and the others shall not suffer from it.
        Err(error) if error.kind == ErrorKind::Statement && together.len() > 1 => {
            together.into_iter().flat_map(|work| write_together(connection, access, vec![work])).collect()
        }
        result => {
            let result = result.map_err(|error| connection.failure(&error));
            together.into_iter().map(|work| (work, result.clone())).collect()
        }
    }
}

struct Reader {
    connection: Connection,
    asked: Arc<Mutex<Receiver<Box<dyn Work>>>>,
}

impl Reader {
    fn run(mut self) {
        loop {
            let next = self.asked.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(work) = next else { return };
            let mut work = [work];
            let result = self.connection.transaction(Access::Read, &mut work);
            let [work] = work;
            work.finish(result.map_err(|error| self.connection.failure(&error)));
        }
    }
}

fn overrun(place: &str) -> Failure {
    unavailable(place, "more is to be written than it can keep up with")
        .hint("run fewer durable executions at once, or keep them on a faster disk")
}

fn ended(place: &str) -> Failure {
    Failure::new(Code::Store, format!("{place}: the store has stopped working"))
        .hint("this is a defect of Isobox; what it printed when it happened says more")
}
