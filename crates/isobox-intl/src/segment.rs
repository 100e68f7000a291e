//! `Intl.Segmenter`.

use icu_segmenter::options::{SentenceBreakInvariantOptions, WordBreakInvariantOptions};
use icu_segmenter::{GraphemeClusterSegmenter, SentenceSegmenter, WordSegmenter};
use serde_json::{Value, json};

use crate::error::Result;
use crate::locale::Chosen;
use crate::options::Options;

/// Divides texts into characters, words or sentences.
pub(crate) struct Segmenter {
    locale: Chosen,
    granularity: &'static str,
}

impl Segmenter {
    pub(crate) fn new(options: &Options) -> Result<Self> {
        options.check_matcher()?;
        let locale = options.negotiate();
        let granularity = options.choice_or("granularity", &["grapheme", "word", "sentence"], "grapheme")?;
        Ok(Self { locale, granularity })
    }

    /// Returns where segments begin, in UTF-16 units, as JSON; words with 1 if they contain letters or digits. A text may have
    /// millions of segments, so that each of them is written at once.
    pub(crate) fn boundaries(&self, text: &str) -> String {
        let mut units = UnitCounter { text, bytes: 0, units: 0 };
        match self.granularity {
            "word" => {
                let segmenter = WordSegmenter::new_dictionary(WordBreakInvariantOptions::default());
                let mut start = 0;
                let rows = segmenter.segment_str(text).filter(|end| *end > 0).map(|end| {
                    let is_word = text.get(start..end).is_some_and(|word| word.contains(char::is_alphanumeric));
                    let at = units.at(start);
                    start = end;
                    format!("[{at},{}]", u8::from(is_word))
                });
                list(rows)
            }
            "sentence" => {
                let segmenter = SentenceSegmenter::new(SentenceBreakInvariantOptions::default());
                let breaks = segmenter.segment_str(text).filter(|at| *at < text.len());
                list(breaks.map(|at| units.at(at).to_string()))
            }
            _ => {
                let breaks = GraphemeClusterSegmenter::new().segment_str(text).filter(|at| *at < text.len());
                list(breaks.map(|at| units.at(at).to_string()))
            }
        }
    }

    pub(crate) fn resolved(&self) -> Value {
        json!({ "locale": self.locale.tag(), "granularity": self.granularity })
    }
}

/// Writes a list of JSON.
fn list(items: impl Iterator<Item = String>) -> String {
    let mut json = "[".to_owned();
    for item in items {
        if json.len() > 1 {
            json.push(',');
        }
        json.push_str(&item);
    }
    json.push(']');
    json
}

/// Translates offsets in bytes, which only grow, into UTF-16 units.
struct UnitCounter<'a> {
    text: &'a str,
    bytes: usize,
    units: usize,
}

impl UnitCounter<'_> {
    fn at(&mut self, bytes: usize) -> usize {
        let passed = self.text.get(self.bytes..bytes).unwrap_or_default();
        self.units += passed.encode_utf16().count();
        self.bytes = bytes.max(self.bytes);
        self.units
    }
}
