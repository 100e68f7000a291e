//! The snippets that an execution runs.

use super::{CallPlace, CallProgress, JournalState, Settlement, SharedCode, SnippetCode, SnippetStarted, add_warning};
use crate::CallSeq;

impl JournalState {
    /// Returns the place in the program itself at which a call of a snippet was caused.
    pub(crate) fn cause_of(&self, call: CallSeq) -> Option<&CallPlace> {
        let top = std::iter::successors(call.parent(), |seq| seq.parent()).last()?;
        self.running.get(&top)?.at.as_ref()
    }

    /// Returns the code of a snippet that starts.
    pub(crate) fn code_of(&self, started: &SnippetStarted) -> Option<SharedCode> {
        started.code.clone().or_else(|| self.codes.get(&started.hash).cloned())
    }

    /// Returns the snippet that makes a call, if a snippet makes it: the name, the version, and the code.
    pub fn snippet_of(&self, call: CallSeq) -> Option<(&str, u32, &SnippetCode)> {
        let parent = call.parent()?;
        let (name, version, hash) = match self.running.get(&parent) {
            Some(running) => (&running.name, running.version, &running.hash),
            None => match &self.call(parent)?.progress {
                CallProgress::Settled { settlement: Settlement::Snippet(started), .. } => {
                    (&started.name, started.version, &started.hash)
                }
                _ => return None,
            },
        };
        Some((name, version, self.codes.get(hash)?))
    }

    /// Keeps the code of a snippet and the warning about it, and takes them out of its entry.
    pub(super) fn keep_start(&mut self, started: &mut SnippetStarted) {
        if let Some(code) = started.code.take() {
            self.codes.insert(started.hash.clone(), code);
        }
        if let Some(warning) = started.warning.take() {
            add_warning(&mut self.warnings, warning);
        }
    }
}
