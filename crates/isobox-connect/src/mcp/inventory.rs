//! Names the resources and templates of a server for the description of `resources.read`, if they are few.

use std::collections::HashSet;

use isobox_core::brief;
use serde_json::Value;

/// The maximum number of resources, and of templates, that are named.
const MAX_NAMED: usize = 50;
/// The maximum number of pages that are read of a list.
const MAX_PAGES: usize = 10;
/// The maximum length of a line, and of all lines, in characters.
const MAX_LINE: usize = 160;
const MAX_LENGTH: usize = 2_000;

/// The entries of a list, until there are too many to be named.
#[derive(Debug, Default)]
pub(super) struct Inventory {
    lines: Vec<String>,
    cursors: HashSet<String>,
    has_more: bool,
}

impl Inventory {
    /// Adds a page of resources or templates, which are lists of objects under `list` that `key` identifies. Returns the
    /// cursor of the next page, if it is needed.
    pub(super) fn add(&mut self, page: &Value, list: &str, key: &str) -> Option<String> {
        let entries = page.get(list).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        for entry in entries {
            let Some(line) = line(entry, key) else { continue };
            if self.lines.len() == MAX_NAMED {
                self.has_more = true;
                return None;
            }
            self.lines.push(line);
        }
        let cursor = page.get("nextCursor").and_then(Value::as_str)?;
        if self.cursors.len() + 1 >= MAX_PAGES || !self.cursors.insert(cursor.to_owned()) {
            self.has_more = true;
            return None;
        }
        Some(cursor.to_owned())
    }

    /// Returns the entries in words: what they are, then one line for each, sorted, as far as there is room. Empty if
    /// there are none.
    pub(super) fn in_words(mut self, what: &str) -> String {
        if self.lines.is_empty() {
            return String::new();
        }
        // The order of a server may be that of a hash table.
        self.lines.sort_unstable();
        let mut text = format!("{what}:");
        let mut left = MAX_LENGTH.saturating_sub(text.len());
        for line in &self.lines {
            let length = line.chars().count() + "\n- ".len();
            if length > left {
                self.has_more = true;
                break;
            }
            left -= length;
            text.push_str("\n- ");
            text.push_str(line);
        }
        if self.has_more {
            text.push_str("\n- … and more");
        }
        text
    }
}

/// Returns the line of a resource or a template: `file:///a.md (Handbook): How we work.`
fn line(entry: &Value, key: &str) -> Option<String> {
    let text = |key: &str| entry.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let uri = text(key)?;
    let mut line = uri.to_owned();
    if let Some(name) = text("title").or_else(|| text("name")).filter(|name| *name != uri) {
        line.push_str(&format!(" ({name})"));
    }
    if let Some(description) = text("description") {
        line.push_str(": ");
        line.push_str(description);
    }
    Some(brief(&line, MAX_LINE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn words(pages: &[Value]) -> String {
        let mut inventory = Inventory::default();
        for page in pages {
            if inventory.add(page, "resources", "uri").is_none() {
                break;
            }
        }
        inventory.in_words("Resources")
    }

    #[test]
    fn few_resources_are_named_in_order_with_their_words() {
        let first = json!({ "resources": [
            { "uri": "file:///b", "name": "file:///b" }, { "name": "without an address" }, 7,
        ], "nextCursor": "1" });
        let second = json!({ "resources": [
            { "uri": "file:///a", "name": "a", "title": "Handbook", "description": "How\nwe work." },
        ] });
        let expected = "Resources:\n- file:///a (Handbook): How\\nwe work.\n- file:///b";
        assert_eq!(words(&[first, second]), expected);
        assert_eq!(words(&[json!({ "resources": [] })]), "");
        assert_eq!(words(&[json!({ "resources": "none" })]), "");
    }

    #[test]
    fn of_many_or_long_ones_only_some_are_named_and_no_more_pages_are_read() {
        let many: Vec<Value> = (0..100_000).map(|number| json!({ "uri": format!("a:{number}") })).collect();
        let text = words(&[json!({ "resources": many, "nextCursor": "1" })]);
        assert_eq!(text.lines().count(), MAX_NAMED + 2);
        assert!(text.ends_with("\n- … and more"), "{text}");
        let long: Vec<Value> =
            (0..50).map(|number| json!({ "uri": format!("a:{number}{}", "x".repeat(9_999)) })).collect();
        assert!(words(&[json!({ "resources": long })]).chars().count() <= MAX_LENGTH + 20);
        let mut inventory = Inventory::default();
        let pages = (0..1_000).take_while(|number| {
            inventory.add(&json!({ "resources": [], "nextCursor": number.to_string() }), "resources", "uri").is_some()
        });
        assert_eq!(pages.count(), MAX_PAGES - 1);
        let circular = json!({ "resources": [], "nextCursor": "1" });
        let mut inventory = Inventory::default();
        assert_eq!(inventory.add(&circular, "resources", "uri"), Some("1".to_owned()));
        assert_eq!(inventory.add(&circular, "resources", "uri"), None);
    }
}
