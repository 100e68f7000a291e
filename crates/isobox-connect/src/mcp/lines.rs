//! Splits a stream into lines of bounded length.

use std::io;

use tokio_util::bytes::BytesMut;
use tokio_util::codec::Decoder;

/// A line without its line break.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// The complete line.
    Whole(BytesMut),
    /// The two ends of a line that exceeds the limit. They suffice to find the id of the request that it answers.
    TooLong { head: Vec<u8>, tail: Vec<u8> },
}

/// Splits a stream into lines. Never buffers more than one line of bounded length.
#[derive(Debug)]
pub(super) struct Lines {
    max: usize,
    /// The length of the buffer that is known to contain no line break.
    searched: usize,
    skipping: Option<Skipped>,
}

#[derive(Debug)]
struct Skipped {
    head: Vec<u8>,
    tail: Vec<u8>,
}

/// The number of bytes kept of either end of a line that is too long.
const EDGE: usize = 256;

impl Lines {
    pub(super) fn new(max: usize) -> Self {
        Self { max, searched: 0, skipping: None }
    }
}

impl Decoder for Lines {
    type Item = Line;
    type Error = io::Error;

    fn decode(&mut self, buffer: &mut BytesMut) -> io::Result<Option<Line>> {
        loop {
            let end = buffer[self.searched..].iter().position(|byte| *byte == b'\n').map(|end| self.searched + end);
            if let Some(skipped) = &mut self.skipping {
                skipped.skip(&buffer.split_to(end.unwrap_or(buffer.len())));
                if end.is_none() {
                    return Ok(None);
                }
                let _line_break = buffer.split_to(1);
                return Ok(self.skipping.take().map(|Skipped { head, tail }| Line::TooLong { head, tail }));
            }
            self.searched = 0;
            if end.unwrap_or(buffer.len()) > self.max {
                let head = buffer[..EDGE.min(buffer.len())].to_vec();
                self.skipping = Some(Skipped { head, tail: Vec::new() });
                continue;
            }
            let Some(end) = end else {
                self.searched = buffer.len();
                return Ok(None);
            };
            let line = buffer.split_to(end);
            let _line_break = buffer.split_to(1);
            return Ok(Some(Line::Whole(line)));
        }
    }

    /// Returns the last line, which may lack a line break.
    fn decode_eof(&mut self, buffer: &mut BytesMut) -> io::Result<Option<Line>> {
        if let Some(line) = self.decode(buffer)? {
            return Ok(Some(line));
        }
        self.searched = 0;
        if let Some(Skipped { head, tail }) = self.skipping.take() {
            return Ok(Some(Line::TooLong { head, tail }));
        }
        Ok((!buffer.is_empty()).then(|| Line::Whole(buffer.split())))
    }
}

impl Skipped {
    fn skip(&mut self, bytes: &[u8]) {
        let recent = &bytes[bytes.len().saturating_sub(EDGE)..];
        self.tail.extend_from_slice(recent);
        let old = self.tail.len().saturating_sub(EDGE);
        self.tail.drain(..old);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Splits a stream that arrives in pieces, and returns the lines and the largest buffer size.
    fn split(stream: &[u8], piece: usize, max: usize) -> (Vec<Line>, usize) {
        let mut lines = Lines::new(max);
        let mut buffer = BytesMut::new();
        let mut found = Vec::new();
        let mut held = 0;
        for piece in stream.chunks(piece) {
            buffer.extend_from_slice(piece);
            while let Some(line) = lines.decode(&mut buffer).unwrap() {
                found.push(line);
            }
            held = held.max(buffer.len());
        }
        while let Some(line) = lines.decode_eof(&mut buffer).unwrap() {
            found.push(line);
        }
        (found, held)
    }

    #[test]
    fn lines_are_the_same_however_the_stream_is_cut() {
        let long = format!("<{}>", "x".repeat(1_000));
        let stream = format!("one\n\ntwo\n{long}\nthree\n{long}\nlast");
        for piece in [1, 2, 3, 7, 100, 4_096] {
            let (lines, held) = split(stream.as_bytes(), piece, 10);
            assert!(held <= 10 + piece, "{held} bytes held with pieces of {piece}");
            assert_eq!(lines.len(), 7, "{lines:?}");
            assert_eq!(lines[0], Line::Whole("one".into()));
            assert_eq!(lines[1], Line::Whole(BytesMut::new()));
            assert_eq!(lines[4], Line::Whole("three".into()));
            assert_eq!(lines[6], Line::Whole("last".into()));
            for at in [3, 5] {
                let Line::TooLong { head, tail } = &lines[at] else { panic!("{:?}", lines[at]) };
                assert!(head.starts_with(b"<x") && head.len() <= EDGE);
                assert!(tail.ends_with(b"x>") && tail.len() == EDGE);
            }
        }
    }

    #[test]
    fn a_line_of_exactly_the_longest_length_is_whole() {
        assert_eq!(split(b"12345\n123456\n", 64, 5).0.len(), 2);
        assert!(matches!(&split(b"12345\n", 64, 5).0[0], Line::Whole(_)));
        assert!(matches!(&split(b"123456\n", 64, 5).0[0], Line::TooLong { .. }));
        assert!(matches!(&split(b"123456", 64, 5).0[0], Line::TooLong { .. }));
    }
}
