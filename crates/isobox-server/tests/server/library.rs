//! The server as a client with a library sees it, over the pipes of a real process.

use std::path::PathBuf;
use std::process::Stdio;

use rmcp::model::{CallToolRequestParams, ClientConfig, ProtocolVersion};
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient, service::RunningService};
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};

#[tokio::test]
async fn a_client_of_either_era_lists_searches_and_runs_programs() {
    let newer = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    for era in [ClientLifecycleMode::Initialize, newer] {
        let (mut process, client) = connect(era).await;
        let tools = client.list_all_tools().await.unwrap();
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        assert_eq!(names, ["execute", "search"]);
        assert_eq!(tools[0].description.as_deref(), Some("Runs a program."));

        let arguments = json!({ "code": "1 + 1" });
        let call = CallToolRequestParams::new("execute").with_arguments(arguments.as_object().unwrap().clone());
        let result = client.call_tool(call).await.unwrap();
        assert_eq!(result.structured_content, Some(json!({ "status": "completed", "result": "1 + 1" })));
        assert_eq!(result.is_error, Some(false));

        let arguments = json!({ "query": "mail" });
        let call = CallToolRequestParams::new("search").with_arguments(arguments.as_object().unwrap().clone());
        let found = client.call_tool(call).await.unwrap().structured_content.unwrap();
        assert_eq!(found["query"], "mail");

        let refused = client.call_tool(CallToolRequestParams::new("execute")).await.unwrap();
        assert_eq!(refused.is_error, Some(true));
        assert!(format!("{:?}", refused.content).contains("`code` is missing"), "{refused:?}");

        client.cancel().await.unwrap();
        assert!(process.wait().await.unwrap().success());
        let mut said = String::new();
        process.stderr.take().unwrap().read_to_string(&mut said).await.unwrap();
        assert_eq!(said, "");
    }
}

#[tokio::test]
async fn a_process_whose_client_leaves_ends_even_while_a_program_runs() {
    let (mut process, client) = connect(ClientLifecycleMode::Initialize).await;
    let arguments = json!({ "code": "wait" });
    let call = CallToolRequestParams::new("execute").with_arguments(arguments.as_object().unwrap().clone());
    let waiting = {
        let peer = client.peer().clone();
        tokio::spawn(async move { peer.call_tool(call).await })
    };
    // Answered after the call was read, since lines are read in order.
    client.list_all_tools().await.unwrap();
    client.cancel().await.unwrap();
    assert!(waiting.await.unwrap().is_err());
    assert!(process.wait().await.unwrap().success());
}

async fn connect(era: ClientLifecycleMode) -> (Child, RunningService<RoleClient, ClientConfig>) {
    let mut process = Command::new(example())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("`cargo test` builds the example too");
    let pipes = (process.stdout.take().expect("a pipe"), process.stdin.take().expect("a pipe"));
    let client = ClientConfig::default().serve_with_lifecycle(pipes, era).await.expect("the server is ready");
    (process, client)
}

/// The example beside this test.
fn example() -> PathBuf {
    let test = std::env::current_exe().expect("this test is a file");
    let folder = test.parent().and_then(|folder| folder.parent()).expect("tests are two folders down");
    folder.join("examples/pretend")
}
