//! A fake server to connect to, and its journal.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use isobox_connect::{McpConnector, McpOptions, McpServer};
use isobox_core::{CallContext, CallSeq, Connector, ExecutionId, ToolCall, ToolError};
use serde_json::Value;

/// A fake server that is not started yet.
pub(crate) struct Fake {
    pub(crate) server: McpServer,
    pub(crate) options: McpOptions,
    folder: PathBuf,
}

/// What the fake server wrote down.
pub(crate) struct Journal(PathBuf);

impl Fake {
    /// One that is started with these arguments.
    pub(crate) fn new(args: &[&str]) -> Self {
        Self::of(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mcp/fake_server.py"), args)
    }

    /// One with resources, prompts, pictures and logs.
    pub(crate) fn content(args: &[&str]) -> Self {
        Self::of(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mcp/content_server.py"), args)
    }

    fn of(script: &str, args: &[&str]) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("isobox-connect-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("temporary files can be written");
        let journal = folder.join("journal");
        let mut all = vec![script.to_owned(), "--journal".to_owned(), journal.display().to_string()];
        all.extend(args.iter().map(|argument| (*argument).to_owned()));
        let server = McpServer::new("python3").args(all);
        Self { server, options: McpOptions::default(), folder }
    }

    pub(crate) fn connector(&self) -> McpConnector {
        McpConnector::new("fake", self.server.clone(), self.options.clone())
    }

    pub(crate) fn journal(&self) -> Journal {
        Journal(self.folder.join("journal"))
    }

    /// Checks whether a process of the server runs.
    pub(crate) fn is_running(&self) -> bool {
        let mark = self.folder.as_os_str().as_encoded_bytes();
        let processes = std::fs::read_dir("/proc").expect("there is a list of processes").flatten();
        let commands = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
        commands.into_iter().any(|command| command.windows(mark.len()).any(|window| window == mark))
    }

    /// A path of a file in a folder of its own.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        // A server that still runs may write to it.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Journal {
    /// Everything that was written so far.
    pub(crate) fn entries(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(&self.0).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// What the server noted when it was started, each time.
    pub(crate) fn starts(&self) -> Vec<Value> {
        self.entries().into_iter().filter(|entry| entry["event"] == "start").collect()
    }

    /// The messages of a method that it received.
    pub(crate) fn messages(&self, method: &str) -> Vec<Value> {
        let entries = self.entries().into_iter().map(|entry| entry["message"].clone());
        entries.filter(|message| message["method"] == method).collect()
    }

    /// Waits for the first message of a method.
    pub(crate) async fn message(&self, method: &str) -> Value {
        eventually(|| self.messages(method).into_iter().next()).await
    }
}

/// Waits for something to be there, for two minutes at the least.
pub(crate) async fn eventually<T>(mut look: impl FnMut() -> Option<T>) -> T {
    for _ in 0..24_000 {
        if let Some(found) = look() {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("what the test waits for did not happen");
}

/// Waits for a process to be gone, a zombie included.
pub(crate) async fn gone(process: u64) {
    let folder = PathBuf::from(format!("/proc/{process}"));
    eventually(|| (!folder.exists()).then_some(())).await;
}

/// Makes the call 0 of an execution.
pub(crate) fn tool_call(input: Value) -> ToolCall {
    ToolCall::new(input, CallContext::new(ExecutionId::new(1, 1), CallSeq::new(0)))
}

/// Calls a tool.
pub(crate) async fn call(connector: &McpConnector, tool: &str, input: Value) -> Result<Value, ToolError> {
    connector.call(tool, tool_call(input)).await
}

/// The process of a running server.
pub(crate) async fn process_of(connector: &McpConnector) -> u64 {
    let answer = call(connector, "process", Value::Null).await.expect("the server runs");
    answer["pid"].as_u64().expect("a process has a number")
}
