//! The MCP server: two tools, or three if executions can pause.

mod announcing;
mod arguments;
mod asking;
mod blocks;
mod handler;
mod leaving;
mod long_lines;
mod progress;

use std::sync::Arc;

use isobox_core::{ByteSize, brief};
use rmcp::service::{ServerInitializeError, serve_server};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::stdio_pipes;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use announcing::Announced;
pub use asking::{Question, QuestionMode};
pub use blocks::take_blocks;
use handler::Handler;
use leaving::Watched;
use long_lines::measured;
pub use progress::ProgressSender;

/// The service behind the server, for a model that writes code instead of calling tools.
pub trait CodeMode: Send + Sync + 'static {
    /// Returns the description of `execute` for the model. The same tools give the same bytes, because clients cache
    /// it.
    fn describe(&self) -> impl Future<Output = String> + Send;

    /// Waits until the description may have changed since it was last returned. The client is then told, if it has. The
    /// default waits for ever, as for tools that never change.
    fn changed(&self) -> impl Future<Output = ()> + Send {
        std::future::pending()
    }

    /// Runs a program. The token is cancelled when the client cancels the call; the result is discarded then. If the
    /// client disconnects, the future is dropped instead. Progress goes to `progress` if the client asked for it.
    fn execute(
        &self,
        code: String,
        cancellation: CancellationToken,
        progress: Option<ProgressSender>,
    ) -> impl Future<Output = Executed> + Send;

    /// Runs a program with its effects held back, and tells which calls it would make.
    fn plan(&self, code: String, cancellation: CancellationToken) -> impl Future<Output = Executed> + Send;

    /// Finds tools. Returns an object that the client can show or use unchanged.
    fn search(&self, query: String, limit: Option<usize>) -> impl Future<Output = Value> + Send;

    /// Tells whether programs may pause, so that `resume` is offered. Must not change while a client is served.
    fn can_pause(&self) -> bool;

    /// Returns the maximum size of a message from the client. A longer one is answered with an error and never held in
    /// memory.
    fn max_message(&self) -> ByteSize {
        ByteSize::mib(4)
    }

    /// Returns the outcome of a program that was paused. Called only if programs may pause. Offers no way to decide,
    /// because the reader is the model that wrote the program.
    fn resume(
        &self,
        execution: String,
        cancellation: CancellationToken,
        progress: Option<ProgressSender>,
    ) -> impl Future<Output = Executed> + Send;

    /// Passes on the answer of a person to the question with this reference (`action`, and `content` if there is any), and
    /// continues the program. The reference and the answer come from the client, and may be anything.
    fn answer(
        &self,
        reference: String,
        answer: Value,
        cancellation: CancellationToken,
        progress: Option<ProgressSender>,
    ) -> impl Future<Output = Executed> + Send {
        let _ = (reference, answer, cancellation, progress);
        std::future::ready(Executed {
            outcome: Value::Null,
            text: "No program has asked a question.".to_owned(),
            is_error: true,
            ..Executed::default()
        })
    }
}

/// The answer to an executed program.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Executed {
    /// The outcome in its common JSON shape.
    pub outcome: Value,
    /// The outcome as a short text for the model.
    pub text: String,
    /// Further content blocks for the model: images, audio, resources and links. See [`take_blocks`].
    pub blocks: Vec<Value>,
    /// Whether the model has to react to an error.
    pub is_error: bool,
    /// The question that a paused program has for the person at the client, if that person may answer it. If the client can
    /// ask, it is asked before the model gets the outcome.
    pub question: Option<Question>,
}

/// The error that ended the service early.
#[derive(Debug, thiserror::Error)]
#[error("the client does not speak MCP as expected: {0}")]
pub struct ServeError(String);

/// Serves the client that started this process until it closes standard input. Running calls then get a few seconds to
/// end before they are dropped. Dropping the returned future drops them at once.
///
/// Nothing else may write to standard output meanwhile.
pub async fn serve_stdio(code_mode: impl CodeMode) -> Result<(), ServeError> {
    let (reader, writer) = stdio_pipes();
    serve(code_mode, reader, writer).await
}

/// Serves a client over any two streams.
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
    let (code_mode, announced) = (Arc::new(code_mode), Arc::<Announced>::default());
    let handler = Handler::new(Arc::clone(&code_mode), Arc::clone(&announced), has_left.clone());
    match serve_server(handler, transport).await {
        Ok(running) => {
            let peer = running.peer().clone();
            let mut waiting = std::pin::pin!(running.waiting());
            // Dropped before the service, which cancels every call. The calls must see that the client has left.
            let _leaving = has_left.drop_guard();
            tokio::select! {
                // The client is gone, so the result does not matter.
                _ = waiting.as_mut() => Ok(()),
                never = announced.watch(&*code_mode, &peer) => match never {},
            }
        }
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(ServeError(brief(&error.to_string(), 300))),
    }
}
