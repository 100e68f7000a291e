//! Tools that run as tasks: they are followed, and outlive the process that has called them.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use isobox_connect::{McpConnector, McpOptions, McpRemote};
use isobox_core::{Connector, Progress, ProgressSink, ToolCall, ToolError, store};
use serde_json::{Value, json};

use crate::questions::{answered, connector, durable_call, elicitation, interrupt, stateless};
use crate::support::{eventually, tool_call};
use crate::web_server::{Answer, Piece, WebServer};

/// Makes a call again with the note that it has left, in another process each time.
async fn continued(server: &WebServer, tool: &str, mut call: ToolCall) -> Result<Value, ToolError> {
    loop {
        let result = connector(server).call(tool, call.clone()).await;
        match result.as_ref().err().and_then(ToolError::note) {
            Some(note) => {
                (call.note, call.interrupt, call.resolution) = (Some(note.clone()), None, None);
            }
            None => return result,
        }
    }
}

fn note(result: Result<Value, ToolError>) -> Value {
    let error = result.expect_err("the call leaves a note");
    error.note().unwrap_or_else(|| panic!("it is a note: {error}")).clone()
}

fn noted(input: Value, note: &Value) -> ToolCall {
    let mut call = durable_call(input);
    call.note = Some(note.clone());
    call
}

/// A server with tasks of protocol version 2025-11-25. Tasks work twice and are done then, unless they hang.
async fn with_tasks() -> WebServer {
    let asked = AtomicU32::new(0);
    WebServer::new(move |request| match (request.method.as_str(), request.rpc().as_str()) {
        ("POST", "initialize") => {
            let capabilities =
                json!({ "tools": {}, "tasks": { "cancel": {}, "requests": { "tools": { "call": {} } } } });
            Answer::result(
                request,
                json!({ "protocolVersion": "2025-11-25", "capabilities": capabilities,
                                            "serverInfo": { "name": "fake", "version": "1" } }),
            )
        }
        ("POST", "tools/list") => {
            let tool = json!({ "name": "slow", "description": "Slow.", "execution": { "taskSupport": "required" } });
            Answer::result(request, json!({ "tools": [tool] }))
        }
        ("POST", "tools/call") if request.message()["params"].get("task").is_none() => {
            let error = json!({ "code": -32601, "message": "only as a task" });
            Answer::json(&json!({ "jsonrpc": "2.0", "id": request.message()["id"], "error": error }))
        }
        ("POST", "tools/call") => {
            let id = if request.message()["params"]["arguments"]["hang"] == true { "hanging" } else { "task-1" };
            Answer::result(request, json!({ "task": { "taskId": id, "status": "working", "pollInterval": 50 } }))
        }
        ("POST", "tasks/get") => {
            let is_done =
                request.message()["params"]["taskId"] == "task-1" && asked.fetch_add(1, Ordering::SeqCst) >= 2;
            let status = if is_done { "completed" } else { "working" };
            Answer::result(request, json!({ "taskId": "task-1", "status": status, "statusMessage": "on it" }))
        }
        ("POST", "tasks/result") => Answer::result(request, json!({ "content": [{ "type": "text", "text": "done" }] })),
        ("POST", "tasks/cancel") => Answer::result(request, json!({ "taskId": "hanging", "status": "cancelled" })),
        ("POST", "server/discover") => Answer::status("400 Bad Request"),
        ("POST", _) => Answer::accepted(),
        _ => Answer::status("405 Method Not Allowed"),
    })
    .await
}

#[tokio::test]
async fn a_tool_that_runs_only_as_a_task_is_called_as_one() {
    let server = with_tasks().await;
    let connector = connector(&server);
    let offer = connector.offer().await.expect("it works");
    assert!(offer.warnings.is_empty(), "{:?}", offer.warnings);
    let [tool] = &offer.tools[..] else { panic!("{:?}", offer.tools) };
    assert_eq!((tool.path.as_deref(), &tool.own_names[..]), (None, &["slow".to_owned()][..]));
    let result = connector.call(&tool.name, tool_call(json!({ "a": 1 }))).await;
    assert_eq!(result.expect("the task is done"), json!("done"));
    let called = &server.messages("tools/call")[0].message()["params"];
    assert_eq!((&called["name"], &called["arguments"]), (&json!("slow"), &json!({ "a": 1 })));
    assert_eq!(server.messages("tasks/get").len(), 3);
    assert!(server.messages("tasks/cancel").is_empty());

    let dropped = connector.call(&tool.name, tool_call(json!({ "hang": true })));
    assert!(tokio::time::timeout(Duration::from_millis(1_500), dropped).await.is_err());
    let cancelled = eventually(|| server.messages("tasks/cancel").into_iter().next()).await;
    assert_eq!(cancelled.message()["params"]["taskId"], "hanging");
}

