//! The options of `Intl.NumberFormat`, and how digits are chosen: SetNumberFormatDigitOptions of ECMA-402.

use serde_json::{Map, Value, json};

use crate::archive::common;
use crate::decimal::{RoundingMode, shown};
use crate::error::{Error, Result};
use crate::options::Options;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Decimal,
    Percent,
    Currency,
    Unit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notation {
    Standard,
    Scientific,
    Engineering,
    CompactShort,
    CompactLong,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Priority {
    Auto,
    MorePrecision,
    LessPrecision,
}

/// The digits that are shown, and the rounding to them.
#[derive(Debug, Clone)]
pub(crate) struct Digits {
    pub(crate) minimum_integer: i32,
    pub(crate) fraction: Option<(i32, i32)>,
    pub(crate) significant: Option<(i32, i32)>,
    pub(crate) priority: Priority,
    pub(crate) increment: u32,
    pub(crate) mode: RoundingMode,
    mode_name: &'static str,
    pub(crate) strips_zeros: bool,
}

impl Digits {
    /// Reads the options. The defaults depend on the style.
    pub(crate) fn read(options: &Options, default: (i32, i32), is_compact: bool) -> Result<Self> {
        const INCREMENTS: [i32; 15] = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 2500, 5000];
        let minimum_integer = options.number("minimumIntegerDigits", 1, 21)?.unwrap_or(1);
        let has = |name| options.text(name).is_some();
        let increment = options.number("roundingIncrement", 1, 5000)?.unwrap_or(1);
        if !INCREMENTS.contains(&increment) {
            return Err(Error::range("roundingIncrement value is out of range."));
        }
        let mode_name = options.choice_or("roundingMode", &RoundingMode::NAMES, "halfExpand")?;
        let priority = options.choice_or("roundingPriority", &["auto", "morePrecision", "lessPrecision"], "auto")?;
        let stripping = options.choice_or("trailingZeroDisplay", &["auto", "stripIfInteger"], "auto")?;
        let default = if increment == 1 { default } else { (default.0, default.0) };
        let has_significant = has("minimumSignificantDigits") || has("maximumSignificantDigits");
        let has_fraction = has("minimumFractionDigits") || has("maximumFractionDigits");
        let (mut needs_significant, mut needs_fraction) = (true, true);
        if priority == "auto" {
            needs_significant = has_significant;
            needs_fraction = !needs_significant && (has_fraction || !is_compact);
        }
        let mut significant = None;
        if needs_significant {
            if has_significant {
                let low = options.number("minimumSignificantDigits", 1, 21)?.unwrap_or(1);
                significant = Some((low, options.number("maximumSignificantDigits", low, 21)?.unwrap_or(21)));
            } else {
                significant = Some((1, 21));
            }
        }
        let mut fraction = None;
        if needs_fraction {
            let low = options.number("minimumFractionDigits", 0, 100)?;
            let high = options.number("maximumFractionDigits", 0, 100)?;
            fraction = Some(match (low, high) {
                (None, None) => default,
                (Some(low), None) => (low, default.1.max(low)),
                (None, Some(high)) => (default.0.min(high), high),
                (Some(low), Some(high)) if low > high => {
                    return Err(Error::range("maximumFractionDigits value is out of range."));
                }
                (Some(low), Some(high)) => (low, high),
            });
        }
        let mut digits = Self {
            minimum_integer,
            fraction,
            significant,
            priority: match priority {
                "morePrecision" => Priority::MorePrecision,
                "lessPrecision" => Priority::LessPrecision,
                _ => Priority::Auto,
            },
            increment: increment.unsigned_abs(),
            mode: RoundingMode::named(mode_name),
            mode_name,
            strips_zeros: stripping == "stripIfInteger",
        };
        if !needs_significant && !needs_fraction {
            digits.fraction = Some((0, 0));
            digits.significant = Some((1, 2));
            digits.priority = Priority::MorePrecision;
        }
        if increment != 1 {
            if digits.significant.is_some() {
                return Err(Error::type_error("roundingIncrement value is invalid: it needs fraction digits."));
            }
            if digits.fraction.is_some_and(|(low, high)| low != high) {
                return Err(Error::range(
                    "roundingIncrement value is out of range: minimumFractionDigits and maximumFractionDigits have to be equal.",
                ));
            }
        }
        Ok(digits)
    }

    /// Writes what `resolvedOptions` shows of the digits, before the grouping.
    pub(crate) fn describe(&self, shown: &mut Map<String, Value>) {
        shown.insert("minimumIntegerDigits".to_owned(), json!(self.minimum_integer));
        let has_significant = self.significant.is_some();
        if let Some((low, high)) = self.fraction.filter(|_| !has_significant || self.priority != Priority::Auto) {
            shown.insert("minimumFractionDigits".to_owned(), json!(low));
            shown.insert("maximumFractionDigits".to_owned(), json!(high));
        }
        if let Some((low, high)) = self.significant {
            shown.insert("minimumSignificantDigits".to_owned(), json!(low));
            shown.insert("maximumSignificantDigits".to_owned(), json!(high));
        }
    }

    /// Writes what `resolvedOptions` shows of the rounding.
    pub(crate) fn describe_rounding(&self, shown: &mut Map<String, Value>) {
        shown.insert("roundingIncrement".to_owned(), json!(self.increment));
        shown.insert("roundingMode".to_owned(), json!(self.mode_name));
        let priority = match self.priority {
            Priority::Auto => "auto",
            Priority::MorePrecision => "morePrecision",
            Priority::LessPrecision => "lessPrecision",
        };
        shown.insert("roundingPriority".to_owned(), json!(priority));
        let zeros = if self.strips_zeros { "stripIfInteger" } else { "auto" };
        shown.insert("trailingZeroDisplay".to_owned(), json!(zeros));
    }
}

