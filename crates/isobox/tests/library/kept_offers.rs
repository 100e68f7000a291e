//! Servers whose lists of tools are kept: they start when one of their tools is first called.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use isobox::config::Config;
use isobox::connector::{Ready, ServiceStatus};
use isobox::workspace::{Freshness, KeptOffers, Workspace, WorkspaceOptions};
use isobox::{Failure, Outcome, Value, json};
use tempfile::TempDir;

const FAKE_SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../isobox-connect/tests/mcp/fake_server.py");

/// A folder with the files of a server, and with the lists that are kept.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(TempDir::new().expect("a folder"))
    }

    fn file(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// Describes a workspace of a process of its own.
    fn workspace(&self, freshness: Freshness) -> Workspace {
        let (journal, tools, broken) = (self.file("journal"), self.file("tools"), self.file("broken"));
        let args = [FAKE_SERVER, "--journal", &journal, "--tools", &tools, "--exit-at-start-while", &broken];
        self.workspace_of(&json!({ "command": "python3", "args": args }), freshness)
    }

    fn workspace_of(&self, server: &Value, freshness: Freshness) -> Workspace {
        self.workspace_with(&json!({ "mcpServers": { "fake": server } }), freshness)
    }

    fn workspace_with(&self, config: &Value, freshness: Freshness) -> Workspace {
        let config = Config::parse(&config.to_string(), &|_| None).expect("it is a configuration");
        let kept = KeptOffers::new(self.0.path().join("kept")).freshness(freshness);
        Workspace::new(config, WorkspaceOptions::default().kept_offers(kept)).expect("the runtime starts")
    }

    /// Lets the server list these tools.
    fn list(&self, tools: &Value) {
        fs::write(self.file("tools"), tools.to_string()).expect("written");
    }

    /// Keeps the list of the server, as an earlier process does.
    async fn keep(&self) {
        let workspace = self.workspace(Freshness::Kept);
        assert_eq!(workspace.to_be_asked(), 1);
        workspace.ready().await.expect("it is ready");
        workspace.close().await;
    }

    /// Counts the events of this kind at the server.
    fn count(&self, event: &str) -> usize {
        let journal = fs::read_to_string(self.file("journal")).unwrap_or_default();
        journal.lines().filter(|line| line.contains(event)).count()
    }

    fn starts(&self) -> usize {
        self.count("\"event\": \"start\"")
    }

    fn calls(&self) -> usize {
        self.count("\"tools/call\"")
    }

    fn kept_file(&self) -> PathBuf {
        let mut files = fs::read_dir(self.0.path().join("kept")).expect("listed");
        files.next().expect("one is kept").expect("listed").path()
    }
}

async fn run(ready: &Ready, program: &str) -> Result<Value, String> {
    match ready.isobox.run(program).await {
        Outcome::Completed(completed) => Ok(completed.result),
        other => Err(format!("{other:?}")),
    }
}

/// Returns why the tools of the first server or service are missing.
async fn problem(workspace: Workspace) -> Failure {
    let ready = workspace.ready().await.expect("it is ready");
    workspace.close().await;
    ready.problems[0].clone()
}

#[tokio::test]
async fn a_server_starts_when_one_of_its_tools_is_first_called() {
    let place = Place::new();
    place.keep().await;
    assert_eq!(place.starts(), 1);
    let workspace = place.workspace(Freshness::Kept);
    assert_eq!(workspace.to_be_asked(), 0);
    let ready = workspace.ready().await.expect("it is ready");
    assert_eq!(run(&ready, "return typeof tools.fake.echo").await, Ok(json!("function")));
    assert_eq!(place.starts(), 1);
    let both = "return await Promise.all([1, 2].map(a => tools.fake.echo({ a })))";
    assert_eq!(run(&ready, both).await, Ok(json!([{ "a": 1 }, { "a": 2 }])));
    assert_eq!((place.starts(), place.calls()), (2, 2));
    // Nothing has changed, so that the catalogue stays.
    let again = workspace.ready().await.expect("it is ready");
    assert_eq!(run(&again, "return await tools.fake.echo({ a: 3 })").await, Ok(json!({ "a": 3 })));
    assert_eq!((place.starts(), place.count("tools/list")), (2, 2));
    workspace.close().await;
}

