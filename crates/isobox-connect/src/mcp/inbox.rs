//! Reads the messages of a server, whatever transport they came by.
//!
//! rmcp parses every result as the first of twenty types that fits, and starts a task per progress notification, in no
//! order. So results are passed on unchanged, and progress is reported here. Messages that are too large or cannot be
//! read are answered for, so that no caller waits for them.

use std::collections::HashMap;
use std::sync::Arc;

use isobox_core::{ByteSize, Progress, parse_json};
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, CustomResult, ErrorCode, ErrorData, GetExtensions, GetMeta, JsonRpcMessage,
    JsonRpcRequest, NumberOrString, ProgressToken, RequestId, ServerJsonRpcMessage, ServerRequest, ServerResult,
};
use serde_json::{Map, Value};
use tokio::sync::watch;

use super::concealing::Concealing;
use super::footprint::footprint;
use super::last_words::LastWords;
use super::lines::Line;
use super::progress;
use super::questions::{Desk, Origin, Questions};

/// The maximum size of the parsed values of a message, relative to the maximum message size.
const READ_FACTOR: u64 = 12;

/// The data of an error that stands for an answer that was lost.
const LOST: &str = "isobox: the answer was lost";

/// The reading side of a connection.
pub(super) struct Inbox {
    /// The id of the request that opens the session. Only its answer is parsed by rmcp.
    opening: Option<RequestId>,
    max_message: ByteSize,
    words: LastWords,
    /// The progress listeners by the progress token of their call.
    listeners: HashMap<i64, Listener>,
    /// The calls that the server may ask questions about.
    questions: Arc<Questions>,
    /// The receiver of log messages, in the order in which they arrive.
    log: Option<Box<Log>>,
    /// What is concealed in progress.
    secrets: Option<Arc<Concealing>>,
}

/// Takes a message if it is a log message. Returns whether it is.
type Log = dyn Fn(&Map<String, Value>) -> bool + Send;

/// The progress listener of a call, until the call is answered.
struct Listener {
    request: RequestId,
    caller: Caller,
}

/// The receiver of progress and questions for a waiting caller. It travels with the request, because only the transport knows its id and
/// its progress token.
#[derive(Debug, Clone)]
pub(super) struct Caller {
    /// Reports progress to the host.
    pub(super) progress: Progress,
    /// Wakes the caller, who may wait longer after progress.
    pub(super) beat: watch::Sender<()>,
    /// Takes questions of the server.
    pub(super) desk: Desk,
}

impl Caller {
    fn wants_progress(&self) -> bool {
        self.progress.is_wanted() || self.beat.receiver_count() > 0
    }
}

impl Inbox {
    /// Reads messages of bounded size. Lines that are no messages are added to `words`.
    pub(super) fn new(max_message: ByteSize, words: LastWords, questions: Arc<Questions>) -> Self {
        Self { opening: None, max_message, words, listeners: HashMap::new(), questions, log: None, secrets: None }
    }

    /// Passes log messages on to the receiver of the connector.
    pub(super) fn logging(mut self, log: impl Fn(&Map<String, Value>) -> bool + Send + 'static) -> Self {
        self.log = Some(Box::new(log));
        self
    }

    /// Conceals secrets in progress.
    pub(super) fn concealing(mut self, secrets: Arc<Concealing>) -> Self {
        self.secrets = Some(secrets);
        self
    }

    /// Returns the maximum size of a message, in bytes.
    pub(super) fn longest(&self) -> usize {
        usize::try_from(self.max_message.get()).unwrap_or(usize::MAX)
    }

    /// Prepares for the answer to a message. Call it before the server can know the message.
    pub(super) fn expect(&mut self, message: &ClientJsonRpcMessage) {
        let JsonRpcMessage::Request(request) = message else { return };
        match &request.request {
            ClientRequest::InitializeRequest(_) | ClientRequest::DiscoverRequest(_) => {
                self.opening = Some(request.id.clone());
            }
            other => {
                if let Some(caller) = other.extensions().get() {
                    self.expect_questions(request, caller);
                }
            }
        }
    }

    fn expect_questions(&mut self, request: &JsonRpcRequest<ClientRequest>, caller: &Caller) {
        self.questions.register(request.id.clone(), caller.desk.clone());
        if let Some(ProgressToken(NumberOrString::Number(token))) = request.request.get_meta().get_progress_token()
            && caller.wants_progress()
        {
            // Listeners of dropped calls are of no use.
            self.listeners.retain(|_, listener| listener.caller.wants_progress());
            self.listeners.insert(token, Listener { request: request.id.clone(), caller: caller.clone() });
        }
    }

