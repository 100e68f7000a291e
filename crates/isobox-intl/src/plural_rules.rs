//! `Intl.PluralRules`.

use serde_json::{Map, Value, json};

use crate::archive::common;
use crate::decimal::Number;
use crate::error::{Error, Result};
use crate::locale::Chosen;
use crate::number::Digits;
use crate::options::Options;
use crate::plural::{Operands, PluralRules as Rules};

/// Selects plural categories of numbers as they are shown with some options.
pub(crate) struct PluralRules {
    locale: Chosen,
    kind: &'static str,
    digits: Digits,
    rules: Rules,
}

impl PluralRules {
    pub(crate) fn new(options: &Options) -> Result<Self> {
        options.check_matcher()?;
        let locale = options.negotiate_among(|name| common().get(&format!("cardinal/{name}")).is_some());
        let kind = options.choice_or("type", &["cardinal", "ordinal"], "cardinal")?;
        let digits = Digits::read(options, (0, 3), false)?;
        let rules = if kind == "ordinal" { Rules::ordinal(&locale.chain) } else { Rules::cardinal(&locale.chain) };
        Ok(Self { locale, kind, digits, rules })
    }

    pub(crate) fn select(&self, number: &Number) -> &'static str {
        let Number::Finite(decimal) = number else { return "other" };
        let mut decimal = decimal.clone();
        let fraction = self.digits.round(&mut decimal);
        self.rules.select(&Operands::new(&decimal, fraction, 0))
    }

    pub(crate) fn select_range(&self, start: &Number, end: &Number) -> Result<&'static str> {
        if *start == Number::Nan || *end == Number::Nan {
            return Err(Error::range("Invalid number value: a range has to have two numbers."));
        }
        Ok(self.rules.select_range(self.select(start), self.select(end)))
    }

    pub(crate) fn resolved(&self) -> Value {
        let mut shown = Map::new();
        shown.insert("locale".to_owned(), json!(self.locale.tag()));
        shown.insert("type".to_owned(), json!(self.kind));
        self.digits.describe(&mut shown);
        if self.digits.significant.is_some() {
            shown.remove("minimumFractionDigits");
            shown.remove("maximumFractionDigits");
        }
        shown.insert("pluralCategories".to_owned(), json!(self.rules.categories()));
        self.digits.describe_rounding(&mut shown);
        Value::Object(shown)
    }
}
