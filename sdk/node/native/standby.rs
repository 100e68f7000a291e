//! A thread that looks for the next request for a moment after it has answered the last one.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::looking::{Credit, look_for};

/// A request that was begun.
pub(crate) type Job = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The time for which a thread looks for the next request before it does other work.
const LOOK: Duration = Duration::from_micros(50);

/// Hands requests to a thread that looks for one.
#[derive(Default)]
pub(crate) struct Standby {
    place: Mutex<Place>,
    /// Whether there is a job. It is read without the lock by the thread that looks for one.
    has_job: AtomicBool,
    credit: Credit,
}

#[derive(Default)]
enum Place {
    /// No thread looks for a job.
    #[default]
    Closed,
    /// A thread looks for a job.
    Open,
    Taken(Job),
}

impl Standby {
    /// Hands a job to the thread that looks for one. Returns the job if there is no such thread.
    pub(crate) fn hand_over(&self, job: Job) -> Option<Job> {
        let mut place = self.place();
        if !matches!(*place, Place::Open) {
            return Some(job);
        }
        *place = Place::Taken(job);
        self.has_job.store(true, Ordering::Release);
        None
    }

    /// Looks for a job for a moment. One thread at a time does.
    pub(crate) fn next(&self) -> Option<Job> {
        if !self.credit.suffices() {
            return None;
        }
        {
            let mut place = self.place();
            if !matches!(*place, Place::Closed) {
                return None;
            }
            *place = Place::Open;
        }
        // Found or not: the place says.
        let _ = look_for(LOOK, || self.has_job.load(Ordering::Acquire).then_some(()));
        let mut place = self.place();
        self.has_job.store(false, Ordering::Relaxed);
        let job = match std::mem::take(&mut *place) {
            Place::Taken(job) => Some(job),
            Place::Open | Place::Closed => None,
        };
        drop(place);
        self.credit.count(job.is_some());
        job
    }

    fn place(&self) -> MutexGuard<'_, Place> {
        // Every change is complete before the lock is released.
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
