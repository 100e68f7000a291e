//! The terminal that a person answers at: what is typed counts only once the question is shown.

use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::mpsc::{Sender, channel};

use isobox::{Code, Failure};
use rustix::termios::{QueueSelector, tcflush};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::style::{Colours, Look};

/// More than anybody types.
const MAX_ANSWER: usize = 1 << 20;

/// Asks one question after the other. Nothing is read while none is open.
#[derive(Default)]
pub(crate) struct Terminal {
    reader: State,
}

#[derive(Default)]
enum State {
    #[default]
    Unused,
    Ready(KeyReader),
    /// A question was cancelled while the thread was reading: the next line would be its answer.
    Abandoned,
}

struct KeyReader {
    /// Each asks for one line.
    requests: Sender<()>,
    lines: UnboundedReceiver<io::Result<Option<String>>>,
}

impl Terminal {
    /// Shows a question of ours and waits for a line; none where the person has closed the terminal.
    ///
    /// Drops what was typed before. Once the future was dropped, further questions return none: the reading thread still waits
    /// for the answer to the cancelled one.
    pub(crate) async fn ask(&mut self, question: &str) -> io::Result<Option<String>> {
        let mut reader = match std::mem::replace(&mut self.reader, State::Abandoned) {
            State::Unused => KeyReader::start(),
            State::Ready(reader) => reader,
            State::Abandoned => return Ok(None),
        };
        show(question)?;
        reader.requests.send(()).map_err(|_| io::Error::other("nobody reads it"))?;
        let line = reader.lines.recv().await.unwrap_or(Ok(None))?;
        self.reader = State::Ready(reader);
        Ok(line)
    }
}

/// Shows a question of ours and blocks until a line was typed; none where the person has closed the terminal. Drops what was
/// typed before.
pub(crate) fn ask_and_wait(question: &str) -> io::Result<Option<String>> {
    show(question)?;
    read_line()
}

fn show(question: &str) -> io::Result<()> {
    tcflush(io::stdin().as_fd(), QueueSelector::IFlush)?;
    let question = format!("{} ", Colours::of_standard_error().paint(Look::Strong, question));
    io::stderr().write_all(question.as_bytes())
}

impl KeyReader {
    /// Starts the thread that reads. It waits for a person, and ends with the process.
    fn start() -> Self {
        let (requests, wanted) = channel();
        let (sender, lines) = unbounded_channel();
        std::thread::spawn(move || {
            for () in wanted {
                if sender.send(read_line()).is_err() {
                    return;
                }
            }
        });
        Self { requests, lines }
    }
}

/// Reads one line, and drops what was typed behind it: that was before the next question. Not through the buffer of standard
/// input, which would keep it.
fn read_line() -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let length = match rustix::io::read(io::stdin().as_fd(), &mut chunk) {
            Ok(length) => length,
            Err(rustix::io::Errno::INTR) => continue,
            Err(error) => return Err(error.into()),
        };
        if length == 0 {
            return Ok(None);
        }
        let end = chunk[..length].iter().position(|byte| *byte == b'\n');
        line.extend_from_slice(&chunk[..end.unwrap_or(length)]);
        if end.is_some() {
            return Ok(Some(String::from_utf8_lossy(&line).into_owned()));
        }
        if line.len() > MAX_ANSWER {
            return Err(io::Error::other("the answer is too long"));
        }
    }
}

/// A word that nobody can know before it is shown: two syllables out of seventy, each of which can be said and typed.
pub(crate) fn new_word() -> Result<String, Failure> {
    const CONSONANTS: [char; 14] = ['b', 'd', 'f', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'z'];
    const VOWELS: [char; 5] = ['a', 'e', 'i', 'o', 'u'];
    let mut random = [0; 8];
    getrandom::fill(&mut random)
        .map_err(|error| Failure::new(Code::Internal, format!("there are no random numbers: {error}")))?;
    let mut number = u64::from_le_bytes(random) as usize;
    let mut pick = |count: usize| {
        let picked = number % count;
        number /= count;
        picked
    };
    Ok([(); 2].iter().flat_map(|()| [CONSONANTS[pick(14)], VOWELS[pick(5)]]).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn words_can_be_typed_and_are_seldom_the_same() {
        let words: HashSet<String> = (0..100).map(|_| new_word().expect("random numbers")).collect();
        assert!(words.len() > 80, "{words:?}");
        assert!(words.iter().all(|word| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_lowercase())));
    }
}
