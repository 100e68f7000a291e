//! Sends and receives the messages of a child process, one per line.
//!
//! The transport of rmcp drops a line that is too long and leaves its call waiting, may send a cancellation before the
//! request it cancels, and parses every result as the first of twenty types that fits. This transport answers for lines
//! that are too long, keeps the order, and passes results on unchanged. It also reports progress itself, because rmcp
//! would start a task per notification, in no order.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, OnceLock};

use futures_util::StreamExt;
use isobox_core::{ByteSize, Progress};
use rmcp::RoleClient;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, CustomResult, ErrorCode, ErrorData, GetMeta, JsonRpcMessage, NumberOrString,
    ProgressToken, RequestId, ServerJsonRpcMessage, ServerResult,
};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, oneshot};
use tokio_util::codec::FramedRead;

use super::context::Context;
use super::footprint::footprint;
use super::last_words::LastWords;
use super::lines::{Line, Lines};
use super::progress;

/// The maximum number of queued outgoing messages.
const OUTGOING: usize = 2_048;

/// The maximum number of queued answers. A server that sends requests without reading the answers stops here and leaves
/// room for calls, which wait until it reads again or until they time out.
const ANSWERS: usize = 1_024;

/// The maximum size of the parsed values of a message, relative to the maximum message size.
const READ_FACTOR: u64 = 12;

/// The transport between rmcp and the child process.
pub(super) struct LineTransport<R> {
    incoming: FramedRead<R, Lines>,
    outgoing: Option<mpsc::Sender<Outgoing>>,
    /// The id of the request that opens the session. Only its answer is parsed by rmcp.
    opening: Option<RequestId>,
    max_message: ByteSize,
    words: LastWords,
    complaint: Complaint,
    /// The progress listeners by the progress token of their call.
    listeners: HashMap<i64, Listener>,
    /// Where log messages go, in the order in which they come.
    context: Option<Arc<Context>>,
}

/// The protocol violation of the server that ended the connection, if any.
pub(super) type Complaint = Arc<OnceLock<String>>;

/// The progress listener of a call, until the call is answered.
struct Listener {
    request: RequestId,
    progress: Progress,
}

struct Outgoing {
    line: Vec<u8>,
    written: oneshot::Sender<io::Result<()>>,
}

impl<R: AsyncRead + Send + Unpin> LineTransport<R> {
    /// Reads messages of bounded length from `reader` and writes to `writer`. Other lines are added to `words`.
    pub(super) fn new(
        reader: R,
        writer: impl AsyncWrite + Send + Unpin + 'static,
        max_message: ByteSize,
        words: LastWords,
        complaint: Complaint,
    ) -> Self {
        let (outgoing, queue) = mpsc::channel(OUTGOING);
        tokio::spawn(write(writer, queue));
        let longest = usize::try_from(max_message.get()).unwrap_or(usize::MAX);
        let incoming = FramedRead::new(reader, Lines::new(longest));
        Self {
            incoming,
            outgoing: Some(outgoing),
            opening: None,
            max_message,
            words,
            complaint,
            listeners: HashMap::new(),
            context: None,
        }
    }

    /// Passes log messages on to the receiver of the connector.
    pub(super) fn logging(mut self, context: Arc<Context>) -> Self {
        self.context = Some(context);
        self
    }

    /// Parses a line. Returns `None` if rmcp need not see the message, and an error if the connection cannot continue.
    fn read(&mut self, line: Line) -> Result<Option<ServerJsonRpcMessage>, String> {
        match line {
            Line::Whole(line) if line.trim_ascii().is_empty() => Ok(None),
            Line::Whole(line) => Ok(self.read_message(&line)),
            Line::TooLong { head, tail } => {
                let problem = format!("sent a message of more than {}", self.max_message);
                match request_answered(&head, &tail) {
                    Some(id) => Ok(Some(refusal(id, format!("the server {problem}")))),
                    None => Err(problem),
                }
            }
        }
    }

