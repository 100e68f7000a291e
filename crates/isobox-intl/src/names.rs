//! `Intl.DisplayNames`.

use icu_locale::LanguageIdentifier;
use icu_locale::subtags::{Language, Region, Script};
use serde_json::{Map, Value, json};

use crate::archive::{Section, Topic};
use crate::decimal::shown;
use crate::error::{Error, Result};
use crate::locale::{self, Chosen};
use crate::number::currency_code;
use crate::options::Options;

/// Names languages, regions, scripts, currencies, calendars and fields of dates.
pub(crate) struct DisplayNames {
    locale: Chosen,
    data: Section,
    kind: &'static str,
    style: &'static str,
    fallback: &'static str,
    language_display: &'static str,
}

impl DisplayNames {
    pub(crate) fn new(options: &Options) -> Result<Self> {
        options.check_matcher()?;
        let locale = options.negotiate();
        let style = options.choice_or("style", &["narrow", "short", "long"], "long")?;
        let kinds = ["language", "region", "script", "currency", "calendar", "dateTimeField"];
        let kind = options.choice("type", &kinds)?;
        let kind = kind.ok_or_else(|| Error::type_error("Required option \"type\" must not be undefined"))?;
        let fallback = options.choice_or("fallback", &["code", "none"], "code")?;
        let language_display = options.choice_or("languageDisplay", &["dialect", "standard"], "dialect")?;
        let topic = match kind {
            "currency" => Topic::Currencies,
            "dateTimeField" => Topic::Fields,
            _ => Topic::Names,
        };
        let data = Section::load(topic, &locale.chain);
        Ok(Self { locale, data, kind, style, fallback, language_display })
    }

    pub(crate) fn of(&self, code: &str) -> Result<Value> {
        let invalid = || Error::range(format!("Invalid argument to Intl.DisplayNames.prototype.of: {}", shown(code)));
        let (code, name) = match self.kind {
            "region" => {
                let region = Region::try_from_str(code).map_err(|_| invalid())?.to_string();
                (region.clone(), self.short("territories", &region))
            }
            "script" => {
                let script = Script::try_from_str(code).map_err(|_| invalid())?.to_string();
                (script.clone(), self.short("scripts", &script))
            }
            "currency" => {
                let currency = currency_code(code).map_err(|_| invalid())?;
                (currency.clone(), self.currency(&currency))
            }
            "calendar" => {
                let is_part =
                    |part: &str| (3..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
                if !code.split('-').all(is_part) {
                    return Err(invalid());
                }
                let calendar = code.to_ascii_lowercase();
                let key = match calendar.as_str() {
                    "gregory" => "gregorian",
                    "ethioaa" => "ethiopic-amete-alem",
                    other => other,
                };
                (calendar.clone(), self.data.get(&format!("calendar/{key}")).map(str::to_owned))
            }
            "dateTimeField" => (code.to_owned(), Some(self.field(code).ok_or_else(invalid)?)),
            _ => {
                let tag = locale::parse(code).map_err(|_| invalid())?;
                if !tag.extensions.is_empty() {
                    return Err(invalid());
                }
                (tag.id.to_string(), self.language(&tag.id))
            }
        };
        Ok(match (name, self.fallback) {
            (Some(name), _) => Value::String(name),
            (None, "code") => Value::String(code),
            (None, _) => Value::Null,
        })
    }

    /// Looks a name up, in its short form where that is asked for.
    fn short(&self, kind: &str, code: &str) -> Option<String> {
        let short = if self.style == "long" { None } else { self.data.get(&format!("{kind}/{code}-alt-short")) };
        short.or_else(|| self.data.get(&format!("{kind}/{code}"))).map(str::to_owned)
    }

    fn currency(&self, code: &str) -> Option<String> {
        let get = |kind: &str| self.data.get(&format!("{code}/{kind}")).map(str::to_owned);
        match self.style {
            "long" => get("name"),
            "short" => get("symbol"),
            _ => get("narrow").or_else(|| get("symbol")),
        }
    }

    fn field(&self, code: &str) -> Option<String> {
        let key = match code {
            "era" | "year" | "quarter" | "month" | "weekday" | "day" | "hour" | "minute" | "second" => code,
            "weekOfYear" => "week",
            "dayPeriod" => "dayperiod",
            "timeZoneName" => "zone",
            _ => return None,
        };
        let style = match self.style {
            "short" => "-short",
            "narrow" => "-narrow",
            _ => "",
        };
        self.data.get(&format!("{key}{style}/displayName")).map(str::to_owned)
    }

    fn language(&self, id: &LanguageIdentifier) -> Option<String> {
        let LanguageIdentifier { language, script, region, .. } = id;
        let tag = |language: &Language, script: &Option<Script>, region: &Option<Region>| {
            let mut tag = language.to_string();
            for part in
                [script.map(|script| script.to_string()), region.map(|region| region.to_string())].into_iter().flatten()
            {
                tag = format!("{tag}-{part}");
            }
            tag
        };
        let mut candidates = vec![(*script, *region), (*script, None), (None, *region), (None, None)];
        if self.language_display == "standard" {
            candidates = vec![(None, None)];
        }
        let found = candidates.into_iter().find_map(|(script, region)| {
            Some((self.short("languages", &tag(language, &script, &region))?, (script, region)))
        });
        let is_whole = script.is_none() && region.is_none() && id.variants.is_empty();
        if found.is_none() && (self.fallback == "none" || is_whole) {
            return None;
        }
        let (name, (used_script, used_region)) = found.unwrap_or_else(|| (language.to_string(), (None, None)));
        let mut rest = Vec::new();
        if let Some(script) = script.filter(|_| used_script.is_none()) {
            let script = script.to_string();
            rest.push(self.short("scripts", &script).unwrap_or(script));
        }
        if let Some(region) = region.filter(|_| used_region.is_none()) {
            let region = region.to_string();
            rest.push(self.short("territories", &region).unwrap_or(region));
        }
        for variant in id.variants.iter() {
            let key = variant.to_string().to_ascii_uppercase();
            rest.push(self.data.get(&format!("variants/{key}")).map_or(key.clone(), str::to_owned));
        }
        let separator = self.data.get("pattern/localeSeparator").unwrap_or("{0}, {1}");
        let rest = rest.into_iter().reduce(|all, next| separator.replace("{0}", &all).replace("{1}", &next));
        let Some(rest) = rest else { return Some(name) };
        let pattern = self.data.get("pattern/localePattern").unwrap_or("{0} ({1})");
        let (open, close) =
            if pattern.contains('（') { (['（', '）'], ['［', '］']) } else { (['(', ')'], ['[', ']']) };
        let rest = rest.replace(open[0], &close[0].to_string()).replace(open[1], &close[1].to_string());
        let name = name.replace(open[0], &close[0].to_string()).replace(open[1], &close[1].to_string());
        Some(pattern.replace("{0}", &name).replace("{1}", &rest))
    }

    pub(crate) fn resolved(&self) -> Value {
        let mut shown = Map::new();
        shown.insert("locale".to_owned(), json!(self.locale.tag()));
        shown.insert("style".to_owned(), json!(self.style));
        shown.insert("type".to_owned(), json!(self.kind));
        shown.insert("fallback".to_owned(), json!(self.fallback));
        if self.kind == "language" {
            shown.insert("languageDisplay".to_owned(), json!(self.language_display));
        }
        Value::Object(shown)
    }
}
