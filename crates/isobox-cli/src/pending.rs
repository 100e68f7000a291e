//! Draws pending calls for a person.

use std::time::Duration;

use isobox::calls::CallPlace;
use isobox::snippets::PendingSnippet;
use isobox::text::{brief, without_escapes};
use isobox::{Paused, PendingCall, PendingKind, Value};

use crate::commands::Commands;
use crate::diagram::surroundings;
use crate::executions::moment::now;
use crate::source::Source;
use crate::style::{Colours, Look};

/// The maximum number of lines shown of one value.
const LINES: usize = 40;
/// The maximum number of characters shown of one line.
const COLUMNS: usize = 160;
/// The maximum number of calls shown of one execution, and the maximum number that is shown with all details.
const CALLS: usize = 20;
const DETAILED: usize = 3;
/// The maximum number of characters shown of the input of a call that is shown in one line.
const INPUT: usize = 100;

/// How much is shown of pending calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// As much as a person reads at once.
    Summary,
    /// Everything.
    Whole,
}

/// Draws a paused execution: its pending calls, and the commands that decide about them.
pub(crate) fn draw_pause(
    paused: &Paused,
    source: &Source,
    commands: &Commands,
    extent: Extent,
    colours: Colours,
) -> String {
    let Paused { execution_id: id, revision, pending, .. } = paused;
    let mut text =
        format!("{}: {id} is waiting for a decision (revision {revision})", colours.paint(Look::Warning, "paused"));
    if paused.restored {
        text.push_str(
            "\n\nThe execution is held: its store was restored from a backup, and calls may have been made since. Find out how \
             far the\noriginal came before you resume it.",
        );
    }
    if let Some(until) = paused.until {
        text.push_str(&format!("\nWithout a decision, it continues at {until}, when its timer is due."));
    }
    if pending.len() <= DETAILED || extent == Extent::Whole {
        for call in pending {
            text.push_str(&format!("\n\n{}", draw_call_in(extent, call, source, colours)));
            for (what, command) in commands.about(id, call, *revision) {
                text.push_str(&format!("\n  {}", field(what, &command, colours)));
            }
        }
    } else {
        text.push_str(&format!("\n\n{} calls are pending: {}", pending.len(), counted(paused)));
        for call in pending.iter().take(CALLS) {
            text.push_str(&format!("\n  {}", draw_line(call, colours)));
        }
    }
    if let (Extent::Summary, Some(more @ 1..)) = (extent, pending.len().checked_sub(CALLS)) {
        text.push_str(&format!("\n\n… {more} more pending calls"));
    }
    text.push_str("\n\n");
    let approvals = pending.iter().filter(|call| call.kind == PendingKind::Approval).count();
    // A person approves all only after all was shown.
    let is_short = pending.len() <= CALLS && pending.iter().all(|call| is_shown_whole(call, pending.len()));
    let is_whole = extent == Extent::Whole || is_short;
    if !is_whole {
        let what = if approvals > 1 { "see everything, and approve all" } else { "see everything" };
        text.push_str(&format!("{}\n", field(what, &format!("{} --whole", commands.show(id)), colours)));
    }
    if approvals > 1 && is_whole {
        let command = commands.approve_all(id, *revision);
        text.push_str(&format!("{}\n", field("approve all", &command, colours)));
    }
    if paused.restored {
        let command = format!("{} --restored", commands.resume(id));
        text.push_str(&field("resume it nevertheless", &command, colours));
    } else {
        text.push_str(&field("decide about each call", &commands.resume(id), colours));
    }
    text.push_str(&format!("\n{}", field("end the execution", &commands.reject(id), colours)));
    text
}

/// Draws a pending call: its path, the reason for the pause, its place in the program, and its input.
pub(crate) fn draw_call(call: &PendingCall, source: &Source, colours: Colours) -> String {
    draw_call_in(Extent::Summary, call, source, colours)
}

fn draw_call_in(extent: Extent, call: &PendingCall, source: &Source, colours: Colours) -> String {
    let path = colours.paint(Look::Strong, &brief(&call.path, COLUMNS));
    let waits = match (call.kind, &call.why) {
        (PendingKind::InDoubt, Some(why)) => format!("is in doubt: {}", brief(why, COLUMNS)),
        (kind, Some(why)) => format!("{}: {}", waits_for(kind), brief(why, COLUMNS)),
        (kind, None) => waits_for(kind).to_owned(),
    };
    let mut text = format!("call {} ({path}) {waits}", call.seq);
    if let Some(CallPlace { file, line, column, .. }) = &call.at {
        let (file, code) = source.file(file.as_deref());
        for line in surroundings(file, code, *line, *column, colours).lines() {
            text.push_str(&format!("\n  {line}"));
        }
    }
    if let Some(snippet) = &call.snippet {
        text.push_str(&draw_snippet(snippet, colours));
    }
    if let Some(left) = time_left(call) {
        let left = left.as_millis().div_ceil(1000);
        text.push_str(&format!("\n  the call may still happen: saying that it did not is possible in {left} s"));
    }
    text.push_str(&draw_value("input", &call.input, extent, colours));
    if let Some(payload) = &call.payload {
        text.push_str(&draw_value("request", payload, extent, colours));
    }
    text
}

