//! The options of a constructor, as the guest sends them: texts and booleans.

use serde_json::{Map, Value};

use crate::decimal::shown;
use crate::error::{Error, Result};
use crate::locale::{self, Chosen};

/// The arguments of a constructor.
pub(crate) struct Options {
    /// The name of the class, for errors: `Intl.NumberFormat`.
    class: &'static str,
    locales: Vec<icu_locale::Locale>,
    values: Map<String, Value>,
}

const MAX_LOCALES: usize = 64;

impl Options {
    /// Reads `{"locales": ["de"], "options": {…}}`.
    pub(crate) fn parse(class: &'static str, text: &str) -> Result<Self> {
        let malformed = || Error::type_error(format!("the arguments of {class} cannot be read"));
        let Ok(Value::Object(mut parts)) = serde_json::from_str(text) else { return Err(malformed()) };
        let values = match parts.remove("options") {
            Some(Value::Object(values)) => values,
            None => Map::new(),
            Some(_) => return Err(malformed()),
        };
        let locales = match parts.remove("locales") {
            Some(Value::Array(tags)) => tags,
            None => Vec::new(),
            Some(_) => return Err(malformed()),
        };
        if locales.len() > MAX_LOCALES {
            return Err(Error::range(format!("{class} takes at most {MAX_LOCALES} locales")));
        }
        let locales =
            locales.iter().map(|tag| locale::parse(tag.as_str().unwrap_or_default())).collect::<Result<_>>()?;
        Ok(Self { class, locales, values })
    }

    pub(crate) fn negotiate(&self) -> Chosen {
        locale::negotiate(&self.locales)
    }

    /// Finds the locale among those that a class knows.
    pub(crate) fn negotiate_among(&self, is_known: impl Fn(&str) -> bool) -> Chosen {
        locale::negotiate_among(&self.locales, is_known)
    }

    pub(crate) fn locales(&self) -> &[icu_locale::Locale] {
        &self.locales
    }

    /// Returns an option that takes any text.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.values.get(name)?.as_str()
    }

    pub(crate) fn boolean(&self, name: &str) -> Option<bool> {
        self.values.get(name)?.as_bool()
    }

    /// Returns an option that takes one of a few texts.
    pub(crate) fn choice(&self, name: &str, allowed: &[&'static str]) -> Result<Option<&'static str>> {
        let Some(value) = self.text(name) else { return Ok(None) };
        match allowed.iter().find(|known| **known == value) {
            Some(known) => Ok(Some(known)),
            None => Err(self.out_of_range(name, value)),
        }
    }

    pub(crate) fn choice_or(
        &self,
        name: &str,
        allowed: &[&'static str],
        default: &'static str,
    ) -> Result<&'static str> {
        Ok(self.choice(name, allowed)?.unwrap_or(default))
    }

    /// Returns an option that takes a whole number; the guest sends what `String(Number(value))` gives.
    pub(crate) fn number(&self, name: &str, lowest: i32, highest: i32) -> Result<Option<i32>> {
        let Some(value) = self.text(name) else { return Ok(None) };
        let number: f64 = value.parse().unwrap_or(f64::NAN);
        if !(f64::from(lowest)..=f64::from(highest)).contains(&number) {
            return Err(Error::range(format!("{name} value is out of range.")));
        }
        #[expect(clippy::cast_possible_truncation, reason = "it lies between two numbers of that type")]
        Ok(Some(number.floor() as i32))
    }

    /// Returns an option that is the type of a keyword in a language tag, such as a calendar.
    pub(crate) fn keyword(&self, name: &str) -> Result<Option<String>> {
        let Some(value) = self.text(name) else { return Ok(None) };
        let is_part =
            |part: &str| (3..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !value.split('-').all(is_part) {
            return Err(Error::range(format!("Invalid {name} : {}", shown(value))));
        }
        Ok(Some(value.to_ascii_lowercase()))
    }

    pub(crate) fn out_of_range(&self, name: &str, value: &str) -> Error {
        let value: String = value.chars().take(60).collect();
        Error::range(format!("Value {value} out of range for {} options property {name}", self.class))
    }

    /// Reads `localeMatcher`, which changes nothing: there is one way to find a locale.
    pub(crate) fn check_matcher(&self) -> Result<()> {
        self.choice("localeMatcher", &["lookup", "best fit"]).map(|_| ())
    }
}
