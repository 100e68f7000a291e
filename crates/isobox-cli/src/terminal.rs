//! Questions at the terminal. Only input typed after a question is shown counts as its answer.

use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::mpsc::{Sender, channel};

use isobox::{Code, Failure};
use rustix::termios::{QueueSelector, tcflush};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::rows::Columns;
use crate::style::{Colours, Look};

/// The maximum length of an answer.
const MAX_ANSWER: usize = 1 << 20;

/// Asks one question at a time. Reads nothing while no question is open.
#[derive(Default)]
pub(crate) struct Terminal {
    reader: State,
}

#[derive(Default)]
enum State {
    #[default]
    Unused,
    Ready(KeyReader),
    /// A question was cancelled while the thread was reading. The thread would take the next line as its answer.
    Abandoned,
}

struct KeyReader {
    /// Each message requests one line.
    requests: Sender<()>,
    lines: UnboundedReceiver<io::Result<Option<String>>>,
}

impl Terminal {
    /// Shows a question and waits for a line. Returns `None` if the terminal was closed.
    ///
    /// Drops input typed before the question. After this future was dropped once, all further questions return `None`,
    /// because the reading thread still waits for the answer to the cancelled question.
    pub(crate) async fn ask(&mut self, question: &str) -> io::Result<Option<String>> {
        let mut reader = match std::mem::replace(&mut self.reader, State::Abandoned) {
            State::Unused => KeyReader::start(),
            State::Ready(reader) => reader,
            State::Abandoned => return Ok(None),
        };
        show(question)?;
        reader.requests.send(()).map_err(|_| io::Error::other("the reading thread has ended"))?;
        let line = reader.lines.recv().await.unwrap_or(Ok(None))?;
        self.reader = State::Ready(reader);
        Ok(line)
    }
}

/// Shows a question and blocks until a line is typed. Returns `None` if the terminal was closed. Drops input typed
/// before the question.
pub(crate) fn ask_and_wait(question: &str) -> io::Result<Option<String>> {
    show(question)?;
    read_line()
}

fn show(question: &str) -> io::Result<()> {
    tcflush(io::stdin().as_fd(), QueueSelector::IFlush)?;
    let question = format!("{} ", Colours::of_standard_error().paint(Look::Strong, question));
    let question = Columns::of_standard_error().broken(&question);
    io::stderr().write_all(question.as_bytes())
}

impl KeyReader {
    /// Starts the reading thread. The thread blocks on input and ends with the process.
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

/// Reads one line and drops the rest of the input, which was typed before the next question. Bypasses the buffer of
/// standard input, which would keep that rest.
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

/// Returns a random word that cannot be known before it is shown: two of seventy syllables, easy to read and type.
pub(crate) fn new_word() -> Result<String, Failure> {
    const CONSONANTS: [char; 14] = ['b', 'd', 'f', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'z'];
    const VOWELS: [char; 5] = ['a', 'e', 'i', 'o', 'u'];
    let mut random = [0; 8];
    getrandom::fill(&mut random)
        .map_err(|error| Failure::new(Code::Internal, format!("the system provides no random numbers: {error}")))?;
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