/// Whether a server knows its tasks, and whether they are done.
#[derive(Default)]
struct Work {
    is_done: AtomicBool,
    is_forgotten: AtomicBool,
}

/// A server of protocol version 2026-07-28 whose task is done when the test says so.
async fn working(work: &Arc<Work>) -> WebServer {
    let work = Arc::clone(work);
    WebServer::new(move |request| {
        stateless(request, |request| match request.rpc().as_str() {
            "tools/call" => Answer::result(
                request,
                json!({ "resultType": "task", "taskId": "t", "status": "working", "pollIntervalMs": 50 }),
            ),
            "tasks/get" if work.is_forgotten.load(Ordering::SeqCst) => {
                let error = json!({ "code": -32602, "message": "Task not found: t" });
                Answer::json(&json!({ "jsonrpc": "2.0", "id": request.message()["id"], "error": error }))
            }
            "tasks/get" => {
                let status = if work.is_done.load(Ordering::SeqCst) { "completed" } else { "working" };
                Answer::result(
                    request,
                    json!({ "resultType": "complete", "taskId": "t", "status": status,
                            "result": { "structuredContent": { "done": true } } }),
                )
            }
            "tasks/cancel" => Answer::result(request, json!({ "resultType": "complete" })),
            _ => Answer::status("404 Not Found"),
        })
    })
    .await
}

#[tokio::test]
async fn a_task_of_a_durable_execution_is_noted_and_continued_by_another_process() {
    let work = Arc::new(Work::default());
    let server = working(&work).await;
    let first = connector(&server);
    let note = note(first.call("slow", durable_call(json!({ "a": 1 }))).await);
    assert_eq!(note["task"], "t");
    // The process ends while it follows the task.
    let following =
        tokio::time::timeout(Duration::from_millis(300), first.call("slow", noted(json!({ "a": 1 }), &note)));
    assert!(following.await.is_err());
    first.close().await;
    work.is_done.store(true, Ordering::SeqCst);
    let result = connector(&server).call("slow", noted(json!({ "a": 1 }), &note)).await;
    assert_eq!(result.expect("the task is done"), json!({ "done": true }));
    assert_eq!(server.messages("tools/call").len(), 1, "the tool is called once");
    assert!(server.messages("tasks/cancel").is_empty());
}

#[tokio::test]
async fn a_task_with_sessions_is_continued_in_another_session() {
    let server = with_tasks().await;
    let [tool] = &connector(&server).offer().await.expect("it works").tools[..] else { panic!("one tool") };
    let result = continued(&server, &tool.name, durable_call(json!({}))).await;
    assert_eq!(result.expect("the task is done"), json!("done"));
    assert_eq!((server.messages("tools/call").len(), server.messages("tasks/result").len()), (1, 1));
}

#[tokio::test]
async fn a_task_that_the_server_no_longer_knows_leaves_the_call_in_doubt() {
    let work = Arc::new(Work::default());
    let server = working(&work).await;
    let note = note(connector(&server).call("slow", durable_call(json!({}))).await);
    work.is_forgotten.store(true, Ordering::SeqCst);
    let error = connector(&server).call("slow", noted(json!({}), &note)).await.expect_err("it is lost");
    assert!(error.is_in_doubt(), "{error}");
    assert!(
        error.message().contains("`docs` no longer knows the task") && error.message().contains("not found"),
        "{error}"
    );
    let error = connector(&server).call("slow", noted(json!({}), &json!({ "other": 1 }))).await.expect_err("no task");
    assert!(error.is_in_doubt() && error.message().contains("cannot be read"), "{error}");
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port").local_addr().expect("bound");
    let url = format!("http://{free}/mcp");
    let gone = isobox_connect::McpConnector::new("docs", isobox_connect::McpRemote::new(url), Default::default());
    let error = gone.call("slow", noted(json!({}), &note)).await.expect_err("the server is gone");
    assert!(error.is_in_doubt() && error.message().contains("not available"), "{error}");
}

