//! `Intl.RelativeTimeFormat`.

use serde_json::{Value, json};

use crate::archive::{Section, Topic};
use crate::decimal::{Number, shown};
use crate::error::{Error, Result};
use crate::locale::Chosen;
use crate::number::{NumberFormat, default_system, is_numbering_system};
use crate::options::Options;
use crate::parts::{Part, tidy};

/// Formats distances in time.
pub(crate) struct RelativeTimeFormat {
    locale: Chosen,
    fields: Section,
    numbers: NumberFormat,
    system: String,
    style: &'static str,
    is_auto: bool,
}

const UNITS: [&str; 8] = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"];

impl RelativeTimeFormat {
    pub(crate) fn new(options: &Options) -> Result<Self> {
        options.check_matcher()?;
        let mut locale = options.negotiate();
        let system = options.keyword("numberingSystem")?;
        if let Some(system) = system.as_deref().filter(|name| !is_numbering_system(name)) {
            return Err(Error::range(format!("the numbering system {system} is not supported")));
        }
        let system = locale.keyword("nu", system.as_deref(), is_numbering_system);
        let system = system.unwrap_or_else(|| default_system(&Section::load(Topic::Numbers, &locale.chain)));
        let style = options.choice_or("style", &["long", "short", "narrow"], "long")?;
        let is_auto = options.choice_or("numeric", &["always", "auto"], "always")? == "auto";
        let numbers = NumberFormat::plain(&locale, &system)?;
        let fields = Section::load(Topic::Fields, &locale.chain);
        Ok(Self { locale, fields, numbers, system, style, is_auto })
    }

    pub(crate) fn format_to_parts(&self, number: &Number, unit: &str) -> Result<Vec<Part>> {
        let name = unit.strip_suffix('s').unwrap_or(unit);
        let unit = UNITS.into_iter().find(|known| *known == name);
        let unit = unit.ok_or_else(|| Error::range(format!("Invalid unit argument for format() {}", shown(name))))?;
        let Number::Finite(decimal) = number else {
            return Err(Error::range("Invalid time value: RelativeTimeFormat takes finite numbers"));
        };
        let key = match self.style {
            "short" => format!("{unit}-short"),
            "narrow" => format!("{unit}-narrow"),
            _ => unit.to_owned(),
        };
        if self.is_auto && (decimal.is_zero() || (decimal.lowest() == 0 && decimal.magnitude() == 0)) {
            let sign = if decimal.is_negative && !decimal.is_zero() { "-" } else { "" };
            if let Some(text) = self.fields.get(&format!("{key}/at/{sign}{}", decimal.digit(0))) {
                return Ok(vec![Part::literal(text)]);
            }
        }
        let tense = if decimal.is_negative { "past" } else { "future" };
        let mut positive = decimal.clone();
        positive.is_negative = false;
        let positive = Number::Finite(positive);
        let plural = self.numbers.plural(&positive);
        let pattern = |plural: &str| self.fields.get(&format!("{key}/{tense}/{plural}"));
        let pattern = pattern(plural).or_else(|| pattern("other")).unwrap_or("{0}");
        let mut parts = Vec::new();
        for (at, text) in pattern.split("{0}").enumerate() {
            if at > 0 {
                let digits = self.numbers.format_to_parts(&positive).into_iter();
                parts.extend(digits.map(|part| Part { note: Some(unit), ..part }));
            }
            parts.push(Part::literal(text));
        }
        Ok(tidy(parts))
    }

    pub(crate) fn resolved(&self) -> Value {
        json!({
            "locale": self.locale.tag(), "style": self.style, "numeric": if self.is_auto { "auto" } else { "always" },
            "numberingSystem": self.system,
        })
    }
}
