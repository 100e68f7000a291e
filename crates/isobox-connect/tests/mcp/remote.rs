//! Servers that are reached over HTTP.

use std::collections::BTreeMap;
use std::time::Duration;

use isobox_connect::{McpConnector, McpOptions, McpRemote, McpTransport};
use isobox_core::{ByteSize, Code, Connector, Failure};
use serde_json::{Value, json};

use crate::support::{call, eventually, tool_call};
use crate::web_server::{Answer, Piece, Request, WebServer};

const SESSION: &str = "session-1";

fn connector(server: &WebServer) -> McpConnector {
    McpConnector::new("docs", McpRemote::new(server.url()), options())
}

fn options() -> McpOptions {
    McpOptions::default().start_timeout(Duration::from_secs(10))
}

fn initialized(request: &Request) -> Answer {
    let result = json!({ "protocolVersion": "2025-11-25", "capabilities": { "tools": {} },
                         "serverInfo": { "name": "fake", "version": "1" }, "instructions": "Be gentle." });
    Answer::result(request, result).header("mcp-session-id", SESSION)
}

/// Answers as a server with sessions does, except for calls.
pub(crate) fn with_sessions(request: &Request, call: impl Fn(&Request) -> Answer) -> Answer {
    match (request.method.as_str(), request.rpc().as_str()) {
        ("POST", "initialize") => initialized(request),
        ("POST", "tools/list") => Answer::result(request, json!({ "tools": [{ "name": "echo" }] })),
        ("POST", "tools/call") => call(request),
        ("POST", "server/discover") => Answer::status("400 Bad Request").text("no session"),
        ("POST", _) => Answer::accepted(),
        ("DELETE", _) => Answer::status("204 No Content"),
        _ => Answer::status("405 Method Not Allowed"),
    }
}

pub(crate) fn echoed(request: &Request) -> Value {
    json!({ "structuredContent": request.message()["params"]["arguments"] })
}

fn message(request: &Request, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": request.message()["id"], "result": result })
}

async fn failed(connector: &McpConnector) -> String {
    call(connector, "echo", json!({})).await.expect_err("the call fails").message().to_owned()
}

#[tokio::test]
async fn a_server_with_sessions_is_used_and_told_of_the_end() {
    let server =
        WebServer::new(|request| with_sessions(request, |request| Answer::result(request, echoed(request)))).await;
    let headers = BTreeMap::from([("X-Key".to_owned(), "key-of-mine".to_owned())]);
    let connector = McpConnector::new("docs", McpRemote::new(server.url()).headers(headers), options());
    let offer = connector.offer().await.expect("it works");
    assert_eq!((offer.tools[0].name.as_str(), offer.instructions.as_str()), ("echo", "Be gentle."));
    assert_eq!(call(&connector, "echo", json!({ "a": 1 })).await.expect("it works"), json!({ "a": 1 }));
    connector.close().await;
    let requests = server.requests();
    assert!(requests.iter().all(|request| request.header("x-key") == Some("key-of-mine")));
    let called = &server.messages("tools/call")[0];
    assert_eq!(called.header("mcp-session-id"), Some(SESSION));
    assert_eq!(called.header("mcp-protocol-version"), Some("2025-11-25"));
    assert_eq!(called.header("accept"), Some("application/json, text/event-stream"));
    let last = requests.iter().find(|request| request.method == "DELETE").expect("the session is ended");
    assert_eq!(last.header("mcp-session-id"), Some(SESSION));
}

#[tokio::test]
async fn a_server_that_fails_at_the_question_for_its_protocol_is_asked_the_older_way() {
    for (status, handshakes) in [
        ("500 Internal Server Error", 1),
        ("403 Forbidden", 1),
        ("409 Conflict", 1),
        ("401 Unauthorized", 0),
        ("429 Too Many Requests", 0),
        ("502 Bad Gateway", 0),
        ("503 Service Unavailable", 0),
        ("504 Gateway Timeout", 0),
    ] {
        let server = WebServer::new(move |request| match request.rpc().as_str() {
            "server/discover" => Answer::status(status),
            _ => with_sessions(request, |request| Answer::result(request, echoed(request))),
        })
        .await;
        let is_usable = connector(&server).offer().await.is_ok();
        assert_eq!((is_usable, server.messages("initialize").len()), (handshakes == 1, handshakes), "{status}");
    }
}

