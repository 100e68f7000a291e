//! The report in Markdown. Text from outside is only in code spans and fences that are longer than any run of backticks in it.

use std::collections::BTreeMap;

use isobox::transcript::Transcript;

use super::facts::{CallFacts, Ended, Facts};
use crate::executions::timeline::{Story, chart};
use crate::style::Colours;

/// The width of the timeline in characters.
const WIDTH: usize = 100;

/// Writes the report.
pub(crate) fn markdown(transcript: &Transcript) -> String {
    let facts = Facts::of(transcript);
    let mut parts = vec![format!("# {}", facts.title)];
    if facts.is_redacted {
        parts.push("Values that the policy redacts are hidden, and so are the literals of the program.".to_owned());
    }
    let summary = facts.summary.iter().map(|(label, value)| format!("- {label}: {}", code(value)));
    parts.push(summary.collect::<Vec<_>>().join("\n"));
    parts.push("## Outcome".to_owned());
    parts.push(match &facts.outcome {
        Ended::Completed(result) => fence("json", result),
        Ended::Failed(failure) => fence("text", failure),
        Ended::NotYet(sentence) => (*sentence).to_owned(),
    });
    let story = Story {
        id: &transcript.execution_id,
        created: transcript.beginning.created,
        function: None,
        session: None,
        owner: None,
        entries: &transcript.entries,
        inputs: &BTreeMap::new(),
        is_held: false,
        is_decided: false,
    };
    let timeline = chart(&story, &transcript.state, WIDTH, Colours::Off);
    if !timeline.is_empty() {
        parts.push(format!("## Timeline\n\n{}", fence("text", &timeline)));
    }
    parts.push("## Program".to_owned());
    for (name, text) in &facts.files {
        parts.push(format!("{}\n\n{}", code(name), fence("ts", text)));
    }
    if !facts.calls.is_empty() {
        parts.push("## Calls".to_owned());
        parts.extend(facts.calls.iter().map(call));
    }
    if facts.more_calls > 0 {
        parts.push(format!("… {} more calls", facts.more_calls));
    }
    if !facts.events.is_empty() {
        let lines = facts.events.iter().map(|(at, what)| format!("- {at} {}", code(what)));
        parts.push(format!("## Decisions and pauses\n\n{}", lines.collect::<Vec<_>>().join("\n")));
    }
    if !facts.found.is_empty() {
        parts.push(format!("## Facts\n\n{}", fence("text", &facts.found.join("\n"))));
    }
    if !facts.logs.is_empty() {
        parts.push(format!("## Log\n\n{}", fence("text", &facts.logs.join("\n"))));
    }
    parts.join("\n\n")
}

fn call(call: &CallFacts) -> String {
    let mut parts = vec![format!("### Call {}: {}", call.seq, code(&call.path))];
    let place = call.place.as_ref().map(|place| format!(", at {}", code(place))).unwrap_or_default();
    let cost = if call.cost.is_empty() { String::new() } else { format!(", {}", call.cost) };
    parts.push(format!("{}{cost}{place}", call.state));
    parts.push(format!("Input:\n\n{}", fence("json", &call.input)));
    if let Some(output) = &call.output {
        parts.push(format!("Result:\n\n{}", fence("json", output)));
    }
    if let Some(error) = &call.error {
        parts.push(format!("Error:\n\n{}", fence("text", error)));
    }
    parts.join("\n\n")
}

/// Writes a code span that the text cannot end.
fn code(text: &str) -> String {
    let ticks = "`".repeat(longest_run(text) + 1);
    let text = text.replace('\n', " ");
    if text.trim().is_empty() { "(empty)".to_owned() } else { format!("{ticks} {text} {ticks}") }
}

/// Writes a fence that the text cannot end.
fn fence(language: &str, text: &str) -> String {
    let ticks = "`".repeat(longest_run(text).max(2) + 1);
    format!("{ticks}{language}\n{text}\n{ticks}")
}

fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_span_or_fence() {
        assert_eq!(code("a"), "` a `");
        assert_eq!(code("`</code>`` x"), "``` `</code>`` x ```");
        assert_eq!(code("a\n# Title"), "` a # Title `");
        assert_eq!(code(" "), "(empty)");
        assert_eq!(fence("ts", "x"), "```ts\nx\n```");
        assert_eq!(fence("ts", "````\n# out"), "`````ts\n````\n# out\n`````");
    }
}
