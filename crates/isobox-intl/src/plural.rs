//! Plural rules: the category of a number in a language.

use crate::archive::common;
use crate::decimal::Decimal;

/// The numbers of a plural rule: see "Plural Operand Meanings" in UTS 35.
#[derive(Debug, Clone, Default)]
pub(crate) struct Operands {
    /// The integer digits, without leading zeros.
    integer: Vec<u8>,
    /// The visible fraction digits, with trailing zeros.
    fraction: Vec<u8>,
    exponent: i32,
}

impl Operands {
    /// Reads a number that is shown with that many fraction digits, after it was divided by ten to the power of `exponent`.
    pub(crate) fn new(decimal: &Decimal, fraction_digits: i32, exponent: i32) -> Self {
        let mut full = decimal.clone();
        full.shift(exponent);
        let shown = (fraction_digits - exponent).max(0).max(if full.is_zero() { 0 } else { -full.lowest() });
        let integer = (0..=full.magnitude().max(-1)).rev().map(|power| full.digit(power)).collect();
        let fraction = (1..=shown).map(|power| full.digit(-power)).collect();
        let integer: Vec<u8> = integer;
        let start = integer.iter().take_while(|digit| **digit == 0).count();
        Self { integer: integer[start..].to_vec(), fraction, exponent }
    }

    fn value(&self, name: u8) -> Operand {
        let trimmed = || {
            let end = self.fraction.iter().rposition(|digit| *digit != 0).map_or(0, |at| at + 1);
            &self.fraction[..end]
        };
        match name {
            b'n' => Operand::new(&self.integer, !trimmed().is_empty()),
            b'i' => Operand::new(&self.integer, false),
            b'v' => Operand::small(self.fraction.len()),
            b'w' => Operand::small(trimmed().len()),
            b'f' => Operand::new(&self.fraction, false),
            b't' => Operand::new(trimmed(), false),
            _ => Operand::small(self.exponent.unsigned_abs() as usize),
        }
    }
}

/// The value of an operand: whole part by its digits, and whether something follows.
struct Operand {
    digits: Vec<u8>,
    has_fraction: bool,
}

impl Operand {
    fn new(digits: &[u8], has_fraction: bool) -> Self {
        let start = digits.iter().take_while(|digit| **digit == 0).count();
        Self { digits: digits[start..].to_vec(), has_fraction }
    }

    fn small(value: usize) -> Self {
        Self::new(&value.to_string().bytes().map(|byte| byte - b'0').collect::<Vec<_>>(), false)
    }

    /// Returns the whole part, modulo a number where one is given; `None` if it is larger than every number of a rule.
    fn whole(&self, modulus: Option<u64>) -> Option<u64> {
        match modulus {
            Some(modulus) => Some(self.digits.iter().fold(0, |rest, digit| (rest * 10 + u64::from(*digit)) % modulus)),
            None if self.digits.len() > 18 => None,
            None => Some(self.digits.iter().fold(0, |value, digit| value * 10 + u64::from(*digit))),
        }
    }
}

/// The rules of one language.
#[derive(Debug, Clone)]
pub(crate) struct PluralRules {
    language: String,
    rules: Vec<(&'static str, String)>,
}

const CATEGORIES: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];

fn category(name: &str) -> &'static str {
    CATEGORIES.into_iter().find(|known| *known == name).unwrap_or("other")
}

impl PluralRules {
    pub(crate) fn cardinal(chain: &[String]) -> Self {
        Self::load("cardinal", chain)
    }

    pub(crate) fn ordinal(chain: &[String]) -> Self {
        Self::load("ordinal", chain)
    }

    fn load(kind: &str, chain: &[String]) -> Self {
        // "pt-PT" has rules of its own. Others have those of their language, not those of their parent.
        let name = chain.first().map_or("und", String::as_str);
        let names = std::iter::successors(Some(name), |name| name.rfind('-').map(|end| &name[..end]));
        let mut found = names.filter_map(|name| Some((name, common().get(&format!("{kind}/{name}"))?)));
        let found = found.next();
        let Some((language, text)) = found else { return Self { language: "und".to_owned(), rules: Vec::new() } };
        let rules = text
            .split(';')
            .filter_map(|rule| rule.split_once(':'))
            .map(|(name, condition)| (category(name), condition.to_owned()))
            .collect();
        Self { language: language.to_owned(), rules }
    }

    pub(crate) fn select(&self, operands: &Operands) -> &'static str {
        let holds = |condition: &str| {
            condition.split(" or ").any(|all| all.split(" and ").all(|relation| relation_holds(relation, operands)))
        };
        self.rules.iter().find(|(_, condition)| holds(condition)).map_or("other", |(name, _)| name)
    }

    pub(crate) fn select_range(&self, start: &'static str, end: &'static str) -> &'static str {
        let language = self.language.split('-').next().unwrap_or_default();
        common().get(&format!("range/{language}/{start}/{end}")).map_or("other", category)
    }

    /// Returns the categories of the language, in the order of CLDR.
    pub(crate) fn categories(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.rules.iter().map(|(name, _)| *name).collect();
        names.push("other");
        names
    }
}

/// Evaluates `n % 100 != 11..19, 21`.
fn relation_holds(relation: &str, operands: &Operands) -> bool {
    let (left, right, wanted) = match relation.split_once("!=") {
        Some((left, right)) => (left, right, false),
        None => match relation.split_once('=') {
            Some((left, right)) => (left, right, true),
            None => return false,
        },
    };
    let (name, modulus) = left.split_once('%').unwrap_or((left, ""));
    let operand = operands.value(name.trim().bytes().next().unwrap_or(b'n'));
    let value = operand.whole(modulus.trim().parse().ok().filter(|modulus| *modulus > 0));
    let is_in = right.split(',').any(|part| {
        let (low, high) = part.trim().split_once("..").unwrap_or((part.trim(), part.trim()));
        match (low.parse::<u64>(), high.parse::<u64>(), value) {
            (Ok(low), Ok(high), Some(value)) => !operand.has_fraction && (low..=high).contains(&value),
            _ => false,
        }
    });
    is_in == wanted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decimal::Number;

    fn selected(language: &str, number: &str, fraction_digits: i32, exponent: i32) -> &'static str {
        let Ok(Number::Finite(decimal)) = Number::parse(number) else { panic!("{number}") };
        PluralRules::cardinal(&[language.to_owned()]).select(&Operands::new(&decimal, fraction_digits, exponent))
    }

    #[test]
    fn categories_follow_the_visible_digits() {
        assert_eq!(selected("en", "1", 0, 0), "one");
        assert_eq!(selected("en", "1", 1, 0), "other");
        assert_eq!(selected("pl", "22", 0, 0), "few");
        assert_eq!(selected("pl", "12", 0, 0), "many");
        assert_eq!(selected("ar", "0", 0, 0), "zero");
        assert_eq!(selected("ar", "103", 0, 0), "few");
        assert_eq!(selected("fr", "1", 0, 6), "many");
        assert_eq!(selected("fr", "1.5", 1, 0), "one");
        assert_eq!(selected("lt", "1.5", 1, 0), "many");
    }
}
