//! Answers requests whose line is too long without holding the line in memory.
//!
//! rmcp drops such a line, and the client would wait for ever. This reader keeps both ends of a long line and finds the
//! id of the request there. The transport answers that request with an error.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use isobox_core::ByteSize;
use rmcp::RoleServer;
use rmcp::model::{ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// The number of bytes kept of either end of a line.
const EDGE: usize = 512;

/// The id of the request in a line that is too long, if it can be found.
type TooLong = Option<RequestId>;

/// A reader that reports lines that are too long.
pub(super) struct Measured<R> {
    reader: R,
    line: Measure,
    too_long: UnboundedSender<TooLong>,
}

/// A transport that answers requests whose line was too long.
pub(super) struct Answering<T> {
    transport: T,
    max: ByteSize,
    too_long: UnboundedReceiver<TooLong>,
}

/// Returns the reader for a transport, and a function that wraps that transport.
pub(super) fn measured<R, T>(reader: R, max: ByteSize) -> (Measured<R>, impl FnOnce(T) -> Answering<T>) {
    let (sender, too_long) = unbounded_channel();
    let measured = Measured { reader, line: Measure::new(max), too_long: sender };
    (measured, move |transport| Answering { transport, max, too_long })
}

impl<R: AsyncRead + Unpin> AsyncRead for Measured<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.reader).poll_read(context, buffer))?;
        let Self { line, too_long, .. } = &mut *self;
        // If the receiver is gone, no answers are sent any more.
        line.add(&buffer.filled()[before..], |found| drop(too_long.send(found)));
        Poll::Ready(Ok(()))
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Answering<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.transport.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let id = tokio::select! {
                biased;
                Some(id) = self.too_long.recv() => id,
                message = self.transport.receive() => match message {
                    Some(message) => return Some(message),
                    // The line may have been the last one.
                    None => self.too_long.try_recv().ok()?,
                },
            };
            let message = format!("The message is too long: the limit is {}.", self.max);
            let refusal = JsonRpcMessage::error(ErrorData::invalid_request(message, None), id);
            self.transport.send(refusal).await.ok()?;
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.transport.close().await
    }
}

/// The state of the line that is being read.
struct Measure {
    max: u64,
    length: u64,
    head: Vec<u8>,
    tail: Vec<u8>,
}

impl Measure {
    fn new(max: ByteSize) -> Self {
        Self { max: max.get(), length: 0, head: Vec::new(), tail: Vec::new() }
    }

    fn add(&mut self, mut bytes: &[u8], mut found: impl FnMut(TooLong)) {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            self.extend(&bytes[..end]);
            bytes = &bytes[end + 1..];
            // The line break counts, as it does for rmcp.
            if self.length + 1 > self.max {
                found(request(&self.head, &self.tail));
            }
            (self.length, self.head, self.tail) = (0, Vec::new(), Vec::new());
        }
        self.extend(bytes);
    }

    fn extend(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        let room = EDGE - self.head.len();
        self.head.extend_from_slice(&bytes[..room.min(bytes.len())]);
        self.tail.extend_from_slice(&bytes[bytes.len().saturating_sub(EDGE)..]);
        self.tail.drain(..self.tail.len().saturating_sub(EDGE));
    }
}

/// Finds the id of a request at the two ends of its line: it comes before or after the long part.
fn request(head: &[u8], tail: &[u8]) -> TooLong {
    at_the_head(head).or_else(|| at_the_tail(tail))
}

/// Finds the id at the head: `{"jsonrpc":"2.0","id":7,…`, also after the method.
fn at_the_head(head: &[u8]) -> TooLong {
    let mut rest = head.trim_ascii_start().strip_prefix(b"{")?;
    // The other members that can come first are short strings.
    for _ in 0..3 {
        let (key, after) = text(rest.trim_ascii_start())?;
        let value = after.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
        if key == b"id" {
            return name(value).map(|(id, _)| id);
        }
        let (_, after) = text(value)?;
        rest = after.trim_ascii_start().strip_prefix(b",")?;
    }
    None
}

/// Finds the id at the tail: `…,"jsonrpc":"2.0","id":7}`, or with the two members swapped.
fn at_the_tail(tail: &[u8]) -> TooLong {
    const KEY: &[u8] = b"\"id\"";
    let at = tail.windows(KEY.len()).rposition(|window| window == KEY)?;
    let value = tail[at + KEY.len()..].trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
    let (id, rest) = name(value)?;
    let rest: Vec<u8> = rest.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    matches!(rest.as_slice(), b"}" | b",\"jsonrpc\":\"2.0\"}").then_some(id)
}

/// Parses an id: a number or a string without escapes.
fn name(value: &[u8]) -> Option<(RequestId, &[u8])> {
    if let Some((name, rest)) = text(value) {
        let name = std::str::from_utf8(name).ok().filter(|name| !name.contains('\\'))?;
        return Some((RequestId::String(name.into()), rest));
    }
    let end = value.iter().position(|byte| !byte.is_ascii_digit())?;
    let (digits, rest) = value.split_at(end);
    Some((RequestId::Number(std::str::from_utf8(digits).ok()?.parse().ok()?), rest))
}

fn text(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let bytes = bytes.strip_prefix(b"\"")?;
    let end = bytes.iter().position(|byte| *byte == b'"')?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_found_at_either_end_of_its_line() {
        let number = |number| Some(RequestId::Number(number));
        for (line, expected) in [
            (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"#, number(7)),
            (r#" { "method" : "tools/call" , "jsonrpc": "2.0", "id": 12, "params": {"#, number(12)),
            (r#"{"jsonrpc":"2.0","id":"a-1","method":"#, Some(RequestId::String("a-1".into()))),
            (r#"xxxx"}},"jsonrpc":"2.0","id":8}"#, number(8)),
            (r#"xxxx"}}, "id": "b", "jsonrpc": "2.0" }"#, Some(RequestId::String("b".into()))),
            (r#"{"params":{"id":7,"code":"xxxx"#, None),
            (r#"xxxx","id":7}}"#, None),
            (r#"{"id":"a\"b","method":"#, None),
            (r#"{"id":99999999999999999999,"method":"#, None),
            ("plain text with an \"id\":", None),
            ("", None),
        ] {
            assert_eq!(request(line.as_bytes(), line.as_bytes()), expected, "{line}");
        }
    }

    #[test]
    fn lines_are_measured_however_the_stream_is_cut() {
        let long = format!(r#"{{"id":3,"code":"{}"}}"#, "x".repeat(5_000));
        let stream = format!("short\n{long}\n\n{}\n", "y".repeat(1_000));
        for piece in [1, 7, 100, 10_000] {
            let mut measure = Measure::new(ByteSize::bytes(1_000));
            let mut found = Vec::new();
            for piece in stream.as_bytes().chunks(piece) {
                measure.add(piece, |id| found.push(id));
                assert!(measure.head.len() + measure.tail.len() <= 2 * EDGE);
            }
            assert_eq!(found, [Some(RequestId::Number(3)), None], "in pieces of {piece}");
        }
    }
}
