//! Draws values for a person: as JSON, but texts of several lines as lines.

use isobox::Value;
use isobox::text::without_escapes;

use crate::rows::without_gaps;

/// The maximum number of empty lines shown in a row.
const EMPTY: usize = 3;

/// Draws a value. Everything in it is visible: what would hide or move text is escaped, and long runs of blanks are
/// numbers.
pub(crate) fn value_lines(value: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    draw(value, Place { depth: 0, before: String::new(), behind: "" }, &mut lines);
    lines
}

/// The place of a value in the drawing.
struct Place {
    depth: usize,
    /// The key of the value.
    before: String,
    /// The comma after the value.
    behind: &'static str,
}

fn draw(value: &Value, place: Place, lines: &mut Vec<String>) {
    let Place { depth, before, behind } = place;
    let indent = "  ".repeat(depth);
    let mut line = |text: &str| lines.push(format!("{indent}{before}{text}{behind}"));
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            lines.push(format!("{indent}{before}{{"));
            for (index, (key, value)) in fields.iter().enumerate() {
                let before = format!("{}: ", visible(&Value::from(key.as_str()).to_string()));
                draw(value, Place { depth: depth + 1, before, behind: comma(index, fields.len()) }, lines);
            }
            lines.push(format!("{indent}}}{behind}"));
        }
        Value::Array(items) if !items.is_empty() => {
            lines.push(format!("{indent}{before}["));
            for (index, value) in items.iter().enumerate() {
                let place = Place { depth: depth + 1, before: String::new(), behind: comma(index, items.len()) };
                draw(value, place, lines);
            }
            lines.push(format!("{indent}]{behind}"));
        }
        Value::String(text) if text.contains('\n') => {
            let count = text.split('\n').count();
            line(&format!("text of {count} lines"));
            lines.extend(text_lines(text).iter().map(|line| format!("{indent}  | {line}").trim_end().to_owned()));
        }
        Value::Object(_) => line("{}"),
        Value::Array(_) => line("[]"),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => line(&visible(&value.to_string())),
    }
}

fn comma(index: usize, count: usize) -> &'static str {
    if index + 1 < count { "," } else { "" }
}

/// Returns the lines of a text, and the number of empty ones where there are many.
fn text_lines(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut empty = 0;
    for line in text.split('\n').map(Some).chain([None]) {
        if line.is_some_and(|line| line.trim().is_empty()) {
            empty += 1;
            continue;
        }
        if empty > EMPTY {
            lines.push(format!("[{empty} empty lines]"));
        } else {
            lines.extend(std::iter::repeat_n(String::new(), empty));
        }
        empty = 0;
        lines.extend(line.map(visible));
    }
    lines
}

fn visible(text: &str) -> String {
    without_gaps(&without_escapes(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobox::json;

    #[test]
    fn code_is_drawn_as_lines_and_hides_nothing() {
        let code = format!("const a = 1;\n\tif (a) {{\n{}}}\r{}evil()\u{1b}\n", "\n".repeat(100), " ".repeat(100));
        let value =
            json!({ "name": "sends\u{202e}", "code": code, "input": { "to": ["ada", 7, null], "none": {}, "no": [] } });
        insta::assert_snapshot!(value_lines(&value).join("\n"), @r#"
        {
          "name": "sends\u{202e}",
          "code": text of 104 lines,
            | const a = 1;
            |  if (a) {
            | [100 empty lines]
            | }\r [100 blanks] evil()\u{1b}
            |
          "input": {
            "to": [
              "ada",
              7,
              null
            ],
            "none": {},
            "no": []
          }
        }
        "#);
        assert_eq!(value_lines(&json!("a\nb")), ["text of 2 lines", "  | a", "  | b"]);
        assert_eq!(value_lines(&json!("ls")), ["\"ls\""]);
    }
}
