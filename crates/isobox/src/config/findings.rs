//! Findings in a configuration file.

/// The findings, each with its offset in the text.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) found: Vec<(usize, String)>,
    pub(super) dropped: usize,
}

impl Findings {
    pub(super) fn add(&mut self, at: usize, message: String) {
        /// The maximum number of findings, so that the answer is not many times the size of the file.
        const KEPT: usize = 1000;
        if self.found.len() < KEPT {
            self.found.push((at, message));
        } else {
            self.dropped += 1;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }
}
