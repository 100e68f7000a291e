//! The details of a tool's error: what the program, the outcome, the observer and a model get of them.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};

use isobox::calls::CallDetails;
use isobox::events::{Contents, Event, EventKind, Observer};
use isobox::policy::{Action, Policy, Rule};
use isobox::text::{AnswerOptions, answer_json};
use isobox::{Builder, Isobox, Outcome, Run, Tool, ToolError, Value, json};

/// Records the details of failed calls.
#[derive(Clone, Default)]
struct Failures(Arc<Mutex<Vec<Value>>>);

impl Observer for Failures {
    fn observe(&self, event: &Event) {
        if let EventKind::CallSettled { result: Err(error), .. } = &event.kind {
            self.0.lock().expect("no thread panicked").push(Value::Object(error.failure.details.clone()));
        }
    }
}

fn builder(body: Value) -> Builder {
    let tool = Tool::new("shop.buy", move |_| {
        let body = body.clone();
        async move { Err(ToolError::new("no").detail("status", 402).detail("body", body)) }
    });
    let redact = Rule::new(vec!["*".parse().expect("a pattern")], Action::Redact(vec!["/card".to_owned()]));
    Isobox::builder().max_live(NonZeroU32::MIN).tool(tool.expect("a path")).policy(Policy::new(vec![redact]))
}

#[tokio::test]
async fn an_uncaught_error_has_its_details_in_the_outcome_without_what_the_policy_redacts() {
    let body = json!({ "card": "4111", "why": "declined" });
    for (contents, expected) in [
        (Contents::Nothing, json!({ "status": 402 })),
        (Contents::Values, json!({ "status": 402, "body": { "card": "[redacted]", "why": "declined" } })),
    ] {
        let failures = Failures::default();
        let isobox = builder(body.clone()).observer(failures.clone()).contents(contents).build().expect("it starts");
        let run = Run::from("return await tools.shop.buy()").details(CallDetails::default().outputs(true));
        let outcome = isobox.run(run).await;
        let Outcome::Failed(failed) = &outcome else { panic!("it fails: {outcome:?}") };
        let details = &failed.error.details;
        assert_eq!(details["status"], 402);
        assert_eq!(details["body"], json!({ "card": "[redacted]", "why": "declined" }));
        assert_eq!(details["tool"], "shop.buy");
        let record = outcome.calls()[0].error.as_ref().expect("an error");
        assert_eq!(Value::Object(record.details.clone()), json!({ "status": 402 }));
        assert_eq!(*failures.0.lock().expect("no thread panicked"), [expected]);
    }
}

#[tokio::test]
async fn a_model_gets_the_outline_of_large_details() {
    let isobox = builder(json!({ "why": "x".repeat(9_000) })).build().expect("it starts");
    let outcome = isobox.run("return await tools.shop.buy()").await;
    let answer = answer_json(&outcome, &AnswerOptions::default());
    let size = answer.to_string().len();
    assert!(size < 3_000 && answer["truncated"] == true, "{size}: {answer}");
    assert_eq!(answer["error"]["details"]["status"], 402);
}