/// Draws the snippet that makes a call: its name, and the code around the call.
fn draw_snippet(snippet: &PendingSnippet, colours: Colours) -> String {
    let PendingSnippet { name, version, at, code, .. } = snippet;
    let mut text = format!("\n  in the snippet {name} version {version}");
    if let (Some(CallPlace { line, column, .. }), Some(code)) = (at, code) {
        for line in surroundings(name, code, *line, *column, colours).lines() {
            text.push_str(&format!("\n  {line}"));
        }
    }
    text
}

/// Tells whether the input of one of so many calls is shown without being cut.
fn is_shown_whole(call: &PendingCall, count: usize) -> bool {
    if count <= DETAILED {
        let input = format!("{:#}", call.input);
        input.lines().count() <= LINES && input.lines().all(|line| line.chars().count() <= COLUMNS)
    } else {
        call.input.to_string().chars().count() <= INPUT
    }
}

/// Draws a pending call in one line: its number, path, input, and the reason for the pause if that is not an approval.
fn draw_line(call: &PendingCall, colours: Colours) -> String {
    let path = colours.paint(Look::Strong, &brief(&call.path, COLUMNS));
    let what = match call.kind {
        PendingKind::Approval => String::new(),
        kind => format!(" {}", waits_for(kind)),
    };
    format!("{} {path}{what} {}", call.seq, brief(&call.input.to_string(), INPUT))
}

/// Names the tools of pending calls with the numbers of their calls.
fn counted(paused: &Paused) -> String {
    const PATHS: usize = 5;
    let counts = paused.pending_by_tool();
    let mut parts: Vec<String> =
        counts.iter().take(PATHS).map(|(path, count)| format!("{count} × {}", brief(path, 80))).collect();
    if counts.len() > PATHS {
        parts.push(format!("{} other tools", counts.len() - PATHS));
    }
    parts.join(", ")
}

/// Returns how long a call in doubt may still happen. Until then, deciding that it did not happen is refused.
pub(crate) fn time_left(call: &PendingCall) -> Option<Duration> {
    let left = call.not_before?.0.checked_sub(now().0)?;
    Some(Duration::from_millis(left)).filter(|left| !left.is_zero())
}

/// Describes the state of a pending call.
pub(crate) fn waits_for(kind: PendingKind) -> &'static str {
    match kind {
        PendingKind::Approval => "needs approval",
        PendingKind::Interrupt => "needs an answer",
        PendingKind::InDoubt => "is in doubt: the process ended while the call was running",
        _ => "needs a decision",
    }
}

fn draw_value(name: &str, value: &Value, extent: Extent, colours: Colours) -> String {
    let pretty = format!("{value:#}");
    let count = pretty.lines().count();
    let (lines, columns) = match extent {
        Extent::Summary => (LINES, COLUMNS),
        Extent::Whole => (usize::MAX, usize::MAX),
    };
    let mut text = format!("\n  {}", colours.paint(Look::Mark, &format!("{name}:")));
    for (index, line) in pretty.lines().take(lines).enumerate() {
        let start = if index == 0 { " " } else { "\n  " };
        text.push_str(&format!("{start}{}", cut(line, columns)));
    }
    if count > lines {
        text.push_str(&format!("\n  … {} more lines", count - lines));
    }
    text
}

fn field(name: &str, text: &str, colours: Colours) -> String {
    format!("{} {}", colours.paint(Look::Mark, &format!("{name}:")), without_escapes(text))
}

