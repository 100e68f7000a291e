//! Servers that ask in the middle of a call, answer later, or want something of the host.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use isobox_connect::{McpConnector, McpOptions, McpRemote, McpRoot, Sampler};
use isobox_core::{Connector, ToolCall, ToolError, store};
use serde_json::{Value, json};

use crate::support::{eventually, tool_call};
use crate::web_server::{Answer, Piece, Request, WebServer};

pub(crate) fn connector(server: &WebServer) -> McpConnector {
    McpConnector::new("docs", McpRemote::new(server.url()), McpOptions::default())
}

/// Makes a call of a durable execution, which can wait for a person.
pub(crate) fn durable_call(input: Value) -> ToolCall {
    let mut call = tool_call(input);
    call.context.fencing_token = Some(1);
    call
}

/// Makes the same call again, after a person has answered its interrupt.
pub(crate) fn answered(input: Value, interrupt: &Value, resolution: Value) -> ToolCall {
    let mut call = durable_call(input);
    (call.interrupt, call.resolution) = (Some(interrupt.clone()), Some(resolution));
    call
}

pub(crate) fn interrupt(result: Result<Value, ToolError>) -> Value {
    let error = result.expect_err("the call is interrupted");
    error.interrupt_payload().unwrap_or_else(|| panic!("it is an interrupt: {error}")).clone()
}

pub(crate) fn elicitation() -> Value {
    json!({ "message": "Which city?", "requestedSchema": { "type": "object", "properties": { "city": { "type": "string" } } } })
}

/// A server with sessions that asks for a city during each call, and returns the answer.
async fn asking() -> WebServer {
    WebServer::new(|request| match (request.method.as_str(), request.rpc().as_str()) {
        ("POST", "initialize") => {
            let result = json!({ "protocolVersion": "2025-11-25", "capabilities": { "tools": {} },
                                 "serverInfo": { "name": "fake", "version": "1" } });
            Answer::result(request, result).header("mcp-session-id", "s")
        }
        ("POST", "tools/call") => {
            let id = request.message()["id"].clone();
            let question = format!("question {id}");
            let ask =
                json!({ "jsonrpc": "2.0", "id": question, "method": "elicitation/create", "params": elicitation() });
            Answer::events().event(&ask).piece(Piece::When(Box::new(move |requests| {
                let mut messages = requests.iter().map(Request::message);
                let answer =
                    messages.find(|message| message["id"] == question.as_str() && message["method"].is_null())?;
                let result = json!({ "jsonrpc": "2.0", "id": id, "result": { "structuredContent": answer["result"] } });
                Some(format!("data: {result}\n\n"))
            })))
        }
        ("POST", "server/discover") => Answer::status("400 Bad Request"),
        ("POST", _) => Answer::accepted(),
        _ => Answer::status("405 Method Not Allowed"),
    })
    .await
}

#[tokio::test]
async fn a_question_in_the_middle_of_a_call_is_an_interrupt_and_its_answer_continues_the_call() {
    let server = asking().await;
    let connector = connector(&server);
    let asked = interrupt(connector.call("weather", durable_call(json!({}))).await);
    assert_eq!(
        (&asked["type"], &asked["server"], &asked["message"]),
        (&json!("elicitation"), &json!("docs"), &json!("Which city?"))
    );
    assert_eq!(asked["requestedSchema"]["properties"]["city"]["type"], "string");
    let again = interrupt(connector.call("weather", answered(json!({}), &asked, json!("Rome"))).await);
    assert!(again["problem"].as_str().is_some_and(|problem| problem.contains("action")), "{again}");
    let answer = json!({ "action": "accept", "content": { "city": "Rome" } });
    let result = connector.call("weather", answered(json!({}), &again, answer.clone())).await;
    assert_eq!(result.expect("the call goes on"), answer);
    assert_eq!(server.messages("tools/call").len(), 1, "the call is sent once");
    assert!(server.messages("notifications/cancelled").is_empty());
    let capabilities = &server.messages("initialize")[0].message()["params"]["capabilities"];
    assert!(capabilities["elicitation"]["form"].is_object() && capabilities.get("sampling").is_none());
}

#[tokio::test]
async fn a_question_whose_connection_is_lost_leaves_the_call_in_doubt() {
    let server = asking().await;
    let first = connector(&server);
    let asked = interrupt(first.call("weather", durable_call(json!({}))).await);
    let answer = json!({ "action": "decline" });
    let another = connector(&server);
    let error = another.call("weather", answered(json!({}), &asked, answer.clone())).await.expect_err("it is lost");
    assert!(error.is_in_doubt() && error.message().contains("unknown whether the call had an effect"), "{error}");
    assert_eq!(server.messages("tools/call").len(), 1, "the call is not repeated");
    // The execution has ended otherwise: the server hears of it.
    let execution = durable_call(json!({})).context.execution;
    first.execution_ended(&execution, store::Status::Rejected).await;
    eventually(|| server.messages("notifications/cancelled").into_iter().next()).await;
    let error = first.call("weather", answered(json!({}), &asked, answer)).await.expect_err("it is given up");
    assert!(error.is_in_doubt());
}

