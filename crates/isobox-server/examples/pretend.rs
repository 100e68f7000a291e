//! The smallest MCP server: it pretends to run programs. The tests talk to it over real pipes.

use isobox_server::{CodeMode, Executed, ProgressSender, serve_stdio};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

struct Pretend;

impl CodeMode for Pretend {
    async fn describe(&self) -> String {
        "Runs a program.".to_owned()
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
        if let Some(progress) = progress {
            progress.tell("pretending");
            tokio::task::yield_now().await;
        }
        if code == "wait" {
            cancellation.cancelled().await;
        }
        let is_error = code == "throw";
        let status = if is_error { "failed" } else { "completed" };
        let outcome = json!({ "status": status, "result": code });
        Executed { outcome, text: format!("{status}: {code}"), is_error, ..Executed::default() }
    }

    async fn search(&self, query: String, limit: Option<usize>) -> Value {
        json!({ "results": [], "query": query, "limit": limit })
    }

    fn can_pause(&self) -> bool {
        false
    }

    async fn resume(
        &self,
        execution: String,
        _cancellation: CancellationToken,
        _progress: Option<ProgressSender>,
    ) -> Executed {
        Executed { text: format!("{execution} never paused"), is_error: true, ..Executed::default() }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Ok(serve_stdio(Pretend).await?)
}
