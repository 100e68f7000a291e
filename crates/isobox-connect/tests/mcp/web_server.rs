//! A web server whose answers a test decides, and the requests that it got.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// A web server.
pub(crate) struct WebServer {
    pub(crate) address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
}

/// A request, as the server got it.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// The path with its query.
    pub(crate) target: String,
    head: String,
    pub(crate) body: String,
}

/// An answer: its status and headers, and the pieces of its body.
pub(crate) struct Answer {
    head: Vec<String>,
    pieces: Vec<Piece>,
}

/// A part of the body of an answer.
pub(crate) enum Piece {
    Text(String),
    Wait(Duration),
    /// Waits until the client closes the connection.
    WaitForClient,
    /// Waits until the requests so far lead to a text.
    When(Box<Found>),
}

/// Returns a text once the requests so far lead to one.
type Found = dyn Fn(&[Request]) -> Option<String> + Send + Sync;

impl Request {
    /// Returns the value of a header, whose name is in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    /// Returns the message of the body, or null.
    pub(crate) fn message(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// Returns the method of the message.
    pub(crate) fn rpc(&self) -> String {
        self.message()["method"].as_str().unwrap_or_default().to_owned()
    }

    /// Returns the value of a field of a form or a query.
    pub(crate) fn field(&self, name: &str) -> Option<String> {
        let query = self.target.split_once('?').map_or("", |(_, query)| query);
        let mut pairs = query.split('&').chain(self.body.split('&')).filter_map(|pair| pair.split_once('='));
        let (_, value) = pairs.find(|(key, _)| *key == name)?;
        Some(percent_encoding::percent_decode_str(value).decode_utf8_lossy().into_owned())
    }
}

impl Answer {
    pub(crate) fn status(status: &str) -> Self {
        Self { head: vec![format!("HTTP/1.1 {status}")], pieces: Vec::new() }
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.head.push(format!("{name}: {value}"));
        self
    }

    pub(crate) fn text(mut self, text: impl Into<String>) -> Self {
        self.pieces.push(Piece::Text(text.into()));
        self
    }

    pub(crate) fn piece(mut self, piece: Piece) -> Self {
        self.pieces.push(piece);
        self
    }

    pub(crate) fn json(value: &Value) -> Self {
        Self::status("200 OK").header("content-type", "application/json").text(value.to_string())
    }

    /// Answers a request with a result.
    pub(crate) fn result(request: &Request, result: Value) -> Self {
        Self::json(&json!({ "jsonrpc": "2.0", "id": request.message()["id"], "result": result }))
    }

    pub(crate) fn accepted() -> Self {
        Self::status("202 Accepted")
    }

    /// Answers with a stream of events.
    pub(crate) fn events() -> Self {
        Self::status("200 OK").header("content-type", "text/event-stream")
    }

    /// Adds an event.
    pub(crate) fn event(self, message: &Value) -> Self {
        self.text(format!("event: message\ndata: {message}\n\n"))
    }
}

impl WebServer {
    pub(crate) async fn new(decide: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        Self::at("127.0.0.1:0", decide).await
    }

    /// Starts a server whose answers depend on its own address.
    pub(crate) async fn knowing_itself(decide: impl Fn(&str, &Request) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
        let own = format!("http://{}", listener.local_addr().expect("it is bound"));
        Self::run(listener, move |request| decide(&own, request))
    }

    async fn at(address: &str, decide: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        Self::run(TcpListener::bind(address).await.expect("there is a free port"), decide)
    }

    fn run(listener: TcpListener, decide: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        let address = listener.local_addr().expect("it is bound");
        let requests: Arc<Mutex<Vec<Request>>> = Arc::default();
        let (seen, decide) = (Arc::clone(&requests), Arc::new(decide));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (seen, decide) = (Arc::clone(&seen), Arc::clone(&decide));
                tokio::spawn(async move {
                    // A client that goes away ends its connection, and nothing else.
                    let _ = serve(stream, &seen, &*decide).await;
                });
            }
        });
        Self { address, requests }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("no thread panicked").clone()
    }

    /// Returns the requests with messages of a method.
    pub(crate) fn messages(&self, method: &str) -> Vec<Request> {
        self.requests().into_iter().filter(|request| request.rpc() == method).collect()
    }
}

async fn serve(
    stream: TcpStream,
    seen: &Mutex<Vec<Request>>,
    decide: &(dyn Fn(&Request) -> Answer + Send + Sync),
) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head).await? == 0 {
            return Ok(());
        }
    }
    let mut words = head.split(' ');
    let (method, target) = (words.next().unwrap_or_default().to_owned(), words.next().unwrap_or_default().to_owned());
    let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).await?;
    let request = Request { method, target, head, body: String::from_utf8_lossy(&body).into_owned() };
    seen.lock().expect("no thread panicked").push(request.clone());
    let Answer { head, pieces } = decide(&request);
    stream.write_all(format!("{}\r\nconnection: close\r\n\r\n", head.join("\r\n")).as_bytes()).await?;
    for piece in pieces {
        match piece {
            Piece::Text(text) => stream.write_all(text.as_bytes()).await?,
            Piece::Wait(time) => tokio::time::sleep(time).await,
            Piece::When(text) => {
                let found = crate::support::eventually(|| text(&seen.lock().expect("no thread panicked"))).await;
                stream.write_all(found.as_bytes()).await?;
            }
            Piece::WaitForClient => {
                stream.flush().await?;
                let _ = stream.read(&mut [0]).await;
                seen.lock()
                    .expect("no thread panicked")
                    .push(Request { method: "closed".to_owned(), ..request.clone() });
                return Ok(());
            }
        }
        stream.flush().await?;
    }
    stream.shutdown().await
}
