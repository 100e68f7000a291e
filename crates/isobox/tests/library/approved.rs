//! An approval is for what was shown: the definition of the tool, and the input that it gets.

use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use isobox::calls::CallDetails;
use isobox::connector::{Connector, ConnectorSettings, Offer, OfferedTool};
use isobox::journal::{Remember, Verdict};
use isobox::policy::{Action, Policy, Rule};
use isobox::policy::{Approval, ApprovalRequest, Approver};
use isobox::rollback::RevertCall;
use isobox::store::Store;
use isobox::store::memory_store;
use isobox::tools::{Catalogue, Defaults, ToolHints, ToolSettings, Validation};
use isobox::{Code, Decisions, Isobox, Outcome, Paused, Program, Run, ToolCall, ToolError, Value, connector, json};
use isobox::{Resume, Resumed};

/// Records the calls that reach it.
#[derive(Clone, Default)]
struct Server(Arc<Mutex<Vec<(String, Value)>>>);

impl Server {
    fn calls(&self) -> Vec<(String, Value)> {
        self.0.lock().expect("no thread panicked").clone()
    }
}

impl Connector for Server {
    fn name(&self) -> &str {
        "files"
    }

    fn offer(&self) -> BoxFuture<'_, Result<Offer, connector::Error>> {
        Box::pin(async { Ok(Offer::default()) })
    }

    fn call<'a>(&'a self, tool: &'a str, call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
        if tool == "login" && call.resolution.is_none() {
            return Box::pin(async { Err(ToolError::interrupt(json!("who are you?"))) });
        }
        self.0.lock().expect("no thread panicked").push((tool.to_owned(), call.input));
        Box::pin(async { Ok(json!("done")) })
    }
}

/// The parts of a runtime.
#[derive(Clone)]
struct World {
    tools: Vec<OfferedTool>,
    is_trusted: bool,
    settings: ToolSettings,
    validation: Validation,
    policy: Policy,
}

fn wipe() -> OfferedTool {
    let force = json!({ "properties": { "path": { "type": "string" }, "force": { "default": true } } });
    OfferedTool::new("wipe-all").input_schema(force)
}

impl World {
    fn of(tool: OfferedTool) -> Self {
        let needs_approval = Some(true);
        Self {
            tools: vec![tool],
            is_trusted: false,
            settings: ToolSettings::default().needs_approval(needs_approval),
            validation: Validation::default(),
            policy: Policy::default(),
        }
    }

    fn isobox(&self, server: &Server, store: &Arc<dyn Store>) -> Isobox {
        let mut builder = Catalogue::builder();
        builder.settings("files.wipe_all", self.settings.clone());
        let connector: Arc<dyn Connector> = Arc::new(server.clone());
        let offer = Offer::default().tools(self.tools.clone());
        let settings = ConnectorSettings::default().is_trusted(self.is_trusted);
        builder.connector(&connector, offer, &settings);
        let builder = Isobox::builder().catalogue(builder.build()).store(Arc::clone(store));
        builder.validation(self.validation).policy(self.policy.clone()).build().expect("a runtime")
    }
}

fn paused(outcome: Outcome) -> Paused {
    match outcome {
        Outcome::Paused(paused) => paused,
        other => panic!("it did not pause: {other:?}"),
    }
}

async fn resume(isobox: &Isobox, paused: &Paused, verdict: Verdict) -> Outcome {
    let decisions = Decisions::about_all("ada", paused.revision, verdict);
    isobox.decide(&paused.execution_id, decisions).await.expect("it is decided");
    match isobox.resume(&paused.execution_id, Resume::default()).await.expect("it goes on") {
        Resumed::Here(outcome) => *outcome,
        Resumed::Elsewhere => panic!("no other process runs it"),
    }
}

fn durable(source: &str) -> Run {
    Run::new(Program::single(source)).durable()
}

const WIPE: &str = "return await tools.files.wipe_all({ path: '/' })";