#[tokio::test]
async fn a_stream_that_breaks_is_continued_where_it_ended() {
    let server = WebServer::new(|request| match request.header("last-event-id") {
        Some("e1") => {
            let id = request_of_call();
            Answer::events().text(format!(
                "id: e2\ndata: {{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"structuredContent\":7}}}}\n\n"
            ))
        }
        _ => with_sessions(request, |request| {
            remember(request);
            Answer::events()
                .text("retry: 1\nid: e1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/unheard_of\"}\n\n")
        }),
    })
    .await;
    let connector = connector(&server);
    assert_eq!(call(&connector, "echo", json!({})).await.expect("it works"), json!(7));
    assert_eq!(server.messages("tools/call").len(), 1, "the call is not repeated");
}

static CALL: std::sync::Mutex<Option<Value>> = std::sync::Mutex::new(None);

fn remember(request: &Request) {
    *CALL.lock().expect("no thread panicked") = Some(request.message()["id"].clone());
}

fn request_of_call() -> Value {
    CALL.lock().expect("no thread panicked").clone().expect("there was a call")
}

#[tokio::test]
async fn a_response_without_an_answer_is_described_and_fails_the_call_and_not_the_session() {
    let server = WebServer::new(|request| {
        with_sessions(request, |request| match request.message()["params"]["arguments"]["end"].as_str() {
            Some("stream") => Answer::events(),
            Some("accepted") => Answer::accepted(),
            Some("empty") => Answer::status("200 OK"),
            Some("garbage") => Answer::json(&json!("nothing")),
            Some("list") => Answer::json(&json!([message(request, echoed(request))])),
            Some("other") => Answer::json(&json!({ "status": "fine" })),
            Some("html") => Answer::status("200 OK").header("content-type", "text/html").text("<p>page of the server"),
            Some("long") => Answer::status("200 OK").header("content-type", "text/plain").text("x".repeat(10_000)),
            _ => Answer::result(request, echoed(request)),
        })
    })
    .await;
    let connector = connector(&server);
    for (end, expected) in [
        ("stream", "closed the connection before it answered"),
        ("accepted", "answered with status 202 and without a message"),
        ("empty", "answered with status 200 and without a message"),
        ("garbage", "answered with status 200 (`application/json`), which is no message: \"nothing\""),
        ("list", "answered with status 200 (`application/json`), which is no message: [{"),
        ("other", "sent a message that does not answer the request"),
        ("html", "answered with status 200 (`text/html`), which is no message;"),
        ("long", "answered with status 200 (`text/plain`), which is no message: xxx"),
    ] {
        let error = call(&connector, "echo", json!({ "end": end })).await.expect_err("no answer");
        assert!(error.message().starts_with(&format!("the MCP server `docs` {expected}")), "{end}: {error}");
        assert!(error.message().ends_with("; it is unknown whether the call had an effect"), "{end}: {error}");
        assert!(error.has_unknown_effect() && error.message().len() < 400, "{end}: {error}");
    }
    assert_eq!(call(&connector, "echo", json!({ "a": 1 })).await.expect("it works"), json!({ "a": 1 }));
    assert_eq!(server.messages("initialize").len(), 1);
}

#[tokio::test]
async fn a_page_in_the_place_of_a_server_is_described_and_not_quoted() {
    let server = WebServer::new(|request| match request.method.as_str() {
        "POST" => Answer::status("200 OK").header("content-type", "text/html").text("<p>page\n".repeat(10)),
        _ => Answer::status("405 Method Not Allowed"),
    })
    .await;
    let error = connector(&server).offer().await.expect_err("it is no server");
    let expected = "does not speak MCP: it answered with status 200 (`text/html`), which is no message";
    assert!(error.message().ends_with(expected), "{error}");
}