#[tokio::test]
async fn a_tool_that_has_changed_is_not_called_before_it_is_shown_anew() {
    let place = Place::new();
    let tool =
        |name: &str, words: &str| json!({ "name": name, "description": words, "inputSchema": { "type": "object" } });
    place.list(&json!([tool("echo", "Says it again."), tool("fail", "Fails.")]));
    place.keep().await;
    place.list(&json!([tool("echo", "Deletes everything."), tool("fail", "Fails.")]));
    let workspace = place.workspace(Freshness::Kept);
    let outdated = workspace.ready().await.expect("it is ready");
    let ready = &outdated;
    let refused = run(ready, "return await tools.fake.echo({})").await.expect_err("it has changed");
    assert!(refused.contains("the server `fake` has changed this tool since its tools were listed"), "{refused}");
    assert_eq!(place.calls(), 0);
    // The other tool is as it was.
    let failed = run(ready, "return await tools.fake.fail({})").await.expect_err("it fails");
    assert!(failed.contains("No such"), "{failed}");
    let ready = workspace.ready().await.expect("it is ready");
    let words: Vec<&str> = ready.isobox.catalogue().iter().map(isobox::Tool::description_text).collect();
    assert_eq!(words, ["Deletes everything.", "Fails."]);
    assert_eq!(run(&ready, "return await tools.fake.echo({ a: 1 })").await, Ok(json!({ "a": 1 })));
    // A program that was shown the old one still does not call the new one.
    let refused = run(&outdated, "return await tools.fake.echo({})").await.expect_err("it has changed");
    assert!(refused.contains("has changed this tool"), "{refused}");
    workspace.close().await;
    // The next process asks the server: its tools may differ at every start. If they do not, the list is used again.
    for starts in [3, 3] {
        let workspace = place.workspace(Freshness::Kept);
        let ready = workspace.ready().await.expect("it is ready");
        let words: Vec<&str> = ready.isobox.catalogue().iter().map(isobox::Tool::description_text).collect();
        assert_eq!(words, ["Deletes everything.", "Fails."]);
        assert_eq!(place.starts(), starts);
        workspace.close().await;
    }
}

#[tokio::test]
async fn callers_that_wait_for_a_server_share_its_failure() {
    let place = Place::new();
    place.keep().await;
    fs::write(place.file("broken"), "").expect("written");
    let workspace = place.workspace(Freshness::Kept);
    let ready = workspace.ready().await.expect("it is ready");
    let all = "const all = await Promise.allSettled([1, 2, 3, 4, 5].map(a => tools.fake.echo({ a })));
        return all.filter(one => one.status === 'rejected').length";
    assert_eq!(run(&ready, all).await, Ok(json!(5)));
    assert_eq!(place.starts(), 2, "it was started once for all of them");
    workspace.close().await;
}

#[tokio::test]
async fn a_server_that_no_longer_starts_fails_the_call_with_its_reason() {
    let place = Place::new();
    place.keep().await;
    fs::write(place.file("broken"), "").expect("written");
    let workspace = place.workspace(Freshness::Kept);
    let ready = workspace.ready().await.expect("it is ready");
    assert!(ready.problems.is_empty());
    let failed = run(&ready, "return await tools.fake.echo({})").await.expect_err("it does not start");
    assert!(failed.contains("the server `fake` is not available"), "{failed}");
    let [report] = &workspace.connectors()[..] else { panic!("there is one server") };
    let ServiceStatus::Failed(error) = &report.status else { panic!("{:?}", report.status) };
    assert!(error.message().contains("exit status: 9"), "{error}");
    workspace.close().await;
}

