//! `Intl.NumberFormat`.

mod affixes;
mod compact;
mod options;
mod range;
mod rounding;
mod symbols;

use serde_json::{Map, Value, json};

use crate::archive::{Section, Topic};
use crate::decimal::{Decimal, Number};
use crate::error::{Error, Result};
use crate::locale::Chosen;
use crate::options::Options;
use crate::parts::{Part, around, text_of, tidy};
use crate::plural::{Operands, PluralRules};

pub(crate) use options::{Digits, UNITS, currency_code, currency_digits};
use options::{Notation, Style, unit_name};
use symbols::{Pattern, setting};
pub(crate) use symbols::{Symbols, Use, default_system, is_numbering_system};

/// Formats numbers of one locale with one set of options.
pub(crate) struct NumberFormat {
    locale: Chosen,
    numbers: Section,
    symbols: Symbols,
    plurals: PluralRules,
    style: Style,
    notation: Notation,
    digits: Digits,
    pattern: Pattern,
    grouping: Grouping,
    sign_display: &'static str,
    currency: Option<Currency>,
    unit: Option<Unit>,
    compact: Option<compact::Compact>,
}

struct Currency {
    code: String,
    display: &'static str,
    sign: &'static str,
    symbol: String,
    names: Section,
}

struct Unit {
    name: String,
    display: &'static str,
    data: Section,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Grouping {
    Never,
    Auto,
    Always,
    MinimumTwo,
}

/// A number after rounding, without its sign and affixes.
struct Body {
    parts: Vec<Part>,
    is_negative: bool,
    is_zero: bool,
    is_not_a_number: bool,
    plural: &'static str,
    /// The pattern that replaces the one of the style: a compact one.
    pattern: Option<Pattern>,
}

impl NumberFormat {
    pub(crate) fn new(options: &Options) -> Result<Self> {
        options.check_matcher()?;
        let mut locale = options.negotiate();
        let numbers = Section::load(Topic::Numbers, &locale.chain);
        let system = options.keyword("numberingSystem")?;
        if let Some(system) = &system
            && !is_numbering_system(system)
        {
            return Err(Error::range(format!("the numbering system {system} is not supported")));
        }
        let system = locale.keyword("nu", system.as_deref(), is_numbering_system);
        let system = system.unwrap_or_else(|| default_system(&numbers));

        let style = options.choice_or("style", &["decimal", "percent", "currency", "unit"], "decimal")?;
        let style = match style {
            "percent" => Style::Percent,
            "currency" => Style::Currency,
            "unit" => Style::Unit,
            _ => Style::Decimal,
        };
        let code = options.text("currency").map(currency_code).transpose()?;
        if style == Style::Currency && code.is_none() {
            return Err(Error::type_error("Currency code is required with currency style."));
        }
        let currency_display =
            options.choice_or("currencyDisplay", &["code", "symbol", "narrowSymbol", "name"], "symbol")?;
        let currency_sign = options.choice_or("currencySign", &["standard", "accounting"], "standard")?;
        let unit = options.text("unit").map(unit_name).transpose()?;
        if style == Style::Unit && unit.is_none() {
            return Err(Error::type_error("Unit is required with unit style."));
        }
        let unit_display = options.choice_or("unitDisplay", &["short", "narrow", "long"], "short")?;
        let notation =
            options.choice_or("notation", &["standard", "scientific", "engineering", "compact"], "standard")?;
        let code = code.filter(|_| style == Style::Currency);
        let default_digits = match (&code, style) {
            (Some(code), _) if notation == "standard" => (currency_digits(code), currency_digits(code)),
            (_, Style::Percent) => (0, 0),
            _ => (0, 3),
        };
        let digits = Digits::read(options, default_digits, notation == "compact")?;
        let compact_display = options.choice_or("compactDisplay", &["short", "long"], "short")?;
        let notation = match notation {
            "scientific" => Notation::Scientific,
            "engineering" => Notation::Engineering,
            "compact" if compact_display == "long" => Notation::CompactLong,
            "compact" => Notation::CompactShort,
            _ => Notation::Standard,
        };
        let is_compact = matches!(notation, Notation::CompactLong | Notation::CompactShort);
        let grouping = read_grouping(options, is_compact)?;
        let sign_display =
            options.choice_or("signDisplay", &["auto", "never", "always", "exceptZero", "negative"], "auto")?;

        let purpose = if style == Style::Currency { Use::Money } else { Use::Plain };
        let symbols = Symbols::load(&numbers, &system, purpose);
        let currency = code.map(|code| {
            let names = Section::load(Topic::Currencies, &locale.chain);
            let symbol = currency_symbol(&names, &code, currency_display);
            Currency { code, display: currency_display, sign: currency_sign, symbol, names }
        });
        let unit = unit.filter(|_| style == Style::Unit).map(|name| Unit {
            name,
            display: unit_display,
            data: Section::load(Topic::Units, &locale.chain),
        });
        let is_compact_percent = is_compact && style == Style::Percent;
        let unit = if is_compact_percent {
            let data = Section::load(Topic::Units, &locale.chain);
            Some(Unit { name: "percent".to_owned(), display: "short", data })
        } else {
            unit
        };
        let pattern = match style {
            Style::Percent if is_compact => "decimalFormats/standard",
            _ => style_pattern(style, currency.as_ref(), unit.as_ref()),
        };
        let pattern = setting(&numbers, &system, pattern).unwrap_or("#,##0.###").to_owned();
        let compact = is_compact.then(|| {
            let is_money = currency.as_ref().is_some_and(|currency| currency.display != "name");
            compact::Compact::load(&numbers, &system, notation == Notation::CompactLong, is_money)
        });
        let plurals = PluralRules::cardinal(&locale.chain);
        let pattern = Pattern::parse(&pattern);
        Ok(Self {
            locale,
            numbers,
            symbols,
            plurals,
            style,
            notation,
            digits,
            pattern,
            grouping,
            sign_display,
            currency,
            unit,
            compact,
        })
    }