#[tokio::test]
async fn progress_arrives_by_the_stream_of_its_call() {
    let server = WebServer::new(|request| {
        with_sessions(request, |request| {
            let token = &request.message()["params"]["_meta"]["progressToken"];
            let progress = json!({ "jsonrpc": "2.0", "method": "notifications/progress",
                                   "params": { "progressToken": token, "progress": 1, "total": 2 } });
            Answer::events().event(&progress).event(&message(request, echoed(request)))
        })
    })
    .await;
    let told = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let sink = std::sync::Arc::clone(&told);
    let sink: std::sync::Arc<dyn Fn(Value) + Send + Sync> =
        std::sync::Arc::new(move |value| sink.lock().expect("no thread panicked").push(value));
    let mut with_progress = tool_call(json!({}));
    with_progress.progress = isobox_core::Progress::to(&sink);
    connector(&server).call("echo", with_progress).await.expect("it works");
    assert_eq!(*told.lock().expect("no thread panicked"), [json!({ "progress": 1, "total": 2 })]);
}

#[tokio::test]
async fn a_session_that_the_server_has_forgotten_is_opened_again() {
    let calls = std::sync::atomic::AtomicU32::new(0);
    let server = WebServer::new(move |request| {
        with_sessions(request, |request| match calls.fetch_add(1, std::sync::atomic::Ordering::SeqCst) {
            0 => Answer::status("404 Not Found"),
            _ => Answer::result(request, echoed(request)),
        })
    })
    .await;
    let connector = connector(&server);
    assert_eq!(call(&connector, "echo", json!({ "a": 1 })).await.expect("it works"), json!({ "a": 1 }));
    assert_eq!((server.messages("initialize").len(), server.messages("tools/call").len()), (2, 2));
}

#[tokio::test]
async fn a_server_without_sessions_gets_the_headers_that_describe_messages() {
    let server = WebServer::new(|request| match request.rpc().as_str() {
        "server/discover" => Answer::result(
            request,
            json!({ "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": { "tools": {} },
                    "ttlMs": 0, "cacheScope": "private", "serverInfo": { "name": "fake", "version": "1" } }),
        ),
        "tools/list" => {
            let schema =
                json!({ "type": "object", "properties": { "region": { "type": "string", "x-mcp-header": "Region" } } });
            Answer::result(
                request,
                json!({ "resultType": "complete", "tools": [{ "name": "échoué", "inputSchema": schema }] }),
            )
        }
        "tools/call" => Answer::result(request, echoed(request)),
        _ => Answer::status("404 Not Found"),
    })
    .await;
    let connector = connector(&server);
    connector.offer().await.expect("it works");
    call(&connector, "échoué", json!({ "region": "eu" })).await.expect("it works");
    let called = &server.messages("tools/call")[0];
    assert_eq!(called.header("mcp-protocol-version"), Some("2026-07-28"));
    assert_eq!(called.header("mcp-method"), Some("tools/call"));
    assert_eq!(called.header("mcp-name"), Some("=?base64?w6ljaG91w6k=?="));
    assert_eq!(called.header("mcp-param-region"), Some("eu"));
    assert_eq!(called.header("mcp-session-id"), None);
}

#[tokio::test]
async fn a_dropped_call_is_cancelled_as_the_protocol_of_the_server_says() {
    let server =
        WebServer::new(|request| with_sessions(request, |_| Answer::events().piece(Piece::WaitForClient))).await;
    let with_session = connector(&server);
    let dropped = tokio::time::timeout(Duration::from_millis(1_500), call(&with_session, "echo", json!({})));
    assert!(dropped.await.is_err());
    let cancelled = eventually(|| server.messages("notifications/cancelled").into_iter().next()).await;
    assert_eq!(cancelled.message()["params"]["requestId"], server.messages("tools/call")[0].message()["id"]);
    eventually(|| server.requests().iter().any(|request| request.method == "closed").then_some(())).await;

    let server = WebServer::new(|request| match request.rpc().as_str() {
        "server/discover" => Answer::result(
            request,
            json!({ "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {},
                    "ttlMs": 0, "cacheScope": "private", "serverInfo": { "name": "fake", "version": "1" } }),
        ),
        "tools/call" => Answer::events().piece(Piece::WaitForClient),
        _ => Answer::status("404 Not Found"),
    })
    .await;
    let stateless = connector(&server);
    let dropped = tokio::time::timeout(Duration::from_millis(1_500), call(&stateless, "echo", json!({})));
    assert!(dropped.await.is_err());
    eventually(|| server.requests().iter().any(|request| request.method == "closed").then_some(())).await;
    assert!(server.messages("notifications/cancelled").is_empty());
}

