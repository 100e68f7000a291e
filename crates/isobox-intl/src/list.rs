//! `Intl.ListFormat`.

use std::collections::VecDeque;

use serde_json::{Value, json};

use crate::archive::{Section, Topic};
use crate::error::Result;
use crate::locale::Chosen;
use crate::options::Options;
use crate::parts::{Part, tidy};

/// Joins texts as a language does.
pub(crate) struct ListFormat {
    locale: Chosen,
    lists: Section,
    kind: &'static str,
    style: &'static str,
}

impl ListFormat {
    pub(crate) fn new(options: &Options) -> Result<Self> {
        options.check_matcher()?;
        let locale = options.negotiate();
        let kind = options.choice_or("type", &["conjunction", "disjunction", "unit"], "conjunction")?;
        let style = options.choice_or("style", &["long", "short", "narrow"], "long")?;
        let lists = Section::load(Topic::Lists, &locale.chain);
        Ok(Self { locale, lists, kind, style })
    }

    pub(crate) fn format_to_parts(&self, items: &[String]) -> Vec<Part> {
        let mut parts = VecDeque::new();
        for (at, item) in items.iter().enumerate() {
            let place = match at {
                0 => {
                    parts.push_back(Part::new("element", item));
                    continue;
                }
                1 if items.len() == 2 => "2",
                1 => "start",
                at if at == items.len() - 1 => "end",
                _ => "middle",
            };
            self.join(place, item, &mut parts);
        }
        tidy_elements(parts.into())
    }

    /// Adds an element. A pattern may have text on both sides of what it joins.
    fn join(&self, place: &str, item: &str, parts: &mut VecDeque<Part>) {
        let kind = match self.kind {
            "conjunction" => "standard",
            "disjunction" => "or",
            _ => "unit",
        };
        let style = match self.style {
            "short" => "-short",
            "narrow" => "-narrow",
            _ => "",
        };
        let pattern = self.lists.get(&format!("{kind}{style}/{place}")).unwrap_or("{0}, {1}");
        let pattern = contextual(self.locale.language(), pattern, item);
        let (start, rest) = pattern.split_once("{0}").unwrap_or(("", ", {1}"));
        let (middle, end) = rest.split_once("{1}").unwrap_or((", ", ""));
        parts.push_front(Part::literal(start));
        parts.push_back(Part::literal(middle));
        parts.push_back(Part::new("element", item));
        parts.push_back(Part::literal(end));
    }

    pub(crate) fn resolved(&self) -> Value {
        json!({ "locale": self.locale.tag(), "type": self.kind, "style": self.style })
    }
}

/// Tidies parts. Elements may be empty, and stay parts of their own.
fn tidy_elements(parts: Vec<Part>) -> Vec<Part> {
    let has_empty = parts.iter().any(|part| part.kind == "element" && part.value.is_empty());
    if has_empty {
        parts.into_iter().filter(|part| part.kind == "element" || !part.value.is_empty()).collect()
    } else {
        tidy(parts)
    }
}

/// Changes the word before the last element where the language does so for the sake of its sound or script.
fn contextual(language: &str, pattern: &str, next: &str) -> String {
    let start: String = next.chars().take(3).collect::<String>().to_lowercase();
    match language {
        "es" if pattern.ends_with(" y {1}") => {
            let is_vowel =
                start.starts_with('i') || (start.starts_with("hi") && !matches!(start.as_str(), "hia" | "hie"));
            if is_vowel { pattern.replace(" y {1}", " e {1}") } else { pattern.to_owned() }
        }
        "es" if pattern.ends_with(" o {1}") => {
            let is_eleven =
                start.starts_with("11") && !start.chars().nth(2).is_some_and(|digit| digit.is_ascii_digit());
            let is_vowel = start.starts_with(['o', '8']) || start.starts_with("ho") || is_eleven;
            if is_vowel { pattern.replace(" o {1}", " u {1}") } else { pattern.to_owned() }
        }
        "he" => {
            let is_hebrew = start.starts_with(|character: char| ('\u{590}'..='\u{5ff}').contains(&character));
            if is_hebrew || next.is_empty() { pattern.to_owned() } else { pattern.replace("ו{1}", "ו-{1}") }
        }
        _ => pattern.to_owned(),
    }
}
