//! A general call that amounts to an operation is shown without what rules about that operation redact.

use std::sync::{Arc, Mutex};

use isobox::calls::CallDetails;
use isobox::connector::{Connector, ConnectorSettings, Offer, OfferedTool};
use isobox::events::{Contents, Event, Observer};
use isobox::journal::Verdict;
use isobox::policy::{Action, Approval, ApprovalRequest, Approver, Policy, Rule};
use isobox::store::memory_store;
use isobox::transcript::Secrets;
use isobox::{
    BoxFuture, Builder, Decisions, Isobox, Outcome, Resume, Run, ToolCall, ToolError, Value, connector, json,
};

const CARD: &str = "4111-1111-1111";
const TOKEN: &str = "t0ken-of-the-payment";

/// A shop whose `request` is a call of `pay`, as an OpenAPI service has it: the card is in the body, the user in the path.
#[derive(Default)]
struct Shop {
    received: Mutex<Vec<Value>>,
}

impl Connector for Shop {
    fn name(&self) -> &str {
        "shop"
    }

    fn offer(&self) -> BoxFuture<'_, Result<Offer, connector::Error>> {
        let tools = vec![OfferedTool::new("pay"), OfferedTool::new("request").is_general(true)];
        Box::pin(async { Ok(Offer::default().tools(tools)) })
    }

    fn equivalents(&self, tool: &str, input: &Value) -> Vec<(String, Value)> {
        let user = input["path"].as_str().and_then(|path| path.strip_prefix("/users/")).unwrap_or_default();
        let input = json!({ "user": user, "body": input["body"] });
        if tool == "request" { vec![("pay".to_owned(), input)] } else { Vec::new() }
    }

    fn call<'a>(&'a self, _: &'a str, call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
        self.received.lock().expect("no thread panicked").push(call.input.clone());
        let answer = match call.input["body"]["fails"].as_bool() {
            Some(true) => Err(ToolError::new("declined").detail("body", json!({ "token": TOKEN }))),
            _ => Ok(json!({ "status": 200, "body": { "token": TOKEN, "paid": true } })),
        };
        Box::pin(async { answer })
    }
}

fn rules() -> Vec<Rule> {
    let pay = || vec!["shop.pay".parse().expect("a pattern")];
    let hidden = ["/body/card", "/user", "/token"].map(str::to_owned).to_vec();
    vec![
        Rule::new(pay(), Action::RequireApproval { except_read_only: false }),
        Rule::new(pay(), Action::Redact(hidden)),
    ]
}

async fn built(builder: Builder, shop: &Arc<Shop>) -> Isobox {
    let shop = Arc::clone(shop) as Arc<dyn Connector>;
    let builder = builder.connector(shop, ConnectorSettings::default()).policy(Policy::new(rules()));
    let connected = builder.build_connected().expect("the runtime is well defined");
    connected.ready().await.expect("it is ready").isobox
}

fn assert_hidden(what: &str, shown: &str) {
    for secret in [CARD, "/users/ada", TOKEN] {
        assert!(!shown.contains(secret), "{what} has `{secret}`: {shown}");
    }
}

/// Keeps the events as texts.
struct Watcher(Arc<Mutex<Vec<String>>>);

impl Observer for Watcher {
    fn observe(&self, event: &Event) {
        self.0.lock().expect("no thread panicked").push(format!("{event:?}"));
    }
}

const PROGRAM: &str = "await tools.shop.request({ method: 'POST', path: '/users/ada', body: { card: ['4111', 1111, 1111].join('-'), to: 'bo' } });
return 'done';";

#[tokio::test]
async fn nothing_that_people_see_of_a_general_call_has_what_rules_redact_of_its_operation() {
    let (shop, events) = (Arc::new(Shop::default()), Arc::new(Mutex::new(Vec::new())));
    let watcher = Watcher(Arc::clone(&events));
    let builder = Isobox::builder().store(memory_store()).observer(watcher).contents(Contents::Values);
    let isobox = built(builder, &shop).await;
    let run = Run::from(PROGRAM).durable().details(CallDetails::default().inputs(true).outputs(true));
    let Outcome::Paused(paused) = isobox.run(run).await else { panic!("it waits for approval") };
    let expected = json!({ "method": "POST", "path": "[redacted]", "body": { "card": "[redacted]", "to": "bo" } });
    assert_eq!(paused.pending[0].input, expected, "the person sees what is not redacted");
    assert_hidden("the outcome", &format!("{paused:?}"));
    let approve = Decisions::about_all("ada", paused.revision, Verdict::Approve);
    isobox.decide(&paused.execution_id, approve).await.expect("it waits");
    let resumed = isobox.resume(&paused.execution_id, Resume::default()).await.expect("it goes on");
    let outcome = resumed.into_outcome().expect("it runs here");
    assert_eq!(outcome.calls()[0].input, Some(expected));
    let output = json!({ "status": 200, "body": { "token": "[redacted]", "paid": true } });
    assert_eq!(outcome.calls()[0].output, Some(output));
    assert_eq!(shop.received.lock().expect("no thread panicked")[0]["body"]["card"], json!(CARD), "the tool gets it");
    let events = events.lock().expect("no thread panicked").join("\n");
    assert!(events.contains("[redacted]"), "values are observed: {events}");
    assert_hidden("an event", &events);
    let transcript = isobox.export(&paused.execution_id, Secrets::Hidden).await.expect("it is exported");
    assert_hidden("the transcript", &transcript.to_json().expect("JSON"));
}

/// Keeps what it is asked about, and approves it.
struct Person(Arc<Mutex<Vec<Value>>>);

impl Approver for Person {
    fn name(&self) -> &str {
        "person"
    }

    fn decide(&self, request: ApprovalRequest) -> BoxFuture<'static, Approval> {
        self.0.lock().expect("no thread panicked").push(request.input);
        Box::pin(async { Approval::Approved })
    }
}

#[tokio::test]
async fn the_approver_of_the_host_and_the_program_that_fails_see_as_little() {
    let (shop, asked) = (Arc::new(Shop::default()), Arc::new(Mutex::new(Vec::new())));
    let isobox = built(Isobox::builder().approver(Person(Arc::clone(&asked))), &shop).await;
    let program = PROGRAM.replace("to: 'bo'", "fails: true");
    let Outcome::Failed(failed) = isobox.run(program.as_str()).await else { panic!("the shop declines") };
    assert_eq!(failed.error.details["body"], json!({ "token": "[redacted]" }));
    let asked = asked.lock().expect("no thread panicked");
    assert_hidden("the approver", &asked[0].to_string());
    assert_eq!(asked[0]["body"]["fails"], json!(true));
}