#[tokio::test]
async fn an_old_server_with_one_stream_is_found_and_used() {
    let initialized = || {
        json!({ "protocolVersion": "2024-11-05", "capabilities": { "tools": {} },
                "serverInfo": { "name": "old", "version": "1" } })
    };
    // Each answer is sent once the request is there. Ids count from 0.
    let once = |method: &'static str, id: u32, result: Value| {
        let answer = json!({ "jsonrpc": "2.0", "id": id, "result": result });
        Piece::When(Box::new(move |requests| {
            requests
                .iter()
                .any(|request| request.rpc() == method && request.target.starts_with("/messages"))
                .then(|| format!("data: {answer}\n\n"))
        }))
    };
    let server = WebServer::new(move |request| match (request.method.as_str(), request.target.as_str()) {
        ("GET", "/mcp") => Answer::events()
            .text("event: endpoint\ndata: /messages?session=7\n\n")
            .piece(once("initialize", 0, initialized()))
            .piece(once("tools/call", 1, json!({ "content": [{ "type": "text", "text": "old" }] })))
            .piece(Piece::WaitForClient),
        ("POST", "/messages?session=7") => Answer::accepted(),
        _ => Answer::status("405 Method Not Allowed"),
    })
    .await;
    let connector = connector(&server);
    assert_eq!(call(&connector, "echo", json!({})).await.expect("it works"), json!("old"));
}

#[tokio::test]
async fn an_old_server_cannot_send_messages_elsewhere() {
    let server = WebServer::new(|request| match request.method.as_str() {
        "GET" => Answer::events()
            .text("event: endpoint\ndata: http://169.254.169.254/latest\n\n")
            .piece(Piece::WaitForClient),
        _ => Answer::status("405 Method Not Allowed"),
    })
    .await;
    let remote = McpRemote::new(server.url()).transport(McpTransport::Sse);
    let error = McpConnector::new("docs", remote, options()).offer().await.expect_err("it is refused");
    assert!(error.message().contains("belongs to another origin"), "{error}");
}

#[tokio::test]
async fn what_a_broken_server_says_is_an_error_that_names_it() {
    for (answer, expected) in [
        (Answer::status as fn(&str) -> Answer, "502 Bad Gateway"),
        (|_: &str| Answer::status("301 Moved").header("location", "https://elsewhere.example/mcp"), "redirects to"),
        (|_: &str| Answer::status("403 Forbidden").text("not you"), "403: not you"),
    ] {
        let server = WebServer::new(move |_| answer("502 Bad Gateway")).await;
        let error = connector(&server).offer().await.expect_err("it does not work");
        let expected = expected.trim_end_matches(" Bad Gateway");
        assert!(error.message().contains("the MCP server `docs`") && error.message().contains(expected), "{error}");
        let failure = Failure::from(error);
        assert_eq!(failure.code, Code::Config);
        assert_eq!(failure.hint.as_deref(), Some("check the `url`, and that the server runs"), "{}", failure.message);
    }
    let nobody = McpRemote::new("http://127.0.0.1:1/mcp");
    let error = McpConnector::new("docs", nobody, options()).offer().await.expect_err("nobody is there");
    assert!(error.message().contains("cannot be reached"), "{error}");
    let failure = Failure::from(error);
    assert_eq!(failure.code, Code::Config);
    assert_eq!(failure.hint.as_deref(), Some("check the `url`, and that the server runs"));
    for (url, expected) in [("ftp://a.example", "neither http nor https"), ("http://u:p@a.example", "user name")] {
        let error = McpConnector::new("docs", McpRemote::new(url), options()).offer().await.expect_err("unusable");
        assert!(error.message().contains(expected), "{error}");
        let failure = Failure::from(error);
        assert_eq!((failure.code, failure.hint.as_deref()), (Code::Config, Some("correct its entry")));
    }
}

