//! Connectors of the host, in a runtime and in a workspace: how they offer tools, change, fail and close.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use isobox::config::Config;
use isobox::connector::{Connector, ConnectorSettings, Offer, OfferedTool, Ready};
use isobox::connector::{Error, ErrorKind, ServiceStatus};
use isobox::policy::{Action, Policy, Rule};
use isobox::tools::Catalogue;
use isobox::workspace::{Workspace, WorkspaceOptions};
use isobox::{BoxFuture, Builder, Code, Isobox, Tool, ToolCall, ToolError, Value, json};

/// Gives scripted offers, and counts the requests.
struct Scripted {
    name: &'static str,
    answer: Mutex<Answer>,
    generation: AtomicU64,
    asked: AtomicU32,
    is_closed: AtomicBool,
}

#[derive(Clone, Copy)]
enum Answer {
    Tools(&'static [&'static str]),
    /// Offers tools that change before the answer arrives.
    OutdatedTools(&'static [&'static str]),
    Error(&'static str),
    Panic,
    Never,
}

impl Scripted {
    fn new(name: &'static str, answer: Answer) -> Arc<Self> {
        Arc::new(Self {
            name,
            answer: Mutex::new(answer),
            generation: AtomicU64::new(0),
            asked: AtomicU32::new(0),
            is_closed: AtomicBool::new(false),
        })
    }

    fn answers(&self, answer: Answer) {
        *self.answer.lock().expect("no thread panicked") = answer;
    }

    fn changes(&self) {
        self.generation.fetch_add(1, Ordering::SeqCst);
    }

    fn asked(&self) -> u32 {
        self.asked.load(Ordering::SeqCst)
    }
}

impl Connector for Scripted {
    fn name(&self) -> &str {
        self.name
    }

    fn offer(&self) -> BoxFuture<'_, Result<Offer, Error>> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let answer = *self.answer.lock().expect("no thread panicked");
        Box::pin(async move {
            let names = match answer {
                Answer::Tools(names) => names,
                Answer::OutdatedTools(names) => {
                    self.changes();
                    names
                }
                Answer::Error(message) => return Err(Error::new(ErrorKind::Unavailable, message).hint("start it")),
                Answer::Panic => panic!("a connector that panics"),
                Answer::Never => std::future::pending().await,
            };
            let tools = names.iter().map(|name| OfferedTool::new((*name).to_owned()));
            let instructions = format!("Use {} with care.", self.name);
            Ok(Offer::default().tools(tools.collect()).instructions(instructions))
        })
    }

    fn call<'a>(&'a self, tool: &'a str, call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(async move { Ok(json!([self.name, tool, call.input])) })
    }

    fn generation(&self) -> u64 {
        self.generation.load(Ordering::SeqCst)
    }

    fn status(&self) -> ServiceStatus {
        if self.is_closed.load(Ordering::SeqCst) { ServiceStatus::Closed } else { ServiceStatus::Running }
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async { self.is_closed.store(true, Ordering::SeqCst) })
    }
}

/// Implements only the required methods.
struct Simple;

impl Connector for Simple {
    fn name(&self) -> &str {
        "simple"
    }

    fn offer(&self) -> BoxFuture<'_, Result<Offer, Error>> {
        Box::pin(async { Ok(Offer::default()) })
    }

    fn call<'a>(&'a self, _tool: &'a str, call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(async move { Ok(call.input) })
    }
}

/// Offers nothing, and panics wherever it is asked for more.
struct Panicking;

impl Connector for Panicking {
    fn name(&self) -> &str {
        "panicking"
    }

    fn offer(&self) -> BoxFuture<'_, Result<Offer, Error>> {
        Box::pin(async { Ok(Offer::default()) })
    }

    fn call<'a>(&'a self, _tool: &'a str, _call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
        panic!("a connector that panics")
    }

    fn generation(&self) -> u64 {
        panic!("a connector that panics")
    }

    fn status(&self) -> ServiceStatus {
        panic!("a connector that panics")
    }
}

