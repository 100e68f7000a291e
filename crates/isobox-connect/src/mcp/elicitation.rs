//! Questions of servers as interrupts: the payload that a person sees, and the answer that the server gets.

use isobox_core::brief;
use rmcp::model::{ElicitResult, ElicitationAction};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The questions of an `input_required` result that are still open, and the answers so far. Part of the payload, so that it
/// survives a restart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Continuation {
    /// The state that the server wants back. Without meaning for us.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) request_state: Option<String>,
    /// The task that asks, if it is not the call itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) task: Option<String>,
    /// The questions that are not answered yet, by their keys. A person is asked the first one.
    pub(super) open: Map<String, Value>,
    pub(super) answers: Map<String, Value>,
    /// Counts the rounds of the call, which are bounded.
    pub(super) round: u32,
}

/// An interrupt that a call continues from.
#[derive(Debug, PartialEq)]
pub(super) enum Interrupt {
    /// A question that the server asked in a connection, and waits for the answer.
    Live,
    /// Questions that the server has forgotten about until it gets the answers.
    Continued(Box<Continuation>),
    /// Anything else, such as a login: the call was not made yet.
    Other,
}

/// The maximum size of a question, in bytes of JSON.
pub(super) const MAX_QUESTION: usize = 64 << 10;
/// The maximum depth of a question.
const MAX_DEPTH: u32 = 32;
/// The maximum number of questions of one result, and of rounds of one call.
const MAX_QUESTIONS: usize = 20;
pub(super) const MAX_ROUNDS: u32 = 20;

const TYPE: &str = "elicitation";
const CONTINUATION: &str = "continuation";

impl Interrupt {
    /// Reads the payload of an interrupt.
    pub(super) fn read(payload: &Value) -> Self {
        if payload.get("type").and_then(Value::as_str) != Some(TYPE) {
            return Self::Other;
        }
        match payload.get(CONTINUATION) {
            None => Self::Live,
            Some(continuation) => match serde_json::from_value(continuation.clone()) {
                Ok(continuation) => Self::Continued(Box::new(continuation)),
                // What cannot be read was not written here.
                Err(_) => Self::Live,
            },
        }
    }
}

/// Builds the payload of the interrupt for a question. Returns none for a question that cannot be shown to a person.
pub(super) fn payload(server: &str, params: &Value, continuation: Option<&Continuation>) -> Option<Value> {
    let message = params.get("message")?.as_str()?;
    let mut payload = json!({ "type": TYPE, "server": server, "message": brief(message, 4_000) });
    match params.get("mode").and_then(Value::as_str) {
        Some("url") => payload["url"] = params.get("url")?.as_str()?.into(),
        Some("form") | None => payload["requestedSchema"] = params.get("requestedSchema")?.clone(),
        Some(_) => return None,
    }
    payload["answer"] = json!("{ \"action\": \"accept\" | \"decline\" | \"cancel\", \"content\"?: { … } }");
    if let Some(continuation) = continuation {
        payload[CONTINUATION] = serde_json::to_value(continuation).ok()?;
    }
    (is_shallow(&payload, MAX_DEPTH) && payload.to_string().len() <= MAX_QUESTION).then_some(payload)
}