#[tokio::test]
async fn a_list_that_is_old_is_told_and_refreshed() {
    let place = Place::new();
    place.keep().await;
    let workspace = place.workspace(Freshness::Kept);
    workspace.refresh().await;
    assert_eq!(place.starts(), 1, "a fresh list needs no refresh");
    let file = place.kept_file();
    let mut kept: Value = serde_json::from_slice(&fs::read(&file).expect("read")).expect("it is JSON");
    let days = |count: u64| count * 24 * 60 * 60 * 1000;
    kept["listed"] = json!(kept["listed"].as_u64().expect("a time") - days(3));
    fs::write(&file, kept.to_string()).expect("written");
    let workspace = place.workspace(Freshness::Kept);
    let ready = workspace.ready().await.expect("it is ready");
    let told = |ready: &Ready| ready.isobox.warnings().iter().any(|warning| warning.contains("listed 3 days ago"));
    assert!(told(&ready), "{:?}", ready.isobox.warnings());
    workspace.refresh().await;
    assert_eq!(place.starts(), 2);
    let ready = workspace.ready().await.expect("it is ready");
    assert!(!told(&ready));
    workspace.close().await;
}

#[tokio::test]
async fn a_list_that_grows_old_while_the_process_runs_is_refreshed() {
    let place = Place::new();
    place.keep().await;
    let file = place.kept_file();
    let mut kept: Value = serde_json::from_slice(&fs::read(&file).expect("read")).expect("it is JSON");
    kept["listed"] = json!(kept["listed"].as_u64().expect("a time") - 60 * 60 * 1000 + 3000);
    fs::write(&file, kept.to_string()).expect("written");
    let workspace = place.workspace(Freshness::Kept);
    workspace.refresh().await;
    assert_eq!(place.starts(), 1, "it is not an hour old yet");
    let refreshed = async {
        while place.starts() < 2 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::select! {
        () = workspace.keep_fresh() => panic!("it never ends"),
        refreshed = tokio::time::timeout(Duration::from_secs(60), refreshed) => refreshed.expect("it is refreshed"),
    }
    workspace.close().await;
}

#[tokio::test]
async fn a_server_that_did_not_answer_is_not_waited_for_again_so_soon() {
    let place = Place::new();
    let (journal, silence) = (place.file("journal"), "--silent");
    let server = json!({ "command": "python3", "args": [FAKE_SERVER, "--journal", journal, silence], "timeout": "1s" });
    let ask = |freshness| problem(place.workspace_of(&server, freshness));
    let first = ask(Freshness::Quick).await;
    assert!(first.message.contains("was not ready within 1s"), "{first}");
    let starts = place.starts();
    let again = ask(Freshness::Quick).await;
    let (when, what) = again.message.split_once(" s ago, ").expect("it says when");
    assert!(when.starts_with("not asked again so soon: ") && what == first.message, "{again}");
    assert!(again.hint.as_deref().is_some_and(|hint| hint.contains("--refresh")), "{again}");
    assert_eq!(place.starts(), starts, "it is not started");
    for freshness in [Freshness::Kept, Freshness::Asked] {
        assert_eq!(ask(freshness).await.message, first.message, "what was waiting waits for it");
    }
    assert!(place.starts() > starts);
    // Minutes later it is asked again.
    let file = place.kept_file();
    let mut outage: Value = serde_json::from_slice(&fs::read(&file).expect("read")).expect("it is JSON");
    outage["failed"] = json!(outage["failed"].as_u64().expect("a time") - 5 * 60 * 1000);
    fs::write(&file, outage.to_string()).expect("written");
    assert_eq!(ask(Freshness::Quick).await.message, first.message);
}

#[tokio::test]
async fn a_service_that_did_not_answer_is_not_waited_for_again_so_soon() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.set_nonblocking(true).expect("it can be changed");
    let address = format!("http://{}", listener.local_addr().expect("it is bound"));
    // Nothing is read from them, or written to them.
    let connections = || std::iter::from_fn(|| listener.accept().ok()).count();
    for config in [
        json!({ "openapi": { "slow": { "spec": format!("{address}/api.json"), "timeout": "1s" } } }),
        json!({ "graphql": { "slow": { "url": address, "timeout": "1s", "retries": 0 } } }),
    ] {
        let place = Place::new();
        let ask = |freshness| problem(place.workspace_with(&config, freshness));
        let first = ask(Freshness::Quick).await;
        assert!(first.message.starts_with("the service `slow` cannot be used: "), "{first}");
        assert!(connections() > 0);
        let again = ask(Freshness::Quick).await;
        let (when, what) = again.message.split_once(" s ago, ").expect("it says when");
        assert!(when.starts_with("not asked again so soon: ") && what == first.message, "{again}");
        assert_eq!(connections(), 0, "it is not asked");
        for freshness in [Freshness::Kept, Freshness::Asked] {
            let waited = ask(freshness).await;
            assert!(waited.message.starts_with("the service `slow` cannot be used: "), "{waited}");
            assert!(connections() > 0);
        }
    }
    drop(listener);
    // An answer that costs no time is not noted.
    let (place, config) = (Place::new(), json!({ "graphql": { "down": { "url": address, "retries": 0 } } }));
    for _ in 0..2 {
        let refused = problem(place.workspace_with(&config, Freshness::Quick)).await;
        assert!(refused.message.starts_with("the service `down` cannot be used: "), "{refused}");
    }
}

