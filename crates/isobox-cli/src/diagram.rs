//! A failure as a person wants to see it: what, where, the line with a caret under it, what to do.

use isobox::{Failure, without_escapes};

use crate::style::{Colours, Look};

/// How much of a long line is shown on each side of the caret, in characters.
const CONTEXT: usize = 60;

/// Draws a failure; `source` is the text that the author gave, `file` what to call it.
pub(crate) fn draw(failure: &Failure, file: &str, source: &str, colours: Colours) -> String {
    let message = without_escapes(&failure.message);
    let what = format!("error[{}]", failure.code);
    let title = if failure.name == failure.code.error_name() {
        message.into_owned()
    } else {
        format!("{}: {message}", without_escapes(&failure.name))
    };
    let mut drawn = format!("{}: {}", colours.paint(Look::Error, &what), colours.paint(Look::Strong, &title));
    if let (Some(line), Some(column)) = (failure.line, failure.column) {
        let place = format!("{}:{line}:{column}", without_escapes(file));
        drawn.push_str(&format!("\n  {} {place}", colours.paint(Look::Mark, "-->")));
        if let Some(text) = lines(source).nth(line as usize - 1) {
            drawn.push_str(&excerpt(text, line, column as usize, colours));
        }
    }
    if let Some(hint) = &failure.hint {
        drawn.push_str(&format!("\n  {} {}", colours.paint(Look::Mark, "hint:"), without_escapes(hint)));
    }
    drawn
}

/// The lines of a program: JavaScript has more line ends than most texts.
fn lines(source: &str) -> impl Iterator<Item = &str> {
    source.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split(['\r', '\u{2028}', '\u{2029}']))
}

fn excerpt(text: &str, line: u32, column: usize, colours: Colours) -> String {
    let number = line.to_string();
    let gutter = " ".repeat(number.len());
    let bar = colours.paint(Look::Mark, "|");
    let start = column.saturating_sub(1 + CONTEXT);
    let shown: String = text.chars().skip(start).take(2 * CONTEXT).map(|c| if c == '\t' { ' ' } else { c }).collect();
    let shown = without_escapes(&shown);
    let before = if start > 0 { "…" } else { "" };
    // Characters that are escaped take more room than one column.
    let lead: String = text.chars().skip(start).take(column.saturating_sub(1 + start)).collect();
    let indent = " ".repeat(before.chars().count() + without_escapes(&lead).chars().count());
    let number = colours.paint(Look::Mark, &number);
    let caret = colours.paint(Look::Error, "^");
    format!("\n {gutter} {bar}\n {number} {bar} {before}{shown}\n {gutter} {bar} {indent}{caret}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobox::Code;

    #[test]
    fn the_caret_stands_under_the_column() {
        let failure = Failure::new(Code::Thrown, "bad").named("TypeError").at(2, 7).hint("do not");
        insta::assert_snapshot!(draw(&failure, "a.ts", "one\ntwo = bad()\nthree", Colours::Off), @r"
        error[THROWN]: TypeError: bad
          --> a.ts:2:7
           |
         2 | two = bad()
           |       ^
          hint: do not
        ");
    }

    #[test]
    fn a_long_line_is_shown_around_the_caret_and_escapes_are_harmless() {
        let failure = Failure::new(Code::Syntax, "unexpected \u{1b}[31m").at(1, 200);
        let source = format!("{}\u{1b}[2J{}", "x".repeat(190), "y".repeat(200));
        let drawn = draw(&failure, "a.ts", &source, Colours::Off);
        assert!(!drawn.contains('\u{1b}'), "{drawn}");
        let rows: Vec<&str> = drawn.lines().collect();
        let caret = rows[4].chars().position(|character| character == '^').expect("there is a caret");
        assert_eq!(rows[3].chars().nth(caret), Some('y'));
    }
}