/// Reads a currency code.
pub(crate) fn currency_code(text: &str) -> Result<String> {
    if text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return Ok(text.to_ascii_uppercase());
    }
    Err(Error::range(format!("Invalid currency code : {}", shown(text))))
}

/// Returns how many fraction digits amounts of a currency have.
pub(crate) fn currency_digits(code: &str) -> i32 {
    let digits = |code: &str| common().get(&format!("fraction/{code}"))?.parse().ok();
    digits(code).or_else(|| digits("DEFAULT")).unwrap_or(2)
}

/// The units of ECMA-402.
pub(crate) const UNITS: [&str; 45] = [
    "acre",
    "bit",
    "byte",
    "celsius",
    "centimeter",
    "day",
    "degree",
    "fahrenheit",
    "fluid-ounce",
    "foot",
    "gallon",
    "gigabit",
    "gigabyte",
    "gram",
    "hectare",
    "hour",
    "inch",
    "kilobit",
    "kilobyte",
    "kilogram",
    "kilometer",
    "liter",
    "megabit",
    "megabyte",
    "meter",
    "microsecond",
    "mile",
    "mile-scandinavian",
    "milliliter",
    "millimeter",
    "millisecond",
    "minute",
    "month",
    "nanosecond",
    "ounce",
    "percent",
    "petabyte",
    "pound",
    "second",
    "stone",
    "terabit",
    "terabyte",
    "week",
    "yard",
    "year",
];

/// Checks a unit, which may be a quotient of two.
pub(crate) fn unit_name(text: &str) -> Result<String> {
    let is_known = match text.split_once("-per-") {
        Some((numerator, denominator)) => UNITS.contains(&numerator) && UNITS.contains(&denominator),
        None => UNITS.contains(&text),
    };
    if is_known {
        return Ok(text.to_owned());
    }
    Err(Error::range(format!("Invalid unit argument for Intl.NumberFormat() {}", shown(text))))
}
