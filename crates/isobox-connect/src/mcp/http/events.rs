//! Splits a stream of server-sent events into events of bounded size.

use bytes::BytesMut;
use tokio_util::codec::Decoder;

use super::super::lines::{Line, Lines};

/// A server-sent event.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Event {
    /// Its type: `message` unless the server says otherwise.
    pub(super) kind: String,
    /// Its data.
    pub(super) data: Line,
}

/// Splits a stream into events. Never buffers more than one event of bounded size.
#[derive(Debug)]
pub(super) struct Events {
    lines: Lines,
    max: usize,
    buffer: BytesMut,
    kind: String,
    data: Option<Line>,
    /// The last id of an event, to continue from there.
    pub(super) last_id: Option<String>,
    /// The time to wait before the stream is opened again, in milliseconds.
    pub(super) retry: Option<u64>,
}

/// The maximum length of an event id, in bytes. Longer ones are ignored: they are sent back as a header.
const MAX_ID: usize = 1_000;
/// The maximum length of an event type, in bytes.
const MAX_KIND: usize = 100;

impl Events {
    /// Creates a splitter for events with at most this many bytes of data.
    pub(super) fn new(max: usize) -> Self {
        let longest_field = "data: ".len();
        Self {
            lines: Lines::new(max.saturating_add(longest_field)),
            max,
            buffer: BytesMut::new(),
            kind: String::new(),
            data: None,
            last_id: None,
            retry: None,
        }
    }

    /// Adds a piece of the stream. Take all events before the next piece is added.
    pub(super) fn add(&mut self, piece: &[u8]) {
        self.buffer.extend_from_slice(piece);
    }

    /// Returns the next complete event.
    pub(super) fn next(&mut self) -> Option<Event> {
        // Splitting lines does not fail.
        while let Ok(Some(line)) = self.lines.decode(&mut self.buffer) {
            match line {
                Line::Whole(line) => {
                    let line = line.strip_suffix(b"\r").unwrap_or(&line);
                    if line.is_empty() {
                        let kind = std::mem::take(&mut self.kind);
                        if let Some(data) = self.data.take() {
                            let kind = if kind.is_empty() { "message".to_owned() } else { kind };
                            return Some(Event { kind, data });
                        }
                    } else {
                        self.field(line);
                    }
                }
                Line::TooLong { head, tail } => {
                    if let Some(value) = value_of(&head, b"data") {
                        let tail = tail.strip_suffix(b"\r").unwrap_or(&tail).to_vec();
                        self.data = Some(Line::TooLong { head: value.to_vec(), tail });
                    }
                }
            }
        }
        None
    }

    fn field(&mut self, line: &[u8]) {
        if let Some(value) = value_of(line, b"data") {
            self.data = Some(match self.data.take() {
                None => Line::Whole(BytesMut::from(value)),
                Some(Line::Whole(mut data)) if data.len() + 1 + value.len() <= self.max => {
                    data.extend_from_slice(b"\n");
                    data.extend_from_slice(value);
                    Line::Whole(data)
                }
                Some(Line::Whole(data)) => Line::TooLong { head: data.to_vec(), tail: value.to_vec() },
                Some(Line::TooLong { head, .. }) => Line::TooLong { head, tail: value.to_vec() },
            });
        } else if let Some(value) = value_of(line, b"event").filter(|value| value.len() <= MAX_KIND) {
            self.kind = String::from_utf8_lossy(value).into_owned();
        } else if let Some(value) = value_of(line, b"id").filter(|value| value.len() <= MAX_ID) {
            self.last_id = std::str::from_utf8(value).ok().filter(|id| !id.is_empty()).map(str::to_owned);
        } else if let Some(value) = value_of(line, b"retry") {
            self.retry = std::str::from_utf8(value).ok().and_then(|value| value.parse().ok());
        }
    }
}

/// Returns the value of a field if the line is one with this name.
fn value_of<'l>(line: &'l [u8], name: &[u8]) -> Option<&'l [u8]> {
    let rest = line.strip_prefix(name)?;
    if rest.is_empty() {
        return Some(rest);
    }
    let value = rest.strip_prefix(b":")?;
    Some(value.strip_prefix(b" ").unwrap_or(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(stream: &[u8], piece: usize, max: usize) -> (Vec<Event>, Events) {
        let mut events = Events::new(max);
        let mut found = Vec::new();
        for piece in stream.chunks(piece) {
            events.add(piece);
            found.extend(std::iter::from_fn(|| events.next()));
        }
        (found, events)
    }

    fn event(kind: &str, data: &str) -> Event {
        Event { kind: kind.to_owned(), data: Line::Whole(data.as_bytes().into()) }
    }

    #[test]
    fn events_are_split_however_they_arrive() {
        let stream = b": hello\r\nevent: endpoint\r\ndata: /post?id=1\r\n\r\nid: 7\nretry: 50\ndata: {\"a\":\ndata:1}\n\nevent: ping\n\n\
            id\ndata\n\ndatabase: x\n\ndata: unfinished";
        for piece in 1..stream.len() {
            let (events, after) = split(stream, piece, 1_000);
            let expected = [event("endpoint", "/post?id=1"), event("message", "{\"a\":\n1}"), event("message", "")];
            assert_eq!(events, expected, "pieces of {piece}");
            assert_eq!((after.last_id, after.retry), (None, Some(50)));
        }
    }

    #[test]
    fn of_an_event_that_is_too_large_only_its_ends_are_kept() {
        let long = format!("data: {{\"id\":7,{}}}\n\ndata: x\n\n", "y".repeat(100_000));
        let (events, after) = split(long.as_bytes(), 1_000, 500);
        let Line::TooLong { head, tail } = &events[0].data else { panic!("{events:?}") };
        assert!(head.starts_with(b"{\"id\":7") && tail.ends_with(b"y}"));
        assert_eq!(events[1], event("message", "x"));
        assert!(after.buffer.is_empty());

        let many = format!("{}\n", "data: 0123456789\n".repeat(1_000));
        let (events, _) = split(many.as_bytes(), 100, 500);
        assert!(matches!(&events[..], [Event { data: Line::TooLong { head, .. }, .. }] if head.len() <= 500));
    }
}