    /// Parses a line. Returns `None` if rmcp need not see the message, and an error if the connection cannot continue.
    ///
    /// `origin` is the request whose stream the line came by, where each request has its own.
    pub(super) fn read(
        &mut self,
        line: Line,
        origin: Option<&RequestId>,
    ) -> Result<Option<ServerJsonRpcMessage>, String> {
        match line {
            Line::Whole(line) if line.trim_ascii().is_empty() => Ok(None),
            Line::Whole(line) => Ok(self.read_message(&line, origin)),
            Line::TooLong { head, tail } => {
                let problem = format!("sent a message of more than {}", self.max_message);
                match request_answered(&head, &tail) {
                    Some(id) => Ok(Some(lost_answer(id, format!("the server {problem}")))),
                    None => Err(problem),
                }
            }
        }
    }

    fn read_message(&mut self, line: &[u8], origin: Option<&RequestId>) -> Option<ServerJsonRpcMessage> {
        if footprint(line) > self.max_message.get().saturating_mul(READ_FACTOR) {
            // Such a message is ignored unless it answers a request.
            let id = request_answered(line, line)?;
            return Some(lost_answer(id, "the server sent a message of too many small values".to_owned()));
        }
        // A text that is not Unicode is mended: the rest of the message is good.
        let parsed = serde_json::from_slice(line).ok().or_else(|| parse_json(line).ok());
        let Some(Value::Object(mut message)) = parsed else {
            // A caller waits for this answer, although it cannot be parsed (nested too deep, for instance).
            if let Some(id) = request_answered(line, line) {
                return Some(lost_answer(id, "the server sent a message that cannot be read".to_owned()));
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
            self.questions.forget(id);
        }
        if let Some(id) = &id
            && !message.contains_key("method")
            && self.opening.as_ref() != Some(id)
            && let Some(result) = message.remove("result")
        {
            return Some(JsonRpcMessage::response(ServerResult::CustomResult(CustomResult(result)), id.clone()));
        }
        if let Some((token, told)) = progress::read(&message, self.secrets.as_deref()) {
            if let Some(listener) = self.listeners.get(&token) {
                listener.caller.beat.send_replace(());
                listener.caller.progress.report(told);
            }
            return None;
        }
        if self.log.as_ref().is_some_and(|log| log(&message)) {
            return None;
        }
        match serde_json::from_value(Value::Object(message)) {
            Ok(JsonRpcMessage::Request(mut request)) => {
                if let Some(origin) = origin {
                    let request: &mut ServerRequest = &mut request.request;
                    request.extensions_mut().insert(Origin(origin.clone()));
                }
                Some(JsonRpcMessage::Request(request))
            }
            Ok(message) => Some(message),
            Err(_) => {
                self.words.add(line);
                id.map(|id| refusal(id, "the server sent an error that cannot be read".to_owned()))
            }
        }
    }
}

/// Builds the error for a request that the server has refused in a way that cannot be read.
fn refusal(id: RequestId, message: String) -> ServerJsonRpcMessage {
    JsonRpcMessage::error(ErrorData::new(ErrorCode::INTERNAL_ERROR, message, None), Some(id))
}

/// Builds the error for a request whose answer did not arrive, or cannot be read. The server may have carried it out.
pub(super) fn lost_answer(id: RequestId, message: String) -> ServerJsonRpcMessage {
    JsonRpcMessage::error(ErrorData::new(ErrorCode::INTERNAL_ERROR, message, Some(LOST.into())), Some(id))
}

/// Tells whether an error stands for an answer that was lost.
pub(super) fn is_lost(error: &ErrorData) -> bool {
    error.data.as_ref().and_then(Value::as_str) == Some(LOST)
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
    use serde_json::json;
    use tokio_util::bytes::BytesMut;

    use super::*;

    #[test]
    fn half_a_surrogate_pair_in_an_answer_does_not_fail_the_call() {
        let mut inbox = Inbox::new(ByteSize::mib(1), LastWords::default(), Arc::default());
        let line = br#"{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"a\ud800b"}]}}"#;
        let message = inbox.read(Line::Whole(BytesMut::from(&line[..])), None).unwrap().unwrap();
        let expected = json!({ "content": [{ "type": "text", "text": "a\u{fffd}b" }] });
        assert_eq!(serde_json::to_value(message).unwrap()["result"], expected);
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