    fn read_message(&mut self, line: &[u8]) -> Option<ServerJsonRpcMessage> {
        if footprint(line) > self.max_message.get().saturating_mul(READ_FACTOR) {
            // Such a message is ignored unless it answers a request.
            let id = request_answered(line, line)?;
            return Some(refusal(id, "the server sent a message of too many small values".to_owned()));
        }
        let Ok(Value::Object(mut message)) = serde_json::from_slice(line) else {
            // A caller waits for this answer, although it cannot be parsed (nested too deep, for instance).
            if let Some(id) = request_answered(line, line) {
                return Some(refusal(id, "the server sent a message that cannot be read".to_owned()));
            }
            self.words.add(line);
            return None;
        };
        let id = message.get("id").and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
        if let Some(id) = &id
            && !message.contains_key("method")
        {
            // The call has been answered, so it gets no more progress.
            self.listeners.retain(|_, listener| listener.request != *id);
        }
        if let Some(id) = &id
            && !message.contains_key("method")
            && self.opening.as_ref() != Some(id)
            && let Some(result) = message.remove("result")
        {
            return Some(JsonRpcMessage::response(ServerResult::CustomResult(CustomResult(result)), id.clone()));
        }
        if let Some((token, told)) = progress::read(&message) {
            if let Some(listener) = self.listeners.get(&token) {
                listener.progress.report(told);
            }
            return None;
        }
        if let Some(context) = &self.context
            && context.logs.receive(&message, &context.name, &context.secrets)
        {
            return None;
        }
        match serde_json::from_value(Value::Object(message)) {
            Ok(message) => Some(message),
            Err(_) => {
                self.words.add(line);
                id.map(|id| refusal(id, "the server sent an error that cannot be read".to_owned()))
            }
        }
    }
}

impl<R: AsyncRead + Send + Unpin> Transport<RoleClient> for LineTransport<R> {
    type Error = io::Error;

    /// Queues the message when called, not when first polled.
    fn send(&mut self, message: ClientJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        if let JsonRpcMessage::Request(request) = &message
            && matches!(request.request, ClientRequest::InitializeRequest(_) | ClientRequest::DiscoverRequest(_))
        {
            self.opening = Some(request.id.clone());
        }
        self.listen(&message);
        let written = self.enqueue(&message);
        async move { written?.await.unwrap_or_else(|_closed| Err(io::ErrorKind::BrokenPipe.into())) }
    }

    /// Cancellation safe.
    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            let line = self.incoming.next().await?.ok()?;
            match self.read(line) {
                Ok(Some(message)) => return Some(message),
                Ok(None) => {}
                Err(problem) => {
                    // Only the first complaint is kept; the connection ends with it.
                    let _ = self.complaint.set(problem);
                    return None;
                }
            }
        }
    }

    /// Closes the standard input of the server, which asks it to end.
    async fn close(&mut self) -> io::Result<()> {
        self.outgoing = None;
        Ok(())
    }
}

impl<R> LineTransport<R> {
    /// Registers the progress listener of a call before the server can know the call, and removes listeners of dropped
    /// calls.
    fn listen(&mut self, message: &ClientJsonRpcMessage) {
        if let JsonRpcMessage::Request(request) = message
            && let ClientRequest::CallToolRequest(call) = &request.request
            && let Some(listener) = call.extensions.get::<Progress>().filter(|listener| listener.is_wanted())
            && let Some(ProgressToken(NumberOrString::Number(token))) = request.request.get_meta().get_progress_token()
        {
            self.listeners.retain(|_, listener| listener.progress.is_wanted());
            self.listeners.insert(token, Listener { request: request.id.clone(), progress: listener.clone() });
        }
    }

    fn enqueue(&self, message: &ClientJsonRpcMessage) -> io::Result<oneshot::Receiver<io::Result<()>>> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        let outgoing = self.outgoing.as_ref().ok_or(io::ErrorKind::NotConnected)?;
        let unread = || io::Error::other("the server does not read its standard input");
        let is_answer = matches!(message, JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_));
        if is_answer && outgoing.capacity() <= OUTGOING - ANSWERS {
            return Err(unread());
        }
        let (written, receiver) = oneshot::channel();
        match outgoing.try_send(Outgoing { line, written }) {
            Ok(()) => Ok(receiver),
            Err(mpsc::error::TrySendError::Full(_)) => Err(unread()),
            Err(mpsc::error::TrySendError::Closed(_)) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }
}

async fn write(mut writer: impl AsyncWrite + Unpin, mut queue: mpsc::Receiver<Outgoing>) {
    while let Some(Outgoing { line, written }) = queue.recv().await {
        let result = writer.write_all(&line).await;
        let failed = result.is_err();
        // The sender may have stopped waiting.
        let _ = written.send(result);
        if failed {
            return;
        }
    }
}

fn refusal(id: RequestId, message: String) -> ServerJsonRpcMessage {
    JsonRpcMessage::error(ErrorData::new(ErrorCode::INTERNAL_ERROR, message, None), Some(id))
}

