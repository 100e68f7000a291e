//! Signs, currencies, percent signs and units around the digits.

use unicode_general_category::{GeneralCategory, get_general_category};

use super::symbols::{Affixes, Pattern, Token, setting};
use super::{Body, Currency, NumberFormat, Style, Unit};
use crate::parts::{Part, around, text_of};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    None,
    Minus,
    Plus,
}

impl NumberFormat {
    /// Puts everything around the digits. The plural category of a range may be given.
    pub(super) fn with_affixes(&self, body: Body, plural: Option<&'static str>) -> Vec<Part> {
        let (inner, plural) = (self.inner_affixes(&body), plural.unwrap_or(body.plural));
        let (before, after) = self.outer_affixes(plural);
        let (prefix, suffix) = inner;
        let mut parts = before;
        parts.extend(prefix);
        parts.extend(body.parts);
        parts.extend(suffix);
        parts.extend(after);
        parts
    }

    /// Returns what the pattern puts around the digits: signs, currency symbols, percent signs, compact names.
    pub(super) fn inner_affixes(&self, body: &Body) -> (Vec<Part>, Vec<Part>) {
        let pattern = body.pattern.as_ref().unwrap_or(&self.pattern);
        let sign = self.sign(body);
        let affixes = choose(pattern, sign);
        let is_compact = body.pattern.is_some();
        let mut prefix = self.side(&affixes.prefix, sign, is_compact);
        let mut suffix = self.side(&affixes.suffix, sign, is_compact);
        self.space_currency(&mut prefix, &body.parts, &mut suffix);
        (prefix, suffix)
    }

    /// Counts the characters of the pattern around the digits, without the space beside a currency.
    pub(super) fn affix_size(&self, body: &Body) -> usize {
        let sign = self.sign(body);
        let affixes = choose(body.pattern.as_ref().unwrap_or(&self.pattern), sign);
        let size = |tokens: &[Token]| text_of(&self.side(tokens, sign, false)).chars().count();
        size(&affixes.prefix) + size(&affixes.suffix)
    }

    fn sign(&self, body: &Body) -> Sign {
        let negative = if body.is_negative { Sign::Minus } else { Sign::None };
        match self.sign_display {
            "never" => Sign::None,
            "always" if body.is_negative => Sign::Minus,
            "always" => Sign::Plus,
            "exceptZero" if body.is_zero || body.is_not_a_number => Sign::None,
            "exceptZero" if body.is_negative => Sign::Minus,
            "exceptZero" => Sign::Plus,
            "negative" if body.is_zero => Sign::None,
            _ => negative,
        }
    }

    fn side(&self, tokens: &[Token], sign: Sign, is_compact: bool) -> Vec<Part> {
        let mut parts = Vec::new();
        for token in tokens {
            match token {
                Token::Minus if sign == Sign::Plus => parts.extend(around("plusSign", &self.symbols.plus)),
                Token::Minus => parts.extend(around("minusSign", &self.symbols.minus)),
                Token::Plus => parts.extend(around("plusSign", &self.symbols.plus)),
                Token::Percent => {
                    let kind = if self.style == Style::Unit { "unit" } else { "percentSign" };
                    parts.extend(around(kind, &self.symbols.percent));
                }
                Token::Currency => {
                    let symbol = self.currency.as_ref().map_or("", |currency| currency.symbol.as_str());
                    parts.push(Part::new("currency", symbol));
                }
                Token::Text(text) if is_compact => parts.extend(around("compact", text)),
                Token::Text(text) => parts.push(Part::literal(text)),
            }
        }
        parts
    }

