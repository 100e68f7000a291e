//! Streams of remote servers that end, that fail for a moment, and that bring more than can be answered.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use isobox_core::Connector;
use serde_json::{Value, json};

use crate::questions::{connector, stateless};
use crate::remote::{echoed, with_sessions};
use crate::support::{call, eventually};
use crate::web_server::{Answer, Piece, Request, WebServer};

#[tokio::test]
async fn a_stream_of_changes_that_fails_for_a_moment_is_opened_again() {
    for trouble in ["429 Too Many Requests", "500 Internal Server Error", "502 Bad Gateway", "503 Service Unavailable"]
    {
        let is_away = AtomicBool::new(true);
        let change = json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" });
        let server = WebServer::new(move |request| match request.method.as_str() {
            "GET" if is_away.swap(false, Ordering::SeqCst) => Answer::status(trouble),
            "GET" => Answer::events().event(&change).piece(Piece::WaitForClient),
            _ => with_sessions(request, |request| Answer::result(request, echoed(request))),
        })
        .await;
        let connector = connector(&server);
        let before = connector.generation();
        connector.offer().await.expect("it works");
        connector.changed(before).await;
    }
}

#[tokio::test]
async fn an_answer_is_continued_although_the_server_is_away_for_a_moment() {
    let (called, is_away) = (Mutex::new(Value::Null), AtomicBool::new(true));
    let server = WebServer::new(move |request| match request.header("last-event-id") {
        Some(_) if is_away.swap(false, Ordering::SeqCst) => Answer::status("503 Service Unavailable"),
        Some(_) => {
            let id = called.lock().expect("no thread panicked").clone();
            Answer::events().event(&json!({ "jsonrpc": "2.0", "id": id, "result": { "structuredContent": 7 } }))
        }
        None => with_sessions(request, |request| {
            *called.lock().expect("no thread panicked") = request.message()["id"].clone();
            Answer::events()
                .text("retry: 1\nid: e1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/unheard_of\"}\n\n")
        }),
    })
    .await;
    assert_eq!(call(&connector(&server), "echo", json!({})).await.expect("it works"), json!(7));
    assert_eq!(server.messages("tools/call").len(), 1, "the call is not repeated");
}

/// Answers a subscription as told, and every further one with a change.
fn subscribed(request: &Request, first: Option<&str>) -> Answer {
    let message = request.message();
    let meta = json!({ "io.modelcontextprotocol/subscriptionId": message["id"] });
    let acknowledged = json!({ "jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
                               "params": { "notifications": message["params"]["notifications"], "_meta": meta } });
    let change = json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": { "_meta": meta } });
    let end = json!({ "jsonrpc": "2.0", "id": message["id"], "result": { "resultType": "complete", "_meta": meta } });
    let answer = Answer::events().event(&acknowledged);
    match first {
        None => answer.event(&change).piece(Piece::WaitForClient),
        Some("cut") => answer,
        Some("ended") => answer.event(&end).piece(Piece::WaitForClient),
        Some(status) => Answer::status(status),
    }
}

#[tokio::test]
async fn a_subscription_that_ends_or_fails_for_a_moment_is_renewed() {
    for first in ["cut", "ended", "502 Bad Gateway"] {
        let is_first = AtomicBool::new(true);
        let server = WebServer::new(move |request| match request.rpc().as_str() {
            "subscriptions/listen" => subscribed(request, is_first.swap(false, Ordering::SeqCst).then_some(first)),
            _ => {
                stateless(request, |request| Answer::result(request, json!({ "resultType": "complete", "tools": [] })))
            }
        })
        .await;
        let connector = connector(&server);
        let before = connector.generation();
        connector.offer().await.expect("it works");
        // One for the interruption, in which changes may have been missed.
        eventually(|| (connector.generation() == before + 2).then_some(())).await;
        if first == "ended" {
            // The stream that the server has left open.
            eventually(|| server.requests().iter().any(|request| request.method == "closed").then_some(())).await;
        }
    }
}

/// The connections of a server for answers to its requests, which it does not accept yet.
#[derive(Default)]
struct Held {
    now: AtomicUsize,
    most: AtomicUsize,
    are_accepted: AtomicBool,
}

impl Held {
    fn hold(self: &Arc<Self>) -> Answer {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        let held = Arc::clone(self);
        Answer::status("200 OK").piece(Piece::When(Box::new(move |_| {
            held.are_accepted.load(Ordering::SeqCst).then(|| {
                held.now.fetch_sub(1, Ordering::SeqCst);
                String::new()
            })
        })))
    }
}

fn answers_a_ping(request: &Request) -> bool {
    request.message()["id"].as_str().is_some_and(|id| id.starts_with("ping"))
}

#[tokio::test]
async fn answers_to_a_flood_of_requests_take_few_connections_and_calls_go_on() {
    const PINGS: usize = 200;
    const CONNECTIONS: usize = 32;
    let held = Arc::new(Held::default());
    let holding = Arc::clone(&held);
    let server = WebServer::new(move |request| {
        if answers_a_ping(request) {
            return holding.hold();
        }
        with_sessions(request, |request| match request.message()["params"]["name"].as_str() {
            Some("flood") => {
                let ping =
                    |number: usize| json!({ "jsonrpc": "2.0", "id": format!("ping {number}"), "method": "ping" });
                let answer = (0..PINGS).fold(Answer::events(), |answer, number| answer.event(&ping(number)));
                answer.event(&json!({ "jsonrpc": "2.0", "id": request.message()["id"], "result": echoed(request) }))
            }
            _ => Answer::result(request, echoed(request)),
        })
    })
    .await;
    let connector = connector(&server);
    let input = json!({ "a": 1 });
    assert_eq!(call(&connector, "flood", input.clone()).await.expect("it works"), input);
    eventually(|| (held.now.load(Ordering::SeqCst) == CONNECTIONS).then_some(())).await;
    assert_eq!(call(&connector, "echo", input.clone()).await.expect("it works"), input);
    held.are_accepted.store(true, Ordering::SeqCst);
    let answered = || server.requests().iter().filter(|request| answers_a_ping(request)).count();
    eventually(|| (answered() == PINGS).then_some(())).await;
    assert_eq!(held.most.load(Ordering::SeqCst), CONNECTIONS);
}
