//! A call of an MCP tool through the connector, beside the same call through rmcp alone. The server is this program.

use std::io::{BufRead, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

use isobox::connector::{Connector, McpConnector, McpOptions, McpServer};
use isobox::tools::CallContext;
use isobox::{CallSeq, ExecutionId, ToolCall, Value, json};
use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use tokio::process::Command;

use crate::Effort;
use crate::measure::{Times, round};

/// The argument that makes this program a server.
pub(crate) const SERVER: &str = "--mcp-server";

const OVERHEAD: Duration = Duration::from_micros(100);

pub(crate) fn mcp_calls(effort: Effort) -> Value {
    let (turns, calls) = match effort {
        Effort::Full => (10, 300),
        Effort::Quick => (1, 5),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let program = std::env::current_exe().expect("a program").display().to_string();
        let server = McpServer::new(program.clone()).args(vec![SERVER.to_owned()]);
        let connector = McpConnector::new("bench", server, McpOptions::default());
        connector.offer().await.expect("the server works");

        let mut child = Command::new(program)
            .arg(SERVER)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("it starts");
        let pipes = (child.stdout.take().expect("a pipe"), child.stdin.take().expect("a pipe"));
        let direct = ().serve(pipes).await.expect("the server works");

        let input = json!({ "text": "hello", "number": 7 });
        let (mut ours, mut theirs) = (Times::default(), Times::default());
        for turn in 0..=turns {
            for _ in 0..calls {
                let context = CallContext::new(ExecutionId::new(1, 1), CallSeq::new(0));
                let start = Instant::now();
                let result = connector.call("echo", ToolCall::new(input.clone(), context)).await;
                let took = start.elapsed();
                assert_eq!(result.expect("it answers"), input);
                if turn > 0 {
                    ours.add(took);
                }
            }
            for _ in 0..calls {
                let arguments = input.as_object().cloned().expect("an object");
                let start = Instant::now();
                let result = direct.call_tool(CallToolRequestParams::new("echo").with_arguments(arguments)).await;
                let took = start.elapsed();
                assert_eq!(result.expect("it answers").structured_content, Some(input.clone()));
                if turn > 0 {
                    theirs.add(took);
                }
            }
        }
        let overhead = ours.median().saturating_sub(theirs.median());
        connector.close().await;
        json!({
            "isobox": ours.json(),
            "rmcp": theirs.json(),
            "overheadUs": round(overhead.as_secs_f64() * 1e6),
            "wanted": { "overheadUs": OVERHEAD.as_micros() },
            "met": overhead <= OVERHEAD,
        })
    })
}

/// Answers calls with their arguments, until the input ends.
pub(crate) fn serve() {
    let (input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    for line in input.lines() {
        let message: Value = line.ok().and_then(|line| serde_json::from_str(&line).ok()).unwrap_or_default();
        let result = match message["method"].as_str() {
            Some("initialize") => json!({
                "protocolVersion": "2025-11-25", "capabilities": { "tools": {} },
                "serverInfo": { "name": "bench", "version": "1" },
            }),
            Some("tools/list") => json!({ "tools": [{ "name": "echo", "inputSchema": { "type": "object" } }] }),
            Some("tools/call") => json!({ "content": [], "structuredContent": message["params"]["arguments"] }),
            _ => continue,
        };
        let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": result });
        writeln!(output, "{answer}").and_then(|()| output.flush()).expect("it is read");
    }
}
