//! Questions that a server asks in the middle of a call (`elicitation/create`).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use rmcp::model::{ElicitResult, ElicitationAction, RequestId};
use serde_json::Value;
use tokio::sync::{Semaphore, mpsc, oneshot};

use super::elicitation::MAX_QUESTION;

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

/// The place where questions about a call arrive. The call runs for as long as the receiver exists.
#[derive(Debug, Clone)]
pub(super) struct Desk {
    questions: mpsc::Sender<Question>,
    is_attended: bool,
}

/// The calls of a session that a server may ask about.
#[derive(Debug)]
pub(super) struct Questions {
    calls: Mutex<HashMap<RequestId, Desk>>,
    /// The places for questions that their calls have no room for yet.
    places: Semaphore,
}

/// The maximum number of questions of a session that wait until their calls have room. A call has room for one, beside
/// the one that a person thinks about.
const MAX_WAITING: usize = 32;

impl Question {
    /// Answers the question. A server that no longer waits does not get the answer.
    pub(super) fn answer(self, answer: ElicitResult) {
        let _ = self.answer.send(answer);
    }
}

impl Desk {
    /// Creates the desk of a call that can wait for a person.
    pub(super) fn attended() -> (Self, mpsc::Receiver<Question>) {
        let (questions, receiver) = mpsc::channel(1);
        (Self { questions, is_attended: true }, receiver)
    }

    /// Creates the desk of a call that cannot wait for a person. Questions about it are dismissed.
    pub(super) fn unattended() -> (Self, mpsc::Receiver<Question>) {
        let (questions, receiver) = mpsc::channel(1);
        (Self { questions, is_attended: false }, receiver)
    }
}

impl Default for Questions {
    fn default() -> Self {
        Self { calls: Mutex::default(), places: Semaphore::new(MAX_WAITING) }
    }
}

impl Questions {
    /// Adds a call. Removes calls that were dropped.
    pub(super) fn register(&self, call: RequestId, desk: Desk) {
        self.with(|calls| {
            calls.retain(|_, desk| !desk.questions.is_closed());
            calls.insert(call, desk);
        });
    }

    /// Adds a call whose request was answered with a task, for as long as the receiver exists.
    pub(super) fn register_task(&self, task: &str) -> mpsc::Receiver<Question> {
        let (desk, receiver) = Desk::unattended();
        // The ids of requests are numbers.
        self.register(RequestId::String(task.into()), desk);
        receiver
    }

    pub(super) fn forget(&self, call: &RequestId) {
        self.with(|calls| calls.remove(call));
    }

    /// Passes a question on to the call that it belongs to, and waits for the answer. Dismisses a question that belongs
    /// to no call, or to one that cannot wait for a person: no person could be told what it is about. Dismisses a
    /// question that is too large, or that comes while too many others wait.
    pub(super) async fn ask(&self, origin: Option<&Origin>, params: Value) -> ElicitResult {
        self.pass_on(origin, params).await.unwrap_or_else(|| ElicitResult::new(ElicitationAction::Cancel))
    }

    async fn pass_on(&self, origin: Option<&Origin>, params: Value) -> Option<ElicitResult> {
        let desk = self.desk(origin)?;
        if params.to_string().len() > MAX_QUESTION {
            return None;
        }
        let (answer, answered) = oneshot::channel();
        let place = self.places.try_acquire().ok()?;
        desk.send(Question { params, answer }).await.ok()?;
        drop(place);
        answered.await.ok()
    }

    /// Finds the call that a question belongs to. Without an origin, it is the only call, if there is one.
    fn desk(&self, origin: Option<&Origin>) -> Option<mpsc::Sender<Question>> {
        self.with(|calls| {
            let desk = match origin {
                Some(Origin(request)) => calls.get(request)?,
                None => {
                    let mut open = calls.values().filter(|desk| !desk.questions.is_closed());
                    open.next().filter(|_| open.next().is_none())?
                }
            };
            desk.is_attended.then(|| desk.questions.clone())
        })
    }

