//! Programs that pause with a question: the server asks the person at the client, if the client can.

use std::time::Duration;

use isobox_server::{CodeMode, Executed, ProgressSender, Question, QuestionMode, serve};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};
use tokio_util::sync::CancellationToken;

/// Asks as many questions as the program is long, and returns the last answer.
struct Asking;

fn asked(left: usize, mode: QuestionMode) -> Executed {
    let question = Question { reference: format!("{left}"), message: "Which city?".to_owned(), mode };
    Executed { outcome: json!({ "status": "paused" }), question: Some(question), ..Executed::default() }
}

fn form() -> QuestionMode {
    QuestionMode::Form(json!({ "type": "object", "properties": { "city": { "type": "string" } } }))
}

impl CodeMode for Asking {
    async fn describe(&self) -> String {
        "Runs a program.".to_owned()
    }

    async fn plan(&self, code: String, _: CancellationToken) -> Executed {
        Executed { text: format!("the plan of {code}"), ..Executed::default() }
    }

    async fn execute(&self, code: String, _: CancellationToken, _: Option<ProgressSender>) -> Executed {
        match code.as_str() {
            "url" => asked(1, QuestionMode::Url("https://pay.example/1".to_owned())),
            "script" => asked(1, QuestionMode::Url("javascript:alert(1)".to_owned())),
            "nonsense" => asked(1, QuestionMode::Form(json!("nonsense"))),
            code => asked(code.len(), form()),
        }
    }

    async fn search(&self, _: String, _: Option<usize>) -> Value {
        json!({})
    }

    fn can_pause(&self) -> bool {
        true
    }

    async fn resume(&self, _: String, token: CancellationToken, progress: Option<ProgressSender>) -> Executed {
        self.execute("1".to_owned(), token, progress).await
    }

    async fn answer(
        &self,
        reference: String,
        answer: Value,
        _: CancellationToken,
        _: Option<ProgressSender>,
    ) -> Executed {
        match reference.parse::<usize>() {
            Ok(left) if left > 1 => asked(left - 1, form()),
            Ok(_) => Executed { outcome: json!({ "status": "completed", "result": answer }), ..Executed::default() },
            Err(_) => Executed { is_error: true, ..Executed::default() },
        }
    }
}

struct Client {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: WriteHalf<DuplexStream>,
}

impl Client {
    fn connect() -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (reader, writer) = tokio::io::split(theirs);
        tokio::spawn(serve(Asking, reader, writer));
        let (reader, writer) = tokio::io::split(ours);
        Self { lines: BufReader::new(reader).lines(), writer }
    }

    async fn with(capabilities: Value) -> Self {
        let mut client = Self::connect();
        let about = json!({ "name": "test", "version": "1" });
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": about });
        client.ask(json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })).await;
        client.send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        client
    }

    async fn send(&mut self, message: Value) {
        self.writer.write_all(format!("{message}\n").as_bytes()).await.expect("the server reads");
    }

    async fn next(&mut self) -> Value {
        let line = self.lines.next_line().await.expect("the server writes").expect("the server answers");
        serde_json::from_str(&line).expect("the server writes JSON")
    }

    async fn ask(&mut self, message: Value) -> Value {
        self.send(message).await;
        self.next().await
    }

    async fn execute(&mut self, code: &str) -> Value {
        let params = json!({ "name": "execute", "arguments": { "code": code } });
        self.ask(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })).await
    }

    async fn answer(&mut self, question: &Value, result: &Value) -> Value {
        self.ask(json!({ "jsonrpc": "2.0", "id": question["id"], "result": result })).await
    }
}

fn outcome(answer: &Value) -> &Value {
    &answer["result"]["structuredContent"]
}

#[tokio::test]
async fn a_client_that_can_ask_is_asked_within_the_call() {
    let mut client = Client::with(json!({ "elicitation": {} })).await;
    let first = client.execute("12").await;
    assert_eq!((&first["method"], &first["params"]["message"]), (&json!("elicitation/create"), &json!("Which city?")));
    assert_eq!(first["params"]["requestedSchema"]["properties"]["city"]["type"], "string");
    let second = client.answer(&first, &json!({ "action": "decline" })).await;
    assert_eq!(second["method"], "elicitation/create");
    let rome = json!({ "action": "accept", "content": { "city": "Rome" } });
    let done = client.answer(&second, &rome).await;
    assert_eq!((&done["id"], outcome(&done)), (&json!(1), &json!({ "status": "completed", "result": rome })));
}