    /// Makes the formatter that other classes use for their numbers.
    pub(crate) fn plain(locale: &Chosen, system: &str) -> Result<Self> {
        let text = json!({ "locales": [locale.name], "options": { "numberingSystem": system } }).to_string();
        Self::new(&Options::parse("Intl.NumberFormat", &text)?)
    }

    pub(crate) fn format(&self, number: &Number) -> String {
        text_of(&self.format_to_parts(number))
    }

    pub(crate) fn format_to_parts(&self, number: &Number) -> Vec<Part> {
        let body = self.body(number);
        tidy(self.with_affixes(body, None))
    }

    /// Returns the plural category of a number as it is shown.
    pub(crate) fn plural(&self, number: &Number) -> &'static str {
        self.body(number).plural
    }

    pub(crate) fn format_range(&self, start: &Number, end: &Number) -> Result<Vec<Part>> {
        range::format(self, start, end)
    }

    /// Rounds a number and writes its digits.
    fn body(&self, number: &Number) -> Body {
        let mut body = Body {
            parts: Vec::new(),
            is_negative: false,
            is_zero: false,
            is_not_a_number: false,
            plural: "other",
            pattern: None,
        };
        match number {
            Number::Nan => {
                body.parts.push(Part::new("nan", &self.symbols.nan));
                body.is_not_a_number = true;
            }
            Number::Infinite { is_negative } => {
                body.parts.push(Part::new("infinity", &self.symbols.infinity));
                body.is_negative = *is_negative;
            }
            Number::Finite(decimal) => {
                let mut decimal = decimal.clone();
                if self.style == Style::Percent {
                    decimal.shift(2);
                }
                self.finite_body(&mut body, decimal);
            }
        }
        body
    }

    fn finite_body(&self, body: &mut Body, mut decimal: Decimal) {
        body.is_negative = decimal.is_negative;
        let (fraction, exponent) = match (self.notation, &self.compact) {
            (Notation::Standard, _) => (self.digits.round(&mut decimal), 0),
            (Notation::Scientific, _) => self.digits.round_scaled(&mut decimal, |magnitude| -magnitude),
            (Notation::Engineering, _) => {
                self.digits.round_scaled(&mut decimal, |magnitude| -(magnitude - magnitude.rem_euclid(3)))
            }
            (Notation::CompactShort | Notation::CompactLong, None) => (self.digits.round(&mut decimal), 0),
            (Notation::CompactShort | Notation::CompactLong, Some(compact)) => {
                let (fraction, exponent) = self.digits.round_scaled(&mut decimal, |at| compact.multiplier(at));
                let magnitude = if decimal.is_zero() { 0 } else { decimal.magnitude() + exponent };
                let plural = self.plurals.select(&Operands::new(&decimal, fraction, 0));
                body.pattern = compact.pattern(magnitude, plural, &decimal);
                (fraction, exponent)
            }
        };
        body.is_zero = decimal.is_zero();
        body.plural = self.plurals.select(&Operands::new(&decimal, fraction, exponent));
        // Some compact patterns are words alone: French says `mille`, and not `1 mille`.
        if body.pattern.as_ref().is_none_or(|pattern| pattern.zeros > 0) {
            body.parts = self.digit_parts(&decimal, fraction);
        }
        if matches!(self.notation, Notation::Scientific | Notation::Engineering) {
            body.parts.push(Part::new("exponentSeparator", &self.symbols.exponential));
            if exponent < 0 {
                body.parts.extend(around("exponentMinusSign", &self.symbols.minus));
            }
            let digits = self.symbols.integer(i64::from(exponent.abs()), 1);
            body.parts.push(Part::new("exponentInteger", digits));
        }
    }