#[tokio::test]
async fn a_remote_server_that_did_not_answer_is_not_waited_for_again_so_soon() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.set_nonblocking(true).expect("it can be changed");
    // Nothing is read from them, or written to them.
    let connections = || std::iter::from_fn(|| listener.accept().ok()).count();
    let address = format!("http://{}/mcp", listener.local_addr().expect("it is bound"));
    let (place, server) = (Place::new(), json!({ "url": address, "timeout": "1s" }));
    let ask = |freshness| problem(place.workspace_of(&server, freshness));
    let first = ask(Freshness::Quick).await;
    assert!(first.message.starts_with("the MCP server `fake` "), "{first}");
    assert!(connections() > 0);
    let again = ask(Freshness::Quick).await;
    let (when, what) = again.message.split_once(" s ago, ").expect("it says when");
    assert!(when.starts_with("not asked again so soon: ") && what == first.message, "{again}");
    assert_eq!(connections(), 0, "it is not asked");
}

#[tokio::test]
async fn every_server_is_asked_if_that_is_wanted() {
    let place = Place::new();
    place.keep().await;
    let workspace = place.workspace(Freshness::Asked);
    assert_eq!(workspace.to_be_asked(), 1);
    workspace.ready().await.expect("it is ready");
    assert_eq!(place.starts(), 2);
    workspace.close().await;
}

#[tokio::test]
async fn a_file_that_is_damaged_or_open_to_others_is_not_used() {
    let place = Place::new();
    place.keep().await;
    let (file, content) = (place.kept_file(), fs::read(place.kept_file()).expect("read"));
    let mode = |mode| fs::set_permissions(&file, fs::Permissions::from_mode(mode)).expect("changed");
    assert_eq!(fs::metadata(&file).expect("read").permissions().mode() & 0o777, 0o600);
    for (damaged, rights) in [(&content[..content.len() / 2], 0o600), (b"{}", 0o600), (&content, 0o644)] {
        fs::write(&file, damaged).expect("written");
        mode(rights);
        assert_eq!(place.workspace(Freshness::Kept).to_be_asked(), 1);
    }
    mode(0o600);
    assert_eq!(place.workspace(Freshness::Kept).to_be_asked(), 0);
}
