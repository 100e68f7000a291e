//! Validation of values against schemas, and defaults.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use isobox::connector::{Connector, ConnectorSettings, Offer, OfferedTool};
use isobox::events::{Event, EventKind, Observer};
use isobox::policy::{Action, Condition, Policy, Rule};
use isobox::policy::{Approval, ApprovalRequest, Approver};
use isobox::tools::{Catalogue, Defaults, ToolSettings, Validation};
use isobox::{Builder, Failure, Isobox, Tool, ToolCall, ToolError, Value, connector, json};

fn fill() -> Validation {
    Validation::default().defaults(Defaults::Fill)
}

fn builder() -> Builder {
    Isobox::builder().max_live(NonZeroU32::MIN)
}

/// Returns its input.
fn echo(schema: Value) -> Tool {
    let echo = Tool::new("echo", |input| async move { Ok(input) });
    echo.and_then(|tool| tool.input_schema(schema)).expect("a tool")
}

async fn run(builder: Builder, program: &str) -> Result<Value, Failure> {
    builder.build().expect("the runtime starts").run(program).await.into_result()
}

#[tokio::test]
async fn a_tool_says_for_itself_whether_its_defaults_are_filled_in() {
    let schema = json!({ "properties": { "a": { "default": 1 } } });
    for (tool, runtime, expected) in [
        (None, Defaults::Ignore, json!({})),
        (None, Defaults::Fill, json!({ "a": 1 })),
        (Some(Defaults::Fill), Defaults::Ignore, json!({ "a": 1 })),
        (Some(Defaults::Ignore), Defaults::Fill, json!({})),
    ] {
        let echo = echo(schema.clone());
        let echo = if let Some(defaults) = tool { echo.defaults(defaults) } else { echo };
        let builder = builder().tool(echo).validation(Validation::default().defaults(runtime));
        assert_eq!(
            run(builder, "return tools.echo({})").await.expect("it completes"),
            expected,
            "{tool:?} {runtime:?}"
        );
    }
}

#[tokio::test]
async fn a_default_never_breaks_an_input_that_fits() {
    let schema = json!({ "properties": { "a": { "default": 1 }, "b": {} }, "not": { "required": ["a", "b"] } });
    let builder = builder().tool(echo(schema)).validation(fill());
    let program = "return [await tools.echo({ b: 1 }), await tools.echo({})]";
    assert_eq!(run(builder, program).await.expect("it completes"), json!([{ "b": 1 }, { "a": 1 }]));
}

#[tokio::test]
async fn rules_and_people_decide_about_what_the_tool_gets() {
    #[derive(Clone, Default)]
    struct Asked(Arc<Mutex<Vec<Value>>>);
    impl Approver for Asked {
        fn decide(&self, request: ApprovalRequest) -> BoxFuture<'static, Approval> {
            self.0.lock().expect("no thread panicked").push(request.input);
            Box::pin(async { Approval::Approved })
        }
    }
    let schema = json!({ "properties": { "amount": { "default": 1000 } } });
    let all = || vec!["*".parse().expect("a pattern")];
    let condition = Condition::new(json!({ "properties": { "amount": { "maximum": 10 } } })).expect("a condition");
    let small = Rule::new(all(), Action::Allow).condition(condition);
    let other = Rule::new(all(), Action::RequireApproval { except_read_only: false });
    let asked = Asked::default();
    let builder =
        builder().tool(echo(schema)).validation(fill()).policy(Policy::new(vec![small, other])).approver(asked.clone());
    let program = "return [await tools.echo({ amount: 1 }), await tools.echo({})]";
    assert_eq!(run(builder, program).await.expect("it completes"), json!([{ "amount": 1 }, { "amount": 1000 }]));
    assert_eq!(*asked.0.lock().expect("no thread panicked"), [json!({ "amount": 1000 })]);
}

/// A connector whose tools return their input.
struct Fake;

impl Connector for Fake {
    fn name(&self) -> &str {
        "fake"
    }

    fn offer(&self) -> BoxFuture<'_, Result<Offer, connector::Error>> {
        Box::pin(async { Err(connector::Error::new(connector::ErrorKind::Internal, "it is not asked")) })
    }

    fn call<'a>(&'a self, _tool: &'a str, call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(async move { Ok(call.input) })
    }
}

#[tokio::test]
async fn tools_of_a_connector_are_filled_in_by_what_is_said_about_them() {
    let offered = |name: &str, schema: Value| OfferedTool::new(name.to_owned()).input_schema(schema);
    let schema = json!({ "properties": { "a": { "default": 1 } } });
    let mut catalogue = Catalogue::builder();
    let fill = ToolSettings::default().defaults(Defaults::Fill);
    catalogue.settings("fake.asked", fill.clone());
    catalogue.settings("fake.broken", fill);
    // An invalid schema has no defaults either.
    let broken = json!({ "properties": { "a": { "default": 1 } }, "type": 7 });
    let tools = vec![offered("asked", schema.clone()), offered("plain", schema), offered("broken", broken)];
    let connector: Arc<dyn Connector> = Arc::new(Fake);
    catalogue.connector(&connector, Offer::default().tools(tools), &ConnectorSettings::default());
    let program = "const { asked, plain, broken } = tools.fake; return [await asked(), await plain(), await broken()]";
    let result = run(builder().catalogue(catalogue.build()), program).await;
    assert_eq!(result.expect("it completes"), json!([{ "a": 1 }, {}, {}]));
}

#[tokio::test]
async fn what_is_too_large_to_be_checked_is_refused_as_an_input_and_reported_as_an_output() {
    #[derive(Clone, Default)]
    struct Told(Arc<Mutex<Vec<String>>>);
    impl Observer for Told {
        fn observe(&self, event: &Event) {
            if let EventKind::OutputMismatched { failure, .. } = &event.kind {
                self.0.lock().expect("no thread panicked").push(failure.message.clone());
            }
        }
    }
    // Both branches are tried at every level of a value.
    let branch = |key: &str| json!({ "properties": { "a": { "$ref": "#/$defs/t" } }, "required": [key] });
    let schema = json!({ "$defs": { "t": { "anyOf": [branch("x"), branch("y")] } }, "$ref": "#/$defs/t" });
    let takes = OfferedTool::new("takes").input_schema(schema.clone());
    let gives = OfferedTool::new("gives").output_schema(schema.clone());
    let mut catalogue = Catalogue::builder();
    let connector: Arc<dyn Connector> = Arc::new(Fake);
    catalogue.tool(echo(schema)).expect("it is free");
    let offer = Offer::default().tools(vec![takes, gives]);
    catalogue.connector(&connector, offer, &ConnectorSettings::default());
    let told = Told::default();
    let builder = builder().catalogue(catalogue.build()).observer(told.clone());
    let program = "let deep = { z: 1 };
                   for (let level = 0; level < 80; level += 1) deep = { a: deep };
                   const message = (error) => [error.code, error.message];
                   return [await tools.fake.takes(deep).catch(message), await tools.echo(deep).catch(message),
                           'a' in await tools.fake.gives(deep)]";
    let refused = |tool: &str| {
        let message = format!("invalid input for tool `{tool}`: it is too large to be checked against the schema");
        json!(["INVALID_INPUT", message])
    };
    let result = run(builder, program).await.expect("it completes");
    assert_eq!(result, json!([refused("fake.takes"), refused("echo"), true]));
    let warning = "the output of tool `fake.gives` is too large to be checked against its schema";
    assert_eq!(*told.0.lock().expect("no thread panicked"), [warning]);
}