    fn with<T>(&self, work: impl FnOnce(&mut HashMap<RequestId, Desk>) -> T) -> T {
        work(&mut self.calls.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use serde_json::json;

    use super::*;

    fn number(id: i64) -> RequestId {
        RequestId::Number(id)
    }

    #[tokio::test]
    async fn a_question_reaches_the_call_that_it_belongs_to_and_no_other() {
        let questions = Questions::default();
        let action = async |origin: Option<i64>| {
            let origin = origin.map(|id| Origin(number(id)));
            questions.ask(origin.as_ref(), json!({})).await.action
        };
        assert_eq!(action(None).await, ElicitationAction::Cancel);
        let (desk, mut first) = Desk::attended();
        questions.register(number(1), desk);
        let (answered, ()) = tokio::join!(action(None), async {
            first.recv().await.unwrap().answer(ElicitResult::new(ElicitationAction::Accept));
        });
        assert_eq!(answered, ElicitationAction::Accept);
        assert_eq!(action(Some(2)).await, ElicitationAction::Cancel, "it is about another call");
        assert!(first.try_recv().is_err());
        let (desk, mut second) = Desk::attended();
        questions.register(number(2), desk);
        assert_eq!(action(None).await, ElicitationAction::Cancel, "it may be about either");
        let (answered, ()) = tokio::join!(action(Some(2)), async {
            second.recv().await.unwrap().answer(ElicitResult::new(ElicitationAction::Decline));
        });
        assert_eq!(answered, ElicitationAction::Decline);
        let (answered, ()) = tokio::join!(action(Some(2)), async { drop(second.recv().await) });
        assert_eq!(answered, ElicitationAction::Cancel);
        questions.forget(&number(2));
        drop(first);
        assert_eq!(action(None).await, ElicitationAction::Cancel);
    }

    #[test]
    fn a_call_that_cannot_wait_for_a_person_takes_no_question_and_leaves_none_to_another_call() {
        let questions = Questions::default();
        let action = |origin: Option<i64>| {
            let origin = origin.map(|id| Origin(number(id)));
            questions.ask(origin.as_ref(), json!({})).now_or_never().map(|answer| answer.action)
        };
        let (desk, mut first) = Desk::attended();
        questions.register(number(1), desk);
        let (desk, unattended) = Desk::unattended();
        questions.register(number(2), desk);
        for origin in [None, Some(2)] {
            assert_eq!(action(origin), Some(ElicitationAction::Cancel), "{origin:?}");
        }
        drop(unattended);
        let task = questions.register_task("1");
        assert_eq!(action(None), Some(ElicitationAction::Cancel));
        assert!(first.try_recv().is_err());
        drop(task);
        assert_eq!(action(None), None, "a person is asked");
        assert!(first.try_recv().is_ok());
    }

    #[tokio::test]
    async fn of_many_questions_about_one_call_few_wait_and_no_large_one() {
        let questions = Questions::default();
        let (desk, mut call) = Desk::attended();
        questions.register(number(1), desk);
        let ask = |message: String| Box::pin(questions.ask(None, json!({ "message": message })));
        let large = ask("x".repeat(MAX_QUESTION)).now_or_never();
        assert_eq!(large.map(|answer| answer.action), Some(ElicitationAction::Cancel));
        let mut waiting = Vec::new();
        for number in 0..1_000 {
            let mut asked = ask(format!("question {number}"));
            match (&mut asked).now_or_never() {
                None => waiting.push(asked),
                Some(answer) => assert_eq!(answer.action, ElicitationAction::Cancel),
            }
        }
        // The call has room for one of them.
        assert_eq!(waiting.len(), MAX_WAITING + 1);
        let (answers, ()) = tokio::join!(futures_util::future::join_all(waiting), async {
            for _ in 0..=MAX_WAITING {
                call.recv().await.unwrap().answer(ElicitResult::new(ElicitationAction::Accept));
            }
        });
        assert!(answers.iter().all(|answer| answer.action == ElicitationAction::Accept));
        assert!(ask("later".to_owned()).now_or_never().is_none(), "there is room again");
    }
}