    fn digit_parts(&self, decimal: &Decimal, fraction: i32) -> Vec<Part> {
        let highest = decimal.magnitude().max(self.digits.minimum_integer - 1).max(0);
        let mut parts = Vec::new();
        let mut run = String::new();
        let locale_minimum = self.numbers.get("minimum").and_then(|text| text.parse().ok()).unwrap_or(1);
        for power in (0..=highest).rev() {
            run.push(self.symbols.digit(decimal.digit(power)));
            if power > 0 && self.has_group_at(power, highest, locale_minimum) {
                parts.push(Part::new("integer", std::mem::take(&mut run)));
                parts.push(Part::new("group", &self.symbols.group));
            }
        }
        parts.push(Part::new("integer", run));
        let lowest = if decimal.is_zero() { 0 } else { -decimal.lowest() };
        let count = fraction.max(lowest);
        if count > 0 {
            parts.push(Part::new("decimal", &self.symbols.decimal));
            let digits: String = (1..=count).map(|power| self.symbols.digit(decimal.digit(-power))).collect();
            parts.push(Part::new("fraction", digits));
        }
        parts
    }

    fn has_group_at(&self, power: i32, highest: i32, locale_minimum: i32) -> bool {
        let (first, others) = match self.pattern.groups {
            (0, _) if self.grouping == Grouping::Always => (3, 3),
            groups => groups,
        };
        let minimum = match self.grouping {
            Grouping::Never => return false,
            Grouping::Auto if self.compact.is_none() => locale_minimum,
            Grouping::Always => 1,
            Grouping::Auto | Grouping::MinimumTwo => locale_minimum.max(2),
        };
        first > 0 && power >= first && (power - first) % others.max(1) == 0 && highest - first + 1 >= minimum
    }

    pub(crate) fn resolved(&self) -> Value {
        let mut shown = Map::new();
        let mut put = |name: &str, value: Value| shown.insert(name.to_owned(), value);
        put("locale", json!(self.locale.tag()));
        put("numberingSystem", json!(self.symbols.system));
        let style = match self.style {
            Style::Decimal => "decimal",
            Style::Percent => "percent",
            Style::Currency => "currency",
            Style::Unit => "unit",
        };
        put("style", json!(style));
        if let Some(currency) = &self.currency {
            put("currency", json!(currency.code));
            put("currencyDisplay", json!(currency.display));
            put("currencySign", json!(currency.sign));
        }
        if let Some(unit) = self.unit.as_ref().filter(|_| self.style == Style::Unit) {
            put("unit", json!(unit.name));
            put("unitDisplay", json!(unit.display));
        }
        self.digits.describe(&mut shown);
        let mut put = |name: &str, value: Value| shown.insert(name.to_owned(), value);
        let grouping = match self.grouping {
            Grouping::Never => json!(false),
            Grouping::Auto => json!("auto"),
            Grouping::Always => json!("always"),
            Grouping::MinimumTwo => json!("min2"),
        };
        put("useGrouping", grouping);
        let (notation, display) = match self.notation {
            Notation::Standard => ("standard", None),
            Notation::Scientific => ("scientific", None),
            Notation::Engineering => ("engineering", None),
            Notation::CompactShort => ("compact", Some("short")),
            Notation::CompactLong => ("compact", Some("long")),
        };
        put("notation", json!(notation));
        if let Some(display) = display {
            put("compactDisplay", json!(display));
        }
        put("signDisplay", json!(self.sign_display));
        self.digits.describe_rounding(&mut shown);
        Value::Object(shown)
    }
}

fn read_grouping(options: &Options, is_compact: bool) -> Result<Grouping> {
    let default = if is_compact { Grouping::MinimumTwo } else { Grouping::Auto };
    if let Some(wanted) = options.boolean("useGrouping") {
        return Ok(if wanted { Grouping::Always } else { Grouping::Never });
    }
    Ok(match options.choice("useGrouping", &["min2", "auto", "always", "true", "false"])? {
        Some("min2") => Grouping::MinimumTwo,
        Some("auto") => Grouping::Auto,
        Some("always") => Grouping::Always,
        _ => default,
    })
}

fn style_pattern(style: Style, currency: Option<&Currency>, unit: Option<&Unit>) -> &'static str {
    match (style, currency, unit) {
        (Style::Percent, ..) => "percentFormats/standard",
        (Style::Currency, Some(currency), _) if currency.display != "name" => match currency.sign {
            "accounting" => "currencyFormats/accounting",
            _ => "currencyFormats/standard",
        },
        (Style::Unit, _, Some(unit)) if unit.name == "percent" && unit.display != "long" => "percentFormats/standard",
        _ => "decimalFormats/standard",
    }
}

fn currency_symbol(names: &Section, code: &str, display: &str) -> String {
    let get = |kind: &str| names.get(&format!("{code}/{kind}"));
    let symbol = match display {
        "symbol" => get("symbol"),
        "narrowSymbol" => get("narrow").or_else(|| get("symbol")),
        _ => None,
    };
    symbol.unwrap_or(code).to_owned()
}
