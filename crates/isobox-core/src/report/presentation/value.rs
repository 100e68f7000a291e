//! Shows a value within a budget: all of it if it fits, otherwise its outline.

use serde_json::{Map, Value};

/// A value that was made to fit.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shown {
    /// JSON, no longer than the budget. If not even the smallest outline fits, the beginning of one.
    pub text: String,
    /// Whether something was left out.
    pub is_cut: bool,
}

/// The approximate number of characters per token.
pub const CHARACTERS_PER_TOKEN: usize = 4;

/// The amount that is kept of a value.
#[derive(Debug, Clone, Copy)]
struct Outline {
    /// The maximum number of entries of an array or object.
    entries: usize,
    /// The maximum number of characters of a text.
    characters: usize,
    /// The depth below which only the kind of a value is shown.
    depth: usize,
}

/// The outlines to try, from the largest to the smallest.
const OUTLINES: [Outline; 14] = [
    Outline { entries: 1000, characters: 20_000, depth: 100 },
    Outline { entries: 500, characters: 8000, depth: 100 },
    Outline { entries: 200, characters: 4000, depth: 100 },
    Outline { entries: 100, characters: 2000, depth: 50 },
    Outline { entries: 50, characters: 1000, depth: 30 },
    Outline { entries: 30, characters: 500, depth: 20 },
    Outline { entries: 20, characters: 300, depth: 12 },
    Outline { entries: 12, characters: 200, depth: 10 },
    Outline { entries: 8, characters: 120, depth: 8 },
    Outline { entries: 5, characters: 80, depth: 6 },
    Outline { entries: 3, characters: 50, depth: 5 },
    Outline { entries: 2, characters: 30, depth: 4 },
    Outline { entries: 1, characters: 20, depth: 3 },
    Outline { entries: 1, characters: 10, depth: 1 },
];

/// Shows a value in at most this many tokens: in full if it fits, otherwise with the beginnings of its long arrays,
/// objects and texts. Each one says how much is missing, and a last line advises how to return less.
///
/// ```
/// use isobox_core::show_value;
/// use serde_json::json;
///
/// let shown = show_value(&json!({ "rows": vec!["a row"; 1000], "total": 1000 }), 50);
/// assert!(shown.is_cut && shown.text.len() <= 200);
/// assert!(shown.text.starts_with(r#"{"rows":["a row","a row""#));
/// assert!(shown.text.contains(r#"more items"],"total":1000}"#));
/// ```
pub fn show_value(value: &Value, tokens: usize) -> Shown {
    const ADVICE: &str = "\n[cut to fit: filter, aggregate or pick fields in the program before returning]";
    let budget = tokens.saturating_mul(CHARACTERS_PER_TOKEN);
    if let Some(text) = write_within(value, budget) {
        return Shown { text, is_cut: false };
    }
    let room = budget.saturating_sub(ADVICE.len());
    let text = match outline_within(value, room) {
        Some(text) => text + ADVICE,
        None => {
            let [.., least] = OUTLINES;
            let text = outlined_text(value, least);
            text[..text.floor_char_boundary(budget)].to_owned()
        }
    };
    Shown { text, is_cut: true }
}

/// Returns the value as JSON in at most `budget` bytes, in full or in outline. Returns none if not even the smallest
/// outline fits.
pub(super) fn shown_within(value: &Value, budget: usize) -> Option<String> {
    write_within(value, budget).or_else(|| outline_within(value, budget))
}

fn outline_within(value: &Value, budget: usize) -> Option<String> {
    OUTLINES.iter().find_map(|&outline| write_within(&outlined(value, outline), budget))
}

fn outlined_text(value: &Value, outline: Outline) -> String {
    outlined(value, outline).to_string()
}

/// Returns the value as JSON if that is no longer than the budget. Stops writing at the budget.
pub(crate) fn write_within(value: &Value, budget: usize) -> Option<String> {
    let mut writer = BoundedWriter { bytes: Vec::new(), budget };
    serde_json::to_writer(&mut writer, value).ok()?;
    String::from_utf8(writer.bytes).ok()
}

