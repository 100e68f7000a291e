//! The server as a client without any library sees it: line by line.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use isobox_server::{CodeMode, Executed, ProgressSender, ServeError, serve};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};
use tokio::sync::{Mutex, Notify};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

#[derive(Clone, Default)]
struct Fake {
    started: Arc<Notify>,
    was_cancelled: Arc<AtomicBool>,
    /// Held while a program waits.
    waiting: Arc<Mutex<()>>,
    can_pause: bool,
}

impl CodeMode for Fake {
    async fn describe(&self) -> String {
        "Runs a program.\n\n```ts\ndeclare const tools: {};\n```".to_owned()
    }

    async fn plan(&self, code: String, _: CancellationToken) -> Executed {
        Executed { text: format!("the plan of {code}"), ..Executed::default() }
    }

    async fn execute(
        &self,
        code: String,
        cancellation: CancellationToken,
        progress: Option<ProgressSender>,
    ) -> Executed {
        match code.as_str() {
            "wait" => {
                let _waiting = self.waiting.lock().await;
                self.started.notify_one();
                cancellation.cancelled().await;
                self.was_cancelled.store(true, Ordering::SeqCst);
            }
            "panic" => panic!("on purpose"),
            "count" => {
                // A second, as the paused clock of the test counts it.
                for number in 0..100 {
                    if let Some(progress) = &progress {
                        progress.tell(&format!("step\n{number} \u{1b}[31m{}", "x".repeat(1_000)));
                    }
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            }
            _ => {}
        }
        let is_error = code == "throw";
        let status = if is_error { "failed" } else { "completed" };
        Executed { outcome: json!({ "status": status }), text: format!("it {status}"), is_error, ..Executed::default() }
    }

    async fn search(&self, query: String, limit: Option<usize>) -> Value {
        json!({ "results": [{ "path": query }], "total": limit })
    }

    fn can_pause(&self) -> bool {
        self.can_pause
    }

    async fn resume(
        &self,
        execution: String,
        cancellation: CancellationToken,
        progress: Option<ProgressSender>,
    ) -> Executed {
        match execution.as_str() {
            "waits" => {
                Executed { outcome: json!({ "status": "paused" }), text: "it waits".to_owned(), ..Executed::default() }
            }
            code => self.execute(code.to_owned(), cancellation, progress).await,
        }
    }
}

struct Client {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: WriteHalf<DuplexStream>,
    server: JoinHandle<Result<(), ServeError>>,
}

impl Client {
    /// A client that has said nothing yet.
    fn connect(fake: Fake) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (reader, writer) = tokio::io::split(theirs);
        let server = tokio::spawn(serve(fake, reader, writer));
        let (reader, writer) = tokio::io::split(ours);
        Self { lines: BufReader::new(reader).lines(), writer, server }
    }

    async fn initialized(fake: Fake) -> Self {
        let mut client = Self::connect(fake);
        client.ask(initialize("2025-11-25")).await;
        client.send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        client
    }

    async fn send(&mut self, message: Value) {
        self.writer.write_all(format!("{message}\n").as_bytes()).await.expect("the server reads");
    }

    async fn line(&mut self) -> String {
        self.lines.next_line().await.expect("the server writes").expect("the server answers")
    }

    async fn ask(&mut self, message: Value) -> Value {
        self.send(message).await;
        serde_json::from_str(&self.line().await).expect("the server writes JSON")
    }

    async fn call(&mut self, id: u64, params: Value) -> Value {
        self.ask(json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })).await
    }

    /// Closes the connection; what the server still said, and how it ended.
    async fn close(mut self) -> (Vec<String>, Result<(), ServeError>) {
        self.writer.shutdown().await.expect("the server reads");
        let mut left = Vec::new();
        while let Some(line) = self.lines.next_line().await.expect("the server writes") {
            left.push(line);
        }
        (left, self.server.await.expect("the server does not panic"))
    }
}

fn initialize(version: &str) -> Value {
    let params = json!({
        "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "test", "version": "1" },
    });
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })
}

#[tokio::test]
async fn every_version_with_a_handshake_is_spoken() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut client = Client::connect(Fake::default());
        let answer = client.ask(initialize(version)).await;
        assert_eq!(answer["result"]["protocolVersion"], version);
        assert_eq!(answer["result"]["serverInfo"]["name"], "isobox");
        assert_eq!(answer["result"]["capabilities"], json!({ "tools": { "listChanged": true } }));
        assert!(client.close().await.1.is_ok());
    }
}

