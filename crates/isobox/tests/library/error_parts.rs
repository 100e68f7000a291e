//! The parts of an uncaught error beside its name and message: its cause, the errors of an `AggregateError`, its properties.

use std::num::NonZeroU32;

use isobox::policy::{Action, Policy, Rule};
use isobox::store::memory_store;
use isobox::text::{AnswerOptions, answer_text};
use isobox::transcript::Secrets;
use isobox::{Code, Isobox, Outcome, Run, Tool, Value, json};

async fn run(source: &str) -> Outcome {
    let isobox = Isobox::builder().max_live(NonZeroU32::MIN).build().expect("the runtime starts");
    isobox.run(source).await
}

/// Returns the details of the failure without the stack of the error itself.
async fn details(source: &str) -> Value {
    let Outcome::Failed(failed) = run(source).await else { panic!("it fails: {source}") };
    assert_eq!(failed.error.code, Code::Thrown, "{source}");
    let mut details = failed.error.details;
    details.remove("stack");
    Value::Object(details)
}

#[tokio::test]
async fn an_uncaught_error_has_its_cause_its_errors_and_its_properties() {
    let source = "const low = new RangeError('low', { cause: 'sensor' });
const high = Object.assign(new Error('high', { cause: low }), { status: 502, response: { body: ['x'] } });
throw high;";
    let cause = json!({
        "name": "RangeError",
        "message": "low",
        "line": 1,
        "column": 17,
        "stack": "at <anonymous> (main.ts:1:17)",
        "cause": { "message": "sensor" },
    });
    assert_eq!(
        details(source).await,
        json!({ "cause": cause, "properties": { "status": 502, "response": { "body": ["x"] } } })
    );
    let source =
        "await Promise.any([1, 2].map(async (id) => { throw Object.assign(new TypeError('no ' + id), { id }) }))";
    let found = details(source).await;
    let error =
        |index: usize| (found["errors"][index]["message"].clone(), found["errors"][index]["properties"].clone());
    assert_eq!(error(0), (json!("no 1"), json!({ "id": 1 })));
    assert_eq!(error(1), (json!("no 2"), json!({ "id": 2 })));
    assert_eq!(found["errors"][1]["line"], 1);
    assert_eq!(details("throw new Error('plain')").await, json!({}));
}

#[tokio::test]
async fn reading_the_parts_of_an_error_runs_no_code_and_is_bounded() {
    for (source, expected) in [
        ("throw Object.defineProperty(new Error('a'), 'b', { enumerable: true, get() { for (;;); } })", json!({})),
        (
            "throw new Error('a', { cause: new Proxy({}, { get() { for (;;); }, ownKeys() { for (;;); } }) })",
            json!({ "cause": { "message": "a Proxy" } }),
        ),
        ("const error = new Error('a'); error.cause = error.same = error; throw error", json!({})),
        (
            "throw Object.assign(new Error('a'), { text: 'x'.repeat(10_000_000), status: 1 })",
            json!({ "properties": { "text": "[a text of 10000000 characters]", "status": 1 } }),
        ),
    ] {
        assert_eq!(details(source).await, expected, "{source}");
    }
    let many =
        "const error = new Error('a'); for (let n = 0; n < 50_000; n++) error['p' + n] = 'x'.repeat(200); throw error";
    let size = details(many).await.to_string().len();
    assert!((1_000..40_000).contains(&size), "{size}");
}

#[tokio::test]
async fn the_answer_for_a_model_names_the_cause_and_the_properties() {
    let source = "const cause = new TypeError('no\\nid');\nthrow Object.assign(new Error('import failed', { cause }), { row: 7 })";
    let answer = answer_text(&run(source).await, &AnswerOptions::default());
    assert_eq!(
        answer,
        "THROWN: Error: import failed (line 2, column 7)\nproperties: {\"row\":7}\n\
         cause: TypeError: no\\nid (line 1, column 19)"
    );
}

#[tokio::test]
async fn what_the_policy_redacts_is_not_in_the_parts_of_an_error_in_a_transcript() {
    let tool = Tool::new("cards.read", |_| async { Ok(json!({ "number": "4111-2222-3333" })) }).expect("a path");
    let rule = Rule::new(vec!["*".parse().expect("a pattern")], Action::Redact(vec!["/number".to_owned()]));
    let isobox = Isobox::builder()
        .max_live(NonZeroU32::MIN)
        .tool(tool)
        .policy(Policy::new(vec![rule]))
        .store(memory_store())
        .build()
        .expect("the runtime starts");
    let source = "const { number } = await tools.cards.read({});
        throw Object.assign(new Error('a', { cause: new Error(number) }), { number, list: ['card ' + number] })";
    let outcome = isobox.run(Run::from(source).durable()).await;
    let transcript = isobox.export(outcome.execution_id(), Secrets::Hidden).await.expect("it is exported");
    let text = transcript.to_json().expect("it is JSON");
    assert!(text.contains("properties") && text.contains("cause"), "{text}");
    assert!(!text.contains("4111-2222-3333"), "{text}");
}
