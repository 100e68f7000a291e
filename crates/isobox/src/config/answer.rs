//! `answer`: the parts of an answer to a model beside the result and the log.

use isobox_core::{AnswerOptions, CallDetails, CallSummary};
use jsonc_parser::common::Ranged;

use super::reader::{ConfigReader, Keys, Section};
use super::syntax::Value;

pub(super) const KEYS: Keys = Keys { known: &["calls", "inputs", "outputs"], tolerated: &[], later: &[] };

const OWNER: &str = "`answer`";

pub(super) fn read<'d>(reader: &mut ConfigReader<'_>, value: &'d Value<'d>) -> AnswerOptions {
    let mut answer = AnswerOptions::default();
    let Some(section) = reader.section(OWNER, value, &KEYS) else { return answer };
    let details =
        CallDetails::default().inputs(detail(reader, &section, "inputs")).outputs(detail(reader, &section, "outputs"));
    if let Some(entries) = reader.count(&section, "calls") {
        let entries = usize::try_from(entries).unwrap_or(usize::MAX);
        answer.calls = (entries > 0).then(|| CallSummary::default().entries(entries).details(details));
    }
    answer
}

/// Reads whether a detail of the calls is wanted. Details require a list of calls.
fn detail(reader: &mut ConfigReader<'_>, section: &Section<'_>, key: &str) -> bool {
    if let (Some(value), None) = (section.get(key), section.get("calls")) {
        let message = format!("`{key}` needs `calls`, the number of calls that are listed; add `calls`");
        reader.problem(value.start(), OWNER, message);
    }
    reader.truth(section, key).unwrap_or_default()
}