#[tokio::test]
async fn a_client_that_cannot_ask_gets_the_pause() {
    for (capabilities, code) in [
        (json!({}), "1"),
        (json!({ "elicitation": { "url": {} } }), "1"),
        (json!({ "elicitation": { "form": {} } }), "url"),
        (json!({ "elicitation": { "url": {} } }), "script"),
        (json!({ "elicitation": {} }), "nonsense"),
    ] {
        let paused = Client::with(capabilities.clone()).await.execute(code).await;
        assert_eq!(outcome(&paused), &json!({ "status": "paused" }), "{capabilities} {code}");
    }
    let mut client = Client::with(json!({ "elicitation": { "url": {} } })).await;
    let question = client.execute("url").await;
    assert_eq!(
        (&question["params"]["mode"], &question["params"]["url"]),
        (&json!("url"), &json!("https://pay.example/1"))
    );
    // A client that fails, or answers with something else, gets the pause as well.
    let refused = json!({ "jsonrpc": "2.0", "id": question["id"], "error": { "code": -1, "message": "no" } });
    assert_eq!(outcome(&client.ask(refused).await), &json!({ "status": "paused" }));
    let question = client.execute("url").await;
    assert_eq!(outcome(&client.answer(&question, &json!({ "action": "maybe" })).await), &json!({ "status": "paused" }));
}

#[tokio::test(start_paused = true)]
async fn a_question_has_an_end() {
    let mut client = Client::with(json!({ "elicitation": {} })).await;
    let question = client.execute("1").await;
    // The clock of the test jumps ahead.
    let early = tokio::time::timeout(Duration::from_secs(599), client.next()).await;
    assert!(early.is_err(), "{early:?}");
    let cancelled = client.next().await;
    assert_eq!(
        (&cancelled["method"], &cancelled["params"]["requestId"]),
        (&json!("notifications/cancelled"), &question["id"])
    );
    assert_eq!(outcome(&client.next().await), &json!({ "status": "paused" }));
    // So many questions are asked, and no more.
    let mut said = client.execute(&"x".repeat(30)).await;
    let mut count = 0;
    while said["method"] == "elicitation/create" {
        count += 1;
        said = client.answer(&said, &json!({ "action": "cancel" })).await;
    }
    assert_eq!((count, outcome(&said)), (20, &json!({ "status": "paused" })));
    // A call that the client cancels takes its question with it.
    let question = client.execute("1").await;
    let params = json!({ "requestId": 1 });
    let cancelled =
        client.ask(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params })).await;
    assert_eq!(
        (&cancelled["method"], &cancelled["params"]["requestId"]),
        (&json!("notifications/cancelled"), &question["id"])
    );
}

#[tokio::test]
async fn a_client_of_the_newer_era_calls_again_with_the_answer() {
    let meta = |capabilities: &Value| {
        json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": capabilities,
        })
    };
    let mut client = Client::connect();
    let mut call = async |capabilities: &Value, more: Value| {
        let mut params = json!({ "name": "execute", "arguments": { "code": "1" }, "_meta": meta(capabilities) });
        for (key, value) in more.as_object().into_iter().flatten() {
            params[key] = value.clone();
        }
        client.ask(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })).await
    };
    let can = json!({ "elicitation": { "form": {} } });
    assert_eq!(outcome(&call(&json!({}), json!({})).await), &json!({ "status": "paused" }));
    let asked = call(&can, json!({})).await;
    let result = &asked["result"];
    assert_eq!(result["resultType"], "input_required");
    let (key, request) = result["inputRequests"].as_object().and_then(|all| all.iter().next()).expect("one question");
    assert_eq!(
        (&request["method"], &request["params"]["message"]),
        (&json!("elicitation/create"), &json!("Which city?"))
    );
    let rome = json!({ "action": "accept", "content": { "city": "Rome" } });
    let more = json!({ "requestState": result["requestState"], "inputResponses": { key: rome } });
    assert_eq!(outcome(&call(&can, more).await), &json!({ "status": "completed", "result": rome }));
    let dismissed = call(&can, json!({ "requestState": "1" })).await;
    assert_eq!(outcome(&dismissed)["result"], json!({ "action": "cancel" }));
    let forged = call(&can, json!({ "requestState": "forged" })).await;
    assert_eq!(forged["result"]["isError"], true);
}