#[tokio::test]
async fn a_task_is_cancelled_when_its_execution_ends() {
    let work = Arc::new(Work::default());
    let server = working(&work).await;
    let connector = connector(&server);
    let execution = durable_call(json!({})).context.execution;
    // Before the call continues, and while it does.
    let note = note(connector.call("slow", durable_call(json!({}))).await);
    connector.execution_ended(&execution, store::Status::Failed).await;
    eventually(|| server.messages("tasks/cancel").into_iter().next()).await;
    let following = connector.call("slow", noted(json!({}), &note));
    assert!(tokio::time::timeout(Duration::from_millis(300), following).await.is_err());
    assert_eq!(server.messages("tasks/cancel").len(), 1, "the execution may go on");
    connector.execution_ended(&execution, store::Status::Failed).await;
    let second = eventually(|| server.messages("tasks/cancel").into_iter().nth(1)).await;
    assert_eq!(second.message()["params"]["taskId"], "t");
}

#[tokio::test]
async fn a_task_goes_on_after_a_login_and_after_a_lost_question() {
    let work = Arc::new(Work::default());
    let server = working(&work).await;
    let note = note(connector(&server).call("slow", durable_call(json!({}))).await);
    work.is_done.store(true, Ordering::SeqCst);
    let question = json!({ "type": "elicitation", "server": "docs", "message": "Which city?" });
    for (payload, answer) in [(json!({ "type": "login" }), json!(true)), (question, json!({ "action": "decline" }))] {
        let mut call = answered(json!({}), &payload, answer);
        call.note = Some(note.clone());
        let result = connector(&server).call("slow", call).await;
        assert_eq!(result.expect("the task is done"), json!({ "done": true }), "{payload}");
    }
    assert_eq!(server.messages("tools/call").len(), 1);
}

#[tokio::test]
async fn a_task_of_a_stateless_server_may_ask_for_input() {
    let server = WebServer::new(|request| {
        stateless(request, |request| match request.rpc().as_str() {
            "tools/call" => Answer::result(request, json!({ "resultType": "task", "taskId": "t", "status": "working", "pollIntervalMs": 50 })),
            "tasks/update" => Answer::result(request, json!({ "resultType": "complete" })),
            "tasks/get" => {
                let ask = json!({ "method": "elicitation/create", "params": elicitation() });
                Answer::result(request, json!({ "resultType": "complete", "taskId": "t", "status": "input_required", "inputRequests": { "q": ask } }))
            }
            _ => Answer::status("404 Not Found"),
        })
    })
    .await;
    let asked = interrupt(continued(&server, "weather", durable_call(json!({}))).await);
    let rome = json!({ "action": "accept", "content": { "city": "Rome" } });
    // Another process goes on. This server asks the same question for ever.
    let again = interrupt(continued(&server, "weather", answered(json!({}), &asked, rome.clone())).await);
    assert_eq!(again["message"], "Which city?");
    let update = &server.messages("tasks/update")[0].message()["params"];
    assert_eq!((&update["taskId"], &update["inputResponses"]["q"]), (&json!("t"), &rome));
    assert_eq!(server.messages("tools/call").len(), 1);
}

#[tokio::test]
async fn the_time_of_a_call_includes_the_answers_about_its_task() {
    let server = WebServer::new(|request| {
        stateless(request, |request| match request.rpc().as_str() {
            "tools/call" => {
                Answer::result(request, json!({ "resultType": "task", "taskId": "t", "status": "working" }))
            }
            "tasks/get" => Answer::events().piece(Piece::WaitForClient),
            "tasks/cancel" => Answer::result(request, json!({ "resultType": "complete" })),
            _ => Answer::status("404 Not Found"),
        })
    })
    .await;
    let strict = McpOptions::default().call_timeout(Duration::from_secs(1));
    let options = [strict.clone(), strict.progress_prolongs(true)];
    // They are open until the end: a connector that is closed cancels nothing any more.
    let connectors = options.map(|options| McpConnector::new("docs", McpRemote::new(server.url()), options));
    for connector in &connectors {
        let error = connector.call("slow", tool_call(json!({}))).await.expect_err("it takes too long");
        assert_eq!(error.message(), "the MCP server `docs` did not answer within 1s");
    }
    eventually(|| (server.messages("tasks/cancel").len() == 2).then_some(())).await;
}