fn builder(connectors: &[&Arc<Scripted>]) -> Builder {
    let builder = Isobox::builder().max_live(NonZeroU32::MIN);
    connectors.iter().fold(builder, |builder, connector| {
        builder.connector(Arc::<Scripted>::clone(connector), ConnectorSettings::default())
    })
}

fn paths(ready: &Ready) -> Vec<String> {
    ready.isobox.catalogue().iter().map(|tool| tool.path().to_string()).collect()
}

fn messages(ready: &Ready) -> Vec<&str> {
    ready.problems.iter().map(|problem| problem.message.as_str()).collect()
}

/// Advances the paused clock.
async fn pass(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}

#[tokio::test]
async fn a_runtime_has_the_tools_of_its_connectors_and_their_instructions_beside_its_own_tools() {
    let files = Scripted::new("my files", Answer::Tools(&["read"]));
    let echo = Tool::new("echo", |input| async move { Ok(input) }).expect("a tool");
    let connected = builder(&[&files]).tool(echo).build_connected().expect("a runtime");
    assert_eq!(files.asked(), 0);
    let ready = connected.ready().await.expect("it is ready");
    assert!(ready.problems.is_empty());
    let outcome = ready.isobox.run("return [await tools.my_files.read({ a: 1 }), await tools.echo({ b: 2 })]").await;
    let expected = json!([["my files", "read", { "a": 1 }], { "b": 2 }]);
    assert_eq!(outcome.into_result().expect("it completes"), expected);
    assert_eq!(ready.isobox.catalogue().namespaces()["my_files"].instructions, "Use my files with care.");
}

#[tokio::test]
async fn connectors_are_asked_again_when_a_generation_has_changed_and_not_before() {
    let (one, other) = (Scripted::new("one", Answer::Tools(&["a"])), Scripted::new("other", Answer::Tools(&["x"])));
    let connected = builder(&[&one, &other]).build_connected().expect("a runtime");
    for _ in 0..3 {
        assert_eq!(paths(&connected.ready().await.expect("it is ready")), ["one.a", "other.x"]);
    }
    one.answers(Answer::Tools(&["a", "b"]));
    assert_eq!(paths(&connected.ready().await.expect("it is ready")), ["one.a", "other.x"]);
    assert_eq!((one.asked(), other.asked()), (1, 1));
    let before = connected.ready().await.expect("it is ready");
    one.changes();
    assert_eq!(paths(&connected.ready().await.expect("it is ready")), ["one.a", "one.b", "other.x"]);
    assert_eq!(one.asked(), 2);
    assert_eq!(paths(&before), ["one.a", "other.x"], "what runs already keeps its catalogue");
}

#[tokio::test]
async fn a_connector_that_changes_makes_no_caller_wait_for_the_others_and_takes_no_tools_of_theirs() {
    let (one, other) = (Scripted::new("one", Answer::Tools(&["a"])), Scripted::new("other", Answer::Tools(&["x"])));
    let connected = builder(&[&one, &other]).build_connected().expect("a runtime");
    connected.ready().await.expect("it is ready");
    for (of_other, of_one, expected) in [
        (Answer::Never, Answer::Tools(&["b"]), ["one.b", "other.x"]),
        (Answer::Error("down"), Answer::Tools(&["c"]), ["one.c", "other.x"]),
    ] {
        other.answers(of_other);
        one.answers(of_one);
        one.changes();
        let ready = tokio::time::timeout(Duration::from_secs(60), connected.ready()).await;
        let ready = ready.expect("it does not wait for `other`").expect("it is ready");
        assert_eq!((paths(&ready), ready.problems.len(), other.asked()), (expected.map(str::to_owned).into(), 0, 1));
    }
    one.answers(Answer::Error("down"));
    one.changes();
    assert_eq!(paths(&connected.ready().await.expect("it is ready")), ["other.x"]);
    assert_eq!((other.asked(), connected.connectors()[1].offered), (1, Some(1)));
}

