//! Calls that go on elsewhere: their tools leave notes, and continue with them after a restart.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use isobox::config::Config;
use isobox::connector::{Connector, ConnectorSettings, Offer, OfferedTool};
use isobox::journal::{Entry, Verdict};
use isobox::store::memory_store;
use isobox::tools::Catalogue;
use isobox::workspace::{Workspace, WorkspaceOptions};
use isobox::{
    CallSeq, CancellationToken, Decisions, ExecutionId, Isobox, Outcome, PendingKind, Resume, Resumed, Run, Tool,
    ToolCall, ToolError, Value, connector, json,
};
use tempfile::TempDir;

const FAKE_SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../isobox-connect/tests/mcp/fake_server.py");

/// A server whose only tool runs as a task, and a store.
struct Place {
    folder: TempDir,
    era: &'static str,
}

impl Place {
    fn new(era: &'static str) -> Self {
        let folder = TempDir::new().expect("a folder");
        let place = Self { folder, era };
        let required = json!({ "taskSupport": "required" });
        let tool = json!({ "name": "render", "inputSchema": { "type": "object" }, "execution": required });
        std::fs::write(place.file("tools"), json!([tool]).to_string()).expect("written");
        place.configure(&json!([{ "tools": "fake.render", "require": "approval" }]));
        place
    }

