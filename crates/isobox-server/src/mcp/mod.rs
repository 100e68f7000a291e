//! The MCP server: two tools, or three where executions can pause, whatever is behind them.

mod arguments;
mod handler;
mod leaving;
mod long_lines;
mod progress;

use isobox_core::{ByteSize, brief};
use rmcp::service::{ServerInitializeError, serve_server};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::stdio_pipes;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use handler::Handler;
use leaving::Watched;
use long_lines::measured;
pub use progress::ProgressSender;

/// What a model that writes code instead of calling tools needs to have behind it.
pub trait CodeMode: Send + Sync + 'static {
    /// What the model is told about `execute`. The same tools give the same bytes: clients cache it.
    fn describe(&self) -> impl Future<Output = String> + Send;

    /// Runs a program. The token is cancelled when the client gives up, and nobody reads what comes of it then. Where the client
    /// leaves, the future is dropped instead. How far the program is goes to `progress`, where the client asked for it.
    fn execute(
        &self,
        code: String,
        cancellation: CancellationToken,
        progress: Option<ProgressSender>,
    ) -> impl Future<Output = Executed> + Send;

    /// Finds tools. An object, for the client to show or use as it is.
    fn search(&self, query: String, limit: Option<usize>) -> impl Future<Output = Value> + Send;

    /// Whether programs may pause, so that `resume` is offered. The same for as long as a client is served.
    fn can_pause(&self) -> bool;

    /// The longest message that a client may send. A longer one is answered with an error, and never held in memory.
    fn max_message(&self) -> ByteSize {
        ByteSize::mib(4)
    }

    /// What has become of a program that paused; asked only where programs may. It has no way to decide anything: whoever
    /// reads this is who wrote the program.
    fn resume(
        &self,
        execution: String,
        cancellation: CancellationToken,
        progress: Option<ProgressSender>,
    ) -> impl Future<Output = Executed> + Send;
}

/// What came of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Executed {
    /// The outcome, in the one shape that every door gives it.
    pub outcome: Value,
    /// The same for the model to read, in few words.
    pub text: String,
    /// Whether the model has to do something about it.
    pub is_error: bool,
}

/// Why serving ended before its time.
#[derive(Debug, thiserror::Error)]
#[error("the client does not speak MCP as expected: {0}")]
pub struct ServeError(String);

/// Serves the client that started this process, until it closes standard input. Calls that are under way then get a few
/// seconds to end, and are dropped. So they are where the returned future is.
///
/// Nothing else may write to standard output meanwhile.
pub async fn serve_stdio(code_mode: impl CodeMode) -> Result<(), ServeError> {
    let (reader, writer) = stdio_pipes();
    serve(code_mode, reader, writer).await
}

/// The same over any two streams.
pub async fn serve(
    code_mode: impl CodeMode,
    reader: impl AsyncRead + Send + Unpin + 'static,
    writer: impl AsyncWrite + Send + Unpin + 'static,
) -> Result<(), ServeError> {
    let has_left = CancellationToken::new();
    let max = code_mode.max_message();
    let (reader, answering) = measured(Watched { reader, has_left: has_left.clone() }, max);
    let longest = usize::try_from(max.get()).unwrap_or(usize::MAX);
    let transport = answering(AsyncRwTransport::new_server(reader, writer).with_max_line_length(longest));
    match serve_server(Handler::new(code_mode, has_left.clone()), transport).await {
        Ok(running) => {
            let mut waiting = std::pin::pin!(running.waiting());
            // Dropped before that is, which cancels every call: they have to know why.
            let _leaving = has_left.drop_guard();
            // However it ended, there is nobody left to tell.
            let _ = waiting.as_mut().await;
            Ok(())
        }
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(ServeError(brief(&error.to_string(), 300))),
    }
}