#[tokio::test]
async fn a_version_that_is_not_known_is_answered_with_one_that_is() {
    let mut client = Client::connect(Fake::default());
    assert_eq!(client.ask(initialize("1999-01-01")).await["result"]["protocolVersion"], "2025-11-25");
}

#[tokio::test]
async fn the_list_of_tools_is_the_same_to_the_byte() {
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let mut lists = Vec::new();
    for _ in 0..2 {
        let mut client = Client::initialized(Fake::default()).await;
        for _ in 0..2 {
            client.send(list.clone()).await;
            lists.push(client.line().await);
        }
    }
    assert!(lists.iter().all(|line| *line == lists[0]));
    let expected = concat!(
        r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"execute","title":"Run a program","#,
        r#""description":"Runs a program.\n\n```ts\ndeclare const tools: {};\n```","inputSchema":{"type":"object","#,
        r#""properties":{"code":{"type":"string","description":"The program: JavaScript or TypeScript."},"#,
        r#""plan":{"type":"boolean","description":"Whether to hold effects back, and only tell which calls the "#,
        r#"program would make."}},"#,
        r#""required":["code"],"additionalProperties":false}},{"name":"search","title":"Find tools","#,
        r#""description":"Finds tools that programs can call, by what they do.","inputSchema":{"type":"object","#,
        r#""properties":{"query":{"type":"string","description":"What the tool should do, in a few words."},"#,
        r#""limit":{"type":"integer","minimum":1,"maximum":50,"description":"The maximum number of results."}},"#,
        r#""required":["query"],"additionalProperties":false},"#,
        r#""annotations":{"readOnlyHint":true,"openWorldHint":false}}]}}"#,
    );
    assert_eq!(lists[0], expected);
}

#[tokio::test]
async fn a_program_gives_its_outcome_and_a_text() {
    let mut client = Client::initialized(Fake::default()).await;
    let answer = client.call(1, json!({ "name": "execute", "arguments": { "code": "1" } })).await;
    let expected = json!({
        "content": [{ "type": "text", "text": "it completed" }],
        "structuredContent": { "status": "completed" },
        "isError": false,
    });
    assert_eq!(answer["result"], expected);
    let answer = client.call(2, json!({ "name": "execute", "arguments": { "code": "throw" } })).await;
    assert_eq!(answer["result"]["isError"], true);
    assert_eq!(answer["result"]["structuredContent"], json!({ "status": "failed" }));
}

/// As much memory as this process has had at the most, in bytes.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("this is Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("it is there");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") * 1024
}

#[tokio::test]
async fn a_line_that_is_too_long_is_answered_and_not_held() {
    const SIZE: usize = 300 << 20;
    let mut client = Client::initialized(Fake::default()).await;
    let Client { writer, lines, .. } = &mut client;
    let piece = vec![b'x'; 1 << 20];
    for (head, tail, id) in [
        (r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"code":""#, r#""}}"#, json!(5)),
        (r#"{"method":"tools/call","params":{"code":""#, r#""},"jsonrpc":"2.0","id":"six"}"#, json!("six")),
        ("", "", Value::Null),
    ] {
        let before = peak_memory();
        writer.write_all(head.as_bytes()).await.expect("the server reads");
        for _ in 0..SIZE / piece.len() {
            writer.write_all(&piece).await.expect("the server reads");
        }
        writer.write_all(format!("{tail}\n").as_bytes()).await.expect("the server reads");
        let answer = lines.next_line().await.expect("the server writes").expect("the server answers");
        let answer: Value = serde_json::from_str(&answer).expect("the server writes JSON");
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&id, &json!(-32600)), "{answer}");
        assert_eq!(answer["error"]["message"], "The message is too long: the limit is 4 MiB.");
        // The kernel adds up what each thread took from time to time, so that the sum can shrink a little.
        let grown = peak_memory().saturating_sub(before);
        assert!(grown < 64 << 20, "it took {} MiB to read a line of 300 MiB", grown >> 20);
    }
    let answer = client.call(7, json!({ "name": "execute", "arguments": { "code": "1" } })).await;
    assert_eq!(answer["result"]["isError"], false, "the next one is served");
}

