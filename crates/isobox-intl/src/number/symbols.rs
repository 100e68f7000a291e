//! Digits and symbols of a locale, and patterns such as `#,##0.00 ¤`.

use crate::archive::{Section, common};

/// The signs that numbers are written with.
#[derive(Debug, Clone)]
pub(crate) struct Symbols {
    pub(crate) system: String,
    pub(crate) digits: Vec<char>,
    pub(crate) decimal: String,
    pub(crate) group: String,
    pub(crate) minus: String,
    pub(crate) plus: String,
    pub(crate) percent: String,
    pub(crate) exponential: String,
    pub(crate) infinity: String,
    pub(crate) nan: String,
    pub(crate) approximately: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    Plain,
    Money,
}

/// Returns whether a numbering system has one character for each digit.
pub(crate) fn is_numbering_system(name: &str) -> bool {
    common().get(&format!("digits/{name}")).is_some()
}

/// Returns the numbering system of a locale, where nothing else is asked for.
pub(crate) fn default_system(numbers: &Section) -> String {
    numbers.get("default").filter(|name| is_numbering_system(name)).unwrap_or("latn").to_owned()
}

/// Looks a number setting up for a numbering system; locales without it use the setting of Latin digits.
pub(crate) fn setting<'a>(numbers: &'a Section, system: &str, key: &str) -> Option<&'a str> {
    numbers.get(&format!("{system}/{key}")).or_else(|| numbers.get(&format!("latn/{key}")))
}

impl Symbols {
    pub(crate) fn load(numbers: &Section, system: &str, purpose: Use) -> Self {
        let symbol = |name: &str| {
            let own = numbers.get(&format!("{system}/symbols/{name}"));
            let found = own.or_else(|| root_symbol(system, name));
            found.or_else(|| numbers.get(&format!("latn/symbols/{name}"))).unwrap_or_default().to_owned()
        };
        let for_money = |name: &str, money: &str| match purpose {
            Use::Money => Some(symbol(money)).filter(|text| !text.is_empty()).unwrap_or_else(|| symbol(name)),
            Use::Plain => symbol(name),
        };
        Self {
            system: system.to_owned(),
            digits: digits(system),
            decimal: for_money("decimal", "currencyDecimal"),
            group: for_money("group", "currencyGroup"),
            minus: symbol("minusSign"),
            plus: symbol("plusSign"),
            percent: symbol("percentSign"),
            exponential: symbol("exponential"),
            infinity: symbol("infinity"),
            nan: symbol("nan"),
            approximately: symbol("approximatelySign"),
        }
    }

    pub(crate) fn digit(&self, value: u8) -> char {
        self.digits.get(usize::from(value)).copied().unwrap_or('0')
    }

    /// Writes a whole number with at least that many digits.
    pub(crate) fn integer(&self, value: i64, minimum: usize) -> String {
        let digits = value.unsigned_abs().to_string();
        let zeros = minimum.saturating_sub(digits.len());
        let sign = if value < 0 { self.minus.as_str() } else { "" };
        let shown = std::iter::repeat_n(b'0', zeros).chain(digits.bytes()).map(|byte| self.digit(byte - b'0'));
        sign.chars().chain(shown).collect()
    }
}

fn digits(system: &str) -> Vec<char> {
    common().get(&format!("digits/{system}")).unwrap_or("0123456789").chars().collect()
}

/// Returns a symbol that the root of CLDR has for Arabic digits; the JSON of the root leaves these out.
fn root_symbol(system: &str, name: &str) -> Option<&'static str> {
    Some(match (system, name) {
        ("arab" | "arabext", "decimal") => "٫",
        ("arab" | "arabext", "group") => "٬",
        ("arab", "percentSign") => "٪\u{61c}",
        ("arab", "plusSign") => "\u{61c}+",
        ("arab", "minusSign") => "\u{61c}-",
        ("arab", "exponential") => "اس",
        ("arabext", "percentSign") => "٪",
        ("arabext", "plusSign") => "\u{200e}+\u{200e}",
        ("arabext", "minusSign") => "\u{200e}-\u{200e}",
        ("arabext", "exponential") => "×۱۰^",
        _ => return None,
    })
}