struct BoundedWriter {
    bytes: Vec<u8>,
    budget: usize,
}

impl std::io::Write for BoundedWriter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.bytes.len() + bytes.len() > self.budget {
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn outlined(value: &Value, outline: Outline) -> Value {
    let below = Outline { depth: outline.depth.saturating_sub(1), ..outline };
    match value {
        Value::Array(items) if outline.depth == 0 && !items.is_empty() => {
            Value::String(format!("… an array of {}", counted(items.len(), "item")))
        }
        Value::Object(entries) if outline.depth == 0 && !entries.is_empty() => {
            Value::String(format!("… an object of {}", counted(entries.len(), "key")))
        }
        Value::Array(items) => {
            let mut kept: Vec<Value> = items.iter().take(outline.entries).map(|item| outlined(item, below)).collect();
            if let Some(missing) = missing(items.len(), outline.entries) {
                kept.push(Value::String(format!("… {}", more(missing, "item"))));
            }
            Value::Array(kept)
        }
        Value::Object(entries) => {
            let keep = |(key, value): (&String, &Value)| (outlined_string(key, outline), outlined(value, below));
            let mut kept: Map<String, Value> = entries.iter().take(outline.entries).map(keep).collect();
            if let Some(missing) = missing(entries.len(), outline.entries) {
                kept.insert("…".to_owned(), Value::String(more(missing, "key")));
            }
            Value::Object(kept)
        }
        Value::String(text) => Value::String(outlined_string(text, outline)),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

fn missing(length: usize, kept: usize) -> Option<usize> {
    (length > kept).then(|| length - kept)
}

fn outlined_string(text: &str, outline: Outline) -> String {
    // Most texts are short enough by their bytes, and need not be counted.
    if text.len() <= outline.characters {
        return text.to_owned();
    }
    match text.char_indices().nth(outline.characters) {
        None => text.to_owned(),
        Some((end, _)) => {
            let missing = text[end..].chars().count();
            format!("{}… ({})", &text[..end], more(missing, "character"))
        }
    }
}

pub(super) fn more(count: usize, what: &str) -> String {
    if count == 1 { format!("1 more {what}") } else { format!("{count} more {what}s") }
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_fits_is_shown_whole() {
        let value = json!({ "a": [1, 2, 3], "b": "text" });
        assert_eq!(show_value(&value, 100), Shown { text: value.to_string(), is_cut: false });
    }

    #[test]
    fn the_shape_stays_and_what_is_missing_is_counted() {
        let rows: Vec<Value> = (0..500).map(|id| json!({ "id": id, "note": "x".repeat(1000) })).collect();
        let shown = show_value(&json!({ "rows": rows, "total": 500 }), 300);
        assert!(shown.is_cut);
        let (json, advice) = shown.text.split_once('\n').expect("a line of advice");
        assert_eq!(advice, "[cut to fit: filter, aggregate or pick fields in the program before returning]");
        let json: Value = serde_json::from_str(json).expect("it is still JSON");
        assert_eq!(json["total"], 500, "what comes late is still there");
        let rows = json["rows"].as_array().expect("still an array");
        assert_eq!(rows[0]["id"], 0);
        let last = rows.last().and_then(Value::as_str).expect("a marker");
        assert_eq!(last, format!("… {} more items", 500 - (rows.len() - 1)));
        assert!(rows[0]["note"].as_str().expect("still a text").ends_with(" more characters)"));
    }

    #[test]
    fn a_long_text_keeps_its_beginning_and_whole_characters() {
        let shown = show_value(&json!("é".repeat(10_000)), 100);
        assert!(shown.text.starts_with("\"ééé") && shown.text.len() <= 400, "{}", shown.text);
    }

    #[test]
    fn a_budget_too_small_for_any_outline_is_kept_as_well() {
        let value = json!({ "a": [[1, 2], "x".repeat(100)] });
        for tokens in 0..20 {
            assert!(show_value(&value, tokens).text.len() <= tokens * CHARACTERS_PER_TOKEN);
        }
    }
}