#[tokio::test]
async fn a_connector_that_changes_and_does_not_answer_is_waited_for_a_moment_and_once() {
    let (one, other) = (Scripted::new("one", Answer::Tools(&["a"])), Scripted::new("other", Answer::Tools(&["x"])));
    let (both, alone) = (builder(&[&one, &other]).build_connected(), builder(&[&one]).build_connected());
    let (both, alone) = (both.expect("a runtime"), alone.expect("a runtime"));
    both.ready().await.expect("it is ready");
    alone.ready().await.expect("it is ready");
    one.answers(Answer::Never);
    one.changes();
    for (connected, expected) in [(&both, &["one.a", "other.x"][..]), (&alone, &["one.a"])] {
        {
            let mut ready = std::pin::pin!(connected.ready());
            assert!(futures_util::poll!(&mut ready).is_pending());
            pass(Duration::from_secs(6)).await;
            let ready = tokio::time::timeout(Duration::from_secs(60), ready).await.expect("it is not waited for");
            assert_eq!(paths(&ready.expect("it is ready")), expected, "the last offer is used");
        }
        let ready = tokio::time::timeout(Duration::from_secs(4), connected.ready()).await;
        let ready = ready.expect("it is not waited for again").expect("it is ready");
        assert_eq!(
            (paths(&ready), ready.problems.len()),
            (expected.iter().map(|path| (*path).to_owned()).collect(), 0)
        );
    }
    // The other one is not held up.
    other.answers(Answer::Tools(&["y"]));
    other.changes();
    let ready = tokio::time::timeout(Duration::from_secs(4), both.ready()).await.expect("it answers");
    assert_eq!(paths(&ready.expect("it is ready")), ["one.a", "other.y"]);
    assert_eq!((one.asked(), other.asked()), (4, 2));
    // What never answers has failed, and what answers later is used then.
    pass(Duration::from_secs(200)).await;
    while messages(&both.ready().await.expect("it is ready")).is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(paths(&both.ready().await.expect("it is ready")), ["other.y"]);
    one.answers(Answer::Tools(&["b"]));
    pass(Duration::from_secs(31)).await;
    while !messages(&both.ready().await.expect("it is ready")).is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(paths(&both.ready().await.expect("it is ready")), ["one.b", "other.y"]);
    assert_eq!((one.asked(), other.asked()), (5, 2), "the answer to the retry is used");
}

#[tokio::test]
async fn an_answer_is_kept_when_nobody_waits_for_the_slower_ones_any_more() {
    let (one, other) = (Scripted::new("one", Answer::Tools(&["a"])), Scripted::new("other", Answer::Never));
    let connected = builder(&[&one, &other]).build_connected().expect("a runtime");
    {
        let mut ready = std::pin::pin!(connected.ready());
        assert!(futures_util::poll!(&mut ready).is_pending());
    }
    other.answers(Answer::Tools(&["x"]));
    assert_eq!(paths(&connected.ready().await.expect("it is ready")), ["one.a", "other.x"]);
    assert_eq!((one.asked(), other.asked()), (1, 2));
}

#[tokio::test]
async fn a_change_while_a_connector_is_asked_is_not_missed() {
    let one = Scripted::new("one", Answer::OutdatedTools(&["a"]));
    let connected = builder(&[&one]).build_connected().expect("a runtime");
    assert_eq!(paths(&connected.ready().await.expect("it is ready")), ["one.a"]);
    one.answers(Answer::Tools(&["b"]));
    assert_eq!(paths(&connected.ready().await.expect("it is ready")), ["one.b"]);
}

#[tokio::test]
async fn a_connector_that_panics_over_its_generation_or_status_does_no_harm() {
    let works = Scripted::new("works", Answer::Tools(&["a"]));
    let connected = builder(&[&works]).connector(Arc::new(Panicking), ConnectorSettings::default()).build_connected();
    let connected = connected.expect("a runtime");
    for _ in 0..2 {
        assert_eq!(paths(&connected.ready().await.expect("it is ready")), ["works.a"]);
    }
    let reports = connected.connectors();
    let panicked = "the connector `panicking` panicked when it was asked for its status";
    assert!(matches!(&reports[1].status, ServiceStatus::Failed(error) if error.message() == panicked), "{reports:?}");
}

