//! Draws pending calls for a person.

use std::time::Duration;

use isobox::calls::CallPlace;
use isobox::snippets::PendingSnippet;
use isobox::text::{brief, without_escapes};
use isobox::{ExecutionId, Paused, PendingCall, PendingKind, Value};

use crate::commands::Commands;
use crate::diagram::{place, surroundings};
use crate::executions::moment::now;
use crate::rows::{Columns, in_one_line};
use crate::source::Source;
use crate::style::{Colours, Look};
use crate::values::value_lines;

/// The part of the input of a call that is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Everything, for a person who is about to approve it.
    Whole,
    /// As much as fits a summary.
    Beginning,
}

/// The drawn text of a call.
pub(crate) struct Drawn {
    pub(crate) text: String,
    /// Whether nothing was cut.
    pub(crate) is_whole: bool,
}

/// The maximum number of lines shown of one value.
const LINES: usize = 40;
/// The maximum number of characters shown of one line.
const COLUMNS: usize = 160;
/// The maximum number of calls shown of one execution, and the maximum number that is shown with all details.
const CALLS: usize = 20;
const DETAILED: usize = 3;
/// The maximum number of characters shown of the input of a call that is shown in one line.
const INPUT: usize = 100;

/// Draws a paused execution: its pending calls, and the commands that decide about them. Only lines with commands are
/// longer than a row.
pub(crate) fn draw_pause(
    paused: &Paused,
    source: &Source,
    commands: &Commands,
    extent: Extent,
    (colours, columns): (Colours, Columns),
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
    let mut is_whole = extent == Extent::Whole || pending.len() <= CALLS;
    if pending.len() <= DETAILED || extent == Extent::Whole {
        for call in pending {
            let drawn = draw_call(call, source, extent, colours);
            is_whole &= drawn.is_whole;
            text.push_str(&format!("\n\n{}", columns.broken(&drawn.text)));
            text.push_str(&draw_commands((id, *revision), call, &drawn, commands, colours));
        }
    } else {
        text.push_str(&columns.broken(&format!("\n\n{} calls are pending: {}", pending.len(), counted(paused))));
        for call in pending.iter().take(CALLS) {
            let drawn = draw_line(call, colours);
            is_whole &= drawn.is_whole;
            text.push_str(&format!("\n{}", columns.broken(&format!("  {}", drawn.text))));
        }
    }
    if let (Extent::Beginning, Some(more @ 1..)) = (extent, pending.len().checked_sub(CALLS)) {
        text.push_str(&format!("\n\n… {more} more pending calls"));
    }
    text.push_str("\n\n");
    let approvals = pending.iter().filter(|call| call.kind == PendingKind::Approval).count();
    // A person approves all only after all was shown.
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

/// Draws the pending calls of a pause that no command decides about: a few with all details, many in one line each.
pub(crate) fn draw_calls(pending: &[PendingCall], source: &Source, colours: Colours) -> Drawn {
    let is_detailed = pending.len() <= DETAILED;
    let mut all = Drawn { text: String::new(), is_whole: true };
    for call in pending.iter().take(CALLS) {
        let (space, drawn) = match is_detailed {
            true => ("\n\n", draw_call(call, source, Extent::Beginning, colours)),
            false => ("\n  ", draw_line(call, colours)),
        };
        all.text.push_str(&format!("{space}{}", drawn.text));
        all.is_whole &= drawn.is_whole;
    }
    if let Some(more @ 1..) = pending.len().checked_sub(CALLS) {
        all.text.push_str(&format!("\n  … {more} more pending calls"));
        all.is_whole = false;
    }
    all
}

/// Draws the commands that decide about a call. Where the call was cut, those that let it happen are left out.
pub(crate) fn draw_commands(
    (id, revision): (&ExecutionId, u64),
    call: &PendingCall,
    drawn: &Drawn,
    commands: &Commands,
    colours: Colours,
) -> String {
    let mut offered = if drawn.is_whole {
        commands.accepting(id, call, revision)
    } else {
        vec![
            ("see all of it, and decide", commands.resume(id)),
            ("see all of it", format!("{} --whole", commands.show(id))),
        ]
    };
    offered.extend(commands.refusing(id, call, revision));
    offered.iter().map(|(what, command)| format!("\n  {}", field(what, command, colours))).collect()
}

/// Draws a pending call: its path, the reason for the pause, its place in the program, and its input.
pub(crate) fn draw_call(call: &PendingCall, source: &Source, extent: Extent, colours: Colours) -> Drawn {
    let path = colours.paint(Look::Strong, &without_escapes(&call.path));
    let waits = match (call.kind, &call.why) {
        (PendingKind::InDoubt, Some(why)) => format!("is in doubt: {}", in_one_line(why, COLUMNS)),
        (kind, Some(why)) => format!("{}: {}", waits_for(kind), in_one_line(why, COLUMNS)),
        (kind, None) => waits_for(kind).to_owned(),
    };
    let mut text = format!("call {} ({path}) {waits}", call.seq);
    if let Some(undoes) = undoes(call) {
        text.push_str(&format!("\n  it {undoes}"));
    }
    if let Some(CallPlace { file, line, column, .. }) = &call.at {
        let (file, code) = source.file(file.as_deref());
        let drawn = match code {
            Some(code) => surroundings(file, code, *line, *column, colours),
            None => place(file, *line, *column, colours),
        };
        for line in drawn.lines() {
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
    let mut is_whole = true;
    for (name, value) in [("input", Some(&call.input)), ("request", call.payload.as_ref())] {
        let Some(value) = value else { continue };
        let drawn = draw_value(name, value, extent, colours);
        text.push_str(&drawn.text);
        is_whole &= drawn.is_whole;
    }
    Drawn { text, is_whole }
}

/// Names the call that a call of a rollback reverts: `undoes call 1 (mail.send)`.
pub(crate) fn undoes(call: &PendingCall) -> Option<String> {
    let reverts = call.reverts?;
    let path = call.reverts_path.as_ref().map(|path| format!(" ({})", brief(path, 80))).unwrap_or_default();
    Some(format!("undoes call {reverts}{path}"))
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

/// Draws a pending call in one line: its number, path, input, and the reason for the pause if that is not an approval.
fn draw_line(call: &PendingCall, colours: Colours) -> Drawn {
    let path = brief(&call.path, COLUMNS);
    let input = without_escapes(&call.input.to_string()).into_owned();
    let mut what = match call.kind {
        PendingKind::Approval => String::new(),
        kind => format!(" {}", waits_for(kind)),
    };
    if let Some(undoes) = undoes(call) {
        what.push_str(&format!(" {undoes}"));
    }
    let shown = brief(&input, INPUT);
    let is_whole = shown == input && path == *without_escapes(&call.path);
    Drawn { text: format!("{} {}{what} {shown}", call.seq, colours.paint(Look::Strong, &path)), is_whole }
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

fn draw_value(name: &str, value: &Value, extent: Extent, colours: Colours) -> Drawn {
    let lines = value_lines(value);
    let (count, columns) = match extent {
        Extent::Whole => (usize::MAX, usize::MAX),
        Extent::Beginning => (LINES, COLUMNS),
    };
    let is_whole = lines.len() <= count && lines.iter().all(|line| line.chars().count() <= columns);
    let mut text = format!("\n  {}", colours.paint(Look::Mark, &format!("{name}:")));
    for (index, line) in lines.iter().take(count).enumerate() {
        let start = if index == 0 { " " } else { "\n  " };
        text.push_str(&format!("{start}{}", cut(line, columns)));
    }
    if let Some(more) = lines.len().checked_sub(count).filter(|more| *more > 0) {
        text.push_str(&format!("\n  … {more} more lines"));
    }
    Drawn { text, is_whole }
}

fn field(name: &str, text: &str, colours: Colours) -> String {
    format!("{} {}", colours.paint(Look::Mark, &format!("{name}:")), without_escapes(text))
}

/// Cuts a line, and says by how much.
fn cut(line: &str, columns: usize) -> String {
    match line.char_indices().nth(columns) {
        Some((end, _)) => format!("{}… {} more characters", &line[..end], line[end..].chars().count()),
        None => line.to_owned(),
    }
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
        drawn_in(Extent::Beginning, pending)
    }

    fn drawn_in(extent: Extent, pending: Value) -> String {
        let commands = Commands::new(None, None, false);
        let source = Source::single("a.ts".to_owned(), "const to = 'ada';\nawait tools.mail.send({ to });".to_owned());
        draw_pause(&paused(pending), &source, &commands, extent, (Colours::Off, Columns::Unlimited))
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
    fn a_call_of_a_snippet_is_shown_with_the_code_of_the_program_and_of_the_snippet() {
        let snippet = json!({ "name": "pays", "version": 3, "at": { "line": 2, "column": 8 },
                              "code": "const amount = input\nreturn tools.pay({ amount })" });
        let call = json!({ "seq": "0.0", "path": "pay", "input": 7, "kind": "approval", "at": { "line": 2, "column": 7 },
                           "snippet": snippet });
        let text = drawn(json!([call]));
        let (program, code) = ("2 | await tools.mail.send({ to });", "2 | return tools.pay({ amount })");
        let places = [text.find(program), text.find("in the snippet pays version 3"), text.find(code)];
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{text}");
        let hidden = json!({ "name": "pays", "version": 3, "at": { "line": 2, "column": 8 } });
        let mut without_code = call.clone();
        without_code["snippet"] = hidden;
        let text = drawn(json!([without_code]));
        assert!(text.contains("in the snippet pays version 3") && !text.contains("return"), "{text}");
    }

    #[test]
    fn a_call_of_a_rollback_says_which_call_it_undoes() {
        let call = json!({ "seq": "6", "path": "bin.remove", "input": 7, "kind": "approval", "why": "rule 1",
                           "reverts": "1", "revertsPath": "s.add" });
        let text = drawn(json!([call]));
        assert!(text.contains("call 6 (bin.remove) needs approval: rule 1\n  it undoes call 1 (s.add)\n"), "{text}");
        let many = drawn(json!([call, call, call, call]));
        assert_eq!(many.matches("bin.remove undoes call 1 (s.add) 7").count(), 4, "{many}");
    }

    #[test]
    fn the_calls_of_a_pause_without_commands_are_bounded_and_say_whether_all_of_them_is_shown() {
        let source = Source::single("a.ts".to_owned(), "return 1".to_owned());
        let drawn = |count: usize, length: usize| {
            let call = |seq: usize| json!({ "seq": seq.to_string(), "path": "mail.send", "input": "x".repeat(length), "kind": "approval" });
            let paused = paused((0..count).map(call).collect());
            draw_calls(&paused.pending, &source, Colours::Off)
        };
        for (count, length) in [(1, 100), (3, 100), (4, 90), (20, 90)] {
            let Drawn { text, is_whole } = drawn(count, length);
            assert!(is_whole && text.matches(&"x".repeat(length)).count() == count, "{text}");
        }
        for (count, length) in [(1, 1000), (4, 200), (21, 1)] {
            let Drawn { text, is_whole } = drawn(count, length);
            assert!(!is_whole && text.contains('…') && text.len() < 4000, "{text}");
        }
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
    fn a_call_that_is_not_shown_whole_is_not_offered_for_approval() {
        let call = |seq: usize, input: Value| json!({ "seq": seq.to_string(), "path": "sh.run", "input": input, "kind": "approval" });
        let hidden = format!("ls{}; rm -rf ~", "x".repeat(200));
        let text = drawn(json!([call(0, json!({ "cmd": hidden })), call(1, json!({ "cmd": "ls" }))]));
        assert!(
            !text.contains("executions approve exec_1 0") && text.contains("executions approve exec_1 1"),
            "{text}"
        );
        assert!(text.contains("see all of it, and decide: isobox executions resume exec_1\n"), "{text}");
        assert!(text.contains("isobox executions show exec_1 --whole\n") && text.contains("deny exec_1 0"), "{text}");
        // Blanks take no room, and escapes do: both are counted as they are shown.
        let blanks = drawn(json!([call(0, json!({ "cmd": format!("ls{}; rm -rf ~", " ".repeat(200)) }))]));
        assert!(
            blanks.contains(r#""cmd": "ls [200 blanks] ; rm -rf ~""#) && blanks.contains("approve exec_1 0"),
            "{blanks}"
        );
        let escapes = drawn((0..4).map(|seq| call(seq, json!("\u{202e}".repeat(20)))).collect());
        assert!(!escapes.contains("executions approve"), "{escapes}");
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
