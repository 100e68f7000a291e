//! Typed tools, called by programs.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use futures_util::stream;
use isobox::events::{Contents, EventKind};
use isobox::policy::{Action, Policy, Rule};
use isobox::{Builder, Checks, Code, Failure, Isobox, Tool, ToolCall, Value, json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Adds numbers up.
#[derive(Deserialize, JsonSchema)]
struct Sum {
    numbers: Vec<i64>,
    unit: Option<Unit>,
}

#[derive(Deserialize, Serialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Metre,
    Mile,
}

#[derive(Serialize, JsonSchema)]
struct Total {
    total: i64,
    unit: Option<Unit>,
}

/// A number that its schema does not fully describe.
#[derive(JsonSchema)]
#[schemars(transparent)]
struct Even(u32);

impl<'de> Deserialize<'de> for Even {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::deserialize(deserializer)? {
            number if number % 2 == 0 => Ok(Self(number)),
            number => Err(serde::de::Error::custom(format_args!("{number} is odd"))),
        }
    }
}

#[derive(Deserialize, JsonSchema)]
struct Halve {
    number: Even,
}

fn builder() -> Builder {
    // Calls are to be refused when they are made.
    Isobox::builder().max_live(NonZeroU32::MIN).checks(Checks::Off)
}

async fn run(builder: Builder, program: &str) -> Result<Value, Failure> {
    builder.build().expect("the runtime starts").run(program).await.into_result()
}

fn halve(calls: &Arc<AtomicU32>) -> Tool {
    let calls = Arc::clone(calls);
    let halve = Tool::typed("halve", move |halve: Halve| {
        calls.fetch_add(1, Ordering::Relaxed);
        async move { Ok(halve.number.0 / 2) }
    });
    halve.expect("a tool")
}

#[tokio::test]
async fn a_tool_gets_its_type_and_gives_another() {
    let sum =
        Tool::typed("sum", |sum: Sum| async move { Ok(Total { total: sum.numbers.iter().sum(), unit: sum.unit }) });
    let program = "return [await tools.sum({ numbers: [1, 2], unit: 'mile' }), await tools.sum({ numbers: [] })]";
    let value = run(builder().tool(sum.expect("a tool")), program).await.expect("it completes");
    assert_eq!(value, json!([{ "total": 3, "unit": "mile" }, { "total": 0, "unit": null }]));
}

#[tokio::test]
async fn an_input_of_another_type_is_refused_with_where_it_differs() {
    let sum = Tool::typed("sum", |_: Sum| async { Ok(()) }).expect("a tool");
    let failure = run(builder().tool(sum), "return tools.sum({ numbers: [1, 'two'] })").await.expect_err("no number");
    assert_eq!(failure.code, Code::InvalidInput);
    assert_eq!(failure.message, "invalid input for tool `sum`: at /numbers/1: \"two\" is not of type \"integer\"");
}

#[tokio::test]
async fn an_input_that_fits_its_schema_and_does_not_deserialise_fails_in_the_same_way() {
    let calls = Arc::default();
    let program = "return [await tools.halve({ number: 4 }), await tools.halve({ number: 3 })]";
    let failure = run(builder().tool(halve(&calls)), program).await.expect_err("3 is odd");
    assert_eq!(
        (failure.code, failure.message.as_str()),
        (Code::InvalidInput, "invalid input for tool `halve`: 3 is odd")
    );
    assert_eq!(calls.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn nobody_is_asked_about_an_input_that_does_not_deserialise() {
    let tool = halve(&Arc::default()).with_approval();
    let failure = run(builder().tool(tool), "return tools.halve({ number: 3 })").await.expect_err("3 is odd");
    assert_eq!(failure.code, Code::InvalidInput);
}

#[tokio::test]
async fn what_a_policy_redacts_is_not_quoted_in_the_error_of_a_type() {
    let rule = Rule::new(vec!["*".parse().expect("a pattern")], Action::Redact(vec!["/number".to_owned()]));
    let builder = builder().tool(halve(&Arc::default())).policy(Policy::new(vec![rule]));
    let failure = run(builder, "return tools.halve({ number: 31337 })").await.expect_err("it is odd");
    assert_eq!(failure.code, Code::InvalidInput);
    assert!(!failure.message.contains("31337"), "{}", failure.message);
}

#[tokio::test]
async fn a_tool_over_types_knows_its_call() {
    let key = Tool::typed_with_call("key", |call: ToolCall<Sum>| async move {
        Ok(BTreeMap::from([(call.context.key(), call.input.numbers.len())]))
    });
    let outcome = builder()
        .tool(key.expect("a tool"))
        .build()
        .expect("a runtime")
        .run("return tools.key({ numbers: [7] })")
        .await;
    let expected = json!({ format!("{}:0", outcome.execution_id()): 1 });
    assert_eq!(outcome.into_result().expect("it completes"), expected);
}

#[tokio::test]
async fn a_tool_over_nothing_is_called_without_an_argument() {
    let reset = Tool::typed("reset", |(): ()| async { Ok(()) }).expect("a tool");
    let program = "const nothing = await tools.reset();
        try { await tools.reset({ hard: true }) } catch (error) { return [nothing, error.code] }";
    assert_eq!(run(builder().tool(reset), program).await.expect("it completes"), json!([null, "INVALID_INPUT"]));
}

#[tokio::test]
async fn a_value_that_is_no_json_fails_the_call_without_telling_the_program_why() {
    let keys = Tool::typed("keys", |(): ()| async { Ok(BTreeMap::from([((1, 2), 3)])) });
    let failure = run(builder().tool(keys.expect("a tool")), "return tools.keys()").await.expect_err("no text as key");
    assert_eq!((failure.code, failure.message.as_str()), (Code::Tool, "the tool failed"));
}

#[tokio::test]
async fn the_last_of_typed_outputs_is_the_result_and_those_before_it_are_progress() {
    let total = |total| Ok(Total { total, unit: None });
    let tool = Tool::typed_streaming("count", move |call: ToolCall<Sum>| {
        stream::iter(call.input.numbers.into_iter().map(total))
    });
    let tool = tool.expect("a tool");
    let expected = json!("integer");
    assert_eq!(tool.output_schema_text().expect("a schema")["properties"]["total"]["type"], expected);
    let isobox = builder().contents(Contents::Values).tool(tool).build().expect("the runtime starts");
    let handle = isobox.start("return tools.count({ numbers: [1, 2, 3] })");
    let (mut events, mut progress) = (handle.events(), Vec::new());
    while let Some(event) = events.next().await {
        if let EventKind::CallProgressed { progress: told, .. } = event.kind {
            progress.push(told.value.expect("values are told")["total"].clone());
        }
    }
    assert_eq!(handle.await.into_result(), Ok(json!({ "total": 3, "unit": null })));
    assert_eq!(progress, [json!(1), json!(2)]);
}