fn cut(line: &str, columns: usize) -> String {
    let shown: String = line.chars().take(columns).collect();
    let left = line.chars().count().saturating_sub(columns);
    let more = if left > 0 { format!("… {left} more characters") } else { String::new() };
    format!("{}{more}", without_escapes(&shown))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobox::{ExecutionId, json};

    fn paused(pending: Value) -> Paused {
        let id = ExecutionId::new(1, 2);
        let all = json!({ "executionId": id, "revision": 4, "pending": pending, "logs": [], "calls": [] });
        serde_json::from_value(all).expect("a pause")
    }

    fn drawn(pending: Value) -> String {
        drawn_in(Extent::Summary, pending)
    }

    fn drawn_in(extent: Extent, pending: Value) -> String {
        let commands = Commands::new(None, None, false);
        let source = Source::single("a.ts".to_owned(), "const to = 'ada';\nawait tools.mail.send({ to });".to_owned());
        draw_pause(&paused(pending), &source, &commands, extent, Colours::Off)
            .replace(ExecutionId::new(1, 2).as_str(), "exec_1")
    }

    #[test]
    fn everything_that_waits_is_shown_with_how_it_is_decided() {
        insta::assert_snapshot!(drawn(json!([
            { "seq": "1", "path": "mail.send", "input": { "to": "ada", "cc": ["bob"] }, "kind": "approval", "why": "rule 1",
              "at": { "line": 2, "column": 18 } },
            { "seq": "2", "path": "drive.list", "input": {}, "kind": "interrupt", "payload": { "url": "https://login" } },
            { "seq": "5", "path": "pay.charge", "input": 7, "kind": "in-doubt" },
        ])), @r#"
        paused: exec_1 is waiting for a decision (revision 4)

        call 1 (mail.send) needs approval: rule 1
          --> a.ts:2:18
           1 | const to = 'ada';
           2 | await tools.mail.send({ to });
             |                  ^
          input: {
            "to": "ada",
            "cc": [
              "bob"
            ]
          }
          approve: isobox executions approve exec_1 1 --revision 4
          deny: isobox executions deny exec_1 1 --revision 4 --reason 'WHY'

        call 2 (drive.list) needs an answer
          input: {}
          request: {
            "url": "https://login"
          }
          answer: isobox executions resolve exec_1 2 --revision 4 'JSON'
          deny: isobox executions deny exec_1 2 --revision 4 --reason 'WHY'

        call 5 (pay.charge) is in doubt: the process ended while the call was running
          input: 7
          it happened: isobox executions resolve exec_1 5 --revision 4 --happened 'JSON'
          it did not happen: isobox executions resolve exec_1 5 --revision 4 --did-not-happen
          fail it: isobox executions resolve exec_1 5 --revision 4 --fail --reason 'WHY'

        decide about each call: isobox executions resume exec_1
        end the execution: isobox executions reject exec_1
        "#);
    }

    #[test]
    fn many_calls_are_summed_up_with_one_way_to_approve_all() {
        let call = |seq: usize| {
            let path = if seq < 4 { "mail.send" } else { "pay.charge" };
            json!({ "seq": seq.to_string(), "path": path, "input": { "to": seq }, "kind": "approval", "why": "rule 1" })
        };
        insta::assert_snapshot!(drawn((0..6).map(call).collect()), @r#"
        paused: exec_1 is waiting for a decision (revision 4)

        6 calls are pending: 4 × mail.send, 2 × pay.charge
          0 mail.send {"to":0}
          1 mail.send {"to":1}
          2 mail.send {"to":2}
          3 mail.send {"to":3}
          4 pay.charge {"to":4}
          5 pay.charge {"to":5}

        approve all: isobox executions approve exec_1 --all --revision 4
        decide about each call: isobox executions resume exec_1
        end the execution: isobox executions reject exec_1
        "#);
    }

    #[test]
    fn all_calls_are_approved_at_once_only_if_all_of_them_is_shown() {
        let call = |seq: usize, length: usize| json!({ "seq": seq.to_string(), "path": "mail.send", "input": "x".repeat(length), "kind": "approval" });
        let offers = |count: usize, length| drawn((0..count).map(|seq| call(seq, length)).collect()).contains("--all");
        assert!(offers(2, 100) && offers(20, 90));
        assert!(!offers(1, 1) && !offers(2, 1000) && !offers(4, 200) && !offers(21, 1));
    }

    #[test]
    fn what_is_cut_says_how_everything_is_seen_and_there_all_calls_are_approved_at_once() {
        let call = |seq: usize, length: usize| json!({ "seq": seq.to_string(), "path": "mail.send", "input": "x".repeat(length), "kind": "approval" });
        let calls = |count: usize, length| (0..count).map(|seq| call(seq, length)).collect::<Value>();
        let way = "see everything, and approve all: isobox executions show exec_1 --whole\n";
        for (count, length) in [(2, 1000), (4, 200), (21, 1)] {
            assert!(drawn(calls(count, length)).contains(way), "{count} calls of {length}");
            let whole = drawn_in(Extent::Whole, calls(count, length));
            assert!(!whole.contains('…') && !whole.contains("--whole"), "{whole}");
            assert_eq!(whole.matches(&format!("\"{}\"", "x".repeat(length))).count(), count, "{whole}");
            assert!(whole.contains("approve all: isobox executions approve exec_1 --all --revision 4\n"), "{whole}");
        }
        assert!(drawn(calls(1, 1000)).contains("see everything: isobox executions show exec_1 --whole\n"));
        assert!(!drawn(calls(2, 100)).contains("--whole"));
    }

    #[test]
    fn what_is_shown_is_bounded_and_steers_no_terminal() {
        let call = |seq: usize| json!({ "seq": seq.to_string(), "path": "a\n\u{1b}[2J", "input": vec![format!("\u{9b}{}", "x".repeat(500)); 500], "kind": "approval" });
        let (few, many) = (drawn((0..3).map(call).collect()), drawn((0..100).map(call).collect()));
        assert!(few.contains("… 462 more lines") && many.contains("… 80 more pending calls"), "{few}\n{many}");
        for text in [few, many] {
            assert!(!text.contains(['\u{1b}', '\u{9b}']), "{text}");
            assert!(text.len() < 50_000, "{}", text.len());
        }
    }
}