fn changed() -> Vec<(&'static str, World)> {
    let hints = |hints: ToolHints| World::of(wipe().hints(hints));
    let nothing = ToolHints::default();
    let mut other = wipe();
    other.name = "wipe_all".to_owned();
    let mut taken_over = World::of(wipe());
    taken_over.tools.push(other);
    let mut trusted = World::of(wipe());
    trusted.is_trusted = true;
    let mut reverted = World::of(wipe());
    reverted.settings = reverted.settings.revert(RevertCall::new("files.restore", json!("$input")));
    let schema = json!({ "properties": { "path": { "type": "string" }, "force": { "default": false } } });
    vec![
        ("the title", World::of(wipe().title("Wipe it"))),
        ("the description", World::of(wipe().description("Wipes."))),
        ("what it destroys", hints(nothing.destructive(true))),
        ("that it says so", hints(nothing.destructive(false))),
        ("what it changes", hints(nothing.read_only(true))),
        ("what twice is", hints(nothing.idempotent(false))),
        ("where it acts", hints(nothing.open_world(true))),
        ("whether its server is trusted", trusted),
        ("the schema", World::of(wipe().input_schema(schema))),
        ("the output schema", World::of(wipe().output_schema(json!({})))),
        ("the tool behind the path", taken_over),
        ("the service behind the tool", World::of(wipe().bound_to(["https://elsewhere.example"]))),
        ("how it is reverted", reverted),
    ]
}

#[tokio::test]
async fn whatever_changes_of_a_tool_it_is_asked_about_again() {
    for (what, later) in changed() {
        let (server, store) = (Server::default(), memory_store());
        let first = paused(World::of(wipe()).isobox(&server, &store).run(durable(WIPE)).await);
        let isobox = later.isobox(&server, &store);
        let again = paused(resume(&isobox, &first, Verdict::Approve).await);
        let why = again.pending[0].why.as_deref();
        assert_eq!(why, Some("the tool has changed since it was approved"), "{what}");
        assert_eq!(server.calls(), [], "{what}");
        let done = resume(&isobox, &again, Verdict::Approve).await;
        assert_eq!(done.into_result().expect("it completes"), json!("done"), "{what}");
        assert_eq!(server.calls().len(), 1, "{what}");
    }
}

#[tokio::test]
async fn a_tool_that_stays_the_same_is_not_asked_about_again() {
    let (server, store) = (Server::default(), memory_store());
    let world = World::of(wipe());
    let first = paused(world.isobox(&server, &store).run(durable(WIPE)).await);
    let mut later = world;
    later.tools.insert(0, OfferedTool::new("list"));
    resume(&later.isobox(&server, &store), &first, Verdict::Approve).await.into_result().expect("it completes");
    assert_eq!(server.calls(), [("wipe-all".to_owned(), json!({ "path": "/" }))]);
}

#[tokio::test]
async fn what_is_remembered_for_a_session_is_for_the_tool_as_it_was() {
    for (what, later) in changed() {
        let (server, store) = (Server::default(), memory_store());
        let isobox = World::of(wipe()).isobox(&server, &store);
        let first = paused(isobox.run(durable(WIPE).session("s")).await);
        let decisions = Decisions::about_all("ada", first.revision, Verdict::Approve).remember(Remember::Session);
        isobox.decide(&first.execution_id, decisions).await.expect("it is decided");
        isobox.resume(&first.execution_id, Resume::default()).await.expect("it goes on");
        let same = isobox.run(durable(WIPE).session("s")).await;
        assert_eq!(same.into_result().expect("it is remembered"), json!("done"));
        paused(later.isobox(&server, &store).run(durable(WIPE).session("s")).await);
        assert_eq!(server.calls().len(), 2, "{what}");
    }
}

#[tokio::test]
async fn the_tool_gets_what_was_shown_whatever_is_configured_later() {
    for (before, later, shown) in [
        (Defaults::Ignore, Defaults::Fill, json!({ "path": "/" })),
        (Defaults::Fill, Defaults::Ignore, json!({ "path": "/", "force": true })),
        (Defaults::Fill, Defaults::Fill, json!({ "path": "/", "force": true })),
    ] {
        let (server, store) = (Server::default(), memory_store());
        let mut world = World::of(wipe());
        world.validation.defaults = before;
        let first = paused(world.isobox(&server, &store).run(durable(WIPE)).await);
        assert_eq!(first.pending[0].input, shown);
        world.validation.defaults = later;
        resume(&world.isobox(&server, &store), &first, Verdict::Approve).await.into_result().expect("it completes");
        assert_eq!(server.calls(), [("wipe-all".to_owned(), shown)]);
    }
}

