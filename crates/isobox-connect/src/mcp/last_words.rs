//! The last output of a child process. Standard error is read to its end, so the child never blocks, and what is kept
//! is bounded.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use isobox_core::brief;
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::secrets::Secrets;

/// The maximum number of lines kept.
const LINES: usize = 20;
/// The maximum number of characters kept of a line.
const LINE_CHARACTERS: usize = 500;
/// The maximum number of bytes read of a line.
const LINE_BYTES: usize = 4 * LINE_CHARACTERS;

/// The last raw lines, shared between their readers and writers.
#[derive(Debug, Clone, Default)]
pub(super) struct LastWords(Arc<Mutex<VecDeque<String>>>);

impl LastWords {
    /// Reads a stream to its end.
    pub(super) async fn listen(self, mut stream: impl AsyncRead + Unpin) {
        let mut chunk = vec![0; 8 << 10];
        let mut line = Vec::new();
        // A failing stream counts as ended.
        while let Ok(length @ 1..) = stream.read(&mut chunk).await {
            for piece in chunk[..length].split_inclusive(|byte| *byte == b'\n') {
                let room = LINE_BYTES.saturating_sub(line.len());
                line.extend_from_slice(&piece[..piece.len().min(room)]);
                if piece.ends_with(b"\n") {
                    self.add(&line);
                    line.clear();
                }
            }
        }
        self.add(&line);
    }

    /// Adds a line unless it is blank.
    pub(super) fn add(&self, line: &[u8]) {
        let line = &line[..line.len().min(LINE_BYTES)];
        let text = String::from_utf8_lossy(line);
        let text = text.trim_end();
        if text.is_empty() {
            return;
        }
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == LINES {
            lines.pop_front();
        }
        lines.push_back(text.to_owned());
    }

    /// Returns the lines, oldest first: bounded, escaped, and without secrets.
    pub(super) fn quote(&self, secrets: &Secrets) -> Vec<String> {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Secrets are concealed before the line is shortened, so that no part of a secret remains.
        lines.iter().map(|line| brief(&secrets.conceal(line), LINE_CHARACTERS)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::McpServer;
    use super::*;

    #[tokio::test]
    async fn a_flood_keeps_only_the_last_lines_and_their_beginnings() {
        let mut flood = Vec::new();
        for number in 0..10_000 {
            flood.extend_from_slice(format!("line {number} {}\r\n\n", "x".repeat(3_000)).as_bytes());
        }
        flood.extend_from_slice(b"\x1b[31mthe \xff end");
        let words = LastWords::default();
        words.clone().listen(flood.as_slice()).await;

        let lines = words.quote(&Secrets::default());
        assert_eq!(lines.len(), LINES);
        assert!(lines[0].starts_with("line 9981 xxx"), "{}", lines[0]);
        assert!(lines.iter().all(|line| line.chars().count() <= LINE_CHARACTERS + 1));
        assert_eq!(lines[LINES - 1], "\\u{1b}[31mthe \u{fffd} end");
    }

    #[test]
    fn a_secret_is_concealed_before_its_line_is_cut() {
        let words = LastWords::default();
        let secret = "s".repeat(100);
        words.add(format!("{}{secret}", "x".repeat(LINE_CHARACTERS - 50)).as_bytes());
        let server = McpServer { secrets: vec![secret], ..McpServer::default() };
        assert_eq!(
            words.quote(&Secrets::new(&server.secrets, server.env.values())),
            [format!("{}***", "x".repeat(LINE_CHARACTERS - 50))]
        );
    }
}
