//! Questions that a server asks in the middle of a call (`elicitation/create`).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use rmcp::model::{ElicitResult, ElicitationAction, RequestId};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

/// A question about a call. Dropping it dismisses the question.
#[derive(Debug)]
pub(super) struct Question {
    /// The parameters of the request: a message, and a schema or an address.
    pub(super) params: Value,
    answer: oneshot::Sender<ElicitResult>,
}

/// The request whose stream a message came by.
#[derive(Debug, Clone)]
pub(super) struct Origin(pub(super) RequestId);

/// The calls of a session that can be asked about.
#[derive(Debug, Default)]
pub(super) struct Questions(Mutex<HashMap<RequestId, mpsc::Sender<Question>>>);

impl Question {
    /// Answers the question. A server that no longer waits does not get the answer.
    pub(super) fn answer(self, answer: ElicitResult) {
        let _ = self.answer.send(answer);
    }
}

impl Questions {
    /// Adds a call. Removes calls that were dropped.
    pub(super) fn register(&self, call: RequestId, desk: mpsc::Sender<Question>) {
        self.with(|calls| {
            calls.retain(|_, desk| !desk.is_closed());
            calls.insert(call, desk);
        });
    }

    pub(super) fn forget(&self, call: &RequestId) {
        self.with(|calls| calls.remove(call));
    }

    /// Passes a question on to the call that it belongs to, and waits for the answer. Dismisses a question that belongs
    /// to no call: no person could be told what it is about.
    pub(super) async fn ask(&self, origin: Option<&Origin>, params: Value) -> ElicitResult {
        let dismissed = || ElicitResult::new(ElicitationAction::Cancel);
        let Some(desk) = self.desk(origin) else { return dismissed() };
        let (answer, answered) = oneshot::channel();
        if desk.send(Question { params, answer }).await.is_err() {
            return dismissed();
        }
        answered.await.unwrap_or_else(|_dropped| dismissed())
    }

    /// Finds the call that a question belongs to. Without an origin, it is the only call, if there is one.
    fn desk(&self, origin: Option<&Origin>) -> Option<mpsc::Sender<Question>> {
        self.with(|calls| {
            if let Some(desk) = origin.and_then(|Origin(request)| calls.get(request)) {
                return Some(desk.clone());
            }
            let mut open = calls.values().filter(|desk| !desk.is_closed());
            open.next().filter(|_| open.next().is_none()).cloned()
        })
    }

    fn with<T>(&self, work: impl FnOnce(&mut HashMap<RequestId, mpsc::Sender<Question>>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn a_question_reaches_the_call_that_it_belongs_to_and_no_other() {
        let questions = Questions::default();
        let action = async |origin: Option<i64>| {
            let origin = origin.map(|id| Origin(RequestId::Number(id)));
            questions.ask(origin.as_ref(), json!({})).await.action
        };
        assert_eq!(action(None).await, ElicitationAction::Cancel);
        let (desk, mut first) = mpsc::channel(1);
        questions.register(RequestId::Number(1), desk);
        let (answered, ()) = tokio::join!(action(None), async {
            first.recv().await.unwrap().answer(ElicitResult::new(ElicitationAction::Accept));
        });
        assert_eq!(answered, ElicitationAction::Accept);
        let (desk, mut second) = mpsc::channel(1);
        questions.register(RequestId::Number(2), desk);
        assert_eq!(action(None).await, ElicitationAction::Cancel, "it may be about either");
        let (answered, ()) = tokio::join!(action(Some(2)), async {
            second.recv().await.unwrap().answer(ElicitResult::new(ElicitationAction::Decline));
        });
        assert_eq!(answered, ElicitationAction::Decline);
        let (answered, ()) = tokio::join!(action(Some(2)), async { drop(second.recv().await) });
        assert_eq!(answered, ElicitationAction::Cancel);
        questions.forget(&RequestId::Number(2));
        drop(first);
        assert_eq!(action(None).await, ElicitationAction::Cancel);
    }
}