#[tokio::test]
async fn a_call_that_nobody_has_approved_is_asked_about_where_the_policy_asks_by_now() {
    let (server, store) = (Server::default(), memory_store());
    let mut world = World::of(OfferedTool::new("login"));
    let program = durable("return await tools.files.login({ user: 'ada' })");
    let first = paused(world.isobox(&server, &store).run(program).await);
    let ask = Action::RequireApproval { except_read_only: false };
    world.policy = Policy::new(vec![Rule::new(vec!["files.login".parse().expect("a pattern")], ask)]);
    let isobox = world.isobox(&server, &store);
    let again = paused(resume(&isobox, &first, Verdict::Answer(json!("it is me"))).await);
    assert_eq!(again.pending[0].why.as_deref(), Some("rule 1 (`files.login`) asks for approval"));
    assert_eq!(server.calls(), []);
    resume(&isobox, &again, Verdict::Approve).await.into_result().expect("it completes");
    assert_eq!(server.calls().len(), 1);
}

#[tokio::test]
async fn calls_of_the_past_count_towards_rates_wherever_their_rules_stand_by_now() {
    let rate = |tools: &str, calls: u32| Rule::new(vec![tools.parse().expect("a pattern")], Action::Rate(calls));
    let program = "const counted = () => tools.files.list().then(() => 'made', (error) => error.code);
                   const before = [await counted(), await counted()];
                   await tools.files.wipe_all({ path: '/' });
                   return [...before, await counted()]";
    let mut world = World::of(wipe());
    world.tools.push(OfferedTool::new("list"));
    for later in [
        vec![rate("files.wipe_all", 9), rate("files.list", 2)],
        vec![rate("files.wipe_all", 9), rate("files.l*", 2)],
        vec![rate("files.list", 1)],
    ] {
        let (server, store) = (Server::default(), memory_store());
        world.policy = Policy::new(vec![rate("files.list", 2)]);
        let first = paused(world.isobox(&server, &store).run(durable(program)).await);
        world.policy = Policy::new(later.clone());
        let done = resume(&world.isobox(&server, &store), &first, Verdict::Approve).await;
        assert_eq!(done.into_result().expect("it completes"), json!(["made", "made", "CALL_LIMIT"]), "{later:?}");
    }
}

#[tokio::test]
async fn what_is_redacted_by_the_servers_name_is_redacted_where_no_server_runs() {
    let (server, store) = (Server::default(), memory_store());
    let mut world = World::of(wipe());
    let redact = Action::Redact(vec!["/path".to_owned()]);
    world.policy = Policy::new(vec![Rule::new(vec!["files.wipe-*".parse().expect("a pattern")], redact)]);
    let details = CallDetails::default().inputs(true);
    let first = paused(world.isobox(&server, &store).run(durable(WIPE).details(details)).await);
    let archive = Isobox::builder().store(store).policy(world.policy).build().expect("a runtime");
    let inspected = archive.inspect(&first.execution_id).await.expect("it is kept");
    let later = paused(inspected.outcome(&first.execution_id, archive.policy()).expect("it is paused"));
    for shown in [first, later] {
        assert_eq!(shown.pending[0].input, json!({ "path": "[redacted]" }));
        assert_eq!(shown.calls[0].input, Some(json!({ "path": "[redacted]" })));
    }
}

struct Panics;

impl Approver for Panics {
    fn decide(&self, _: ApprovalRequest) -> BoxFuture<'static, Approval> {
        panic!("this text is for the host")
    }
}

#[tokio::test]
async fn an_approver_that_panics_has_approved_nothing() {
    let server = Server::default();
    let mut builder = Catalogue::builder();
    builder.settings("files.wipe_all", World::of(wipe()).settings);
    let connector: Arc<dyn Connector> = Arc::new(server.clone());
    let offer = Offer::default().tools(vec![wipe()]);
    builder.connector(&connector, offer, &ConnectorSettings::default());
    let isobox = Isobox::builder().catalogue(builder.build()).approver(Panics).store(memory_store()).build();
    let isobox = isobox.expect("a runtime");
    let failure = isobox.run(WIPE).await.into_result().expect_err("the call was not approved");
    assert_eq!(failure.code, Code::ApprovalRequired);
    paused(isobox.run(durable(WIPE)).await);
    assert_eq!(server.calls(), []);
}