#[tokio::test]
async fn a_new_status_of_a_task_prolongs_its_call_only_if_it_is_configured() {
    /// With 50 ms between them, they take longer than the call may.
    const STEPS: u32 = 65;
    // On a busy machine, far more than 50 ms may pass between them.
    let strict = McpOptions::default().call_timeout(Duration::from_secs(3));
    for (options, expected) in [
        (strict.clone(), Err("the MCP server `docs` did not answer within 3s".to_owned())),
        (strict.progress_prolongs(true), Ok(json!({ "done": true }))),
    ] {
        let asked = AtomicU32::new(0);
        let server = WebServer::new(move |request| {
            stateless(request, |request| match request.rpc().as_str() {
                "tools/call" => Answer::result(
                    request,
                    json!({ "resultType": "task", "taskId": "t", "status": "working", "pollIntervalMs": 50 }),
                ),
                "tasks/get" => {
                    let step = asked.fetch_add(1, Ordering::SeqCst);
                    let status = if step < STEPS { "working" } else { "completed" };
                    Answer::result(
                        request,
                        json!({ "resultType": "complete", "taskId": "t", "status": status,
                                "statusMessage": format!("step {step}"), "result": { "structuredContent": { "done": true } } }),
                    )
                }
                "tasks/cancel" => Answer::result(request, json!({ "resultType": "complete" })),
                _ => Answer::status("404 Not Found"),
            })
        })
        .await;
        let connector = McpConnector::new("docs", McpRemote::new(server.url()), options);
        let result = connector.call("slow", tool_call(json!({}))).await;
        assert_eq!(result.map_err(|error| error.message().to_owned()), expected);
    }
}

#[tokio::test]
async fn no_part_of_a_secret_is_in_the_status_of_a_task_or_in_the_kind_of_a_result() {
    // Both texts are shortened within the secret.
    let quoted = |length: usize| format!("{} token-of-the-host", "x".repeat(length));
    let server = WebServer::new(move |request| {
        stateless(request, |request| match request.rpc().as_str() {
            "tools/call" if request.message()["params"]["name"] == "slow" => {
                Answer::result(request, json!({ "resultType": "task", "taskId": "t", "status": "working" }))
            }
            "tools/call" => Answer::result(request, json!({ "resultType": quoted(70) })),
            "tasks/get" => {
                let status = quoted(190);
                Answer::result(request, json!({ "resultType": "complete", "taskId": "t", "status": status }))
            }
            "tasks/cancel" => Answer::result(request, json!({ "resultType": "complete" })),
            _ => Answer::status("404 Not Found"),
        })
    })
    .await;
    let headers = [("Authorization".to_owned(), "Bearer token-of-the-host".to_owned())];
    let remote = McpRemote::new(server.url()).headers(headers.into());
    let connector = McpConnector::new("docs", remote, McpOptions::default());
    let told = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&told);
    let sink: Arc<ProgressSink> = Arc::new(move |report| kept.lock().expect("no thread panicked").push(report));
    for (tool, expected) in [("slow", "the task has an unknown status"), ("fast", "an unsupported kind of result")] {
        let mut call = tool_call(json!({}));
        call.progress = Progress::to(&sink);
        let error = connector.call(tool, call).await.expect_err("it is not supported");
        assert!(error.message().contains(expected) && error.message().contains("***"), "{error}");
        assert!(!error.message().contains("token"), "{error}");
    }
    let told: Vec<Value> = told.lock().expect("no thread panicked").clone();
    assert_eq!(told, [json!({ "status": format!("{} ***", "x".repeat(190)), "message": "" })]);
}
