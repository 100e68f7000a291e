//! The questions of MCP servers that `isobox mcp` passes on to the person at its client.

use isobox::{CallSeq, ExecutionId, Paused, PendingCall, PendingKind, Value};
use isobox_server::{Question, QuestionMode};

/// Names a question: the execution, the call, and the revision at which it was shown.
#[derive(Debug, PartialEq)]
pub(crate) struct Reference {
    pub(crate) id: ExecutionId,
    pub(crate) seq: CallSeq,
    pub(crate) revision: u64,
}

impl Reference {
    /// Reads a reference that a client has sent back. The complete id proves that the client was given the execution.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(' ');
        let (id, seq, revision) = (parts.next()?, parts.next()?, parts.next()?);
        let reference = Self { id: id.parse().ok()?, seq: seq.parse().ok()?, revision: revision.parse().ok()? };
        parts.next().is_none().then_some(reference)
    }
}

/// Returns the first question of a server that a paused execution waits for. Approvals, calls in doubt and the interrupts of
/// other tools are left to a person with a credential.
pub(crate) fn question_of(paused: &Paused) -> Option<Question> {
    let call = paused.pending.iter().find(|call| elicitation(call).is_some())?;
    let payload = elicitation(call)?;
    let text = |key: &str| payload.get(key).and_then(Value::as_str);
    let mode = match (text("url"), payload.get("requestedSchema")) {
        (Some(url), _) => QuestionMode::Url(url.to_owned()),
        (None, Some(schema)) => QuestionMode::Form(schema.clone()),
        (None, None) => return None,
    };
    let problem = text("problem").map(|problem| format!(" ({problem})")).unwrap_or_default();
    let message = format!("{} asks: {}{problem}", text("server").unwrap_or_default(), text("message")?);
    let reference = format!("{} {} {}", paused.execution_id, call.seq, paused.revision);
    Some(Question { reference, message, mode })
}

/// Tells whether the call of a reference waits for a question that was passed on.
pub(crate) fn asks(paused: &Paused, seq: CallSeq) -> bool {
    paused.pending.iter().any(|call| call.seq == seq && elicitation(call).is_some())
}

fn elicitation(call: &PendingCall) -> Option<&Value> {
    let payload = call.payload.as_ref().filter(|_| call.kind == PendingKind::Interrupt)?;
    (payload.get("type").and_then(Value::as_str) == Some("elicitation")).then_some(payload)
}

#[cfg(test)]
mod tests {
    use isobox::json;

    use super::*;

    fn paused(pending: &Value) -> Paused {
        let id = ExecutionId::new(1, 2);
        let paused = json!({ "executionId": id, "revision": 3, "pending": pending, "logs": [], "calls": [] });
        serde_json::from_value(paused).expect("a paused execution")
    }

    fn call(seq: &str, kind: &str, payload: Value) -> Value {
        json!({ "seq": seq, "path": "a.b", "input": {}, "kind": kind, "payload": payload })
    }

    #[test]
    fn only_questions_of_servers_are_passed_on() {
        let form = json!({ "type": "elicitation", "server": "maps", "message": "Where?", "requestedSchema": {} });
        let pending = json!([
            call("0", "approval", json!(null)),
            call("1", "interrupt", json!({ "type": "login", "url": "https://a.example" })),
            call("2", "in-doubt", form.clone()),
            call("3", "interrupt", form),
        ]);
        let paused = paused(&pending);
        let question = question_of(&paused).expect("the last one");
        assert_eq!((question.message.as_str(), &question.mode), ("maps asks: Where?", &QuestionMode::Form(json!({}))));
        let reference = Reference::read(&question.reference).expect("our own");
        let (id, seq) = (paused.execution_id.clone(), CallSeq::new(3));
        assert_eq!(reference, Reference { id, seq, revision: 3 });
        assert!(asks(&paused, seq) && !(0..3).any(|other| asks(&paused, CallSeq::new(other))));
        for other in ["", "exec_1", "a b c", &format!("{} 1", question.reference)] {
            assert_eq!(Reference::read(other), None, "{other}");
        }
    }
}