#[tokio::test]
async fn a_retry_ends_with_its_runtime() {
    let down = Scripted::new("down", Answer::Error("`down` could not be reached"));
    let connected = builder(&[&down]).build_connected().expect("a runtime");
    connected.ready().await.expect("it is ready");
    down.answers(Answer::Never);
    pass(Duration::from_secs(31)).await;
    connected.ready().await.expect("it does not wait for a retry");
    while down.asked() < 2 {
        tokio::task::yield_now().await;
    }
    assert!(Arc::strong_count(&down) > 1);
    drop(connected);
    while Arc::strong_count(&down) > 1 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn closing_ends_a_question_in_the_background() {
    let (retried, changed) =
        (Scripted::new("retried", Answer::Error("down")), Scripted::new("changed", Answer::Tools(&["a"])));
    let connected = builder(&[&retried, &changed]).build_connected().expect("a runtime");
    connected.ready().await.expect("it is ready");
    let held = || [&retried, &changed].map(Arc::strong_count);
    let before = held();
    retried.answers(Answer::Never);
    changed.answers(Answer::Never);
    changed.changes();
    {
        pass(Duration::from_secs(31)).await;
        let mut ready = std::pin::pin!(connected.ready());
        assert!(futures_util::poll!(&mut ready).is_pending(), "it waits a moment for the one that has changed");
        while retried.asked() < 2 || changed.asked() < 2 {
            tokio::task::yield_now().await;
        }
    }
    let during = held();
    assert!(during[0] > before[0] && during[1] > before[1], "both are asked: {before:?} {during:?}");
    connected.close().await;
    assert_eq!(held(), before, "nothing asks them any more");
    assert!([&retried, &changed].iter().all(|connector| matches!(connector.status(), ServiceStatus::Closed)));
}

#[tokio::test]
async fn a_connector_that_fails_or_panics_is_left_out_and_reported() {
    let down = Scripted::new("down", Answer::Error("`down` could not be reached"));
    let (panics, works) = (Scripted::new("panics", Answer::Panic), Scripted::new("works", Answer::Tools(&["a"])));
    let connected = builder(&[&down, &panics, &works]).build_connected().expect("a runtime");
    for _ in 0..2 {
        let ready = connected.ready().await.expect("it is ready");
        assert_eq!(paths(&ready), ["works.a"]);
        let panicked = "the connector `panics` panicked when it was asked for its tools";
        assert_eq!(messages(&ready), ["`down` could not be reached", panicked]);
        assert_eq!((ready.problems[0].code, ready.problems[0].hint.as_deref()), (Code::Config, Some("start it")));
        assert_eq!(ready.problems[1].code, Code::Internal);
    }
    assert_eq!((down.asked(), panics.asked()), (1, 1), "no caller waits for them twice");
    let reports = connected.connectors();
    let kinds: Vec<_> = reports.iter().map(|one| (one.name.as_str(), one.problem.as_ref().map(Error::kind))).collect();
    let expected = [("down", Some(ErrorKind::Unavailable)), ("panics", Some(ErrorKind::Internal)), ("works", None)];
    assert_eq!(kinds, expected);
}

#[tokio::test]
async fn a_connector_that_failed_is_asked_again_in_the_background() {
    let down = Scripted::new("down", Answer::Error("down"));
    let works = Scripted::new("works", Answer::Tools(&["a"]));
    let connected = builder(&[&down, &works]).build_connected().expect("a runtime");
    assert_eq!(messages(&connected.ready().await.expect("it is ready")), ["down"]);
    down.answers(Answer::Error("still down"));
    pass(Duration::from_secs(31)).await;
    while messages(&connected.ready().await.expect("it is ready")) != ["still down"] {
        tokio::task::yield_now().await;
    }
    assert_eq!((down.asked(), works.asked()), (2, 1), "the others are not asked because of it");
    down.answers(Answer::Tools(&["b"]));
    pass(Duration::from_secs(31)).await;
    let ready = loop {
        let ready = connected.ready().await.expect("it is ready");
        if ready.problems.is_empty() {
            break ready;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(paths(&ready), ["down.b", "works.a"]);
    assert!(connected.connectors().iter().all(|report| report.problem.is_none()));
}

#[tokio::test]
async fn connectors_can_be_listed_while_one_of_them_does_not_answer() {
    let (works, silent) = (Scripted::new("works", Answer::Tools(&["a"])), Scripted::new("silent", Answer::Never));
    let connected = builder(&[&works, &silent]).connector(Arc::new(Simple), ConnectorSettings::default());
    let connected = connected.build_connected().expect("a runtime");
    let mut ready = std::pin::pin!(connected.ready());
    assert!(futures_util::poll!(&mut ready).is_pending());
    let reports = connected.connectors();
    let listed: Vec<_> = reports.iter().map(|report| (report.name.as_str(), report.status.as_str())).collect();
    assert_eq!(listed, [("works", "running"), ("silent", "running"), ("simple", "on demand")]);
}

#[tokio::test]
async fn closing_closes_every_connector() {
    let connectors = [Scripted::new("one", Answer::Tools(&[])), Scripted::new("other", Answer::Error("down"))];
    let [one, other] = &connectors;
    let connected = builder(&[one, other]).connector(Arc::new(Simple), ConnectorSettings::default());
    let connected = connected.build_connected().expect("a runtime");
    connected.ready().await.expect("it is ready");
    connected.close().await;
    assert!(connectors.iter().all(|connector| matches!(connector.status(), ServiceStatus::Closed)));
}

#[tokio::test]
async fn a_strict_runtime_is_strict_once_its_connectors_were_asked() {
    let rule = |tools: &str| Rule::new(vec![tools.parse().expect("a pattern")], Action::Deny(None));
    let strict = |connector: &Arc<Scripted>, tools: &str| {
        let builder = builder(&[connector]).strict().policy(Policy::new(vec![rule(tools)]));
        builder.build_connected().expect("nothing was asked yet")
    };
    let works = Scripted::new("one", Answer::Tools(&["a"]));
    assert!(strict(&works, "one.a").ready().await.is_ok());
    let failure = strict(&works, "one.b").ready().await.err().expect("there is no such tool");
    assert_eq!(failure.code, Code::Config);
    let down = Scripted::new("one", Answer::Error("down"));
    assert!(strict(&down, "one.b").ready().await.is_ok(), "it may have such a tool");
}

#[test]
fn connectors_are_not_dropped_in_silence() {
    let one = Scripted::new("one", Answer::Tools(&["a"]));
    let failure = builder(&[&one]).build().err().expect("it was not asked");
    assert_eq!(failure.code, Code::Config);
    assert_eq!(failure.message, "the connector `one` has to be asked for its tools before they can be called");
    let failure = builder(&[&one]).catalogue(Catalogue::default()).build_connected().err().expect("it is fixed");
    assert_eq!(failure.code, Code::Config);
}

#[tokio::test]
async fn a_workspace_has_connectors_of_the_host_after_those_of_its_configuration() {
    let config = r#"{ "mcpServers": { "files": { "command": "no-such-command-anywhere" } },
                      "tools": { "files_2.read": { "rename": "read" } } }"#;
    let config = Config::parse(config, &|_| None).expect("it is one");
    // The missing server keeps its name.
    let files = Scripted::new("files", Answer::Tools(&["read"]));
    let settings = ConnectorSettings::default().hint("Ours.");
    let own = WorkspaceOptions::default().connector(Arc::<Scripted>::clone(&files), settings).max_live(NonZeroU32::MIN);
    let workspace = Workspace::new(config, own).expect("a workspace");
    let words = |workspace: &Workspace| {
        let reports = workspace.connectors();
        let words = reports.iter().map(|one| (one.name.clone(), one.status.as_str(), one.problem.is_some()));
        words.collect::<Vec<_>>()
    };
    let name = "files".to_owned();
    assert_eq!(words(&workspace), [(name.clone(), "not started", false), (name.clone(), "running", false)]);
    let ready = workspace.ready().await.expect("it is ready");
    assert_eq!(paths(&ready), ["read"]);
    assert_eq!(words(&workspace), [(name.clone(), "failed", true), (name.clone(), "running", false)]);
    workspace.close().await;
    assert_eq!(words(&workspace), [(name.clone(), "closed", true), (name, "closed", false)]);
}