#[tokio::test]
async fn a_run_that_cannot_wait_dismisses_questions() {
    let server = asking().await;
    let result = connector(&server).call("weather", tool_call(json!({}))).await.expect("the server goes on");
    assert_eq!(result, json!({ "action": "cancel" }));
}

/// A server with sessions that asks by a stream of its own during the call of `ask`, and answers nothing else that programs
/// can call.
async fn asking_aside() -> WebServer {
    WebServer::new(|request| match (request.method.as_str(), request.rpc().as_str()) {
        ("GET", _) => {
            let question = |requests: &[Request]| {
                let is_called = requests.iter().any(|request| request.message()["params"]["name"] == "ask");
                let ask = json!({ "jsonrpc": "2.0", "id": "question", "method": "elicitation/create",
                                  "params": elicitation() });
                is_called.then(|| format!("data: {ask}\n\n"))
            };
            Answer::events().piece(Piece::When(Box::new(question))).piece(Piece::WaitForClient)
        }
        ("POST", "initialize") => Answer::result(
            request,
            json!({ "protocolVersion": "2025-11-25", "capabilities": { "tools": {} },
                    "serverInfo": { "name": "fake", "version": "1" } }),
        ),
        ("POST", "tools/call") => {
            let (id, name) = (request.message()["id"].clone(), request.message()["params"]["name"].clone());
            match name.as_str() {
                Some("ask") => Answer::events().piece(Piece::When(Box::new(move |requests| {
                    let mut messages = requests.iter().map(Request::message);
                    let answer = messages.find(|message| message["id"] == "question")?;
                    let result =
                        json!({ "jsonrpc": "2.0", "id": id, "result": { "structuredContent": answer["result"] } });
                    Some(format!("data: {result}\n\n"))
                }))),
                Some("slow") => {
                    let task = json!({ "taskId": "t", "status": "working", "pollInterval": 50 });
                    Answer::result(request, json!({ "task": task }))
                }
                _ => Answer::events().piece(Piece::WaitForClient),
            }
        }
        ("POST", "tools/list") => Answer::result(request, json!({ "tools": [] })),
        ("POST", "tasks/get") => Answer::result(request, json!({ "taskId": "t", "status": "working" })),
        ("POST", "prompts/get" | "resources/read") => Answer::events().piece(Piece::WaitForClient),
        ("POST", "server/discover") => Answer::status("400 Bad Request"),
        ("POST", _) => Answer::accepted(),
        _ => Answer::status("405 Method Not Allowed"),
    })
    .await
}

#[tokio::test]
async fn a_question_that_names_no_call_reaches_a_person_only_if_it_can_be_about_no_other_call() {
    for (busy, method) in [
        (None, "initialize"),
        (Some("hang"), "tools/call"),
        (Some("slow"), "tasks/get"),
        (Some("prompts/use/review"), "prompts/get"),
        (Some("resources/read"), "resources/read"),
    ] {
        let server = asking_aside().await;
        let connector = connector(&server);
        connector.offer().await.expect("it works");
        let other = async {
            match busy {
                None => std::future::pending().await,
                Some(name) => connector.call(name, tool_call(json!({ "uri": "docs://1" }))).await,
            }
        };
        let asking = async {
            eventually(|| server.messages(method).pop()).await;
            connector.call("ask", durable_call(json!({}))).await
        };
        let asked = tokio::select! {
            ended = other => panic!("{busy:?} ended: {ended:?}"),
            asked = asking => asked,
        };
        match busy {
            None => assert_eq!(interrupt(asked)["message"], "Which city?"),
            Some(_) => assert_eq!(asked.expect("the server goes on"), json!({ "action": "cancel" }), "{busy:?}"),
        }
    }
}

/// Answers as a server without sessions does, except for other messages.
pub(crate) fn stateless(request: &Request, other: impl Fn(&Request) -> Answer) -> Answer {
    match request.rpc().as_str() {
        "server/discover" => Answer::result(
            request,
            json!({ "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": { "tools": {} },
                    "ttlMs": 0, "cacheScope": "private", "serverInfo": { "name": "fake", "version": "1" } }),
        ),
        "subscriptions/listen" => Answer::status("404 Not Found"),
        _ => other(request),
    }
}

