//! A service to connect to, and the requests that it got.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use isobox_core::{CallContext, CallSeq, Connector, ExecutionId, ToolCall, ToolError};
use serde_json::Value;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// A service that answers requests in turn with prepared answers, and the last one again and again.
pub(crate) struct Service {
    pub(crate) address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
    /// A folder for files about it.
    pub(crate) folder: TempDir,
}

/// A request, as the service got it.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    /// The method and the path with its query.
    pub(crate) line: String,
    /// The headers, in lower case.
    pub(crate) head: String,
    pub(crate) body: String,
}

/// Returns an answer with these lines of headers. The first one is the status.
pub(crate) fn answer(head: &[&str], body: &str) -> String {
    format!("HTTP/1.1 {}\r\ncontent-length: {}\r\n\r\n{body}", head.join("\r\n"), body.len())
}

/// Returns a successful answer of JSON.
pub(crate) fn ok(body: &Value) -> String {
    answer(&["200 OK", "content-type: application/json"], &body.to_string())
}

impl Service {
    pub(crate) async fn new(answers: Vec<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
        let address = listener.local_addr().expect("it is bound");
        let requests: Arc<Mutex<Vec<Request>>> = Arc::default();
        let answers = Arc::new(Mutex::new(VecDeque::from(answers)));
        let seen = Arc::clone(&requests);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&seen), Arc::clone(&answers)));
            }
        });
        Self { address, requests, folder: tempfile::tempdir().expect("a folder") }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("no thread panicked").clone()
    }
}

async fn serve(stream: TcpStream, seen: Arc<Mutex<Vec<Request>>>, answers: Arc<Mutex<VecDeque<String>>>) {
    let mut stream = BufReader::new(stream);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if stream.read_line(&mut head).await.unwrap_or(0) == 0 {
                return;
            }
        }
        let line = head.lines().next().expect("a line").trim_end_matches(" HTTP/1.1").to_owned();
        let head = head.to_lowercase();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "))
            .map_or(0, |text| text.parse().expect("a length"));
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await.expect("a body");
        seen.lock().expect("no thread panicked").push(Request {
            line,
            head,
            body: String::from_utf8_lossy(&body).into_owned(),
        });
        let answer = {
            let mut answers = answers.lock().expect("no thread panicked");
            if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() }.expect("there is an answer")
        };
        stream.write_all(answer.as_bytes()).await.expect("it is read");
    }
}

/// Calls a tool. Returns the message of its error.
pub(crate) async fn call(connector: &dyn Connector, tool: &str, input: Value) -> Result<Value, String> {
    called(connector, tool, input).await.map_err(|error| error.message().to_owned())
}

/// Calls a tool, and tells whether its error leaves it unknown what the call did.
pub(crate) async fn leaves_effect_unknown(connector: &dyn Connector, tool: &str, input: Value) -> bool {
    called(connector, tool, input).await.expect_err("the call fails").has_unknown_effect()
}

async fn called(connector: &dyn Connector, tool: &str, input: Value) -> Result<Value, ToolError> {
    let context = CallContext::new(ExecutionId::new(1, 2), CallSeq::new(3));
    connector.call(tool, ToolCall::new(input, context)).await
}
