//! Draws a failure for a person: code, message, place, the source line with a caret, the cause and other parts of an uncaught
//! error, and the hint.

use isobox::text::{error_parts, marked, without_escapes};
use isobox::{Code, Failure, Value};
use unicode_width::UnicodeWidthStr;

use crate::style::{Colours, Look};

/// The maximum number of characters shown on each side of the caret in a long line.
const CONTEXT: usize = 60;

/// Draws a failure. `source` is the text as the author gave it, if it is known, and `file` is its display name.
pub(crate) fn draw(failure: &Failure, file: &str, source: Option<&str>, colours: Colours) -> String {
    let findings = failure.details.get("findings").and_then(Value::as_array).filter(|_| failure.code == Code::Check);
    match findings.filter(|findings| findings.len() > 1) {
        Some(findings) => draw_findings(findings, file, source, colours),
        None => draw_one(failure, file, line_of(failure, source), colours),
    }
}

/// Returns the line of a program that a failure is in.
fn line_of<'s>(failure: &Failure, source: Option<&'s str>) -> Option<&'s str> {
    lines(source?).nth((failure.line? as usize).checked_sub(1)?)
}

/// Draws everything that is wrong with a program.
fn draw_findings(findings: &[Value], file: &str, source: Option<&str>, colours: Colours) -> String {
    let mut drawn = Vec::new();
    for finding in findings {
        let text = |key: &str| finding.get(key).and_then(Value::as_str);
        let number = |key: &str| finding.get(key).and_then(Value::as_u64).and_then(|it| u32::try_from(it).ok());
        let kind = text("code").map(|code| format!("{code}: ")).unwrap_or_default();
        let mut failure = Failure::new(Code::Check, format!("{kind}{}", text("message").unwrap_or_default()))
            .at(number("line").unwrap_or(1).max(1), number("column").unwrap_or(1).max(1));
        failure.hint = text("hint").map(str::to_owned);
        drawn.push(match text("file") {
            // The text is that of the entry. Of other files, the line is known.
            Some(other) => draw_one(&failure, other, Some(text("source").unwrap_or_default()), colours),
            None => draw_one(&failure, file, line_of(&failure, source), colours),
        });
    }
    drawn.join("\n")
}

/// Draws one failure. `line` is the text of the line that it is in.
fn draw_one(failure: &Failure, file: &str, line: Option<&str>, colours: Colours) -> String {
    let message = marked(&failure.message);
    let what = format!("error[{}]", failure.code);
    let title = if failure.name == failure.code.error_name() {
        message
    } else {
        format!("{}: {message}", without_escapes(&failure.name))
    };
    let mut drawn = format!("{}: {}", colours.paint(Look::Error, &what), colours.paint(Look::Strong, &title));
    if let (Some(number), Some(column)) = (failure.line, failure.column) {
        drawn.push_str(&format!("\n  {}", place(file, number, column, colours)));
        if let Some(text) = line {
            drawn.push_str(&excerpt(text, number, column as usize, colours));
        }
    }
    for part in error_parts(failure) {
        match part.split_once(": ") {
            Some((label, text)) => {
                let label = colours.paint(Look::Mark, &format!("{label}:"));
                drawn.push_str(&format!("\n  {label} {text}"));
            }
            None => drawn.push_str(&format!("\n  {part}")),
        }
    }
    if let Some(hint) = &failure.hint {
        drawn.push_str(&format!("\n  {} {}", colours.paint(Look::Mark, "hint:"), marked(hint)));
    }
    drawn
}

/// Draws a place in a file.
pub(crate) fn place(file: &str, line: u32, column: u32, colours: Colours) -> String {
    format!("{} {}:{line}:{column}", colours.paint(Look::Mark, "-->"), without_escapes(file))
}

/// Draws the lines around a place in a program, with a caret under the place. Returns an empty string if the line does
/// not exist.
pub(crate) fn surroundings(file: &str, source: &str, line: u32, column: u32, colours: Colours) -> String {
    /// The number of lines shown before the place and after it.
    const AROUND: u32 = 2;
    let mut drawn = place(file, line, column, colours);
    let (first, last) = (line.saturating_sub(AROUND).max(1), line.saturating_add(AROUND));
    let gutter = last.to_string().len();
    let bar = colours.paint(Look::Mark, "|");
    let mut is_there = false;
    for (number, text) in (1..=last).zip(lines(source)).skip(first as usize - 1) {
        let column = if number == line { column as usize } else { 1 };
        let (shown, indent) = part(text, column);
        let label = colours.paint(Look::Mark, &format!("{number:>gutter$}"));
        drawn.push_str(format!("\n {label} {bar} {shown}").trim_end());
        if number == line {
            is_there = true;
            let (space, caret) = (" ".repeat(gutter), colours.paint(Look::Error, "^"));
            drawn.push_str(&format!("\n {space} {bar} {indent}{caret}"));
        }
    }
    if is_there { drawn } else { String::new() }
}

