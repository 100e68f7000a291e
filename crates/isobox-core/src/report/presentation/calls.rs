//! Summarises the calls of a program within a budget.

use serde_json::Value;

use super::CHARACTERS_PER_TOKEN;
use super::value::{more, shown_within};
use crate::text::brief;
use crate::{CallDetails, CallRecord};

/// The options for a summary of calls.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallSummary {
    /// The maximum number of listed calls. Further ones are counted.
    pub entries: usize,
    /// The maximum number of tokens of the summary.
    pub tokens: usize,
    /// The details to show of each call, if its record has them.
    pub details: CallDetails,
}

impl CallSummary {
    setters! {
        entries: usize,
        tokens: usize,
        details: CallDetails,
    }
}

impl Default for CallSummary {
    fn default() -> Self {
        Self { entries: 20, tokens: 1000, details: CallDetails::default() }
    }
}

/// Lists the calls of a program, one per line: the tool, its state and, if requested and recorded, its input, its
/// output or its error. Anything that does not fit is cut or counted, so the text never exceeds its budget.
///
/// ```
/// use isobox_core::{CallRecord, CallSummary, summarise_calls};
/// use serde_json::json;
///
/// let record = |path| json!({ "seq": "0", "path": path, "state": "applied" });
/// let calls: Vec<CallRecord> = serde_json::from_value(json!([record("mail.list"), record("mail.send")]))?;
/// let summary = CallSummary::default().entries(1);
/// assert_eq!(summarise_calls(&calls, &summary), "calls:\nmail.list: applied\n… 1 more call");
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn summarise_calls(calls: &[CallRecord], summary: &CallSummary) -> String {
    let budget = summary.tokens.saturating_mul(CHARACTERS_PER_TOKEN);
    let mut text = "calls:".to_owned();
    if calls.is_empty() || text.len() > budget {
        return String::new();
    }
    let listed = calls.len().min(summary.entries);
    for (index, call) in calls.iter().take(listed).enumerate() {
        let after = rest(calls.len() - index - 1);
        let left = budget.saturating_sub(text.len() + after.len());
        let entry = entry(call, summary.details, left / (listed - index));
        if entry.len() > left {
            return ended(text, &rest(calls.len() - index), budget);
        }
        text.push_str(&entry);
    }
    ended(text, &rest(calls.len() - listed), budget)
}

fn rest(missing: usize) -> String {
    if missing == 0 { String::new() } else { format!("\n… {}", more(missing, "call")) }
}

fn ended(text: String, rest: &str, budget: usize) -> String {
    if text.len() + rest.len() <= budget { text + rest } else { text }
}

/// Shows one call, with as many details as there is room for.
fn entry(call: &CallRecord, details: CallDetails, room: usize) -> String {
    let mut text = format!("\n{}: {}", brief(&call.path, 80), call.state);
    let error = call.error.as_ref().map(|error| Value::String(format!("{}: {}", error.code, error.message)));
    let shown: Vec<(&str, &Value)> = [
        ("input", call.input.as_ref().filter(|_| details.inputs)),
        ("output", call.output.as_ref().filter(|_| details.outputs)),
        ("error", error.as_ref().filter(|_| details.outputs)),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some((name, value?)))
    .collect();
    for (index, (name, value)) in shown.iter().enumerate() {
        let label = format!("\n  {name}: ");
        let share = room.saturating_sub(text.len()) / (shown.len() - index);
        if let Some(value) = shown_within(value, share.saturating_sub(label.len())) {
            text.push_str(&label);
            text.push_str(&value);
        }
    }
    text
}
