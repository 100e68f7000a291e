//! Answers to a model: reshaped by the host, summarised, and bounded.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};

use isobox::calls::CallDetails;
use isobox::events::{Event, EventKind, Label, Observer};
use isobox::policy::{Action, Policy, Rule};
use isobox::text::{AnswerOptions, CallSummary, answer_text};
use isobox::{Builder, ByteSize, Isobox, Limits, Outcome, Run, Tool, ToolError, Value, demo, json};

fn builder() -> Builder {
    let echo = Tool::new("demo.echo", |input| async move { Ok(input) });
    let fail = Tool::new("demo.fail", |_| async { Err(ToolError::new("no such row")) });
    let redact = Rule::new(vec!["*".parse().expect("a pattern")], Action::Redact(vec!["/password".to_owned()]));
    Isobox::builder()
        .max_live(NonZeroU32::MIN)
        .tools([echo.expect("a path"), fail.expect("a path")])
        .policy(Policy::new(vec![redact]))
}

fn result_of(outcome: &Outcome) -> &Value {
    let Outcome::Completed(completed) = outcome else { panic!("it completes: {outcome:?}") };
    &completed.result
}

/// Records why results could not be reshaped, and for which label.
#[derive(Clone, Default)]
struct Complaints(Arc<Mutex<Vec<String>>>);

impl Observer for Complaints {
    fn observe(&self, event: &Event) {
        if let EventKind::ReshapeFailed { message, .. } = &event.kind {
            let line = format!("{:?}: {message}", event.label.function);
            self.0.lock().expect("no thread panicked").push(line);
        }
    }
}

fn label() -> Label {
    Label::default().function("report".to_owned())
}

