//! The yardstick: a plain weighted scheme, as other systems use it.

use super::JudgedTool;

/// A search by substrings and weights. A field weighs 12 (path), 10 (method), 8 (connector) or 5 (description). The
/// weight counts 14, 9 or 6 times if the field equals, begins with or contains the whole query. For each word of the
/// query it counts 4, 2 or 1 times if a word of the field equals, begins with or contains that word. Of one or two
/// words all must match, of more words 60%.
#[derive(Debug)]
pub struct Baseline {
    tools: Vec<[Field; 4]>,
    paths: Vec<String>,
}

#[derive(Debug)]
struct Field {
    weight: u32,
    text: String,
    words: Vec<String>,
}

impl Baseline {
    /// Reads all tools.
    pub fn new(tools: &[JudgedTool]) -> Self {
        let fields = |tool: &JudgedTool| {
            let (connector, rest) = tool.path.split_once('.').unwrap_or(("", &tool.path));
            let method = rest.rsplit_once('.').map_or(rest, |(_, method)| method);
            [(12, tool.path.as_str()), (10, method), (8, connector), (5, &tool.description)]
                .map(|(weight, text)| Field { weight, text: text.to_lowercase(), words: words(text) })
        };
        Self { tools: tools.iter().map(fields).collect(), paths: tools.iter().map(|tool| tool.path.clone()).collect() }
    }

    /// Returns the indices of the best tools, best first.
    pub fn search(&self, query: &str, limit: usize) -> Vec<usize> {
        let (query, words) = (query.to_lowercase(), words(query));
        let needed = if words.len() <= 2 { words.len() } else { (words.len() * 6).div_ceil(10) };
        let mut found: Vec<(u32, usize)> = Vec::new();
        for (place, fields) in self.tools.iter().enumerate() {
            let of_words: Vec<u32> =
                words.iter().map(|word| fields.iter().map(|field| field.word_score(word)).sum()).collect();
            if of_words.iter().filter(|score| **score > 0).count() >= needed {
                let of_query: u32 = fields.iter().map(|field| field.phrase_score(&query)).sum();
                found.push((of_query + of_words.iter().sum::<u32>(), place));
            }
        }
        found.retain(|(score, _)| *score > 0);
        found.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| self.paths[one.1].cmp(&self.paths[other.1])));
        found.into_iter().take(limit).map(|(_, place)| place).collect()
    }
}

impl Field {
    fn phrase_score(&self, query: &str) -> u32 {
        self.weight * grade(&self.text, query, [14, 9, 6])
    }

    fn word_score(&self, word: &str) -> u32 {
        let best = self.words.iter().map(|own| grade(own, word, [4, 2, 1])).max().unwrap_or(0);
        self.weight * best.max(u32::from(self.text.contains(word)))
    }
}

fn grade(text: &str, wanted: &str, [equal, begins, contains]: [u32; 3]) -> u32 {
    if text == wanted {
        equal
    } else if text.starts_with(wanted) {
        begins
    } else if text.contains(wanted) {
        contains
    } else {
        0
    }
}

/// Splits a text at everything except letters and digits, and where an upper-case letter follows a lower-case one.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_small = false;
    for character in text.chars() {
        if !character.is_alphanumeric() || (after_small && character.is_uppercase()) {
            words.push(String::new());
        }
        if let (true, Some(word)) = (character.is_alphanumeric(), words.last_mut()) {
            word.extend(character.to_lowercase());
        }
        after_small = character.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}
