//! Notifies subscribers of an execution when it changes.

use std::collections::HashMap;
use std::fmt;
use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use futures_util::task::AtomicWaker;

use crate::ExecutionId;

/// The subscriptions to the executions of one store, in this process. Clones share them.
///
/// A store that sends notifications has one, and calls [`Subscriptions::tell`] after each committed change.
#[derive(Clone)]
pub struct Subscriptions(Arc<Mutex<Registry>>);

/// The changes of an execution that a subscription reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// Some changes are not reported, for example those of other processes. A subscriber has to poll for them.
    Partial,
    /// Every change is reported. A subscriber polls only as a last resort.
    Complete,
}

/// Reports when an execution changes; see [`Store::subscribe`](super::Store::subscribe). Dropping it ends the
/// subscription.
pub struct Subscription(Option<Subscribed>);

struct Registry {
    coverage: Coverage,
    /// The bells of each execution that has subscriptions.
    bells: HashMap<ExecutionId, Vec<Arc<Bell>>>,
}

struct Subscribed {
    subscriptions: Subscriptions,
    execution: ExecutionId,
    bell: Arc<Bell>,
}

/// Rings when an execution changes, and stays set until the subscriber has noticed.
#[derive(Default)]
struct Bell {
    has_rung: AtomicBool,
    waker: AtomicWaker,
}

impl Subscriptions {
    /// Creates an empty registry with this coverage.
    pub fn new(coverage: Coverage) -> Self {
        Self(Arc::new(Mutex::new(Registry { coverage, bells: HashMap::new() })))
    }

    /// Subscribes to the changes of an execution from now on, whether or not the execution exists.
    pub fn subscribe(&self, execution: &ExecutionId) -> Subscription {
        let bell = Arc::<Bell>::default();
        self.lock().bells.entry(execution.clone()).or_default().push(Arc::clone(&bell));
        Subscription(Some(Subscribed { subscriptions: self.clone(), execution: execution.clone(), bell }))
    }

    /// Wakes the subscribers of an execution.
    pub fn tell(&self, execution: &ExecutionId) {
        let bells = self.lock().bells.get(execution).cloned().unwrap_or_default();
        ring(bells);
    }

    /// Sets the coverage. If it changes, all subscribers are woken, so that they poll for unreported changes and adapt
    /// their polling interval.
    pub fn set_coverage(&self, coverage: Coverage) {
        let mut registry = self.lock();
        if registry.coverage == coverage {
            return;
        }
        registry.coverage = coverage;
        let bells: Vec<_> = registry.bells.values().flatten().cloned().collect();
        drop(registry);
        ring(bells);
    }

    /// Returns the coverage.
    pub fn coverage(&self) -> Coverage {
        self.lock().coverage
    }

    /// Tells whether there is no subscription.
    pub fn is_empty(&self) -> bool {
        self.lock().bells.is_empty()
    }

