//! Weighs an entry beside its words: by whether the query names its namespace, and by whether it is deprecated.

use std::collections::HashMap;

use super::weights::Weights;
use super::words::{each_word, is_stop_word};

/// The top-level namespaces, and the properties of each entry.
#[derive(Debug, Default)]
pub(super) struct Importance {
    /// The words of each namespace's name. They are not stemmed: `payment` need not mean `payments`.
    namespaces: Vec<Vec<String>>,
    entries: Vec<Known>,
    /// Used only while it is filled.
    numbers: HashMap<String, usize>,
}

#[derive(Debug)]
struct Known {
    namespace: Option<usize>,
    is_deprecated: bool,
}

impl Importance {
    pub(super) fn read(&mut self, path: &str, description: &str) {
        let namespace = path.split_once('.').map(|(root, _)| self.number_of(root));
        self.entries.push(Known { namespace, is_deprecated: says_deprecated(description) });
    }

    /// Returns the factor of each entry for a query.
    pub(super) fn factors(&self, query: &str, weights: &Weights) -> impl Iterator<Item = f64> {
        let said = words_of(query);
        let telling = said.iter().filter(|word| !is_stop_word(word)).count().max(1);
        let factor = |name: &Vec<String>| {
            // In a sentence, a stop word is only itself: `how big is everything` does not name `everything`.
            let can_be_named = said.len() == name.len() || name.iter().any(|word| !is_stop_word(word));
            let is_named = can_be_named && !name.is_empty() && said.windows(name.len()).any(|words| words == name);
            if is_named { 1.0 + weights.named * (name.len() as f64 / telling as f64).min(1.0) } else { 1.0 }
        };
        let factors: Vec<f64> = self.namespaces.iter().map(factor).collect();
        let deprecated = weights.deprecated;
        self.entries.iter().map(move |entry| {
            let factor = entry.namespace.map_or(1.0, |number| factors[number]);
            if entry.is_deprecated { factor * deprecated } else { factor }
        })
    }

    fn number_of(&mut self, root: &str) -> usize {
        if let Some(&number) = self.numbers.get(root) {
            return number;
        }
        let number = self.namespaces.len();
        self.namespaces.push(words_of(root));
        self.numbers.insert(root.to_owned(), number);
        number
    }
}

fn words_of(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_word(text, |word| words.push(word.to_lowercase()));
    words
}

/// Tells whether a description calls the tool itself deprecated: it begins with the word, or has it in capitals, in
/// brackets or before a colon.
fn says_deprecated(description: &str) -> bool {
    const WORD: &str = "deprecated";
    let mut from = 0;
    while let Some(at) = find_ignoring_case(&description[from..], WORD) {
        let (start, end) = (from + at, from + at + WORD.len());
        let (before, word, after) = (&description[..start], &description[start..end], &description[end..]);
        let is_first = !before.contains(char::is_alphanumeric);
        let is_bracketed = before.ends_with(['(', '[']) && after.starts_with([')', ']', ':', ',', '.', ';']);
        if is_first || is_bracketed || after.starts_with(':') || word.chars().all(char::is_uppercase) {
            return true;
        }
        from = end;
    }
    false
}

fn find_ignoring_case(text: &str, word: &str) -> Option<usize> {
    text.as_bytes().windows(word.len()).position(|bytes| bytes.eq_ignore_ascii_case(word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_is_deprecated_where_its_description_says_so_of_itself() {
        for text in [
            "Deprecated. Use the other one.",
            "**deprecated** use x",
            "Reads a file. DEPRECATED: Use read_text_file.",
            "Lists things (deprecated)",
            "Lists things [Deprecated, use x]",
            "Gets it.\n\nDeprecated: since v2",
        ] {
            assert!(says_deprecated(text), "{text}");
        }
        for text in ["Lists deprecated tools.", "Marks a version as deprecated", "é deprecate", "", "deprecate"] {
            assert!(!says_deprecated(text), "{text}");
        }
    }
}