    fn file(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn configure(&self, policy: &Value) {
        let (journal, tools, tasks) = (self.file("journal"), self.file("tools"), self.file("tasks"));
        let args = [FAKE_SERVER, "--journal", &journal, "--tools", &tools, "--tasks", &tasks, "--era", self.era];
        let config = json!({ "mcpServers": { "fake": { "command": "python3", "args": args } }, "policy": policy });
        std::fs::write(self.file("isobox.json"), config.to_string()).expect("written");
    }

    /// Creates a runtime, as another process would.
    async fn isobox(&self) -> (Workspace, Isobox) {
        let config = Config::read(&self.folder.path().join("isobox.json"), &|_| None).expect("it is read");
        let workspace = Workspace::new(config, WorkspaceOptions::default()).expect("a workspace");
        let isobox = workspace.durable().await.expect("the store opens").isobox;
        (workspace, isobox)
    }

    /// Counts the messages that the server got.
    fn count(&self, method: &str) -> usize {
        let journal = std::fs::read_to_string(self.file("journal")).unwrap_or_default();
        journal.lines().filter(|line| line.contains(&format!("\"{method}\""))).count()
    }

    /// Starts an execution, and ends its process while the task runs.
    async fn interrupted(&self) -> ExecutionId {
        let (workspace, isobox) = self.isobox().await;
        let program = "return await tools.fake.render({ film: 1 })";
        let Outcome::Paused(paused) = isobox.run(Run::from(program).durable()).await else { panic!("it asks") };
        let id = paused.execution_id.clone();
        let approved = Decisions::new("ada", [(CallSeq::new(0), Verdict::Approve)]);
        isobox.decide(&id, approved).await.expect("it waits for that");
        let token = CancellationToken::new();
        let running = tokio::spawn({
            let (isobox, id, token) = (isobox.clone(), id.clone(), token.clone());
            async move { isobox.resume(&id, Resume::default().only_if_decided().abandoned_by(token)).await }
        });
        while self.count("tasks/get") < 2 {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        token.cancel();
        running.await.expect("no panic").expect_err("it was given up");
        while isobox.inspect(&id).await.expect("it is kept").is_held {
            tokio::task::yield_now().await;
        }
        workspace.close().await;
        id
    }

    async fn resumed(&self, id: &ExecutionId) -> Outcome {
        let (workspace, isobox) = self.isobox().await;
        let resumed = isobox.resume(id, Resume::default()).await.expect("it is kept");
        workspace.close().await;
        let Resumed::Here(outcome) = resumed else { panic!("no other process runs it") };
        *outcome
    }
}

#[tokio::test]
async fn a_task_outlives_the_process_that_has_called_it() {
    for era in ["handshake", "discovery"] {
        let place = Place::new(era);
        let id = place.interrupted().await;
        // The policy no longer allows the call. It is under way.
        place.configure(&json!([{ "tools": "fake.render", "deny": true }]));
        std::fs::write(place.file("tasks"), "completed").expect("written");
        let outcome = place.resumed(&id).await;
        assert_eq!(outcome.into_result().expect("it completes"), json!("rendered"), "{era}");
        assert_eq!((place.count("tools/call"), place.count("tasks/cancel")), (1, 0), "{era}: called once");
    }
}

#[tokio::test]
async fn a_task_that_its_server_has_forgotten_leaves_the_call_in_doubt_and_says_so() {
    for era in ["handshake", "discovery"] {
        let place = Place::new(era);
        let id = place.interrupted().await;
        std::fs::remove_file(place.file("tasks")).expect("removed");
        let Outcome::Paused(paused) = place.resumed(&id).await else { panic!("{era}: a person has to decide") };
        assert_eq!(paused.pending[0].kind, PendingKind::InDoubt);
        let why = paused.pending[0].why.as_deref().unwrap_or_default();
        assert!(why.contains("`fake` no longer knows the task of the call (Task not found)"), "{era}: {why}");
        assert_eq!(place.count("tools/call"), 1, "{era}");
    }
}

#[tokio::test]
async fn an_execution_that_is_ended_cancels_its_task() {
    let place = Place::new("handshake");
    let id = place.interrupted().await;
    let (workspace, isobox) = place.isobox().await;
    let (token, before) = (CancellationToken::new(), place.count("tasks/get"));
    let running = tokio::spawn({
        let (isobox, id, token) = (isobox.clone(), id.clone(), token.clone());
        async move { isobox.resume(&id, Resume::default().cancelled_by(token)).await }
    });
    while place.count("tasks/get") == before {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    token.cancel();
    let Resumed::Here(outcome) = running.await.expect("no panic").expect("it ends") else { panic!("it is here") };
    outcome.into_result().expect_err("it was cancelled");
    while place.count("tasks/cancel") == 0 {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    workspace.close().await;
}

/// Makes a runtime with a tool that leaves this note, and collects the notes that it gets.
fn noting(note: Value) -> (isobox::Builder, Arc<Mutex<Vec<Option<Value>>>>) {
    let seen = Arc::<Mutex<Vec<Option<Value>>>>::default();
    let calls = Arc::clone(&seen);
    let tool = Tool::with_call("film.render", move |call| {
        calls.lock().expect("no panic").push(call.note.clone());
        let note = note.clone();
        async move { if call.note.is_some() { Ok(json!(call.context.attempt)) } else { Err(ToolError::noted(note)) } }
    });
    (Isobox::builder().tool(tool.expect("a path")), seen)
}

#[tokio::test]
async fn a_tool_that_leaves_a_note_is_called_again_with_it_once_the_note_is_durable() {
    let (builder, seen) = noting(json!({ "job": 7 }));
    let store = memory_store();
    let isobox = builder.store(store).build().expect("a runtime");
    let outcome = isobox.run(Run::from("return await tools.film.render({})").durable()).await;
    let id = outcome.execution_id().clone();
    assert_eq!(outcome.into_result().expect("it completes"), json!(2), "the second attempt");
    assert_eq!(*seen.lock().unwrap(), [None, Some(json!({ "job": 7 }))]);
    let entries = isobox.inspect(&id).await.expect("it is kept").entries;
    let order = entries.iter().filter_map(|entry| match entry {
        Entry::Started(_) => Some("started"),
        Entry::Noted(_) => Some("noted"),
        Entry::Settled(_) => Some("settled"),
        _ => None,
    });
    assert_eq!(order.collect::<Vec<_>>(), ["started", "noted", "started", "settled"]);
}

#[tokio::test]
async fn a_note_that_cannot_be_kept_is_none() {
    let (builder, seen) = noting(json!({ "job": 7 }));
    let error = builder.build().expect("a runtime").run("return await tools.film.render({})").await.into_result();
    let error = error.expect_err("there is no store");
    assert!(error.message.contains("goes on elsewhere"), "{error}");
    assert_eq!(seen.lock().unwrap().len(), 1);
    let (builder, _) = noting(json!({ "job": "x".repeat(20_000) }));
    let isobox = builder.store(memory_store()).build().expect("a runtime");
    let outcome = isobox.run(Run::from("return await tools.film.render({})").durable()).await;
    let Outcome::Paused(paused) = outcome else { panic!("a person has to decide") };
    assert_eq!(paused.pending[0].kind, PendingKind::InDoubt);
    assert!(paused.pending[0].why.as_deref().is_some_and(|why| why.contains("too large")), "{paused:?}");
}

#[tokio::test]
async fn a_call_in_doubt_that_did_not_happen_starts_without_its_note() {
    let count = Arc::new(AtomicU32::new(0));
    let calls = Arc::clone(&count);
    let tool = Tool::with_call("film.render", move |call| {
        let number = calls.fetch_add(1, Ordering::SeqCst);
        async move {
            match (number, call.note) {
                (0, None) => Err(ToolError::noted(json!(1))),
                (1, Some(_)) => Err(ToolError::in_doubt("the job is gone")),
                (2, None) => Ok(json!("again")),
                (number, note) => Err(ToolError::new(format!("unexpected: {number} {note:?}"))),
            }
        }
    });
    let builder = Isobox::builder().tool(tool.expect("a path")).store(memory_store());
    let timing = isobox::store::Timing::default().doubt(std::time::Duration::ZERO);
    let isobox = builder.timing(timing).build().expect("a runtime");
    let run = Run::from("return await tools.film.render({})").durable();
    let Outcome::Paused(paused) = isobox.run(run).await else { panic!("a person has to decide") };
    assert_eq!(paused.pending[0].why.as_deref(), Some("the job is gone"));
    let id = paused.execution_id;
    let says = Decisions::new("ada", [(CallSeq::new(0), Verdict::DidNotHappen)]);
    isobox.decide(&id, says).await.expect("it waits for that");
    let Resumed::Here(outcome) = isobox.resume(&id, Resume::default()).await.expect("it is kept") else {
        panic!("no other process runs it")
    };
    assert_eq!(outcome.into_result().expect("it completes"), json!("again"));
}

/// A connector whose only tool knows no notes, and counts its calls.
struct Film(Arc<AtomicU32>);

impl Connector for Film {
    fn name(&self) -> &str {
        "film"
    }

    fn offer(&self) -> BoxFuture<'_, Result<Offer, connector::Error>> {
        Box::pin(async { Ok(Offer::default().tools(vec![OfferedTool::new("render")])) })
    }

    fn call<'a>(&'a self, _: &'a str, _: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Box::pin(async { Ok(json!("made again")) })
    }
}

#[tokio::test]
async fn a_note_is_given_to_no_other_tool_at_the_same_path() {
    let store = memory_store();
    let tool = Tool::with_call("film.render", |call| async move {
        match call.note {
            None => Err(ToolError::noted(json!({ "job": 7 }))),
            Some(_) => Err(ToolError::interrupt(json!("go on?"))),
        }
    });
    let isobox = Isobox::builder().tool(tool.expect("a path")).store(Arc::clone(&store)).build().expect("a runtime");
    let run = Run::from("return await tools.film.render({})").durable();
    let Outcome::Paused(paused) = isobox.run(run).await else { panic!("it asks") };
    let id = paused.execution_id;
    let calls = Arc::new(AtomicU32::new(0));
    let film: Arc<dyn Connector> = Arc::new(Film(Arc::clone(&calls)));
    let mut catalogue = Catalogue::builder();
    let offer = film.offer().await.expect("it offers a tool");
    catalogue.connector(&film, offer, &ConnectorSettings::default());
    let other = Isobox::builder().catalogue(catalogue.build()).store(store).build().expect("a runtime");
    let answer = Decisions::new("ada", [(CallSeq::new(0), Verdict::Answer(json!("yes")))]);
    other.decide(&id, answer).await.expect("it waits for that");
    let Resumed::Here(outcome) = other.resume(&id, Resume::default()).await.expect("it is kept") else {
        panic!("no other process runs it")
    };
    let Outcome::Paused(paused) = *outcome else { panic!("a person has to decide") };
    assert_eq!((paused.pending[0].kind, calls.load(Ordering::SeqCst)), (PendingKind::InDoubt, 0));
    assert!(paused.pending[0].why.as_deref().is_some_and(|why| why.contains("another tool")), "{paused:?}");
}