    fn remove(&self, execution: &ExecutionId, bell: &Arc<Bell>) {
        let mut registry = self.lock();
        let Some(bells) = registry.bells.get_mut(execution) else { return };
        bells.retain(|other| !Arc::ptr_eq(other, bell));
        if bells.is_empty() {
            registry.bells.remove(execution);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Registry> {
        // Every change is complete before the lock is released.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Rings bells. The registry must not be locked: a waker may drop a subscription.
fn ring(bells: Vec<Arc<Bell>>) {
    for bell in bells {
        bell.has_rung.store(true, Ordering::Release);
        bell.waker.wake();
    }
}

impl Subscription {
    /// Creates a subscription that reports nothing.
    pub const fn never() -> Self {
        Self(None)
    }

    /// Returns which changes are reported. A change of the coverage is reported too.
    pub fn coverage(&self) -> Coverage {
        self.0.as_ref().map_or(Coverage::Partial, |subscribed| subscribed.subscriptions.coverage())
    }

    /// Waits for a change since the subscription began, or since the last noticed change.
    pub async fn changed(&mut self) {
        poll_fn(|context| self.poll_changed(context)).await;
    }

    /// Polls for the change that [`Subscription::changed`] waits for.
    pub fn poll_changed(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let Some(Subscribed { bell, .. }) = &self.0 else { return Poll::Pending };
        bell.waker.register(context.waker());
        if self.take_change() { Poll::Ready(()) } else { Poll::Pending }
    }

    /// Takes a change without waiting. Returns whether there was one.
    pub fn take_change(&mut self) -> bool {
        self.0.as_ref().is_some_and(|subscribed| subscribed.bell.has_rung.swap(false, Ordering::Acquire))
    }
}

impl Drop for Subscribed {
    fn drop(&mut self) {
        self.subscriptions.remove(&self.execution, &self.bell);
    }
}

impl fmt::Debug for Subscriptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let registry = self.lock();
        let (coverage, executions) = (registry.coverage, registry.bells.len());
        formatter
            .debug_struct("Subscriptions")
            .field("coverage", &coverage)
            .field("executions", &executions)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Subscription {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let execution = self.0.as_ref().map(|subscribed| &subscribed.execution);
        formatter.debug_struct("Subscription").field("execution", &execution).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use futures_util::FutureExt;

    use super::*;

    fn id(number: u64) -> ExecutionId {
        ExecutionId::new(number, 0)
    }

    #[test]
    fn a_subscription_hears_of_its_own_execution_alone() {
        let subscriptions = Subscriptions::new(Coverage::Complete);
        let (mut first, mut second) = (subscriptions.subscribe(&id(1)), subscriptions.subscribe(&id(2)));
        subscriptions.tell(&id(1));
        assert!(first.changed().now_or_never().is_some());
        assert!(second.changed().now_or_never().is_none());
    }

    #[test]
    fn a_change_between_subscribing_and_waiting_is_not_lost() {
        let subscriptions = Subscriptions::new(Coverage::Complete);
        subscriptions.tell(&id(1));
        let mut subscription = subscriptions.subscribe(&id(1));
        assert!(!subscription.take_change(), "earlier changes are not reported");
        subscriptions.tell(&id(1));
        subscriptions.tell(&id(1));
        assert!(subscription.changed().now_or_never().is_some());
        assert!(subscription.changed().now_or_never().is_none(), "two unnoticed changes are reported once");
    }

    #[test]
    fn every_subscriber_of_an_execution_is_woken() {
        let subscriptions = Subscriptions::new(Coverage::Complete);
        let mut waiting: Vec<_> = (0..3).map(|_| subscriptions.subscribe(&id(1))).collect();
        let woken: Vec<_> = waiting.iter_mut().map(|subscription| woken_by(subscription, &subscriptions)).collect();
        assert_eq!(woken, [1, 1, 1]);
    }

    /// Counts how often one change wakes a waiting subscriber.
    fn woken_by(subscription: &mut Subscription, subscriptions: &Subscriptions) -> usize {
        let count = Arc::new(Count::default());
        let waker = Waker::from(Arc::clone(&count));
        assert!(subscription.poll_changed(&mut Context::from_waker(&waker)).is_pending());
        subscriptions.tell(&id(1));
        assert!(subscription.take_change());
        // The other subscribers were notified too.
        subscriptions.0.lock().expect("no thread has panicked").bells.values().flatten().for_each(|bell| {
            bell.has_rung.store(false, Ordering::Release);
        });
        count.0.load(Ordering::SeqCst)
    }

    #[derive(Default)]
    struct Count(std::sync::atomic::AtomicUsize);

    impl std::task::Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    #[test]
    fn a_dropped_subscription_leaves_nothing_behind() {
        let subscriptions = Subscriptions::new(Coverage::Partial);
        let (first, second) = (subscriptions.subscribe(&id(1)), subscriptions.subscribe(&id(1)));
        drop(first);
        assert!(!subscriptions.is_empty());
        drop(second);
        assert!(subscriptions.is_empty());
    }

    #[test]
    fn a_waker_may_drop_the_subscription_that_it_wakes() {
        struct Dropping(Mutex<Option<Subscription>>);
        impl std::task::Wake for Dropping {
            fn wake(self: Arc<Self>) {
                drop(self.0.lock().expect("no thread has panicked").take());
            }
        }
        let subscriptions = Subscriptions::new(Coverage::Complete);
        let mut subscription = subscriptions.subscribe(&id(1));
        let dropping = Arc::new(Dropping(Mutex::new(None)));
        let waker = Waker::from(Arc::clone(&dropping));
        assert!(subscription.poll_changed(&mut Context::from_waker(&waker)).is_pending());
        *dropping.0.lock().expect("no thread has panicked") = Some(subscription);
        subscriptions.tell(&id(1));
        assert!(subscriptions.is_empty());
    }

    #[test]
    fn another_coverage_is_told_to_everybody() {
        let subscriptions = Subscriptions::new(Coverage::Partial);
        let (mut first, mut second) = (subscriptions.subscribe(&id(1)), subscriptions.subscribe(&id(2)));
        subscriptions.set_coverage(Coverage::Partial);
        assert!(!first.take_change());
        subscriptions.set_coverage(Coverage::Complete);
        assert!(first.take_change() && second.take_change());
        assert_eq!(first.coverage(), Coverage::Complete);
    }

    #[test]
    fn a_subscription_that_tells_nothing_covers_nothing() {
        let mut subscription = Subscription::never();
        assert!(subscription.changed().now_or_never().is_none());
        assert_eq!(subscription.coverage(), Coverage::Partial);
    }
}