#[tokio::test]
async fn a_name_that_resolves_to_this_computer_is_not_followed_elsewhere() {
    // The configured host may be private. What it redirects to is never followed.
    let server = WebServer::new(|request| {
        with_sessions(request, |_| {
            Answer::status("307 Temporary Redirect").header("location", "http://169.254.169.254/")
        })
    })
    .await;
    let error = failed(&connector(&server)).await;
    assert!(error.contains("redirects to `http://169.254.169.254/`, which is not followed"), "{error}");
}

#[tokio::test]
async fn an_answer_that_is_too_large_is_refused_while_it_arrives() {
    let large = |request: &Request| {
        let text = "x".repeat(3 << 20);
        message(request, json!({ "content": [{ "type": "text", "text": text }] }))
    };
    let server = WebServer::new(move |request| {
        with_sessions(request, |request| match request.message()["params"]["name"].as_str() {
            Some("json") => Answer::json(&large(request)),
            Some("events") => Answer::events().event(&large(request)),
            _ => Answer::result(request, echoed(request)),
        })
    })
    .await;
    let remote = McpRemote::new(server.url());
    let connector = McpConnector::new("docs", remote, options().max_message(ByteSize::mib(1)));
    for tool in ["json", "events"] {
        let error = call(&connector, tool, json!({})).await.expect_err("it is too large");
        assert!(error.message().contains("more than 1 MiB"), "{tool}: {error}");
    }
    assert_eq!(call(&connector, "echo", json!({})).await.expect("it works"), json!({}));
}

#[tokio::test]
async fn a_remote_server_that_does_not_answer_is_given_up_and_holds_up_nobody() {
    let server = WebServer::new(|_| Answer::status("200 OK").piece(Piece::WaitForClient)).await;
    let remote = McpRemote::new(server.url()).transport(McpTransport::StreamableHttp);
    let silent = McpConnector::new("docs", remote, options().start_timeout(Duration::from_millis(300)));
    let error = silent.offer().await.expect_err("it does not answer");
    assert!(error.message().contains("within 300ms"), "{error}");
    let slow = WebServer::new(|request| with_sessions(request, |_| Answer::events().piece(Piece::WaitForClient))).await;
    let remote = McpRemote::new(slow.url());
    let connector = McpConnector::new("docs", remote, options().call_timeout(Duration::from_millis(200)));
    assert_eq!(failed(&connector).await, "the MCP server `docs` did not answer within 200ms");
}

#[tokio::test]
async fn progress_prolongs_a_call_only_if_it_is_configured() {
    let serve = |request: &Request| {
        with_sessions(request, |request| {
            let token = &request.message()["params"]["_meta"]["progressToken"];
            let mut answer = Answer::events();
            for step in 0..8 {
                let progress = json!({ "jsonrpc": "2.0", "method": "notifications/progress",
                                       "params": { "progressToken": token, "progress": step } });
                answer = answer.event(&progress).piece(Piece::Wait(Duration::from_millis(400)));
            }
            answer.event(&message(request, echoed(request)))
        })
    };
    let server = WebServer::new(serve).await;
    let patience = options().call_timeout(Duration::from_secs(2));
    let strict = McpConnector::new("docs", McpRemote::new(server.url()), patience.clone());
    assert_eq!(failed(&strict).await, "the MCP server `docs` did not answer within 2s");
    let patient = McpConnector::new("docs", McpRemote::new(server.url()), patience.progress_prolongs(true));
    call(&patient, "echo", json!({})).await.expect("it goes on for as long as there is progress");
}