    /// Separates a currency from the digits beside it, where it ends or begins with a letter.
    fn space_currency(&self, prefix: &mut Vec<Part>, number: &[Part], suffix: &mut Vec<Part>) {
        let is_digit = |character: Option<char>| character.is_some_and(|digit| self.symbols.digits.contains(&digit));
        let space = |place: &str| {
            let key = format!("currencyFormats/currencySpacing/{place}/insertBetween");
            setting(&self.numbers, &self.symbols.system, &key).unwrap_or("\u{a0}").to_owned()
        };
        let first = number.first().and_then(|part| part.value.chars().next());
        let last = number.last().and_then(|part| part.value.chars().last());
        if let Some(part) = prefix.last().filter(|part| part.kind == "currency")
            && part.value.chars().last().is_some_and(needs_space)
            && is_digit(first)
        {
            prefix.push(Part::literal(space("beforeCurrency")));
        }
        if let Some(part) = suffix.first().filter(|part| part.kind == "currency")
            && part.value.chars().next().is_some_and(needs_space)
            && is_digit(last)
        {
            suffix.insert(0, Part::literal(space("afterCurrency")));
        }
    }

    /// Returns what a unit or the name of a currency puts around everything else.
    pub(super) fn outer_affixes(&self, plural: &str) -> (Vec<Part>, Vec<Part>) {
        let (pattern, kind) = match (&self.currency, &self.unit) {
            (Some(currency), _) if currency.display == "name" => (self.currency_name(currency, plural), "currency"),
            (_, Some(unit)) if unit.name != "percent" || unit.display == "long" || self.style == Style::Percent => {
                (unit_pattern(unit, plural), "unit")
            }
            _ => return (Vec::new(), Vec::new()),
        };
        let (before, after) = pattern.split_once("{0}").unwrap_or(("", pattern.as_str()));
        (around(kind, before), around(kind, after))
    }

    fn currency_name(&self, currency: &Currency, plural: &str) -> String {
        let name = |kind: &str| currency.names.get(&format!("{}/{kind}", currency.code));
        let name = name(plural).or_else(|| name("other")).or_else(|| name("name")).unwrap_or(&currency.code);
        let pattern = |plural: &str| {
            setting(&self.numbers, &self.symbols.system, &format!("currencyFormats/unitPattern/{plural}"))
        };
        pattern(plural).or_else(|| pattern("other")).unwrap_or("{0} {1}").replace("{1}", name)
    }
}

/// Chooses the positive or the negative half of a pattern, and adds a sign where it has none.
fn choose(pattern: &Pattern, sign: Sign) -> Affixes {
    let has = |affixes: &Affixes, token: &Token| affixes.prefix.contains(token) || affixes.suffix.contains(token);
    let plus_replaces_minus = sign == Sign::Plus && !has(&pattern.positive, &Token::Plus);
    if let Some(negative) = &pattern.negative
        && (sign == Sign::Minus || (plus_replaces_minus && has(negative, &Token::Minus)))
    {
        return negative.clone();
    }
    let mut affixes = pattern.positive.clone();
    if sign == Sign::Minus || plus_replaces_minus {
        affixes.prefix.insert(0, Token::Minus);
    }
    affixes
}

/// Returns whether a character is neither a symbol nor a separator.
fn needs_space(character: char) -> bool {
    !matches!(
        get_general_category(character),
        GeneralCategory::CurrencySymbol
            | GeneralCategory::MathSymbol
            | GeneralCategory::ModifierSymbol
            | GeneralCategory::OtherSymbol
            | GeneralCategory::SpaceSeparator
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
    )
}

fn unit_pattern(unit: &Unit, plural: &str) -> String {
    let get = |name: &str, key: &str| unit.data.get(&format!("{}/{name}/{key}", unit.display));
    let simple = |name: &str, plural: &str| get(name, plural).or_else(|| get(name, "other"));
    if let Some(pattern) = simple(&unit.name, plural) {
        return pattern.to_owned();
    }
    let Some((numerator, denominator)) = unit.name.split_once("-per-") else { return "{0}".to_owned() };
    let numerator = simple(numerator, plural).unwrap_or("{0}");
    if let Some(per) = get(denominator, "per") {
        return per.replace("{0}", numerator);
    }
    let denominator = simple(denominator, "one").unwrap_or_default().replace("{0}", "");
    let per = get("per", "compoundUnitPattern").unwrap_or("{0}/{1}");
    per.replace("{1}", denominator.trim()).replace("{0}", numerator)
}
