//! The record of side effects: one line per effect.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;

/// The number of effects by the key of the call.
pub(crate) struct Effects(HashMap<String, u32>);

impl Effects {
    /// Reads all effects so far.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(format!("{}: {error}", path.display())),
        };
        let mut done = HashMap::new();
        for line in text.lines() {
            *done.entry(line.to_owned()).or_default() += 1;
        }
        Ok(Self(done))
    }

    /// Returns how often a call took effect.
    pub(crate) fn times(&self, key: &str) -> u32 {
        self.0.get(key).copied().unwrap_or_default()
    }

    /// Returns the number of calls that took effect.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }
}

/// Opens the record for appending.
pub(crate) fn open(path: &Path) -> Result<File, String> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.map_err(|error| format!("{}: {error}", path.display()))
}

/// Records an effect: one line in one write, which is stored completely or not at all.
pub(crate) fn take_effect(mut file: &File, key: &str) -> std::io::Result<()> {
    file.write_all(format!("{key}\n").as_bytes())
}
