//! What a tool asks and is answered: the answers reach the tool, and are shown nowhere.

use isobox::journal::Verdict;
use isobox::policy::{Action, Policy, Rule};
use isobox::store::memory_store;
use isobox::{CallSeq, Decisions, Isobox, Outcome, Resume, Resumed, Run, Tool, ToolCall, ToolError, Value, json};

/// Asks twice, and keeps the first answer in the payload of the second question.
async fn asks_twice(call: ToolCall) -> Result<Value, ToolError> {
    match (call.interrupt, call.resolution) {
        (None, _) => Err(ToolError::interrupt(json!({ "message": "first?", "pin": "0000" }))),
        (Some(first), Some(answer)) if first["message"] == "first?" => {
            Err(ToolError::interrupt(json!({ "message": "second?", "continuation": { "answers": [answer] } })))
        }
        (Some(second), Some(answer)) => Ok(json!([second["continuation"]["answers"][0], answer])),
        (Some(_), None) => Err(ToolError::new("unexpected")),
    }
}

#[tokio::test]
async fn answers_to_questions_of_a_tool_are_shown_nowhere_and_reach_the_tool() {
    let tool = Tool::with_call("bank.pay", asks_twice).expect("a path");
    let redacts = Policy::new(vec![Rule::new(
        vec!["bank.*".parse().expect("a pattern")],
        Action::Redact(vec!["/pin".to_owned()]),
    )]);
    let isobox = Isobox::builder().tool(tool).policy(redacts).store(memory_store()).build().expect("a runtime");
    let Outcome::Paused(first) = isobox.run(Run::from("return await tools.bank.pay({})").durable()).await else {
        panic!("it asks")
    };
    assert_eq!(first.pending[0].payload, Some(json!({ "message": "first?", "pin": "[redacted]" })));
    let id = first.execution_id;
    let answer = |answer: Value| Decisions::new("ada", [(CallSeq::new(0), Verdict::Answer(answer))]);
    isobox.decide(&id, answer(json!({ "secret": "hunter2" }))).await.expect("it waits for that");
    let Resumed::Here(second) = isobox.resume(&id, Resume::default()).await.expect("it is kept") else {
        panic!("here")
    };
    let Outcome::Paused(second) = *second else { panic!("it asks again") };
    assert_eq!(second.pending[0].payload, Some(json!({ "message": "second?", "continuation": "[hidden]" })));
    assert!(!format!("{second:?}").contains("hunter2"));
    isobox.decide(&id, answer(json!(2))).await.expect("it waits for that");
    let Resumed::Here(outcome) = isobox.resume(&id, Resume::default()).await.expect("it is kept") else {
        panic!("here")
    };
    assert_eq!(outcome.into_result().expect("it completes"), json!([{ "secret": "hunter2" }, 2]));
}