/// Finds the id of the request that a message answers without parsing the message: the id comes before or after the
/// result. A server that sends a wrong id misleads only its own calls.
fn request_answered(head: &[u8], tail: &[u8]) -> Option<RequestId> {
    id_at_the_head(head).or_else(|| id_at_the_tail(tail)).map(RequestId::Number)
}

/// Finds the id at the head: `{"jsonrpc":"2.0","id":7,…`
fn id_at_the_head(head: &[u8]) -> Option<i64> {
    let mut rest = head.trim_ascii_start().strip_prefix(b"{")?;
    // The other members that can come first are short strings.
    for _ in 0..2 {
        rest = rest.trim_ascii_start();
        let (key, after) = quoted(rest)?;
        let value = after.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
        if key == b"id" {
            return number(value).map(|(id, _)| id);
        }
        let (_, after) = quoted(value)?;
        rest = after.trim_ascii_start().strip_prefix(b",")?;
    }
    None
}

/// Finds the id at the tail: `…,"jsonrpc":"2.0","id":7}`, or with the two members swapped.
fn id_at_the_tail(tail: &[u8]) -> Option<i64> {
    const KEY: &[u8] = b"\"id\"";
    let at = tail.windows(KEY.len()).rposition(|window| window == KEY)?;
    let value = tail[at + KEY.len()..].trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
    let (id, rest) = number(value)?;
    let rest: Vec<u8> = rest.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    matches!(rest.as_slice(), b"}" | b",\"jsonrpc\":\"2.0\"}").then_some(id)
}

fn quoted(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = text.strip_prefix(b"\"")?;
    let end = text.iter().position(|byte| *byte == b'"')?;
    Some((&text[..end], &text[end + 1..]))
}

fn number(text: &[u8]) -> Option<(i64, &[u8])> {
    let end = text.iter().position(|byte| !byte.is_ascii_digit())?;
    let (digits, rest) = text.split_at(end);
    Some((std::str::from_utf8(digits).ok()?.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use rmcp::model::{ClientNotification, ClientResult, InitializedNotification};

    #[tokio::test]
    async fn no_more_than_a_bounded_number_of_messages_wait_to_be_read() {
        let (writer, _never_read) = tokio::io::duplex(1);
        let mut transport = LineTransport::new(
            tokio::io::empty(),
            writer,
            ByteSize::mib(1),
            LastWords::default(),
            Complaint::default(),
        );
        let answer = || JsonRpcMessage::response(ClientResult::empty(()), RequestId::Number(1));
        let notification = || {
            let initialized = InitializedNotification::default();
            JsonRpcMessage::notification(ClientNotification::InitializedNotification(initialized))
        };
        let mut waiting = 0;
        let mut send = async |message: ClientJsonRpcMessage| {
            match transport.send(message).now_or_never() {
                None => waiting += 1,
                Some(sent) => assert_eq!(sent.unwrap_err().to_string(), "the server does not read its standard input"),
            }
            tokio::task::yield_now().await;
            waiting
        };
        let mut count = 0;
        for _ in 0..3 * OUTGOING {
            count = send(answer()).await;
        }
        // One of them is being written.
        assert_eq!(count, ANSWERS + 1);
        for _ in 0..3 * OUTGOING {
            count = send(notification()).await;
        }
        assert_eq!(count, OUTGOING + 1);
    }

    #[test]
    fn the_request_is_found_at_either_end_of_an_answer_that_was_not_read() {
        for (message, expected) in [
            (r#"{"jsonrpc":"2.0","id":7,"result":{"content":["#, Some(7)),
            (r#" { "id" : 12 , "jsonrpc": "2.0", "result": ["#, Some(12)),
            (r#"xxxx"]},"jsonrpc":"2.0","id":8}"#, Some(8)),
            (r#"xxxx"]}, "id": 9, "jsonrpc": "2.0" }"#, Some(9)),
            (r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"#, None),
            (r#"{"result":{"id":7,"text":"#, None),
            (r#"xxxx","id":7}}"#, None),
            (r#"{"id":"seven","result":"#, None),
            (r#"{"id":99999999999999999999,"result":"#, None),
            ("plain text with an \"id\":", None),
            ("", None),
        ] {
            let found = request_answered(message.as_bytes(), message.as_bytes());
            assert_eq!(found, expected.map(RequestId::Number), "{message}");
        }
    }
}
