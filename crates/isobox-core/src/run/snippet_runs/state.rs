//! The knowledge of the run loop about the snippets of its execution.

use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::Value;

use crate::CallSeq;
use crate::run::calls::ledger::ToolRequest;
use crate::snippets::Use;

/// The snippets of an execution.
#[derive(Default)]
pub(crate) struct SnippetRuns {
    /// The names and versions of those that run or start next, by the calls that started them.
    pub(in crate::run) running: HashMap<CallSeq, (String, u32)>,
    /// The hashes of the code of those that this process has started.
    pub(super) hashes: HashMap<CallSeq, String>,
    /// The hashes of all code that this process has started.
    pub(super) known: HashSet<String>,
    /// The runs of code that the execution has run before.
    pub(super) repeated: HashSet<CallSeq>,
    /// The calls that were approved, as they were shown.
    pub(super) approved: HashMap<CallSeq, Value>,
    /// The principals whose remembered decisions approved them.
    pub(in crate::run) approved_by: HashMap<CallSeq, String>,
    /// The calls that wait until another snippet ends.
    pub(super) parked: VecDeque<ToolRequest>,
    /// The runs that are not counted yet.
    pub(in crate::run) uses: Vec<Use>,
    /// The warnings for the author of a program that has no journal.
    pub(super) warnings: Vec<String>,
}