#[tokio::test]
async fn the_host_reshapes_what_a_model_gets_and_the_outcome_stays_whole() {
    let isobox = builder()
        .reshape(|completed, label| {
            Ok(json!({ "rows": completed.result.as_array().map(Vec::len), "for": label.function }))
        })
        .build()
        .expect("the runtime starts");
    let outcome = isobox.run("return [1, 2, 3]").await;
    let shown = isobox.for_model(&outcome, &label());
    assert_eq!(answer_text(&shown, &AnswerOptions::default()), r#"{"rows":3,"for":"report"}"#);
    assert_eq!(shown.execution_id(), outcome.execution_id());
    assert_eq!(result_of(&outcome), &json!([1, 2, 3]));
}

#[tokio::test]
async fn a_reshaping_function_that_fails_or_panics_hurts_nothing_and_the_observer_is_told() {
    let complaints = Complaints::default();
    let isobox = builder()
        .observer(complaints.clone())
        .reshape(|completed, _| match completed.result.as_str() {
            Some("panic") => panic!("the function is broken"),
            Some("nest") => Ok((0..1000).fold(json!(1), |inner, _| Value::Array(vec![inner]))),
            _ => Err("no such shape".into()),
        })
        .build()
        .expect("the runtime starts");
    for result in ["panic", "nest", "fail"] {
        let outcome = isobox.run(format!("return '{result}'")).await;
        assert_eq!(result_of(&isobox.for_model(&outcome, &label())), result);
    }
    let told = complaints.0.lock().expect("no thread panicked").clone();
    assert_eq!(
        told,
        [
            "Some(\"report\"): it panicked: the function is broken",
            "Some(\"report\"): the reshaped result is nested deeper than 100 levels",
            "Some(\"report\"): no such shape",
        ]
    );
}

#[tokio::test]
async fn a_failed_outcome_is_not_reshaped() {
    let isobox = builder().reshape(|_, _| Ok(json!("reshaped"))).build().expect("the runtime starts");
    let outcome = isobox.run("throw new Error('no')").await;
    assert_eq!(*isobox.for_model(&outcome, &label()), outcome);
}

const PROGRAM: &str = "await tools.demo.echo({ a: 1, password: 'hunter2' });
    await tools.demo.fail({}).catch(() => {});
    return 'done'";

#[tokio::test]
async fn records_of_calls_have_details_where_they_are_asked_for_and_never_what_is_redacted() {
    let isobox = builder().build().expect("the runtime starts");
    let plain = isobox.run(PROGRAM).await;
    assert!(plain.calls().iter().all(|call| (&call.input, &call.output, &call.error) == (&None, &None, &None)));
    let details = CallDetails::default().inputs(true);
    let inputs = isobox.run(Run::from(PROGRAM).details(details)).await;
    assert_eq!(inputs.calls()[0].input, Some(json!({ "a": 1, "password": "[redacted]" })));
    assert!(inputs.calls().iter().all(|call| call.output.is_none() && call.error.is_none()));
    let details = CallDetails::default().outputs(true);
    let outputs = isobox.run(Run::from(PROGRAM).details(details)).await;
    assert_eq!(outputs.calls()[0].output, Some(json!({ "a": 1, "password": "[redacted]" })));
    assert_eq!(outputs.calls()[1].error.as_ref().map(|error| error.message.as_str()), Some("no such row"));
    assert!(outputs.calls().iter().all(|call| call.input.is_none()));
}

#[tokio::test]
async fn details_that_do_not_fit_any_more_are_left_out() {
    let limits = Limits::default().input(ByteSize::bytes(100)).output(ByteSize::bytes(100));
    let isobox = builder().limits(limits).build().expect("the runtime starts");
    let program = "for (const size of [80, 80, 80, 10]) await tools.demo.echo('x'.repeat(size))";
    let details = CallDetails::default().inputs(true);
    let outcome = isobox.run(Run::from(program).details(details)).await;
    let kept: Vec<bool> = outcome.calls().iter().map(|call| call.input.is_some()).collect();
    assert_eq!(kept, [true, true, false, true]);
}

#[tokio::test]
async fn an_answer_may_have_a_summary_of_the_calls_between_the_result_and_the_log() {
    let details = CallDetails::default().inputs(true).outputs(true);
    let isobox = builder().build().expect("the runtime starts");
    let program = format!("console.log('hi'); {PROGRAM}");
    let outcome = isobox.run(Run::from(program).details(details)).await;
    let calls = Some(CallSummary::default().details(details));
    let text = answer_text(&outcome, &AnswerOptions::default().calls(calls));
    assert_eq!(
        text,
        r#""done"

calls:
demo.echo: applied
  input: {"a":1,"password":"[redacted]"}
  output: {"a":1,"password":"[redacted]"}
demo.fail: failed
  input: {}
  error: "TOOL: no such row"

log:
| hi"#
    );
    let calls = Some(CallSummary::default().entries(1));
    let text = answer_text(&outcome, &AnswerOptions::default().calls(calls).log_lines(0));
    assert_eq!(text, "\"done\"\n\ncalls:\ndemo.echo: applied\n… 1 more call\n\nlog:\n… 1 more line");
}

#[tokio::test]
async fn what_a_model_reads_of_its_mistakes() {
    let rule = |tools: &str, action| Rule::new(vec![tools.parse().expect("a pattern")], action);
    let policy = Policy::new(vec![
        rule("demo.text", Action::Deny(Some("no texts today".to_owned()))),
        rule("cities.*", Action::RequireApproval { except_read_only: false }),
        rule("demo.wait", Action::Rate(1)),
    ]);
    let tools = demo::tools().expect("the tools are well defined");
    let isobox = Isobox::builder().max_live(NonZeroU32::MIN).tools(tools).policy(policy).build();
    let isobox = isobox.expect("the runtime starts");
    let mut text = String::new();
    for program in [
        "await tools.wether.curent({})",
        "await tools.codemode.describe('mail')",
        "await tools.weather.current({ citty: 'Oslo' })",
        "await tools.mail.send({ to: 1, sbject: 'x', body: 2 })",
        "await tools.weather.current('Oslo', 2)",
        "await tools.weather.current({ city: 'Paris' })",
        "await tools.demo.broken()",
        "await tools.demo.text({ letters: 5_000_000 })",
        "await tools.cities.list()",
        "await tools.demo.wait({ ms: 0 }); await tools.demo.wait({ ms: 0 })",
        "tools.demo.wait({ ms: 1 })",
        "return fetch('https://example.com')",
        "const rows = [1, 2;",
        "return () => 1",
        "await new Promise(() => {})",
    ] {
        let outcome = isobox.run(program).await;
        let answer = answer_text(&outcome, &AnswerOptions::default());
        text.push_str(&format!("> {program}\n{answer}\n\n"));
    }
    insta::assert_snapshot!(text);
}
