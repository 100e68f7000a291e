//! Sends the answers to requests of a server. A server that asks much and accepts nothing takes few connections.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::super::send_error::SendError;

/// The answers that are being sent, or wait for it. Dropping it drops them.
pub(super) struct Answers {
    tasks: JoinSet<()>,
    turns: Arc<Semaphore>,
}

/// The maximum number of answers that are sent at a time. Each takes a connection.
const AT_A_TIME: usize = 32;
/// The maximum number of answers. Further ones are dropped.
const MAX_ANSWERS: usize = 1_024;
/// The maximum time that the server may take to accept an answer.
const PATIENCE: Duration = Duration::from_secs(30);

impl Default for Answers {
    fn default() -> Self {
        Self { tasks: JoinSet::new(), turns: Arc::new(Semaphore::new(AT_A_TIME)) }
    }
}

impl Answers {
    /// Delivers an answer when it is its turn.
    pub(super) fn send(&mut self, delivery: impl Future<Output = ()> + Send + 'static) -> Result<(), SendError> {
        while self.tasks.try_join_next().is_some() {}
        if self.tasks.len() >= MAX_ANSWERS {
            let message = "the server does not accept the answers to its requests".to_owned();
            return Err(SendError::Http { message, was_sent: false });
        }
        let turns = Arc::clone(&self.turns);
        self.tasks.spawn(async move {
            // The semaphore is never closed.
            let Ok(_turn) = turns.acquire().await else { return };
            // A server that takes longer goes without the answer.
            let _ = timeout(PATIENCE, delivery).await;
        });
        Ok(())
    }

    /// Drops all answers.
    pub(super) fn abandon(&mut self) {
        self.tasks.abort_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn few_answers_are_sent_at_a_time_and_too_many_are_dropped() {
        let (begun, gate) = (Arc::new(AtomicUsize::new(0)), Arc::new(Semaphore::new(0)));
        let mut answers = Answers::default();
        let send = |answers: &mut Answers| {
            let (begun, gate) = (Arc::clone(&begun), Arc::clone(&gate));
            answers.send(async move {
                begun.fetch_add(1, Ordering::SeqCst);
                let _ = gate.acquire().await;
            })
        };
        let sent = (0..2 * MAX_ANSWERS).filter(|_| send(&mut answers).is_ok()).count();
        assert_eq!(sent, MAX_ANSWERS);
        for _ in 0..MAX_ANSWERS {
            tokio::task::yield_now().await;
        }
        assert_eq!(begun.load(Ordering::SeqCst), AT_A_TIME);
        gate.close();
        while answers.tasks.join_next().await.is_some() {}
        assert_eq!(begun.load(Ordering::SeqCst), MAX_ANSWERS);
        assert!(send(&mut answers).is_ok(), "there is room again");
    }
}