/// A pattern of numbers.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    pub(crate) positive: Affixes,
    pub(crate) negative: Option<Affixes>,
    /// The sizes of the last group and of the others; 0 where there are none.
    pub(crate) groups: (i32, i32),
    /// The number of zeros in the pattern; compact patterns say by them how far a number is divided.
    pub(crate) zeros: i32,
}

/// The tokens before and after the number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Affixes {
    pub(crate) prefix: Vec<Token>,
    pub(crate) suffix: Vec<Token>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    Text(String),
    Minus,
    Plus,
    Percent,
    Currency,
}

impl Pattern {
    pub(crate) fn parse(pattern: &str) -> Self {
        let (positive, negative) = split_unquoted(pattern);
        let (affixes, number) = affixes(positive);
        let integer = number.split('.').next().unwrap_or_default();
        let mut groups = integer.rsplit(',').map(str::len);
        let sizes: Vec<usize> = groups.by_ref().collect();
        let size = |at: usize| i32::try_from(sizes.get(at).copied().unwrap_or(0)).unwrap_or(0);
        let groups = match sizes.len() {
            0 | 1 => (0, 0),
            2 => (size(0), size(0)),
            _ => (size(0), size(1)),
        };
        Self {
            positive: affixes,
            negative: negative.map(|text| self::affixes(text).0),
            groups,
            zeros: i32::try_from(number.bytes().filter(|byte| *byte == b'0').count()).unwrap_or(0),
        }
    }
}

fn split_unquoted(pattern: &str) -> (&str, Option<&str>) {
    let mut is_quoted = false;
    for (at, character) in pattern.char_indices() {
        match character {
            '\'' => is_quoted = !is_quoted,
            ';' if !is_quoted => return (&pattern[..at], Some(&pattern[at + 1..])),
            _ => {}
        }
    }
    (pattern, None)
}

fn affixes(pattern: &str) -> (Affixes, String) {
    let (mut affixes, mut number) = (Affixes::default(), String::new());
    let (mut is_quoted, mut was_quote) = (false, false);
    for character in pattern.chars() {
        if character == '\'' {
            // Two quotes in a row are one apostrophe.
            if was_quote {
                push_text(if number.is_empty() { &mut affixes.prefix } else { &mut affixes.suffix }, '\'');
            }
            was_quote = !was_quote;
            is_quoted = !is_quoted;
            continue;
        }
        was_quote = false;
        if !is_quoted && matches!(character, '#' | '0' | ',' | '.' | 'E' | '1'..='9' | '@') && suffix_is_empty(&affixes)
        {
            number.push(character);
            continue;
        }
        let side = if number.is_empty() { &mut affixes.prefix } else { &mut affixes.suffix };
        match character {
            '-' if !is_quoted => side.push(Token::Minus),
            '+' if !is_quoted => side.push(Token::Plus),
            '%' if !is_quoted => side.push(Token::Percent),
            '¤' if !is_quoted => {
                if side.last() != Some(&Token::Currency) {
                    side.push(Token::Currency);
                }
            }
            _ => push_text(side, character),
        }
    }
    (affixes, number)
}

fn suffix_is_empty(affixes: &Affixes) -> bool {
    affixes.suffix.is_empty()
}

fn push_text(side: &mut Vec<Token>, character: char) {
    match side.last_mut() {
        Some(Token::Text(text)) => text.push(character),
        _ => side.push(Token::Text(character.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_have_affixes_and_groups() {
        let pattern = Pattern::parse("¤#,##,##0.00;(¤#,##0.00)");
        assert_eq!(pattern.groups, (3, 2));
        assert_eq!(pattern.positive.prefix, [Token::Currency]);
        assert_eq!(pattern.negative.map(|affixes| affixes.suffix), Some(vec![Token::Text(")".to_owned())]));
        let compact = Pattern::parse("00 'thou.'s");
        assert_eq!((compact.zeros, compact.positive.suffix), (2, vec![Token::Text(" thou.s".to_owned())]));
    }
}