/// Tells whether a value is nested at most this deep. Journals are read with a limit.
fn is_shallow(value: &Value, left: u32) -> bool {
    let inner = |value: &Value| left > 0 && is_shallow(value, left - 1);
    match value {
        Value::Array(items) => items.iter().all(inner),
        Value::Object(fields) => fields.values().all(inner),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

/// Adds to a payload why the answer that was given is none.
pub(super) fn asked_again(mut payload: Value, problem: &str) -> Value {
    payload["problem"] = problem.into();
    payload
}

/// Reads the answer of a person.
pub(super) fn answer(resolution: &Value) -> Result<ElicitResult, &'static str> {
    let action = match resolution.get("action").and_then(Value::as_str) {
        Some("accept") => ElicitationAction::Accept,
        Some("decline") => ElicitationAction::Decline,
        Some("cancel") => ElicitationAction::Cancel,
        Some(_) | None => return Err("the answer needs an `action`: \"accept\", \"decline\" or \"cancel\""),
    };
    let result = ElicitResult::new(action.clone());
    match resolution.get("content") {
        None | Some(Value::Null) => Ok(result),
        Some(_) if action != ElicitationAction::Accept => Err("only an accepted question has `content`"),
        Some(content @ Value::Object(_)) => Ok(result.with_content(content.clone())),
        Some(_) => Err("the `content` of an answer is an object"),
    }
}

impl Continuation {
    /// Reads an `input_required` result. Returns why it cannot be continued.
    pub(super) fn of(result: &Value, round: u32) -> Result<Self, String> {
        if round >= MAX_ROUNDS {
            return Err(format!("the tool asked for input more than {MAX_ROUNDS} times"));
        }
        let open = result.get("inputRequests").and_then(Value::as_object).cloned().unwrap_or_default();
        if open.len() > MAX_QUESTIONS {
            return Err(format!("the tool asks {} questions at once", open.len()));
        }
        let request_state = match result.get("requestState") {
            None | Some(Value::Null) => None,
            Some(Value::String(state)) if state.len() <= MAX_QUESTION => Some(state.clone()),
            Some(_) => return Err("the tool asks for input with a state that cannot be kept".to_owned()),
        };
        if open.is_empty() && request_state.is_none() {
            return Err("the tool asks for input and does not say which".to_owned());
        }
        Ok(Self { request_state, task: None, open, answers: Map::new(), round: round + 1 })
    }

    /// Returns the next question: its method and its parameters.
    pub(super) fn next(&self) -> Option<(&str, &Value)> {
        let (_, request) = self.open.iter().next()?;
        let method = request.get("method").and_then(Value::as_str).unwrap_or_default();
        Some((method, request.get("params").unwrap_or(&Value::Null)))
    }

    /// Answers the next question.
    pub(super) fn answer(&mut self, answer: Value) {
        if let Some(key) = self.open.keys().next().cloned() {
            self.open.shift_remove(&key);
            self.answers.insert(key, answer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question() -> Value {
        json!({ "message": "Which city?", "requestedSchema": { "type": "object" } })
    }

    #[test]
    fn a_question_is_shown_and_its_answer_is_read() {
        let shown = payload("weather", &question(), None).unwrap();
        assert_eq!((&shown["type"], &shown["message"]), (&json!("elicitation"), &json!("Which city?")));
        assert_eq!(shown["requestedSchema"], json!({ "type": "object" }));
        assert_eq!(Interrupt::read(&shown), Interrupt::Live);
        let url = json!({ "mode": "url", "message": "Pay.", "url": "https://a.example", "elicitationId": "1" });
        assert_eq!(payload("shop", &url, None).unwrap()["url"], "https://a.example");
        let result = answer(&json!({ "action": "accept", "content": { "city": "Rome" } })).unwrap();
        assert_eq!(result.content, Some(json!({ "city": "Rome" })));
        assert_eq!(answer(&json!({ "action": "decline" })).unwrap().action, ElicitationAction::Decline);
        for wrong in [json!("Rome"), json!({ "city": "Rome" }), json!({ "action": "accept", "content": "Rome" })] {
            assert!(answer(&wrong).is_err(), "{wrong}");
        }
        assert!(answer(&json!({ "action": "decline", "content": {} })).is_err());
        assert_eq!(asked_again(shown, "no")["problem"], "no");
    }

    #[test]
    fn what_cannot_be_shown_is_no_question() {
        let long = "x".repeat(100_000);
        for params in [
            json!(null),
            json!({ "message": "no schema" }),
            json!({ "mode": "url", "message": "no url" }),
            json!({ "mode": "telepathy", "message": "?", "requestedSchema": {} }),
            json!({ "message": "large", "requestedSchema": { "description": long } }),
            json!({ "message": "deep", "requestedSchema": (0..40).fold(json!({}), |inner, _| json!([inner])) }),
        ] {
            assert_eq!(payload("a", &params, None), None, "{params}");
        }
        assert_eq!(Interrupt::read(&json!({ "type": "login" })), Interrupt::Other);
        assert_eq!(Interrupt::read(&json!(null)), Interrupt::Other);
    }

    #[test]
    fn several_questions_are_asked_one_by_one_and_survive_in_the_payload() {
        let request = |message: &str| {
            json!({ "method": "elicitation/create",
                    "params": { "message": message, "requestedSchema": { "type": "object" } } })
        };
        let result = json!({ "resultType": "input_required", "requestState": "s",
                             "inputRequests": { "a": request("first"), "b": request("second") } });
        let mut continuation = Continuation::of(&result, 0).unwrap();
        let shown = payload("x", continuation.next().unwrap().1, Some(&continuation)).unwrap();
        assert_eq!(shown["message"], "first");
        assert_eq!(Interrupt::read(&shown), Interrupt::Continued(Box::new(continuation.clone())));
        continuation.answer(json!(1));
        assert_eq!(continuation.next().unwrap().1["message"], "second");
        continuation.answer(json!(2));
        assert_eq!((continuation.next(), continuation.answers.len()), (None, 2));
        assert!(Continuation::of(&result, MAX_ROUNDS).is_err());
        assert!(Continuation::of(&json!({}), 0).is_err());
        assert!(Continuation::of(&json!({ "requestState": 7 }), 0).is_err());
    }
}