#[tokio::test]
async fn input_that_a_stateless_server_requires_survives_a_restart() {
    let server = WebServer::new(|request| {
        stateless(request, |request| {
            let params = &request.message()["params"];
            let ask = json!({ "method": "elicitation/create", "params": elicitation() });
            let result = match params["requestState"].as_str() {
                None => json!({ "resultType": "input_required", "requestState": "state-1",
                                "inputRequests": { "one": ask, "roots": { "method": "roots/list" }, "two": ask } }),
                Some(state) => json!({ "resultType": "complete",
                                       "structuredContent": { "state": state, "answers": params["inputResponses"] } }),
            };
            Answer::result(request, result)
        })
    })
    .await;
    let input = json!({ "day": 1 });
    let first = interrupt(connector(&server).call("weather", durable_call(input.clone())).await);
    assert_eq!(first["message"], "Which city?");
    let rome = json!({ "action": "accept", "content": { "city": "Rome" } });
    let second = interrupt(connector(&server).call("weather", answered(input.clone(), &first, rome.clone())).await);
    let none = json!({ "action": "decline" });
    let result = connector(&server).call("weather", answered(input.clone(), &second, none.clone())).await;
    let answers = json!({ "one": rome, "roots": { "roots": [] }, "two": none });
    assert_eq!(result.expect("it is done"), json!({ "state": "state-1", "answers": answers }));
    let calls = server.messages("tools/call");
    assert_eq!(calls.len(), 2);
    assert_eq!(calls[1].message()["params"]["arguments"], input);
}

#[tokio::test]
async fn a_server_that_never_has_enough_input_is_given_up() {
    let server = WebServer::new(|request| {
        stateless(request, |request| {
            Answer::result(request, json!({ "resultType": "input_required", "requestState": "again" }))
        })
    })
    .await;
    let error = connector(&server).call("weather", durable_call(json!({}))).await.expect_err("it has an end");
    assert!(error.message().contains("more than 20 times"), "{error}");
}

struct Echo;

impl Sampler for Echo {
    fn sample<'a>(&'a self, server: &'a str, params: Value) -> BoxFuture<'a, Result<Value, String>> {
        let text = format!("{server}: {}", params["messages"][0]["content"]["text"].as_str().unwrap_or_default());
        let result = json!({ "role": "assistant", "model": "echo", "content": { "type": "text", "text": text } });
        Box::pin(std::future::ready(Ok(result)))
    }
}

#[tokio::test]
async fn a_host_that_wants_to_answers_for_roots_and_models_and_others_refuse_politely() {
    let ask = |method: &'static str, params: Value| async move {
        WebServer::new(move |request| match (request.method.as_str(), request.rpc().as_str()) {
            ("POST", "initialize") => Answer::result(
                request,
                json!({ "protocolVersion": "2025-11-25", "capabilities": { "tools": {} },
                        "serverInfo": { "name": "fake", "version": "1" } }),
            ),
            ("POST", "tools/call") => {
                static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
                let id = request.message()["id"].clone();
                let question = format!("question {}", COUNT.fetch_add(1, std::sync::atomic::Ordering::SeqCst));
                let asked = json!({ "jsonrpc": "2.0", "id": question, "method": method, "params": params });
                Answer::events().event(&asked).piece(Piece::When(Box::new(move |requests| {
                    let mut messages = requests.iter().map(Request::message);
                    let mut answer = messages.find(|message| message["id"] == question.as_str())?;
                    answer.as_object_mut()?.retain(|key, _| key == "result" || key == "error");
                    let result = json!({ "jsonrpc": "2.0", "id": id, "result": { "structuredContent": answer } });
                    Some(format!("data: {result}\n\n"))
                })))
            }
            ("POST", "server/discover") => Answer::status("400 Bad Request"),
            ("POST", _) => Answer::accepted(),
            _ => Answer::status("405 Method Not Allowed"),
        })
        .await
    };
    let text = json!({ "messages": [{ "role": "user", "content": { "type": "text", "text": "Hi" } }], "maxTokens": 5 });
    let with_model = ask("sampling/createMessage", text).await;
    let with_roots = ask("roots/list", json!({})).await;
    let willing = McpOptions::default()
        .roots(vec![McpRoot::new("file:///project").name("Project".to_owned())])
        .sampler(Arc::new(Echo) as Arc<dyn Sampler>);
    let call = async |server: &WebServer, options: &McpOptions| {
        let connector = McpConnector::new("docs", McpRemote::new(server.url()), options.clone());
        connector.call("ask", tool_call(json!({}))).await.expect("the server goes on")
    };
    assert_eq!(call(&with_model, &willing).await["result"]["content"]["text"], "docs: Hi");
    let roots = json!({ "roots": [{ "uri": "file:///project", "name": "Project" }] });
    assert_eq!(call(&with_roots, &willing).await["result"], roots);
    let unwilling = McpOptions::default();
    assert!(call(&with_model, &unwilling).await["error"]["message"].is_string());
    assert_eq!(call(&with_roots, &unwilling).await["result"], json!({ "roots": [] }));
    let told =
        |server: &WebServer, at: usize| server.messages("initialize")[at].message()["params"]["capabilities"].clone();
    assert!(told(&with_model, 0)["sampling"].is_object() && told(&with_model, 0)["roots"].is_object());
    assert!(told(&with_model, 1).get("sampling").is_none() && told(&with_model, 1).get("roots").is_none());
}