/// Answers with the credentials of every request.
fn repeated(request: &Request) -> Answer {
    let header = |name: &str| request.header(name).unwrap_or_default().to_owned();
    let (authorization, version) = (header("authorization"), header("x-version"));
    let token = authorization.trim_start_matches("Bearer ");
    let text = |text: String| json!([{ "type": "text", "text": text }]);
    match request.message()["params"]["name"].as_str().unwrap_or_default() {
        "text" => Answer::result(request, json!({ "content": text(format!("you are {authorization} of {version}")) })),
        "json" => {
            Answer::result(request, json!({ "content": text(json!({ "authorization": authorization }).to_string()) }))
        }
        "structured" => Answer::result(request, json!({ "structuredContent": { token: [token, version] } })),
        "failed" => {
            let long = format!("{} {token}", "x".repeat(3_990));
            Answer::result(request, json!({ "isError": true, "content": text(long) }))
        }
        "refused" => {
            let error = json!({ "code": -32_000, "message": format!("{token} may not do this") });
            Answer::json(&json!({ "jsonrpc": "2.0", "id": request.message()["id"], "error": error }))
        }
        "denied" => Answer::status("403 Forbidden").text(format!("{} {token}", "x".repeat(190))),
        _ => {
            let token_of_call = &request.message()["params"]["_meta"]["progressToken"];
            let progress = json!({ "jsonrpc": "2.0", "method": "notifications/progress",
                                   "params": { "progressToken": token_of_call, "progress": 1, "message": authorization } });
            Answer::events().event(&progress).event(&message(request, json!({ "structuredContent": 1 })))
        }
    }
}

#[tokio::test]
async fn a_server_that_repeats_credentials_gives_none_to_a_program() {
    let server = WebServer::new(|request| match (request.rpc().as_str(), request.header("authorization")) {
        ("tools/list", Some(authorization)) => {
            Answer::result(request, json!({ "tools": [{ "name": "text", "description": authorization }] }))
        }
        ("initialize", _) => {
            let result = json!({ "protocolVersion": "2025-11-25", "capabilities": { "tools": {}, "resources": {} },
                                 "serverInfo": { "name": "fake", "version": "1" } });
            Answer::result(request, result).header("mcp-session-id", SESSION)
        }
        ("resources/list", Some(authorization)) => {
            // A line of 160 characters has room for a part of it.
            let description = format!("{}{authorization}", "x".repeat(135));
            Answer::result(request, json!({ "resources": [{ "uri": "docs://1", "description": description }] }))
        }
        ("resources/templates/list", _) => Answer::result(request, json!({ "resourceTemplates": [] })),
        _ => with_sessions(request, repeated),
    })
    .await;
    let headers = [("Authorization", "Bearer token-of-the-host"), ("X-Version", "2026-01-01")];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let connector = McpConnector::new("docs", McpRemote::new(server.url()).headers(headers), options());
    let offer = connector.offer().await.expect("it works");
    assert_eq!(offer.tools[0].description, "***");
    let inventory: String = offer.tools.iter().map(|tool| &*tool.inventory).collect();
    assert!(inventory.ends_with("xxx***"), "{inventory}");
    for (tool, expected) in [
        ("text", json!("you are *** of 2026-01-01")),
        ("json", json!({ "authorization": "***" })),
        ("structured", json!({ "***": ["***", "2026-01-01"] })),
    ] {
        assert_eq!(call(&connector, tool, json!({})).await.expect("it works"), expected, "{tool}");
    }
    for (tool, expected) in [("failed", "x ***"), ("refused", "*** may not do this"), ("denied", "403: xxx")] {
        let error = call(&connector, tool, json!({})).await.expect_err("it fails");
        assert!(error.message().contains(expected), "{tool}: {error}");
        assert!(!format!("{error:?}").contains("token-of"), "{tool}: {error:?}");
    }
    let told = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let sink = std::sync::Arc::clone(&told);
    let sink: std::sync::Arc<dyn Fn(Value) + Send + Sync> =
        std::sync::Arc::new(move |value| sink.lock().expect("no thread panicked").push(value));
    let mut with_progress = tool_call(json!({}));
    with_progress.progress = isobox_core::Progress::to(&sink);
    connector.call("progress", with_progress).await.expect("it works");
    assert_eq!(*told.lock().expect("no thread panicked"), [json!({ "progress": 1, "message": "***" })]);
}
