//! A workspace whose servers start, stop and fail.

use std::path::PathBuf;
use std::time::Duration;

use isobox::config::Config;
use isobox::json;
use isobox::program::Module;
use isobox::workspace::{Workspace, WorkspaceOptions};

const FAKE_SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../isobox-connect/tests/mcp/fake_server.py");

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("isobox-workspace-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// Counts the starts of a server that writes to this file.
    fn starts(&self, journal: &str) -> usize {
        let journal = std::fs::read_to_string(self.0.join(journal)).unwrap_or_default();
        journal.lines().filter(|line| line.contains("\"event\": \"start\"")).count()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).expect("removed");
    }
}

fn workspace(servers: &[(&str, &[&str])]) -> Workspace {
    let servers: Vec<String> = servers
        .iter()
        .map(|(name, args)| {
            let args: Vec<&str> = [FAKE_SERVER].iter().chain(*args).copied().collect();
            format!("{}: {}", json!(name), json!({ "command": "python3", "args": args }))
        })
        .collect();
    let config = format!("{{ \"mcpServers\": {{ {} }} }}", servers.join(", "));
    let config = Config::parse(&config, &|_| None).expect("it is one");
    Workspace::new(config, WorkspaceOptions::default()).expect("the runtime starts")
}

fn paths(ready: &isobox::connector::Ready) -> Vec<String> {
    ready.isobox.catalogue().iter().map(|tool| tool.path().to_string()).collect()
}

/// Advances the paused clock.
async fn pass(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}

#[tokio::test]
async fn a_server_that_does_not_start_is_tried_again_behind_everybodys_back() {
    let folder = Folder::new("retry");
    let (journal, flag) = (folder.file("journal"), folder.file("broken"));
    std::fs::write(&flag, "").expect("written");
    let broken = ["--journal", &journal, "--exit-at-start-while", &flag];
    // Both have the same identifier: the missing one keeps it.
    let workspace = workspace(&[("the-fake", &broken), ("the fake", &[])]);
    for _ in 0..3 {
        let ready = workspace.ready().await.expect("it is ready");
        assert_eq!(ready.problems.len(), 1);
        assert_eq!(paths(&ready), ["the_fake_2.echo", "the_fake_2.fail"]);
        assert_eq!(folder.starts("journal"), 1);
    }
    for starts in 2..4 {
        pass(Duration::from_secs(31)).await;
        let ready = workspace.ready().await.expect("it is ready");
        assert_eq!(ready.problems.len(), 1);
        while folder.starts("journal") < starts {
            tokio::time::sleep(Duration::from_millis(10)).await;
            let ready = workspace.ready().await.expect("it is ready");
            assert_eq!(ready.problems.len(), 1);
        }
        // Waits until the result of the start is known.
        tokio::time::sleep(Duration::from_millis(300)).await;
        workspace.ready().await.expect("it is ready");
        assert_eq!(folder.starts("journal"), starts);
    }
    std::fs::remove_file(&flag).expect("removed");
    pass(Duration::from_secs(31)).await;
    let all = loop {
        let ready = workspace.ready().await.expect("it is ready");
        if ready.problems.is_empty() {
            break paths(&ready);
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    assert_eq!(all, ["the_fake.echo", "the_fake.fail", "the_fake_2.echo", "the_fake_2.fail"]);
    workspace.close().await;
}

#[tokio::test]
async fn what_a_server_leaves_out_is_a_warning_of_the_workspace() {
    let workspace = workspace(&[("fake", &[])]);
    let ready = workspace.ready().await.expect("it is ready");
    let expected = ["`fake`: a second tool with the name `echo` is left out: it could not be called"];
    assert_eq!(ready.isobox.catalogue().warnings(), expected);
    workspace.close().await;
}

#[tokio::test]
async fn modules_of_the_host_are_imported_beside_those_of_the_configuration() {
    let folder = Folder::new("modules");
    std::fs::write(folder.0.join("one.ts"), "export default 1").expect("it is written");
    let config = json!({ "store": "none", "modules": { "one": folder.file("one.ts") } }).to_string();
    let config = Config::parse(&config, &|_| None).expect("it is one");
    let two = Module::code("two", "export default 2").expect("a module");
    let workspace = Workspace::new(config, WorkspaceOptions::default().modules(vec![two])).expect("the runtime starts");
    let isobox = workspace.ready().await.expect("it is ready").isobox;
    let outcome = isobox.run("import one from 'one'; import two from 'two'; export default one + two").await;
    assert_eq!(outcome.into_result().expect("it completes"), json!(3));
}