#[tokio::test]
async fn what_became_of_a_paused_program_is_collected_where_programs_can_pause() {
    let fake = Fake { can_pause: true, ..Fake::default() };
    let mut client = Client::initialized(fake.clone()).await;
    let listed = client.ask(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" })).await;
    let expected = json!({
        "name": "resume",
        "title": "Collect the outcome of a paused or sleeping program",
        "description": "Collects the outcome of a paused program after a person has decided elsewhere, or of a sleeping program \
                        after its timer. It cannot decide: until then it returns what the program waits for again.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "executionId": { "type": "string", "description": "The execution id that `execute` returned for the paused or sleeping program." },
            },
            "required": ["executionId"],
            "additionalProperties": false,
        },
    });
    assert_eq!((&listed["result"]["tools"][2], &listed["result"]["tools"][3]), (&expected, &Value::Null));
    let resume = |execution: &str| json!({ "name": "resume", "arguments": { "executionId": execution } });
    let waits = client.call(2, resume("waits")).await;
    let expected = json!({
        "content": [{ "type": "text", "text": "it waits" }], "structuredContent": { "status": "paused" }, "isError": false,
    });
    assert_eq!(waits["result"], expected);
    assert_eq!(client.call(3, resume("1")).await["result"]["structuredContent"], json!({ "status": "completed" }));
    assert_eq!(client.call(4, resume("throw")).await["result"]["isError"], true);
    let decides = json!({ "name": "resume", "arguments": { "executionId": "waits", "approve": true } });
    let message = "Invalid arguments for `resume`: there is no argument `approve`.";
    assert_eq!(client.call(5, decides).await["result"]["content"], json!([{ "type": "text", "text": message }]));

    let request = json!({ "jsonrpc": "2.0", "id": 6, "method": "tools/call", "params": resume("wait") });
    client.send(request).await;
    fake.started.notified().await;
    client.send(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 6 } })).await;
    assert_eq!(client.ask(json!({ "jsonrpc": "2.0", "id": 7, "method": "ping" })).await["id"], 7);
    assert!(client.close().await.1.is_ok());
    assert!(fake.was_cancelled.load(Ordering::SeqCst));
}

#[tokio::test]
async fn a_search_gives_what_it_found() {
    let mut client = Client::initialized(Fake::default()).await;
    let answer = client.call(1, json!({ "name": "search", "arguments": { "query": "mail", "limit": 3 } })).await;
    let found = json!({ "results": [{ "path": "mail" }], "total": 3 });
    assert_eq!(answer["result"]["structuredContent"], found);
    assert_eq!(answer["result"]["content"], json!([{ "type": "text", "text": found.to_string() }]));
}

#[tokio::test]
async fn wrong_arguments_are_an_error_that_the_model_reads() {
    let mut client = Client::initialized(Fake::default()).await;
    for (params, expected) in [
        (json!({ "name": "execute" }), "Invalid arguments for `execute`: `code` is missing."),
        (
            json!({ "name": "search", "arguments": { "query": "a", "top": 1 } }),
            "Invalid arguments for `search`: there is no argument `top`.",
        ),
        (
            json!({ "name": "execute", "arguments": "{ \"code\": \"return 1\" }" }),
            "Invalid arguments for `execute`: the arguments have to be an object, not a string.",
        ),
        (
            json!({ "name": "search", "arguments": ["mail"] }),
            "Invalid arguments for `search`: the arguments have to be an object, not an array.",
        ),
    ] {
        let answer = client.call(1, params).await;
        let content = json!([{ "type": "text", "text": expected }]);
        assert_eq!(answer["result"], json!({ "content": content, "isError": true }));
    }
}

#[tokio::test]
async fn calls_of_no_tool_are_errors_of_the_protocol() {
    let mut client = Client::initialized(Fake::default()).await;
    for (params, expected) in [
        (json!({ "name": "run" }), "Unknown tool: `run`. The tools are `execute` and `search`."),
        (
            json!({ "name": "run", "arguments": "1" }),
            "A call must have a `name`, a string, and `arguments`, an object.",
        ),
        (json!({}), "A call must have a `name`, a string, and `arguments`, an object."),
    ] {
        let answer = client.call(1, params).await;
        assert_eq!(answer["error"], json!({ "code": -32602, "message": expected }));
    }
    let answer = client.ask(json!({ "jsonrpc": "2.0", "id": 2, "method": "no/such" })).await;
    assert_eq!(answer["error"], json!({ "code": -32601, "message": "Method not found: no/such" }));
}

