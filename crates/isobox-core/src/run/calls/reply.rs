//! Turns the result of a tool into the answer for the program. Decisions only.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

use crate::driver::Reply;
use crate::durable::journaling::Journaling;
use crate::json::{MAX_DEPTH, dismantle, is_within_depth};
use crate::policy::bridge::Bridge;
use crate::run::host::reporter::Reporter;
use crate::run::host::setting::Setting;
use crate::run::host::{Execution, Host};
use crate::text::shorten;
use crate::tools::checks::OutputCheck;
use crate::{ByteSize, CallSeq, Code, Failure, OutputChecks, Tool, ToolError};

/// The context in which answers are checked.
pub(crate) struct Answering<'r, 'a> {
    host: &'a Host,
    reporter: &'a Reporter<'a>,
    pub(crate) bridge: &'r Bridge<'a>,
    /// The maximum size of a value.
    limit: ByteSize,
    execution: &'a Execution,
}

impl<'r, 'a> Answering<'r, 'a> {
    pub(crate) fn new(setting: Setting<'a>, bridge: &'r Bridge<'a>, journal: &Journaling) -> Self {
        let Setting { host, reporter, execution } = setting;
        let limits = &execution.limits;
        let limit = if journal.is_on() { limits.output.min(limits.durable_value) } else { limits.output };
        Self { host, reporter, bridge, limit, execution }
    }

    /// Returns the reply for the program, and the full error, which only the host gets.
    pub(crate) fn reply(
        &self,
        seq: CallSeq,
        path: &str,
        result: Result<Value, ToolError>,
    ) -> (Reply, Option<ToolError>) {
        match result {
            Ok(value) if self.execution.is_rollback() => (self.reverted(seq, path, value), None),
            Ok(value) => (self.result(seq, path, value), None),
            Err(error) => {
                let mut failure = Failure::new(error.code(), shorten(error.message(), MAX_TOOL_MESSAGE));
                failure.details = self.details(seq, path, &error);
                (Reply::Failed(failure), Some(error))
            }
        }
    }

    /// Returns the details of an error as they may be stored and shown, and as the program gets them: bounded, and without
    /// the parts that the policy redacts.
    fn details(&self, seq: CallSeq, path: &str, error: &ToolError) -> Map<String, Value> {
        let is_ephemeral = self.host.catalogue.get(path).is_some_and(Tool::is_ephemeral);
        let mut details = Map::new();
        let mut left = MAX_DETAILS;
        for (key, value) in error.details() {
            let is_reserved = matches!(&**key, "name" | "message" | "code" | "stack");
            if is_reserved || (is_ephemeral && !value.is_number()) || !is_within_depth(value) {
                continue;
            }
            let value = self.reporter.shown(seq, path, value);
            let size = key.len() + value.to_string().len();
            if let Some(rest) = left.checked_sub(size) {
                left = rest;
                details.insert(key.clone(), value);
            }
        }
        details
    }

    fn result(&self, seq: CallSeq, path: &str, value: Value) -> Reply {
        if !is_within_depth(&value) {
            dismantle(value);
            return Reply::Failed(too_deep(path));
        }
        match self.check_output(seq, path, &value) {
            Ok(json) => {
                self.learn(path, value, json.get().len());
                Reply::Result(json)
            }
            Err(failure) => Reply::Failed(failure),
        }
    }

    /// Returns the reply to a revert that has succeeded. Nothing needs its result, so a result that cannot be stored does
    /// not make the revert a failure, which would be made again.
    fn reverted(&self, seq: CallSeq, path: &str, value: Value) -> Reply {
        let is_ephemeral = self.host.catalogue.get(path).is_some_and(Tool::is_ephemeral);
        let checked = if is_within_depth(&value) { self.check_size(path, &value) } else { Err(too_deep(path)) };
        dismantle(value);
        match checked {
            Ok(json) if !is_ephemeral => Reply::Result(json),
            Ok(_) => Reply::result(&Value::Null),
            Err(failure) => {
                self.reporter.warn_unquoted(seq, path, failure);
                Reply::result(&Value::Null)
            }
        }
    }

    /// Passes a result on to the learner, unless the tool belongs to this execution alone.
    fn learn(&self, path: &str, value: Value, size: usize) {
        let Some(learner) = &self.host.learner else { return };
        let is_own = self.execution.tools.iter().any(|tool| tool.path().as_str() == path);
        let Some(tool) = self.host.catalogue.get(path).filter(|tool| !is_own && tool.can_be_learned_from()) else {
            return;
        };
        if catch_unwind(AssertUnwindSafe(|| learner.saw(tool, value, size))).is_err() {
            tracing::warn!(tool = path, "the learner panicked");
        }
    }

    pub(crate) fn denied(&self, path: &str, reason: Option<&str>) -> Failure {
        let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
        let message = shorten(&format!("a person denied the call of `{path}`{reason}"), MAX_TOOL_MESSAGE);
        Failure::new(Code::ApprovalDenied, message)
    }

    fn check_output(&self, seq: CallSeq, path: &str, value: &Value) -> Result<Box<RawValue>, Failure> {
        // A value that is too large is not validated, because that would take time.
        let json = self.check_size(path, value)?;
        let outputs = self.host.validation.outputs;
        let Some(tool) = self.host.catalogue.get(path).filter(|_| outputs != OutputChecks::Off) else {
            return Ok(json);
        };
        match self.bridge.without_secrets(tool.names(), value, |value| tool.check_output(value)) {
            Ok(OutputCheck::Done) => {}
            // The call has taken effect, so its result is not discarded for being too large to validate.
            Ok(OutputCheck::TooLarge) => {
                let message = format!("the output of tool `{path}` is too large to be checked against its schema");
                self.reporter.warn_unquoted(seq, path, Failure::new(Code::InvalidOutput, message));
            }
            Err(failure) if outputs == OutputChecks::Warn => self.reporter.warn_of_output(seq, path, failure),
            Err(failure) => return Err(failure),
        }
        Ok(json)
    }

    pub(crate) fn check_size(&self, path: &str, value: &Value) -> Result<Box<RawValue>, Failure> {
        let json = to_raw_value(value).map_err(|error| {
            Failure::new(Code::Serialization, format!("the output of tool `{path}` is not JSON: {error}"))
        })?;
        let limit = self.limit;
        let size = json.get().len();
        if limit.holds(size) {
            return Ok(json);
        }
        let message = format!("the output of tool `{path}` is {size} bytes, and the limit is {limit}");
        Err(Failure::new(Code::OutputTooLarge, message)
            .hint("ask the tool for less: a filter, a smaller page, fewer fields")
            .detail("limit", limit.get())
            .detail("size", size))
    }
}

fn too_deep(path: &str) -> Failure {
    let message = format!("the output of tool `{path}` is nested deeper than {MAX_DEPTH} levels");
    Failure::new(Code::Serialization, message)
}

/// The maximum length of a tool's message to the program, in characters.
const MAX_TOOL_MESSAGE: usize = 4000;
/// The maximum size of the details of a tool's error, in bytes of JSON.
const MAX_DETAILS: usize = 20 << 10;
