//! Reads input from standard input or a file.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use isobox::store::owned;
use tokio::sync::oneshot;

/// The maximum size of the input.
const MAX_INPUT: u64 = 16 << 20;

/// Reads a file, or standard input if none is named, to its end. The reading thread may block on a person and ends with
/// the process.
pub(crate) async fn read_input(file: Option<&Path>) -> io::Result<String> {
    let file = file.filter(|file| *file != Path::new("-")).map(Path::to_owned);
    let (sender, receiver) = oneshot::channel();
    std::thread::spawn(move || sender.send(read(file)));
    receiver.await.unwrap_or_else(|_| Err(io::Error::other("the reading thread has ended")))
}

fn read(file: Option<PathBuf>) -> io::Result<String> {
    let mut text = String::new();
    match file {
        None => io::stdin().take(MAX_INPUT + 1).read_to_string(&mut text)?,
        Some(file) => owned::open_stream(&file)?.take(MAX_INPUT + 1).read_to_string(&mut text)?,
    };
    match text.len() as u64 {
        0..=MAX_INPUT => Ok(text),
        _ => Err(io::Error::other("the input is larger than 16 MiB")),
    }
}