#[tokio::test]
async fn a_client_that_cancels_cancels_the_program_and_hears_no_more_of_it() {
    let fake = Fake::default();
    let mut client = Client::initialized(fake.clone()).await;
    let params = json!({ "name": "execute", "arguments": { "code": "wait" } });
    client.send(json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params })).await;
    fake.started.notified().await;
    let cancelled = json!({ "requestId": 7, "reason": "enough" });
    client.send(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled })).await;
    let pong = client.ask(json!({ "jsonrpc": "2.0", "id": 8, "method": "ping" })).await;
    assert_eq!(pong["id"], 8);
    let (left, end) = client.close().await;
    assert!(left.is_empty() && end.is_ok(), "{left:?} {end:?}");
    assert!(fake.was_cancelled.load(Ordering::SeqCst));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_leaves_drops_the_program_and_so_does_the_end_of_serving() {
    let params = json!({ "name": "execute", "arguments": { "code": "wait" } });
    for is_stopped in [false, true] {
        let fake = Fake::default();
        let mut client = Client::initialized(fake.clone()).await;
        client.send(json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params })).await;
        fake.started.notified().await;
        if is_stopped {
            client.server.abort();
        } else {
            let (left, end) = client.close().await;
            assert!(left.is_empty() && end.is_ok(), "{left:?} {end:?}");
        }
        drop(fake.waiting.lock().await);
        assert!(!fake.was_cancelled.load(Ordering::SeqCst), "{is_stopped}");
    }
}

#[tokio::test]
async fn programs_run_side_by_side() {
    let fake = Fake::default();
    let mut client = Client::initialized(fake.clone()).await;
    let params = json!({ "name": "execute", "arguments": { "code": "wait" } });
    client.send(json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params })).await;
    fake.started.notified().await;
    let answer = client.call(8, json!({ "name": "execute", "arguments": { "code": "1" } })).await;
    assert_eq!(answer["id"], 8);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_asks_for_it_is_told_how_far_a_program_is_within_bounds() {
    let mut client = Client::initialized(Fake::default()).await;
    let execute = |meta: Value| json!({ "name": "execute", "arguments": { "code": "count" }, "_meta": meta });
    let silent = client.call(1, execute(json!({}))).await;
    assert_eq!(silent["id"], 1, "{silent}");
    let mut told = vec![client.call(2, execute(json!({ "progressToken": "a token" }))).await];
    while told.last().is_some_and(|message| message.get("id").is_none()) {
        told.push(serde_json::from_str(&client.line().await).expect("JSON"));
    }
    assert_eq!(told.pop().expect("an answer")["id"], 2);
    assert!((8..=11).contains(&told.len()), "ten in a second, and not {}", told.len());
    let mut before = 0.0;
    for message in &told {
        assert_eq!(
            (&message["method"], &message["params"]["progressToken"]),
            (&json!("notifications/progress"), &json!("a token"))
        );
        let progress = message["params"]["progress"].as_f64().expect("a number");
        assert!(progress > before, "{progress} after {before}");
        before = progress;
        let text = message["params"]["message"].as_str().expect("a text");
        assert!(text.starts_with("step\\n") && text.contains(" \\u{1b}[31mxxx"), "{text}");
        assert_eq!(text.chars().count(), 201);
    }
}

#[tokio::test]
async fn a_defect_is_an_answer_too() {
    let mut client = Client::initialized(Fake::default()).await;
    let answer = client.call(1, json!({ "name": "execute", "arguments": { "code": "panic" } })).await;
    assert_eq!(answer["error"]["code"], -32603);
    assert!(client.call(2, json!({ "name": "search", "arguments": { "query": "a" } })).await["result"].is_object());
}

#[tokio::test]
async fn lines_that_are_no_messages_are_passed_over() {
    let mut client = Client::initialized(Fake::default()).await;
    client.writer.write_all(b"hello\n\n{\"jsonrpc\":\n\xff\xfe\n").await.unwrap();
    let pong = client.ask(json!({ "jsonrpc": "2.0", "id": 8, "method": "ping" })).await;
    assert_eq!(pong["id"], 8);
}

#[tokio::test]
async fn the_newer_era_needs_no_handshake() {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let request = |id: u64, method: &str, params: Value| {
        let mut params = params;
        params["_meta"] = meta.clone();
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
    };
    let mut client = Client::connect(Fake::default());
    let discovered = client.ask(request(1, "server/discover", json!({}))).await;
    let versions = discovered["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")) && versions.contains(&json!("2025-11-25")), "{discovered}");
    let list = client.ask(request(2, "tools/list", json!({}))).await;
    assert_eq!(list["result"]["tools"][0]["name"], "execute");
    assert!(list["result"]["ttlMs"].is_u64());
    let call = request(3, "tools/call", json!({ "name": "execute", "arguments": { "code": "1" } }));
    let answer = client.ask(call).await;
    assert_eq!(answer["result"]["resultType"], "complete");
    assert_eq!(answer["result"]["structuredContent"], json!({ "status": "completed" }));
    assert!(client.close().await.1.is_ok());
}

#[tokio::test]
async fn a_client_that_says_nothing_and_leaves_is_no_error() {
    let (left, end) = Client::connect(Fake::default()).close().await;
    assert!(left.is_empty() && end.is_ok());
}