/// Splits a program into lines as positions count them: a lone CR ends a line, U+2028 does not.
pub(crate) fn lines(source: &str) -> impl Iterator<Item = &str> {
    source.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

fn excerpt(text: &str, line: u32, column: usize, colours: Colours) -> String {
    let number = line.to_string();
    let gutter = " ".repeat(number.len());
    let bar = colours.paint(Look::Mark, "|");
    let (shown, indent) = part(text, column);
    let number = colours.paint(Look::Mark, &number);
    let caret = colours.paint(Look::Error, "^");
    format!("\n {gutter} {bar}\n {number} {bar} {shown}\n {gutter} {bar} {indent}{caret}")
}

/// Returns the part of a line to show around a column, and the indentation up to that column.
fn part(text: &str, column: usize) -> (String, String) {
    let start = column.saturating_sub(1 + CONTEXT);
    let part = |characters: usize| -> String {
        let part: String = text.chars().skip(start).take(characters).collect();
        without_escapes(&part).into_owned()
    };
    let before = if start > 0 { "…" } else { "" };
    // Escaped characters and wide characters take more than one column.
    let indent = " ".repeat(before.width() + part(column.saturating_sub(1 + start)).width());
    (format!("{before}{}", part(2 * CONTEXT)), indent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_under_the_column() {
        let failure = Failure::new(Code::Thrown, "bad").named("TypeError").at(2, 7).hint("do not");
        insta::assert_snapshot!(draw(&failure, "a.ts", Some("one\ntwo = bad()\nthree"), Colours::Off), @r"
        error[THROWN]: TypeError: bad
          --> a.ts:2:7
           |
         2 | two = bad()
           |       ^
          hint: do not
        ");
    }

    #[test]
    fn the_causes_of_an_error_are_shown_below_it() {
        let inner = isobox::json!({ "message": "socket\nclosed" });
        let cause = isobox::json!({ "name": "TypeError", "message": "no id", "line": 2, "column": 9, "cause": inner });
        let failure = Failure::new(Code::Thrown, "bad")
            .detail("cause", cause)
            .detail("properties", isobox::json!({ "status": 502 }));
        insta::assert_snapshot!(draw(&failure, "a.ts", None, Colours::Off), @r#"
        error[THROWN]: bad
          properties: {"status":502}
          cause: TypeError: no id (line 2, column 9)
          cause: socket\nclosed
        "#);
    }

    #[test]
    fn a_finding_in_another_file_is_shown_with_its_line_whatever_the_number_is() {
        let finding = |line: u32| isobox::json!({ "code": "RULE", "message": "no", "file": "b.ts", "line": line, "column": 1, "source": "x()" });
        let findings = isobox::json!([finding(2), finding(u32::MAX)]);
        let failure = Failure::new(Code::Check, "two findings").detail("findings", findings);
        let drawn = draw(&failure, "a.ts", Some("one"), Colours::Off);
        assert!(drawn.contains(" 2 | x()") && drawn.contains(" 4294967295 | x()"), "{drawn}");
    }

    #[test]
    fn the_lines_around_a_call_are_shown() {
        let source = "one\ntwo\n\nconst a = await call();\nfive\nsix\nseven";
        insta::assert_snapshot!(surroundings("a.ts", source, 4, 17, Colours::Off), @r"
        --> a.ts:4:17
         2 | two
         3 |
         4 | const a = await call();
           |                 ^
         5 | five
         6 | six
        ");
        insta::assert_snapshot!(surroundings("a.ts", "only", 1, 1, Colours::Off), @r"
        --> a.ts:1:1
         1 | only
           | ^
        ");
        assert_eq!(surroundings("a.ts", "only", 2, 1, Colours::Off), "");
    }

    #[test]
    fn the_caret_stands_under_the_column_behind_wide_characters_tabs_and_escapes() {
        for (lead, room) in [("日本語😀", 8), ("\t\t", 2), ("e\u{301}", 1), ("\u{1b}", 6), ("äöü", 3)] {
            let column = u32::try_from(lead.chars().count() + 1).expect("it is short");
            let failure = Failure::new(Code::Thrown, "bad").at(1, column);
            let drawn = draw(&failure, "a.ts", Some(&format!("{lead}bad()")), Colours::Off);
            let caret = drawn.lines().last().and_then(|row| row.split_once("| ")).expect("there is a caret").1;
            assert_eq!(caret, format!("{}^", " ".repeat(room)), "{drawn}");
        }
    }

    #[test]
    fn lines_are_those_that_positions_count() {
        let failure = Failure::new(Code::Thrown, "bad").at(3, 1);
        for source in ["one\ntwo\nbad()", "one\r\ntwo\r\nbad()", "one\rtwo\rbad()", "o\u{2028}ne\ntwo\u{2029}\nbad()"] {
            assert!(draw(&failure, "a.ts", Some(source), Colours::Off).contains(" 3 | bad()\n"), "{source:?}");
        }
    }

    #[test]
    fn a_long_line_is_shown_around_the_caret_and_escapes_are_harmless() {
        let failure = Failure::new(Code::Syntax, "unexpected \u{1b}[31m").at(1, 200);
        let source = format!("{}\u{1b}[2J{}", "x".repeat(190), "y".repeat(200));
        let drawn = draw(&failure, "a.ts", Some(&source), Colours::Off);
        assert!(!drawn.contains('\u{1b}'), "{drawn}");
        let rows: Vec<&str> = drawn.lines().collect();
        let caret = rows[4].chars().position(|character| character == '^').expect("there is a caret");
        assert_eq!(rows[3].chars().nth(caret), Some('y'));
    }
}
